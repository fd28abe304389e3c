/* Results of runs, to a file and back: whole ones are read as they were, no damaged one is; and what studies
 * consist of. */
#include <sys/stat.h>
#include <unistd.h>
#include "studies.h"
#include "nlm/facts.h"

enum { TEXT_SIZE = 2048 };

static char folder[] = "/tmp/nlm-test-study-XXXXXX";

static void begin(void)
{
    begin_study((nlm_study_plan){.folder = folder, .protocol = NLM_PROTOCOL_BEST, .worlds = 200});
}

static nlm_study_run example(const char *name)
{
    nlm_study_run run = run_of(name, 3);
    const bool game = run.subject->game != NULL;
    nlm_result *result = &run.result;
    result->finished = result->graduated = result->complete = true;
    result->budget = 1000;
    result->rounds = 14;
    result->restarts = 1;
    result->learned = 14000;
    result->drawn = 20000;
    result->seconds = 12.25;
    result->test_seconds = -1;
    result->tests = 2;
    result->test[0] = (nlm_score){.objects = run.subject->sizes[0],
                                  .asked = result->worlds,
                                  .right = 0.975,
                                  .macro = game ? -1 : 0.875,
                                  .squared_error = game ? -1 : 0.03125,
                                  .wrong = game ? 0 : 17,
                                  .moves = game ? 7.5 : -1,
                                  .optimal_moves = game ? 7.25 : -1,
                                  .first_failure = 1};
    result->test[1] = (nlm_score){.objects = run.subject->sizes[1],
                                  .asked = result->worlds,
                                  .right = 1,
                                  .macro = game ? -1 : 1,
                                  .squared_error = game ? -1 : 0,
                                  .moves = game ? 45.5 : -1,
                                  .optimal_moves = -1,
                                  .first_failure = -1};
    strcpy(result->date, "2026-11-18T13:00:00Z");
    strcpy(result->machine, "a \"fast\" one, 2 cores");
    if (subject_is(run.subject, "nlm"))
        result->program = (nlm_job_program){.sought = true,
                                            .found = !game,
                                            .reason = "",
                                            .literals = game ? -1 : 9,
                                            .proved = !game,
                                            .seconds = 20.5,
                                            .processor_seconds = game ? -1 : 18.25};
    if (game)
        strcpy(result->program.reason, "it is \"too large\"");
    return run;
}

/* ---- files ---- */

static void write_text(const nlm_study_run *one, char text[TEXT_SIZE])
{
    FILE *file = fmemopen(text, TEXT_SIZE, "w");
    assert_non_null(file);
    result_write(file, &one->result);
    fclose(file);
}

static result_found read_text(const char *text, size_t length, nlm_study_run *one)
{
    char path[NLM_STUDY_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, one->subject->name);
    mkdir(path, 0777);
    assert_true(run_path(&all, one, "json", path));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fwrite(text, 1, length, file);
    fclose(file);
    const result_found found = run_read_result(&all, one);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(one->result.finished, found == RESULT_READ);
    return found;
}

/* The text with one part of it replaced. */
static result_found read_replaced(const char *text, const char *part, const char *by, nlm_study_run *one)
{
    char changed[2 * TEXT_SIZE];
    const char *at = strstr(text, part);
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, by, at + strlen(part));
    return read_text(changed, strlen(changed), one);
}

/* ---- tests ---- */

