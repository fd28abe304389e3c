/* Ranges of reductions: for every r-tuple t the set of rows of level (i, r+1) among (t, z), z outside t.
 *
 * Maximum and minimum depend on the set alone, so tuples with equal sets share one range and one reduction.
 * Two forms of keys, both of which make equal sets equal keys:
 *
 *     bits   one bit per row of the level (and one for the hole), if there are at most RANGE_MOST_ROWS rows
 *     list   the codes of the set, sorted, each once, the rest NO_CODE; with NLM_CLASSES only
 *
 * Rows that are equal (`same`) are one element, named by the smallest order.  Where sets are not classified,
 * or no two are alike, every tuple has its own range: the list of its (t, z), one element per object z.
 *
 * Example: with the input "father" alone, the range (0, 1) of x is the set of rows among (x, z).  In families
 * in which everybody has somebody unrelated it is {father of, unrelated} for each father without a father,
 * however many children he has, and {child of, unrelated} for each child that is no father.
 *
 * Bits need rows / 32 words per key and no sorting; they are the usual form.  Lists need a word per object,
 * and are for NLM_CLASSES, where exact classes are wanted whatever they cost (learn/needs.c). */
#include <string.h>
#include "base/team.h"
#include "structure/classify.h"
#include "structure/rows.h"

#define RANGE_MOST_ROWS 4096 /* beyond this, sets are so fine that few are equal */

/* The sources of the keys of one range.  Either `places` (bits) or `names` (list) is set. */
struct range_context {
    const struct partition *elements; /* level (i, r+1) */
    const struct orders *up;          /* orders of arity r+1 */
    struct rows rows;
    const uint16_t
        *places;          /* per row: the row of its smallest equal order; the hole has a place of its own */
    const int32_t *names; /* instead, where sets are lists: that row's code; NO_CODE for the hole */
};

enum { NO_CODE = -1 }; /* fills the rest of a list's key */

/* Rows of the level whose rows are the elements. */
static size_t element_rows(const struct range_context *context)
{
    return context->elements->orbits * (size_t)context->up->count;
}

/* Unsigned, since bit 31 of an int32_t is its sign. */
static void set_bit(int32_t *bits, size_t row)
{
    bits[row / 32] = (int32_t)((uint32_t)bits[row / 32] | 1u << row % 32);
}

/* The inverse of orders_row. */
static int32_t row_code(const struct range_context *context, size_t row)
{
    size_t count = (size_t)context->up->count;
    return (int32_t)(row / count << context->up->shift) | (int32_t)(row % count);
}

/* Bits of a set: one per row, and one for the hole, the objects of the tuple itself. */
static size_t set_words(const struct range_context *context)
{
    return element_rows(context) / 32 + 1;
}

/* A list has room for all objects outside the tuple. */
static size_t list_words(const struct range_context *context)
{
    int rest = context->rows.tuples->most_objects - (context->up->arity - 1);
    return rest > 0 ? (size_t)rest : 1;
}

/* Bits: row -> bit.  RANGE_MOST_ROWS keeps it within 16 bits. */
static nlm_status fill_places(struct nlm_structure *s, struct range_context *context)
{
    const struct orders *up = context->up;
    size_t rows = element_rows(context);
    if (buffer_reserve(&s->places, rows + 1, sizeof(uint16_t), false))
        return NLM_NO_MEMORY;
    uint16_t *places = s->places.data;
    for (size_t row = 0; row < rows; row++)
        places[row] = (uint16_t)(row - row % (size_t)up->count + context->elements->same[row]);
    places[rows] = (uint16_t)rows;
    context->places = places;
    return NLM_OK;
}

/* Lists: row -> code of the smallest equal order. */
static nlm_status fill_names(struct nlm_structure *s, struct range_context *context)
{
    size_t rows = element_rows(context), count = (size_t)context->up->count;
    if (buffer_reserve(&s->places, rows + 1, sizeof(int32_t), false))
        return NLM_NO_MEMORY;
    int32_t *names = s->places.data;
    for (size_t row = 0; row < rows; row++)
        names[row] = row_code(context, row - row % count + context->elements->same[row]);
    names[rows] = NO_CODE;
    context->names = names;
    return NLM_OK;
}

