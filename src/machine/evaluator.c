/* Evaluator: batch, structure and pass of one machine, and when the structure is built anew.
 *
 * Everybody who asks a machine about worlds goes through here: runs, tests, agents, inference.  The structure
 * depends on the batch and not on weights, so it is kept while the batch stays.  Whoever gets the batch may
 * change it; so handing it out is what makes the structure stale. */
#include "machine/evaluator.h"

#include "base/error.h"
#include "base/memory.h"
#include "machine/pass.h"

/* ---- life ---- */

/* The batch is one for this machine, so percepts are gathered if it has a sense.  The structure's team of
 * threads is made when it is first built. */
nlm_status nlm_evaluator_new(nlm_machine *machine, const nlm_options *options, nlm_evaluator **evaluator,
                             nlm_error *error)
{
    REQUIRE(evaluator, error);
    *evaluator = NULL;
    REQUIRE(machine, error);
    nlm_evaluator *made = memory_new(1, sizeof *made);
    if (!made)
        return error_no_memory(error);
    made->machine = machine;
    if (options)
        made->options = *options;
    nlm_status status = nlm_batch_for(machine, &made->batch, error);
    if (!status)
        status = nlm_structure_new(&made->structure, error);
    if (!status)
        status = nlm_pass_new(machine, &made->pass, error);
    if (status)
        nlm_evaluator_free(made);
    else
        *evaluator = made;
    return status;
}

void nlm_evaluator_free(nlm_evaluator *evaluator)
{
    if (!evaluator)
        return;
    nlm_pass_free(evaluator->pass);
    nlm_structure_free(evaluator->structure);
    nlm_batch_free(evaluator->batch);
    memory_free(evaluator);
}

/* ---- the batch ---- */

/* The only way to the batch from outside: see above. */
nlm_batch *nlm_evaluator_batch(nlm_evaluator *evaluator)
{
    evaluator->prepared = false;
    return evaluator->batch;
}

void nlm_evaluator_clear(nlm_evaluator *evaluator)
{
    nlm_batch_clear(nlm_evaluator_batch(evaluator));
}

nlm_status nlm_evaluator_add(nlm_evaluator *evaluator, const nlm_world *world, nlm_error *error)
{
    REQUIRE(evaluator && world, error);
    return nlm_batch_add_world(nlm_evaluator_batch(evaluator), world, error);
}

/* ---- answers ---- */

/* After a failure it is not prepared, and the next call tries again. */
nlm_status nlm_evaluator_prepare(nlm_evaluator *evaluator, nlm_error *error)
{
    REQUIRE(evaluator, error);
    if (evaluator->prepared)
        return NLM_OK;
    nlm_status status = nlm_structure_build(evaluator->structure, evaluator->machine, evaluator->batch,
                                            &evaluator->options, error);
    evaluator->prepared = !status;
    return status;
}

/* The structure is that of the batch, the values those of the present weights: changing weights needs another
 * run, not another structure. */
nlm_status nlm_evaluator_run(nlm_evaluator *evaluator, bool training, nlm_error *error)
{
    REQUIRE(evaluator, error);
    nlm_status status = nlm_evaluator_prepare(evaluator, error);
    return status ? status : nlm_pass_forward(evaluator->pass, evaluator->structure, training, error);
}

const nlm_structure *nlm_evaluator_structure(const nlm_evaluator *evaluator)
{
    return evaluator->structure;
}

nlm_pass *nlm_evaluator_pass(nlm_evaluator *evaluator)
{
    return evaluator->pass;
}

/* ---- labels ---- */

/* The loss of each head counts alike, whatever the number of its labels: a target with few labels is not
 * drowned by one with many. */
nlm_status pass_compare(nlm_pass *pass, nlm_bce_result *result, nlm_error *error)
{
    const int heads = nlm_machine_heads(pass->machine);
    nlm_bce_result sum = {0};
    for (int head = 0; head < heads; head++) {
        nlm_bce_result r;
        const nlm_status status = nlm_pass_bce(pass, head, 0, head, 1.0 / heads, &r, error);
        if (status)
            return status;
        sum.loss += r.loss / heads;
        sum.labelled += r.labelled;
        sum.correct += r.correct;
        sum.positives += r.positives;
        sum.correct_positives += r.correct_positives;
        sum.squared_error += r.squared_error;
    }
    *result = sum;
    return NLM_OK;
}

nlm_status evaluator_compare(nlm_evaluator *evaluator, bool training, nlm_bce_result *result,
                             nlm_error *error)
{
    const nlm_status status = nlm_evaluator_run(evaluator, training, error);
    return status ? status : pass_compare(evaluator->pass, result, error);
}

/* Needs labels and logits of the last comparison; nothing is computed again. */
nlm_status evaluator_macro(nlm_evaluator *evaluator, double *accuracy, nlm_error *error)
{
    const int heads = nlm_machine_heads(evaluator->machine);
    nlm_status status = NLM_OK;
    *accuracy = 0;
    for (int head = 0; head < heads && !status; head++) {
        double one = 0;
        status = nlm_pass_macro(evaluator->pass, head, 0, head, &one, error);
        *accuracy += one / heads;
    }
    return status;
}
