/* How a run on facts ends: what its model answers, what that shows, and the exit status that says the same.
 */
#ifndef CLI_TRAIN_EVIDENCE_H
#define CLI_TRAIN_EVIDENCE_H

#include <stdbool.h>
#include "nlm/nlm.h"

/* Exit statuses beside those of commands.h. */
#define EXIT_TOO_LITTLE 3
#define EXIT_CONTRADICTORY 4
#define EXIT_NOT_LEARNED 5

/* "learned from: 0 of 135 answers wrong; held out: ...", and of cross-validation. */
void evidence_print_answers(const nlm_evidence *evidence);
/* The outcome, in one line. */
void evidence_print_outcome(const nlm_problem *problem, const nlm_evidence *evidence);
int evidence_exit(const nlm_evidence *evidence);

#endif
