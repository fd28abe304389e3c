/* Reports: pages about runs that have hardly begun, which is enough to see every part of them. */
#include "facts/files.h"
#include <math.h>
#include "machine/machine.h"
#include "nlm/report.h"
#include "nlm/rules.h"
#include "nlm/run.h"
#include "report/remarks.h"
#include "report/confusion.h"
#include "report/liveness.h"
#include "report/evaluate.h"

static const char epochs[] =
    "{\"epoch\": 1, \"loss\": 0.5, \"accuracy\": 0.9, \"examples\": 100, \"restarts\": 0, \"elapsed\": 1}\n"
    "{\"epoch\": 2, \"loss\": 0.1, \"accuracy\": 0.99, \"examples\": 200, \"restarts\": 1, \"elapsed\": 2}\n";
static const char exams[] =
    "{\"exam\": 1, \"lesson\": 2, \"passed\": false, \"episodes\": 100, \"success\": 0.5, \"loss\": -0.1, "
    "\"entropy\": 1, \"restarts\": 0}\n"
    "{\"exam\": 2, \"lesson\": 2, \"passed\": true, \"episodes\": 200, \"success\": 1, \"loss\": -0.1, "
    "\"entropy\": 0.5, \"restarts\": 0}\n"
    "{\"exam\": 3, \"lesson\": 3, \"passed\": false, \"episodes\": 200, \"success\": 0.7, \"loss\": 0, "
    "\"entropy\": 0, \"restarts\": 0}\n";

/* The model, or with `checkpoint` that, of a run of a task as it begins. */
static void write_task(const char *task, const char *path, bool checkpoint)
{
    nlm_settings training;
    nlm_run *trainer;
    CHECK(nlm_settings_of_task(nlm_task_find(task), NLM_PROTOCOL_BEST, &training, &check_error));
    CHECK(nlm_run_new(&training, NULL, &trainer, &check_error));
    if (checkpoint)
        CHECK(nlm_run_save_checkpoint(trainer, path, &check_error));
    else
        CHECK(nlm_run_save_model(trainer, path, &check_error));
    nlm_run_free(trainer);
}

static void write_game(const char *game, const char *path)
{
    nlm_settings course;
    nlm_run *student;
    CHECK(nlm_settings_of_game(nlm_game_find(game), NLM_PROTOCOL_BEST, &course, &check_error));
    CHECK(nlm_run_new(&course, NULL, &student, &check_error));
    CHECK(nlm_run_save_model(student, path, &check_error));
    nlm_run_free(student);
}

static void write_facts_model(const char *facts, const char *path)
{
    nlm_settings training;
    nlm_run *trainer;
    nlm_problem *problem = files_read(facts, NULL);
    CHECK(nlm_settings_of_problem(problem, NULL, NLM_PROTOCOL_BEST, &training, &check_error));
    CHECK(nlm_run_new(&training, NULL, &trainer, &check_error));
    CHECK(nlm_run_save_model(trainer, path, &check_error));
    nlm_run_free(trainer);
    nlm_problem_free(problem);
}

/* The page about a path, to be freed. */
static char *report_of(const char *path, const char *facts, int runs)
{
    enum { MOST = 1 << 23 };
    nlm_report *report;
    char *text = calloc(1, MOST);
    CHECK(nlm_report_new(&report, &check_error));
    CHECK(nlm_report_add(report, path, &check_error));
    if (facts)
        CHECK(nlm_report_add_facts(report, facts, &check_error));
    assert_int_equal(nlm_report_runs(report), runs);
    CHECK(nlm_report_save(report, "r.html", &check_error));
    nlm_report_free(report);
    FILE *file = fopen("r.html", "rb");
    assert_non_null(file);
    assert_true(fread(text, 1, MOST - 1, file) < MOST - 1);
    fclose(file);
    return text;
}

static int count_of(const char *text, const char *part)
{
    int found = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        found++;
    return found;
}

#define assert_has(text, part)                                                                               \
    do {                                                                                                     \
        if (!strstr(text, part))                                                                             \
            fail_msg("not in the page: %s", part);                                                           \
    } while (0)

/* "nan", "-inf", or one of them after a letter of a path: "Mnan". */
static bool is_no_number(const char *word, size_t length)
{
    if (length == 4 && strchr("MmLlHhVvAaZz", word[0])) {
        word++;
        length--;
    }
    return length == 3 && (!strncmp(word, "nan", 3) || !strncmp(word, "inf", 3));
}

