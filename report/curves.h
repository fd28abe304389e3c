/* Curves of a group of runs: loss, accuracy or success, entropy, and for games when which lesson was learned
 * and which exams were passed. */
#ifndef REPORT_CURVES_H
#define REPORT_CURVES_H

#include "report/page.h"
#include "nlm/study.h"

/* Of the runs first..end-1, which are alike; nothing if none has a log.  Fails for want of memory only. */
nlm_status curves_put(page *p, const nlm_found_runs *list, int first, int end);

#endif
