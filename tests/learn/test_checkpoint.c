/* Checkpoints: a run that is stopped and taken up again ends with the same bits as one that was not. */
#include "learn/runs.h"

/* ---- runs of every kind ---- */

typedef struct scenario {
    const char *what;
    const char *task;
    nlm_protocol protocol;
    int objects, epochs;
    double threshold; /* negative: the task's own */
    int exam, replay, patience;
    bool forgets;   /* knows its task in the first epoch, and then no more */
    nlm_stage ends; /* as it must, else the scenario does not show what it should */
    int restarts;
} scenario;

static const scenario scenarios[] = {
    {"the paper's", "1-outdegree", NLM_PROTOCOL_PAPER, 6, 4, -1, 0, 0, 0, false, NLM_EXHAUSTED, 0},
    {"graduated", "1-outdegree", NLM_PROTOCOL_PAPER, 6, 9, 1000, 0, 0, 0, false, NLM_GRADUATED, 0},
    {"exams failed", "has-father", NLM_PROTOCOL_PAPER, 8, 4, 1000, 40, 2, 0, false, NLM_EXHAUSTED, 0},
    {"begun again", "grandparent", NLM_PROTOCOL_PAPER, 10, 6, 0, 0, 0, 2, false, NLM_EXHAUSTED, 2},
    {"exams and beginnings", "1-outdegree", NLM_PROTOCOL_BEST, 6, 5, 1000, 20, 1, 3, false, NLM_EXHAUSTED, 1},
    {"best", "has-sister", NLM_PROTOCOL_BEST, 8, 4, -1, 20, 1, 0, false, NLM_EXHAUSTED, 0},
    {"rare errors", "has-father", NLM_PROTOCOL_BEST, 8, 4, 0, 20, 1, 0, true, NLM_EXHAUSTED, 0},
};

static nlm_settings training_of(const scenario *of)
{
    nlm_settings made = of->forgets ? has_father_run() : small_run(of->task, of->protocol, of->objects);
    made.lr = 0.005;
    made.objects = of->objects;
    made.epochs = of->epochs;
    made.exam = of->exam;
    made.replay = of->replay;
    made.patience = of->patience;
    if (of->threshold >= 0)
        made.threshold = of->threshold;
    return made;
}

/* One epoch; in the first, a machine that forgets is helped. */
static void run_epoch_of(const scenario *of, nlm_run *trainer)
{
    const bool first = epoch_of(trainer)->epoch == 0;
    if (of->forgets && first)
        write_has_father(nlm_run_machine(trainer), true);
    run_epoch(trainer);
    if (of->forgets && first) {
        assert_true(epoch_of(trainer)->accuracy == 1.0);
        write_has_father(nlm_run_machine(trainer), false);
    }
}

/* Save it, forget it, load it: with other threads, and with or without the settings. */
static nlm_run *pause_run(nlm_run *trainer, const nlm_settings *training, const char *path)
{
    const nlm_epoch before = *epoch_of(trainer);
    const nlm_stage stage = nlm_run_stage(trainer);
    const nlm_options options = {.threads = 1 + before.epoch % 3};
    CHECK(nlm_run_save_checkpoint(trainer, path, &check_error));
    nlm_run_free(trainer);
    CHECK(nlm_run_load(path, before.epoch % 2 ? training : NULL, &options, &trainer, &check_error));
    const nlm_epoch *after = epoch_of(trainer);
    assert_int_equal(after->epoch, before.epoch);
    assert_int_equal(after->examples, before.examples);
    assert_int_equal(after->restarts, before.restarts);
    assert_true(after->loss == before.loss && after->elapsed == before.elapsed);
    assert_int_equal(nlm_run_stage(trainer), stage);
    assert_int_equal(steps_of(trainer), 0);
    CHECK(nlm_settings_compare(nlm_run_settings(trainer), training, path, &check_error));
    assert_int_equal(nlm_run_settings(trainer)->epochs, training->epochs);
    assert_int_equal(nlm_run_settings(trainer)->protocol, training->protocol);
    return trainer;
}

