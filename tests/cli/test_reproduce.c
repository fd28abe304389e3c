/* The outcomes of nlm reproduce, to a file and back: whole ones are read as they were, no damaged one is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "reproduce.h"
#include "reproduce_layout.h"

enum { TEXT_SIZE = 2048 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

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
    return (outcome){.subject = index_of(name),
                     .seed = 3,
                     .finished = true,
                     .graduated = true,
                     .rounds = 14,
                     .restarts = 1,
                     .learned = 14000,
                     .seconds = 12.25,
                     .test_seconds = -1,
                     .tests = {{.asked = 20,
                                .share = 0.975,
                                .moves = game ? 7.5 : -1,
                                .optimal_moves = game ? 7.25 : -1,
                                .first_failure = 11,
                                .whole = true},
                               {.asked = 20,
                                .share = 1,
                                .moves = game ? 45.5 : -1,
                                .optimal_moves = -1,
                                .first_failure = -1,
                                .flawless = true,
                                .whole = true}}};
}

static reproduction settings(void)
{
    return (reproduction){.folder = folder, .protocol = NLM_PROTOCOL_BEST, .worlds = 20};
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
static outcome_found read_replaced(const char *text, const char *part, const char *by)
{
    char changed[2 * TEXT_SIZE];
    outcome one = {.subject = index_of("sort"), .seed = 3};
    const char *at = strstr(text, part);
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, by, at + strlen(part));
    return read_text(changed, strlen(changed), &one);
}

/* ---- tests ---- */

static void whole_outcomes_are_read_as_they_were(void **state)
{
    (void)state;
    static const char *const names[] = {"uncle", "sort"};
    for (size_t i = 0; i < COUNT(names); i++) {
        outcome made = example(names[i]);
        char text[TEXT_SIZE], again[TEXT_SIZE];
        write_text(&made, text);
        outcome found = {.subject = made.subject, .seed = made.seed};
        assert_int_equal(read_text(text, strlen(text), &found), OUTCOME_READ);
        write_text(&found, again);
        assert_string_equal(again, text);
        assert_true(found.seconds == 12.25 && found.test_seconds == -1 && found.tests[0].share == 0.975);
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
        {"\"seed\": 3", "\"seed\": 4", OUTCOME_BROKEN},
        {"\"seed\": 3", "\"seed\": \"3\"", OUTCOME_BROKEN},
        {"\"best\"", "\"paper\"", OUTCOME_OTHER},
        {"\"best\"", "\"worst\"", OUTCOME_BROKEN},
        {"\"best\"", "null", OUTCOME_BROKEN},
        {"\"worlds\": 20", "\"worlds\": 1000", OUTCOME_OTHER},
        {"\"worlds\": 20", "\"worlds\": 20.5", OUTCOME_BROKEN},
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
        {"\"asked\": 20", "\"asked\": 19", OUTCOME_BROKEN},
        {"\"share\": 0.975", "\"share\": 1.1", OUTCOME_BROKEN},
        {"\"flawless\": false", "\"flawless\": 0", OUTCOME_BROKEN},
        {"\"first_failure\": 11", "\"first_failure\": 20", OUTCOME_BROKEN},
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
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(read_replaced(text, cases[i].part, cases[i].by), cases[i].found);
}

/* Blocks take longest, whatever the protocol. */
static void costs_are_known_for_all(void **state)
{
    (void)state;
    assert_true(reproduce_subjects() <= REPRODUCE_NAMES);
    for (int protocol = 0; protocol < 2; protocol++) {
        const reproduce_cost most = reproduce_cost_of(index_of("blocks"), (nlm_protocol)protocol, 1000);
        for (int s = 0; s < reproduce_subjects(); s++) {
            const reproduce_cost cost = reproduce_cost_of(s, (nlm_protocol)protocol, 1000);
            assert_true(cost.known);
            assert_true(cost.train > 0 && cost.test > 0 && cost.share > 0 && cost.share <= 1);
            assert_true(cost.train + cost.test <= most.train + most.test);
        }
    }
}

static void tables_are_laid_out(void **state)
{
    (void)state;
    static const char *const wanted[] = {"task    right\nuncle   1 2 3\na-task\n",
                                         "| task | right |\n|---|---|\n| uncle | 1 2 3 |\n| a-task |  |\n"};
    layout table = {0};
    layout_add(&table, "task");
    layout_add(&table, "right");
    layout_end_row(&table);
    layout_add(&table, "%s", "uncle");
    layout_add(&table, "%d %d %d", 1, 2, 3);
    layout_end_row(&table);
    layout_add(&table, "a-task");
    layout_end_row(&table);
    for (int markdown = 0; markdown < 2; markdown++) {
        char *text = NULL;
        size_t size;
        FILE *file = open_memstream(&text, &size);
        layout_write(&table, file, markdown != 0);
        fclose(file);
        assert_string_equal(text, wanted[markdown]);
        free(text);
    }
    layout_free(&table);
}

/* ---- tables ---- */

static outcome made_by_hand(const char *name, uint64_t seed, mark small, mark large)
{
    return (outcome){.subject = index_of(name),
                     .seed = seed,
                     .finished = true,
                     .graduated = true,
                     .learned = 8000,
                     .seconds = 2,
                     .tests = {small, large}};
}

/* What follows the heading, whose date and processor nobody knows before. */
static void assert_tables(const reproduction *all, bool markdown, const char *expected)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    tables_write(file, all, markdown);
    fclose(file);
    const char *tables = strstr(text, markdown ? "\n\n## Tasks" : "\n\nTasks");
    assert_non_null(tables);
    assert_non_null(strstr(text, "; 1 to 4 seeds, tests on 20 worlds or instances of each size; "));
    assert_string_equal(tables + 2, expected);
    free(text);
}

