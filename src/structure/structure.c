/* Building a structure: levels and ranges, layer by layer, and the figures about them.
 *
 * Layer i reads only layer i-1, so building goes up from layer 0: all levels of a layer, then the ranges over
 * them, which the next layer reads.  A structure keeps its memory from build to build: after the first
 * batches of a size, building allocates nothing.
 *
 * Ownership: partitions live in `store` of the level or range that was classified, or in `identity`; `part`
 * of a level or range points to its own store, to that of a layer below (stable levels), or to the identity.
 * All of them belong to the structure and stay until the next build.
 *
 * Example: four families of 20, a machine of depth 4 and breadth 3 (`nlm bench --summary --only
 * family_binary`). Classes of ordered tuples, layer by layer:
 *
 *     layer    80 objects      1,520 pairs       27,360 triples
 *     0                        9
 *     1        15              9                 109
 *     2        15              323               109, the partition of layer 1 (stable)
 *     3        identity        323 (stable)      streamed: a reduction computes them
 *     4                        identity: the range over the streamed level is one
 *
 * So unit (2, 3) computes the rows of 109 classes in place of 27,360 tuples. */
#include "structure/structure.h"

#include <string.h>
#include "base/error.h"
#include "base/invariant.h"

/* Tags are compared within one arity only, so one tag serves the identities of all. */
enum { IDENTITY_TAG = 1 }; /* identity partitions of all arities; others are numbered above */

nlm_status nlm_structure_new(nlm_structure **structure, nlm_error *error)
{
    REQUIRE(structure, error);
    *structure = memory_new(1, sizeof **structure);
    return *structure ? NLM_OK : error_no_memory(error);
}

/* Only stores are owned; the other pointers lead into these, or into another partition. */
static void partition_free(struct partition *part)
{
    buffer_free(&part->code_store);
    buffer_free(&part->first_store);
    buffer_free(&part->same_store);
    buffer_free(&part->dense_store);
    buffer_free(&part->dense_world_store);
}

void nlm_structure_free(nlm_structure *s)
{
    if (!s)
        return;
    team_free(s->team);
    tuples_free(&s->tuples);
    for (int i = 0; i <= NLM_MAX_DEPTH; i++) {
        for (int r = 0; r <= NLM_MAX_BREADTH; r++) {
            struct level *level = &s->levels[i][r];
            struct range *range = &s->ranges[i][r];
            buffer *buffers[] = {&level->own_store,    &level->sub_store,   &level->range_store,
                                 &range->parent_store, &range->start_store, &range->element_store};
            for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
                buffer_free(buffers[b]);
            partition_free(&level->store);
            partition_free(&range->store);
        }
    }
    for (int r = 0; r <= NLM_MAX_BREADTH; r++) {
        partition_free(&s->identity[r]);
        buffer_free(&s->values[r]);
    }
    for (int t = 0; t < BATCH_MAX_TARGETS; t++)
        buffer_free(&s->labels[t]);
    buffer_free(&s->presentations);
    buffer_free(&s->percepts);
    intern_free(&s->merged);
    for (int l = 0; s->local && l < s->local_room; l++)
        intern_free(&s->local[l]);
    memory_free(s->local);
    buffer *scratch[] = {&s->chunk_keys, &s->chunk_counts, &s->chunk_firsts, &s->chunk_map, &s->merged_codes,
                         &s->orbit_keys, &s->reordered,    &s->bits,         &s->places};
    for (size_t b = 0; b < sizeof scratch / sizeof *scratch; b++)
        buffer_free(scratch[b]);
    memory_free(s);
}

/* One identity per arity, made when first asked for and shared by all layers.  `first` and `same` stay NULL:
 * orbit n is tuple n, and no two orders are equal. */
nlm_status structure_identity(struct nlm_structure *s, int arity, const struct partition **part)
{
    struct partition *identity = &s->identity[arity];
    size_t tuples = tuples_count(&s->tuples, arity);
    const struct orders *orders = &s->plan->orders[arity];
    *part = identity;
    if (identity->codes)
        return NLM_OK;
    if (tuples > STRUCTURE_MOST_ORBITS(orders)) {
        s->beyond = arity;
        return NLM_NO_MEMORY;
    }
    if (buffer_reserve(&identity->code_store, tuples, sizeof(int32_t), false))
        return NLM_NO_MEMORY;
    int32_t *codes = identity->code_store.data;
    for (size_t t = 0; t < tuples; t++)
        codes[t] = (int32_t)(t << orders->shift);
    identity->arity = arity;
    identity->identity = true;
    identity->orbits = tuples;
    identity->classes = tuples * (size_t)orders->count;
    identity->tag = IDENTITY_TAG;
    identity->codes = codes;
    identity->dense = NULL;
    return NLM_OK;
}