static void whole_results_are_read_as_they_were(void **state)
{
    (void)state;
    begin();
    static const char *const names[] = {"uncle", "sort", "uncle-memnn", "path-memnn", "ilp-fizz-dilp"};
    for (size_t i = 0; i < COUNT(names); i++) {
        nlm_study_run made = example(names[i]);
        char text[TEXT_SIZE], again[TEXT_SIZE];
        write_text(&made, text);
        nlm_study_run found = run_named(&all, made.subject, 3, false);
        assert_int_equal(read_text(text, strlen(text), &found), RESULT_READ);
        write_text(&found, again);
        assert_string_equal(again, text);
        assert_true(found.result.seconds == 12.25 && found.result.test_seconds == -1 &&
                    found.result.test[0].right == 0.975);
        assert_true(found.result.test[0].macro == made.result.test[0].macro);
        assert_true(found.result.test[0].squared_error == made.result.test[0].squared_error);
        assert_int_equal(found.result.budget, 1000);
        assert_int_equal(found.result.test[0].first_failure, 1);
        assert_int_equal(found.result.test[1].first_failure, -1);
        assert_int_equal(found.result.test[0].wrong, made.result.test[0].wrong);
        assert_int_equal(found.result.program.sought, made.result.program.sought);
        assert_int_equal(found.result.program.proved, made.result.program.proved);
        assert_int_equal(found.result.program.literals, made.result.program.literals);
    }
    nlm_study_run none = run_of("uncle", 77);
    assert_int_equal(run_read_result(&all, &none), RESULT_NONE);
}

static void cut_results_are_not_read(void **state)
{
    (void)state;
    begin();
    const nlm_study_run made = example("sort");
    char text[TEXT_SIZE];
    write_text(&made, text);
    for (size_t length = 0; length < strlen(text); length++) {
        nlm_study_run found = run_named(&all, made.subject, 3, false);
        assert_int_equal(read_text(text, length, &found), RESULT_BROKEN);
    }
}

static void wrong_values_are_not_read(void **state)
{
    (void)state;
    begin();
    static const struct {
        const char *part, *by;
        result_found found;
    } cases[] = {
        {"\"sort\"", "\"path\"", RESULT_BROKEN},
        {"\"sort\"", "7", RESULT_BROKEN},
        {"\"nlm\"", "\"memnn\"", RESULT_BROKEN},
        {"\"nlm\"", "null", RESULT_BROKEN},
        {"\"budget\": 1000", "\"budget\": -1", RESULT_BROKEN},
        {"\"budget\": 1000", "\"budget\": \"1000\"", RESULT_BROKEN},
        {"\"seed\": 3", "\"seed\": 4", RESULT_BROKEN},
        {"\"seed\": 3", "\"seed\": \"3\"", RESULT_BROKEN},
        {"\"best\"", "\"paper\"", RESULT_OTHER},
        {"\"best\"", "\"worst\"", RESULT_BROKEN},
        {"\"best\"", "null", RESULT_BROKEN},
        {"\"best\"", "\"best\", \"kind\": \"paper\"", RESULT_READ},
        {"\"best\"", "\"best\", \"kind\": \"rich\"", RESULT_OTHER},
        {"\"best\"", "\"best\", \"kind\": \"poor\"", RESULT_BROKEN},
        {"\"best\"", "\"best\", \"kind\": 1", RESULT_BROKEN},
        {"\"worlds\": 200", "\"worlds\": 1000", RESULT_OTHER},
        {"\"worlds\": 200", "\"worlds\": 200.5", RESULT_BROKEN},
        {"\"graduated\": true", "\"graduated\": 1", RESULT_BROKEN},
        {"\"exams\": 14", "\"exams\": -1", RESULT_BROKEN},
        {"\"exams\": 14", "\"exams\": 1e99", RESULT_BROKEN},
        {"\"exams\": 14", "\"epochs\": 14", RESULT_BROKEN},
        {"\"restarts\": 1", "\"restarts\": []", RESULT_BROKEN},
        {"\"episodes\": 14000", "\"episodes\": {}", RESULT_BROKEN},
        {"\"seconds\": 12.250", "\"seconds\": \"12\"", RESULT_BROKEN},
        {"\"seconds\": 12.250", "\"seconds\": null", RESULT_READ},
        {"\"tests\": [", "\"tests\": [1, ", RESULT_BROKEN},
        {"\"objects\": 10", "\"objects\": 11", RESULT_BROKEN},
        {"\"asked\": 200", "\"asked\": 19", RESULT_BROKEN},
        {"\"share\": 0.975", "\"share\": 1.1", RESULT_BROKEN},
        {"\"flawless\": false", "\"flawless\": 0", RESULT_BROKEN},
        {"\"first_failure\": 1", "\"first_failure\": 200", RESULT_BROKEN},
        {"\"first_failure\": 1", "\"first_failure\": -2", RESULT_BROKEN},
        {"\"flawless\": false", "\"flawless\": true", RESULT_BROKEN},
        {"\"flawless\": true", "\"flawless\": false", RESULT_BROKEN},
        {"\"first_failure\": 1", "\"first_failure\": null", RESULT_BROKEN},
        {"\"first_failure\": null", "\"first_failure\": 3", RESULT_BROKEN},
        {"\"share\": 0.975", "\"share\": 1", RESULT_BROKEN},
        {"\"share\": 1,", "\"share\": 0.5,", RESULT_BROKEN},
        {"\"moves\": 7.5", "\"moves\": true", RESULT_BROKEN},
        {"\"moves\": 7.5", "\"moves\": null", RESULT_BROKEN},
        {"\"share\": 0.975, \"flawless\": false, \"first_failure\": 1, \"moves\": 7.5",
         "\"share\": 0, \"flawless\": false, \"first_failure\": 0, \"moves\": null", RESULT_READ},
    };
    const nlm_study_run made = example("sort");
    char text[TEXT_SIZE];
    write_text(&made, text);
    for (size_t i = 0; i < COUNT(cases); i++) {
        nlm_study_run one = run_named(&all, made.subject, 3, false);
        assert_int_equal(read_replaced(text, cases[i].part, cases[i].by, &one), cases[i].found);
    }
}

