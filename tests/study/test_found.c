/* Runs found in folders: logs, results and models, whole and damaged. */
#include "facts/files.h"
#include <math.h>
#include "nlm/facts.h"
#include "nlm/study.h"
#include "noted.h"

#define EPOCH(n)                                                                                             \
    "{\"epoch\": " #n ", \"loss\": 0." #n ", \"accuracy\": 0.9, \"examples\": " #n                           \
    "000, \"restarts\": 0, \"elapsed\": " #n "}\n"
#define EXAM(n, at, lesson, passed)                                                                          \
    "{\"exam\": " #n ", \"lesson\": " #lesson ", \"passed\": " passed ", \"episodes\": " #at                 \
    ", \"success\": 0.5, \"loss\": -0.1, \"entropy\": 1, \"restarts\": 0}\n"

static const char result[] =
    "{\"task\": \"uncle\", \"seed\": 3, \"protocol\": \"best\", \"graduated\": true, \"epochs\": 14,"
    " \"restarts\": 1, \"examples\": 14000, \"seconds\": 2.5, \"tests\": ["
    "{\"objects\": 20, \"asked\": 100, \"share\": 1, \"flawless\": true, \"first_failure\": null},"
    "{\"objects\": 100, \"asked\": 100, \"share\": 0.75, \"flawless\": false, \"first_failure\": 17}]}";

typedef struct found_list {
    nlm_found_runs *runs;
    notes_taken noted;
} found_list;

static void begin_list(found_list *list)
{
    *list = (found_list){0};
    assert_int_equal(nlm_found_new(take_note, &list->noted, &list->runs, NULL), NLM_OK);
}

static void add(found_list *list, const char *path)
{
    nlm_error error = {0};
    if (nlm_found_add(list->runs, path, &error))
        fail_msg("%s", error.message);
}

static void refused(const char *path, nlm_status status, const char *message)
{
    found_list list;
    nlm_error error = {0};
    begin_list(&list);
    assert_int_equal(nlm_found_add(list.runs, path, &error), status);
    assert_string_equal(error.message, message);
    assert_int_equal(nlm_found_count(list.runs), 0);
    nlm_found_free(list.runs);
}

/* ---- logs ---- */

static nlm_log read_log(const char *text, notes_taken *noted)
{
    nlm_log log;
    assert_int_equal(nlm_log_parse(text, strlen(text), "a.jsonl", take_note, noted, &log), NLM_OK);
    return log;
}

static void a_log_has_a_point_for_each_line(void **state)
{
    (void)state;
    notes_taken noted = {0};
    nlm_log log = read_log(EPOCH(1) "\n" EPOCH(2), &noted);
    assert_int_equal(log.kind, NLM_LOG_OF_EPOCHS);
    assert_int_equal(log.count, 2);
    assert_true(log.points[1].at == 2000 && log.points[1].loss == 0.2);
    assert_true(isnan(log.points[1].entropy));
    nlm_log_release(&log);
    log = read_log(EXAM(1, 400, 2, "true") EXAM(2, 400, 3, "false"), &noted);
    assert_int_equal(log.kind, NLM_LOG_OF_EXAMS);
    assert_true(log.points[0].passed && !log.points[1].passed && log.points[1].lesson == 3);
    assert_true(isnan(log.points[1].loss)); /* nothing was learned between the two */
    nlm_log_release(&log);
    assert_int_equal(noted.count, 0);
}

