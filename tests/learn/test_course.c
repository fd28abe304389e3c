/* Settings of courses: the defaults, what is refused, and what makes two runs different. */
#include "learn/courses.h"

/* The paper's courses, as its tables and the reference have them. */
static const struct row {
    const char *game;
    int arity, depth, breadth;
    bool twins;
    int first_lesson, last_lesson;
    double entropy, solved_share;
    int interval, exam, pool, episodes, patience;
    double validity;
} paper[] = {
    {"sort", 2, 3, 2, false, 4, 10, 0.01, 0.5, 200, 200, 20, 1000, 4000, 0},
    {"path", 1, 5, 3, false, 3, 12, 0.1, 0.5, 600, 3000, 300, 24000, 4000, 0},
    {"blocks", 2, 7, 2, true, 2, 12, 0.2, 0.6, 1000, 3000, 300, 50000, 5000, 0.1},
};

/* ---- defaults ---- */

static void assert_machine_of(const nlm_settings *course, const struct row *row)
{
    const nlm_spec *spec = &course->spec;
    assert_int_equal(spec->depth, row->depth);
    assert_int_equal(spec->breadth, row->breadth);
    assert_true(spec->residual);
    assert_int_equal(spec->width, 8);
    assert_int_equal(spec->hidden_layers, 0);
    assert_false(spec->own_widths);
    assert_int_equal(spec->outputs, 1u << (row->twins ? 1 : row->arity));
    assert_memory_equal(spec->inputs, course->game->inputs, sizeof spec->inputs);
}

static void assert_lessons_of(const nlm_settings *course, const struct row *row)
{
    assert_int_equal(course->first_lesson, row->first_lesson);
    assert_int_equal(course->last_lesson, row->last_lesson);
    assert_int_equal(course->episodes, row->episodes);
    assert_int_equal(course->interval, row->interval);
    assert_int_equal(course->exam, row->exam);
    assert_int_equal(course->final_exam, 2 * row->exam);
    assert_int_equal(course->pool, row->pool);
    assert_int_equal(course->patience, row->patience);
    assert_true(course->solved_share == row->solved_share);
    assert_true(course->slack == 0.005);
}

static void the_papers_protocol_is_the_papers(void **state)
{
    (void)state;
    assert_int_equal(nlm_games(), COUNT(paper));
    for (size_t i = 0; i < COUNT(paper); i++) {
        const nlm_game *game = nlm_game_find(paper[i].game);
        nlm_settings made;
        CHECK(nlm_settings_of_game(game, NLM_PROTOCOL_PAPER, &made, &check_error));
        assert_ptr_equal(made.game, game);
        assert_int_equal(made.protocol, NLM_PROTOCOL_PAPER);
        assert_int_equal(made.seed, 1);
        assert_int_equal(game->arity, paper[i].arity);
        assert_machine_of(&made, &paper[i]);
        assert_lessons_of(&made, &paper[i]);
        assert_true(made.lr == 0.005 && made.lr_decay == 0.9 && made.beta2 == 0.999);
        assert_true(made.entropy == paper[i].entropy && made.entropy_decay == 0.8);
        assert_true(made.discount == 0.99 && made.gain == 1);
        assert_true(made.validity == paper[i].validity);
        CHECK(settings_check_game(&made, &check_error));
    }
}

/* One episode per update, no baseline, nothing greedy but the final exam; it ends where it ends. */
static void the_papers_protocol_adds_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(paper); i++) {
        nlm_settings made;
        CHECK(nlm_settings_of_game(nlm_game_find(paper[i].game), NLM_PROTOCOL_PAPER, &made, &check_error));
        assert_int_equal(made.batch, 1);
        assert_int_equal(made.passes, 1);
        assert_int_equal(made.rollouts, 0);
        assert_int_equal(made.greedy_rollouts, 0);
        assert_int_equal(made.greedy_exams, 0);
        assert_int_equal(made.optimal_exams, 0);
        assert_int_equal(made.keep_failures, 0);
        assert_int_equal(made.final_objects, 0);
        assert_int_equal(made.restart, 0);
        assert_true(made.average == 0 && made.final_decay == 1);
    }
}

/* Its other settings are not the tests' business. */
static void the_best_protocol_learns_within_the_same_budget(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(paper); i++) {
        nlm_settings made;
        CHECK(nlm_settings_of_game(nlm_game_find(paper[i].game), NLM_PROTOCOL_BEST, &made, &check_error));
        assert_int_equal(made.protocol, NLM_PROTOCOL_BEST);
        assert_int_equal(made.seed, 1);
        assert_true(made.episodes <= paper[i].episodes);
        CHECK(settings_check_game(&made, &check_error));
    }
}

