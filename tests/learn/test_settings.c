/* Settings in general, with a table of our own: texts that hold every bit, ranges, and comparisons. */
#include "learn/settings.h"

#include <float.h>
#include "learn/agents.h"

typedef struct diet {
    int apples, budget;
    double share;
    uint64_t seed;
} diet;

static const nlm_setting rows[] = {
    {.name = "apples", .type = NLM_WHOLE, .place = offsetof(diet, apples), -5, 1000, NLM_OF_TASKS},
    {.name = "share", .type = NLM_REAL, .place = offsetof(diet, share), 0, DBL_MAX, NLM_OF_TASKS},
    {.name = "seed", .type = NLM_SEED, .place = offsetof(diet, seed), 0, 0, NLM_OF_TASKS},
    {.name = "budget",
     .type = NLM_WHOLE,
     .place = offsetof(diet, budget),
     0,
     INT32_MAX,
     NLM_OF_TASKS,
     .may_change = true},
    {.name = "figs", .type = NLM_WHOLE, .place = offsetof(diet, apples), 0, 1, NLM_OF_GAMES},
};
static const struct settings_table table = {rows, COUNT(rows), NLM_OF_TASKS};
enum { APPLES, SHARE, SEED, BUDGET };

static const diet plain = {.apples = 3, .share = 0.1, .seed = 7, .budget = 10};

/* ---- texts ---- */

