/* Kernels shared out over threads.
 *
 * How a job is cut depends on its size alone, never on the number of threads, and parts that could write to
 * the same place write to copies, which are added up in the order of the parts: the same bits for any number
 * of threads.  Three kinds of jobs:
 *
 *     separate   parts write to different rows                         product, gather, map, reduce
 *     sums       all parts add to one small array                      outer, activate_back
 *     scatter    all parts add to anywhere in the same tables          scatter, stream_back
 *
 * Parts of a separate job: 16 at most, so that a few threads balance; copies: 8 at most, since each has to be
 * cleared and added.  A job below PART_WORK runs in one part, by the calling thread.
 *
 * Floating-point addition is not associative.  That is why the number of parts must not follow the number of
 * threads: (a + b) + (c + d) and ((a + b) + c) + d differ in their last bits, and after some thousand steps
 * of Adam so do the weights. */
#include <string.h>
#include "base/team.h"
#include "machine/pass.h"

/* Constants of the results, not only of speed: other numbers of parts add in another order, and change the
 * last bits of what every seed gives. */
enum {
    PART_WORK = 1 << 12, /* vector operations that are worth a part: about a microsecond */
    MOST_PARTS = 16,
    MOST_COPIES = 8
};

/* Parts of a job: each with about PART_WORK of work or more and at least one item; one to `most` of them. */
static int count_parts(size_t work, size_t items, int most)
{
    size_t parts = work / PART_WORK;
    if (parts > (size_t)most)
        parts = (size_t)most;
    if (parts > items)
        parts = items;
    return parts > 0 ? (int)parts : 1;
}

/* Items of part p: part_begin(p) .. part_begin(p + 1) - 1. */
static size_t part_begin(size_t items, int part, int parts)
{
    return items * (size_t)part / (size_t)parts;
}

/* ---- kernels whose parts never collide ---- */

/* A kernel on orbits first..last-1 of each part. */
struct range_job {
    void (*run)(const void *job, size_t first, size_t last);
    const void *job;
    size_t orbits;
    int parts;
};

/* One part: a contiguous range of orbits. */
static void run_range(void *context, int part, int thread)
{
    (void)thread;
    const struct range_job *range = context;
    range->run(range->job, part_begin(range->orbits, part, range->parts),
               part_begin(range->orbits, part + 1, range->parts));
}

/* Parts that write to different places need no copies. */
static void share_out(const struct nlm_pass *pass, void (*run)(const void *, size_t, size_t), const void *job,
                      size_t orbits, size_t work)
{
    struct range_job range = {run, job, orbits, count_parts(work, orbits, MOST_PARTS)};
    team_run(pass->structure->team, range.parts, run_range, &range);
}

/* The kernels of the table take their own job types; these adapters carry the table along, so that one
 * function shares out all of them. */
struct with_kernels {
    const struct kernel_table *kernels;
    const void *job;
};

#define ADAPTER(kernel)                                                                                      \
    static void run_##kernel(const void *context, size_t first, size_t last)                                 \
    {                                                                                                        \
        const struct with_kernels *with = context;                                                           \
        with->kernels->kernel(with->job, first, last);                                                       \
    }

ADAPTER(product)
ADAPTER(gather)
ADAPTER(map)
ADAPTER(reduce)

/* `work` counts vector operations of 8 floats. */
void job_product(const struct nlm_pass *pass, const struct kernel_product *job, size_t orbits)
{
    struct with_kernels with = {pass->kernels, job};
    size_t count = (size_t)job->orders->count;
    share_out(pass, run_product, &with, orbits,
              orbits * count * count * (size_t)job->channels * (size_t)job->columns / 8);
}

/* Additions of a few rows each: twice the rows written is a fair measure. */
void job_gather(const struct nlm_pass *pass, const struct kernel_gather *job, size_t orbits)
{
    struct with_kernels with = {pass->kernels, job};
    share_out(pass, run_gather, &with, orbits,
              orbits * (size_t)job->links.orders->count * (size_t)job->links.width * 2);
}

