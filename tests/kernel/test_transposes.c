/* The reference kernels themselves: backward kernels are the transposes of the forward ones, or their slopes
 * where those are not linear; ties take the first, empty ranges nothing. */
#include "kernel/jobs.h"

/* ---- transposes: <A x, y> = <x, A' y>, to the bit on exact numbers ---- */

static double inner(const float *x, const float *y, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += (double)x[i] * (double)y[i];
    return sum;
}

static void assert_inner(const char *name, double one, double other)
{
    if (one != other)
        fail_msg("%s: %.17g and %.17g", name, one, other);
}

/* The transposed map has weights w'[inverse of g] = transpose of w[g]. */
static void product_transposed(const struct kernel_table *k)
{
    struct shape s = draw_shape(4);
    size_t channels = (size_t)s.width, columns = (size_t)(KERNEL_LANES * (1 + below(3)));
    size_t block = channels * columns, y_size = s.rows * columns, v_size = s.rows * channels;
    float *v = numbers(v_size), *w = numbers(s.orders_count * block), *dy = numbers(y_size);
    float *y = array(y_size), *dv = array(v_size), *back = array(s.orders_count * block);
    for (size_t g = 0; g < s.orders_count; g++)
        for (size_t c = 0; c < channels; c++)
            for (size_t p = 0; p < columns; p++)
                back[s.orders->inverse[g] * block + p * channels + c] = w[g * block + c * columns + p];
    struct kernel_product job = {s.orders, s.width, (int)columns, s.width, false, v, w, y};
    k->product(&job, 0, s.orbits);
    struct kernel_product turned = {s.orders, (int)columns, s.width, (int)columns, false, dy, back, dv};
    k->product(&turned, 0, s.orbits);
    assert_inner("product and transposed product", inner(y, dy, y_size), inner(v, dv, v_size));
    float *dw = zeros(s.orders_count * block);
    struct kernel_outer outer = {s.orders, s.width, (int)columns, s.width, v, dy, dw};
    k->outer(&outer, 0, s.orbits);
    assert_inner("product and outer", inner(y, dy, y_size), inner(w, dw, s.orders_count * block));
}

static void gather_transposed(const struct kernel_table *k)
{
    struct shape s = draw_shape(4);
    struct tables t = draw_tables(&s);
    size_t size = s.rows * (size_t)s.width;
    float *out = array(size), *gradient = numbers(size), *back[3];
    struct kernel_gather job = {t.links,       t.table[0], t.table[1], t.table[2], zeros((size_t)s.width),
                                KERNEL_LINEAR, out};
    k->gather(&job, 0, s.orbits);
    for (int i = 0; i < 3; i++)
        back[i] = t.table[i] ? zeros(t.size[i]) : NULL;
    struct kernel_scatter turned = {t.links, gradient, back[0], back[1], back[2]};
    k->scatter(&turned, 0, s.orbits);
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum += t.table[i] ? inner(t.table[i], back[i], t.size[i]) : 0.0;
    assert_inner("gather and scatter", inner(out, gradient, size), sum);
}

static void map_transposed(const struct kernel_table *k)
{
    struct shape s = draw_shape(4);
    size_t orbits = (size_t)(1 + below(9)), x_size = orbits * s.orders_count * (size_t)s.width;
    size_t y_size = s.rows * (size_t)s.width;
    float *x = numbers(x_size), *y = array(y_size), *dy = numbers(y_size), *dx = zeros(x_size);
    struct kernel_map job = {s.orders, codes(s.orders, s.orbits, orbits), s.width, x, y};
    k->map(&job, 0, s.orbits);
    struct kernel_map turned = {s.orders, job.map, s.width, dx, dy};
    k->map_back(&turned, 0, s.orbits);
    assert_inner("map and its transpose", inner(y, dy, y_size), inner(x, dx, x_size));
}

/* out = values[arg], so the transpose is that of a selection; what came from empty ranges is constant. */
static void reduce_transposed(const struct kernel_table *k)
{
    struct shape s = draw_shape(3);
    size_t values, size = s.rows * 2 * (size_t)s.width;
    struct kernel_reduce job = draw_reduce(&s, &values);
    job.out = array(size);
    job.arg = array(size);
    k->reduce(&job, 0, s.orbits);
    float *gradient = numbers(size), *back = zeros(values);
    struct kernel_reduce_back turned = {s.rows, s.width, gradient, job.arg, back};
    k->reduce_back(&turned);
    double sum = 0.0;
    for (size_t i = 0; i < size; i++)
        sum += job.arg[i] >= 0 ? (double)job.out[i] * (double)gradient[i] : 0.0;
    assert_inner("reduce and its transpose", sum, inner(job.values, back, values));
}

