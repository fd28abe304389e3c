/* Runs with their files, and runs side by side: what is written, refused, taken up again, tested. */
#include <stdlib.h>
#include <unistd.h>
#include "learn/runs.h"
#include "nlm/run_pool.h"

typedef struct paths {
    char model[300], checkpoint[320], log[320], lock[320];
} paths;

static paths paths_in(const folder *made)
{
    paths p;
    snprintf(p.model, sizeof p.model, "%s/run.nlm", made->path);
    snprintf(p.checkpoint, sizeof p.checkpoint, "%s.checkpoint", p.model);
    snprintf(p.log, sizeof p.log, "%s/run.jsonl", made->path);
    snprintf(p.lock, sizeof p.lock, "%s.lock", p.model);
    unlink(p.model);
    unlink(p.checkpoint);
    unlink(p.log);
    return p;
}

/* Of a folder and all that a pool left in it. */
static int remove_tree(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", ((const folder *)*state)->path);
    return system(command);
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_tree)

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static int count_lines(const char *path)
{
    FILE *file = fopen(path, "r");
    int lines = 0;
    for (int c; file && (c = getc(file)) != EOF;)
        lines += c == '\n';
    if (file)
        fclose(file);
    return lines;
}

static nlm_settings endless(void)
{
    nlm_settings made = small_run("1-outdegree", NLM_PROTOCOL_PAPER, 4);
    made.threshold = NEVER;
    return made;
}

static void refused(const nlm_settings *settings, const nlm_run_files *files, nlm_status status,
                    const char *message)
{
    nlm_run *run = (nlm_run *)settings;
    nlm_error error = {NLM_OK, ""};
    assert_int_equal(nlm_run_open(settings, NULL, files, &run, &error), status);
    assert_said(&error, status, message);
    assert_null(run);
}

static void a_round_is_logged_then_checkpointed_and_the_end_leaves_a_model(void **state)
{
    const paths p = paths_in(*state);
    const nlm_run_files files = {.model = p.model, .log = p.log};
    const nlm_settings settings = endless();
    nlm_run *run;
    CHECK(nlm_run_open(&settings, NULL, &files, &run, &check_error));
    assert_true(exists(p.checkpoint) && exists(p.lock) && !exists(p.model));
    for (int epoch = 1; epoch <= settings.epochs; epoch++) {
        run_epoch(run);
        assert_int_equal(count_lines(p.log), epoch);
        nlm_run *there;
        CHECK(nlm_run_load(p.checkpoint, NULL, NULL, &there, &check_error));
        assert_int_equal(progress_of(there).rounds, epoch);
        nlm_run_free(there);
        assert_int_equal(exists(p.model), epoch == settings.epochs);
    }
    assert_int_equal(nlm_run_stage(run), NLM_EXHAUSTED);
    nlm_run_free(run);
    assert_true(exists(p.checkpoint) && !exists(p.lock)); /* a larger budget goes on from there */
}

static void a_graduate_has_no_checkpoint_and_is_done_when_resumed(void **state)
{
    const paths p = paths_in(*state);
    nlm_run_files files = {.model = p.model, .log = p.log};
    const nlm_settings settings = has_father_run();
    nlm_run *run;
    CHECK(nlm_run_open(&settings, NULL, &files, &run, &check_error));
    write_has_father(nlm_run_machine(run), true);
    run_to_end(run);
    assert_int_equal(nlm_run_stage(run), NLM_GRADUATED);
    const nlm_progress ended = progress_of(run);
    nlm_run_free(run);
    assert_true(exists(p.model) && !exists(p.checkpoint));
    files.resume = true;
    CHECK(nlm_run_open(&settings, NULL, &files, &run, &check_error));
    const nlm_progress there = progress_of(run);
    assert_true(there.was_done && there.stage == NLM_GRADUATED);
    assert_int_equal(there.rounds, ended.rounds);
    assert_int_equal(there.epoch.examples, ended.epoch.examples);
    nlm_run_free(run);
    assert_true(!exists(p.checkpoint) && count_lines(p.log) == ended.rounds);
}

/* Killed between the last checkpoint and the model: opening it again writes the model. */
static void a_run_that_was_killed_before_its_model_gets_it(void **state)
{
    const paths p = paths_in(*state);
    const nlm_run_files files = {.model = p.model, .resume = true};
    const nlm_settings settings = endless();
    nlm_run *run;
    CHECK(nlm_run_new(&settings, NULL, &run, &check_error));
    run_to_end(run);
    CHECK(nlm_run_save_checkpoint(run, p.checkpoint, &check_error));
    nlm_run_free(run);
    CHECK(nlm_run_open(&settings, NULL, &files, &run, &check_error));
    assert_true(exists(p.model) && !progress_of(run).was_done);
    nlm_run_free(run);
}