static void assert_numbers_in_attributes(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    while ((text = strstr(text, "=\""))) {
        const char *word = text + 2, *end = word + strcspn(word, "\"");
        text = end;
        while (word < end) {
            const size_t length = strspn(word, letters);
            if (is_no_number(word, length))
                fail_msg("no number: %.80s", word);
            word += length ? length : 1;
        }
    }
}

/* One file, nothing from elsewhere. */
static void assert_whole(const char *text)
{
    assert_numbers_in_attributes(text);
    assert_has(text, "<!DOCTYPE html>");
    assert_has(text, "default-src 'none'");
    assert_has(text, "</html>");
    assert_null(strstr(text, "src=\""));
    assert_null(strstr(text, "<link"));
    assert_null(strstr(text, " onclick"));
    assert_null(strstr(text, "[nan"));
    assert_null(strstr(text, ",nan"));
    assert_int_equal(count_of(text, "<section"), count_of(text, "</section>"));
    assert_int_equal(count_of(text, "<figure"), count_of(text, "</figure>"));
    assert_int_equal(count_of(text, "<svg"), count_of(text, "</svg>"));
}

static void a_task_has_curves_machine_and_conclusions(void **state)
{
    (void)state;
    files_write("r/uncle/seed-1.jsonl", epochs);
    files_write("r/uncle/seed-2.jsonl", epochs);
    write_task("uncle", "r/uncle/seed-1.nlm", false);
    char *text = report_of("r", NULL, 2);
    assert_whole(text);
    assert_has(text, "<h1>uncle</h1>");
    assert_int_equal(count_of(text, "<figure class=\"chart\">"), 2);
    assert_int_equal(count_of(text, "<figure class=\"machine\">"), 1);
    assert_int_equal(count_of(text, "<figure class=\"confusion\">"), 1);
    assert_has(text, "uncle/2, test world 0 of 20 objects, seed 1");
    assert_has(text, "class=\"restart\"");
    assert_has(text, "paper: 90.0 %");
    assert_has(text, "did not graduate");
    assert_int_equal(count_of(text, "<tr><td>uncle</td>"), 2);
    free(text);
}

static void a_program_has_clauses_and_a_command(void **state)
{
    (void)state;
    nlm_settings training;
    nlm_templates *templates;
    nlm_run *trainer;
    const nlm_task *task = nlm_task_find("ilp-predecessor");
    CHECK(nlm_settings_of_task(task, NLM_PROTOCOL_PAPER, &training, &check_error));
    CHECK(nlm_templates_of_task(task, &templates, &check_error));
    CHECK(nlm_settings_use_templates(&training, templates, &check_error));
    for (int other = 0; other < 2; other++) {
        training.lr = other ? 0.25 : training.lr; /* which the command would not have */
        CHECK(nlm_run_new(&training, NULL, &trainer, &check_error));
        CHECK(nlm_run_save_model(trainer, "p.nlm", &check_error));
        nlm_run_free(trainer);
        char *text = report_of("p.nlm", NULL, 1);
        assert_whole(text);
        assert_has(text, "<h3>The program of ");
        assert_has(text, "<code>predecessor(X,Y) :- ");
        assert_int_equal(count_of(text, "<figure class=\"machine\">"), 0);
        assert_int_equal(count_of(text, "nlm train ilp-predecessor --model dilp --protocol paper"),
                         1 - other);
        free(text);
    }
    nlm_templates_free(templates);
}

/* The model of a task that computes these clauses, and has those as its rules. */
static void write_program(const char *task, const char *computed, const char *rules, const char *path)
{
    nlm_program *program;
    nlm_machine *machine;
    nlm_signature *signature;
    CHECK(nlm_signature_of_task(nlm_task_find(task), &signature, &check_error));
    const nlm_program_reading reading = {.signature = signature};
    CHECK(nlm_program_parse(computed, strlen(computed), "rules", &reading, &program, &check_error));
    CHECK(nlm_program_compile(program, 0, &machine, &check_error));
    const char *const pairs[] = {"task", task, "rules", rules};
    CHECK(nlm_machine_save(machine, path, pairs, 2, &check_error));
    nlm_signature_free(signature);
    nlm_machine_free(machine);
    nlm_program_free(program);
}