/* clang-format off */
static const char text_of_tables[] =
"Tasks\n"
"\n"
"task   objects  paper: graduated  graduated  exact  paper: right  right           seconds  budget   examples\n"
"uncle  20, 100  90 %              2/4        1/4    100 %, 100 %  100 %, 99.50 %  3.5      100,000  8,000 8,000rr -r ?\n"
"\n"
"Games\n"
"\n"
"game    objects  paper: graduated  graduated  exact  paper: solved  solved          paper: moves  moves         to optimum    seconds  budget  episodes\n"
"sort    10, 50   100 %             2/2        1/2    100 %, 100 %   100 %, 50.00 %  8, 45         8.00, 50.00   1.000, 1.250  2.0      1,000   8,000 8,000\n"
"blocks  10, 50   40 %              1/1        1/1    100 %, 100 %   100 %, 100 %    12, 84        12.50, 12.50  -, -          -        50,000  8,000\n"
"\n"
"exact: graduated, and without any error in both tests.  right, solved, moves: means over the\n"
"graduated.  seconds: of training, on average.  examples, episodes: of each seed in order; -: not\n"
"graduated, r: a new beginning, ?: not finished.\n"
"\n"
"Failures\n"
"\n"
"- uncle, seed 2: graduated, but makes errors: at 20 objects 100 % right, at 100 objects 99.00 % right (the first failure is world 7)\n"
"- uncle, seed 3: not graduated; at 20 objects 99.00 % right (the first failure is world 7), at 100 objects 99.00 % right (the first failure is world 7)\n"
"- uncle, seed 4: not finished\n"
"- sort, seed 2: graduated, but makes errors: at 10 objects 100 % solved, at 50 objects 0.00 % solved (the first failure is instance 0)\n";

