/* The inner loops of the memory network, of every instruction set that this processor runs, against plain
 * loops in double; rows of all lengths, so that whole vectors and rests are met. */
#include <math.h>
#include "test.h"

#include "base/random.h"
#include "baseline/smooth.h"

enum { ROWS = 15, COUNT = 61, STRIDE = 64, INNER = 16 };

static const nlm_kernel kernels[] = {NLM_KERNEL_GENERIC, NLM_KERNEL_AVX2, NLM_KERNEL_AVX512, NLM_KERNEL_BEST};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static random_stream numbers;

static void fill(float *values, size_t count, float bound)
{
    for (size_t i = 0; i < count; i++)
        values[i] = random_uniform(&numbers, -bound, bound);
}

static void assert_near(double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance * fmax(1.0, fabs(wanted))))
        fail_msg("%.9g where %.9g is right", found, wanted);
}

static void check_scores(const struct smooth *s, int rows, size_t count)
{
    float x[ROWS * INNER], columns[INNER * STRIDE], y[ROWS * COUNT + 1];
    fill(x, sizeof x / sizeof *x, 1.0f);
    fill(columns, sizeof columns / sizeof *columns, 1.0f);
    y[(size_t)rows * count] = 7.0f;
    s->scores(y, x, columns, rows, INNER, count, STRIDE);
    for (size_t r = 0; r < (size_t)rows; r++)
        for (size_t c = 0; c < count; c++) {
            double sum = 0.0;
            for (size_t k = 0; k < INNER; k++)
                sum += (double)x[r * INNER + k] * (double)columns[k * STRIDE + c];
            assert_near((double)y[r * count + c], sum, 1e-6);
        }
    assert_true(y[(size_t)rows * count] == 7.0f);
}

static void check_reads(const struct smooth *s, int rows, size_t inner, int columns)
{
    float x[ROWS * COUNT], z[COUNT * 32], y[ROWS * 32], before[ROWS * 32];
    size_t width = (size_t)columns;
    fill(x, sizeof x / sizeof *x, 1.0f);
    fill(z, sizeof z / sizeof *z, 1.0f);
    fill(y, sizeof y / sizeof *y, 1.0f);
    memcpy(before, y, sizeof y);
    s->reads(y, x, z, rows, inner, columns);
    for (size_t r = 0; r < (size_t)rows; r++)
        for (size_t c = 0; c < width; c++) {
            double sum = (double)before[r * width + c];
            for (size_t k = 0; k < inner; k++)
                sum += (double)x[r * inner + k] * (double)z[k * width + c];
            assert_near((double)y[r * width + c], sum, 4e-6);
        }
}

static void check_softmax(const struct smooth *s, size_t count)
{
    float x[COUNT], y[COUNT], z[COUNT], da[COUNT], dx[COUNT];
    double most = -INFINITY, sum = 0.0;
    fill(x, COUNT, 40.0f);
    fill(da, COUNT, 1.0f);
    memcpy(y, x, sizeof y);
    memcpy(z, x, sizeof z);
    memcpy(dx, da, sizeof dx);
    for (size_t i = 0; i < count; i++)
        most = fmax(most, (double)x[i]);
    assert_true((double)s->largest(x, count, -INFINITY) == most);
    assert_true(s->largest(x, count, 50.0f) == 50.0f);
    double found = (double)s->exponentials(y, count, (float)most);
    s->attention_back(z, dx, count, (float)most, 0.25f, 0.5f);
    for (size_t i = 0; i < count; i++) {
        double e = exp((double)x[i] - most);
        sum += e;
        assert_near((double)y[i], e, 1e-6);
        assert_near((double)z[i], 0.25 * e, 1e-6);
        assert_near((double)dx[i], 0.25 * e * ((double)da[i] - 0.5), 1e-6);
    }
    assert_near(found, sum, 1e-6);
    for (size_t i = count; i < COUNT; i++)
        assert_true(y[i] == x[i] && z[i] == x[i] && dx[i] == da[i]);
}