static void what_would_be_lost_is_refused(void **state)
{
    const paths p = paths_in(*state);
    nlm_run_files files = {.model = p.model};
    nlm_settings settings = endless();
    nlm_run *run;
    CHECK(nlm_run_open(&settings, NULL, &files, &run, &check_error));
    refused(&settings, &files, NLM_IO_ERROR, "another nlm is at work");
    run_epoch(run);
    nlm_run_free(run);
    refused(&settings, &files, NLM_BAD_FILE, "a run of 1-outdegree was stopped here after epoch 1; --resume");
    nlm_error error;
    assert_int_equal(nlm_run_check_files(&settings, &files, &error), NLM_BAD_FILE);
    files.resume = true;
    settings.seed++;
    refused(&settings, &files, NLM_BAD_FILE, "a run with seed 1, not 2");
    assert_int_equal(nlm_run_check_files(&settings, &files, &error), NLM_BAD_FILE);
    settings = small_run("has-sister", NLM_PROTOCOL_PAPER, 4);
    refused(&settings, &files, NLM_BAD_FILE, "a run of 1-outdegree, not of has-sister");
    files = (nlm_run_files){.model = p.model, .log = p.checkpoint};
    refused(&settings, &files, NLM_BAD_FILE, "in the place of the model");
    files = (nlm_run_files){.model = "/nowhere/at/all"};
    refused(&settings, &files, NLM_IO_ERROR, "/nowhere/at/all");
    files.model = "";
    refused(&settings, &files, NLM_BAD_FILE, "needs a name");
    assert_true(exists(p.checkpoint));
}

/* A model of the same settings after as many epochs is there, but the run was to go on. */
static void a_stopped_run_is_refused_although_there_is_such_a_model(void **state)
{
    const paths p = paths_in(*state);
    nlm_run_files files = {.model = p.model};
    nlm_settings settings = endless();
    nlm_run *run;
    settings.epochs = 1;
    CHECK(nlm_run_open(&settings, NULL, &files, &run, &check_error));
    run_to_end(run);
    nlm_run_free(run);
    CHECK(nlm_run_open(&settings, NULL, &files, &run, &check_error)); /* it has ended, and nothing is lost */
    nlm_run_free(run);
    settings.epochs = 2;
    files.force = true;
    CHECK(nlm_run_open(&settings, NULL, &files, &run, &check_error));
    run_epoch(run);
    nlm_run_free(run);
    files.force = false;
    refused(&settings, &files, NLM_BAD_FILE, "was stopped here after epoch 1");
}

/* Settings that can never be are told apart from files that only stand in the way today. */
static void settings_are_refused_before_files(void **state)
{
    const paths p = paths_in(*state);
    const nlm_run_files files = {.model = p.model};
    nlm_settings settings = endless();
    settings.batch = 0;
    refused(&settings, &files, NLM_BAD_ARGUMENT, "batch 0");
    refused(NULL, &files, NLM_BAD_ARGUMENT, "a required argument is NULL");
    assert_true(!exists(p.checkpoint) && !exists(p.lock));
}

/* ---- side by side ---- */

enum { JOBS = 4 };

typedef struct watcher {
    int looks, ended, stop_after;
} watcher;

static bool look(void *context, const nlm_job_progress *progress)
{
    watcher *w = context;
    w->looks++;
    for (int j = 0; j < JOBS; j++)
        assert_true(progress[j].fraction >= 0 && progress[j].fraction <= 1);
    return w->stop_after == 0 || w->looks < w->stop_after;
}

static void count_ended(void *context, nlm_job *job)
{
    (void)job;
    ((watcher *)context)->ended++;
}

static void begin_jobs(nlm_job *jobs, const nlm_settings *settings, const char *path, bool resume)
{
    const nlm_run_files files = {.resume = resume};
    for (int j = 0; j < JOBS; j++) {
        CHECK(nlm_job_init(&jobs[j], settings, &(const nlm_options){.threads = 1}, &files, path,
                           (uint64_t)j + 1, &check_error));
        jobs[j].worlds = 10;
    }
}

static void runs_side_by_side_are_those_one_by_one(void **state)
{
    const folder *made = *state;
    nlm_settings settings = endless();
    for (int threads = 1; threads <= 3; threads += 2) {
        nlm_job jobs[JOBS];
        watcher w = {0};
        char path[320];
        snprintf(path, sizeof path, "%s/pool-%d", made->path, threads);
        CHECK(nlm_folder_make(path, &check_error));
        begin_jobs(jobs, &settings, path, false);
        const nlm_pool_options how = {.threads = threads, .look = look, .ended = count_ended, .context = &w};
        CHECK(nlm_run_pool(jobs, JOBS, &how, &check_error));
        assert_int_equal(w.ended, JOBS);
        for (int j = 0; j < JOBS; j++) {
            nlm_machine *machine;
            settings.seed = (uint64_t)j + 1;
            nlm_run *alone = begin_run(&settings, 1);
            run_to_end(alone);
            assert_int_equal(jobs[j].status, NLM_OK);
            assert_true(jobs[j].tested && jobs[j].scores[0].asked == 10 && jobs[j].scores[1].asked == 10);
            assert_int_equal(count_lines(jobs[j].files.log), settings.epochs);
            CHECK(nlm_machine_load(jobs[j].files.model, &machine, &check_error));
            assert_int_equal(count_different_parameters(machine, nlm_run_machine(alone)), 0);
            nlm_machine_free(machine);
            nlm_run_free(alone);
            nlm_job_release(&jobs[j]);
        }
        settings.seed = 1;
    }
}

