/* Random numbers: the published answers of Philox4x32-10, the same sequence from the same seed and stream,
 * bounds, and uniformity.  All seeds are fixed, so a test that passes once passes always. */
#include <math.h>
#include "test.h"

#include "base/random.h"

/* From Random123's kat_vectors, with block = counter words 0 and 1, stream = counter words 2 and 3. */
static void philox_gives_the_published_answers(void **state)
{
    (void)state;
    static const struct {
        uint64_t seed, stream, block;
        uint32_t words[4];
    } known[] = {
        {0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {0x299f31d0a4093822,
         0x0370734413198a2e,
         0x85a308d3243f6a88,
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        random_stream random;
        random_start(&random, known[i].seed, known[i].stream);
        random.block = known[i].block;
        for (int k = 0; k < 4; k++)
            assert_int_equal(random_u32(&random), known[i].words[k]);
        assert_true(random.block == known[i].block + 1);
    }
}

static void a_sequence_depends_on_seed_and_stream_alone(void **state)
{
    (void)state;
    random_stream first, again, other_seed, other_stream;
    random_start(&first, 7, 3);
    random_start(&again, 7, 3);
    random_start(&other_seed, 8, 3);
    random_start(&other_stream, 7, 4);
    int same_seed = 0, same_stream = 0;
    for (int i = 0; i < 1000; i++) {
        uint32_t word = random_u32(&first);
        assert_int_equal(word, random_u32(&again));
        same_seed += word == random_u32(&other_seed);
        same_stream += word == random_u32(&other_stream);
    }
    assert_true(same_seed < 3);
    assert_true(same_stream < 3);
}

static void starting_again_forgets_what_was_left(void **state)
{
    (void)state;
    random_stream random;
    random_start(&random, 1, 2);
    uint64_t first = random_u64(&random);
    random_u32(&random);
    random_start(&random, 1, 2);
    assert_true(random_u64(&random) == first);
}

static void a_long_word_is_two_short_ones(void **state)
{
    (void)state;
    random_stream words, longs;
    random_start(&words, 5, 0);
    random_start(&longs, 5, 0);
    for (int i = 0; i < 100; i++) {
        uint64_t low = random_u32(&words);
        uint64_t high = random_u32(&words);
        assert_true(random_u64(&longs) == (high << 32 | low));
    }
}

/* Pearson's statistic of counts that should be equal. */
static double chi_squared(const int *counts, int cells, int draws)
{
    double expected = (double)draws / cells, sum = 0;
    for (int i = 0; i < cells; i++)
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    return sum;
}

static void below_is_bounded_and_uniform(void **state)
{
    (void)state;
    random_stream random;
    random_start(&random, 11, 0);
    for (int n = 1; n <= 40; n++) {
        int counts[40] = {0};
        for (int i = 0; i < 1000 * n; i++) {
            uint32_t drawn = random_below(&random, (uint32_t)n);
            assert_true(drawn < (uint32_t)n);
            counts[drawn]++;
        }
        /* n - 1 degrees of freedom: five standard deviations above the mean. */
        assert_true(chi_squared(counts, n, 1000 * n) <= n - 1 + 5 * sqrt(2.0 * (n - 1)));
    }
    assert_int_equal(random_below(&random, 0), 0);
    assert_int_equal(random_below(&random, 1), 0);
}

/* With n = 3 * 2^30 a draw reduced without rejection would give a third of the results twice as often. */
static void below_has_no_bias_for_large_n(void **state)
{
    (void)state;
    random_stream random;
    random_start(&random, 12, 0);
    const uint32_t n = (uint32_t)3 << 30;
    int by_rest[3] = {0}, by_third[3] = {0};
    for (int i = 0; i < 30000; i++) {
        uint32_t drawn = random_below(&random, n);
        assert_true(drawn < n);
        by_rest[drawn % 3]++;
        by_third[drawn >> 30]++;
    }
    assert_true(chi_squared(by_rest, 3, 30000) < 20);
    assert_true(chi_squared(by_third, 3, 30000) < 20);
    for (int i = 0; i < 1000; i++)
        assert_true(random_below(&random, UINT32_MAX) < UINT32_MAX);
}

static void unit_is_in_range_and_uniform(void **state)
{
    (void)state;
    random_stream random;
    random_start(&random, 13, 0);
    int counts[100] = {0};
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        double drawn = random_unit(&random);
        assert_true(drawn >= 0 && drawn < 1);
        counts[(int)(drawn * 100)]++;
        sum += drawn;
    }
    assert_true(chi_squared(counts, 100, 100000) < 99 + 5 * sqrt(2.0 * 99));
    assert_true(fabs(sum / 100000 - 0.5) < 0.005);
}

/* The extreme words, set by hand: draws this rare would not come up otherwise. */
static void the_largest_draw_stays_below_the_end(void **state)
{
    (void)state;
    random_stream random = {.words = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}, .left = 4};
    double unit = random_unit(&random);
    assert_true(unit < 1 && unit > 0.999999);
    float one_to_two = random_uniform(&random, 1, 2);
    assert_true(one_to_two < 2 && one_to_two > 1.999f);
    float narrow = random_uniform(&random, 1, nextafterf(1, 2));
    assert_true(narrow == 1);
    random = (random_stream){.left = 4};
    assert_true(random_unit(&random) == 0);
    assert_true(random_uniform(&random, -3, 2) == -3);
}