static void assert_pausing_changes_nothing(const folder *made, const scenario *of,
                                           const nlm_settings *training)
{
    nlm_run *whole = begin_run(training, 1), *paused = begin_run(training, 2);
    while (nlm_run_stage(whole) == NLM_LEARNING)
        run_epoch_of(of, whole);
    paused = pause_run(paused, training, made->other); /* before the first epoch, too */
    while (nlm_run_stage(paused) == NLM_LEARNING) {
        run_epoch_of(of, paused);
        paused = pause_run(paused, training, made->other);
    }
    assert_int_equal(nlm_run_stage(whole), of->ends);
    assert_int_equal(epoch_of(whole)->restarts, of->restarts);
    assert_int_equal(count_different_parameters(nlm_run_machine(whole), nlm_run_machine(paused)), 0);
    CHECK(nlm_run_save_model(whole, made->file, &check_error));
    CHECK(nlm_run_save_model(paused, made->other, &check_error));
    assert_same_files(made->file, made->other);
    nlm_run_free(whole);
    nlm_run_free(paused);
}

static void a_run_that_is_paused_ends_with_the_same_file(void **state)
{
    for (size_t i = 0; i < COUNT(scenarios); i++) {
        const nlm_settings training = training_of(&scenarios[i]);
        assert_pausing_changes_nothing(*state, &scenarios[i], &training);
    }
}

/* Seeds and losses with all their digits; machines of other forms. */
static void machines_of_all_forms_can_be_paused(void **state)
{
    const scenario plain = scenarios[0];
    nlm_settings training = training_of(&plain);
    training.seed = 18446744073709551615u;
    training.lr = 0.1 / 3;
    training.spec.residual = true;
    training.spec.hidden_layers = 2;
    training.spec.hidden[0] = 5;
    training.spec.hidden[1] = 3;
    assert_pausing_changes_nothing(*state, &plain, &training);
    training = training_of(&plain);
    training.spec.own_widths = true;
    training.spec.depth = 2;
    for (int r = 0; r <= training.spec.breadth; r++)
        training.spec.widths[0][r] = training.spec.widths[1][r] = r + 2;
    assert_pausing_changes_nothing(*state, &plain, &training);
    training = training_of(&plain);
    training.spec.outputs |= 4; /* and one that nobody asks for */
    assert_pausing_changes_nothing(*state, &plain, &training);
}

/* Errors that were rare before the machine began again are not rare any more. */
static void a_run_that_began_again_after_rare_errors_can_be_paused(void **state)
{
    const folder *made = *state;
    nlm_settings training = has_father_run();
    training.threshold = NEVER;
    training.lr = 0.005;
    training.batches = 1500;
    training.epochs = 2;
    training.patience = training.replay = 1;
    nlm_run *runs[2];
    for (int paused = 0; paused < 2; paused++) {
        runs[paused] = begin_run(&training, 1);
        write_has_father(nlm_run_machine(runs[paused]), true);
        for (int s = 1; s < training.batches; s++)
            CHECK(nlm_run_step(runs[paused], NULL, &check_error));
        write_has_father(nlm_run_machine(runs[paused]), false); /* for the last batch */
        run_epoch(runs[paused]);
        assert_true(epoch_of(runs[paused])->accuracy > 0.999);
        assert_int_equal(epoch_of(runs[paused])->restarts, 1);
        if (paused)
            runs[paused] = pause_run(runs[paused], &training, made->file);
        run_to_end(runs[paused]);
    }
    assert_int_equal(count_different_parameters(nlm_run_machine(runs[0]), nlm_run_machine(runs[1])), 0);
    nlm_run_free(runs[0]);
    nlm_run_free(runs[1]);
}

/* ---- when, and with which settings ---- */

