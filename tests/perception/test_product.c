/* Products of matrices, OpenBLAS's and our own of each instruction set, against their definition in double.
 */
#include "differences.h"

#include "perception/product.h"

enum { GUARD = 16 };

static const nlm_kernel kernels[] = {NLM_KERNEL_GENERIC, NLM_KERNEL_AVX2, NLM_KERNEL_AVX512};

/* Sizes around those of the tiles: 6 rows, 16 columns, 256 of the inner index. */
static const int sizes[][3] = {
    {1, 1, 1},      {5, 3, 7},    {6, 16, 16}, {7, 17, 33},   {12, 256, 15},
    {13, 257, 31},  {4, 600, 9},  {2, 0, 5},   {128, 64, 96}, {20, 250, 64},
    {192, 128, 16}, {3, 512, 16}, {0, 4, 4},   {11, 32, 48},  {8, 8, 0},
};

struct matrices {
    struct product shape;
    float *a, *b, *y, *before;
    size_t ys;
};

static float *new_floats(random_stream *random, size_t count)
{
    float *values = malloc((count + 1) * sizeof *values);
    assert_non_null(values);
    random_floats(random, values, count, -1.0f, 1.0f);
    return values;
}

static struct matrices make(struct product shape)
{
    random_stream random;
    random_start(&random, 3, (uint64_t)(shape.rows + 1000 * shape.inner));
    struct matrices m = {.shape = shape, .ys = (size_t)(shape.rows * shape.columns)};
    m.a = new_floats(&random, (size_t)(shape.rows * shape.inner));
    m.b = new_floats(&random, (size_t)(shape.inner * shape.columns));
    m.before = new_floats(&random, m.ys + GUARD);
    m.y = new_floats(&random, m.ys + GUARD);
    memcpy(m.y, m.before, (m.ys + GUARD) * sizeof *m.y);
    for (size_t i = 0; i < m.ys && !shape.add; i++)
        m.y[i] = NAN; /* to be overwritten */
    return m;
}

static double defined(const struct matrices *m, int row, int column)
{
    const struct product *s = &m->shape;
    double sum = s->add ? (double)m->before[row * s->columns + column] : 0.0;
    for (int k = 0; k < s->inner; k++)
        sum += (double)m->a[s->a_transposed ? k * s->rows + row : row * s->inner + k] *
               (double)m->b[s->b_transposed ? column * s->inner + k : k * s->columns + column];
    return sum;
}

static void check(struct product shape, product_function *run)
{
    struct matrices m = make(shape);
    run(shape, m.a, m.b, m.y);
    for (int r = 0; r < shape.rows; r++)
        for (int c = 0; c < shape.columns; c++)
            assert_float_equal((double)m.y[r * shape.columns + c], defined(&m, r, c), 1e-4);
    assert_memory_equal(m.y + m.ys, m.before + m.ys, GUARD * sizeof *m.y);
    free(m.a);
    free(m.b);
    free(m.y);
    free(m.before);
}

static void check_all(product_function *run)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int flags = 0; flags < 8; flags++)
            check((struct product){sizes[i][0], sizes[i][1], sizes[i][2], flags & 1, flags & 2, flags & 4},
                  run);
}

static void products_are_as_defined(void **state)
{
    (void)state;
    check_all(product_run);
}

static void our_own_products_are_as_defined(void **state)
{
    (void)state;
    int tried = 0;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        product_function *run = product_choose(kernels[k]);
        assert_int_equal(run != NULL, nlm_kernel_available(kernels[k]));
        if (run)
            check_all(run);
        tried += run != NULL;
    }
    assert_true(tried > 0);
    assert_null(product_choose(NLM_KERNEL_REFERENCE));
}

static void an_unknown_processor_is_one_taken_for_a_prescott(void **state)
{
    (void)state;
    assert_int_equal(product_is_unknown_processor("Prescott"), nlm_kernel_available(NLM_KERNEL_AVX2));
    assert_false(product_is_unknown_processor("SkylakeX"));
    assert_false(product_is_unknown_processor("Zen"));
    assert_false(product_is_unknown_processor("armv8"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_as_defined),
        cmocka_unit_test(our_own_products_are_as_defined),
        cmocka_unit_test(an_unknown_processor_is_one_taken_for_a_prescott),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
