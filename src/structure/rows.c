/* Filling rows: all at once for small worlds, tuple by tuple for large ones.
 *
 * Both ways start from the code of a sorted (r+1)-tuple.  Its row in order b is orbit * (r+1)! + times[a][b],
 * where the code is (orbit, a).
 *
 * Example for r = 1, three objects: the dense array has a row of 3 cells for each t: cell z is the row of (t,
 * z), the cell t = z the hole. */
#include "structure/rows.h"

#include <string.h>

#define DENSE_MOST_CELLS 32768 /* of one world: 128 kB, within the second cache */

/* A description only; nothing is computed here. */
struct rows rows_of_partition(const struct tuples *tuples, const struct orders *orders,
                              const struct partition *part)
{
    return (struct rows){
        .tuples = tuples,
        .orders = &orders[part->arity - 1],
        .up = &orders[part->arity],
        .part = part,
        .hole = (int32_t)(part->orbits * (size_t)orders[part->arity].count),
    };
}

/* objects^arity; where that overflows, a number too large for any memory, which can still be added once. */
static size_t world_cells(const struct tuples *tuples, int world, int arity)
{
    size_t cells = 1;
    for (int k = 0; k < arity; k++)
        if (!memory_multiply(cells, (size_t)tuples_objects(tuples, world), &cells))
            return SIZE_MAX / 2;
    return cells;
}

/* Write the rows of all orders of each tuple of a run.  Within a run only x[0] grows, so the cell of each
 * order moves by a constant step.  `count` is up->count, as a constant where that lets the compiler
 * unroll. */
static inline __attribute__((always_inline)) void fill_run(const struct orders *up,
                                                           const struct tuple_walk *walk,
                                                           const int32_t *codes, int32_t *dense, int count)
{
    size_t objects = (size_t)tuples_objects(walk->tuples, walk->world);
    int32_t *place[ORDERS_MAX]; /* of the tuple in each order */
    size_t moving[ORDERS_MAX];  /* step of the cell when x[0] grows by 1 */
    for (int b = 0; b < count; b++) {
        size_t at = 0, step = 0;
        for (int k = 0; k < up->arity; k++) {
            at = at * objects + (size_t)walk->x[up->order[b][k]];
            step = step * objects + (up->order[b][k] == 0);
        }
        place[b] = dense + at;
        moving[b] = step;
    }
    for (size_t e = 0; e < walk->run; e++) {
        int32_t orbit = (codes[e] >> up->shift) * count;
        const uint8_t *times = up->times[codes[e] & up->mask];
        for (int b = 0; b < count; b++, place[b - 1] += moving[b - 1])
            *place[b] = orbit + times[b];
    }
}

/* The dense array of one partition, filled world by world. */
struct dense_job {
    const struct tuples *tuples;
    const struct orders *up;
    const struct partition *part;
    int32_t *dense;
};

/* Cells of tuples that repeat an object belong to no sorted tuple and keep the hole. */
static void fill_world(void *context, int world, int thread)
{
    (void)thread;
    const struct dense_job *job = context;
    const struct partition *part = job->part;
    const struct orders *up = job->up;
    int32_t *dense = job->dense + part->dense_worlds[world],
            hole = (int32_t)(part->orbits * (size_t)up->count);
    size_t cells = world_cells(job->tuples, world, part->arity);
    for (size_t c = 0; c < cells; c++)
        dense[c] = hole;
    struct tuple_walk walk =
        tuple_walk_start(job->tuples, part->arity, tuples_offset(job->tuples, world, part->arity));
    for (; walk.run && walk.world == world; tuple_walk_next_run(&walk)) {
        const int32_t *codes = part->codes + walk.index;
        if (up->count == 6)
            fill_run(up, &walk, codes, dense, 6);
        else if (up->count == 2)
            fill_run(up, &walk, codes, dense, 2);
        else
            fill_run(up, &walk, codes, dense, up->count);
    }
}

/* The array is kept with the partition, so levels that share a partition share it.  One world that is too
 * large leaves the whole partition without. */