/* Programs, and wrong answers, which agree with whether there is a failure. */
static void wrong_programs_are_not_read(void **state)
{
    (void)state;
    begin();
    static const struct {
        const char *part, *by;
        result_found found;
    } cases[] = {
        {"{\"found\": true, ", "{", RESULT_BROKEN},
        {"{\"found\": true, ", "{\"found\": 1, ", RESULT_BROKEN},
        {"\"program\": {", "\"program\": 7, \"else\": {", RESULT_BROKEN},
        {"\"program\": {", "\"else\": {", RESULT_READ},
        {"\"literals\": 9", "\"literals\": 0", RESULT_BROKEN},
        {"\"literals\": 9", "\"literals\": 9.5", RESULT_BROKEN},
        {"\"literals\": 9, ", "", RESULT_BROKEN},
        {", \"proved\": true", "", RESULT_BROKEN},
        {"\"proved\": true", "\"proved\": \"yes\"", RESULT_BROKEN},
        {"\"seconds\": 20.500", "\"seconds\": null", RESULT_READ},
        {"\"processor_seconds\": 18.250", "\"processor_seconds\": -1", RESULT_BROKEN},
        {"\"wrong\": 17", "\"wrong\": 0", RESULT_BROKEN},
        {"\"wrong\": 17", "\"wrong\": 17.5", RESULT_BROKEN},
        {"\"wrong\": 17", "\"wrong\": \"17\"", RESULT_BROKEN},
        {"\"wrong\": 0", "\"wrong\": 1", RESULT_BROKEN},
        {", \"wrong\": 17", "", RESULT_READ},
    };
    const nlm_study_run made = example("uncle");
    char text[TEXT_SIZE];
    write_text(&made, text);
    for (size_t i = 0; i < COUNT(cases); i++) {
        nlm_study_run one = run_named(&all, made.subject, 3, false);
        assert_int_equal(read_replaced(text, cases[i].part, cases[i].by, &one), cases[i].found);
    }
    nlm_study_run one = run_named(&all, made.subject, 3, false);
    assert_int_equal(read_replaced(text, ", \"wrong\": 17", "", &one), RESULT_READ);
    assert_true(one.result.test[0].wrong == NLM_WRONG_UNKNOWN && one.result.test[1].wrong == 0);
}

