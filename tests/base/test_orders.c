/* Orders: every table of every arity against its definition, carried out on a tuple. */
#include "test.h"

#include "base/orders.h"

/* tables[r] for arity r, and a tuple whose elements are far from being positions */
static struct orders tables[ORDERS_MAX_ARITY + 1];
static const int tuple[ORDERS_MAX_ARITY] = {10, 21, 32, 43, 54};

static int fill_tables(void **state)
{
    (void)state;
    memset(tables, 0xA5, sizeof tables); /* what is not filled shows */
    for (int r = 0; r <= ORDERS_MAX_ARITY; r++)
        orders_fill(&tables[r], r);
    return 0;
}

/* out = t in order a */
static void apply(const struct orders *orders, int a, const int *t, int *out)
{
    for (int k = 0; k < orders->arity; k++)
        out[k] = t[orders->order[a][k]];
}

/* out = t without position k */
static void without(const int *t, int arity, int k, int *out)
{
    for (int l = 0; l < arity; l++)
        if (l != k)
            *out++ = t[l];
}

static void assert_same(const int *a, const int *b, int arity)
{
    for (int k = 0; k < arity; k++)
        assert_int_equal(a[k], b[k]);
}

static void counts_and_codes(void **state)
{
    (void)state;
    static const int factorials[] = {1, 1, 2, 6, 24, 120}, shifts[] = {0, 0, 1, 3, 5, 7};
    for (int r = 0; r <= ORDERS_MAX_ARITY; r++) {
        const struct orders *orders = &tables[r];
        assert_int_equal(orders->arity, r);
        assert_int_equal(orders->count, factorials[r]);
        assert_int_equal(orders->shift, shifts[r]);
        assert_int_equal(orders->mask, (1 << shifts[r]) - 1);
        for (int32_t orbit = 0; orbit < 3; orbit++)
            for (int a = 0; a < orders->count; a++) {
                int32_t code = orbit << orders->shift | a;
                assert_int_equal(orders_row(orders, code), orbit * factorials[r] + a);
                for (int b = 0; b < orders->count; b++)
                    assert_int_equal(orders_then(orders, code, b),
                                     orbit << orders->shift | orders->times[a][b]);
            }
    }
}

/* All different and in lexicographic order; as there are r! of them, they are all permutations. */
static void orders_are_lexicographic(void **state)
{
    (void)state;
    for (int r = 0; r <= ORDERS_MAX_ARITY; r++)
        for (int a = 0; a < tables[r].count; a++) {
            const uint8_t *order = tables[r].order[a];
            unsigned seen = 0;
            for (int k = 0; k < r; k++)
                seen |= 1u << order[k];
            assert_int_equal(seen, (1u << r) - 1);
            assert_int_equal(orders_number(order, r), a);
            if (a > 0)
                assert_true(memcmp(tables[r].order[a - 1], order, (size_t)r) < 0);
        }
}

static void products_and_inverses(void **state)
{
    (void)state;
    for (int r = 0; r <= ORDERS_MAX_ARITY; r++) {
        const struct orders *orders = &tables[r];
        int first[ORDERS_MAX_ARITY], then[ORDERS_MAX_ARITY], once[ORDERS_MAX_ARITY];
        for (int a = 0; a < orders->count; a++) {
            apply(orders, a, tuple, first);
            for (int b = 0; b < orders->count; b++) {
                apply(orders, b, first, then);
                apply(orders, orders->times[a][b], tuple, once);
                assert_same(then, once, r);
                assert_int_equal(orders->before[b][a], orders->times[a][b]);
            }
            apply(orders, orders->inverse[a], first, then);
            assert_same(then, tuple, r);
        }
    }
}

/* t_b without its position k is (t without position order[b][k]) in order drop[b][k]. */
static void drops(void **state)
{
    (void)state;
    for (int r = 1; r <= ORDERS_MAX_ARITY; r++) {
        const struct orders *orders = &tables[r];
        int ordered[ORDERS_MAX_ARITY], left[ORDERS_MAX_ARITY], rest[ORDERS_MAX_ARITY],
            right[ORDERS_MAX_ARITY];
        for (int b = 0; b < orders->count; b++)
            for (int k = 0; k < r; k++) {
                apply(orders, b, tuple, ordered);
                without(ordered, r, k, left);
                without(tuple, r, orders->order[b][k], rest);
                apply(&tables[r - 1], orders->drop[b][k], rest, right);
                assert_same(left, right, r - 1);
            }
    }
}

/* t_last[q] is t without position q, followed by t[q]. */
static void last_variables(void **state)
{
    (void)state;
    for (int r = 1; r <= ORDERS_MAX_ARITY; r++)
        for (int q = 0; q < r; q++) {
            int expected[ORDERS_MAX_ARITY], found[ORDERS_MAX_ARITY];
            without(tuple, r, q, expected);
            expected[r - 1] = tuple[q];
            apply(&tables[r], tables[r].last[q], tuple, found);
            assert_same(found, expected, r);
        }
}

/* t_extend[p] is (t without its last) in order p, followed by the last of t. */
static void extensions(void **state)
{
    (void)state;
    for (int r = 1; r <= ORDERS_MAX_ARITY; r++)
        for (int p = 0; p < tables[r - 1].count; p++) {
            int expected[ORDERS_MAX_ARITY], found[ORDERS_MAX_ARITY];
            apply(&tables[r - 1], p, tuple, expected);
            expected[r - 1] = tuple[r - 1];
            apply(&tables[r], tables[r].extend[p], tuple, found);
            assert_same(found, expected, r);
        }
}

/* t_drop_to_last[k][s] is (t without position k) in order s, followed by t[k]. */
static void drops_to_the_last_place(void **state)
{
    (void)state;
    for (int r = 1; r <= ORDERS_MAX_ARITY; r++)
        for (int k = 0; k < r; k++)
            for (int s = 0; s < tables[r - 1].count; s++) {
                int rest[ORDERS_MAX_ARITY], expected[ORDERS_MAX_ARITY], found[ORDERS_MAX_ARITY];
                without(tuple, r, k, rest);
                apply(&tables[r - 1], s, rest, expected);
                expected[r - 1] = tuple[k];
                apply(&tables[r], tables[r].drop_to_last[k][s], tuple, found);
                assert_same(found, expected, r);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_and_codes),        cmocka_unit_test(orders_are_lexicographic),
        cmocka_unit_test(products_and_inverses),   cmocka_unit_test(drops),
        cmocka_unit_test(last_variables),          cmocka_unit_test(extensions),
        cmocka_unit_test(drops_to_the_last_place),
    };
    return cmocka_run_group_tests(tests, fill_tables, NULL);
}