static void unknown_games_and_protocols_have_no_defaults(void **state)
{
    (void)state;
    nlm_settings made;
    nlm_error error;
    nlm_game unknown = *nlm_game_find("sort"), copied = unknown;
    unknown.name = "chess";
    assert_int_equal(nlm_settings_of_game(NULL, NLM_PROTOCOL_BEST, &made, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_settings_of_game(&unknown, NLM_PROTOCOL_BEST, &made, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "chess");
    assert_int_equal(nlm_settings_of_game(&copied, (nlm_protocol)7, &made, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "7");
    assert_int_equal(nlm_settings_of_game(NULL, NLM_PROTOCOL_PAPER, &made, NULL), NLM_BAD_ARGUMENT);
    CHECK(nlm_settings_of_game(&copied, NLM_PROTOCOL_BEST, &made, &check_error));
}

/* A game that nobody has found a way to learn is not learned in that of another. */
static void a_game_needs_a_recipe_for_the_protocol(void **state)
{
    (void)state;
    const nlm_preset presets[] = {{"depth", "2"}, {"breadth", "2"}, {NULL, NULL}};
    const nlm_preset unknown[] = {{"depths", "2"}, {NULL, NULL}}, bad[] = {{"depth", "0"}, {NULL, NULL}};
    const nlm_recipe paper_only[] = {{"paper", NULL, presets}, {NULL, NULL, NULL}};
    const nlm_recipe memnn_only[] = {{NULL, "memnn", presets}, {NULL, NULL, NULL}};
    const nlm_recipe misspelt[] = {{"paper", NULL, unknown}, {NULL, NULL, NULL}};
    const nlm_recipe impossible[] = {{"paper", NULL, bad}, {NULL, NULL, NULL}};
    nlm_game game = *nlm_game_find("sort");
    nlm_settings made = {.seed = 99};
    nlm_error error;
    game.recipes = paper_only;
    CHECK(nlm_settings_of_game(&game, NLM_PROTOCOL_PAPER, &made, &check_error));
    assert_int_equal(made.spec.depth, 2);
    assert_true(made.lr == 0.005);
    assert_int_equal(nlm_settings_of_game(&game, NLM_PROTOCOL_BEST, &made, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "the game sort has no recipe for the protocol best");
    game.recipes = memnn_only;
    assert_int_equal(nlm_settings_of_game(&game, NLM_PROTOCOL_PAPER, &made, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "no recipe for the protocol paper");
    game.recipes = NULL;
    assert_int_equal(nlm_settings_of_game(&game, NLM_PROTOCOL_PAPER, &made, NULL), NLM_BAD_ARGUMENT);
    game.recipes = misspelt;
    assert_int_equal(nlm_settings_of_game(&game, NLM_PROTOCOL_PAPER, &made, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "depths is no setting");
    game.recipes = impossible;
    assert_int_equal(nlm_settings_of_game(&game, NLM_PROTOCOL_PAPER, &made, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "depth 0 is not between 1 and");
}

/* ---- what is refused ---- */

/* By the check, and so by a student. */
static void assert_refused_course(const nlm_settings *course, nlm_status status, const char *cause)
{
    nlm_error error = {NLM_OK, ""};
    nlm_run *student = (nlm_run *)&error;
    assert_int_equal(settings_check_game(course, NULL), status);
    assert_int_equal(nlm_run_new(course, NULL, &student, &error), status);
    assert_null(student);
    assert_said(&error, status, cause);
}

static void *place_of(const nlm_setting *row, nlm_settings *course)
{
    return (char *)course + row->place;
}

static void numbers_out_of_range_are_refused(void **state)
{
    (void)state;
    const nlm_settings good = small_course(BLOCKS);
    for (int n = 0; n < course_table.count; n++) {
        if (!(course_table.rows[n].runs & course_table.runs))
            continue;
        const nlm_setting *row = &course_table.rows[n];
        nlm_settings bad = good;
        if (row->type == NLM_WHOLE) {
            *(int *)place_of(row, &bad) = (int)row->least - 1;
            assert_refused_course(&bad, NLM_BAD_ARGUMENT, row->name);
            *(int *)place_of(row, &bad) = (int)row->most + 1;
            assert_refused_course(&bad, NLM_BAD_ARGUMENT, row->name);
        } else if (row->type == NLM_REAL) {
            const double values[] = {nextafter(row->least, -1), nextafter(row->most, 1e9), NAN, INFINITY};
            for (size_t i = 0; i < COUNT(values); i++) {
                *(double *)place_of(row, &bad) = values[i];
                assert_refused_course(&bad, NLM_BAD_ARGUMENT, row->name);
            }
        }
    }
}

/* Shares above 1, an Adam that never forgets, and the like. */
static void ranges_are_what_they_must_be(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double least, most;
    } ranges[] = {{"discount", 0, 1},       {"solved_share", 0, 1},  {"slack", 0, 1},
                  {"lr_decay", 0, 1},       {"entropy_decay", 0, 1}, {"greedy_exams", 0, 1},
                  {"optimal_exams", 0, 1},  {"passes", 1, 1000},     {"rollouts", 0, NLM_MAX_EPISODES},
                  {"pool", 1, NLM_MAX_POOL}};
    for (size_t i = 0; i < COUNT(ranges); i++) {
        const nlm_setting *row = &course_table.rows[setting_called(ranges[i].name)];
        assert_true(row->least == ranges[i].least && row->most == ranges[i].most);
    }
    assert_true(course_table.rows[setting_called("beta2")].most < 1);
    assert_true(course_table.rows[setting_called("average")].most < 1);
}

/* Settings with one of them changed. */
#define WITH(change) (other = course, other.change, &other)

static void numbers_that_do_not_go_together_are_refused(void **state)
{
    (void)state;
    const nlm_settings course = small_course(SORT);
    nlm_settings other;
    assert_refused_course(WITH(last_lesson = 2), NLM_BAD_ARGUMENT, "last lesson, 2");
    assert_refused_course(WITH(validity = 0.1), NLM_BAD_ARGUMENT, "sort does not predict");
    assert_refused_course(WITH(exam = 0), NLM_BAD_ARGUMENT, "exam 0");
    assert_refused_course(WITH(batch = NLM_MAX_EPISODES + 1), NLM_BAD_ARGUMENT, "batch 1025");
    assert_refused_course(WITH(rollouts = 2), NLM_BAD_ARGUMENT, "batch of 1 ");
    assert_refused_course(WITH(greedy_rollouts = 1), NLM_BAD_ARGUMENT, "greedy_rollouts");
    assert_refused_course(WITH(final_objects = 1), NLM_BAD_ARGUMENT, "final_objects 1");
    assert_refused_course(WITH(final_objects = 5), NLM_BAD_ARGUMENT, "final_objects 5"); /* the last lesson */
    CHECK(settings_check_game(WITH(final_objects = 6), &check_error));
    other = course;
    other.batch = 6;
    other.rollouts = 4;
    assert_refused_course(&other, NLM_BAD_ARGUMENT, "4 of each instance");
    other.rollouts = 3;
    CHECK(settings_check_game(&other, &check_error));
    other.greedy_rollouts = 4;
    assert_refused_course(&other, NLM_BAD_ARGUMENT, "greedy_rollouts");
    other.greedy_rollouts = 3;
    CHECK(settings_check_game(&other, &check_error));
    const nlm_settings blocks = small_course(BLOCKS);
    assert_true(blocks.validity > 0);
    CHECK(settings_check_game(&blocks, &check_error));
}

static void a_course_needs_its_game(void **state)
{
    (void)state;
    const nlm_settings course = small_course(SORT);
    nlm_game unknown = *course.game;
    nlm_settings other;
    unknown.name = "chess";
    assert_refused_course(WITH(game = NULL), NLM_BAD_ARGUMENT, "needs a task, a game or facts");
    assert_refused_course(WITH(game = &unknown), NLM_BAD_ARGUMENT, "needs a task, a game or facts");
    assert_refused_course(NULL, NLM_BAD_ARGUMENT, "a required argument is NULL");
}

static void a_machine_that_cannot_play_is_refused(void **state)
{
    (void)state;
    const nlm_settings course = small_course(PATH);
    nlm_settings other;
    assert_refused_course(WITH(spec.inputs[1]++), NLM_BAD_SHAPE, "of arity 1, path has 2");
    assert_refused_course(WITH(spec.inputs[2] = 0), NLM_BAD_SHAPE, "of arity 2, path has 2");
    assert_refused_course(WITH(spec.outputs = 4), NLM_BAD_SHAPE, "outputs that score the moves of path");
    assert_int_equal(nlm_run_new(WITH(spec.depth = 0), NULL, &(nlm_run *){NULL}, NULL), NLM_BAD_ARGUMENT);
}

/* ---- two runs ---- */

static void assert_differ(const nlm_settings *found, const nlm_settings *wanted, const char *what)
{
    nlm_error error = {NLM_OK, ""};
    assert_int_equal(nlm_settings_compare(found, wanted, "some.file", &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, what);
    assert_int_equal(strncmp(error.message, "some.file: ", 11), 0);
    assert_int_equal(nlm_settings_compare(found, wanted, "some.file", NULL), NLM_BAD_ARGUMENT);
}

static nlm_settings with_another(const nlm_settings *course, const nlm_setting *row)
{
    nlm_settings other = *course;
    void *place = place_of(row, &other);
    switch (row->type) {
    case NLM_WHOLE:
        (*(int *)place)++;
        break;
    case NLM_REAL:
        *(double *)place = *(double *)place / 3 + 0.0625;
        break;
    case NLM_SEED:
        (*(uint64_t *)place) += UINT64_C(1) << 60;
        break;
    case NLM_WORD:
        *(unsigned *)place ^= 1;
        break;
    case NLM_FLAG:
        *(bool *)place = !*(bool *)place;
        break;
    case NLM_LIST:
        other.spec.hidden[other.spec.hidden_layers++] = 5;
        break;
    }
    return other;
}

static void every_number_but_the_budget_makes_another_run(void **state)
{
    (void)state;
    const nlm_settings one = small_course(BLOCKS);
    CHECK(nlm_settings_compare(&one, &one, "some.file", &check_error));
    for (int n = 0; n < course_table.count; n++) {
        if (!(course_table.rows[n].runs & course_table.runs))
            continue;
        const nlm_setting *row = &course_table.rows[n];
        const nlm_settings other = with_another(&one, row);
        char text[NLM_SETTING_TEXT];
        assert_int_equal(row->may_change, !strcmp(row->name, "episodes"));
        if (row->may_change) {
            CHECK(nlm_settings_compare(&one, &other, "some.file", &check_error));
            continue;
        }
        assert_differ(&one, &other, row->name);
        setting_print(row, &one, text);
        assert_differ(&one, &other, text);
        setting_print(row, &other, text);
        assert_differ(&one, &other, text);
    }
}

static void another_game_or_machine_makes_another_run(void **state)
{
    (void)state;
    const nlm_settings course = small_course(SORT);
    nlm_settings other;
    assert_differ(&course, WITH(game = nlm_game_at(PATH)), "a run of sort, not of path");
    assert_differ(&course, WITH(spec.depth++), "depth");
    assert_differ(&course, WITH(spec.breadth++), "breadth");
    assert_differ(&course, WITH(spec.residual = false), "residual");
    other = course;
    other.spec.hidden[other.spec.hidden_layers++] = 5;
    assert_differ(&course, &other, "hidden 0, not 5");
    assert_differ(&course, WITH(spec.own_widths = true), "width");
    assert_differ(&course, WITH(spec.outputs |= 2), "outputs");
    /* says only where the settings come from */
    CHECK(nlm_settings_compare(&course, WITH(protocol = NLM_PROTOCOL_BEST), "some.file", &check_error));
}

/* A setting that has no row would not be in files; data has none, and is written for itself. */
static void every_number_is_in_the_table(void **state)
{
    (void)state;
    size_t covered = 3 * sizeof(void *) + sizeof(nlm_protocol) + sizeof(nlm_spec) + sizeof(uint64_t);
    for (int n = 0; n < nlm_setting_count(); n++) {
        const nlm_setting *row = nlm_setting_at(n);
        for (int other = 0; other < n; other++) {
            assert_string_not_equal(row->name, nlm_setting_at(other)->name);
            assert_true(row->place != nlm_setting_at(other)->place);
        }
        if (row->place < offsetof(nlm_settings, spec) ||
            row->place >= offsetof(nlm_settings, spec) + sizeof(nlm_spec))
            covered += row->type == NLM_WHOLE || row->type == NLM_WORD ? sizeof(int) : sizeof(double);
    }
    assert_null(nlm_setting_at(-1));
    assert_null(nlm_setting_at(nlm_setting_count()));
    /* the rest is padding: before a double or seed that follows an int */
    assert_in_range(sizeof(nlm_settings) - covered, 0, 16 * sizeof(double));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_papers_protocol_is_the_papers),
        cmocka_unit_test(the_papers_protocol_adds_nothing),
        cmocka_unit_test(the_best_protocol_learns_within_the_same_budget),
        cmocka_unit_test(unknown_games_and_protocols_have_no_defaults),
        cmocka_unit_test(a_game_needs_a_recipe_for_the_protocol),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(ranges_are_what_they_must_be),
        cmocka_unit_test(numbers_that_do_not_go_together_are_refused),
        cmocka_unit_test(a_course_needs_its_game),
        cmocka_unit_test(a_machine_that_cannot_play_is_refused),
        cmocka_unit_test(every_number_but_the_budget_makes_another_run),
        cmocka_unit_test(another_game_or_machine_makes_another_run),
        cmocka_unit_test(every_number_is_in_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