/* What earlier versions wrote: of the machine, without all that came later.  They learned from the paper's
 * worlds, which the best protocol no longer does. */
static void older_results_are_read(void **state)
{
    (void)state;
    begin();
    all.plan.protocol = NLM_PROTOCOL_PAPER;
    static const char text[] =
        "{\"task\": \"uncle\", \"seed\": 3, \"protocol\": \"paper\", \"worlds\": 200, \"graduated\": true, "
        "\"epochs\": 14, \"restarts\": 0, \"examples\": 14000, \"seconds\": 6.2, \"test_seconds\": 7.1, "
        "\"tests\": [{\"objects\": 20, \"asked\": 200, \"share\": 1, \"flawless\": true, \"first_failure\": "
        "null}, "
        "{\"objects\": 100, \"asked\": 200, \"share\": 1, \"flawless\": true, \"first_failure\": null}]}";
    nlm_study_run found = run_of("uncle", 3);
    assert_int_equal(read_text(text, strlen(text), &found), RESULT_READ);
    assert_int_equal(found.result.budget, 0);
    assert_int_equal(found.result.kind, NLM_WORLDS_PAPER);
    assert_int_equal(found.result.rich_tests, 0);
    assert_true(found.result.test[1].macro == -1 && found.result.test[1].squared_error == -1);
    found = run_of("uncle-memnn", 3);
    assert_int_equal(read_text(text, strlen(text), &found), RESULT_BROKEN);
}

/* Facts whose target has a name of 81 bytes, too long for a result. */
static nlm_problem *problem_with_long_name(void)
{
    char target[100] = "x", path[100];
    nlm_problem *problem;
    for (int i = 0; i < 40; i++)
        strcat(target, "\xc3\xa4");
    snprintf(path, sizeof path, "%s/facts.pl", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "p(a, b). %s(a).\n", target);
    fclose(file);
    const char *targets[] = {target};
    const nlm_reading reading = {.targets = targets, .target_count = 1};
    CHECK(nlm_problem_read(path, &reading, &problem, &check_error));
    unlink(path);
    return problem;
}

/* The result of a job is read as it was: with the largest seed, of facts with a long name and of which
 * nothing was held out. */
static void results_of_jobs_are_read_as_they_were(void **state)
{
    (void)state;
    nlm_problem *problem = problem_with_long_name();
    char path[100];
    snprintf(path, sizeof path, "%s/seed.json", folder);
    for (int facts = 0; facts < 2; facts++) {
        nlm_job job = {.worlds = 7, .tested = true, .progress = {.rounds = 3, .stage = NLM_GRADUATED}};
        nlm_result made, found;
        const char *wrong;
        if (facts)
            CHECK(nlm_settings_of_problem(problem, NULL, NLM_PROTOCOL_BEST, &job.settings, &check_error));
        else
            CHECK(nlm_settings_of_task(nlm_task_find("uncle"), NLM_PROTOCOL_PAPER, &job.settings,
                                       &check_error));
        job.settings.seed = UINT64_MAX;
        job.scores[0] = (nlm_score){.objects = 5, .asked = 7, .right = 1, .first_failure = -1};
        job.scores[1] = (nlm_score){.objects = 9, .asked = facts ? 0 : 7, .right = 1, .first_failure = -1};
        nlm_result_of_job(&job, &made);
        CHECK(nlm_result_save(&made, path, &check_error));
        json_t *object = json_load_file(path, 0, NULL);
        unlink(path);
        assert_true(object && result_read(object, &found, &wrong));
        assert_true(found.seed_known && found.seed == UINT64_MAX && found.graduated && found.rounds == 3);
        assert_int_equal(found.tests, facts ? 1 : 2);
        assert_int_equal(found.worlds, facts ? -1 : 7);
        assert_string_equal(found.task, facts ? "facts" : "uncle");
        assert_string_equal(found.protocol, facts ? "best" : "paper");
        assert_string_equal(found.model, "nlm");
        assert_string_equal(found.machine, made.machine);
        assert_int_equal(strlen(found.date), 20);
        json_decref(object);
    }
    nlm_problem_free(problem);
}

