/* The outcomes of nlm reproduce, to a file and back: whole ones are read as they were, no damaged one is. */
#include <unistd.h>
#include "test.h"
#include "reproduce.h"

enum { TEXT_SIZE = 2048 };

static char folder[] = "/tmp/nlm-reproduce-XXXXXX";

static int index_of(const char *name)
{
    int index = 0;
    while (strcmp(reproduce_name(index), name) != 0)
        index++;
    return index;
}

static outcome example(const char *name)
{
    const bool game = reproduce_subject(index_of(name)).game != NULL;
    const reproduction all = {.worlds = 200};
    const int worlds = reproduce_worlds(&all, index_of(name));
    return (outcome){.subject = index_of(name),
                     .seed = 3,
                     .finished = true,
                     .budget = 1000,
                     .graduated = true,
                     .rounds = 14,
                     .restarts = 1,
                     .learned = 14000,
                     .seconds = 12.25,
                     .test_seconds = -1,
                     .tests = {{.asked = worlds,
                                .right = 0.975,
                                .macro = game ? -1 : 0.875,
                                .squared_error = game ? -1 : 0.03125,
                                .moves = game ? 7.5 : -1,
                                .optimal_moves = game ? 7.25 : -1,
                                .first_failure = 11},
                               {.asked = worlds,
                                .right = 1,
                                .macro = game ? -1 : 1,
                                .squared_error = game ? -1 : 0,
                                .moves = game ? 45.5 : -1,
                                .optimal_moves = -1,
                                .first_failure = -1}}};
}

static reproduction settings(void)
{
    return (reproduction){.folder = folder, .protocol = NLM_PROTOCOL_BEST, .worlds = 200};
}

/* ---- files ---- */

static void write_text(const outcome *one, char text[TEXT_SIZE])
{
    const reproduction all = settings();
    FILE *file = fmemopen(text, TEXT_SIZE, "w");
    assert_non_null(file);
    outcome_write(file, &all, one);
    fclose(file);
}

static outcome_found read_text(const char *text, size_t length, outcome *one)
{
    const reproduction all = settings();
    char path[REPRODUCE_PATH];
    nlm_error error;
    assert_true(folder_path(&all, reproduce_name(one->subject), path));
    assert_true(crew_make_folder(path, &error));
    assert_true(outcome_path(&all, one, "json", path));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fwrite(text, 1, length, file);
    fclose(file);
    const outcome_found found = outcome_read(&all, one);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(one->finished, found == OUTCOME_READ);
    return found;
}

/* The text with one part of it replaced. */
static outcome_found read_replaced(const char *text, const char *part, const char *by, outcome *one)
{
    char changed[2 * TEXT_SIZE];
    const char *at = strstr(text, part);
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, by, at + strlen(part));
    return read_text(changed, strlen(changed), one);
}

/* ---- tests ---- */

static void whole_outcomes_are_read_as_they_were(void **state)
{
    (void)state;
    static const char *const names[] = {"uncle", "sort", "uncle-memnn", "path-memnn", "ilp-fizz-dilp"};
    for (size_t i = 0; i < COUNT(names); i++) {
        outcome made = example(names[i]);
        char text[TEXT_SIZE], again[TEXT_SIZE];
        write_text(&made, text);
        outcome found = {.subject = made.subject, .seed = made.seed};
        assert_int_equal(read_text(text, strlen(text), &found), OUTCOME_READ);
        write_text(&found, again);
        assert_string_equal(again, text);
        assert_true(found.seconds == 12.25 && found.test_seconds == -1 && found.tests[0].right == 0.975);
        assert_true(found.tests[0].macro == made.tests[0].macro);
        assert_true(found.tests[0].squared_error == made.tests[0].squared_error);
        assert_int_equal(found.budget, 1000);
        assert_int_equal(found.tests[0].first_failure, 11);
        assert_int_equal(found.tests[1].first_failure, -1);
    }
    const reproduction all = settings();
    outcome none = {.subject = 0, .seed = 77};
    assert_int_equal(outcome_read(&all, &none), OUTCOME_NONE);
}

