/* Examiner: one world after the other through a machine that does not learn. */
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
    *examiner = (struct examiner){.machine = machine, .source = source, .options = *options};
    nlm_status status = nlm_world_new(&examiner->scratch, error);
    if (!status)
        status = nlm_batch_for(machine, &examiner->batch, error);
    if (!status)
        status = nlm_structure_new(&examiner->structure, error);
    if (!status)
        status = nlm_pass_new(machine, &examiner->pass, error);
    if (status)
        examiner_release(examiner);
    return status;
}

void examiner_release(struct examiner *examiner)
{
    nlm_pass_free(examiner->pass);
    nlm_structure_free(examiner->structure);
    nlm_batch_free(examiner->batch);
    nlm_world_free(examiner->scratch);
    *examiner = (struct examiner){0};
}

/* ---- batches ---- */

void examiner_clear(struct examiner *examiner)
{
    nlm_batch_clear(examiner->batch);
    examiner->built = false;
}

nlm_status examiner_fetch(struct examiner *examiner, uint64_t seed, uint64_t number, int objects,
                          const nlm_world **world, nlm_error *error)
{
    return world_source_world(examiner->source, seed, number, objects, examiner->scratch, world, error);
}

nlm_status examiner_add(struct examiner *examiner, const nlm_world *world, nlm_error *error)
{
    examiner->built = false;
    return nlm_batch_add_world(examiner->batch, world, error);
}

/* ---- answers ---- */

static nlm_status compare_answers(struct examiner *examiner, nlm_bce_result *result, nlm_error *error)
{
    const int heads = nlm_machine_heads(examiner->machine);
    nlm_bce_result sum = {0};
    nlm_status status = NLM_OK;
    for (int head = 0; head < heads && !status; head++) {
        nlm_bce_result r;
        status = nlm_pass_bce(examiner->pass, head, 0, head, 1.0 / heads, &r, error);
        if (status)
            break;
        sum.loss += r.loss / heads;
        sum.labelled += r.labelled;
        sum.correct += r.correct;
        sum.positives += r.positives;
        sum.correct_positives += r.correct_positives;
        sum.squared_error += r.squared_error;
    }
    *result = sum;
    return status;
}

nlm_status examiner_ask_batch(struct examiner *examiner, bool training, nlm_bce_result *result,
                              nlm_error *error)
{
    nlm_status status = NLM_OK;
    if (!examiner->built)
        status = nlm_structure_build(examiner->structure, examiner->machine, examiner->batch,
                                     &examiner->options, error);
    examiner->built = !status;
    if (!status)
        status = nlm_pass_forward(examiner->pass, examiner->structure, training, error);
    return status ? status : compare_answers(examiner, result, error);
}

nlm_status examiner_ask(struct examiner *examiner, uint64_t seed, uint64_t number, int objects,
                        nlm_bce_result *result, nlm_error *error)
{
    const nlm_world *world;
    nlm_status status = examiner_fetch(examiner, seed, number, objects, &world, error);
    examiner_clear(examiner);
    if (!status)
        status = examiner_add(examiner, world, error);
    return status ? status : examiner_ask_batch(examiner, false, result, error);
}

nlm_status examiner_macro(struct examiner *examiner, double *accuracy, nlm_error *error)
{
    const int heads = nlm_machine_heads(examiner->machine);
    nlm_status status = NLM_OK;
    *accuracy = 0;
    for (int head = 0; head < heads && !status; head++) {
        double one = 0;
        status = nlm_pass_macro(examiner->pass, head, 0, head, &one, error);
        *accuracy += one / heads;
    }
    return status;
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
