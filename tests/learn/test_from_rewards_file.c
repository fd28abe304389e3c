/* Files of courses: a run that is stopped and taken up again ends with the same bits as one that was not; and
 * only what is a checkpoint of the same run can be taken up. */
#include "learn/courses.h"

/* In place of the C library's: nothing here needs to outlive the machine. */
int fsync(int file)
{
    (void)file;
    return 0;
}

/* ---- runs of every kind ---- */

typedef struct scenario {
    const char *what;
    int game;
    int batch, rollouts, passes, restart, patience, keep_failures;
    double average, slack, validity;
    nlm_stage ends; /* as it must, else the scenario does not show what it should */
    int restarts;
} scenario;

static const scenario scenarios[] = {
    {"plain", SORT, 1, 0, 1, 0, 0, 0, 0, 0.005, 0, NLM_EXHAUSTED, 0},
    {"plain", PATH, 1, 0, 1, 0, 0, 0, 0, 0.005, 0, NLM_EXHAUSTED, 0},
    {"plain", BLOCKS, 1, 0, 1, 0, 0, 0, 0, 0.005, 0, NLM_EXHAUSTED, 0},
    {"validity", BLOCKS, 2, 0, 1, 0, 0, 0, 0, 1, 0.1, NLM_EXHAUSTED, 0},
    {"validity, begun again", BLOCKS, 4, 0, 1, 40, 0, 0, 0, 1, 0.1, NLM_EXHAUSTED, 1},
    {"average", SORT, 1, 0, 1, 0, 0, 0, 0.9, 1, 0, NLM_EXHAUSTED, 0},
    {"average, begun again", PATH, 5, 5, 2, 40, 0, 0, 0.99, 1, 0, NLM_EXHAUSTED, 1},
    {"passes", PATH, 4, 4, 3, 0, 0, 1, 0, 0.5, 0, NLM_EXHAUSTED, 0},
    {"all of it", BLOCKS, 4, 2, 2, 40, 0, 1, 0.9, 1, 0.1, NLM_EXHAUSTED, 1},
    {"no patience", SORT, 1, 0, 1, 0, 15, 0, 0, 0, 0, NLM_EXHAUSTED, 0},
};

static nlm_settings course_of(const scenario *of)
{
    nlm_settings made = small_course(of->game);
    made.batch = of->batch;
    made.rollouts = of->rollouts;
    made.passes = of->passes;
    made.restart = of->restart;
    made.patience = of->patience;
    made.keep_failures = of->keep_failures;
    made.average = of->average;
    made.slack = of->slack;
    made.validity = of->validity;
    return made;
}

static void assert_same_state(const nlm_run *before, const nlm_run *after)
{
    const struct rewards_state *a = &rewards_of(before)->state, *b = &rewards_of(after)->state;
    assert_int_equal(before->stage, after->stage);
    assert_int_equal(a->exam.exam, b->exam.exam);
    assert_int_equal(a->exam.lesson, b->exam.lesson);
    assert_int_equal(a->exam.episodes, b->exam.episodes);
    assert_int_equal(a->exam.drawn, b->exam.drawn);
    assert_int_equal(a->exam.restarts, b->exam.restarts);
    assert_true(a->exam.success == b->exam.success && a->exam.moves == b->exam.moves);
    assert_true(a->exam.elapsed == b->exam.elapsed);
    assert_int_equal(a->lesson, b->lesson);
    assert_int_equal(a->candidate, b->candidate);
    assert_int_equal(a->exam_due, b->exam_due);
    assert_int_equal(a->passed, b->passed);
    assert_int_equal(a->begun, b->begun);
    assert_int_equal(a->episodes, b->episodes);
    assert_true(a->rate == b->rate && a->entropy == b->entropy);
    assert_true(before->optimizer->settings.rate == after->optimizer->settings.rate);
    assert_int_equal(before->optimizer->steps, after->optimizer->steps);
    assert_int_equal(rewards_of(before)->solved.count, rewards_of(after)->solved.count);
    assert_int_equal(rewards_of(before)->failed.count, rewards_of(after)->failed.count);
    assert_int_equal(rewards_of(before)->validity.objects, rewards_of(after)->validity.objects);
    assert_true(same_values(before, after->machine->values));
}