/* Rules first, with the proof; a derivation for each conclusion, which its cell leads to. */
static void a_model_that_is_a_program_has_rules_and_derivations(void **state)
{
    (void)state;
    static const char rules[] = "has_father(X) :- father(X, Y).\n";
    write_program("has-father", rules, rules, "f.nlm");
    char *text = report_of("f.nlm", NULL, 1), *part;
    assert_whole(text);
    assert_has(text, "<pre class=\"rules\">has_father(X) :- father(X, _).\n</pre>");
    assert_has(text, "<li>has_father(X) holds if there is");
    assert_has(text, "proved: the model computes these rules in every world");
    const int trees = count_of(text, "<pre id=\"why-1-1-");
    assert_true(trees > 0);
    assert_int_equal(trees, count_of(text, "<a href=\"#why-1-1-"));
    assert_int_equal(trees, count_of(text, "truth yes, concluded yes, 1.00</summary>"));
    for (part = text; (part = strstr(part, "<a href=\"#why-")); part++) {
        char anchor[64];
        snprintf(anchor, sizeof anchor, "<pre id=\"%.*s\">has_father(person", (int)strcspn(part + 10, "\""),
                 part + 10);
        assert_has(text, anchor);
    }
    free(text);
}

/* Rules that the model does not compute; its errors, with what is missing. */
static void what_is_not_proved_is_said(void **state)
{
    (void)state;
    write_program("has-father", "has_father(X) :- mother(X, Y), father(X, Y).\n",
                  "has_father(X) :- father(X, Y), mother(X, Z).\n", "f.nlm");
    char *text = report_of("f.nlm", NULL, 1);
    assert_whole(text);
    assert_has(text, "not proved: the model and its rules differ about <code>has_father(a)</code>");
    free(text);
}

static void a_game_has_lessons_and_episodes(void **state)
{
    (void)state;
    files_write("sort.jsonl", exams);
    write_game("sort", "sort.nlm");
    char *text = report_of("sort.nlm", NULL, 1);
    assert_whole(text);
    assert_int_equal(count_of(text, "<figure class=\"chart\">"), 4);
    assert_has(text, "entropy of the moves");
    assert_has(text, "<text class=\"lesson\"");
    assert_has(text, "path class=\"failed\"");
    assert_has(text, "<h3>Episodes</h3>");
    assert_has(text, "10 objects, seed 1, instance 0");
    assert_has(text, "50 objects, seed 1, instance 0");
    free(text);
}

static void a_failure_in_tests_is_shown(void **state)
{
    (void)state;
    files_write("r/grandparent/seed-1.json",
                "{\"task\": \"grandparent\", \"seed\": 1, \"graduated\": true, \"tests\": ["
                "{\"objects\": 20, \"share\": 1, \"flawless\": true, \"first_failure\": null},"
                "{\"objects\": 60, \"share\": 0.5, \"flawless\": false, \"first_failure\": 12}]}");
    write_task("grandparent", "r/grandparent/seed-1.nlm", false);
    char *text = report_of("r", NULL, 1);
    assert_whole(text);
    assert_int_equal(count_of(text, "<figure class=\"confusion\">"), 2);
    assert_has(text, "test world 12 of 60 objects, seed 1");
    assert_has(text, "\xe2\x9c\x97 50.0 %");
    free(text);
}

static void a_run_that_is_not_finished_says_so(void **state)
{
    (void)state;
    files_write("r/seed-1.jsonl", epochs);
    write_task("has-father", "r/seed-1.nlm.checkpoint", true);
    char *text = report_of("r", NULL, 1);
    assert_whole(text);
    assert_has(text, "not finished");
    assert_has(text, "<figure class=\"machine\">");
    free(text);
}

/* Names are anybody's: none of them becomes markup. */
static void names_do_no_harm(void **state)
{
    (void)state;
    files_write("w/bk.pl", "p('<script>alert(1)</script>', '\" onload=\"x'). p('\\'', b). p(b, '&amp;').\n");
    files_write("w/exs.pl", "pos('<b>q'('<script>alert(1)</script>', b)). neg('<b>q'(b, '&amp;')).\n");
    files_write("</title><script>.jsonl", epochs);
    write_facts_model("w", "facts.nlm");
    char *text = report_of("facts.nlm", "w", 1);
    assert_whole(text);
    assert_int_equal(count_of(text, "<script>"), 3); /* our own */
    assert_int_equal(count_of(text, "<b>"), 0);
    assert_null(strstr(text, "onload=\"x"));
    assert_has(text, "&lt;script&gt;alert(1)");
    assert_int_equal(count_of(text, "<figure class=\"confusion\">"), 1);
    free(text);
    text = report_of("</title><script>.jsonl", NULL, 1);
    assert_int_equal(count_of(text, "<script>"), 3);
    assert_has(text, "<title>title&gt;&lt;script&gt;</title>");
    free(text);
}