/* Forget the last batch but not its memory; get a team and hash tables for the wanted number of threads. */
static nlm_status start(struct nlm_structure *s, const struct plan *plan, const struct nlm_batch *batch,
                        const nlm_options *options)
{
    s->plan = plan;
    s->options = *options;
    s->depth = plan->spec.depth;
    s->breadth = plan->spec.breadth;
    /* 0 until the build has succeeded: a pass refuses what is left of a failed one */
    s->signature = 0;
    s->build++;
    s->next_tag = IDENTITY_TAG;
    s->beyond = 0;
    /* `part` NULL: not built yet; stores keep their memory */
    for (int i = 0; i <= s->depth; i++)
        for (int r = 0; r <= s->breadth; r++) {
            s->levels[i][r].part = NULL;
            s->levels[i][r].streamed = false;
            s->ranges[i][r].part = NULL;
        }
    for (int r = 0; r <= NLM_MAX_BREADTH; r++)
        s->identity[r].codes = NULL;
    s->locals = options->threads > 1 ? options->threads : 1;
    /* starting threads is slow, so a team stays while the wanted number does */
    if (s->locals != team_threads(s->team)) {
        team_free(s->team);
        s->team = NULL;
        if (team_new(s->locals, &s->team))
            return NLM_NO_MEMORY;
    }
    /* tables that exist keep their buffers */
    if (s->local_room < s->locals) {
        struct intern *grown = memory_new((size_t)s->locals, sizeof *grown);
        if (!grown)
            return NLM_NO_MEMORY;
        if (s->local)
            memcpy(grown, s->local, (size_t)s->local_room * sizeof *grown);
        memory_free(s->local);
        s->local = grown;
        s->local_room = s->locals;
    }
    return tuples_copy(&s->tuples, &batch->tuples);
}

static bool has_live_unit(const struct plan *plan, int arity)
{
    bool live = false;
    for (int i = 0; i <= plan->spec.depth; i++)
        live |= plan->live[i][arity];
    return live;
}

/* A batch and a plan fit if they agree on inputs and percepts, and if the tuples of all live arities can be
 * numbered with 31 bits. */
static nlm_status check(const struct plan *plan, const struct nlm_batch *batch, const nlm_options *options,
                        nlm_error *error)
{
    if (batch->tuples.worlds == 0)
        return error_set(error, NLM_BAD_ARGUMENT, "the batch holds no world");
    if (options->threads < 0 || options->threads > 1024)
        return error_set(error, NLM_BAD_ARGUMENT, "%d threads are not in 0..1024", options->threads);
    for (int r = 0; r <= NLM_MAX_BREADTH; r++) {
        int given = r <= batch->breadth ? batch->inputs[r] : 0;
        if (given != plan->spec.inputs[r])
            return error_set(error, NLM_BAD_SHAPE,
                             "the batch has %d inputs of arity %d, the machine reads %d", given, r,
                             plan->spec.inputs[r]);
    }
    if (batch->perceived != plan->perceived)
        return error_set(error, NLM_BAD_SHAPE, "the batch is not for a machine %s a sense",
                         plan->perceived > 0 ? "with" : "without");
    for (int r = 0; r <= plan->spec.breadth; r++) {
        bool numbers = options->lifting == NLM_LIFT ? structure_numbers(plan, r) : has_live_unit(plan, r);
        if (numbers && tuples_count(&batch->tuples, r) > STRUCTURE_MOST_TUPLES)
            return error_set(error, NLM_NO_MEMORY, "more than %zu tuples of %d objects cannot be numbered",
                             STRUCTURE_MOST_TUPLES, r);
    }
    return NLM_OK;
}

/* The structure keeps its own copies, so the batch may be changed or freed once it is built. */
static nlm_status copy_labels(struct nlm_structure *s, const struct nlm_batch *batch)
{
    s->targets = batch->targets;
    for (int t = 0; t < batch->targets; t++) {
        int arity = s->target_arity[t] = batch->target_arity[t];
        size_t bytes = tuples_count(&s->tuples, arity) * (size_t)batch_orders(arity);
        if (buffer_reserve(&s->labels[t], bytes, 1, false))
            return NLM_NO_MEMORY;
        if (bytes)
            memcpy(s->labels[t].data, batch->labels[t].data, bytes);
    }
    return NLM_OK;
}

/* A number per world, from which memory networks draw the names of its objects (nlm_batch_present). */
static nlm_status copy_presentations(struct nlm_structure *s, const struct nlm_batch *batch)
{
    const size_t worlds = (size_t)batch->tuples.worlds;
    if (buffer_reserve(&s->presentations, worlds, sizeof(uint64_t), false))
        return NLM_NO_MEMORY;
    memcpy(s->presentations.data, batch->presentations.data, worlds * sizeof(uint64_t));
    return NLM_OK;
}

