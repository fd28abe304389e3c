/* Streamed units: a unit that only a reduction reads is computed inside it.
 *
 * For each tuple t of arity r-1, in every order, and each z outside t,
 *
 *     pre(t, z) = bias + own(t, z) + range(t, z) + sum over k < r-1 of sub_k((t without k), z) + sub_{r-1}(t)
 *
 * where each term is a row of a product table and the last one does not depend on z (kernel_stream).  The
 * sigmoid grows, so the extremes of the pre-activations give those of the values, and neither rows nor
 * classes of the unit are needed.  The pool has one row per tuple and order: its range is an identity.
 *
 * Why: in most machines that is the last unit of the largest arity, which has the most rows: of n objects
 * n^3, where tuples are not alike.  Streamed, it takes no memory of that order. */
#include <string.h>
#include "base/invariant.h"
#include "base/team.h"
#include "machine/pass.h"
#include "structure/rows.h"

/* The terms of the sum, and where the rows of (t, z) are found for all z at once (structure/rows.h). */
struct stream {
    struct nlm_pass *pass;
    const struct tuples *tuples;
    const struct orders *up, *orders; /* of arity r and r-1 */
    int arity;                        /* r */
    int width;
    int same; /* how many terms are rows of arity r: own, range */
    /* by (r-1)-tuple and z: of own and range; of tuples of arity r-1 */
    struct rows rows[2], sub_rows;
    enum source same_source[2];
    const struct partition *sub; /* of arity r-1, NULL if not read */
    int terms;                   /* same, then positions 0 .. r-2 dropped */
    /* the results, one row per (r-1)-tuple and order */
    struct value_table *pool;
    int parts;
    const struct unit_tables *tables;
};

/* Terms are numbered own, range, then dropped positions 0 .. r-2, as far as they exist.
 *
 * Example, r = 3, tuple t = (x, y): own and range are rows of (x, y, z), found by t and z; position 0 dropped
 * is the row of (y, z), position 1 dropped that of (x, z); position 2 dropped is the row of (x, y), which is
 * the same for all z and is no term but `fixed`. */
static struct stream stream_at(struct nlm_pass *pass, int layer, int arity)
{
    const struct nlm_structure *s = pass->structure;
    const struct plan *plan = &pass->machine->plan;
    struct stream stream = {
        .pass = pass,
        .tuples = &s->tuples,
        .up = &plan->orders[arity],
        .orders = &plan->orders[arity - 1],
        .arity = arity,
        .width = kernel_pad(plan->block[layer][arity]),
        .pool = &pass->pools[layer][arity - 1],
    };
    /* rows of own and range are found by the (r-1)-tuple t and z, those of sub by t without a position, and
     * z */
    if (structure_reads_own(plan, layer, arity)) {
        stream.same_source[stream.same] = SOURCE_OWN;
        stream.rows[stream.same++] =
            rows_of_partition(&s->tuples, plan->orders, s->levels[layer - 1][arity].part);
    }
    if (structure_reads_range(plan, layer, arity)) {
        stream.same_source[stream.same] = SOURCE_RANGE;
        stream.rows[stream.same++] =
            rows_of_partition(&s->tuples, plan->orders, s->ranges[layer - 1][arity].part);
    }
    if (structure_reads_sub(plan, layer, arity))
        stream.sub = s->levels[layer - 1][arity - 1].part;
    if (stream.sub && arity > 1)
        stream.sub_rows = rows_of_partition(&s->tuples, plan->orders, stream.sub);
    stream.terms = stream.same + (stream.sub ? arity - 1 : 0);
    return stream;
}

/* Where term t of the kernels finds its table, and its row stride.  Rows of the sub table have r parts, one
 * for each dropped position; term t reads part t - same. */
static size_t term_offset(const struct stream *stream, int t, enum source *source, size_t *stride)
{
    size_t width = (size_t)stream->width;
    *source = t < stream->same ? stream->same_source[t] : SOURCE_SUB;
    *stride = t < stream->same ? width : width * (size_t)stream->arity;
    return t < stream->same ? 0 : (size_t)(t - stream->same) * width;
}

