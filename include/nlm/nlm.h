/* Neural Logic Machines: everything but pages, which are a library of their own (nlm/report.h).
 *
 * Begin with nlm/model.h: learn, ask and explain in one call each, and with examples/.  The other headers are
 * what it is built on, from simple to advanced. */
#ifndef NLM_NLM_H
#define NLM_NLM_H

#include "nlm/version.h"
#include "nlm/status.h"
#include "nlm/model.h"
#include "nlm/random.h"
#include "nlm/file.h"
#include "nlm/tools.h"
#include "nlm/world.h"
#include "nlm/machine.h"
#include "nlm/pass.h"
#include "nlm/evaluator.h"
#include "nlm/gallery.h"
#include "nlm/task.h"
#include "nlm/facts.h"
#include "nlm/database.h"
#include "nlm/infer.h"
#include "nlm/alternatives.h"
#include "nlm/game.h"
#include "nlm/pddl.h"
#include "nlm/scene.h"
#include "nlm/settings.h"
#include "nlm/run.h"
#include "nlm/evidence.h"
#include "nlm/needs.h"
#include "nlm/play.h"
#include "nlm/program.h"
#include "nlm/prove.h"
#include "nlm/why.h"
#include "nlm/rules.h"
#include "nlm/run_pool.h"
#include "nlm/log.h"
#include "nlm/test.h"
#include "nlm/study.h"

#endif