static void cut_outcomes_are_not_read(void **state)
{
    (void)state;
    const outcome made = example("sort");
    char text[TEXT_SIZE];
    write_text(&made, text);
    for (size_t length = 0; length < strlen(text); length++) {
        outcome found = {.subject = made.subject, .seed = made.seed};
        assert_int_equal(read_text(text, length, &found), OUTCOME_BROKEN);
    }
}

static void wrong_values_are_not_read(void **state)
{
    (void)state;
    static const struct {
        const char *part, *by;
        outcome_found found;
    } cases[] = {
        {"\"sort\"", "\"path\"", OUTCOME_BROKEN},
        {"\"sort\"", "7", OUTCOME_BROKEN},
        {"\"nlm\"", "\"memnn\"", OUTCOME_BROKEN},
        {"\"nlm\"", "null", OUTCOME_BROKEN},
        {"\"budget\": 1000", "\"budget\": -1", OUTCOME_BROKEN},
        {"\"budget\": 1000", "\"budget\": \"1000\"", OUTCOME_BROKEN},
        {"\"seed\": 3", "\"seed\": 4", OUTCOME_BROKEN},
        {"\"seed\": 3", "\"seed\": \"3\"", OUTCOME_BROKEN},
        {"\"best\"", "\"paper\"", OUTCOME_OTHER},
        {"\"best\"", "\"worst\"", OUTCOME_BROKEN},
        {"\"best\"", "null", OUTCOME_BROKEN},
        {"\"worlds\": 200", "\"worlds\": 1000", OUTCOME_OTHER},
        {"\"worlds\": 200", "\"worlds\": 200.5", OUTCOME_BROKEN},
        {"\"graduated\": true", "\"graduated\": 1", OUTCOME_BROKEN},
        {"\"exams\": 14", "\"exams\": -1", OUTCOME_BROKEN},
        {"\"exams\": 14", "\"exams\": 1e99", OUTCOME_BROKEN},
        {"\"exams\": 14", "\"epochs\": 14", OUTCOME_BROKEN},
        {"\"restarts\": 1", "\"restarts\": []", OUTCOME_BROKEN},
        {"\"episodes\": 14000", "\"episodes\": {}", OUTCOME_BROKEN},
        {"\"seconds\": 12.250", "\"seconds\": \"12\"", OUTCOME_BROKEN},
        {"\"seconds\": 12.250", "\"seconds\": null", OUTCOME_READ},
        {"\"tests\": [", "\"tests\": [1, ", OUTCOME_BROKEN},
        {"\"objects\": 10", "\"objects\": 11", OUTCOME_BROKEN},
        {"\"asked\": 200", "\"asked\": 19", OUTCOME_BROKEN},
        {"\"share\": 0.975", "\"share\": 1.1", OUTCOME_BROKEN},
        {"\"flawless\": false", "\"flawless\": 0", OUTCOME_BROKEN},
        {"\"first_failure\": 11", "\"first_failure\": 200", OUTCOME_BROKEN},
        {"\"first_failure\": 11", "\"first_failure\": -2", OUTCOME_BROKEN},
        {"\"flawless\": false", "\"flawless\": true", OUTCOME_BROKEN},
        {"\"flawless\": true", "\"flawless\": false", OUTCOME_BROKEN},
        {"\"first_failure\": 11", "\"first_failure\": null", OUTCOME_BROKEN},
        {"\"first_failure\": null", "\"first_failure\": 3", OUTCOME_BROKEN},
        {"\"share\": 0.975", "\"share\": 1", OUTCOME_BROKEN},
        {"\"share\": 1,", "\"share\": 0.5,", OUTCOME_BROKEN},
        {"\"moves\": 7.5", "\"moves\": true", OUTCOME_BROKEN},
        {"\"moves\": 7.5", "\"moves\": null", OUTCOME_BROKEN},
        {"\"share\": 0.975, \"flawless\": false, \"first_failure\": 11, \"moves\": 7.5",
         "\"share\": 0, \"flawless\": false, \"first_failure\": 0, \"moves\": null", OUTCOME_READ},
    };
    const outcome made = example("sort");
    char text[TEXT_SIZE];
    write_text(&made, text);
    for (size_t i = 0; i < COUNT(cases); i++) {
        outcome one = {.subject = made.subject, .seed = 3};
        assert_int_equal(read_replaced(text, cases[i].part, cases[i].by, &one), cases[i].found);
    }
}

