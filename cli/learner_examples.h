/* What the subjects that learn from examples, tasks and facts, have in common: the functions of a
 * learner_kind under the same names. */
#ifndef CLI_LEARNER_EXAMPLES_H
#define CLI_LEARNER_EXAMPLES_H

#include "learner.h"

nlm_status examples_recorded(const nlm_machine *machine, const char *path, subject *found, nlm_error *error);
nlm_status examples_compare(const subject *found, const subject *wanted, const char *path, nlm_error *error);
nlm_status examples_begin(const subject *of, const nlm_options *options, learner *made, nlm_error *error);
nlm_status examples_load(const char *path, const subject *of, const nlm_options *options, learner *made,
                         nlm_error *error);
void examples_end(learner *run);
nlm_status examples_step(learner *run, bool *round_ended, nlm_error *error);
nlm_stage examples_stage(const learner *run);
void examples_settings(const learner *run, subject *settings);
nlm_status examples_save_model(learner *run, const char *path, nlm_error *error);
nlm_status examples_save_checkpoint(learner *run, const char *path, nlm_error *error);
void examples_record(const learner *run, report *to);
void examples_recall(const nlm_machine *machine, report *to);
nlm_status examples_log_epoch(const report *of, const subject *settings, FILE *log, const char *path,
                              nlm_error *error);
double examples_fraction(const learner *run);
void examples_facts(const learner *run, char text[LEARNER_FACTS_SIZE]);

/* What the curve of the losses asks for; `larger` tells whether a larger machine is worth a try. */
void examples_say_what_to_try(const nlm_settings *training, int epochs, curve_shape shape, bool larger);

#endif