static void transposes_are_true(void **state)
{
    (void)state;
    void (*const all[])(const struct kernel_table *) = {product_transposed, gather_transposed, map_transposed,
                                                        reduce_transposed};
    exact = true;
    start_draws(2);
    for (size_t a = 0; a < COUNT(all); a++)
        for (int round = 0; round < 60; round++) {
            all[a](&kernel_reference);
            free_arrays("reference");
        }
}

/* ---- what the reference itself means ---- */

/* One range, one column: the first of the largest and of the smallest, or 0 and 1. */
static void check_range(const struct kernel_reduce *job, size_t s, int p, int c)
{
    size_t width = (size_t)job->width,
           place = (s * (size_t)job->orders->count + (size_t)p) * 2 * width + (size_t)c;
    for (int sign = 1; sign >= -1; sign -= 2, place += width) {
        double best = -INFINITY;
        int32_t at = -1;
        for (int32_t e = job->start[s]; e < job->start[s + 1]; e++) {
            int32_t code = orders_then(job->up, job->elements[e], job->up->extend[p]);
            int32_t row = (int32_t)orders_row(job->up, code);
            double value = sign * (double)job->values[(size_t)row * width + (size_t)c];
            if (value > best)
                best = value, at = row;
        }
        assert_int_equal(job->arg[place], at);
        assert_true((double)job->out[place] == (at >= 0 ? sign * best : sign > 0 ? 0.0 : 1.0));
    }
}

static void reduce_takes_the_first_of_ties_and_nothing_from_empty_ranges(void **state)
{
    (void)state;
    exact = true;
    start_draws(3);
    for (int round = 0; round < 40; round++) {
        struct shape s = draw_shape(3);
        size_t values, size = s.rows * 2 * (size_t)s.width;
        struct kernel_reduce job = draw_reduce(&s, &values);
        job.out = array(size);
        job.arg = array(size);
        kernel_reference.reduce(&job, 0, s.orbits);
        for (size_t o = 0; o < s.orbits; o++)
            for (int p = 0; p < s.orders->count; p++)
                for (int c = 0; c < s.width; c++)
                    check_range(&job, o, p, c);
        free_arrays("reference");
    }
}

/* Objects 0, 1, 3, 4 of 5, all alike: the first is taken for both; without objects, nothing. */
static void stream_takes_the_first_of_ties_and_nothing_from_empty_ranges(void **state)
{
    (void)state;
    float bias[8] = {0}, table[5 * 8] = {0}, out[16];
    int32_t rows[5] = {4, 3, 2, 1, 0}, arg[16];
    struct kernel_stream job = {.segments = 2,
                                .terms = 1,
                                .width = 8,
                                .from = {0, 3},
                                .to = {2, 5},
                                .bias = bias,
                                .table = {table},
                                .stride = {8},
                                .row = {rows},
                                .out = out,
                                .arg = arg};
    kernel_reference.stream(&job);
    for (int i = 0; i < 16; i++) {
        assert_int_equal(arg[i], 4);
        assert_true(out[i] == 0.5f);
    }
    job.segments = 0;
    kernel_reference.stream(&job);
    for (int i = 0; i < 16; i++) {
        assert_int_equal(arg[i], -1);
        assert_true(out[i] == (i < 8 ? 0.0f : 1.0f));
    }
}

/* d<out, gradient> / d*x by a central difference. */
static double stream_slope(const struct kernel_stream *job, const float *gradient, float *x)
{
    const float step = 1.0f / 128.0f, kept = *x;
    size_t size = 2 * (size_t)job->width;
    *x = kept + step;
    kernel_reference.stream(job);
    double above = inner(job->out, gradient, size);
    *x = kept - step;
    kernel_reference.stream(job);
    double below_it = inner(job->out, gradient, size);
    *x = kept;
    return (above - below_it) / (2.0 * (double)step);
}

enum { WIDTH = 8, TERMS = 3, OBJECTS = 6, TABLE = OBJECTS * WIDTH };

