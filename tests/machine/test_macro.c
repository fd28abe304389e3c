/* Macro accuracy on hand-made logits against its formula. */
#include "hand_logits.h"

/* Of the tuples that begin with the same objects, or of arity 1 of a world. */
static double macro_by_formula(const struct fixture *f, int head)
{
    double sum = 0.0;
    int groups = 0;
    for (int w = 0; w < WORLDS; w++)
        for (size_t first = 0; first < cells(w, head + 1); first += (size_t)objects[w]) {
            double asked[2] = {0}, right[2] = {0};
            for (size_t i = first; i < first + (size_t)objects[w]; i++) {
                int label = f->labels[w][head][i];
                if (repeats(w, head + 1, i) || label == NLM_UNLABELLED)
                    continue;
                asked[label]++;
                right[label] += (f->logits[w][head][i] > 0.0f) == (label == NLM_TRUE);
            }
            if (asked[0] + asked[1] == 0.0)
                continue;
            groups++;
            for (int kind = 0; kind < 2; kind++)
                sum += asked[kind] == 0.0 ? 0.5 : 0.5 * right[kind] / asked[kind];
        }
    return sum / groups;
}

static void macro_accuracy_follows_its_formula(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++)
        for (int head = 0; head < HEADS; head++) {
            struct fixture *f = make(seed);
            double got;
            load(f, true);
            forward(f, false);
            assert_int_equal(nlm_pass_macro(f->pass, head, 1, head, &got, NULL), NLM_OK);
            assert_near(got, macro_by_formula(f, head), 1e-12);
            assert_int_equal(nlm_pass_macro(f->pass, head, 1, HEADS, &got, NULL), NLM_BAD_ARGUMENT);
            free_fixture(f);
        }
}

static void without_labels_nothing_is_wrong(void **state)
{
    (void)state;
    struct fixture *f = make(3);
    double macro;
    for (int w = 0; w < WORLDS; w++)
        memset(f->labels[w][TWO], NLM_UNLABELLED, CELLS);
    load(f, true);
    forward(f, false);
    assert_int_equal(nlm_pass_macro(f->pass, TWO, 1, TWO, &macro, NULL), NLM_OK);
    assert_true(macro == 1.0);
    free_fixture(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(macro_accuracy_follows_its_formula),
        cmocka_unit_test(without_labels_nothing_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
