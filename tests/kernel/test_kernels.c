/* Kernels: every table that this processor runs agrees with the reference on random jobs of all shapes, and
 * writes nowhere else.  Every second round draws exact numbers, the others are for the precision. */
#include "kernel/jobs.h"

enum { ROUNDS = 240, MOST_OBJECTS = 12 };

/* ---- agreement with the reference, one random job each ---- */

static void try_product(const struct kernel_table *kernels)
{
    struct shape s = draw_shape(5);
    size_t channels = (size_t)(1 + below(s.arity > 4 ? 3 : 19)),
           columns = (size_t)(KERNEL_LANES * (1 + below(7)));
    size_t stride = (size_t)kernel_pad((int)channels) + (size_t)(KERNEL_LANES * below(2));
    struct kernel_product job = {s.orders, (int)channels, (int)columns, (int)stride,
                                 coin(),   NULL,          NULL,         NULL};
    float *v = numbers(s.rows * stride);
    for (size_t i = 0; i < s.rows; i++) /* what is beyond the channels must not count */
        for (size_t c = channels; c < stride; c++)
            v[i * stride + c] = 1e9f;
    job.v = v;
    job.w = numbers(s.orders_count * channels * columns);
    float *got = job.y = numbers(s.rows * columns), *want = copied(got, s.rows * columns);
    kernels->product(&job, s.first, s.last);
    job.y = want;
    kernel_reference.product(&job, s.first, s.last);
    assert_numbers("product", got, want, s.rows * columns, sum_tolerance(channels * s.orders_count));
}

static void try_outer(const struct kernel_table *kernels)
{
    struct shape s = draw_shape(5);
    size_t channels = (size_t)(1 + below(s.arity > 4 ? 3 : 19)),
           columns = (size_t)(KERNEL_LANES * (1 + below(7)));
    size_t stride = (size_t)kernel_pad((int)channels), size = s.orders_count * channels * columns;
    struct kernel_outer job = {s.orders, (int)channels, (int)columns, (int)stride, NULL, NULL, NULL};
    job.v = numbers(s.rows * stride);
    job.dy = numbers(s.rows * columns);
    float *got = job.dw = numbers(size), *want = copied(got, size);
    kernels->outer(&job, s.first, s.last);
    job.dw = want;
    kernel_reference.outer(&job, s.first, s.last);
    assert_numbers("outer", got, want, size, sum_tolerance(s.rows));
}

static void try_gather(const struct kernel_table *kernels)
{
    struct shape s = draw_shape(5);
    struct tables t = draw_tables(&s);
    size_t size = s.rows * (size_t)s.width;
    struct kernel_gather job = {t.links,
                                t.table[0],
                                t.table[1],
                                t.table[2],
                                numbers((size_t)s.width),
                                (enum kernel_activation)below(3),
                                NULL};
    float *got = job.out = numbers(size), *want = copied(got, size);
    kernels->gather(&job, s.first, s.last);
    job.out = want;
    kernel_reference.gather(&job, s.first, s.last);
    assert_numbers("gather", got, want, size,
                   job.activation == KERNEL_SIGMOID ? 5e-7 : sum_tolerance((size_t)s.arity + 3));
}

static void try_scatter(const struct kernel_table *kernels)
{
    struct shape s = draw_shape(5);
    struct tables t = draw_tables(&s);
    struct kernel_scatter job = {.links = t.links, .gradient = numbers(s.rows * (size_t)s.width)};
    float *want[3];
    for (int k = 0; k < 3; k++)
        want[k] = t.table[k] ? copied(t.table[k], t.size[k]) : NULL;
    job.own_table = t.table[0], job.sub_table = t.table[1], job.range_table = t.table[2];
    kernels->scatter(&job, s.first, s.last);
    job.own_table = want[0], job.sub_table = want[1], job.range_table = want[2];
    kernel_reference.scatter(&job, s.first, s.last);
    for (int k = 0; k < 3; k++)
        if (t.table[k])
            assert_numbers("scatter", t.table[k], want[k], t.size[k], sum_tolerance(s.rows));
}

