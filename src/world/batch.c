/* Grounding: worlds and dense tensors into the values and labels of a batch. */
#include "world/batch.h"

#include <math.h>
#include <string.h>
#include "base/error.h"
#include "base/orders.h"

/* Floats per arity; beyond that the sum of sizes is nonsense, or more than there are addresses for. */
#define BATCH_MAX_VALUES ((size_t)1 << (sizeof(size_t) > 4 ? 40 : 28))

int batch_orders(int arity)
{
    int count = 1;
    for (int i = 2; i <= arity; i++)
        count *= i;
    return count;
}

nlm_status nlm_batch_new(const int *inputs, int breadth, nlm_batch **batch, nlm_error *error)
{
    REQUIRE(batch, error);
    *batch = NULL;
    REQUIRE(inputs, error);
    if (breadth < 1 || breadth > NLM_MAX_BREADTH)
        return error_set(error, NLM_BAD_ARGUMENT, "breadth %d is not in 1..%d", breadth, NLM_MAX_BREADTH);
    for (int r = 0; r <= breadth; r++)
        if (inputs[r] < 0 || inputs[r] > NLM_MAX_WIDTH)
            return error_set(error, NLM_BAD_ARGUMENT, "%d input predicates of arity %d are not in 0..%d",
                             inputs[r], r, NLM_MAX_WIDTH);
    nlm_batch *made = memory_new(1, sizeof *made);
    if (!made)
        return error_no_memory(error);
    made->breadth = breadth;
    memcpy(made->inputs, inputs, ((size_t)breadth + 1) * sizeof *inputs);
    *batch = made;
    return NLM_OK;
}

void nlm_batch_free(nlm_batch *batch)
{
    if (!batch)
        return;
    tuples_free(&batch->tuples);
    buffer_free(&batch->presentations);
    buffer_free(&batch->percepts);
    for (int r = 0; r <= NLM_MAX_BREADTH; r++)
        buffer_free(&batch->values[r]);
    for (int t = 0; t < BATCH_MAX_TARGETS; t++)
        buffer_free(&batch->labels[t]);
    memory_free(batch);
}

void batch_expect_percepts(nlm_batch *batch, int numbers, int perceived)
{
    batch->percept_numbers = numbers;
    batch->perceived = perceived;
}

void nlm_batch_clear(nlm_batch *batch)
{
    tuples_clear(&batch->tuples);
    batch->targets = 0;
}

int nlm_batch_worlds(const nlm_batch *batch)
{
    return batch->tuples.worlds;
}

int nlm_batch_objects(const nlm_batch *batch, int world)
{
    return world >= 0 && world < batch->tuples.worlds ? tuples_objects(&batch->tuples, world) : 0;
}

void nlm_batch_present(nlm_batch *batch, int world, uint64_t presentation)
{
    if (world >= 0 && world < batch->tuples.worlds)
        ((uint64_t *)batch->presentations.data)[world] = presentation;
}

/* Forget the worlds and targets after the first so many. */
static void shrink(nlm_batch *batch, int worlds, int targets)
{
    batch->tuples.worlds = worlds;
    batch->targets = targets;
}

/* Append a world of zeros. */
static nlm_status add_empty_world(nlm_batch *batch, int objects, nlm_error *error)
{
    nlm_status status = tuples_add_world(&batch->tuples, objects, error);
    if (status)
        return status;
    int world = batch->tuples.worlds - 1;
    if (buffer_reserve(&batch->presentations, (size_t)world + 1, sizeof(uint64_t), true)) {
        shrink(batch, world, batch->targets);
        return error_no_memory(error);
    }
    nlm_batch_present(batch, world, 0);
    for (int r = 0; r <= batch->breadth; r++) {
        size_t block = (size_t)batch->inputs[r] * (size_t)batch_orders(r);
        size_t before = tuples_offset(&batch->tuples, world, r);
        size_t after = tuples_offset(&batch->tuples, world + 1, r);
        if (block == 0)
            continue;
        if (after > BATCH_MAX_VALUES / block ||
            buffer_reserve(&batch->values[r], after * block, sizeof(float), true)) {
            shrink(batch, world, batch->targets);
            return error_set(error, NLM_NO_MEMORY, "no memory for the inputs of arity %d of %d objects", r,
                             objects);
        }
        memset((float *)batch->values[r].data + before * block, 0, (after - before) * block * sizeof(float));
    }
    return NLM_OK;
}