static void refused_runs_are_finished(void **state)
{
    (void)state;
    begin();
    begin();
    nlm_study_run made = run_of("2-outdegree-dilp", 3);
    char text[TEXT_SIZE];
    made.result.finished = true;
    snprintf(made.result.refused, sizeof made.result.refused, "it would take \"12 GB\"");
    write_text(&made, text);
    assert_string_equal(
        text, "{\"task\": \"2-outdegree\", \"model\": \"dilp\", \"seed\": 3, \"protocol\": \"paper\", "
              "\"worlds\": 200, \"refused\": \"it would take \\\"12 GB\\\"\"}");
    nlm_study_run found = run_named(&all, made.subject, 3, false);
    assert_int_equal(read_text(text, strlen(text), &found), RESULT_READ);
    assert_string_equal(found.result.refused, made.result.refused);
    assert_int_equal(read_replaced(text, "\"refused\": \"it", "\"refused\": null, \"it\": \"", &found),
                     RESULT_BROKEN);
}

/* A run of --quick is not taken for a whole one, nor the other way round; unless nobody asks for it. */
static void budgets_are_not_mixed(void **state)
{
    (void)state;
    begin();
    nlm_study_run made = example("sort-memnn");
    char text[TEXT_SIZE];
    made.result.budget = 300000;
    write_text(&made, text);
    nlm_study_run found = run_named(&all, made.subject, 3, true);
    assert_int_equal(read_text(text, strlen(text), &found), RESULT_READ);
    assert_int_equal(read_replaced(text, "\"budget\": 300000", "\"budget\": 30000", &found), RESULT_OTHER);
    assert_int_equal(read_replaced(text, "\"budget\": 300000", "\"budget\": null", &found), RESULT_READ);
    found.wanted = false;
    assert_int_equal(read_replaced(text, "\"budget\": 300000", "\"budget\": 30000", &found), RESULT_READ);
}

/* Blocks take longest of what the machine learns, whatever the protocol. */
static void costs_are_known_for_all(void **state)
{
    (void)state;
    for (int protocol = 0; protocol < 2; protocol++) {
        begin_study((nlm_study_plan){.protocol = (nlm_protocol)protocol, .worlds = 1000});
        const nlm_cost most = nlm_study_cost(&all, subject_named("blocks"));
        for (int s = 0; s < all.subject_count; s++) {
            const nlm_cost cost = nlm_study_cost(&all, &all.subjects[s]);
            assert_true(cost.known);
            assert_true(cost.train > 0 && cost.test > 0 && cost.share > 0 && cost.share <= 1);
            if (subject_is(&all.subjects[s], "nlm"))
                assert_true(cost.train + cost.test <= most.train + most.test);
        }
        all.plan.quick = true;
        assert_true(nlm_study_cost(&all, subject_named("uncle-memnn")).train < 200);
    }
}

/* ---- what there is ---- */

static void all_models_have_their_subjects(void **state)
{
    (void)state;
    static const char *const models[] = {"nlm", "memnn", "dilp"};
    static const int wanted[][2] = {{14, 20}, {13, 0}, {10, 20}};
    int count[3][2] = {{0}};
    begin();
    assert_true(all.subject_count <= NLM_STUDY_SUBJECTS);
    for (int s = 0; s < all.subject_count; s++) {
        const nlm_subject *subject = &all.subjects[s];
        for (int m = 0; m < 3; m++)
            count[m][subject->ilp] += subject_is(subject, models[m]);
        assert_ptr_equal(subject_by(&all, subject, subject->model), subject);
        assert_ptr_equal(subject_named(subject->name), subject);
        assert_true(subject_seeds(subject, true) == 1 && subject_seeds(subject, false) > 1);
    }
    assert_memory_equal(count, wanted, sizeof wanted);
    assert_string_equal(subject_named("uncle-memnn")->what, "uncle");
    assert_null(subject_by(&all, subject_named("sort"), "dilp"));
}