/* What earlier versions wrote: of the machine, without all that came later. */
static void older_outcomes_are_read(void **state)
{
    (void)state;
    static const char text[] =
        "{\"task\": \"uncle\", \"seed\": 3, \"protocol\": \"best\", \"worlds\": 200, \"graduated\": true, "
        "\"epochs\": 14, \"restarts\": 0, \"examples\": 14000, \"seconds\": 6.2, \"test_seconds\": 7.1, "
        "\"tests\": [{\"objects\": 20, \"asked\": 200, \"share\": 1, \"flawless\": true, \"first_failure\": "
        "null}, "
        "{\"objects\": 100, \"asked\": 200, \"share\": 1, \"flawless\": true, \"first_failure\": null}]}";
    outcome found = {.subject = index_of("uncle"), .seed = 3};
    assert_int_equal(read_text(text, strlen(text), &found), OUTCOME_READ);
    assert_int_equal(found.budget, 0);
    assert_true(found.tests[1].macro == -1 && found.tests[1].squared_error == -1);
    found.subject = index_of("uncle-memnn");
    assert_int_equal(read_text(text, strlen(text), &found), OUTCOME_BROKEN);
}

static void refused_runs_are_finished(void **state)
{
    (void)state;
    outcome made = {.subject = index_of("2-outdegree-dilp"), .seed = 3, .finished = true};
    char text[TEXT_SIZE];
    snprintf(made.refused, sizeof made.refused, "it would take \"12 GB\"");
    write_text(&made, text);
    assert_string_equal(
        text, "{\"task\": \"2-outdegree\", \"model\": \"dilp\", \"seed\": 3, \"protocol\": \"paper\", "
              "\"worlds\": 200, \"refused\": \"it would take \\\"12 GB\\\"\"}");
    outcome found = {.subject = made.subject, .seed = 3};
    assert_int_equal(read_text(text, strlen(text), &found), OUTCOME_READ);
    assert_string_equal(found.refused, made.refused);
    assert_int_equal(read_replaced(text, "\"refused\": \"it", "\"refused\": null, \"it\": \"", &found),
                     OUTCOME_BROKEN);
}

/* A run of --quick is not taken for a whole one, nor the other way round; unless nobody asks for it. */
static void budgets_are_not_mixed(void **state)
{
    (void)state;
    outcome made = example("sort-memnn");
    char text[TEXT_SIZE];
    made.tests[0].first_failure = 1; /* of two instances */
    made.budget = 300000;
    write_text(&made, text);
    outcome found = {.subject = made.subject, .seed = 3, .wanted = true};
    assert_int_equal(read_text(text, strlen(text), &found), OUTCOME_READ);
    assert_int_equal(read_replaced(text, "\"budget\": 300000", "\"budget\": 30000", &found), OUTCOME_OTHER);
    assert_int_equal(read_replaced(text, "\"budget\": 300000", "\"budget\": null", &found), OUTCOME_READ);
    found.wanted = false;
    assert_int_equal(read_replaced(text, "\"budget\": 300000", "\"budget\": 30000", &found), OUTCOME_READ);
}

/* Blocks take longest of what the machine learns, whatever the protocol. */
static void costs_are_known_for_all(void **state)
{
    (void)state;
    for (int protocol = 0; protocol < 2; protocol++) {
        reproduction all = {.protocol = (nlm_protocol)protocol, .worlds = 1000};
        const reproduce_cost most = reproduce_cost_of(&all, index_of("blocks"));
        for (int s = 0; s < reproduce_subjects(); s++) {
            const reproduce_cost cost = reproduce_cost_of(&all, s);
            assert_true(cost.known);
            assert_true(cost.train > 0 && cost.test > 0 && cost.share > 0 && cost.share <= 1);
            if (reproduce_model_of(s) == REPRODUCE_NLM)
                assert_true(cost.train + cost.test <= most.train + most.test);
        }
        all.quick = true;
        assert_true(reproduce_cost_of(&all, index_of("uncle-memnn")).train < 200);
    }
}