static void a_checkpoint_is_written_between_epochs_only(void **state)
{
    const folder *made = *state;
    nlm_settings training = has_father_run();
    training.exam = 40;
    nlm_run *trainer = begin_run(&training, 1);
    nlm_error error = {0};
    write_has_father(nlm_run_machine(trainer), false);
    CHECK(nlm_run_save_checkpoint(trainer, made->file, &check_error));
    int refusals = 0;
    for (bool ended = false; !ended; refusals++) {
        CHECK(nlm_run_step(trainer, &ended, &check_error));
        if (ended)
            break;
        assert_int_equal(nlm_run_save_checkpoint(trainer, made->other, &error), NLM_BAD_ARGUMENT);
        assert_said(&error, NLM_BAD_ARGUMENT, made->other);
        assert_said(&error, NLM_BAD_ARGUMENT, "between two epochs");
        assert_int_not_equal(access(made->other, F_OK), 0);
    }
    assert_true(refusals > training.batches); /* in the exam, too */
    CHECK(nlm_run_save_checkpoint(trainer, made->other, &check_error));
    nlm_run_free(trainer);
}

static void assert_resume_refused(const char *path, nlm_settings training, const char *what)
{
    nlm_run *trainer = (nlm_run *)&training;
    nlm_error error = {0};
    assert_int_equal(nlm_run_load(path, &training, NULL, &trainer, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, what);
    assert_int_equal(strncmp(error.message, path, strlen(path)), 0);
    assert_null(trainer);
    assert_int_equal(nlm_run_load(path, &training, NULL, &trainer, NULL), NLM_BAD_ARGUMENT);
}

/* Settings with one of them changed. */
#define WITH(change) (other = training, other.change, other)

static void a_run_with_other_settings_is_refused(void **state)
{
    const folder *made = *state;
    nlm_settings training = training_of(&scenarios[4]), other;
    training.spec.hidden_layers = 1;
    training.spec.hidden[0] = 4;
    nlm_run *trainer = begin_run(&training, 1);
    run_epoch(trainer);
    CHECK(nlm_run_save_checkpoint(trainer, made->file, &check_error));
    nlm_run_free(trainer);
    assert_resume_refused(made->file, WITH(task = nlm_task_find("2-outdegree")), "1-outdegree, not of 2-");
    assert_resume_refused(made->file, WITH(seed++), "seed 1, not 2");
    assert_resume_refused(made->file, WITH(objects = 7), "objects 6, not 7");
    assert_resume_refused(made->file, WITH(batch++), "batch 4, not 5");
    assert_resume_refused(made->file, WITH(batches = 9), "batches 5, not 9");
    assert_resume_refused(made->file, WITH(lr = 0.001), "lr 0.005");
    assert_resume_refused(made->file, WITH(gain = 0.5), "gain");
    assert_resume_refused(made->file, WITH(beta2 = 0.5), "beta2");
    assert_resume_refused(made->file, WITH(threshold = 1), "threshold 1000, not 1");
    assert_resume_refused(made->file, WITH(exam = 21), "exam 20, not 21");
    assert_resume_refused(made->file, WITH(patience = 4), "patience 3, not 4");
    assert_resume_refused(made->file, WITH(spec.depth++), "depth");
    assert_resume_refused(made->file, WITH(spec.breadth++), "breadth");
    assert_resume_refused(made->file, WITH(spec.residual ^= true), "residual");
    assert_resume_refused(made->file, WITH(spec.width++), "width 8, not 9");
    assert_resume_refused(made->file, WITH(spec.hidden[0]++), "hidden");
    assert_resume_refused(made->file, WITH(spec.hidden_layers = 0), "hidden");
    other = WITH(protocol = NLM_PROTOCOL_PAPER); /* says only where the settings come from */
    CHECK(nlm_run_load(made->file, &other, NULL, &trainer, &check_error));
    nlm_run_free(trainer);
}

static void bad_settings_and_missing_files_are_refused(void **state)
{
    const folder *made = *state;
    nlm_settings training = training_of(&scenarios[0]);
    nlm_run *trainer;
    nlm_error error = {0};
    assert_int_equal(nlm_run_load(made->file, &training, NULL, &trainer, &error), NLM_IO_ERROR);
    assert_said(&error, NLM_IO_ERROR, made->file);
    assert_null(trainer);
    training.batch = 0;
    assert_int_equal(nlm_run_load(made->file, &training, NULL, &trainer, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "batch");
    assert_null(trainer);
}

/* ---- more epochs, or fewer ---- */

static void more_epochs_continue_an_exhausted_run(void **state)
{
    const folder *made = *state;
    nlm_settings larger = training_of(&scenarios[0]), smaller = larger;
    larger.epochs = 5;
    smaller.epochs = 2;
    nlm_run *whole = begin_run(&larger, 1), *part = begin_run(&smaller, 1);
    run_to_end(whole);
    run_to_end(part);
    assert_int_equal(nlm_run_stage(part), NLM_EXHAUSTED);
    CHECK(nlm_run_save_checkpoint(part, made->other, &check_error));
    nlm_run_free(part);
    CHECK(nlm_run_load(made->other, NULL, NULL, &part, &check_error));
    assert_int_equal(nlm_run_stage(part), NLM_EXHAUSTED);
    nlm_run_free(part);
    CHECK(nlm_run_load(made->other, &larger, NULL, &part, &check_error));
    assert_int_equal(nlm_run_stage(part), NLM_LEARNING);
    assert_int_equal(nlm_run_settings(part)->epochs, 5);
    run_to_end(part);
    assert_int_equal(epoch_of(part)->epoch, 5);
    CHECK(nlm_run_save_model(whole, made->file, &check_error));
    CHECK(nlm_run_save_model(part, made->other, &check_error));
    assert_same_files(made->file, made->other);
    nlm_run_free(whole);
    nlm_run_free(part);
}

static void a_budget_that_is_used_up_ends_a_run(void **state)
{
    const folder *made = *state;
    nlm_settings training = training_of(&scenarios[0]);
    nlm_run *trainer = begin_run(&training, 1);
    run_epoch(trainer);
    run_epoch(trainer);
    CHECK(nlm_run_save_checkpoint(trainer, made->file, &check_error));
    nlm_run_free(trainer);
    for (training.epochs = 1; training.epochs <= 3; training.epochs++) {
        CHECK(nlm_run_load(made->file, &training, NULL, &trainer, &check_error));
        assert_int_equal(nlm_run_stage(trainer), training.epochs > 2 ? NLM_LEARNING : NLM_EXHAUSTED);
        assert_int_equal(epoch_of(trainer)->epoch, 2);
        nlm_run_free(trainer);
    }
}

static void a_graduated_run_stays_graduated(void **state)
{
    const folder *made = *state;
    nlm_settings training = training_of(&scenarios[1]);
    nlm_run *trainer = begin_run(&training, 1);
    run_to_end(trainer);
    CHECK(nlm_run_save_checkpoint(trainer, made->file, &check_error));
    nlm_run_free(trainer);
    training.epochs *= 2;
    CHECK(nlm_run_load(made->file, &training, NULL, &trainer, &check_error));
    assert_int_equal(nlm_run_stage(trainer), NLM_GRADUATED);
    nlm_run_free(trainer);
}

/* ---- models and checkpoints ---- */

static void assert_settings_of(const char *path, const nlm_settings *training, nlm_machine *same)
{
    nlm_machine *machine = load(path);
    nlm_settings found;
    assert_same_machine(machine, same);
    CHECK(nlm_settings_of_machine(machine, path, &found, &check_error));
    CHECK(nlm_settings_compare(&found, training, path, &check_error));
    assert_ptr_equal(found.task, training->task);
    assert_int_equal(found.epochs, training->epochs);
    assert_int_equal(found.protocol, training->protocol);
    nlm_machine_free(machine);
}

static void models_and_checkpoints_tell_how_they_were_trained(void **state)
{
    const folder *made = *state;
    for (size_t i = 0; i < COUNT(scenarios); i++) {
        const nlm_settings training = training_of(&scenarios[i]);
        nlm_run *trainer = begin_run(&training, 1), *loaded;
        nlm_error error = {0};
        run_epoch_of(&scenarios[i], trainer);
        CHECK(nlm_run_save_model(trainer, made->file, &check_error));
        CHECK(nlm_run_save_checkpoint(trainer, made->other, &check_error));
        assert_settings_of(made->file, &training, nlm_run_machine(trainer));
        assert_settings_of(made->other, &training, nlm_run_machine(trainer));
        assert_int_equal(nlm_run_load(made->file, NULL, NULL, &loaded, &error), NLM_BAD_FILE);
        assert_said(&error, NLM_BAD_FILE, "a model, not a checkpoint");
        assert_said(&error, NLM_BAD_FILE, made->file);
        nlm_run_free(trainer);
    }
}

static void a_machine_of_another_origin_has_no_settings(void **state)
{
    const folder *made = *state;
    save_model(&models[FAMILY], made->file);
    nlm_machine *machine = load(made->file);
    nlm_settings found;
    nlm_error error = {0};
    assert_int_equal(nlm_settings_of_machine(machine, "this one", &found, &error), NLM_BAD_FILE);
    assert_said(&error, NLM_BAD_FILE, "this one: ");
    assert_int_equal(nlm_settings_of_machine(machine, "this one", &found, NULL), NLM_BAD_FILE);
    nlm_machine_free(machine);
}

/* A file that cannot be written harms neither the run nor an earlier file. */
static void a_run_survives_that_it_cannot_be_saved(void **state)
{
    const folder *made = *state;
    const nlm_settings training = training_of(&scenarios[0]);
    nlm_run *trainer = begin_run(&training, 1);
    nlm_error error = {0};
    char path[128];
    snprintf(path, sizeof path, "%s/missing/run", made->path);
    run_epoch(trainer);
    assert_int_equal(nlm_run_save_checkpoint(trainer, path, &error), NLM_IO_ERROR);
    assert_said(&error, NLM_IO_ERROR, path);
    assert_int_equal(nlm_run_save_model(trainer, made->path, &error), NLM_IO_ERROR);
    assert_said(&error, NLM_IO_ERROR, made->path);
    CHECK(nlm_run_save_checkpoint(trainer, made->file, &check_error));
    run_to_end(trainer);
    nlm_run_free(trainer);
}

/* What was written can be read again, whatever a learning rate did to the machine. */
static void a_run_that_can_be_saved_can_be_loaded(void **state)
{
    const folder *made = *state;
    nlm_settings training = training_of(&scenarios[0]);
    nlm_run *trainer = begin_run(&training, 1), *loaded;
    nlm_machine *machine = nlm_run_machine(trainer);
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        for (size_t i = 0; !strcmp(tensor.name, "head.weight") && i < tensor.count; i++)
            tensor.values[i] = 1e25f; /* squares of gradients overflow */
    }
    bool ended = false;
    nlm_status status = NLM_OK;
    while (!status && !ended)
        status = nlm_run_step(trainer, &ended, NULL);
    if (!status)
        status = nlm_run_save_checkpoint(trainer, made->file, NULL);
    if (!status) {
        CHECK(nlm_run_load(made->file, &training, NULL, &loaded, &check_error));
        nlm_run_free(loaded);
    }
    nlm_run_free(trainer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_run_that_is_paused_ends_with_the_same_file),
        IN_FOLDER(machines_of_all_forms_can_be_paused),
        IN_FOLDER(a_run_that_began_again_after_rare_errors_can_be_paused),
        IN_FOLDER(a_checkpoint_is_written_between_epochs_only),
        IN_FOLDER(a_run_with_other_settings_is_refused),
        IN_FOLDER(bad_settings_and_missing_files_are_refused),
        IN_FOLDER(more_epochs_continue_an_exhausted_run),
        IN_FOLDER(a_budget_that_is_used_up_ends_a_run),
        IN_FOLDER(a_graduated_run_stays_graduated),
        IN_FOLDER(models_and_checkpoints_tell_how_they_were_trained),
        IN_FOLDER(a_machine_of_another_origin_has_no_settings),
        IN_FOLDER(a_run_survives_that_it_cannot_be_saved),
        IN_FOLDER(a_run_that_can_be_saved_can_be_loaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
