/* Fewer labels of a batch: a random part of them, never none where there were some, never others. */
#include <math.h>
#include "test.h"

#include "base/random.h"
#include "world/batch.h"

enum { OBJECTS = 30, PLACES = OBJECTS * OBJECTS, PAIRS = OBJECTS * (OBJECTS - 1) };

/* Two worlds with two targets: of arity 1, a third of each kind of label; of arity 2, the same unless all are
 * to be unlabelled but `only` of them. */
static nlm_batch *new_batch(int only)
{
    static const int inputs[] = {0, 1, 0};
    static float facts[OBJECTS];
    static signed char labels[PLACES];
    const float *tensors[] = {NULL, facts, NULL};
    nlm_batch *batch;
    assert_int_equal(nlm_batch_new(inputs, 2, &batch, NULL), NLM_OK);
    for (int w = 0; w < 2; w++) {
        assert_int_equal(nlm_batch_add_tensors(batch, OBJECTS, tensors, NULL), NLM_OK);
        for (int i = 0; i < PLACES; i++)
            labels[i] = (signed char)(i % 3 - 1);
        assert_int_equal(nlm_batch_add_labels(batch, 0, 1, labels, NULL), NLM_OK);
        for (int i = 0; i < PLACES && only >= 0; i++)
            labels[i] = w == 0 && i > 0 && i <= only ? NLM_TRUE : NLM_UNLABELLED;
        assert_int_equal(nlm_batch_add_labels(batch, 1, 2, labels, NULL), NLM_OK);
    }
    return batch;
}

/* The labels of target t, as they lie. */
static signed char *labels_of(const nlm_batch *batch, int t, size_t *count)
{
    *count = t == 0 ? 2 * OBJECTS : 2 * PAIRS;
    return batch->labels[t].data;
}

static size_t count_labels(const nlm_batch *batch, int t)
{
    size_t count, found = 0;
    const signed char *labels = labels_of(batch, t, &count);
    for (size_t i = 0; i < count; i++)
        found += labels[i] != NLM_UNLABELLED;
    return found;
}

static void thin(nlm_batch *batch, uint64_t seed, double share)
{
    random_stream random;
    random_start(&random, seed, 0);
    batch_thin_labels(batch, &random, share);
}

/* Every label that is left is the one that was there. */
static void assert_part_of(const nlm_batch *batch, const nlm_batch *whole)
{
    for (int t = 0; t < 2; t++) {
        size_t count;
        const signed char *now = labels_of(batch, t, &count), *before = labels_of(whole, t, &count);
        for (size_t i = 0; i < count; i++)
            assert_true(now[i] == before[i] || now[i] == NLM_UNLABELLED);
    }
}

static void the_share_is_kept_and_nothing_invented(void **state)
{
    (void)state;
    static const double shares[] = {0.1, 0.5, 0.9};
    nlm_batch *whole = new_batch(-1);
    const double all = (double)count_labels(whole, 1);
    for (size_t s = 0; s < sizeof shares / sizeof *shares; s++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            nlm_batch *batch = new_batch(-1);
            thin(batch, seed, shares[s]);
            assert_part_of(batch, whole);
            const double spread = sqrt(all * shares[s] * (1 - shares[s]));
            assert_true(fabs((double)count_labels(batch, 1) - all * shares[s]) < 4 * spread);
            assert_true(count_labels(batch, 0) >= 1);
            nlm_batch_free(batch);
        }
    nlm_batch_free(whole);
}

/* Both kinds of labels are left in their proportion. */
static void true_and_false_are_alike(void **state)
{
    (void)state;
    size_t found[2] = {0};
    for (uint64_t seed = 0; seed < 20; seed++) {
        size_t count;
        nlm_batch *batch = new_batch(-1);
        thin(batch, seed, 0.2);
        const signed char *labels = labels_of(batch, 1, &count);
        for (size_t i = 0; i < count; i++)
            if (labels[i] != NLM_UNLABELLED)
                found[labels[i] == NLM_TRUE]++;
        nlm_batch_free(batch);
    }
    const double sum = (double)(found[0] + found[1]);
    assert_true(fabs((double)found[1] / sum - 0.5) < 0.04);
}

static void one_label_is_left_and_any_may_be_it(void **state)
{
    (void)state;
    enum { ONLY = 4, SEEDS = 400 };
    int times[2 * PAIRS] = {0}, places = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        size_t count;
        nlm_batch *batch = new_batch(ONLY);
        assert_int_equal(count_labels(batch, 1), ONLY);
        thin(batch, seed, 1e-9);
        assert_int_equal(count_labels(batch, 0), 1);
        assert_int_equal(count_labels(batch, 1), 1);
        const signed char *labels = labels_of(batch, 1, &count);
        for (size_t i = 0; i < count; i++)
            times[i] += labels[i] == NLM_TRUE;
        nlm_batch_free(batch);
    }
    for (int i = 0; i < 2 * PAIRS; i++) {
        places += times[i] > 0;
        assert_true(times[i] == 0 || (times[i] > SEEDS / ONLY - 40 && times[i] < SEEDS / ONLY + 40));
    }
    assert_int_equal(places, ONLY);
}

static void without_labels_there_are_none(void **state)
{
    (void)state;
    nlm_batch *batch = new_batch(0);
    assert_int_equal(count_labels(batch, 1), 0);
    thin(batch, 1, 0.5);
    assert_int_equal(count_labels(batch, 1), 0);
    nlm_batch_clear(batch); /* no worlds, no targets */
    thin(batch, 1, 0.5);
    nlm_batch_free(batch);
}

static void a_share_of_one_keeps_all(void **state)
{
    (void)state;
    nlm_batch *batch = new_batch(-1), *whole = new_batch(-1);
    thin(batch, 3, 1.0);
    assert_part_of(batch, whole);
    for (int t = 0; t < 2; t++)
        assert_int_equal(count_labels(batch, t), count_labels(whole, t));
    nlm_batch_free(batch);
    nlm_batch_free(whole);
}

static void the_same_stream_leaves_the_same_labels(void **state)
{
    (void)state;
    nlm_batch *batches[3];
    for (int b = 0; b < 3; b++) {
        batches[b] = new_batch(-1);
        thin(batches[b], b == 2 ? 8 : 7, 0.3);
    }
    for (int t = 0; t < 2; t++) {
        size_t count;
        const signed char *labels = labels_of(batches[0], t, &count);
        assert_memory_equal(labels, labels_of(batches[1], t, &count), count);
        assert_memory_not_equal(labels, labels_of(batches[2], t, &count), count);
    }
    for (int b = 0; b < 3; b++)
        nlm_batch_free(batches[b]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_share_is_kept_and_nothing_invented),
        cmocka_unit_test(true_and_false_are_alike),
        cmocka_unit_test(one_label_is_left_and_any_may_be_it),
        cmocka_unit_test(without_labels_there_are_none),
        cmocka_unit_test(a_share_of_one_keeps_all),
        cmocka_unit_test(the_same_stream_leaves_the_same_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
