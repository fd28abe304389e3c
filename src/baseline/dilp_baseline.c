/* Differentiable ILP as a model: one head, whose logits are those of the target's values.
 *
 * With p the value of an atom, its logit is log((p + e) / (1 - p + e)), so that the cross-entropy of the
 * logit is -log(p + e) or -log(1 - p + e), up to a constant.
 *
 * Worlds are independent: each has its own pass, and worlds are shared out over threads.  Gradients of the
 * probabilities are added up over worlds in order, then taken through folding and softmax once.
 *
 * Model functions (model_*) describe the program to the machine, work functions (work_*) are its passes. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "baseline/baseline.h"
#include "baseline/dilp_pass.h"

static const float tiny = DILP_TINY; /* e */

/* ---- the model ---- */

/* The head's arity must be that of the target; the rest is checked by dilp_new.  The depth of the spec is the
 * number of steps. */
static nlm_status model_make(const nlm_spec *spec, const nlm_head_spec *heads, int head_count, void **model,
                             nlm_error *error)
{
    struct dilp *dilp;
    *model = NULL;
    if (head_count != 1 || heads[0].outputs != 1 || heads[0].twins)
        return error_set(error, NLM_BAD_ARGUMENT, "differentiable ILP has one head, with one output");
    nlm_status status = dilp_new(&dilp, spec->program, spec->inputs, spec->depth, error);
    if (status)
        return status;
    const struct dilp_predicate *target = &dilp->predicates[dilp->givens];
    if (heads[0].arity != target->arity)
        status = error_set(error, NLM_BAD_ARGUMENT, "the program defines %s/%d, but the head has arity %d",
                           target->name, target->arity, heads[0].arity);
    if (status)
        dilp_free(dilp);
    else
        *model = dilp;
    return status;
}

static int model_tensors(const void *model)
{
    return ((const struct dilp *)model)->defined;
}

/* One tensor per definition, dilp.NAME, with its arity where the name alone could be mistaken for
 * another's. */
static void model_tensor(const void *model, int index, struct baseline_tensor *tensor)
{
    const struct dilp *dilp = model;
    const struct dilp_definition *definition = &dilp->definitions[index];
    const struct dilp_predicate *own = &dilp->predicates[definition->predicate];
    /* a dot in the name could make it look like another's name and arity */
    bool unique = strchr(own->name, '.') == NULL;
    for (int d = 0; d < dilp->defined; d++)
        if (d != index && strcmp(dilp->predicates[dilp->givens + d].name, own->name) == 0)
            unique = false;
    if (unique)
        snprintf(tensor->name, sizeof tensor->name, "dilp.%s", own->name);
    else
        snprintf(tensor->name, sizeof tensor->name, "dilp.%s.%d", own->name, own->arity);
    tensor->dimensions = 2;
    tensor->shape[0] = (int)definition->rows;
    tensor->shape[1] = (int)definition->columns;
    tensor->fan_in = 0;
}

/* ---- passes ---- */

/* The work of a pass.  Probabilities belong to the parameters of the last forward. */
struct work {
    const struct dilp *dilp;
    struct dilp_pass *passes; /* one for each world */
    int capacity;
    buffer probability, folded;          /* of the last values */
    buffer dprobability;                 /* double per folded pair, of all worlds */
    const struct baseline_world *worlds; /* of the job that is shared out */
};

/* Memory is taken by the first forward, when sizes are known. */
static nlm_status work_open(const void *model, void **opened, nlm_error *error)
{
    struct work *work = memory_new(1, sizeof *work);
    *opened = work;
    if (!work)
        return error_no_memory(error);
    work->dilp = model;
    return NLM_OK;
}

/* All passes, also those that the last batch did not need. */
static void work_close(void *opened)
{
    struct work *work = opened;
    if (!work)
        return;
    for (int w = 0; w < work->capacity; w++)
        dilp_pass_free(&work->passes[w]);
    memory_free(work->passes);
    buffer_free(&work->probability);
    buffer_free(&work->folded);
    buffer_free(&work->dprobability);
    memory_free(work);
}