nlm_status rows_make_dense(struct nlm_structure *s, const struct partition *given, bool always)
{
    struct partition *part = (struct partition *)given; /* the structure owns all partitions */
    const struct tuples *tuples = &s->tuples;
    const struct orders *up = &s->plan->orders[part->arity];
    INVARIANT(part->codes && part->arity > 0);
    if (part->dense)
        return NLM_OK;
    if (buffer_reserve(&part->dense_world_store, (size_t)tuples->worlds, sizeof(size_t), false))
        return NLM_NO_MEMORY;
    size_t *worlds = part->dense_world_store.data, cells = 0;
    for (int w = 0; w < tuples->worlds; w++) {
        size_t own = world_cells(tuples, w, part->arity);
        /* a partition is dense as a whole or not at all */
        if (own > DENSE_MOST_CELLS && !always)
            return NLM_OK;
        worlds[w] = cells;
        cells += own;
    }
    if (buffer_reserve(&part->dense_store, cells, sizeof(int32_t), false))
        return NLM_NO_MEMORY;
    part->dense_worlds = worlds;
    /* a part is a world: worlds write to different places; tiny arrays are not worth waking threads */
    struct dense_job job = {tuples, up, part, part->dense_store.data};
    team_run(cells > 2048 ? s->team : NULL, tuples->worlds, fill_world, &job);
    part->dense = part->dense_store.data;
    return NLM_OK;
}

/* A row of objects for each order of t. */
size_t rows_scratch(const struct rows *rows)
{
    return (size_t)rows->orders->count * (size_t)rows->tuples->most_objects;
}

/* The objects z that stand at position q of the sorted (r+1)-tuple. */
struct segment {
    int from, to;         /* z in from..to-1 */
    size_t base;          /* index of the sorted (r+1)-tuple = base + choose[z] */
    const size_t *choose; /* C(., q+1) */
};

/* The rank of the sorted (r+1)-tuple is a sum over its positions (world/tuples.h): objects of t before z keep
 * their position, those after z move up by one, and only the term of z depends on z. */
static inline struct segment segment_at(const struct rows *rows, int world, const int *t, int q)
{
    int arity = rows->orders->arity;
    const struct tuples *tuples = rows->tuples;
    struct segment segment = {
        .from = q > 0 ? t[q - 1] + 1 : 0,
        .to = q < arity ? t[q] : tuples_objects(tuples, world),
        .base = tuples_offset(tuples, world, arity + 1),
        .choose = tuples_choose(tuples, q + 1),
    };
    for (int k = 0; k < arity; k++)
        segment.base += tuples_choose(tuples, k + (k < q ? 1 : 2))[t[k]];
    return segment;
}

/* Rows of (t_p, z) for all z of a segment.  The sorted (r+1)-tuple is t with z at position q: order last[q]
 * moves z to the end, extend[p] then reorders the others, and `before` of both together is a table from the
 * order in the code to the order of the row.  With `two`, orders p and p+1 share the look-up of the code. */
static inline void fill_segment(const struct rows *rows, const struct segment *segment, int q, int p,
                                bool two, int32_t *first, int32_t *second)
{
    const struct orders *up = rows->up;
    int32_t count = up->count, shift = up->shift, mask = up->mask;
    const uint8_t *a = up->before[up->times[up->last[q]][up->extend[p]]];
    const uint8_t *b = two ? up->before[up->times[up->last[q]][up->extend[p + 1]]] : a;
    const int32_t *codes = rows->part->codes + segment->base;
    for (int z = segment->from; z < segment->to; z++) {
        int32_t code = codes[segment->choose[z]], orbit = (code >> shift) * count;
        first[z] = orbit + a[code & mask];
        if (two)
            second[z] = orbit + b[code & mask];
    }
}

/* Dense: pointers into the array.  Otherwise all orders of t are filled in `scratch`, segment by segment. */
void rows_of(const struct rows *rows, int world, const int *t, int count, int32_t *scratch,
             const int32_t **out)
{
    int arity = rows->orders->arity;
    size_t objects = (size_t)tuples_objects(rows->tuples, world);
    INVARIANT(count <= rows->orders->count && rows->part->arity == arity + 1);
    for (int p = 0; p < count; p++) {
        int ordered[NLM_MAX_BREADTH];
        for (int k = 0; k < arity; k++)
            ordered[k] = t[rows->orders->order[p][k]];
        out[p] = rows->part->dense ? rows_at(rows, world, ordered) : scratch + (size_t)p * objects;
    }
    if (rows->part->dense)
        return;
    for (int q = 0; q <= arity; q++) {
        struct segment segment = segment_at(rows, world, t, q);
        int p = 0;
        for (; p + 2 <= count; p += 2)
            fill_segment(rows, &segment, q, p, true, scratch + (size_t)p * objects,
                         scratch + (size_t)(p + 1) * objects);
        if (p < count)
            fill_segment(rows, &segment, q, p, false, scratch + (size_t)p * objects, NULL);
    }
    /* objects of t itself lie in no segment */
    for (int p = 0; p < count; p++)
        for (int k = 0; k < arity; k++)
            scratch[(size_t)p * objects + (size_t)t[k]] = rows->hole;
}