/* The task with pictures has those of the plan. */
static void pictures_are_those_of_the_plan(void **state)
{
    (void)state;
    nlm_task pictured = *nlm_task_find("adjacent-to-zero");
    begin_study((nlm_study_plan){.worlds = 20, .pictured = &pictured});
    const nlm_subject *subject = subject_named("adjacent-to-zero");
    assert_true(subject->pictures && subject->task == &pictured);
    assert_int_equal(subject_seeds(subject, false), 5);
    begin();
    assert_ptr_equal(subject_named("adjacent-to-zero")->task, nlm_task_find("adjacent-to-zero"));
}

/* All but the machine on the tasks of differentiable ILP, the latter on 2-outdegree, and small worlds with
 * pictures. */
static void figures_were_published_for_all(void **state)
{
    (void)state;
    begin();
    for (int s = 0; s < all.subject_count; s++) {
        const nlm_subject *subject = &all.subjects[s];
        const published found = published_about(subject);
        const bool ilp = subject->ilp, dilp = subject_is(subject, "dilp");
        const bool any = !ilp && subject != subject_named("2-outdegree-dilp");
        assert_int_equal(found.solved > 0, ilp && dilp);
        for (int size = 0; size < NLM_TEST_SIZES; size++) {
            assert_int_equal(found.share[size] >= 0, any && !(subject->pictures && size == 0));
            assert_true(found.share[size] <= 1 && found.macro[size] <= 1);
            assert_int_equal(found.macro[size] >= 0, any && subject->game == NULL && !subject->pictures);
        }
    }
    const published sort = published_about(subject_named("sort-memnn"));
    assert_true(sort.share[1] == 0.9 && sort.moves[1] == 986.6);
}

/* Memory networks have their budget, or with --quick a tenth of it. */
static void quick_cuts_the_budget(void **state)
{
    (void)state;
    begin();
    static const struct {
        const char *name;
        bool quick;
        int budget;
    } cases[] = {{"has-father-memnn", false, 50},
                 {"has-father-memnn", true, 5},
                 {"sort-memnn", true, 30000},
                 {"sort", true, 1000}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        begin_study((nlm_study_plan){.worlds = 20, .quick = cases[i].quick});
        assert_int_equal(subject_budget(&all, subject_named(cases[i].name)), cases[i].budget);
    }
}