static void a_result_of_another_run_is_not_believed(void **state)
{
    (void)state;
    files_write("r/seed-1.json", "{\"task\": \"uncle\", \"seed\": 2, \"graduated\": true}");
    write_task("uncle", "r/seed-1.nlm", false);
    char *text = report_of("r", NULL, 1);
    assert_has(text, "r/seed-1.json: a result of seed 2, but the model is of seed 1: left out");
    assert_has(text, "did not graduate");
    free(text);
    files_write("r/seed-1.json", "{\"task\": \"sort\", \"seed\": 1, \"graduated\": true}");
    text = report_of("r", NULL, 1);
    assert_has(text, "r/seed-1.json: a result of sort, but the model is of uncle: left out");
    assert_has(text, "<h1>uncle</h1>");
    free(text);
}

static void settings_are_told_once_or_by_folder(void **state)
{
    (void)state;
    files_write("r/a/results.json",
                "{\"protocol\": \"best\", \"version\": \"1.0\", \"runs\": [{\"task\": \"uncle\", "
                "\"protocol\": \"best\", \"seed\": 1, \"graduated\": true}]}");
    files_write("r/b/results.json",
                "{\"protocol\": \"paper\", \"version\": \"1.0\", \"runs\": [{\"task\": \"uncle\", "
                "\"protocol\": \"paper\", \"seed\": 1, \"graduated\": true}]}");
    char *text = report_of("r", NULL, 2);
    assert_whole(text);
    assert_has(text, "<dt>Version</dt><dd>1.0</dd>");
    assert_has(text, "<dt>Protocol</dt><dd>r/a: best</dd>\n<dd>r/b: paper</dd>");
    assert_has(text, "<dt>Runs</dt><dd>2 of 1 task,");
    assert_has(text, "uncle <small>protocol paper</small></a>");
    free(text);
}

/* A result is anybody's, too: it may name a task that is none. */
static void results_do_no_harm(void **state)
{
    (void)state;
    files_write("r/seed-1.jsonl", epochs);
    files_write("r/seed-1.json", "{\"task\": \"<b>\", \"protocol\": \"<b>\", \"graduated\": true}");
    files_write("r/results.json",
                "{\"runs\": [], \"command\": \"<b>\", \"processor\": \"<b>\", \"cores\": 3}");
    char *text = report_of("r", NULL, 1);
    assert_whole(text);
    assert_int_equal(count_of(text, "<b>"), 0);
    assert_has(text, "<code>&lt;b&gt;</code>");
    free(text);
    assert_int_equal(remove("r/results.json"), 0);
    text = report_of("r", NULL, 1);
    assert_int_equal(count_of(text, "<b>"), 0);
    assert_null(strstr(text, "Repeat it"));
    free(text);
}

static void facts_show_more(void **state)
{
    (void)state;
    files_write("w/bk.pl", "p(a, b). p(b, c).\n");
    files_write("w/exs.pl", "pos(q(a)). neg(q(b)). pos(t(a, b, c)). neg(t(c, b, a)).\n");
    write_facts_model("w", "facts.nlm");
    char *text = report_of("facts.nlm", NULL, 1);
    assert_has(text, "nlm report --facts");
    assert_has(text, "Their values were not computed");
    free(text);
    text = report_of("facts.nlm", "w", 1);
    assert_whole(text);
    assert_int_equal(count_of(text, "<figure class=\"confusion\">"), 2); /* a strip, and counts alone */
    assert_int_equal(count_of(text, "<div class=\"matrix\""), 1);
    assert_has(text, "on 1 world of w");
    free(text);
}

/* Files of a chain of so many objects, and a label. */
static void write_chain(const char *folder, int objects)
{
    enum { LINE = 32 };
    char path[64], *text = calloc((size_t)objects, LINE), *end = text;
    for (int i = 1; i < objects; i++)
        end += snprintf(end, LINE, "p(n%d, n%d).\n", i - 1, i);
    snprintf(path, sizeof path, "%s/bk.pl", folder);
    files_write(path, text);
    snprintf(path, sizeof path, "%s/exs.pl", folder);
    files_write(path, "pos(q(n0, n1)). neg(q(n1, n0)).\n");
    free(text);
}