/* More than it could do in the time between two looks. */
static void a_pool_that_is_stopped_goes_on(void **state)
{
    const folder *made = *state;
    nlm_settings settings = endless();
    nlm_job jobs[JOBS];
    watcher w = {.stop_after = 1};
    settings.epochs = 1000000;
    begin_jobs(jobs, &settings, made->path, false);
    const nlm_pool_options how = {.threads = 2, .look = look, .ended = count_ended, .context = &w};
    CHECK(nlm_run_pool(jobs, JOBS, &how, &check_error));
    for (int j = 0; j < JOBS; j++) {
        assert_true(!jobs[j].tested && jobs[j].status == NLM_OK);
        nlm_job_release(&jobs[j]);
    }
    nlm_error error;
    assert_int_equal(nlm_job_init(&jobs[0], &settings, &(const nlm_options){.threads = 1},
                                  &(const nlm_run_files){0}, made->path, 1, &error),
                     NLM_BAD_FILE); /* it was stopped, and would be lost */
    settings.epochs = 1;            /* a budget that is used up */
    w = (watcher){0};
    begin_jobs(jobs, &settings, made->path, true);
    CHECK(nlm_run_pool(jobs, JOBS, &how, &check_error));
    for (int j = 0; j < JOBS; j++) {
        assert_true(jobs[j].tested);
        nlm_job_release(&jobs[j]);
    }
}

static void jobs_that_can_never_be_are_refused(void **state)
{
    const folder *made = *state;
    nlm_settings settings = endless();
    nlm_job jobs[JOBS];
    watcher w = {0};
    char path[320];
    snprintf(path, sizeof path, "%s/refused", made->path);
    CHECK(nlm_folder_make(path, &check_error));
    settings.batch = 0;
    begin_jobs(jobs, &settings, path, false);
    const nlm_pool_options how = {.threads = 2, .look = look, .context = &w};
    CHECK(nlm_run_pool(jobs, JOBS, &how, &check_error));
    for (int j = 0; j < JOBS; j++) {
        assert_true(jobs[j].refused && !jobs[j].tested);
        assert_said(&jobs[j].error, NLM_BAD_ARGUMENT, "batch 0");
        nlm_job_release(&jobs[j]);
    }
}

/* ---- what is said ---- */

static bool has_advice(const nlm_run *run, const char *settings, bool resume)
{
    nlm_advice advice[NLM_MOST_ADVICE];
    const int count = nlm_run_advice(run, NULL, advice);
    for (int i = 0; i < count; i++)
        if (!strcmp(advice[i].settings, settings) && advice[i].resume == resume)
            return true;
    return false;
}

static void advice_follows_from_the_run(void **state)
{
    (void)state;
    nlm_settings settings = endless();
    nlm_run *run = begin_run(&settings, 1);
    run_to_end(run);
    assert_true(has_advice(run, "epochs=6", true));
    assert_true(has_advice(run, "protocol=best", false));
    assert_true(has_advice(run, "seed=2", false));
    assert_false(has_advice(run, "lr=0.0025", false));
    assert_string_equal(nlm_run_loss_text(run), "has had too few epochs to tell much");
    nlm_run_free(run);
    settings.epochs = 12;
    settings.lr = 0;
    run = begin_run(&settings, 1);
    run_to_end(run);
    assert_true(has_advice(run, "lr=0", false)); /* half of none */
    assert_false(has_advice(run, "epochs=24", true));
    nlm_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_TREE(a_round_is_logged_then_checkpointed_and_the_end_leaves_a_model),
        IN_TREE(a_graduate_has_no_checkpoint_and_is_done_when_resumed),
        IN_TREE(a_run_that_was_killed_before_its_model_gets_it),
        IN_TREE(what_would_be_lost_is_refused),
        IN_TREE(a_stopped_run_is_refused_although_there_is_such_a_model),
        IN_TREE(settings_are_refused_before_files),
        IN_TREE(runs_side_by_side_are_those_one_by_one),
        IN_TREE(a_pool_that_is_stopped_goes_on),
        IN_TREE(jobs_that_can_never_be_are_refused),
        cmocka_unit_test(advice_follows_from_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