static void commands_make_the_same_runs(void **state)
{
    (void)state;
    nlm_study_run runs[NLM_STUDY_SUBJECTS];
    char text[STUDY_COMMAND];
    begin_study((nlm_study_plan){.folder = folder, .worlds = 20, .rules = true});
    all.runs = runs;
    all.count = 3;
    runs[0] = run_of("uncle", 1);
    runs[1] = run_of("sort", 1);
    runs[2] = run_of("path", 1);
    assert_string_equal(
        study_command(&all, text),
        "nlm reproduce --models nlm --tasks uncle,sort,path --seeds 1 --protocol best --worlds 20");
    runs[1].result.seed = 4;
    assert_string_equal(
        study_command(&all, text),
        "nlm reproduce --models nlm --tasks uncle,path --seeds 1 --protocol best --worlds 20 && "
        "nlm reproduce --models nlm --tasks sort --seeds 4 --protocol best --worlds 20");
    runs[1].subject = subject_named("uncle-memnn");
    runs[1].result.seed = 1;
    assert_string_equal(
        study_command(&all, text),
        "nlm reproduce --models nlm --tasks uncle,path --seeds 1 --protocol best --worlds 20 && "
        "nlm reproduce --models memnn --tasks uncle --seeds 1 --protocol best --worlds 20");
    runs[2].subject = subject_named("uncle-dilp");
    assert_string_equal(study_command(&all, text),
                        "nlm reproduce --tasks uncle --seeds 1 --protocol best --worlds 20");
    runs[1].result.budget = 10; /* of 100 epochs */
    assert_string_equal(study_command(&all, text),
                        "nlm reproduce --quick --tasks uncle --protocol best --worlds 20");
    for (int i = 0; i < all.count; i++)
        runs[i].result.seed = 2;
    assert_string_equal(
        study_command(&all, text),
        "nlm reproduce --models nlm,dilp --tasks uncle --seeds 2 --protocol best --worlds 20 && "
        "nlm reproduce --quick --models memnn --tasks uncle --seeds 2 --protocol best --worlds 20");
    /* All that --quick makes, and all that there is. */
    for (int quick = 1; quick >= 0; quick--) {
        all.count = all.subject_count;
        for (int s = 0; s < all.count; s++) {
            const nlm_subject *subject = &all.subjects[s];
            runs[s] = run_named(&all, subject, (uint64_t)subject_seeds(subject, quick), false);
            runs[s].result.budget = quick && subject_is(subject, "memnn") ? 1 : 0;
        }
        assert_string_equal(study_command(&all, text),
                            quick ? "nlm reproduce --quick --protocol best --worlds 20"
                                  : "nlm reproduce --protocol best --worlds 20");
    }
    for (int s = 0; s < all.count; s++)
        runs[s].result.seed = 10;
    assert_string_equal(study_command(&all, text), "nlm reproduce --seeds 10 --protocol best --worlds 20");
    /* The longest there is. */
    all.plan.worlds = 1000000;
    all.plan.protocol = NLM_PROTOCOL_PAPER;
    all.plan.rules = false;
    for (int s = 0; s < all.count; s++)
        runs[s].result.seed = UINT64_MAX - (uint64_t)s;
    study_command(&all, text);
    static const char end[] = "--worlds 1000000 --no-rules";
    assert_string_equal(text + strlen(text) - strlen(end), end);
    assert_true(strlen(text) < STUDY_COMMAND - 1);
}

static void all_tasks_of_ilp_have_a_name(void **state)
{
    (void)state;
    nlm_study_run runs[NLM_STUDY_SUBJECTS];
    char text[STUDY_COMMAND];
    begin_study((nlm_study_plan){.folder = folder, .worlds = 20, .rules = true});
    all.runs = runs;
    runs[all.count++] = run_of("uncle", 5);
    runs[all.count++] = run_of("uncle-dilp", 5);
    for (int s = 0; s < all.subject_count; s++) {
        if (all.subjects[s].ilp)
            runs[all.count++] = run_named(&all, &all.subjects[s], 5, false);
    }
    assert_string_equal(
        study_command(&all, text),
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
    char path[NLM_STUDY_PATH];
    for (int s = 0; s < all.subject_count; s++) {
        snprintf(path, sizeof path, "%s/%s", folder, all.subjects[s].name);
        rmdir(path);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_results_are_read_as_they_were),
        cmocka_unit_test(cut_results_are_not_read),
        cmocka_unit_test(wrong_values_are_not_read),
        cmocka_unit_test(wrong_programs_are_not_read),
        cmocka_unit_test(older_results_are_read),
        cmocka_unit_test(results_of_jobs_are_read_as_they_were),
        cmocka_unit_test(refused_runs_are_finished),
        cmocka_unit_test(budgets_are_not_mixed),
        cmocka_unit_test(costs_are_known_for_all),
        cmocka_unit_test(all_models_have_their_subjects),
        cmocka_unit_test(pictures_are_those_of_the_plan),
        cmocka_unit_test(figures_were_published_for_all),
        cmocka_unit_test(quick_cuts_the_budget),
        cmocka_unit_test(commands_make_the_same_runs),
        cmocka_unit_test(all_tasks_of_ilp_have_a_name),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