static void uniform_is_in_range_and_reproducible(void **state)
{
    (void)state;
    random_stream random;
    random_start(&random, 14, 0);
    int counts[10] = {0};
    for (int i = 0; i < 20000; i++) {
        float drawn = random_uniform(&random, -0.5f, 0.5f);
        assert_true(drawn >= -0.5f && drawn < 0.5f);
        counts[(int)((drawn + 0.5f) * 10)]++;
    }
    assert_true(chi_squared(counts, 10, 20000) < 9 + 5 * sqrt(2.0 * 9));
    assert_true(random_uniform(&random, 3, 3) == 3);

    /* The first word of seed 0 is 0x6627e8d5; 24 bits of it, scaled. */
    random_start(&random, 0, 0);
    assert_true(random_uniform(&random, -1, 1) == (float)(2 * (0x6627e8 * 0x1p-24) - 1));
}

static void shuffle_gives_all_orders_equally_often(void **state)
{
    (void)state;
    random_stream random;
    random_start(&random, 15, 0);
    int counts[27] = {0}, orders[6], found = 0;
    for (int i = 0; i < 6000; i++) {
        int items[3] = {0, 1, 2};
        random_shuffle(&random, items, 3);
        assert_int_equal(items[0] + items[1] + items[2], 3);
        assert_int_equal(1 << items[0] | 1 << items[1] | 1 << items[2], 7);
        counts[9 * items[0] + 3 * items[1] + items[2]]++;
    }
    for (int i = 0; i < 27; i++) {
        if (counts[i]) {
            assert_true(found < 6);
            orders[found++] = counts[i];
        }
    }
    assert_int_equal(found, 6);
    assert_true(chi_squared(orders, 6, 6000) < 5 + 5 * sqrt(2.0 * 5));
}

static void shuffle_of_nothing_reads_nothing(void **state)
{
    (void)state;
    random_stream random;
    random_start(&random, 16, 0);
    int one = 42;
    random_shuffle(&random, NULL, 0);
    random_shuffle(&random, NULL, -1);
    random_shuffle(&random, &one, 1);
    assert_int_equal(one, 42);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_published_answers),
        cmocka_unit_test(a_sequence_depends_on_seed_and_stream_alone),
        cmocka_unit_test(starting_again_forgets_what_was_left),
        cmocka_unit_test(a_long_word_is_two_short_ones),
        cmocka_unit_test(below_is_bounded_and_uniform),
        cmocka_unit_test(below_has_no_bias_for_large_n),
        cmocka_unit_test(unit_is_in_range_and_uniform),
        cmocka_unit_test(the_largest_draw_stays_below_the_end),
        cmocka_unit_test(uniform_is_in_range_and_reproducible),
        cmocka_unit_test(shuffle_gives_all_orders_equally_often),
        cmocka_unit_test(shuffle_of_nothing_reads_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