/* The part of the sub table for position r-1, z itself, dropped: the term that is the same for all z. */
static size_t fixed_offset(const struct stream *stream, size_t tuple, int p)
{
    size_t row = orders_row(stream->orders, orders_then(stream->orders, stream->sub->codes[tuple], p));
    return (row * (size_t)stream->arity + (size_t)stream->arity - 1) * (size_t)stream->width;
}

/* Scratch of one thread: row numbers for all orders and objects, for own and for range. */
static size_t scratch_rows(const struct stream *stream)
{
    return 2 * (size_t)stream->orders->count * (size_t)stream->tuples->most_objects;
}

/* ---- forward ---- */

/* The part of the kernel's job that is the same for all tuples. */
static struct kernel_stream forward_job(const struct stream *stream)
{
    struct kernel_stream job = {.terms = stream->terms, .width = stream->width, .bias = stream->tables->bias};
    for (int t = 0; t < stream->terms; t++) {
        enum source source;
        size_t offset = term_offset(stream, t, &source, &job.stride[t]);
        job.table[t] = stream->tables->table[source] + offset;
    }
    return job;
}

/* The objects outside t, as segments between the sorted objects of t: so the kernel's loops have no tests. */
static int fill_segments(const int *t, int arity, int objects, int *from, int *to)
{
    int segments = 0;
    for (int q = 0; q <= arity; q++) {
        from[segments] = q > 0 ? t[q - 1] + 1 : 0;
        to[segments] = q < arity ? t[q] : objects;
        segments += from[segments] < to[segments];
    }
    return segments;
}

/* One tuple in all its orders: (r-1)! rows of the pool. */
static void forward_tuple(const struct stream *stream, struct kernel_stream *job, int world, size_t tuple,
                          const int *t, int32_t *scratch)
{
    const struct orders *orders = stream->orders;
    int arity = stream->arity - 1;
    size_t row = tuple * (size_t)orders->count, columns = 2 * (size_t)stream->width;
    /* rows of (t_p, z) for all orders p and all z, of own and of range */
    const int32_t *same[2][ORDERS_MAX];
    /* the same z for all orders of t */
    job->segments = fill_segments(t, arity, tuples_objects(stream->tuples, world), job->from, job->to);
    for (int s = 0; s < stream->same; s++, scratch += rows_scratch(&stream->rows[0]))
        rows_of(&stream->rows[s], world, t, orders->count, scratch, same[s]);
    /* one kernel call per order of t: only the rows differ */
    for (int p = 0; p < orders->count; p++, row++) {
        for (int s = 0; s < stream->same; s++)
            job->row[s] = same[s][p];
        for (int k = 0; stream->sub && k < arity; k++) {
            int rest[NLM_MAX_BREADTH] = {0}, n = 0; /* t_p without position k */
            for (int l = 0; l < arity; l++)
                if (l != k)
                    rest[n++] = t[orders->order[p][l]];
            job->row[stream->same + k] = rows_at(&stream->sub_rows, world, rest);
        }
        job->fixed = stream->sub ? stream->tables->table[SOURCE_SUB] + fixed_offset(stream, tuple, p) : NULL;
        job->out = stream->pool->values + row * columns;
        job->arg = stream->pool->arg ? stream->pool->arg + row * columns * (size_t)stream->terms : NULL;
        stream->pass->kernels->stream(job);
    }
}

/* A part of the tuples, walked run by run.  Rows of the pool follow the tuples, so parts write to different
 * places. */