static void assert_survives(int row, const diet *from)
{
    diet to = plain;
    char text[NLM_SETTING_TEXT];
    setting_print(&rows[row], from, text);
    if (setting_set(&rows[row], &to, text, NULL))
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
    char text[NLM_SETTING_TEXT];
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
        nlm_error error;
        if (!setting_set(&rows[bad[i].row], &after, bad[i].text, &error))
            fail_msg("%s '%s' is taken for a number", rows[bad[i].row].name, bad[i].text);
        assert_memory_equal(&after, &plain, sizeof after);
        assert_int_equal(strncmp(error.message, rows[bad[i].row].name, strlen(rows[bad[i].row].name)), 0);
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

static nlm_status compare(diet found, nlm_error *error)
{
    return settings_compare_rows(table, &found, &plain, "f", error);
}

static void what_differs_is_told(void **state)
{
    (void)state;
    nlm_error error = {NLM_OK, ""};
    CHECK(compare(plain, &check_error));
    CHECK(compare((diet){3, 99, 0.1, 7}, &check_error)); /* the budget may change */
    assert_int_equal(compare((diet){4, 10, 0.1, 7}, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "f: a run with apples 4, not 3");
    assert_int_equal(compare((diet){3, 10, nextafter(0.1, 1), 7}, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "share 0.10000000000000002, not 0.1");
    assert_int_equal(compare((diet){3, 10, 0.1, UINT64_MAX}, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "seed 18446744073709551615, not 7");
}

/* ---- by name ---- */

static void assert_set(nlm_settings *settings, const char *name, const char *text)
{
    char got[NLM_SETTING_TEXT];
    CHECK(nlm_settings_set(settings, name, text, &check_error));
    assert_true(nlm_settings_get(settings, name, got));
    assert_string_equal(got, text);
}

static void assert_not_set(const nlm_settings *settings, const char *name, const char *text,
                           const char *cause)
{
    nlm_settings after = *settings;
    nlm_error error = {NLM_OK, ""};
    assert_int_equal(nlm_settings_set(&after, name, text, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, cause);
    assert_memory_equal(&after, settings, sizeof after);
    assert_int_equal(nlm_settings_set(&after, name, text, NULL), NLM_BAD_ARGUMENT);
}

static void settings_are_set_by_name(void **state)
{
    (void)state;
    nlm_settings task, game;
    CHECK(nlm_settings_of_task(nlm_task_find("uncle"), NLM_PROTOCOL_BEST, &task, &check_error));
    CHECK(nlm_settings_of_game(nlm_game_find("sort"), NLM_PROTOCOL_BEST, &game, &check_error));
    assert_set(&task, "lr", "0.25");
    assert_true(task.lr == 0.25);
    assert_set(&task, "seed", "18446744073709551615");
    assert_set(&task, "depth", "7");
    assert_int_equal(task.spec.depth, 7);
    assert_set(&task, "residual", "1");
    assert_true(task.spec.residual);
    assert_set(&task, "hidden", "16,8");
    assert_true(task.spec.hidden_layers == 2 && task.spec.hidden[0] == 16 && task.spec.hidden[1] == 8);
    assert_set(&task, "hidden", "0");
    assert_int_equal(task.spec.hidden_layers, 0);
    assert_not_set(&task, "rate", "1", "rate is no setting");
    assert_not_set(&task, NULL, "1", "nlm_settings_set: a required argument is NULL");
    assert_not_set(&task, "lr", NULL, "nlm_settings_set: a required argument is NULL");
    assert_not_set(&task, "lr", "fast", "lr wants a number, not 'fast'");
    assert_not_set(&task, "lr", " 1", "lr wants a number, not ' 1'");
    assert_not_set(&task, "lr", "-1", "lr -1 is not between 0 and 1000");
    assert_not_set(&task, "epochs", "1.5", "epochs wants a whole number, not '1.5'");
    assert_not_set(&task, "residual", "2", "residual 2 is not between 0 and 1");
    assert_not_set(&task, "hidden", "1,2,3,4,5", "hidden takes at most 4 numbers, not all of '1,2,3,4,5'");
    assert_not_set(&task, "hidden", "8,", "hidden wants comma-separated whole numbers, not '8,'");
    assert_not_set(&task, "hidden", "8,0", "hidden 0 is not between 1 and 4096");
    assert_not_set(&task, "episodes", "9", "episodes is for games, not for uncle, which has epochs");
    assert_not_set(&game, "objects", "9",
                   "objects is for tasks, not for sort, which has first_lesson and last_lesson");
    assert_not_set(&game, "positives", "1",
                   "positives is for tasks and facts, learned from examples, not for sort");
    assert_not_set(&(nlm_settings){.seed = 1}, "objects", "9", "objects is for tasks, not for facts");
    CHECK(nlm_settings_use_model(&task, "memnn", &check_error));
    assert_not_set(&task, "breadth", "3", "breadth means nothing to the model memnn");
    assert_set(&task, "width", "5");
    char text[NLM_SETTING_TEXT];
    assert_false(nlm_settings_get(&task, "rate", text));
}

/* A smaller batch takes fewer worlds of each kind; what is set afterwards stays. */
static void what_depends_on_a_setting_follows(void **state)
{
    (void)state;
    nlm_settings task, game;
    CHECK(nlm_settings_of_task(nlm_task_find("uncle"), NLM_PROTOCOL_BEST, &task, &check_error));
    assert_true(task.positives == 3 && task.deep == 2 && task.replay == 1);
    assert_set(&task, "batch", "2");
    assert_true(task.positives == 2 && task.deep == 2 && task.replay == 1);
    assert_set(&task, "batch", "1");
    assert_true(task.positives == 1 && task.deep == 1 && task.replay == 0);
    assert_set(&task, "positives", "3"); /* refused when the run begins */
    CHECK(nlm_settings_of_game(nlm_game_find("blocks"), NLM_PROTOCOL_BEST, &game, &check_error));
    assert_true(game.rollouts == 8 && game.greedy_rollouts == 1 && game.final_objects == 24);
    assert_set(&game, "batch", "16");
    assert_int_equal(game.rollouts, 8);
    assert_set(&game, "batch", "4");
    assert_int_equal(game.rollouts, 4);
    assert_set(&game, "rollouts", "0");
    assert_int_equal(game.greedy_rollouts, 0);
    assert_set(&game, "last_lesson", "7");
    assert_int_equal(game.final_objects, 14);
    assert_set(&game, "final_objects", "0");
    assert_set(&game, "last_lesson", "8");
    assert_int_equal(game.final_objects, 0);
}

/* Help, command line and `nlm show` are made of the rows. */
static void rows_are_complete(void **state)
{
    (void)state;
    for (int i = 0; i < nlm_setting_count(); i++) {
        const nlm_setting *row = nlm_setting_at(i);
        assert_true(row->help && strlen(row->help) > 4 && (row->argument || row->type == NLM_FLAG));
        assert_true(row->runs && row->runs <= NLM_OF_ALL && !(row->fixed & ~row->runs));
        assert_true(row->least < row->most || row->type == NLM_SEED);
        assert_true(nlm_runs_name(row->runs & ~row->fixed)[0] || row->runs == NLM_OF_ALL);
        if (row->absent)
            CHECK(nlm_setting_check(row, row->absent, &check_error));
        for (int k = 0; k < 3; k++)
            if (row->shown[k])
                assert_true(strstr(row->shown[k], ": ") && strpbrk(row->shown[k], "#%?"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_survive_as_texts),
        cmocka_unit_test(texts_have_no_more_digits_than_they_need),
        cmocka_unit_test(texts_that_are_no_such_number_change_nothing),
        cmocka_unit_test(ranges_include_their_ends),
        cmocka_unit_test(what_differs_is_told),
        cmocka_unit_test(settings_are_set_by_name),
        cmocka_unit_test(what_depends_on_a_setting_follows),
        cmocka_unit_test(rows_are_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