/* ---- what there is ---- */

static void all_models_have_their_subjects(void **state)
{
    (void)state;
    int count[REPRODUCE_MODELS][2] = {{0}};
    assert_true(reproduce_subjects() <= REPRODUCE_NAMES);
    for (int s = 0; s < reproduce_subjects(); s++) {
        count[reproduce_model_of(s)][reproduce_is_ilp(s)]++;
        assert_int_equal(reproduce_find(reproduce_subject(s), reproduce_model_of(s)), s);
        assert_int_equal(index_of(reproduce_name(s)), s);
        assert_true(reproduce_seeds(s, true) > 0 && reproduce_seeds(s, false) > reproduce_seeds(s, true));
    }
    assert_int_equal(count[REPRODUCE_NLM][0], 13);
    assert_int_equal(count[REPRODUCE_NLM][1], 20);
    assert_int_equal(count[REPRODUCE_MEMNN][0], 13);
    assert_int_equal(count[REPRODUCE_MEMNN][1], 0);
    assert_int_equal(count[REPRODUCE_DILP][0], 10);
    assert_int_equal(count[REPRODUCE_DILP][1], 20);
    assert_string_equal(reproduce_name(index_of("uncle-memnn")), "uncle-memnn");
    assert_string_equal(reproduce_task(index_of("uncle-memnn")), "uncle");
    assert_int_equal(reproduce_find((task_or_game){.game = nlm_game_find("sort")}, REPRODUCE_DILP), -1);
}

/* All but the machine on the tasks of differentiable ILP, and the latter on 2-outdegree. */
static void figures_were_published_for_all(void **state)
{
    (void)state;
    for (int s = 0; s < reproduce_subjects(); s++) {
        const published found = reproduce_published(s);
        const bool ilp = reproduce_is_ilp(s), dilp = reproduce_model_of(s) == REPRODUCE_DILP;
        const bool any = !ilp && s != index_of("2-outdegree-dilp");
        assert_int_equal(found.solved > 0, ilp && dilp);
        for (int size = 0; size < LEARNER_SIZES; size++) {
            assert_int_equal(found.share[size] >= 0, any);
            assert_true(found.share[size] <= 1 && found.macro[size] <= 1);
            assert_int_equal(found.macro[size] >= 0, any && reproduce_subject(s).game == NULL);
        }
    }
    const published sort = reproduce_published(index_of("sort-memnn"));
    assert_true(sort.share[1] == 0.9 && sort.moves[1] == 986.6);
}

/* Memory networks have their budget, or with --quick a tenth of it. */
static void quick_cuts_the_budget(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool quick;
        int budget;
    } cases[] = {{"has-father-memnn", false, 50},
                 {"has-father-memnn", true, 5},
                 {"sort-memnn", true, 30000},
                 {"sort", true, 1000}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const reproduction all = {.worlds = 20, .quick = cases[i].quick};
        subject made;
        assert_int_equal(reproduce_make(&all, index_of(cases[i].name), &made, NULL), NLM_OK);
        assert_int_equal(reproduce_budget(&made), cases[i].budget);
    }
}

