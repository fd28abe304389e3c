/* Evaluator: a machine with a batch, its structure and a pass, for all who ask a machine about worlds.
 *
 *     nlm_evaluator_clear(evaluator);
 *     nlm_evaluator_add(evaluator, world, &error);           or nlm_batch_add_... to nlm_evaluator_batch
 *     nlm_evaluator_run(evaluator, false, &error);
 *     nlm_pass_logits(nlm_evaluator_pass(evaluator), 0, 0, logits, &error);
 *
 * The structure is built when the batch has changed, and is kept while it stays: running again after the
 * weights have changed costs the pass alone.  One evaluator serves one thread at a time; it keeps its memory
 * from batch to batch. */
#ifndef NLM_EVALUATOR_H
#define NLM_EVALUATOR_H

#include "nlm/pass.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nlm_evaluator nlm_evaluator;

/* With an empty batch.  The machine must outlive it; NULL for `options`: one thread, the fastest kernel. */
nlm_status nlm_evaluator_new(nlm_machine *machine, const nlm_options *options, nlm_evaluator **evaluator,
                             nlm_error *error);
void nlm_evaluator_free(nlm_evaluator *evaluator);
/* Forget all worlds. */
void nlm_evaluator_clear(nlm_evaluator *evaluator);
/* One more world in the batch. */
nlm_status nlm_evaluator_add(nlm_evaluator *evaluator, const nlm_world *world, nlm_error *error);
/* The batch, to be changed by other functions: the next run builds its structure anew. */
nlm_batch *nlm_evaluator_batch(nlm_evaluator *evaluator);
/* The structure of the batch as it is; built now unless it is there. */
nlm_status nlm_evaluator_prepare(nlm_evaluator *evaluator, nlm_error *error);
/* That, and a forward pass. */
nlm_status nlm_evaluator_run(nlm_evaluator *evaluator, bool training, nlm_error *error);
/* The structure that was built last, and the pass with the results of the last run. */
const nlm_structure *nlm_evaluator_structure(const nlm_evaluator *evaluator);
nlm_pass *nlm_evaluator_pass(nlm_evaluator *evaluator);

#ifdef __cplusplus
}
#endif
#endif