/* A pass for each world of the largest batch so far; they keep their memory.  Copying a pass moves its
 * buffers: the old array is freed, but not what it points to. */
static nlm_status grow(struct work *work, int count)
{
    if (count <= work->capacity)
        return NLM_OK;
    struct dilp_pass *passes = memory_new((size_t)count, sizeof *passes);
    if (!passes)
        return NLM_NO_MEMORY;
    if (work->capacity > 0)
        memcpy(passes, work->passes, (size_t)work->capacity * sizeof *passes);
    memory_free(work->passes);
    work->passes = passes;
    work->capacity = count;
    return NLM_OK;
}

/* Inputs of the world as first values.  Truth values outside 0..1 would lead conclusions out of it. */
static nlm_status ground(const struct dilp_pass *pass, const struct baseline_world *world, const int *counts,
                         nlm_error *error)
{
    for (int p = 0; p < pass->dilp->givens; p++) {
        const struct dilp_predicate *predicate = &pass->dilp->predicates[p];
        if (predicate->input < 0)
            continue;
        const float *from = world->inputs[predicate->arity] + predicate->input;
        float *values = dilp_first_values(pass, p);
        size_t step = (size_t)counts[predicate->arity];
        for (size_t i = 0; i < dilp_cells(world->objects, predicate->arity); i++) {
            float value = from[i * step];
            if (!(value >= 0.0f && value <= 1.0f))
                return error_set(error, NLM_BAD_ARGUMENT,
                                 "%s/%d has the value %g; differentiable ILP takes values from 0 to 1",
                                 predicate->name, predicate->arity, (double)value);
            values[i] = value;
        }
    }
    return NLM_OK;
}

/* All worlds are checked and grounded before the first is computed, so errors come from one thread, and the
 * parts that are shared out cannot fail. */
static nlm_status start(struct work *work, const struct baseline_world *worlds, int count, bool training,
                        nlm_error *error)
{
    int counts[DILP_MOST_ARITY + 1] = {0}; /* numbers per tuple in a world's arrays: inputs of each arity */
    size_t pairs = work->dilp->folded;
    if (grow(work, count) || buffer_reserve(&work->probability, work->dilp->weights, sizeof(float), false) ||
        buffer_reserve(&work->folded, pairs, sizeof(float), false) ||
        (training && buffer_reserve(&work->dprobability, pairs, sizeof(double), false)))
        return error_no_memory(error);
    for (int p = 0; p < work->dilp->givens; p++)
        counts[work->dilp->predicates[p].arity] += work->dilp->predicates[p].input >= 0;
    nlm_status status = NLM_OK;
    for (int w = 0; w < count && !status; w++) {
        /* by the paper's measure, which says nothing about inference */
        if (training)
            status = dilp_refuse_large(work->dilp, worlds[w].objects, error);
        if (!status)
            status = dilp_pass_start(&work->passes[w], work->dilp, worlds[w].objects, training, error);
        if (!status)
            status = ground(&work->passes[w], &worlds[w], counts, error);
    }
    return status;
}

/* One world: its steps, then logits of the target's values.  A value that is exactly 0 or 1 has a finite
 * logit, about 13.8 in size, because of `tiny`. */
static void world_forward(void *context, int w, int thread)
{
    (void)thread;
    const struct work *work = context;
    struct dilp_pass *pass = &work->passes[w];
    int target = work->dilp->givens;
    dilp_forward(pass, work->folded.data);
    const float *values = dilp_last_values(pass, target);
    float *logits = work->worlds[w].logits[0];
    size_t count = dilp_cells(pass->objects, work->dilp->predicates[target].arity);
    for (size_t i = 0; i < count; i++)
        logits[i] = logf((values[i] + tiny) / (1.0f - values[i] + tiny));
}