static void what_is_broken_is_left_out_and_noted(void **state)
{
    (void)state;
    static const struct {
        const char *text, *note;
        int count;
    } cases[] = {
        {EPOCH(1) "{\"epoch\": 2, \"lo", "a.jsonl: line 2 is cut off: left out", 1},
        {EPOCH(1) "{\"epoch\": 2, \"lo\n" EPOCH(3), "a.jsonl: line 2 is damaged: left out", 2},
        {"\x01\xff\n" EPOCH(1), "a.jsonl: line 1 is damaged: left out", 1},
        {"[1]\n", "a.jsonl: line 1 is damaged: left out", 0},
        {"{\"epoch\": 1, \"examples\": 1e999}\n", "a.jsonl: line 1 is damaged: left out", 0},
        {"{\"epoch\": 1, \"examples\": NaN}\n", "a.jsonl: line 1 is damaged: left out", 0},
        {"{\"epoch\": 1, \"examples\": -5}\n", "a.jsonl: line 1 has no number of examples: left out", 0},
        {"{\"exam\": 1, \"episodes\": \"5\"}\n", "a.jsonl: line 1 has no number of episodes: left out", 0},
        {"{\"color\": 1}\n", "a.jsonl: line 1 is about neither an epoch nor an exam: left out", 0},
        {EPOCH(2) EPOCH(3) EPOCH(1), "a.jsonl: line 3 goes back behind the line before: left out", 2},
        {EPOCH(1) EPOCH(90) EPOCH(2) EPOCH(3), "a.jsonl: line 2 lies beyond the line after it: left out", 3},
        {EPOCH(90) EPOCH(1) EPOCH(2), "a.jsonl: line 1 lies beyond the line after it: left out", 2},
        {EPOCH(2) EXAM(1, 5, 2, "true"), "a.jsonl: line 2 is of another kind than those before: left out", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        notes_taken noted = {0};
        nlm_log log = read_log(cases[i].text, &noted);
        assert_int_equal(noted.count, 1);
        assert_string_equal(note_at(&noted, 0), cases[i].note);
        assert_int_equal(log.count, cases[i].count);
        nlm_log_release(&log);
    }
}

static void many_broken_lines_are_few_notes(void **state)
{
    (void)state;
    notes_taken noted = {0};
    nlm_log log = read_log("a\nb\nc\nd\ne\n", &noted);
    assert_int_equal(noted.count, 4);
    assert_string_equal(note_at(&noted, 3), "a.jsonl: 2 more lines are left out");
    nlm_log_release(&log);
    noted.count = 0;
    log = read_log("a\nb\nc\nd\n", &noted);
    assert_string_equal(note_at(&noted, 3), "a.jsonl: 1 more line is left out");
    nlm_log_release(&log);
}

/* Numbers that cannot be are not shown: the line is left out, and noted. */
static void lines_with_impossible_numbers_are_left_out(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "{\"epoch\": 1, \"examples\": 5, \"accuracy\": 12, \"loss\": 1}\n",
        "{\"epoch\": 1, \"examples\": 5, \"accuracy\": 1, \"loss\": -5}\n",
        "{\"epoch\": 1, \"examples\": 5, \"accuracy\": 1, \"loss\": 1e300}\n",
        "{\"epoch\": -2, \"examples\": 5, \"accuracy\": 1, \"loss\": 1}\n",
        "{\"epoch\": 1, \"examples\": 5, \"restarts\": -1}\n",
        "{\"exam\": 1, \"episodes\": 5, \"success\": 1.5}\n",
        "{\"exam\": 1, \"episodes\": 5, \"lesson\": -3}\n",
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        notes_taken noted = {0};
        nlm_log log = read_log(wrong[i], &noted);
        assert_int_equal(log.count, 0);
        assert_string_equal(note_at(&noted, 0),
                            "a.jsonl: line 1 has a number that is out of its range: left out");
        nlm_log_release(&log);
        noted.count = 0;
    }
}

/* Values that mean nothing are not there; the rest of the line counts. */
static void odd_values_count_as_missing(void **state)
{
    (void)state;
    notes_taken noted = {0};
    nlm_log log = read_log("{\"epoch\": 99999999999, \"examples\": 5, \"accuracy\": \"7\", \"loss\": null, "
                           "\"restarts\": \"x\"}\n",
                           &noted);
    assert_int_equal(log.count, 1);
    assert_true(isnan(log.points[0].score) && isnan(log.points[0].loss));
    assert_int_equal(log.points[0].restarts, 0);
    assert_int_equal(log.points[0].round, 0);
    nlm_log_release(&log);
}

/* ---- folders ---- */

static void a_run_is_what_files_of_one_name_tell(void **state)
{
    (void)state;
    found_list list;
    begin_list(&list);
    files_write("r/uncle/seed-3.jsonl", EPOCH(1) EPOCH(2));
    files_write("r/uncle/seed-3.json", result);
    files_write("r/uncle/seed-10.jsonl", EPOCH(1));
    files_write("r/uncle/notes.json", "[]");
    files_write("r/uncle/.hidden.jsonl", EPOCH(1));
    files_write("r/sort/seed-1.jsonl", EXAM(1, 400, 2, "true"));
    add(&list, "r");
    add(&list, "./r/uncle"); /* the same again */
    add(&list, "r/uncle/../uncle/seed-3.json");
    nlm_found_sort(list.runs);
    assert_int_equal(nlm_found_count(list.runs), 3);
    const nlm_found_run *run = nlm_found_at(list.runs, 0);
    assert_string_equal(run->title, "uncle");
    assert_true(run->task == nlm_task_find("uncle") && !run->game);
    assert_int_equal(run->seed, 3);
    assert_int_equal(run->state, NLM_FOUND_GRADUATED);
    assert_true(run->amount == 14000 && run->rounds == 14 && run->restarts == 1 && run->seconds == 2.5);
    assert_int_equal(run->result.tests, 2);
    assert_int_equal(run->result.test[0].first_failure, -1);
    assert_int_equal(run->result.test[1].first_failure, 17);
    assert_int_equal(run->log.count, 2);
    nlm_found_free(list.runs);
}

