/* Settings in general, with a table of our own: texts that hold every bit, ranges, and comparisons. */
#include "learn/settings.h"

#include <float.h>
#include "learn/agents.h"

typedef struct diet {
    int apples, budget;
    double share;
    uint64_t seed;
} diet;

static const struct setting rows[] = {
    {"apples", SETTING_WHOLE, offsetof(diet, apples), -5, 1000, false, NULL, OF_TASKS},
    {"share", SETTING_REAL, offsetof(diet, share), 0, DBL_MAX, false, NULL, OF_TASKS},
    {"seed", SETTING_SEED, offsetof(diet, seed), 0, 0, false, NULL, OF_TASKS},
    {"budget", SETTING_WHOLE, offsetof(diet, budget), 0, INT32_MAX, true, NULL, OF_TASKS},
};
static const struct settings_table table = {rows, COUNT(rows), OF_TASKS};
enum { APPLES, SHARE, SEED, BUDGET };

static const diet plain = {.apples = 3, .share = 0.1, .seed = 7, .budget = 10};

/* ---- texts ---- */

static void assert_survives(int row, const diet *from)
{
    diet to = plain;
    char text[SETTING_TEXT_SIZE];
    setting_print(&rows[row], from, text);
    if (!setting_set(&rows[row], &to, text))
        fail_msg("%s '%s' is not read again", rows[row].name, text);
    assert_true(setting_equal(&rows[row], from, &to));
    assert_memory_equal(&to.share, &from->share, sizeof to.share);
    assert_true(to.apples == from->apples && to.seed == from->seed && to.budget == from->budget);
}

static void numbers_survive_as_texts(void **state)
{
    (void)state;
    static const double reals[] = {0, 0.1, 1.0 / 3, 0.005, 1e-8, 5e-324, DBL_MIN, DBL_MAX, 1 - DBL_EPSILON};
    static const uint64_t seeds[] = {0, 1, (UINT64_C(1) << 53) + 1, UINT64_MAX};
    static const int wholes[] = {-5, 0, 1, 999, 1000};
    for (size_t i = 0; i < COUNT(reals); i++)
        assert_survives(SHARE, &(diet){3, 10, reals[i], 7});
    for (size_t i = 0; i < COUNT(seeds); i++)
        assert_survives(SEED, &(diet){3, 10, 0.1, seeds[i]});
    for (size_t i = 0; i < COUNT(wholes); i++)
        assert_survives(APPLES, &(diet){wholes[i], 10, 0.1, 7});
    assert_survives(BUDGET, &(diet){3, INT32_MAX, 0.1, 7});
}

static void texts_have_no_more_digits_than_they_need(void **state)
{
    (void)state;
    char text[SETTING_TEXT_SIZE];
    setting_print(&rows[SHARE], &plain, text);
    assert_string_equal(text, "0.1");
    setting_print(&rows[SHARE], &(diet){.share = 0.1 + 0.2}, text);
    assert_string_equal(text, "0.30000000000000004");
    setting_print(&rows[SEED], &(diet){.seed = UINT64_MAX}, text);
    assert_string_equal(text, "18446744073709551615");
}

static void texts_that_are_no_such_number_change_nothing(void **state)
{
    (void)state;
    static const struct {
        int row;
        const char *text;
    } bad[] = {
        {APPLES, ""},     {APPLES, "-6"}, {APPLES, "1001"}, {APPLES, "1.5"}, {APPLES, "nan"},
        {APPLES, "x"},    {APPLES, "3 "}, {APPLES, "3,4"},  {SHARE, ""},     {SHARE, "-0.1"},
        {SHARE, "inf"},   {SHARE, "nan"}, {SHARE, "1e400"}, {SHARE, "0.1x"}, {SEED, ""},
        {SEED, "-1"},     {SEED, "+1"},   {SEED, " 1"},     {SEED, "1.0"},   {SEED, "18446744073709551616"},
        {BUDGET, "1e10"}, {BUDGET, "-1"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        diet after = plain;
        if (setting_set(&rows[bad[i].row], &after, bad[i].text))
            fail_msg("%s '%s' is taken for a number", rows[bad[i].row].name, bad[i].text);
        assert_memory_equal(&after, &plain, sizeof after);
    }
}

/* ---- ranges ---- */

static void assert_out_of_range(diet bad, const char *name)
{
    nlm_error error = {NLM_OK, ""};
    assert_int_equal(settings_check_ranges(table, &bad, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, name);
    assert_int_equal(settings_check_ranges(table, &bad, NULL), NLM_BAD_ARGUMENT);
}

static void ranges_include_their_ends(void **state)
{
    (void)state;
    CHECK(settings_check_ranges(table, &plain, &check_error));
    CHECK(settings_check_ranges(table, &((diet){-5, 0, 0, UINT64_MAX}), &check_error));
    CHECK(settings_check_ranges(table, &((diet){1000, INT32_MAX, DBL_MAX, 0}), &check_error));
    assert_out_of_range((diet){-6, 10, 0.1, 7}, "apples -6");
    assert_out_of_range((diet){1001, 10, 0.1, 7}, "apples 1001");
    assert_out_of_range((diet){3, 10, -1e-9, 7}, "share");
    assert_out_of_range((diet){3, 10, NAN, 7}, "share nan");
    assert_out_of_range((diet){3, 10, INFINITY, 7}, "share inf");
    assert_out_of_range((diet){3, -1, 0.1, 7}, "budget");
}

/* ---- two of them ---- */

static nlm_status compare(diet found, nlm_spec spec, nlm_error *error)
{
    const nlm_spec other = {.depth = 2, .breadth = 2, .width = 4, .outputs = 2};
    return settings_compare_rows(table, &found, &spec, &plain, &other, "f", error);
}

static void what_differs_is_told(void **state)
{
    (void)state;
    const nlm_spec spec = {.depth = 2, .breadth = 2, .width = 4, .outputs = 2};
    nlm_spec deeper = spec;
    nlm_error error = {NLM_OK, ""};
    CHECK(compare(plain, spec, &check_error));
    CHECK(compare((diet){3, 99, 0.1, 7}, spec, &check_error)); /* the budget may change */
    assert_int_equal(compare((diet){4, 10, 0.1, 7}, spec, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "f: a run with apples 4, not 3");
    assert_int_equal(compare((diet){3, 10, nextafter(0.1, 1), 7}, spec, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "share 0.10000000000000002, not 0.1");
    assert_int_equal(compare((diet){3, 10, 0.1, UINT64_MAX}, spec, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "seed 18446744073709551615, not 7");
    deeper.depth = 3;
    assert_int_equal(compare(plain, deeper, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "depth");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_survive_as_texts),
        cmocka_unit_test(texts_have_no_more_digits_than_they_need),
        cmocka_unit_test(texts_that_are_no_such_number_change_nothing),
        cmocka_unit_test(ranges_include_their_ends),
        cmocka_unit_test(what_differs_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
