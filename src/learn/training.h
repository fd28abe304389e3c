/* Settings of a training, inside the library. */
#ifndef LEARN_TRAINING_H
#define LEARN_TRAINING_H

#include "learn/settings.h"
#include "nlm/learn.h"

enum { TRAINING_MOST_BATCH = 4096 };

/* The task, the protocol and the spec are not among the numbers. */
extern const struct settings_table training_table;

/* The heads of its machine, one for each target; their number. */
int training_heads(const nlm_training *training, nlm_head_spec heads[NLM_MAX_HEADS]);

/* Settings that a run can begin with. */
nlm_status training_check(const nlm_training *training, nlm_error *error);

#endif