static void commands_make_the_same_runs(void **state)
{
    (void)state;
    outcome runs[REPRODUCE_NAMES];
    char text[REPRODUCE_COMMAND];
    reproduction all = {.folder = folder, .worlds = 20, .runs = runs, .count = 3};
    runs[0] = (outcome){.subject = index_of("uncle"), .seed = 1};
    runs[1] = (outcome){.subject = index_of("sort"), .seed = 1};
    runs[2] = (outcome){.subject = index_of("path"), .seed = 1};
    assert_string_equal(
        reproduce_command(&all, text),
        "nlm reproduce --models nlm --tasks uncle,sort,path --seeds 1 --protocol best --worlds 20");
    runs[1].seed = 4;
    assert_string_equal(
        reproduce_command(&all, text),
        "nlm reproduce --models nlm --tasks uncle,path --seeds 1 --protocol best --worlds 20 && "
        "nlm reproduce --models nlm --tasks sort --seeds 4 --protocol best --worlds 20");
    runs[1].subject = index_of("uncle-memnn");
    runs[1].seed = 1;
    assert_string_equal(
        reproduce_command(&all, text),
        "nlm reproduce --models nlm --tasks uncle,path --seeds 1 --protocol best --worlds 20 && "
        "nlm reproduce --models memnn --tasks uncle --seeds 1 --protocol best --worlds 20");
    runs[2].subject = index_of("uncle-dilp");
    assert_string_equal(reproduce_command(&all, text),
                        "nlm reproduce --tasks uncle --seeds 1 --protocol best --worlds 20");
    runs[1].budget = 10; /* of 100 epochs */
    assert_string_equal(reproduce_command(&all, text),
                        "nlm reproduce --quick --tasks uncle --protocol best --worlds 20");
    for (int i = 0; i < all.count; i++)
        runs[i].seed = 2;
    assert_string_equal(
        reproduce_command(&all, text),
        "nlm reproduce --models nlm,dilp --tasks uncle --seeds 2 --protocol best --worlds 20 && "
        "nlm reproduce --quick --models memnn --tasks uncle --seeds 2 --protocol best --worlds 20");
    /* All that --quick makes, and all that there is. */
    for (int quick = 1; quick >= 0; quick--) {
        all.count = reproduce_subjects();
        for (int s = 0; s < all.count; s++)
            runs[s] = (outcome){.subject = s,
                                .seed = (uint64_t)reproduce_seeds(s, quick),
                                .budget = quick && reproduce_model_of(s) == REPRODUCE_MEMNN ? 1 : 0};
        assert_string_equal(reproduce_command(&all, text),
                            quick ? "nlm reproduce --quick --protocol best --worlds 20"
                                  : "nlm reproduce --protocol best --worlds 20");
    }
    for (int s = 0; s < all.count; s++)
        runs[s].seed = 10;
    assert_string_equal(reproduce_command(&all, text),
                        "nlm reproduce --seeds 10 --protocol best --worlds 20");
    /* The longest there is. */
    all.worlds = 1000000;
    all.protocol = NLM_PROTOCOL_PAPER;
    for (int s = 0; s < all.count; s++)
        runs[s].seed = UINT64_MAX - (uint64_t)s;
    reproduce_command(&all, text);
    assert_string_equal(text + strlen(text) - strlen("--worlds 1000000"), "--worlds 1000000");
    assert_true(strlen(text) < REPRODUCE_COMMAND - 1);
}

static void all_tasks_of_ilp_have_a_name(void **state)
{
    (void)state;
    outcome runs[REPRODUCE_NAMES];
    char text[REPRODUCE_COMMAND];
    reproduction all = {.folder = folder, .worlds = 20, .runs = runs};
    runs[all.count++] = (outcome){.subject = index_of("uncle"), .seed = 5};
    runs[all.count++] = (outcome){.subject = index_of("uncle-dilp"), .seed = 5};
    for (int s = 0; s < reproduce_subjects(); s++) {
        if (reproduce_is_ilp(s))
            runs[all.count++] = (outcome){.subject = s, .seed = 5};
    }
    assert_string_equal(
        reproduce_command(&all, text),
        "nlm reproduce --models nlm,dilp --tasks uncle,ilp --seeds 5 --protocol best --worlds 20");
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char path[REPRODUCE_PATH];
    const reproduction all = settings();
    for (int s = 0; s < reproduce_subjects(); s++) {
        if (folder_path(&all, reproduce_name(s), path))
            rmdir(path);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_outcomes_are_read_as_they_were),
        cmocka_unit_test(cut_outcomes_are_not_read),
        cmocka_unit_test(wrong_values_are_not_read),
        cmocka_unit_test(older_outcomes_are_read),
        cmocka_unit_test(refused_runs_are_finished),
        cmocka_unit_test(budgets_are_not_mixed),
        cmocka_unit_test(costs_are_known_for_all),
        cmocka_unit_test(all_models_have_their_subjects),
        cmocka_unit_test(figures_were_published_for_all),
        cmocka_unit_test(quick_cuts_the_budget),
        cmocka_unit_test(commands_make_the_same_runs),
        cmocka_unit_test(all_tasks_of_ilp_have_a_name),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