void job_map(const struct nlm_pass *pass, const struct kernel_map *job, size_t orbits)
{
    struct with_kernels with = {pass->kernels, job};
    share_out(pass, run_map, &with, orbits, orbits * (size_t)job->orders->count * (size_t)job->columns);
}

/* Sets differ in size, so the work is counted in elements; parts are still cut by orbits. */
void job_reduce(const struct nlm_pass *pass, const struct kernel_reduce *job, size_t orbits)
{
    struct with_kernels with = {pass->kernels, job};
    size_t elements = orbits ? (size_t)job->start[orbits] : 0;
    share_out(pass, run_reduce, &with, orbits, elements * (size_t)job->orders->count * (size_t)job->width);
}

/* ---- sums over rows: each part has a sum of its own ---- */

/* A sum over all items: of an outer product or, without one, of columns of a gradient.  Each part has a copy
 * of the sum. */
struct sum_job {
    struct nlm_pass *pass;
    const struct kernel_outer *outer;
    struct {
        float *gradient;
        const float *y;
        int width;
        enum kernel_activation activation;
    } back;
    /* [parts][size]; items are shared out over the parts */
    float *copies;
    size_t size, items;
    int parts;
};

/* One part, into its own copy. */
static void run_sum(void *context, int part, int thread)
{
    (void)thread;
    const struct sum_job *sum = context;
    float *copy = sum->copies + (size_t)part * sum->size;
    size_t first = part_begin(sum->items, part, sum->parts),
           last = part_begin(sum->items, part + 1, sum->parts);
    memset(copy, 0, sum->size * sizeof *copy);
    if (sum->outer) {
        struct kernel_outer outer = *sum->outer;
        outer.dw = copy;
        sum->pass->kernels->outer(&outer, first, last);
        return;
    }
    size_t at = first * (size_t)sum->back.width;
    sum->pass->kernels->activate_back(sum->back.gradient + at, sum->back.y + at, copy, sum->back.width,
                                      sum->back.activation, last - first);
}

/* Parts to copies, then copies to the total, in order. */
static nlm_status run_sums(struct sum_job *sum, float *total)
{
    struct nlm_pass *pass = sum->pass;
    if (buffer_reserve(&pass->scratch.copies, sum->size * (size_t)sum->parts, sizeof(float), false))
        return NLM_NO_MEMORY;
    sum->copies = pass->scratch.copies.data;
    team_run(pass->structure->team, sum->parts, run_sum, sum);
    for (int part = 0; part < sum->parts; part++)
        pass->kernels->add(total, sum->copies + (size_t)part * sum->size, sum->size);
    return NLM_OK;
}

/* One part adds to the result directly.  That rounds differently from a copy, but the number of parts depends
 * on the size alone. */
nlm_status job_outer(struct nlm_pass *pass, const struct kernel_outer *job, size_t orbits)
{
    size_t count = (size_t)job->orders->count;
    struct sum_job sum = {
        .pass = pass,
        .outer = job,
        .size = count * (size_t)job->channels * (size_t)job->columns,
        .items = orbits,
    };
    sum.parts = count_parts(orbits * count * sum.size / 8, orbits, MOST_COPIES);
    if (sum.parts == 1) {
        pass->kernels->outer(job, 0, orbits);
        return NLM_OK;
    }
    return run_sums(&sum, job->dw);
}

/* The gradient itself is written in place, row by row; only the sum for the bias needs copies. */
nlm_status job_activate_back(struct nlm_pass *pass, float *gradient, const float *y, float *bias_gradient,
                             int width, enum kernel_activation activation, size_t rows)
{
    struct sum_job sum = {
        .pass = pass,
        .back = {gradient, y, width, activation},
        .size = (size_t)width,
        .items = rows,
        .parts = count_parts(rows * (size_t)width, rows, MOST_COPIES),
    };
    if (sum.parts == 1) {
        pass->kernels->activate_back(gradient, y, bias_gradient, width, activation, rows);
        return NLM_OK;
    }
    return run_sums(&sum, bias_gradient);
}