/* Save it, load it, forget it: with other threads, and with or without the settings. */
static nlm_run *pause_run(nlm_run *s, const nlm_settings *course, const char *path)
{
    const int exam = exam_of(s)->exam;
    const nlm_options options = {.threads = 1 + exam % 3};
    nlm_run *loaded;
    CHECK(nlm_run_save_checkpoint(s, path, &check_error));
    CHECK(nlm_run_load(path, exam % 2 ? course : NULL, &options, &loaded, &check_error));
    assert_same_state(s, loaded);
    CHECK(nlm_settings_compare(nlm_run_settings(loaded), course, path, &check_error));
    assert_int_equal(nlm_run_settings(loaded)->episodes, course->episodes);
    assert_int_equal(nlm_run_settings(loaded)->protocol, course->protocol);
    nlm_run_free(s);
    return loaded;
}

static void assert_pausing_changes_nothing(const folder *made, const nlm_settings *course, nlm_stage ends,
                                           int restarts)
{
    nlm_run *whole = begin_course(course, 1), *paused = begin_course(course, 2);
    run_course(whole);
    paused = pause_run(paused, course, made->other); /* before the first episode, too */
    while (nlm_run_stage(paused) == NLM_LEARNING) {
        run_exam(paused);
        paused = pause_run(paused, course, made->other);
    }
    assert_int_equal(nlm_run_stage(whole), ends);
    assert_int_equal(exam_of(whole)->restarts, restarts);
    assert_int_equal(exam_of(whole)->exam, exam_of(paused)->exam);
    CHECK(nlm_run_save_model(whole, made->file, &check_error));
    CHECK(nlm_run_save_model(paused, made->other, &check_error));
    assert_same_files(made->file, made->other);
    nlm_run_free(whole);
    nlm_run_free(paused);
}

static void a_run_that_is_paused_ends_with_the_same_file(void **state)
{
    for (size_t i = 0; i < COUNT(scenarios); i++) {
        const nlm_settings course = course_of(&scenarios[i]);
        assert_pausing_changes_nothing(*state, &course, scenarios[i].ends, scenarios[i].restarts);
    }
}

/* Settings with all their digits; machines of other forms. */
static void machines_of_all_forms_can_be_paused(void **state)
{
    nlm_settings course = course_of(&scenarios[3]);
    course.seed = 18446744073709551615u;
    course.lr = 0.01 / 3;
    course.spec.hidden_layers = 2;
    course.spec.hidden[0] = 5;
    course.spec.hidden[1] = 3;
    assert_pausing_changes_nothing(*state, &course, NLM_EXHAUSTED, 0);
    course = course_of(&scenarios[0]);
    course.spec.own_widths = true;
    for (int r = 0; r <= course.spec.breadth; r++)
        course.spec.widths[0][r] = course.spec.widths[1][r] = r + 2;
    assert_pausing_changes_nothing(*state, &course, NLM_EXHAUSTED, 0);
}

/* A student that passes, forgets, fails, and passes in the end; at each exam it is paused, or not. */
static nlm_run *run_story(const nlm_settings *course, const char *path)
{
    nlm_run *s = begin_knowing(course);
    memcpy(rewards_of(s)->average, s->machine->values, nlm_machine_parameters(s->machine) * sizeof(float));
    for (int n = 0; nlm_run_stage(s) == NLM_LEARNING; n++) {
        run_exam(s);
        if (path)
            s = pause_run(s, course, path);
        if (n == 1)
            forget_all(s->machine);
        if (n == 1 && course->average > 0)
            memcpy(rewards_of(s)->average, s->machine->values,
                   nlm_machine_parameters(s->machine) * sizeof(float));
        if (n == 3)
            write_sorter(s->machine);
        if (n == 3 && course->average > 0)
            memcpy(rewards_of(s)->average, s->machine->values,
                   nlm_machine_parameters(s->machine) * sizeof(float));
    }
    return s;
}