/* Shell's sort: lists are short, and it needs no memory. */
static void sort_codes(int32_t *codes, size_t count)
{
    static const size_t gaps[] = {4193, 1750, 701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
        for (size_t gap = gaps[g], i = gap; i < count; i++) {
            int32_t code = codes[i];
            size_t j = i;
            for (; j >= gap && codes[j - gap] > code; j -= gap)
                codes[j] = codes[j - gap];
            codes[j] = code;
        }
}

/* Make a key of the `count` codes at its beginning: sort, drop repetitions, fill up. */
static void finish_list(int32_t *key, size_t width, size_t count)
{
    size_t kept = 0;
    sort_codes(key, count);
    for (size_t e = 0; e < count; e++)
        if (kept == 0 || key[kept - 1] != key[e])
            key[kept++] = key[e];
    while (kept < width)
        key[kept++] = NO_CODE;
}

/* The key of a set, from the rows of its (t, z), the hole among them. */
static void write_key(const struct range_context *context, const int32_t *rows, int objects, int32_t *key,
                      size_t width)
{
    if (context->names) {
        size_t count = 0;
        for (int z = 0; z < objects; z++) {
            int32_t code = context->names[rows[z]];
            if (code != NO_CODE)
                key[count++] = code;
        }
        finish_list(key, width, count);
        return;
    }
    memset(key, 0, width * sizeof *key);
    for (int z = 0; z < objects; z++)
        set_bit(key, context->places[rows[z]]);
}

/* Number the sets of the tuples of a chunk.  Rows of (t, z) come from rows_of, in order 0 of t. */
static void number_range(struct classification *job, struct classify_chunk *chunk)
{
    const struct range_context *context = job->context;
    const struct nlm_structure *s = job->structure;
    /* per thread: the key, then scratch for rows */
    size_t scratch = job->width + rows_scratch(&context->rows);
    int32_t *key = (int32_t *)s->bits.data + (size_t)chunk->thread * scratch;
    struct tuple_walk walk = tuple_walk_start(&s->tuples, job->arity, chunk->begin);
    for (; walk.run && walk.index < chunk->end; tuple_walk_next_run(&walk)) {
        size_t run = walk.index + walk.run > chunk->end ? chunk->end - walk.index : walk.run;
        int t[NLM_MAX_BREADTH], objects = tuples_objects(&s->tuples, walk.world);
        memcpy(t, walk.x, sizeof t);
        for (size_t e = 0; e < run; e++, t[0]++) {
            const int32_t *rows;
            rows_of(&context->rows, walk.world, t, 1, key + job->width, &rows);
            write_key(context, rows, objects, key, job->width);
            classify_tuple(job, chunk, walk.index + e, key, job->width);
        }
    }
}

/* The set of the reordered tuple: every element with its first r variables reordered, z left in place.  Names
 * do not keep their order, so the list is sorted again. */
static void reorder_list(const struct classification *job, const int32_t *key, int order, int32_t *out)
{
    const struct range_context *context = job->context;
    const struct orders *up = context->up;
    size_t count = 0;
    for (; count < job->width && key[count] != NO_CODE; count++)
        out[count] = context->names[orders_row(up, orders_then(up, key[count], up->extend[order]))];
    finish_list(out, job->width, count);
}

/* The same for bits; the hole's bit stays. */
static void reorder_bits(const struct classification *job, const int32_t *key, int order, int32_t *out)
{
    const struct range_context *context = job->context;
    const struct orders *up = context->up;
    int extended = up->extend[order];
    size_t hole = element_rows(context);
    memset(out, 0, job->width * sizeof *out);
    for (size_t w = 0; w < job->width; w++) {
        for (uint32_t left = (uint32_t)key[w]; left; left &= left - 1) {
            size_t row = w * 32 + (size_t)__builtin_ctz(left);
            int32_t moved = row < hole ? orders_then(up, row_code(context, row), extended) : 0;
            set_bit(out, row < hole ? context->places[orders_row(up, moved)] : hole);
        }
    }
}

/* An upper bound for the elements of a key: the hole's bit may be counted too. */
static size_t key_elements(const struct range_context *context, const int32_t *key, size_t width)
{
    size_t count = 0;
    for (size_t w = 0; w < width; w++)
        count += context->names ? key[w] != NO_CODE : (size_t)__builtin_popcount((uint32_t)key[w]);
    return count;
}

/* Write the codes of a key's elements, without the hole; returns how many there are. */
static int32_t list_elements(const struct range_context *context, const int32_t *key, size_t width,
                             int32_t *elements)
{
    int32_t count = 0;
    size_t hole = element_rows(context);
    for (size_t w = 0; w < width && context->names && key[w] != NO_CODE; w++)
        elements[count++] = key[w];
    for (size_t w = 0; w < width && !context->names; w++)
        for (uint32_t left = (uint32_t)key[w]; left; left &= left - 1) {
            size_t row = w * 32 + (size_t)__builtin_ctz(left);
            if (row < hole)
                elements[count++] = row_code(context, row);
        }
    return count;
}

/* Lists of elements of all sets, from the keys that classification has kept.  The bound of key_elements sizes
 * the store; the hole's bit makes it one too large per set at most. */
static nlm_status list_sets(struct range *range, const struct classification *job)
{
    const struct range_context *context = job->context;
    size_t orbits = range->part->orbits, total = 0;
    for (size_t o = 0; o < orbits; o++)
        total += key_elements(context, classify_orbit_key(job, o), job->width);
    if (total > INT32_MAX || buffer_reserve(&range->start_store, orbits + 1, sizeof(int32_t), false) ||
        buffer_reserve(&range->element_store, total, sizeof(int32_t), false))
        return NLM_NO_MEMORY;
    int32_t *start = range->start_store.data, *elements = range->element_store.data, count = 0;
    for (size_t o = 0; o < orbits; o++) {
        start[o] = count;
        count += list_elements(context, classify_orbit_key(job, o), job->width, elements + count);
    }
    start[orbits] = count;
    range->start = start;
    range->elements = elements;
    return NLM_OK;
}

/* Ranges of an identity: one list per tuple. */
struct list_job {
    struct nlm_structure *structure;
    struct range *range;
    struct range_context context;
    size_t chunk;
};

/* Every tuple's own list.  A tuple of a world of n objects has n - r elements, so its place in `elements`
 * follows from its index, and chunks can be filled in parallel. */
static void list_chunk(void *context, int part, int thread)
{
    const struct list_job *job = context;
    const struct nlm_structure *s = job->structure;
    int arity = job->range->part->arity;
    int32_t *start = job->range->start_store.data, *elements = job->range->element_store.data;
    int32_t *scratch = (int32_t *)s->bits.data + (size_t)thread * rows_scratch(&job->context.rows);
    size_t begin = (size_t)part * job->chunk, end = begin + job->chunk;
    struct tuple_walk walk = tuple_walk_start(&s->tuples, arity, begin);
    for (; walk.run && walk.index < end; tuple_walk_next_run(&walk)) {
        size_t run = walk.index + walk.run > end ? end - walk.index : walk.run;
        int objects = tuples_objects(&s->tuples, walk.world), t[NLM_MAX_BREADTH];
        size_t world_first = tuples_offset(&s->tuples, walk.world, arity);
        /* a world's ranges hold each (r+1)-tuple r+1 times */
        size_t at = tuples_offset(&s->tuples, walk.world, arity + 1) * (size_t)(arity + 1);
        at += (walk.index - world_first) * (size_t)(objects - arity);
        memcpy(t, walk.x, sizeof t);
        for (size_t e = 0; e < run; e++, t[0]++) {
            const int32_t *rows;
            rows_of(&job->context.rows, walk.world, t, 1, scratch, &rows);
            start[walk.index + e] = (int32_t)at;
            for (int z = 0; z < objects; z++)
                if (rows[z] != job->context.rows.hole)
                    elements[at++] = row_code(&job->context, (size_t)rows[z]);
        }
    }
}

/* Elements of a world of n objects: each (r+1)-tuple occurs r+1 times, once for each choice of z. */
static nlm_status list_identity(struct nlm_structure *s, struct range *range, struct range_context context)
{
    size_t tuples = range->part->orbits;
    int arity = range->part->arity;
    size_t total = tuples_count(&s->tuples, arity + 1) * (size_t)(arity + 1);
    if (total > INT32_MAX || buffer_reserve(&range->start_store, tuples + 1, sizeof(int32_t), false) ||
        buffer_reserve(&range->element_store, total, sizeof(int32_t), false) ||
        buffer_reserve(&s->bits, rows_scratch(&context.rows) * (size_t)s->locals, sizeof(int32_t), false))
        return NLM_NO_MEMORY;
    struct list_job job = {s, range, context, classify_chunk_size(tuples, 64)};
    team_run(s->team, (int)((tuples + job.chunk - 1) / job.chunk), list_chunk, &job);
    ((int32_t *)range->start_store.data)[tuples] = (int32_t)total;
    range->start = range->start_store.data;
    range->elements = range->element_store.data;
    return NLM_OK;
}

/* The range of each orbit's representative one layer below, as a code.  With residual, products of older
 * blocks travel up along these (machine/chain.c).  NULL if there is none, or if it is the same partition. */
static nlm_status link_parent(struct nlm_structure *s, int layer, int arity)
{
    struct range *range = &s->ranges[layer][arity];
    const struct partition *part = range->part;
    range->parent = NULL;
    if (layer == 0 || !s->ranges[layer - 1][arity].part || s->ranges[layer - 1][arity].part == part)
        return NLM_OK;
    if (buffer_reserve(&range->parent_store, part->orbits, sizeof(int32_t), false))
        return NLM_NO_MEMORY;
    int32_t *parent = range->parent_store.data;
    const int32_t *codes = s->ranges[layer - 1][arity].part->codes;
    for (size_t o = 0; o < part->orbits; o++)
        parent[o] = codes[part->identity ? o : (size_t)part->first[o]];
    range->parent = parent;
    return NLM_OK;
}

/* Classify by sets.  As many classes as one layer below means the same division (docs/maths.md, section 4),
 * so the partition takes the tag of the one below. */
static nlm_status classify_sets(struct nlm_structure *s, int layer, int arity, struct range_context context)
{
    bool listed = element_rows(&context) > RANGE_MOST_ROWS;
    struct range *range = &s->ranges[layer][arity];
    struct classification job = {
        .structure = s,
        .arity = arity,
        .width = listed ? list_words(&context) : set_words(&context),
        .chunk = classify_chunk_size(tuples_count(&s->tuples, arity), 64),
        .number = number_range,
        .reorder = listed ? reorder_list : reorder_bits,
        .context = &context,
        .out = &range->store,
    };
    /* one key and the rows of one tuple per thread */
    size_t scratch = job.width + rows_scratch(&context.rows);
    if ((listed ? fill_names(s, &context) : fill_places(s, &context)) ||
        buffer_reserve(&s->bits, scratch * (size_t)s->locals, sizeof(int32_t), false))
        return NLM_NO_MEMORY;
    nlm_status status = classify(&job, &range->part);
    if (status)
        return status;
    const struct partition *below = layer > 0 ? s->ranges[layer - 1][arity].part : NULL;
    if (below && range->part->classes == below->classes)
        range->store.tag = below->tag;
    return range->part->identity ? list_identity(s, range, context) : list_sets(range, &job);
}

/* In order of preference: no sets (streamed), the sets of the layer below, sets by classes, a list per tuple.
 * A streamed level has a range per tuple, without elements: the stream visits all z.  If level
 * (layer, arity + 1) has kept its partition, the sets over it are those of the layer below. */
nlm_status structure_classify_range(struct nlm_structure *s, int layer, int arity)
{
    struct range *range = &s->ranges[layer][arity];
    const struct level *level = &s->levels[layer][arity + 1];
    const struct range *below = layer > 0 ? &s->ranges[layer - 1][arity] : NULL;
    nlm_status status;
    range->streamed = level->streamed;
    if (level->streamed) {
        status = structure_identity(s, arity, &range->part);
    } else if (below && below->part && !below->streamed &&
               level->part == s->levels[layer - 1][arity + 1].part) {
        range->part = below->part;
        range->start = below->start;
        range->elements = below->elements;
        status = NLM_OK;
    } else {
        struct range_context context = {.elements = level->part, .up = &s->plan->orders[arity + 1]};
        if (rows_make_dense(s, level->part, false))
            return NLM_NO_MEMORY;
        context.rows = rows_of_partition(&s->tuples, s->plan->orders, level->part);
        /* more rows: no two sets are expected to be equal, so classifying would be wasted (but NLM_CLASSES
         * wants it exact) */
        bool few = element_rows(&context) <= RANGE_MOST_ROWS || s->options.lifting == NLM_CLASSES;
        if (s->options.lifting != NLM_IDENTITY && !level->part->identity && few) {
            status = classify_sets(s, layer, arity, context);
        } else {
            status = structure_identity(s, arity, &range->part);
            if (!status)
                status = list_identity(s, range, context);
        }
    }
    return status ? status : link_parent(s, layer, arity);
}