static void runs_are_sorted_and_grouped(void **state)
{
    (void)state;
    found_list list;
    begin_list(&list);
    files_write("r/sort/seed-1.jsonl", EXAM(1, 400, 2, "true"));
    files_write("r/uncle/seed-10.jsonl", EPOCH(1));
    files_write("r/uncle/seed-2.jsonl", EPOCH(1));
    files_write("r/x/mine.jsonl", EPOCH(1));
    add(&list, "r");
    nlm_found_sort(list.runs);
    assert_int_equal(nlm_found_count(list.runs), 4);
    assert_int_equal(nlm_found_at(list.runs, 0)->seed, 2);
    assert_int_equal(nlm_found_at(list.runs, 1)->seed, 10);
    assert_int_equal(nlm_found_group_end(list.runs, 0), 2);
    assert_ptr_equal(nlm_found_at(list.runs, 2)->game, nlm_game_find("sort"));
    assert_string_equal(nlm_found_at(list.runs, 3)->title, "mine");
    assert_false(nlm_found_at(list.runs, 3)->seed_known);
    assert_int_equal(nlm_found_at(list.runs, 3)->state, NLM_FOUND_UNKNOWN);
    nlm_found_free(list.runs);
}

/* Runs that differ in more than seed and budget are not in one group. */
static void machines_of_other_sizes_are_other_groups(void **state)
{
    (void)state;
    static const char *const differs[] = {"", "breadth 2, width 4, lr 0.25", "depth 2"};
    found_list list;
    begin_list(&list);
    for (int i = 0; i < 6; i++) {
        nlm_settings settings;
        nlm_run *trainer;
        nlm_error error = {0};
        char path[64];
        assert_int_equal(
            nlm_settings_of_task(nlm_task_find("has-father"), NLM_PROTOCOL_BEST, &settings, &error), NLM_OK);
        settings.seed = (uint64_t)(7 - i);
        settings.epochs = 1 + i;
        settings.spec.depth = i % 3 == 1 ? 2 : settings.spec.depth;
        settings.spec.breadth = i % 3 == 2 ? 2 : settings.spec.breadth;
        settings.spec.width = i % 3 == 2 ? 4 : settings.spec.width;
        settings.lr = i % 3 == 2 ? 0.25 : settings.lr;
        if (nlm_run_new(&settings, NULL, &trainer, &error))
            fail_msg("%s", error.message);
        files_write("r/none", "");
        snprintf(path, sizeof path, "r/seed-%d.nlm", 7 - i);
        assert_int_equal(nlm_run_save_model(trainer, path, &error), NLM_OK);
        nlm_run_free(trainer);
    }
    add(&list, "r");
    nlm_found_sort(list.runs);
    assert_int_equal(nlm_found_count(list.runs), 6);
    for (int first = 0; first < 6; first += 2) {
        const nlm_found_run *run = nlm_found_at(list.runs, first);
        assert_int_equal(nlm_found_group_end(list.runs, first), first + 2);
        assert_int_equal(run->usual, run->differs[0] == '\0');
        assert_string_equal(run->differs, differs[first / 2]);
    }
    nlm_found_free(list.runs);
}