/* A world that is too large costs its own part of the page and no other. */
static void a_world_may_be_too_large(void **state)
{
    (void)state;
    files_write("w/bk.pl", "p(a, b). p(b, c).\n");
    files_write("w/exs.pl", "pos(q(a, b)). neg(q(b, a)).\n");
    files_write("facts.jsonl", epochs);
    write_facts_model("w", "facts.nlm");
    write_chain("large", 4000);
    char *text = report_of("facts.nlm", "large", 1);
    assert_whole(text);
    assert_has(text,
               "facts.nlm: some parts are not shown: a world of 4000 objects is too large for a report");
    assert_int_equal(count_of(text, "<figure class=\"chart\">"), 2);
    assert_null(strstr(text, "Conclusions against"));
    free(text);
}

/* Errors are all drawn, however many; and what is no number does not become one. */
static void many_errors_are_drawn_together(void **state)
{
    (void)state;
    enum { OBJECTS_ERRING = 60, CELLS = OBJECTS_ERRING * OBJECTS_ERRING };
    static char kinds[CELLS];
    static float probabilities[CELLS];
    write_chain("w", OBJECTS_ERRING);
    nlm_problem *problem = files_read("w", NULL);
    confusion of = {.signature = nlm_problem_signature(problem),
                    .world = nlm_problem_world(problem, 0),
                    .objects = OBJECTS_ERRING,
                    .arity = 2,
                    .count = CELLS,
                    .kind = kinds,
                    .probability = probabilities};
    for (int i = 0; i < CELLS; i++) {
        kinds[i] = i % 2 ? CELL_MISSED : CELL_INVENTED;
        probabilities[i] = NAN;
    }
    page p = {0};
    matrix_put(&p, &of);
    char *text = calloc(p.length + 1, 1);
    memcpy(text, p.text.data, p.length);
    assert_int_equal(count_of(text, "class=\"missed\""), 1500);
    assert_int_equal(count_of(text, "class=\"invented\""), 1500);
    assert_int_equal(count_of(text, "class=\"missed many\""), 1);
    assert_int_equal(count_of(text, "class=\"invented many\""), 1);
    assert_null(strstr(text, "nan"));
    free(text);
    page_release(&p);
    nlm_problem_free(problem);
}

static void a_report_may_be_saved_twice(void **state)
{
    (void)state;
    nlm_report *report;
    files_write("w/bk.pl", "p(a, b). p(b, c).\n");
    files_write("w/exs.pl", "pos(q(a, b)). neg(q(b, a)).\n");
    write_facts_model("w", "facts.nlm");
    files_write("other.pl", "r(a).\n");
    CHECK(nlm_report_new(&report, &check_error));
    CHECK(nlm_report_add(report, "facts.nlm", &check_error));
    CHECK(nlm_report_add_facts(report, "other.pl", &check_error));
    CHECK(nlm_report_save(report, "r.html", &check_error));
    assert_int_equal(nlm_report_notes(report), 1);
    CHECK(nlm_report_save(report, "r.html", &check_error));
    assert_int_equal(nlm_report_notes(report), 1);
    nlm_report_free(report);
}

static void what_cannot_be_made_is_refused(void **state)
{
    (void)state;
    nlm_report *report;
    mkdir("folder", 0777);
    CHECK(nlm_report_new(&report, &check_error));
    assert_int_equal(nlm_report_save(report, "r.html", NULL), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_report_add(report, "folder", NULL), NLM_BAD_FILE);
    assert_int_equal(nlm_report_add_facts(report, "missing", NULL), NLM_IO_ERROR);
    CHECK(nlm_report_add_facts(report, "folder", &check_error));
    assert_int_equal(nlm_report_add_facts(report, "folder", NULL), NLM_BAD_ARGUMENT);
    files_write("a.jsonl", epochs);
    CHECK(nlm_report_add(report, "a.jsonl", &check_error));
    assert_int_equal(nlm_report_save(report, "folder", NULL), NLM_IO_ERROR);
    assert_null(nlm_report_note(report, 0));
    assert_null(nlm_report_note(report, -1));
    nlm_report_free(report);
    nlm_report_free(NULL);
}

/* ---- alive and dead ---- */

enum { OBJECTS = 12 };