/* The first term sets the objects apart by halves, so that no small step swaps two of them. */
static struct kernel_stream draw_slope_job(float **table)
{
    struct kernel_stream job = {
        .segments = 2, .terms = TERMS, .width = WIDTH, .from = {0, 4}, .to = {3, OBJECTS}};
    for (int t = 0; t < TERMS; t++) {
        int32_t *row = array(OBJECTS);
        table[t] = numbers(TABLE);
        for (int z = 0; z < OBJECTS; z++) {
            row[z] = t == 0 ? z : below(OBJECTS);
            for (int c = 0; c < WIDTH; c++) {
                float *x = &table[t][z * WIDTH + c];
                *x = t == 0 ? 0.5f * (float)((z * 5 + c) % OBJECTS - 3) : 0.1f * *x;
            }
        }
        job.table[t] = table[t];
        job.stride[t] = WIDTH;
        job.row[t] = row;
    }
    job.out = array(2 * WIDTH);
    job.arg = array(TERMS * 2 * WIDTH);
    return job;
}

static void stream_back_is_the_slope(void **state)
{
    (void)state;
    exact = false;
    start_draws(4);
    float *table[TERMS], *bias = numbers(WIDTH), *fixed = numbers(WIDTH), *gradient = numbers(2 * WIDTH);
    struct kernel_stream job = draw_slope_job(table);
    job.bias = bias, job.fixed = fixed;
    kernel_reference.stream(&job);
    struct kernel_stream_back back = {.terms = TERMS, .width = WIDTH, .gradient = gradient};
    back.out = copied(job.out, 2 * WIDTH);
    back.arg = copied(job.arg, TERMS * 2 * WIDTH);
    back.bias = zeros(WIDTH), back.fixed = zeros(WIDTH);
    for (int t = 0; t < TERMS; t++)
        back.table[t] = zeros(TABLE), back.stride[t] = WIDTH;
    kernel_reference.stream_back(&back);
    for (int c = 0; c < WIDTH; c++) {
        assert_true(fabs(stream_slope(&job, gradient, bias + c) - (double)back.bias[c]) < 1e-4);
        assert_true(fabs(stream_slope(&job, gradient, fixed + c) - (double)back.fixed[c]) < 1e-4);
    }
    for (int t = 0; t < TERMS; t++)
        for (int i = 0; i < TABLE; i++)
            assert_true(fabs(stream_slope(&job, gradient, table[t] + i) - (double)back.table[t][i]) < 1e-4);
    free_arrays("reference");
}

static void activate_back_is_the_slope(void **state)
{
    (void)state;
    const float step = 1.0f / 128.0f;
    exact = true;
    start_draws(5);
    for (enum kernel_activation activation = KERNEL_LINEAR; activation <= KERNEL_SIGMOID; activation++) {
        size_t rows = 9, size = rows * KERNEL_LANES;
        float *y = numbers(size), *gradient = numbers(size), *sums = zeros(KERNEL_LANES);
        for (size_t i = 0; i < size; i++)
            y[i] = 3.0f * y[i] + 0.05f; /* no nearer to the bend of ReLU */
        float *above = copied(y, size), *under = copied(y, size), *given = copied(gradient, size);
        for (size_t i = 0; i < size; i++)
            above[i] += step, under[i] -= step;
        kernel_reference.activate(y, NULL, KERNEL_LANES, activation, rows);
        kernel_reference.activate(above, NULL, KERNEL_LANES, activation, rows);
        kernel_reference.activate(under, NULL, KERNEL_LANES, activation, rows);
        kernel_reference.activate_back(gradient, y, sums, KERNEL_LANES, activation, rows);
        double total[KERNEL_LANES] = {0};
        for (size_t i = 0; i < size; i++) {
            double slope = ((double)above[i] - (double)under[i]) / (2.0 * (double)step);
            assert_true(fabs((double)gradient[i] - slope * (double)given[i]) < 1e-4);
            total[i % KERNEL_LANES] += (double)gradient[i];
        }
        for (int c = 0; c < KERNEL_LANES; c++)
            assert_true(fabs((double)sums[c] - total[c]) < 1e-5);
        free_arrays("reference");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transposes_are_true),
        cmocka_unit_test(reduce_takes_the_first_of_ties_and_nothing_from_empty_ranges),
        cmocka_unit_test(stream_takes_the_first_of_ties_and_nothing_from_empty_ranges),
        cmocka_unit_test(stream_back_is_the_slope),
        cmocka_unit_test(activate_back_is_the_slope),
    };
    return cmocka_run_group_tests(tests, fill_orders, NULL);
}