static void results_tell_about_runs_without_files(void **state)
{
    (void)state;
    found_list list;
    begin_list(&list);
    char text[2048];
    snprintf(text, sizeof text,
             "{\"cores\": 2, \"processor\": \"p\", \"command\": \"c\", \"runs\": [%s, 7, {}]}", result);
    files_write("r/results.json", text);
    add(&list, "r");
    assert_int_equal(nlm_found_count(list.runs), 1);
    assert_string_equal(nlm_found_at(list.runs, 0)->title, "uncle");
    assert_int_equal(nlm_found_at(list.runs, 0)->seed, 3);
    assert_int_equal(nlm_found_settings(list.runs), 1);
    assert_int_equal(nlm_found_setting_at(list.runs, 0)->cores, 2);
    assert_string_equal(nlm_found_setting_at(list.runs, 0)->command, "c");
    add(&list, "r/"); /* the same by other names */
    add(&list, "./r");
    add(&list, "r/../r");
    assert_int_equal(nlm_found_count(list.runs), 1);
    assert_int_equal(nlm_found_settings(list.runs), 1);
    nlm_found_free(list.runs);
}

/* Results without a kind are of versions that had the paper's worlds only. */
static void results_without_files_tell_the_kind_of_worlds(void **state)
{
    (void)state;
    static const struct {
        const char *task, *protocol, *kind, *differs;
    } cases[] = {{"uncle", "best", "", "kind paper"}, {"uncle", "best", ", \"kind\": \"rich\"", ""},
                 {"uncle", "paper", "", ""},          {"uncle", "paper", ", \"kind\": \"rich\"", "kind rich"},
                 {"ilp-grandparent", "best", "", ""}, {"sort", "best", "", ""}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        found_list list;
        char text[512];
        begin_list(&list);
        snprintf(text, sizeof text,
                 "{\"task\": \"%s\", \"seed\": 3, \"protocol\": \"%s\"%s, \"graduated\": true}",
                 cases[i].task, cases[i].protocol, cases[i].kind);
        files_write("r/seed-3.json", text);
        add(&list, "r");
        assert_int_equal(nlm_found_count(list.runs), 1);
        assert_string_equal(nlm_found_at(list.runs, 0)->differs, cases[i].differs);
        nlm_found_free(list.runs);
    }
}

static void results_tell_what_did_not_end_well(void **state)
{
    (void)state;
    found_list list;
    begin_list(&list);
    files_write("r/results.json",
                "{\"runs\": [{\"task\": \"uncle\", \"seed\": 1, \"finished\": false},"
                "{\"task\": \"uncle\", \"seed\": 2, \"finished\": false, \"error\": \"no room\"}]}");
    add(&list, "r");
    nlm_found_sort(list.runs);
    assert_int_equal(nlm_found_count(list.runs), 2);
    assert_int_equal(nlm_found_at(list.runs, 0)->state, NLM_FOUND_GOING);
    assert_int_equal(nlm_found_at(list.runs, 1)->state, NLM_FOUND_FAILED);
    assert_int_equal(list.noted.count, 1);
    assert_string_equal(note_at(&list.noted, 0), "r/uncle, seed 2: no room");
    nlm_found_free(list.runs);
}

/* What nlm reproduce has of one task: each model in a folder of its own, and none of them mixed. */
static void models_are_kept_apart(void **state)
{
    (void)state;
    found_list list;
    begin_list(&list);
    files_write("r/uncle/seed-1.jsonl", EPOCH(1));
    files_write("r/uncle-memnn/seed-1.jsonl", EPOCH(1));
    files_write("r/uncle-memnn/seed-2.json", "{\"task\": \"uncle\", \"model\": \"memnn\", \"seed\": 2, "
                                             "\"graduated\": false, \"examples\": 500}");
    files_write("r/uncle-dilp/seed-1.json", "{\"task\": \"uncle\", \"model\": \"dilp\", \"seed\": 1, "
                                            "\"protocol\": \"paper\", \"refused\": \"it is too large\"}");
    files_write("r/a-memnn/seed-1.jsonl", EPOCH(1)); /* of no task */
    files_write("r/results.json",
                "{\"runs\": [{\"task\": \"uncle\", \"model\": \"nlm\", \"seed\": 1, \"graduated\": true},"
                "{\"task\": \"uncle\", \"model\": \"memnn\", \"seed\": 3, \"finished\": false},"
                "{\"task\": \"uncle\", \"model\": \"memnn\", \"seed\": 1, \"graduated\": false}]}");
    add(&list, "r");
    nlm_found_sort(list.runs);
    assert_int_equal(nlm_found_count(list.runs), 6);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(nlm_found_at(list.runs, i)->title, "uncle");
        assert_string_equal(nlm_found_at(list.runs, i)->by, i == 0 ? "" : i == 1 ? "dilp" : "memnn");
    }
    assert_int_equal(nlm_found_group_end(list.runs, 0), 1);
    assert_int_equal(nlm_found_group_end(list.runs, 1), 2);
    assert_int_equal(nlm_found_group_end(list.runs, 2), 5);
    assert_int_equal(nlm_found_at(list.runs, 0)->state, NLM_FOUND_GRADUATED);
    assert_int_equal(nlm_found_at(list.runs, 1)->state, NLM_FOUND_FAILED);
    assert_int_equal(nlm_found_at(list.runs, 2)->state, NLM_FOUND_NOT_GRADUATED);
    assert_int_equal(nlm_found_at(list.runs, 2)->log.count, 1);
    assert_int_equal(nlm_found_at(list.runs, 4)->state, NLM_FOUND_GOING);
    assert_string_equal(nlm_found_at(list.runs, 5)->title, "a-memnn");
    assert_int_equal(list.noted.count, 1);
    assert_string_equal(note_at(&list.noted, 0), "r/uncle-dilp/seed-1.json: it is too large");
    nlm_found_free(list.runs);
}