/* How far the values of an output predicate of arity 2 lie apart. */
static float range_of(const nlm_pass *pass, int number)
{
    static float output[OBJECTS][OBJECTS][8];
    float least = 1, most = 0;
    CHECK(nlm_pass_output(pass, 0, 2, &output[0][0][0], &check_error));
    for (int x = 0; x < OBJECTS; x++)
        for (int y = 0; y < OBJECTS; y++) {
            if (x == y)
                continue;
            least = output[x][y][number] < least ? output[x][y][number] : least;
            most = output[x][y][number] > most ? output[x][y][number] : most;
        }
    return most - least;
}

/* Weights of zero are read by nobody; and a unit whose own weights are zero is one half everywhere. */
static void dead_predicates_are_found(void **state)
{
    (void)state;
    nlm_settings training;
    nlm_machine *machine;
    nlm_world *world;
    nlm_evaluator *asked;
    liveness found;
    const nlm_head_spec head = {"head", 2, 1, false};
    CHECK(nlm_settings_of_task(nlm_task_find("grandparent"), NLM_PROTOCOL_BEST, &training, &check_error));
    CHECK(nlm_machine_new(&training.spec, &head, 1, &machine, &check_error));
    machine_initialise_with(machine, 1, 10);
    const int depth = training.spec.depth;
    const struct machine_tensor *last = &machine->tensors[machine->head_tensor[0]];
    machine->values[last->offset + 3] = 0; /* predicate 3 of the last unit is not read */
    const struct machine_tensor *weight = &machine->tensors[machine->unit_tensor[depth][2]];
    for (int column = 0; column < weight->shape[1]; column++) /* predicate 5 is the same everywhere */
        machine->values[weight->offset + 5 * (size_t)weight->shape[1] + (size_t)column] = 0;
    CHECK(nlm_world_new(&world, &check_error));
    CHECK(nlm_task_generate(training.task, NLM_WORLDS_PAPER, 1, 0, OBJECTS, world, &check_error));
    const nlm_options whole = {.lifting = NLM_CLASSES};
    CHECK(nlm_evaluator_new(machine, &whole, &asked, &check_error));
    CHECK(nlm_evaluator_add(asked, world, &check_error));
    CHECK(nlm_evaluator_run(asked, false, &check_error));
    CHECK(liveness_find(&found, machine, nlm_evaluator_pass(asked), 1, &check_error));
    int alive = 0;
    for (int n = 0; n < 8; n++) {
        assert_int_equal(liveness_at(&found, depth, 2, n),
                         n != 3 && range_of(nlm_evaluator_pass(asked), n) >= 0.01f);
        alive += liveness_at(&found, depth, 2, n);
    }
    assert_true(alive > 0 && !liveness_at(&found, depth, 2, 3) && !liveness_at(&found, depth, 2, 5));
    for (int n = 0; n < 4; n++)
        assert_true(liveness_at(&found, 0, 2, n));
    liveness_release(&found);
    CHECK(liveness_find(&found, machine, nlm_evaluator_pass(asked), 0, &check_error)); /* by weights alone */
    assert_true(!liveness_at(&found, depth, 2, 3) && liveness_at(&found, depth, 2, 5));
    liveness_release(&found);
    nlm_evaluator_free(asked);
    nlm_world_free(world);
    nlm_machine_free(machine);
}

/* Of very many notes only so many are kept, each once. */
static void notes_are_kept_once_and_not_for_ever(void **state)
{
    (void)state;
    remarks noted = {0};
    for (int i = 0; i < 2000; i++)
        remarks_add(&noted, "note %d", i / 2);
    assert_int_equal(noted.count, 200);
    assert_int_equal(noted.left_out, 1600);
    assert_string_equal(remarks_at(&noted, 199), "note 199");
    remarks_release(&noted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes_are_kept_once_and_not_for_ever),
        files_test(a_task_has_curves_machine_and_conclusions),
        files_test(a_program_has_clauses_and_a_command),
        files_test(a_model_that_is_a_program_has_rules_and_derivations),
        files_test(what_is_not_proved_is_said),
        files_test(a_game_has_lessons_and_episodes),
        files_test(a_failure_in_tests_is_shown),
        files_test(a_run_that_is_not_finished_says_so),
        files_test(names_do_no_harm),
        files_test(a_result_of_another_run_is_not_believed),
        files_test(settings_are_told_once_or_by_folder),
        files_test(results_do_no_harm),
        files_test(facts_show_more),
        files_test(a_world_may_be_too_large),
        files_test(many_errors_are_drawn_together),
        files_test(a_report_may_be_saved_twice),
        files_test(what_cannot_be_made_is_refused),
        cmocka_unit_test(dead_predicates_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