static void try_map(const struct kernel_table *kernels)
{
    struct shape s = draw_shape(5);
    size_t orbits = (size_t)(1 + below(30)), columns = (size_t)s.width;
    size_t x_size = orbits * s.orders_count * columns, y_size = s.rows * columns;
    struct kernel_map job = {s.orders, codes(s.orders, s.orbits, orbits), s.width, NULL, NULL};
    float *x = numbers(x_size), *y = numbers(y_size), *want_x = copied(x, x_size),
          *want_y = copied(y, y_size);
    job.x = x, job.y = y;
    kernels->map(&job, s.first, s.last);
    job.x = want_x, job.y = want_y;
    kernel_reference.map(&job, s.first, s.last);
    assert_memory_equal(y, want_y, y_size * sizeof *y);
    kernel_reference.map_back(&job, s.first, s.last);
    job.x = x, job.y = y;
    kernels->map_back(&job, s.first, s.last);
    assert_numbers("map_back", x, want_x, x_size, sum_tolerance(s.rows));
}

static void try_reduce(const struct kernel_table *kernels)
{
    struct shape s = draw_shape(4);
    size_t values, size = s.rows * 2 * (size_t)s.width;
    struct kernel_reduce job = draw_reduce(&s, &values);
    float *got = job.out = numbers(size), *want = copied(got, size);
    int32_t *got_arg = array(size), *want_arg = array(size);
    memset(got_arg, 1, size * sizeof *got_arg);
    memset(want_arg, 1, size * sizeof *want_arg);
    bool where = coin();
    job.arg = where ? got_arg : NULL;
    kernels->reduce(&job, s.first, s.last);
    job.out = want, job.arg = where ? want_arg : NULL;
    kernel_reference.reduce(&job, s.first, s.last);
    assert_numbers("reduce", got, want, size, 0.0);
    assert_memory_equal(got_arg, want_arg, size * sizeof *got_arg);
    if (!where || s.last < s.orbits || s.first > 0)
        return;
    float *sums = numbers(values), *want_sums = copied(sums, values);
    struct kernel_reduce_back back = {s.rows, s.width, numbers(size), got_arg, sums};
    kernels->reduce_back(&back);
    back.values = want_sums;
    kernel_reference.reduce_back(&back);
    assert_numbers("reduce_back", sums, want_sums, values, sum_tolerance(s.rows));
}

/* A stream over up to MOST_OBJECTS objects in segments with gaps; tables have 9 rows. */
enum { STREAM_ROWS = 9 };
static struct kernel_stream draw_stream(int least_terms)
{
    int width = KERNEL_LANES * (1 + below(3)), z = 0;
    struct kernel_stream job = {.width = width,
                                .terms = least_terms + below(KERNEL_MOST_TERMS + 1 - least_terms),
                                .bias = tied_numbers((size_t)width),
                                .fixed = coin() ? tied_numbers((size_t)width) : NULL};
    for (int wanted = below(ORDERS_MAX_ARITY + 2); job.segments < wanted; job.segments++) {
        job.from[job.segments] = z + below(2);
        job.to[job.segments] = job.from[job.segments] + (job.segments ? below(2) : 1); /* some are empty */
        z = job.to[job.segments];
    }
    assert_true(z <= MOST_OBJECTS);
    for (int t = 0; t < job.terms; t++) {
        job.stride[t] = (size_t)(width * (1 + below(3)));
        job.table[t] = tied_numbers(STREAM_ROWS * job.stride[t]);
        int32_t *row = array(MOST_OBJECTS);
        for (int i = 0; i < MOST_OBJECTS; i++)
            row[i] = below(STREAM_ROWS);
        job.row[t] = row;
    }
    job.out = numbers(2 * (size_t)width);
    job.arg = coin() ? array((size_t)(job.terms * 2 * width)) : NULL;
    return job;
}