static const char markdown_of_tables[] =
"## Tasks\n"
"\n"
"| task | objects | paper: graduated | graduated | exact | paper: right | right | seconds | budget | examples |\n"
"|---|---|---|---|---|---|---|---|---|---|\n"
"| uncle | 20, 100 | 90 % | 2/4 | 1/4 | 100 %, 100 % | 100 %, 99.50 % | 3.5 | 100,000 | 8,000 8,000rr -r ? |\n"
"\n"
"## Games\n"
"\n"
"| game | objects | paper: graduated | graduated | exact | paper: solved | solved | paper: moves | moves | to optimum | seconds | budget | episodes |\n"
"|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
"| sort | 10, 50 | 100 % | 2/2 | 1/2 | 100 %, 100 % | 100 %, 50.00 % | 8, 45 | 8.00, 50.00 | 1.000, 1.250 | 2.0 | 1,000 | 8,000 8,000 |\n"
"| blocks | 10, 50 | 40 % | 1/1 | 1/1 | 100 %, 100 % | 100 %, 100 % | 12, 84 | 12.50, 12.50 | -, - | - | 50,000 | 8,000 |\n"
"\n"
"exact: graduated, and without any error in both tests.  right, solved, moves: means over the\n"
"graduated.  seconds: of training, on average.  examples, episodes: of each seed in order; -: not\n"
"graduated, r: a new beginning, ?: not finished.\n"
"\n"
"## Failures\n"
"\n"
"- uncle, seed 2: graduated, but makes errors: at 20 objects 100 % right, at 100 objects 99.00 % right (the first failure is world 7)\n"
"- uncle, seed 3: not graduated; at 20 objects 99.00 % right (the first failure is world 7), at 100 objects 99.00 % right (the first failure is world 7)\n"
"- uncle, seed 4: not finished\n"
"- sort, seed 2: graduated, but makes errors: at 10 objects 100 % solved, at 50 objects 0.00 % solved (the first failure is instance 0)\n";
/* clang-format on */

static void tables_have_the_numbers(void **state)
{
    (void)state;
    const mark right = {.share = 1, .flawless = true, .first_failure = -1, .moves = -1, .optimal_moves = -1};
    const mark wrong = {.share = 0.99, .first_failure = 7, .moves = -1, .optimal_moves = -1};
    const mark best = {.share = 1, .flawless = true, .first_failure = -1, .moves = 8, .optimal_moves = 8};
    const mark longer = {.share = 1, .flawless = true, .first_failure = -1, .moves = 50, .optimal_moves = 40};
    const mark unsolved = {.share = 0, .first_failure = 0, .moves = -1, .optimal_moves = -1};
    const mark unknown = {
        .share = 1, .flawless = true, .first_failure = -1, .moves = 12.5, .optimal_moves = -1};
    outcome runs[] = {made_by_hand("uncle", 1, right, right),     made_by_hand("uncle", 2, right, wrong),
                      made_by_hand("uncle", 3, wrong, wrong),     {.subject = index_of("uncle"), .seed = 4},
                      made_by_hand("sort", 1, best, longer),      made_by_hand("sort", 2, best, unsolved),
                      made_by_hand("blocks", 1, unknown, unknown)};
    runs[1].restarts = 2;
    runs[1].seconds = 5;
    runs[2].graduated = false;
    runs[2].restarts = 1;
    runs[2].seconds = -1;
    runs[6].seconds = -1;
    const reproduction all = {.folder = folder, .worlds = 20, .runs = runs, .count = (int)COUNT(runs)};
    assert_tables(&all, false, text_of_tables);
    assert_tables(&all, true, markdown_of_tables);
}

static void commands_make_the_same_runs(void **state)
{
    (void)state;
    outcome runs[2 * REPRODUCE_NAMES];
    char text[REPRODUCE_COMMAND];
    reproduction all = {.folder = folder, .worlds = 20, .runs = runs, .count = 3};
    runs[0] = (outcome){.subject = index_of("uncle"), .seed = 1};
    runs[1] = (outcome){.subject = index_of("sort"), .seed = 1};
    runs[2] = (outcome){.subject = index_of("path"), .seed = 1};
    assert_string_equal(reproduce_command(&all, text),
                        "nlm reproduce --tasks uncle,sort,path --seeds 1 --protocol best --worlds 20");
    runs[1].seed = 4;
    assert_string_equal(reproduce_command(&all, text),
                        "nlm reproduce --tasks uncle,path --seeds 1 --protocol best --worlds 20 && "
                        "nlm reproduce --tasks sort --seeds 4 --protocol best --worlds 20");
    all.count = reproduce_subjects();
    for (int s = 0; s < all.count; s++)
        runs[s] = (outcome){.subject = s, .seed = 10};
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
        cmocka_unit_test(costs_are_known_for_all),
        cmocka_unit_test(tables_are_laid_out),
        cmocka_unit_test(tables_have_the_numbers),
        cmocka_unit_test(commands_make_the_same_runs),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