static double sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

/* The cell forwards, and backwards with what it left. */
static void check_cell(const struct smooth *s, int width, bool first)
{
    enum { MOST = 3 * COUNT };
    float gates[4 * MOST], raw[4 * MOST], before[MOST], cell[MOST], state[MOST];
    float dstate[MOST], dcell[MOST], dgates[4 * MOST], dcell_before[MOST];
    fill(gates, 4 * MOST, 6.0f);
    fill(before, MOST, 2.0f);
    fill(dstate, MOST, 1.0f);
    fill(dcell, MOST, 1.0f);
    memcpy(raw, gates, sizeof raw);
    memcpy(dcell_before, dcell, sizeof dcell);
    s->cell(&(struct smooth_cell){3, width, gates, cell, state, first ? NULL : before});
    s->cell_back(&(struct smooth_cell_back){3, width, gates, cell, first ? NULL : before, dstate, dgates,
                                            dcell_before});
    for (int i = 0; i < 3 * width; i++) {
        const float *x = raw + i / width * 4 * width + i % width;
        const float *d = dgates + i / width * 4 * width + i % width;
        double in = sigmoid((double)x[0]), forget = sigmoid((double)x[width]);
        double news = tanh((double)x[2 * width]), out = sigmoid((double)x[3 * width]);
        double was = first ? 0.0 : (double)before[i], now = forget * was + in * news, shown = tanh(now);
        double dnow = (double)dcell[i] + (double)dstate[i] * out * (1.0 - shown * shown);
        assert_near((double)cell[i], now, 1e-6);
        assert_near((double)state[i], out * shown, 1e-6);
        assert_near((double)d[0], dnow * news * in * (1.0 - in), 2e-6);
        assert_near((double)d[width], dnow * was * forget * (1.0 - forget), 2e-6);
        assert_near((double)d[2 * width], dnow * in * (1.0 - news * news), 2e-6);
        assert_near((double)d[3 * width], (double)dstate[i] * shown * out * (1.0 - out), 2e-6);
        assert_near((double)dcell_before[i], dnow * forget, 2e-6);
    }
}

/* Gates of +-1000 are 0 and 1 (or all but), and no number stays none. */
static void check_extremes(const struct smooth *s)
{
    float gates[4] = {1000.0f, -1000.0f, 1000.0f, 1000.0f}, before = 1.0f, cell, state;
    float row[9] = {-1000.0f, 0.0f};
    s->cell(&(struct smooth_cell){1, 1, gates, &cell, &state, &before});
    assert_near((double)cell, 1.0, 1e-6);
    assert_near((double)state, tanh(1.0), 1e-6);
    for (int g = 0; g < 4; g++) {
        float broken[4] = {0.0f};
        broken[g] = NAN;
        s->cell(&(struct smooth_cell){1, 1, broken, &cell, &state, &before});
        assert_true(isnan(state));
    }
    assert_near((double)s->exponentials(row, 2, 0.0f), 1.0, 1e-6);
    row[3] = NAN;
    assert_true(isnan(s->exponentials(row, 9, 0.0f)));
}

static void all_tables_are_as_defined(void **state)
{
    (void)state;
    int tables = 0;
    for (int k = 0; k < KERNELS; k++) {
        const struct smooth *s = smooth_choose(kernels[k]);
        if (!s)
            continue;
        tables++;
        random_start(&numbers, 1, 0);
        for (size_t count = 1; count <= COUNT; count++) {
            check_scores(s, 1 + (int)count % ROWS, count);
            check_reads(s, 1 + (int)count % ROWS, count, count % 2 ? 16 : 32);
            check_softmax(s, count);
            check_cell(s, (int)count, count % 3 == 0);
        }
        check_extremes(s);
    }
    assert_true(tables >= 2);
}

static void reference_kernels_have_none(void **state)
{
    (void)state;
    assert_null(smooth_choose(NLM_KERNEL_REFERENCE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_tables_are_as_defined),
        cmocka_unit_test(reference_kernels_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