/* Whether the last world can have labels for a target; the first world may add the next one. */
static nlm_status check_target(const nlm_batch *batch, int target, int arity, nlm_error *error)
{
    bool next = batch->tuples.worlds == 1 && target == batch->targets && target < BATCH_MAX_TARGETS;
    if (next)
        return NLM_OK;
    if (target < 0 || target >= batch->targets)
        return error_set(error, NLM_BAD_SHAPE,
                         "target %d: the first world of the batch has %d targets, %d at most", target,
                         batch->targets, BATCH_MAX_TARGETS);
    if (batch->target_arity[target] != arity)
        return error_set(error, NLM_BAD_SHAPE,
                         "target %d has arity %d here and %d in the batch's first world", target, arity,
                         batch->target_arity[target]);
    return NLM_OK;
}

/* Labels, for the last world, of a target that it can have, all set to `label`.  Adds the target if it is a
 * new one. */
static nlm_status add_empty_labels(nlm_batch *batch, int target, int arity, nlm_label label, nlm_error *error)
{
    int world = batch->tuples.worlds - 1;
    size_t block = (size_t)batch_orders(arity);
    size_t before = tuples_offset(&batch->tuples, world, arity);
    size_t after = tuples_offset(&batch->tuples, world + 1, arity);
    if (after > BATCH_MAX_VALUES / block || buffer_reserve(&batch->labels[target], after * block, 1, true))
        return error_set(error, NLM_NO_MEMORY, "no memory for the labels of target %d", target);
    memset((signed char *)batch->labels[target].data + before * block, (int)label, (after - before) * block);
    if (target == batch->targets) {
        batch->target_arity[target] = arity;
        batch->targets++;
    }
    return NLM_OK;
}

static void ground_facts(nlm_batch *batch, const nlm_world *world, int predicate, int channel)
{
    const int *tuples;
    const float *values;
    int arity = nlm_world_predicate_arity(world, predicate);
    size_t facts = nlm_world_facts(world, predicate, &tuples, &values);
    size_t width = (size_t)batch->inputs[arity], block = (size_t)batch_orders(arity);
    float *out = (float *)batch->values[arity].data + channel;
    for (size_t i = 0; i < facts; i++) {
        int order;
        size_t index = tuples_find(&batch->tuples, batch->tuples.worlds - 1, tuple_listed(tuples, i, arity),
                                   arity, &order);
        out[(index * block + (size_t)order) * width] = values[i] + 0.0f;
    }
}

static nlm_status ground_labels(nlm_batch *batch, const nlm_world *world, int target, nlm_error *error)
{
    const int *tuples;
    const signed char *labels;
    nlm_label by_default;
    int arity = nlm_world_target_arity(world, target);
    size_t count = nlm_world_labels(world, target, &tuples, &labels, &by_default);
    nlm_status status = check_target(batch, target, arity, error);
    if (!status)
        status = add_empty_labels(batch, target, arity, by_default, error);
    if (status)
        return status;
    size_t block = (size_t)batch_orders(arity);
    signed char *out = batch->labels[target].data;
    for (size_t i = 0; i < count; i++) {
        int order;
        size_t index = tuples_find(&batch->tuples, batch->tuples.worlds - 1, tuple_listed(tuples, i, arity),
                                   arity, &order);
        out[index * block + (size_t)order] = labels[i];
    }
    return NLM_OK;
}

/* The world's predicates must be as many as the inputs, arity by arity. */
static nlm_status check_signature(const nlm_batch *batch, const nlm_world *world, nlm_error *error)
{
    int counted[NLM_MAX_BREADTH + 1] = {[1] = batch->perceived};
    for (int p = 0; p < nlm_world_predicates(world); p++)
        counted[nlm_world_predicate_arity(world, p)]++;
    for (int r = 0; r <= NLM_MAX_BREADTH; r++) {
        int wanted = r <= batch->breadth ? batch->inputs[r] : 0;
        if (counted[r] != wanted)
            return error_set(
                error, NLM_BAD_SHAPE, "the world has %d predicates of arity %d, the machine reads %d",
                counted[r] - (r == 1 ? batch->perceived : 0), r, wanted - (r == 1 ? batch->perceived : 0));
    }
    int targets = nlm_world_targets(world);
    if (batch->tuples.worlds ? targets != batch->targets : targets > BATCH_MAX_TARGETS)
        return error_set(error, NLM_BAD_SHAPE, "the world has %d targets, the batch holds %d", targets,
                         batch->tuples.worlds ? batch->targets : BATCH_MAX_TARGETS);
    return NLM_OK;
}