static void try_stream_back(const struct kernel_table *kernels, const struct kernel_stream *job)
{
    size_t width = (size_t)job->width;
    struct kernel_stream_back got = {.terms = job->terms,
                                     .width = job->width,
                                     .out = job->out,
                                     .arg = job->arg},
                              want = got;
    got.gradient = want.gradient = numbers(2 * width);
    want.bias = copied(got.bias = numbers(width), width);
    if (job->fixed)
        want.fixed = copied(got.fixed = numbers(width), width);
    for (int t = 0; t < job->terms; t++) {
        size_t size = STREAM_ROWS * (got.stride[t] = want.stride[t] = job->stride[t]);
        want.table[t] = copied(got.table[t] = numbers(size), size);
    }
    kernels->stream_back(&got);
    kernel_reference.stream_back(&want);
    assert_numbers("stream_back: bias", got.bias, want.bias, width, 1e-6);
    if (job->fixed)
        assert_numbers("stream_back: fixed", got.fixed, want.fixed, width, 1e-6);
    for (int t = 0; t < job->terms; t++)
        assert_numbers("stream_back: table", got.table[t], want.table[t], STREAM_ROWS * job->stride[t], 1e-6);
}

static void try_stream(const struct kernel_table *kernels)
{
    struct kernel_stream job = draw_stream(0), want = job;
    size_t width = (size_t)job.width, args = (size_t)job.terms * 2 * width;
    want.out = copied(job.out, 2 * width);
    want.arg = job.arg ? array(args) : NULL;
    kernels->stream(&job);
    kernel_reference.stream(&want);
    assert_numbers("stream", job.out, want.out, 2 * width, 5e-7);
    if (!job.arg)
        return;
    assert_memory_equal(job.arg, want.arg, args * sizeof *job.arg);
    if (job.terms > 0)
        try_stream_back(kernels, &job);
}

static void try_activate(const struct kernel_table *kernels)
{
    size_t width = (size_t)(KERNEL_LANES * (1 + below(3))), rows = (size_t)below(40), size = rows * width;
    enum kernel_activation activation = (enum kernel_activation)below(3);
    float *x = numbers(size), *bias = coin() ? numbers(width) : NULL, stretch = exact ? 1.0f : 60.0f;
    for (size_t i = 0; i < size; i++)
        x[i] *= stretch;
    float *want = copied(x, size), *y = x;
    kernels->activate(y, bias, (int)width, activation, rows);
    kernel_reference.activate(want, bias, (int)width, activation, rows);
    assert_numbers("activate", y, want, size, activation == KERNEL_SIGMOID ? 5e-7 : 0.0);
    float *gradient = numbers(size), *sums = numbers(width);
    float *want_gradient = copied(gradient, size), *want_sums = copied(sums, width);
    kernels->activate_back(gradient, y, sums, (int)width, activation, rows);
    kernel_reference.activate_back(want_gradient, y, want_sums, (int)width, activation, rows);
    assert_numbers("activate_back", gradient, want_gradient, size, activation == KERNEL_SIGMOID ? 1e-7 : 0.0);
    assert_numbers("activate_back: sums", sums, want_sums, width, 1e-5);
}

static void try_pick_and_add(const struct kernel_table *kernels)
{
    size_t count = (size_t)below(70), from_count = (size_t)(1 + below(50));
    float *from = numbers(from_count), *to = numbers(count), *want = copied(to, count);
    int32_t *map = array(count);
    for (size_t i = 0; i < count; i++)
        map[i] = below((int)from_count);
    kernels->pick(to, from, map, count);
    kernel_reference.pick(want, from, map, count);
    assert_memory_equal(to, want, count * sizeof *to);
    float *x = numbers(count);
    kernels->add(to, x, count);
    kernel_reference.add(want, x, count);
    assert_memory_equal(to, want, count * sizeof *to);
}

/* Against the formulas in double, for logits near 0, ordinary and extreme. */
static void try_logistic(const struct kernel_table *kernels)
{
    static const float scales[] = {1e-6f, 1.0f, 30.0f, 200.0f};
    size_t count = (size_t)below(40);
    float *x = numbers(count), *softplus = numbers(count), *probability = numbers(count);
    for (size_t i = 0; i < count; i++)
        x[i] *= scales[below(4)];
    kernels->logistic(x, softplus, probability, count);
    for (size_t i = 0; i < count; i++) {
        double logit = (double)x[i], want = log1p(exp(-fabs(logit))), chance = 1.0 / (1.0 + exp(-logit));
        assert_true(fabs((double)softplus[i] - want) <= 1e-6 * want + 1e-37);
        assert_true(fabs((double)probability[i] - chance) <= 1e-6 * chance + 1e-37);
    }
}