static void graduates_and_candidates_can_be_paused(void **state)
{
    const folder *made = *state;
    for (int averaged = 0; averaged < 2; averaged++) {
        nlm_settings course = sorting_course();
        course.lr = 1e-4;
        course.average = averaged ? 0.9 : 0;
        course.episodes = 200;
        nlm_run *whole = run_story(&course, NULL), *paused = run_story(&course, made->other);
        assert_int_equal(nlm_run_stage(whole), NLM_GRADUATED);
        assert_int_equal(exam_of(whole)->exam, 6);
        CHECK(nlm_run_save_model(whole, made->file, &check_error));
        CHECK(nlm_run_save_model(paused, made->other, &check_error));
        assert_same_files(made->file, made->other);
        nlm_run_free(paused);
        course.episodes *= 2; /* more of them change nothing any more */
        CHECK(nlm_run_save_checkpoint(whole, made->other, &check_error));
        CHECK(nlm_run_load(made->other, &course, NULL, &paused, &check_error));
        assert_int_equal(nlm_run_stage(paused), NLM_GRADUATED);
        nlm_run_free(whole);
        nlm_run_free(paused);
    }
}

/* ---- more episodes, or fewer ---- */

static void more_episodes_continue_an_exhausted_run(void **state)
{
    const folder *made = *state;
    for (size_t i = 0; i < COUNT(scenarios); i++) {
        nlm_settings larger = course_of(&scenarios[i]), smaller = larger;
        smaller.episodes = 2 * larger.interval;
        nlm_run *whole = begin_course(&larger, 1), *part = begin_course(&smaller, 1);
        run_course(whole);
        run_course(part);
        CHECK(nlm_run_save_checkpoint(part, made->other, &check_error));
        nlm_run_free(part);
        CHECK(nlm_run_load(made->other, NULL, NULL, &part, &check_error));
        assert_int_equal(nlm_run_stage(part), NLM_EXHAUSTED);
        nlm_run_free(part);
        CHECK(nlm_run_load(made->other, &larger, NULL, &part, &check_error));
        const bool dropped = larger.patience > 0;
        assert_int_equal(nlm_run_stage(part), dropped ? NLM_EXHAUSTED : NLM_LEARNING);
        run_course(part);
        assert_int_equal(exam_of(part)->episodes, exam_of(whole)->episodes);
        assert_int_equal(exam_of(part)->restarts, exam_of(whole)->restarts);
        assert_true(same_values(part, whole->machine->values));
        nlm_run_free(whole);
        nlm_run_free(part);
    }
}

static void a_budget_that_is_used_up_ends_a_run(void **state)
{
    const folder *made = *state;
    nlm_settings course = course_of(&scenarios[0]);
    nlm_run *s = begin_course(&course, 1);
    run_exam(s);
    CHECK(nlm_run_save_checkpoint(s, made->file, &check_error));
    nlm_run_free(s);
    for (course.episodes = 19; course.episodes <= 21; course.episodes++) {
        CHECK(nlm_run_load(made->file, &course, NULL, &s, &check_error));
        assert_int_equal(nlm_run_stage(s), course.episodes > 20 ? NLM_LEARNING : NLM_EXHAUSTED);
        assert_int_equal(exam_of(s)->exam, 1);
        nlm_run_free(s);
    }
}

/* ---- when, and with which settings ---- */