/* What is no regular file is not waited for. */
static void a_pipe_is_no_file(void **state)
{
    (void)state;
    found_list list;
    begin_list(&list);
    files_write("r/seed-1.jsonl", EPOCH(1));
    assert_int_equal(mkfifo("r/results.json", 0600), 0);
    assert_int_equal(mkfifo("r/seed-1.json", 0600), 0);
    assert_int_equal(mkfifo("r/seed-2.jsonl", 0600), 0);
    add(&list, "r");
    assert_int_equal(nlm_found_count(list.runs), 1);
    nlm_found_free(list.runs);
}

static void a_seed_is_a_number(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        bool known;
        uint64_t seed;
    } cases[] = {
        {"seed-5.jsonl", true, 5},   {"seed-18446744073709551615.jsonl", true, UINT64_MAX},
        {"seed--5.jsonl", false, 0}, {"seed-18446744073709551616.jsonl", false, 0},
        {"seed-+5.jsonl", false, 0}, {"seed- 5.jsonl", false, 0},
        {"seed-.jsonl", false, 0},   {"seed-5x.jsonl", false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        found_list list;
        begin_list(&list);
        files_write(cases[i].file, EPOCH(1));
        add(&list, cases[i].file);
        assert_int_equal(nlm_found_at(list.runs, 0)->seed_known, cases[i].known);
        assert_true(nlm_found_at(list.runs, 0)->seed == cases[i].seed);
        nlm_found_free(list.runs);
    }
}

static void so_many_runs_and_no_more(void **state)
{
    (void)state;
    enum { MOST = 2000 };
    found_list list;
    begin_list(&list);
    char name[32];
    for (int i = 1; i <= MOST; i++) {
        snprintf(name, sizeof name, "seed-%d.jsonl", i);
        files_write(name, EPOCH(1));
        add(&list, name);
    }
    assert_int_equal(nlm_found_count(list.runs), MOST);
    assert_int_equal(list.noted.count, 0);
    files_write("a.jsonl", EPOCH(1));
    files_write("b.jsonl", EPOCH(1));
    add(&list, "a.jsonl");
    add(&list, "b.jsonl");
    assert_int_equal(nlm_found_count(list.runs), MOST);
    assert_int_equal(list.noted.count, 1);
    assert_string_equal(note_at(&list.noted, 0), "more than 2000 runs: ./a and the rest are left out");
    nlm_found_free(list.runs);
}

static void damage_is_noted(void **state)
{
    (void)state;
    found_list list;
    begin_list(&list);
    files_write("r/seed-1.nlm", "no model");
    files_write("r/seed-1.jsonl", EPOCH(1));
    files_write("r/seed-1.json", "{");
    files_write("r/results.json", "{}");
    files_write("r/empty.jsonl", "");
    add(&list, "r");
    assert_int_equal(nlm_found_count(list.runs), 1);
    assert_null(nlm_found_at(list.runs, 0)->model);
    assert_int_equal(list.noted.count, 4);
    assert_string_equal(note_at(&list.noted, 0), "r/empty.jsonl: no epoch and no exam in it");
    assert_non_null(strstr(note_at(&list.noted, 1), "r/seed-1.nlm: "));
    assert_string_equal(note_at(&list.noted, 2), "r/seed-1.json: no result, as it is no JSON: left out");
    assert_string_equal(note_at(&list.noted, 3), "r/results.json: no results in it: left out");
    nlm_found_free(list.runs);
}

