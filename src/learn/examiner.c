/* Examiner: one world of a source after the other through a machine that does not learn. */
#include "learn/examiner.h"

#include "base/error.h"

nlm_status examiner_fits(const nlm_machine *machine, const nlm_task *task, nlm_error *error)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    for (int r = 0; r <= NLM_MAX_BREADTH; r++) {
        int reads = r <= spec->breadth ? spec->inputs[r] : 0;
        if (reads != task->inputs[r])
            return error_set(error, NLM_BAD_SHAPE,
                             "the machine reads %d predicates of arity %d, the worlds of %s have %d", reads,
                             r, task->name, task->inputs[r]);
    }
    if (nlm_machine_heads(machine) != 1)
        return error_set(error, NLM_BAD_SHAPE, "the machine has %d heads, %s needs one",
                         nlm_machine_heads(machine), task->name);
    const nlm_head_spec *head = nlm_machine_head(machine, 0);
    if (head->arity != task->arity || head->outputs != 1)
        return error_set(error, NLM_BAD_SHAPE,
                         "the machine answers %d question%s of arity %d, %s asks one of arity %d",
                         head->outputs, head->outputs == 1 ? "" : "s", head->arity, task->name, task->arity);
    return NLM_OK;
}

/* ---- life ---- */

nlm_status examiner_init(struct examiner *examiner, nlm_machine *machine, struct world_source *source,
                         const nlm_options *options, nlm_error *error)
{
    *examiner = (struct examiner){.source = source};
    nlm_status status = nlm_world_new(&examiner->scratch, error);
    if (!status)
        status = nlm_evaluator_new(machine, options, &examiner->evaluator, error);
    if (status)
        examiner_release(examiner);
    return status;
}

void examiner_release(struct examiner *examiner)
{
    nlm_evaluator_free(examiner->evaluator);
    nlm_world_free(examiner->scratch);
    *examiner = (struct examiner){0};
}

/* ---- batches ---- */

nlm_status examiner_fetch(struct examiner *examiner, uint64_t seed, uint64_t number, int objects,
                          const nlm_world **world, nlm_error *error)
{
    return world_source_world(examiner->source, seed, number, objects, examiner->scratch, world, error);
}

/* ---- answers ---- */

nlm_status examiner_ask(struct examiner *examiner, uint64_t seed, uint64_t number, int objects,
                        nlm_bce_result *result, nlm_error *error)
{
    const nlm_world *world;
    nlm_status status = examiner_fetch(examiner, seed, number, objects, &world, error);
    nlm_evaluator_clear(examiner->evaluator);
    if (!status)
        status = nlm_evaluator_add(examiner->evaluator, world, error);
    return status ? status : evaluator_compare(examiner->evaluator, false, result, error);
}

double balanced_accuracy(size_t tuples, size_t wrong, size_t positives, size_t wrong_positives)
{
    size_t negatives = tuples - positives, wrong_negatives = wrong - wrong_positives;
    double sum = 0;
    int kinds = 0;
    if (positives) {
        sum += (double)(positives - wrong_positives) / (double)positives;
        kinds++;
    }
    if (negatives) {
        sum += (double)(negatives - wrong_negatives) / (double)negatives;
        kinds++;
    }
    return kinds ? sum / kinds : 1.0;
}