/* ---- scattering: each part has tables of its own ---- */

/* Part 0 adds to the tables themselves, each other part to its own copy of all of them. */
struct scatter_job {
    struct nlm_pass *pass;
    const struct gradient_tables *tables;
    float *bias;
    size_t width, size; /* of one copy: bias and tables */
    float *copies;      /* of parts 1, 2, ...; part 0 uses the tables themselves */
    int parts;
    scatter_part run;
    void *context;
};

/* The tables of a part.  A copy is laid out as bias, own, sub, range; absent tables take no room. */
static struct gradient_tables part_tables(const struct scatter_job *job, int part, float **bias)
{
    struct gradient_tables tables = *job->tables;
    *bias = job->bias;
    if (part == 0)
        return tables;
    float *at = job->copies + (size_t)(part - 1) * job->size;
    *bias = at;
    at += job->width;
    for (int s = 0; s < SOURCES; s++) {
        tables.table[s] = tables.size[s] ? at : NULL;
        at += tables.size[s];
    }
    return tables;
}

/* Clear the tables of this part, then run it.  The bias of part 0 is added to, not cleared. */
static void run_scatter(void *context, int part, int thread)
{
    const struct scatter_job *job = context;
    float *bias;
    struct gradient_tables tables = part_tables(job, part, &bias);
    for (int s = 0; s < SOURCES; s++)
        if (tables.size[s])
            memset(tables.table[s], 0, tables.size[s] * sizeof(float));
    if (part > 0 && job->width)
        memset(bias, 0, job->width * sizeof(float));
    job->run(job->context, &tables, bias, part, job->parts, thread);
}

/* Add up the copies of one slice of all tables; slices are shared out.  Within a slice the parts are added in
 * order. */
static void add_slice(void *context, int slice, int thread)
{
    (void)thread;
    const struct scatter_job *job = context;
    for (int part = 1; part < job->parts; part++) {
        float *bias;
        struct gradient_tables tables = part_tables(job, part, &bias);
        if (slice == 0)
            job->pass->kernels->add(job->bias, bias, job->width);
        for (int s = 0; s < SOURCES; s++) {
            size_t rows = tables.size[s] / KERNEL_LANES;
            size_t first = part_begin(rows, slice, job->parts) * KERNEL_LANES;
            size_t last = part_begin(rows, slice + 1, job->parts) * KERNEL_LANES;
            if (last > first)
                job->pass->kernels->add(job->tables->table[s] + first, tables.table[s] + first, last - first);
        }
    }
}

/* Tables are as large as the sources' rows, so copies are affordable only where the work is larger. */
nlm_status job_scatter(struct nlm_pass *pass, const struct gradient_tables *tables, float *bias, int width,
                       size_t items, size_t work, scatter_part run, void *context)
{
    struct scatter_job job = {
        .pass = pass, .tables = tables, .bias = bias, .width = (size_t)width, .run = run, .context = context};
    job.size = job.width;
    for (int s = 0; s < SOURCES; s++)
        job.size += tables->size[s];
    /* a copy costs its own size to clear and to add: it must be small beside the part's work */
    size_t affordable = work / (8 * job.size + 1) + 1;
    job.parts = count_parts(work, items, affordable < MOST_COPIES ? (int)affordable : MOST_COPIES);
    if (buffer_reserve(&pass->scratch.copies, job.size * (size_t)(job.parts - 1), sizeof(float), false))
        return NLM_NO_MEMORY;
    job.copies = pass->scratch.copies.data;
    /* first all parts into their copies, then the copies slice by slice */
    team_run(pass->structure->team, job.parts, run_scatter, &job);
    if (job.parts > 1)
        team_run(pass->structure->team, job.parts, add_slice, &job);
    return NLM_OK;
}