static void what_has_no_run_is_refused(void **state)
{
    (void)state;
    mkdir("empty", 0777);
    files_write("a/b/c/d/seed-1.jsonl", EPOCH(1));
    files_write("some.txt", "hello\n");
    refused("empty", NLM_BAD_FILE, "empty: no run here: neither models (NAME.nlm) nor logs (NAME.jsonl)");
    refused("a", NLM_BAD_FILE,
            "a: no run here: neither models (NAME.nlm) nor logs (NAME.jsonl); "
            "a/b/c/d: folders this far down are not looked into");
    refused("missing", NLM_IO_ERROR, "missing: No such file or directory");
    refused("/dev/null", NLM_BAD_FILE, "/dev/null: neither a folder nor a regular file");
    refused("some.txt", NLM_BAD_FILE,
            "some.txt: no run here: neither a model nor a log of one; some.txt: line 1 is damaged: left out");
}

/* A whole file system is not searched: neither all the way down, nor for ever. */
static void a_search_has_bounds(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    char name[32];
    found_list list;
    begin_list(&list);
    files_write("search/0/seed-1.jsonl", EPOCH(1));
    files_write("search/a/b/c/d/seed-2.jsonl", EPOCH(1));
    add(&list, "search");
    assert_int_equal(nlm_found_count(list.runs), 1);
    assert_int_equal(list.noted.count, 1);
    assert_string_equal(note_at(&list.noted, 0), "search/a/b/c: folders this far down are not looked into");
    nlm_found_free(list.runs);
    begin_list(&list);
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "search/a/b/%05d", i);
        assert_int_equal(symlink("/dev/null", name), 0);
    }
    files_write("search/z/seed-3.jsonl", EPOCH(1));
    add(&list, "search");
    assert_int_equal(nlm_found_count(list.runs), 1);
    assert_string_equal(note_at(&list.noted, 0),
                        "more than 20000 files and folders: search/a/b/19996 and the rest are left out");
    nlm_found_free(list.runs);
}

static void results_with_impossible_numbers_are_left_out(void **state)
{
    (void)state;
    found_list list;
    begin_list(&list);
    files_write("odd/seed-3.jsonl", EPOCH(1));
    files_write("odd/seed-3.json",
                "{\"task\": \"uncle\", \"seed\": 3, \"graduated\": true, \"tests\": [{\"share\": 7}]}");
    files_write("odd/seed-4.jsonl", EPOCH(1));
    files_write("odd/seed-4.json",
                "{\"task\": \"uncle\", \"seed\": 4, \"graduated\": true, \"seconds\": -1}");
    add(&list, "odd");
    assert_int_equal(nlm_found_count(list.runs), 2);
    assert_false(nlm_found_at(list.runs, 0)->has_result);
    assert_string_equal(note_at(&list.noted, 0), "odd/seed-3.json: share is out of range: left out");
    assert_string_equal(note_at(&list.noted, 1), "odd/seed-4.json: seconds is out of range: left out");
    nlm_found_free(list.runs);
}

static void a_log_may_have_any_name(void **state)
{
    (void)state;
    found_list list;
    begin_list(&list);
    files_write("run.log", EPOCH(1));
    add(&list, "run.log");
    assert_string_equal(nlm_found_at(list.runs, 0)->title, "run.log");
    nlm_found_free(list.runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_with_impossible_numbers_are_left_out),
        files_test(a_search_has_bounds),
        files_test(results_with_impossible_numbers_are_left_out),
        cmocka_unit_test(a_log_has_a_point_for_each_line),
        cmocka_unit_test(what_is_broken_is_left_out_and_noted),
        cmocka_unit_test(many_broken_lines_are_few_notes),
        cmocka_unit_test(odd_values_count_as_missing),
        files_test(a_run_is_what_files_of_one_name_tell),
        files_test(runs_are_sorted_and_grouped),
        files_test(machines_of_other_sizes_are_other_groups),
        files_test(results_tell_about_runs_without_files),
        files_test(results_without_files_tell_the_kind_of_worlds),
        files_test(results_tell_what_did_not_end_well),
        files_test(models_are_kept_apart),
        files_test(a_pipe_is_no_file),
        files_test(a_seed_is_a_number),
        files_test(so_many_runs_and_no_more),
        files_test(damage_is_noted),
        files_test(what_has_no_run_is_refused),
        files_test(a_log_may_have_any_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
