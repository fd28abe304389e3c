/* Pairs of clauses against their definition, pair by pair, with rows that are equal and values that tie. */
#include <math.h>
#include "test.h"

#include "base/random.h"
#include "baseline/dilp_pairs.h"

/* Rows are longer than what is looked at together, 256 numbers. */
enum { FIRST = 7, SECOND = 9, WIDTH = 256 + 2 * DILP_LANES, PAIRS = FIRST * SECOND };

static void fill(float *rows, size_t count, random_stream *random)
{
    for (size_t i = 0; i < count * WIDTH; i++) /* few values, so that many tie */
        rows[i] = 0.5f * (float)random_below(random, 3);
    memset(rows, 0, WIDTH * sizeof *rows);
    memcpy(rows + 2 * WIDTH, rows + WIDTH, WIDTH * sizeof *rows);
    memcpy(rows + 5 * WIDTH, rows, WIDTH * sizeof *rows);
}

static void pairs_are_as_defined(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        float f[FIRST * WIDTH], g[SECOND * WIDTH], df[FIRST * WIDTH] = {0}, dg[SECOND * WIDTH] = {0};
        float probability[PAIRS], dsum[WIDTH], sum[WIDTH];
        double dprobability[PAIRS] = {0};
        size_t kinds[2];
        int kind[2][SECOND], example[2][SECOND];
        struct dilp_room room = {0};
        random_stream random;
        random_start(&random, seed, 0);
        fill(f, FIRST, &random);
        fill(g, SECOND, &random);
        for (int i = 0; i < PAIRS; i++)
            probability[i] = (float)(1 + random_below(&random, 9)) / (10.0f * PAIRS);
        for (int x = 0; x < WIDTH; x++)
            dsum[x] = (float)random_below(&random, 7) - 3.0f;
        struct dilp_pairs pairs = {
            .width = WIDTH,
            .rows = {{FIRST, f, df, &kinds[0], kind[0], example[0]},
                     {SECOND, g, dg, &kinds[1], kind[1], example[1]}},
            .probability = probability,
        };
        assert_int_equal(dilp_room_reserve(&room, FIRST + SECOND, PAIRS, true), NLM_OK);
        for (int t = 0; t < 2; t++)
            dilp_rows_compare(&pairs.rows[t], WIDTH, &room);
        assert_true(kinds[0] <= FIRST - 2 && kinds[1] <= SECOND - 2);
        dilp_pairs_forward(sum, &pairs, &room);
        dilp_pairs_backward(dprobability, dsum, &pairs, &room);
        double total[WIDTH] = {0}, wanted_f[FIRST * WIDTH] = {0}, wanted_g[SECOND * WIDTH] = {0};
        for (int i = 0; i < PAIRS; i++) {
            double wanted = 0.0;
            for (int x = 0; x < WIDTH; x++) {
                int a = i / SECOND * WIDTH + x, b = i % SECOND * WIDTH + x;
                double most = fmax((double)f[a], (double)g[b]), p = (double)probability[i];
                total[x] += p * most;
                wanted += (double)dsum[x] * most;
                *(f[a] >= g[b] ? &wanted_f[a] : &wanted_g[b]) += p * (double)dsum[x];
            }
            assert_true(fabs(dprobability[i] - wanted) < 1e-5);
        }
        for (int x = 0; x < WIDTH; x++)
            assert_true(fabs((double)sum[x] - total[x]) < 1e-5);
        for (int i = 0; i < FIRST * WIDTH; i++)
            assert_true(fabs((double)df[i] - wanted_f[i]) < 1e-5);
        for (int i = 0; i < SECOND * WIDTH; i++)
            assert_true(fabs((double)dg[i] - wanted_g[i]) < 1e-5);
        dilp_room_free(&room);
    }
}

static void what_is_no_number_stays_so(void **state)
{
    (void)state;
    float f[DILP_LANES] = {1.0f}, g[DILP_LANES] = {0.5f}, sum[DILP_LANES];
    const float probability = NAN;
    size_t kinds[2];
    int kind[2], example[2];
    struct dilp_room room = {0};
    struct dilp_pairs pairs = {
        .width = DILP_LANES,
        .rows = {{1, f, NULL, &kinds[0], &kind[0], &example[0]},
                 {1, g, NULL, &kinds[1], &kind[1], &example[1]}},
        .probability = &probability,
    };
    assert_int_equal(dilp_room_reserve(&room, 2, 1, false), NLM_OK);
    for (int t = 0; t < 2; t++)
        dilp_rows_compare(&pairs.rows[t], DILP_LANES, &room);
    dilp_pairs_forward(sum, &pairs, &room);
    assert_true(isnan(sum[0]));
    dilp_room_free(&room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_as_defined),
        cmocka_unit_test(what_is_no_number_stays_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