/* Percepts are in the order of objects, which is that of the rows of an identity of arity 1. */
static nlm_status copy_percepts(struct nlm_structure *s, const struct nlm_batch *batch)
{
    const size_t count = tuples_count(&s->tuples, 1) * (size_t)batch->percept_numbers;
    s->perceived = batch->perceived;
    if (s->perceived == 0)
        return NLM_OK;
    if (buffer_reserve(&s->percepts, count, sizeof(float), false))
        return NLM_NO_MEMORY;
    if (count)
        memcpy(s->percepts.data, batch->percepts.data, count * sizeof(float));
    return NLM_OK;
}

/* After it levels and ranges can be added; all pointers to partitions are NULL. */
nlm_status structure_begin(struct nlm_structure *s, const struct plan *plan, const struct nlm_batch *batch,
                           const nlm_options *options, nlm_error *error)
{
    nlm_status status = check(plan, batch, options, error);
    if (status)
        return status;
    status = start(s, plan, batch, options);
    if (!status)
        status = copy_labels(s, batch);
    if (!status)
        status = copy_presentations(s, batch);
    if (!status)
        status = copy_percepts(s, batch);
    return status ? error_no_memory(error) : NLM_OK;
}

/* Links are for units that are computed row by row: not for groups that residual only carries on, nor for
 * streamed units. */
nlm_status structure_add_level(struct nlm_structure *s, const struct nlm_batch *batch, int layer, int arity)
{
    const struct plan *plan = s->plan;
    if (!plan->live[layer][arity])
        return NLM_OK;
    if (layer == 0)
        return structure_classify_inputs(s, arity, batch->values[arity].data);
    struct level *level = &s->levels[layer][arity];
    level->linked = false;
    level->own = level->sub = level->range = NULL;
    if (plan->baseline) /* may tell all tuples apart, by the names of objects */
        return structure_identity(s, arity, &level->part);
    nlm_status status = structure_classify_level(s, layer, arity);
    if (!status && plan_unit_live(plan, layer, arity) && !level->streamed && !level->linked)
        status = structure_link_level(s, layer, arity);
    return status;
}

/* All levels of the layer must be there.  A range that no unit reduces over has no partition. */
nlm_status structure_add_ranges(struct nlm_structure *s, int layer)
{
    nlm_status status = NLM_OK;
    for (int r = 0; r < s->breadth && !status; r++)
        if (plan_range_live(s->plan, layer, r))
            status = structure_classify_range(s, layer, r);
    return status;
}

/* The signature is set last: a structure whose build failed is taken by no pass. */
nlm_status structure_build(struct nlm_structure *s, const struct plan *plan, const struct nlm_batch *batch,
                           const nlm_options *options, nlm_error *error)
{
    nlm_status status = structure_begin(s, plan, batch, options, error);
    if (status)
        return status;
    /* a level reads the layer below only, so the order of arities within a layer does not matter; its ranges
     * come after all of them, since range (i, r) is made of level (i, r+1) */
    for (int i = 0; i <= s->depth && !status; i++) {
        for (int r = 0; r <= s->breadth && !status; r++)
            status = structure_add_level(s, batch, i, r);
        if (!status)
            status = structure_add_ranges(s, i);
    }
    if (status && s->beyond > 0)
        return error_set(error, status, "more than %zu kinds of tuples of %d objects cannot be numbered",
                         STRUCTURE_MOST_ORBITS(&plan->orders[s->beyond]), s->beyond);
    if (status)
        return error_no_memory(error);
    s->signature = plan_signature(plan);
    if (INVARIANTS_CHECKED)
        structure_check(s);
    return NLM_OK;
}

/* The decisions for one level; all zeros for a level that does not exist.  `sets` are those of the range
 * over it, which has one arity less. */
nlm_structure_level nlm_structure_level_at(const nlm_structure *s, int layer, int arity)
{
    nlm_structure_level level = {.layer = layer, .arity = arity};
    if (!s->signature || layer < 0 || layer > s->depth || arity < 0 || arity > s->breadth)
        return level;
    const struct level *at = &s->levels[layer][arity];
    level.tuples = tuples_count(&s->tuples, arity) * (size_t)batch_orders(arity);
    level.live = at->part || at->streamed;
    level.streamed = at->streamed;
    level.identity = at->part && at->part->identity;
    level.classes = at->part ? at->part->classes : 0;
    if (arity > 0 && s->ranges[layer][arity - 1].part)
        level.sets = s->ranges[layer][arity - 1].part->classes;
    return level;
}