static void a_checkpoint_is_written_after_an_exam_only(void **state)
{
    const folder *made = *state;
    nlm_settings course = course_of(&scenarios[1]);
    course.exam = course.pool = 200; /* of several parts */
    nlm_run *s = begin_course(&course, 1);
    nlm_error error = {NLM_OK, ""};
    CHECK(nlm_run_save_checkpoint(s, made->file, &check_error));
    int refusals = 0;
    while (!step(s)) {
        assert_int_equal(nlm_run_save_checkpoint(s, made->other, &error), NLM_BAD_ARGUMENT);
        assert_said(&error, NLM_BAD_ARGUMENT, made->other);
        assert_said(&error, NLM_BAD_ARGUMENT, "between two exams");
        assert_int_not_equal(access(made->other, F_OK), 0);
        CHECK(nlm_run_save_model(s, made->file, &check_error)); /* this is always possible */
        refusals++;
    }
    assert_int_equal(refusals, course.interval + 3); /* in the exam, too */
    CHECK(nlm_run_save_checkpoint(s, made->other, &check_error));
    nlm_run_free(s);
}

/* Nor in an exam that follows another at once. */
static void a_checkpoint_is_not_written_within_an_exam(void **state)
{
    const folder *made = *state;
    nlm_settings course = sorting_course();
    course.exam = 100; /* of two parts */
    nlm_run *s = begin_knowing(&course);
    nlm_error error = {NLM_OK, ""};
    assert_true(run_exam(s)->passed);
    CHECK(nlm_run_save_checkpoint(s, made->file, &check_error));
    assert_false(step(s));
    assert_int_equal(nlm_run_save_checkpoint(s, made->other, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "between two exams");
    assert_int_not_equal(access(made->other, F_OK), 0);
    nlm_run_free(s);
}

static void assert_resume_refused(const char *path, const nlm_settings *course, const char *what)
{
    nlm_run *s = (nlm_run *)&what;
    nlm_error error = {NLM_OK, ""};
    assert_int_equal(nlm_run_load(path, course, NULL, &s, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, what);
    assert_int_equal(strncmp(error.message, path, strlen(path)), 0);
    assert_null(s);
    assert_int_equal(nlm_run_load(path, course, NULL, &s, NULL), NLM_BAD_ARGUMENT);
}

/* Another value that a course may have. */
static bool change_setting(nlm_settings *course, const nlm_setting *row)
{
    void *place = (char *)course + row->place;
    if (row->type == NLM_SEED)
        ++*(uint64_t *)place;
    else if (row->type == NLM_FLAG)
        *(bool *)place = !*(bool *)place;
    else if (row->type == NLM_LIST)
        return false;
    else if (row->type == NLM_REAL)
        *(double *)place = *(double *)place / 2 + 0.03125;
    else
        *(int *)place += row->most > 1 || *(int *)place == 0 ? 1 : -1;
    return settings_check_game(course, NULL) == NLM_OK;
}

static void a_run_with_other_settings_is_refused(void **state)
{
    const folder *made = *state;
    nlm_settings course = small_course(BLOCKS), other;
    course.batch = 1;
    nlm_run *s = begin_course(&course, 1);
    run_exam(s);
    CHECK(nlm_run_save_checkpoint(s, made->file, &check_error));
    nlm_run_free(s);
    int refused = 0;
    for (int n = 0; n < course_table.count; n++) {
        if (!(course_table.rows[n].runs & course_table.runs))
            continue;
        other = course;
        if (!change_setting(&other, &course_table.rows[n]) || course_table.rows[n].may_change)
            continue;
        assert_resume_refused(made->file, &other, course_table.rows[n].name);
        refused++;
    }
    assert_true(refused > 20);
    other = small_course(PATH);
    assert_resume_refused(made->file, &other, "a run of blocks, not of path");
    other = course;
    other.spec.depth++;
    assert_resume_refused(made->file, &other, "depth");
    other = course;
    other.protocol = NLM_PROTOCOL_BEST; /* says only where the settings come from */
    CHECK(nlm_run_load(made->file, &other, NULL, &s, &check_error));
    nlm_run_free(s);
}

static void bad_settings_and_missing_files_are_refused(void **state)
{
    const folder *made = *state;
    nlm_settings course = course_of(&scenarios[0]);
    nlm_run *s;
    nlm_error error = {NLM_OK, ""};
    assert_int_equal(nlm_run_load(made->file, &course, NULL, &s, &error), NLM_IO_ERROR);
    assert_said(&error, NLM_IO_ERROR, made->file);
    assert_null(s);
    course.batch = 0;
    assert_int_equal(nlm_run_load(made->file, &course, NULL, &s, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "batch");
    assert_null(s);
    course = course_of(&scenarios[0]);
    s = begin_course(&course, 1);
    assert_int_equal(nlm_run_save_checkpoint(s, "/nowhere/at/all", &error), NLM_IO_ERROR);
    assert_said(&error, NLM_IO_ERROR, "/nowhere/at/all");
    nlm_run_free(s);
}

/* ---- what other files are ---- */

static void assert_no_checkpoint(const char *path, const char *what)
{
    nlm_run *s = (nlm_run *)&what;
    nlm_error error = {NLM_OK, ""};
    assert_int_equal(nlm_run_load(path, NULL, NULL, &s, &error), NLM_BAD_FILE);
    assert_said(&error, NLM_BAD_FILE, what);
    assert_int_equal(strncmp(error.message, path, strlen(path)), 0);
    assert_null(s);
}

static void models_are_no_checkpoints(void **state)
{
    const folder *made = *state;
    for (int g = 0; g < GAMES; g++) {
        const nlm_settings course = small_course(g);
        nlm_run *s = begin_course(&course, 1);
        CHECK(nlm_run_save_model(s, made->file, &check_error));
        assert_no_checkpoint(made->file, "a model, not a checkpoint");
        nlm_run_free(s);
    }
}

/* Neither kind of checkpoint is taken for the other. */
static void checkpoints_of_trainings_are_refused(void **state)
{
    const folder *made = *state;
    nlm_settings training;
    nlm_run *trainer;
    nlm_error error = {NLM_OK, ""};
    CHECK(nlm_settings_of_task(nlm_task_find("1-outdegree"), NLM_PROTOCOL_PAPER, &training, &check_error));
    training.spec.depth = 1;
    CHECK(nlm_run_new(&training, NULL, &trainer, &check_error));
    CHECK(nlm_run_save_checkpoint(trainer, made->file, &check_error));
    const nlm_settings course = small_course(SORT);
    nlm_run *loaded;
    assert_int_equal(nlm_run_load(made->file, &course, NULL, &loaded, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "a run of 1-outdegree, not of sort");
    assert_null(loaded);
    nlm_run_free(trainer);
    nlm_run *s = begin_course(&course, 1);
    CHECK(nlm_run_save_checkpoint(s, made->file, &check_error));
    assert_int_equal(nlm_run_load(made->file, &training, NULL, &trainer, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "a run of sort, not of 1-outdegree");
    assert_null(trainer);
    nlm_run_free(s);
}

/* ---- what files tell ---- */

static const char *told(const nlm_machine *machine, const char *key)
{
    const char *text = nlm_machine_metadata(machine, key);
    if (!text)
        fail_msg("'%s' is not told", key);
    return text;
}

static void assert_settings_of(const char *path, const nlm_run *s)
{
    nlm_machine *machine = load(path);
    const nlm_exam *exam = exam_of(s);
    nlm_settings found;
    CHECK(nlm_settings_of_machine(machine, path, &found, &check_error));
    CHECK(nlm_settings_compare(&found, &s->settings, path, &check_error));
    assert_ptr_equal(found.game, s->settings.game);
    assert_int_equal(found.episodes, s->settings.episodes);
    assert_int_equal(found.protocol, s->settings.protocol);
    CHECK(settings_check_game(&found, &check_error));
    assert_string_equal(told(machine, "task"), s->settings.game->name);
    assert_string_equal(told(machine, "graduated"), "no");
    assert_int_equal(atoi(told(machine, "exams")), exam->exam);
    assert_int_equal(atoi(told(machine, "lesson")), exam->lesson);
    assert_int_equal(atoi(told(machine, "learned_episodes")), exam->episodes);
    assert_int_equal(atoi(told(machine, "drawn")), exam->drawn);
    assert_int_equal(atoi(told(machine, "restarts")), exam->restarts);
    assert_true(strtod(told(machine, "success"), NULL) == exam->success);
    assert_true(strtod(told(machine, "moves"), NULL) == exam->moves);
    nlm_machine_free(machine);
}

static void models_and_checkpoints_tell_how_they_were_trained(void **state)
{
    const folder *made = *state;
    for (size_t i = 0; i < COUNT(scenarios); i++) {
        const nlm_settings course = course_of(&scenarios[i]);
        nlm_run *s = begin_course(&course, 1);
        run_exam(s);
        CHECK(nlm_run_save_model(s, made->file, &check_error));
        CHECK(nlm_run_save_checkpoint(s, made->other, &check_error));
        assert_settings_of(made->file, s);
        assert_settings_of(made->other, s);
        nlm_run_free(s);
    }
}

/* Every key and tensor is in docs/formats.md, as `key`. */
static void files_are_documented(void **state)
{
    const folder *made = *state;
    const nlm_settings course = course_of(&scenarios[8]);
    nlm_run *s = begin_course(&course, 1);
    buffer bytes = {0};
    size_t size = read_bytes("docs/formats.md", &bytes);
    assert_false(buffer_reserve(&bytes, size + 1, 1, true));
    ((char *)bytes.data)[size] = 0;
    run_exam(s);
    CHECK(nlm_run_save_checkpoint(s, made->file, &check_error));
    safetensors *file;
    CHECK(safetensors_read(made->file, &file, &check_error));
    int pairs;
    const char *const *pair = safetensors_metadata_pairs(file, &pairs);
    for (int i = 0; i < pairs + safetensors_count(file); i++) {
        const char *name = i < pairs ? pair[2 * i] : safetensors_at(file, i - pairs)->name;
        char quoted[80];
        snprintf(quoted, sizeof quoted, "`%s`", name);
        if (strncmp(name, "layer.", 6) != 0 && !strstr(name, ".weight") && !strstr(name, ".bias") &&
            !strstr(bytes.data, quoted))
            fail_msg("%s is not in docs/formats.md", name);
    }
    safetensors_free(file);
    buffer_free(&bytes);
    nlm_run_free(s);
}

static void machines_without_a_course_tell_none(void **state)
{
    const folder *made = *state;
    nlm_settings found;
    nlm_error error = {NLM_OK, ""};
    save_model(&models[FAMILY], made->file);
    nlm_machine *machine = load(made->file);
    assert_int_equal(nlm_settings_of_machine(machine, "some.file", &found, &error), NLM_BAD_FILE);
    assert_said(&error, NLM_BAD_FILE, "some.file: metadata 'task' is missing");
    nlm_machine_free(machine);
    machine = make(&models[FAMILY]);
    save(machine, made->file, (const char *const[]){"task", "chess"}, 1);
    nlm_machine_free(machine);
    machine = load(made->file);
    assert_int_equal(nlm_settings_of_machine(machine, "some.file", &found, &error), NLM_BAD_FILE);
    assert_said(&error, NLM_BAD_FILE, "there is no task or game 'chess'");
    nlm_machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_run_that_is_paused_ends_with_the_same_file),
        IN_FOLDER(machines_of_all_forms_can_be_paused),
        IN_FOLDER(graduates_and_candidates_can_be_paused),
        IN_FOLDER(more_episodes_continue_an_exhausted_run),
        IN_FOLDER(a_budget_that_is_used_up_ends_a_run),
        IN_FOLDER(a_checkpoint_is_written_after_an_exam_only),
        IN_FOLDER(a_checkpoint_is_not_written_within_an_exam),
        IN_FOLDER(a_run_with_other_settings_is_refused),
        IN_FOLDER(bad_settings_and_missing_files_are_refused),
        IN_FOLDER(models_are_no_checkpoints),
        IN_FOLDER(checkpoints_of_trainings_are_refused),
        IN_FOLDER(models_and_checkpoints_tell_how_they_were_trained),
        IN_FOLDER(files_are_documented),
        IN_FOLDER(machines_without_a_course_tell_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