/* Probabilities are the same for all worlds: softmax and folding are done once.  A world is one part of the
 * job, whatever the number of threads. */
static nlm_status work_forward(void *opened, struct team *team, const float *values,
                               const struct baseline_world *worlds, int count, bool training,
                               nlm_error *error)
{
    struct work *work = opened;
    nlm_status status = start(work, worlds, count, training, error);
    if (status)
        return status;
    for (int d = 0; d < work->dilp->defined; d++)
        dilp_probabilities(work->dilp, values, d,
                           (float *)work->probability.data + work->dilp->definitions[d].offset);
    dilp_fold(work->dilp, work->probability.data, work->folded.data);
    work->worlds = worlds;
    team_run(team, count, world_forward, work);
    return NLM_OK;
}

/* ---- gradients ---- */

/* From dlogit to dp; tuples that repeat an object have no label. */
static void world_backward(void *context, int w, int thread)
{
    (void)thread;
    const struct work *work = context;
    struct dilp_pass *pass = &work->passes[w];
    int target = work->dilp->givens;
    const float *values = dilp_last_values(pass, target), *dlogits = work->worlds[w].dlogits[0];
    float *dtarget = dilp_target_gradients(pass);
    int arity = work->dilp->predicates[target].arity;
    size_t count = dilp_cells(pass->objects, arity);
    for (size_t i = 0; i < count; i++) {
        /* d logit / dp, from the formula at the top of the file */
        float p = values[i];
        dtarget[i] = dilp_repeats(pass->objects, arity, i)
                         ? 0.0f
                         : dlogits[i] * (1.0f / (p + tiny) + 1.0f / (1.0f - p + tiny));
    }
    dilp_backward(pass, work->folded.data);
}

/* Through the folding and the softmax: dw = p (dp - sum of p dp).  Pairs that were folded together have equal
 * dp, that of their sum.  Two passes over the matrix: the mean first, then the gradients. */
static void weights_backward(float *gradient, const struct dilp_definition *definition,
                             const float *probability, const double *dfolded)
{
    size_t live = definition->clauses[0].live, also = definition->clauses[1].live;
    double mean = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t j = 0, i = 0; j < definition->rows; j++) {
            const double *row = dfolded + (j < live ? j : live) * definition->folded[1];
            for (size_t k = 0; k < definition->columns; k++, i++) {
                double p = (double)probability[i], dp = row[k < also ? k : also];
                if (pass == 0)
                    mean += p * dp;
                else
                    gradient[i] += (float)(p * (dp - mean));
            }
        }
    }
}

/* Parts are worlds; their gradients are added in order, in double. */
static nlm_status work_backward(void *opened, struct team *team, const float *values,
                                const struct baseline_world *worlds, int count, float *gradients,
                                nlm_error *error)
{
    (void)values;
    (void)error;
    struct work *work = opened;
    const struct dilp *dilp = work->dilp;
    double *total = work->dprobability.data;
    work->worlds = worlds;
    team_run(team, count, world_backward, work);
    memset(total, 0, dilp->folded * sizeof *total);
    for (int w = 0; w < count; w++)
        for (size_t i = 0; i < dilp->folded; i++)
            total[i] += ((const double *)work->passes[w].dprobability.data)[i];
    for (int d = 0; d < dilp->defined; d++) {
        const struct dilp_definition *definition = &dilp->definitions[d];
        weights_backward(gradients + definition->offset, definition,
                         (const float *)work->probability.data + definition->offset,
                         total + definition->folded_offset);
    }
    return NLM_OK;
}

const struct baseline dilp_baseline = {
    .name = "dilp",
    .has_program = true,
    .make = model_make,
    .free = dilp_free,
    .tensors = model_tensors,
    .tensor = model_tensor,
    .memory = dilp_pass_memory,
    .admit = dilp_admit,
    .rules = dilp_read,
    .open = work_open,
    .close = work_close,
    .forward = work_forward,
    .backward = work_backward,
};