/* Against the formula in double, so that the reference is tested too. */
static void try_adam(const struct kernel_table *kernels)
{
    size_t count = (size_t)below(40);
    int step = 1 + below(20);
    struct kernel_adam s = {0.01f, 0.9f, 0.99f, 1e-6f, 0.0f, 0.0f};
    s.correction1 = (float)(1.0 / (1.0 - pow((double)s.beta1, step)));
    s.correction2 = (float)(1.0 / (1.0 - pow((double)s.beta2, step)));
    float *values = numbers(count), *gradients = numbers(count), *mean = numbers(count),
          *square = numbers(count);
    for (size_t i = 0; i < count; i++)
        square[i] *= square[i];
    float *old = copied(values, count), *old_mean = copied(mean, count), *old_square = copied(square, count);
    kernels->adam(&s, values, gradients, mean, square, count);
    for (size_t i = 0; i < count; i++) {
        double g = (double)gradients[i];
        double m = (double)s.beta1 * (double)old_mean[i] + (1.0 - (double)s.beta1) * g;
        double v = (double)s.beta2 * (double)old_square[i] + (1.0 - (double)s.beta2) * g * g;
        double change = (double)s.rate * m * (double)s.correction1 /
                        (sqrt(v * (double)s.correction2) + (double)s.epsilon);
        assert_true(fabs((double)mean[i] - m) <= 2e-7);
        assert_true(fabs((double)square[i] - v) <= 2e-7);
        assert_true(fabs((double)values[i] - ((double)old[i] - change)) <= 2e-7 + 1e-5 * fabs(change));
    }
}

/* ---- the rounds ---- */

static void every_table(void (*attempt)(const struct kernel_table *))
{
    static const nlm_kernel all[] = {NLM_KERNEL_REFERENCE, NLM_KERNEL_GENERIC, NLM_KERNEL_AVX2,
                                     NLM_KERNEL_AVX512};
    for (size_t k = 0; k < COUNT(all); k++) {
        const struct kernel_table *kernels = kernel_choose(all[k]);
        start_draws(1);
        for (int round = 0; kernels && round < ROUNDS; round++) {
            exact = round % 2 == 0;
            attempt(kernels);
            free_arrays(kernels->name);
        }
    }
}

#define AGREES(name)                                                                                         \
    static void name##_agrees(void **state)                                                                  \
    {                                                                                                        \
        (void)state;                                                                                         \
        every_table(try_##name);                                                                             \
    }
AGREES(product)
AGREES(outer)
AGREES(gather)
AGREES(scatter)
AGREES(map)
AGREES(reduce)
AGREES(stream)
AGREES(activate)
AGREES(pick_and_add)
AGREES(logistic)
AGREES(adam)

/* All of the range of exp, relatively exact. */
static void try_sigmoid(const struct kernel_table *kernels)
{
    size_t size = KERNEL_LANES * 64;
    float *x = array(size), *y = array(size);
    for (size_t i = 0; i < size; i++)
        y[i] = x[i] = random_uniform(&draws, -86.0f, 86.0f);
    x[0] = y[0] = -2000.0f, x[1] = y[1] = 2000.0f, x[2] = y[2] = 0.0f;
    kernels->activate(y, NULL, KERNEL_LANES, KERNEL_SIGMOID, 64);
    for (size_t i = 0; i < size; i++) {
        double want = 1.0 / (1.0 + exp(-(double)x[i]));
        assert_true(fabs((double)y[i] - want) <= 1e-6 * want + 1e-37);
    }
}

static void sigmoid_is_relatively_exact(void **state)
{
    (void)state;
    every_table(try_sigmoid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(product_agrees),      cmocka_unit_test(outer_agrees),
        cmocka_unit_test(gather_agrees),       cmocka_unit_test(scatter_agrees),
        cmocka_unit_test(map_agrees),          cmocka_unit_test(reduce_agrees),
        cmocka_unit_test(stream_agrees),       cmocka_unit_test(activate_agrees),
        cmocka_unit_test(pick_and_add_agrees), cmocka_unit_test(logistic_agrees),
        cmocka_unit_test(adam_agrees),         cmocka_unit_test(sigmoid_is_relatively_exact),
    };
    return cmocka_run_group_tests(tests, fill_orders, NULL);
}
