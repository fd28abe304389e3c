/* Cross-validation of a run on facts: how well is what this way of learning finds?
 *
 * The labels (of several worlds: the worlds) are dealt out to parts.  For each part a run of its own learns
 * from the others, finds its program if it graduates, and is asked about the hidden part: once, at its end.
 */
#ifndef LEARN_VALIDATION_H
#define LEARN_VALIDATION_H

#include "learn/run.h"
#include "learn/world_source.h"
#include "nlm/evidence.h"

struct validation;

/* Whether it would tell more than what the run holds out, and enough to tell anything. */
nlm_status validation_is_useful(const nlm_settings *settings, bool *useful, nlm_error *error);

/* `rounds`: epochs that the run itself took; its parts have some times as many. */
nlm_status validation_new(const nlm_settings *settings, int rounds, const nlm_options *options,
                          struct validation **validation, nlm_error *error);
void validation_free(struct validation *validation);
/* Some steps of every part, side by side. */
nlm_status validation_step(struct validation *validation, nlm_error *error);
bool validation_ended(const struct validation *validation);
/* Of the parts that have ended. */
nlm_answers validation_answers(const struct validation *validation);
const char *validation_line(const struct validation *validation, char text[NLM_RULE_LINE]);

void add_answers(nlm_answers *to, nlm_answers more);
/* Answers of a machine about some worlds of a source, by number. */
nlm_status answers_about(nlm_machine *machine, struct world_source *source, uint64_t first, int count,
                         const nlm_options *options, nlm_answers *answers, nlm_error *error);

/* The outcome, and what else follows from the answers; contradictory: labels are listed as true and as false.
 */
void evidence_conclude(nlm_evidence *e, bool graduated, bool contradictory);

#endif