/* The percepts of the last world. */
static nlm_status ground_percepts(nlm_batch *batch, const nlm_world *world, nlm_error *error)
{
    const size_t numbers = (size_t)batch->percept_numbers;
    const size_t before = tuples_offset(&batch->tuples, batch->tuples.worlds - 1, 1);
    const int objects = nlm_world_objects(world);
    if (buffer_reserve(&batch->percepts, (before + (size_t)objects) * numbers, sizeof(float), true))
        return error_no_memory(error);
    for (int object = 0; object < objects; object++) {
        int count = 0;
        const float *percept = nlm_world_percept(world, object, &count);
        if (!percept)
            return error_set(error, NLM_BAD_SHAPE, "object '%s' has no percept, and the machine reads it",
                             nlm_world_object_name(world, object));
        if (count != batch->percept_numbers)
            return error_set(error, NLM_BAD_SHAPE, "percepts have %d numbers, the machine reads %d", count,
                             batch->percept_numbers);
        memcpy((float *)batch->percepts.data + (before + (size_t)object) * numbers, percept,
               numbers * sizeof *percept);
    }
    return NLM_OK;
}

nlm_status nlm_batch_add_world(nlm_batch *batch, const nlm_world *world, nlm_error *error)
{
    REQUIRE(batch && world, error);
    int worlds = batch->tuples.worlds, targets = batch->targets;
    nlm_status status = check_signature(batch, world, error);
    if (!status)
        status = add_empty_world(batch, nlm_world_objects(world), error);
    if (status)
        return status;
    int channel[NLM_MAX_BREADTH + 1] = {[1] = batch->perceived};
    for (int p = 0; p < nlm_world_predicates(world); p++)
        ground_facts(batch, world, p, channel[nlm_world_predicate_arity(world, p)]++);
    for (int t = 0; t < nlm_world_targets(world) && !status; t++)
        status = ground_labels(batch, world, t, error);
    if (!status && batch->perceived > 0)
        status = ground_percepts(batch, world, error);
    if (status)
        shrink(batch, worlds, targets);
    return status;
}

/* Append a world of zeros without labels. */
static nlm_status add_unlabelled_world(nlm_batch *batch, int objects, nlm_error *error)
{
    int worlds = batch->tuples.worlds;
    nlm_status status = add_empty_world(batch, objects, error);
    for (int t = 0; t < batch->targets && !status; t++)
        status = add_empty_labels(batch, t, batch->target_arity[t], NLM_UNLABELLED, error);
    if (status)
        shrink(batch, worlds, batch->targets);
    return status;
}

nlm_status batch_add_values(nlm_batch *batch, int objects, float **values, nlm_error *error)
{
    nlm_status status = add_unlabelled_world(batch, objects, error);
    if (status)
        return status;
    int world = batch->tuples.worlds - 1;
    for (int r = 0; r <= batch->breadth; r++)
        values[r] = batch->inputs[r] == 0 ? NULL
                                          : (float *)batch->values[r].data +
                                                tuples_offset(&batch->tuples, world, r) *
                                                    (size_t)batch_orders(r) * (size_t)batch->inputs[r];
    return NLM_OK;
}

/* Copy between a dense tensor and the batch's layout, for one arity of the last world: each(tuple row,
 * dense row) for every tuple and order. */
static void for_each_entry(const nlm_batch *batch, int arity,
                           void (*each)(void *context, size_t row, size_t dense), void *context)
{
    struct orders orders;
    orders_fill(&orders, arity);
    int world = batch->tuples.worlds - 1, objects = tuples_objects(&batch->tuples, world);
    struct tuple_walk walk =
        tuple_walk_start(&batch->tuples, arity, tuples_offset(&batch->tuples, world, arity));
    for (; walk.run && walk.world == world; tuple_walk_next_run(&walk)) {
        int sorted[NLM_MAX_BREADTH];
        memcpy(sorted, walk.x, sizeof sorted);
        for (size_t e = 0; e < walk.run; e++, sorted[0]++)
            for (int o = 0; o < orders.count; o++) {
                size_t dense = 0;
                for (int k = 0; k < arity; k++)
                    dense = dense * (size_t)objects + (size_t)sorted[orders.order[o][k]];
                each(context, (walk.index + e) * (size_t)orders.count + (size_t)o, dense);
            }
    }
}

