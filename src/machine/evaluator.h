/* Evaluator: comparing the answers of all heads with the labels of the batch (nlm/evaluator.h has the rest).
 *
 * Invariant: `prepared` is true only while `structure` is that of `batch` as it is now. */
#ifndef MACHINE_EVALUATOR_H
#define MACHINE_EVALUATOR_H

#include "nlm/evaluator.h"

/* It owns all but the machine, and keeps the memory of its parts from batch to batch. */
struct nlm_evaluator {
    nlm_machine *machine;
    nlm_options options;
    nlm_batch *batch;
    nlm_structure *structure;
    nlm_pass *pass;
    bool prepared;
};

/* Compare the answers of the last forward pass with the labels: head number t answers target number t.  The
 * loss is the mean over heads and its gradient is added to the pass; the counts are sums. */
nlm_status pass_compare(nlm_pass *pass, nlm_bce_result *result, nlm_error *error);
/* Run, and compare. */
nlm_status evaluator_compare(nlm_evaluator *evaluator, bool training, nlm_bce_result *result,
                             nlm_error *error);
/* The macro accuracy (nlm_pass_macro) of what was compared last, its mean over heads. */
nlm_status evaluator_macro(nlm_evaluator *evaluator, double *accuracy, nlm_error *error);

#endif