static void forward_part(void *context, int part, int thread)
{
    const struct stream *stream = context;
    size_t tuples = tuples_count(stream->tuples, stream->arity - 1);
    size_t first = tuples * (size_t)part / (size_t)stream->parts;
    size_t last = tuples * ((size_t)part + 1) / (size_t)stream->parts;
    int32_t *scratch =
        (int32_t *)stream->pass->scratch.row_scratch.data + (size_t)thread * scratch_rows(stream);
    struct kernel_stream job = forward_job(stream);
    struct tuple_walk walk = tuple_walk_start(stream->tuples, stream->arity - 1, first);
    for (; walk.run && walk.index < last; tuple_walk_next_run(&walk)) {
        size_t run = walk.index + walk.run > last ? last - walk.index : walk.run;
        int t[NLM_MAX_BREADTH];
        memcpy(t, walk.x, sizeof t);
        for (size_t e = 0; e < run; e++, t[0]++)
            forward_tuple(stream, &job, walk.world, walk.index + e, t, scratch);
    }
}

/* Results go to the pool directly.  For training `arg` has, per value, one row number for each term. */
nlm_status stream_forward(struct nlm_pass *pass, int layer, int arity, const struct unit_tables *tables)
{
    struct stream stream = stream_at(pass, layer, arity);
    size_t rows = range_rows(pass, layer, arity - 1), threads = (size_t)team_threads(pass->structure->team);
    stream.tables = tables;
    INVARIANT(rows == tuples_count(stream.tuples, arity - 1) * (size_t)stream.orders->count);
    if (value_table_reserve(stream.pool, rows, 2 * stream.width, pass->training,
                            pass->training ? (size_t)stream.terms : 0) ||
        buffer_reserve(&pass->scratch.row_scratch, threads * scratch_rows(&stream), sizeof(int32_t), false))
        return NLM_NO_MEMORY;
    size_t work = rows * (size_t)stream.tuples->most_objects;
    /* more parts than threads, so that large and small worlds balance */
    stream.parts = work < 4096 ? 1 : 32;
    team_run(pass->structure->team, stream.parts, forward_part, &stream);
    return NLM_OK;
}

/* ---- backward ---- */

/* The gradient of each extreme goes to the table rows of the z that attained it, all of which `arg` names.
 * The sigmoid's derivative y (1 - y) is taken from the pool's value. */
static void backward_part(void *context, const struct gradient_tables *tables, float *bias, int part,
                          int parts, int thread)
{
    (void)thread;
    const struct stream *stream = context;
    const struct value_table *pool = stream->pool;
    int orders = stream->orders->count;
    size_t tuples = tuples_count(stream->tuples, stream->arity - 1), columns = 2 * (size_t)stream->width;
    struct kernel_stream_back job = {.terms = stream->terms, .width = stream->width, .bias = bias};
    for (int t = 0; t < stream->terms; t++) {
        enum source source;
        size_t offset = term_offset(stream, t, &source, &job.stride[t]);
        job.table[t] = tables->table[source] + offset;
    }
    for (size_t tuple = tuples * (size_t)part / (size_t)parts;
         tuple < tuples * ((size_t)part + 1) / (size_t)parts; tuple++)
        for (int p = 0; p < orders; p++) {
            size_t row = tuple * (size_t)orders + (size_t)p;
            job.out = pool->values + row * columns;
            job.gradient = pool->gradients + row * columns;
            job.arg = pool->arg + row * columns * (size_t)stream->terms;
            job.fixed = stream->sub ? tables->table[SOURCE_SUB] + fixed_offset(stream, tuple, p) : NULL;
            stream->pass->kernels->stream_back(&job);
        }
}

/* Colliding writes are dealt with by job_scatter; the sub table gets both the fixed part and the terms. */
nlm_status stream_backward(struct nlm_pass *pass, int layer, int arity, const struct gradient_tables *tables,
                           float *bias)
{
    struct stream stream = stream_at(pass, layer, arity);
    value_table_gradients(stream.pool); /* cleared here if nothing was written, before the parts read it */
    size_t tuples = tuples_count(stream.tuples, arity - 1);
    size_t work =
        tuples * (size_t)stream.orders->count * (size_t)stream.width * 2 * (size_t)(stream.terms + 2);
    return job_scatter(pass, tables, bias, stream.width, tuples, work, backward_part, &stream);
}