struct copy {
    const void *from;
    void *to;
    size_t width;
    bool bad;
};

static void copy_values(void *context, size_t row, size_t dense)
{
    struct copy *copy = context;
    const float *from = (const float *)copy->from + dense * copy->width;
    float *to = (float *)copy->to + row * copy->width;
    for (size_t c = 0; c < copy->width; c++) {
        copy->bad |= !isfinite(from[c]);
        to[c] = from[c] + 0.0f; /* -0 and 0 are the same value */
    }
}

/* Without `to` the label is checked alone. */
static void copy_label(void *context, size_t row, size_t dense)
{
    struct copy *copy = context;
    signed char label = ((const signed char *)copy->from)[dense];
    copy->bad |= label < NLM_UNLABELLED || label > NLM_TRUE;
    if (copy->to)
        ((signed char *)copy->to)[row] = label;
}

nlm_status nlm_batch_add_tensors(nlm_batch *batch, int objects, const float *const *tensors, nlm_error *error)
{
    REQUIRE(batch && tensors, error);
    if (batch->perceived > 0)
        return error_set(error, NLM_BAD_ARGUMENT, "a world given as numbers has no percepts");
    for (int r = 0; r <= batch->breadth; r++)
        if (batch->inputs[r] > 0 && !tensors[r])
            return error_set(error, NLM_BAD_ARGUMENT, "the tensor of arity %d is missing", r);
    int worlds = batch->tuples.worlds;
    nlm_status status = add_unlabelled_world(batch, objects, error);
    for (int r = 0; r <= batch->breadth && !status; r++) {
        if (batch->inputs[r] == 0)
            continue;
        struct copy copy = {tensors[r], batch->values[r].data, (size_t)batch->inputs[r], false};
        for_each_entry(batch, r, copy_values, &copy);
        if (copy.bad)
            status = error_set(error, NLM_BAD_ARGUMENT, "the tensor of arity %d holds NaN or infinity", r);
    }
    if (status)
        shrink(batch, worlds, batch->targets);
    return status;
}

nlm_status nlm_batch_add_labels(nlm_batch *batch, int target, int arity, const signed char *labels,
                                nlm_error *error)
{
    REQUIRE(batch && labels, error);
    if (batch->tuples.worlds == 0)
        return error_set(error, NLM_BAD_ARGUMENT, "labels for a batch without worlds");
    if (arity < 0 || arity > NLM_MAX_BREADTH)
        return error_set(error, NLM_BAD_ARGUMENT, "labels of arity %d: 0 to %d are possible", arity,
                         NLM_MAX_BREADTH);
    nlm_status status = check_target(batch, target, arity, error);
    if (status)
        return status;
    struct copy copy = {.from = labels};
    for_each_entry(batch, arity, copy_label, &copy);
    if (copy.bad)
        return error_set(error, NLM_BAD_ARGUMENT, "a label of target %d is not -1, 0 or 1", target);
    status = add_empty_labels(batch, target, arity, NLM_UNLABELLED, error);
    if (status)
        return status;
    copy.to = batch->labels[target].data;
    for_each_entry(batch, arity, copy_label, &copy);
    return NLM_OK;
}

/* ---- fewer labels ---- */

static void thin_labels(signed char *labels, size_t count, random_stream *random, double share)
{
    size_t kept = 0, seen = 0, chosen = 0; /* one of those that are not kept, all equally likely */
    signed char label = NLM_UNLABELLED;
    for (size_t i = 0; i < count; i++) {
        if (labels[i] == NLM_UNLABELLED)
            continue;
        if (random_unit(random) < share) {
            kept++;
            continue;
        }
        if (random_unit(random) * (double)++seen < 1.0) {
            chosen = i;
            label = labels[i];
        }
        labels[i] = NLM_UNLABELLED;
    }
    if (kept == 0 && seen > 0)
        labels[chosen] = label;
}

void batch_thin_labels(nlm_batch *batch, random_stream *random, double share)
{
    for (int t = 0; t < batch->targets; t++) {
        const int arity = batch->target_arity[t];
        thin_labels(batch->labels[t].data, tuples_count(&batch->tuples, arity) * (size_t)batch_orders(arity),
                    random, share);
    }
}
