/* Learning from pictures: a run is a function of its settings and its gallery, for any threads; it can be
 * stopped and taken up again, with the gallery it began with and no other; tests see images of their own. */
#include "learn/runs.h"

#define NAME "adjacent-to-zero"
enum { TRAIN = 60, TEST = 40 };

/* ---- a run ---- */

typedef struct pictures {
    nlm_gallery *gallery;
    nlm_task task; /* with the gallery */
    nlm_settings training;
} pictures;

static pictures make_pictures(int train, nlm_protocol protocol)
{
    pictures made = {.task = *nlm_task_find(NAME)};
    CHECK(nlm_gallery_draw(train, TEST, &made.gallery, &check_error));
    made.task.gallery = made.gallery;
    CHECK(nlm_settings_of_task(&made.task, protocol, &made.training, &check_error));
    made.training.objects = 5;
    made.training.batches = 4;
    made.training.epochs = 3;
    made.training.exam = made.training.exam > 0 ? 6 : 0;
    return made;
}

/* Its settings name the task inside, wherever that is now. */
static const nlm_settings *settings_of(pictures *of)
{
    of->training.task = &of->task;
    return &of->training;
}

static void settings_are_those_of_the_task(void **state)
{
    (void)state;
    pictures made = make_pictures(TRAIN, NLM_PROTOCOL_BEST);
    const nlm_settings *training = settings_of(&made);
    assert_string_equal(training->spec.sense, "lenet");
    assert_int_equal(training->spec.width, made.task.width);
    assert_int_equal(training->spec.inputs[1], 10);
    assert_true(training->data == nlm_gallery_digest(made.gallery));
    nlm_settings drawn;
    CHECK(nlm_settings_of_task(nlm_task_find(NAME), NLM_PROTOCOL_BEST, &drawn, &check_error));
    assert_true(drawn.data == 0);
    nlm_gallery_free(made.gallery);
}

/* The steps of two epochs, by hand; after the first the rate is less. */
static void a_run_is_the_same_steps_by_hand(void **state)
{
    (void)state;
    pictures made = make_pictures(TRAIN, NLM_PROTOCOL_PAPER);
    nlm_settings training = *settings_of(&made);
    training.lr_decay = 0.25;
    training.shift = 1;
    nlm_task moving = made.task;
    moving.shift = 1;
    nlm_run *trainer = begin_run(&training, 1);
    run_epoch(trainer);
    run_epoch(trainer);

    nlm_machine *machine = make_beginner(&training, training.seed);
    nlm_batch *batch;
    nlm_structure *structure;
    nlm_pass *pass;
    nlm_optimizer *adam;
    nlm_world *world;
    CHECK(nlm_batch_for(machine, &batch, &check_error));
    CHECK(nlm_structure_new(&structure, &check_error));
    CHECK(nlm_pass_new(machine, &pass, &check_error));
    CHECK(nlm_adam_new(
        machine, (nlm_adam){.rate = training.lr, .beta1 = 0.9, .beta2 = training.beta2, .epsilon = 1e-8},
        &adam, &check_error));
    CHECK(nlm_world_new(&world, &check_error));
    uint64_t number = 0;
    for (int step = 0; step < 2 * training.batches; step++) {
        nlm_optimizer_set_rate(adam, training.lr * (step < training.batches ? 1 : 0.25));
        nlm_batch_clear(batch);
        for (int w = 0; w < training.batch; w++, number++) {
            CHECK(nlm_task_generate(&moving, NLM_WORLDS_PAPER, training.seed, number, training.objects, world,
                                    &check_error));
            CHECK(nlm_batch_add_world(batch, world, &check_error));
        }
        nlm_bce_result result;
        CHECK(nlm_structure_build(structure, machine, batch, NULL, &check_error));
        CHECK(nlm_pass_forward(pass, structure, true, &check_error));
        CHECK(nlm_pass_bce(pass, 0, 0, 0, 1.0, &result, &check_error));
        nlm_machine_zero_gradients(machine);
        CHECK(nlm_pass_backward(pass, &check_error));
        nlm_optimizer_step(adam);
    }
    assert_int_equal(count_different_parameters(machine, nlm_run_machine(trainer)), 0);
    nlm_world_free(world);
    nlm_optimizer_free(adam);
    nlm_pass_free(pass);
    nlm_structure_free(structure);
    nlm_batch_free(batch);
    nlm_machine_free(machine);
    nlm_run_free(trainer);
    nlm_gallery_free(made.gallery);
}

/* One does not graduate from pictures: what tries patience is not errors but answers as if by chance. */
static void patience_is_for_runs_that_learn_nothing(void **state)
{
    (void)state;
    enum { EPOCHS = 7, PATIENCE = 3 };
    pictures made = make_pictures(TRAIN, NLM_PROTOCOL_BEST);
    made.training.patience = PATIENCE;
    made.training.epochs = EPOCHS;
    made.training.lr = 1e-9;
    nlm_run *idle = begin_run(settings_of(&made), 1);
    run_to_end(idle);
    assert_int_equal(epoch_of(idle)->restarts, (EPOCHS - 1) / PATIENCE);
    nlm_run_free(idle);
    nlm_settings learned = small_run("has-father", NLM_PROTOCOL_PAPER, 8);
    learned.threshold = 0;
    learned.patience = 1;
    learned.gain = 10;
    learned.batches = 100;
    learned.epochs = EPOCHS;
    nlm_run *able = begin_run(&learned, 1);
    int errors = 0, chance = 0;
    while (nlm_run_stage(able) == NLM_LEARNING) {
        run_epoch(able);
        const nlm_epoch *epoch = epoch_of(able);
        const bool near_chance = epoch->balanced_accuracy < 0.75;
        errors += epoch->wrong > 0 && !near_chance;
        chance += near_chance && epoch->epoch < EPOCHS;
    }
    assert_true(errors > 0);
    assert_int_equal(epoch_of(able)->restarts, chance);
    nlm_run_free(able);
    nlm_gallery_free(made.gallery);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    pictures made = make_pictures(TRAIN, NLM_PROTOCOL_BEST);
    nlm_run *first = begin_run(settings_of(&made), 1);
    run_to_end(first);
    for (int threads = 2; threads <= 3; threads++) {
        nlm_run *other = begin_run(settings_of(&made), threads);
        run_to_end(other);
        assert_int_equal(count_different_parameters(nlm_run_machine(first), nlm_run_machine(other)), 0);
        nlm_run_free(other);
    }
    nlm_run_free(first);
    nlm_gallery_free(made.gallery);
}

/* What is shown is learned from: other images, other weights. */
static void another_gallery_is_another_run(void **state)
{
    (void)state;
    pictures made = make_pictures(TRAIN, NLM_PROTOCOL_PAPER),
             other = make_pictures(TRAIN + 1, NLM_PROTOCOL_PAPER);
    nlm_run *a = begin_run(settings_of(&made), 1), *b = begin_run(settings_of(&other), 1);
    run_epoch(a);
    run_epoch(b);
    assert_true(count_different_parameters(nlm_run_machine(a), nlm_run_machine(b)) > 0);
    nlm_run_free(a);
    nlm_run_free(b);
    nlm_gallery_free(made.gallery);
    nlm_gallery_free(other.gallery);
}

/* ---- checkpoints ---- */

static void a_run_that_is_paused_ends_with_the_same_file(void **state)
{
    folder *made = *state;
    for (nlm_protocol protocol = NLM_PROTOCOL_BEST; protocol <= NLM_PROTOCOL_PAPER; protocol++) {
        pictures of = make_pictures(TRAIN, protocol);
        nlm_run *whole = begin_run(settings_of(&of), 1), *paused = begin_run(settings_of(&of), 2);
        run_to_end(whole);
        while (nlm_run_stage(paused) == NLM_LEARNING) {
            run_epoch(paused);
            CHECK(nlm_run_save_checkpoint(paused, made->other, &check_error));
            nlm_run_free(paused);
            const nlm_options options = {.threads = 1};
            CHECK(nlm_run_load(made->other, settings_of(&of), &options, &paused, &check_error));
            assert_ptr_equal(nlm_run_settings(paused)->task, &of.task);
        }
        CHECK(nlm_run_save_model(whole, made->file, &check_error));
        CHECK(nlm_run_save_model(paused, made->other, &check_error));
        assert_same_files(made->file, made->other);
        nlm_run_free(whole);
        nlm_run_free(paused);
        nlm_gallery_free(of.gallery);
    }
}

static void assert_load_refused(const char *path, const nlm_settings *training, nlm_status status,
                                const char *part)
{
    nlm_run *trainer = (nlm_run *)&path;
    nlm_error error;
    assert_int_equal(nlm_run_load(path, training, NULL, &trainer, &error), status);
    assert_null(trainer);
    assert_said(&error, status, part);
    assert_int_equal(strncmp(error.message, path, strlen(path)), 0);
}

static void a_checkpoint_wants_the_pictures_it_was_made_with(void **state)
{
    folder *made = *state;
    pictures of = make_pictures(TRAIN, NLM_PROTOCOL_PAPER),
             other = make_pictures(TRAIN + 1, NLM_PROTOCOL_PAPER);
    pictures drawn = of;
    drawn.task.gallery = NULL;
    drawn.training.data = 0;
    nlm_run *trainer = begin_run(settings_of(&of), 1);
    run_epoch(trainer);
    CHECK(nlm_run_save_checkpoint(trainer, made->file, &check_error));
    nlm_run_free(trainer);
    assert_load_refused(made->file, NULL, NLM_BAD_FILE,
                        "a run on pictures, which are not in the file: name them too");
    assert_load_refused(made->file, settings_of(&other), NLM_BAD_ARGUMENT,
                        "learned from other pictures than those that are here now");
    assert_load_refused(made->file, settings_of(&drawn), NLM_BAD_ARGUMENT,
                        "learned from other pictures than those that are here now");
    nlm_gallery_free(of.gallery);
    nlm_gallery_free(other.gallery);
}

/* Drawn digits are not in a gallery: such a run needs nothing but its file. */
static void a_run_on_drawn_digits_needs_its_file_only(void **state)
{
    folder *made = *state;
    pictures of = make_pictures(TRAIN, NLM_PROTOCOL_PAPER);
    nlm_settings training = *settings_of(&of);
    training.task = nlm_task_find(NAME);
    training.data = 0;
    nlm_run *whole = begin_run(&training, 1), *paused = begin_run(&training, 2);
    run_epoch(whole);
    run_epoch(whole);
    run_epoch(paused);
    CHECK(nlm_run_save_checkpoint(paused, made->file, &check_error));
    nlm_run_free(paused);
    CHECK(nlm_run_load(made->file, NULL, NULL, &paused, &check_error));
    run_epoch(paused);
    assert_int_equal(count_different_parameters(nlm_run_machine(whole), nlm_run_machine(paused)), 0);
    assert_load_refused(made->file, settings_of(&of), NLM_BAD_ARGUMENT, "learned from other pictures");
    nlm_run_free(whole);
    nlm_run_free(paused);
    nlm_gallery_free(of.gallery);
}

/* A model tells which pictures it was trained on, by their digest. */
static void a_model_tells_its_pictures(void **state)
{
    folder *made = *state;
    pictures of = make_pictures(TRAIN, NLM_PROTOCOL_PAPER);
    nlm_run *trainer = begin_run(settings_of(&of), 1);
    run_epoch(trainer);
    CHECK(nlm_run_save_model(trainer, made->file, &check_error));
    nlm_run_free(trainer);
    nlm_machine *machine = load(made->file);
    nlm_settings found;
    CHECK(nlm_settings_of_machine(machine, made->file, &found, &check_error));
    assert_string_equal(found.task->name, NAME);
    assert_true(found.data == nlm_gallery_digest(of.gallery));
    assert_string_equal(found.spec.sense, "lenet");
    CHECK(nlm_settings_compare(&found, settings_of(&of), made->file, &check_error));
    nlm_machine_free(machine);
    nlm_gallery_free(of.gallery);
}

static void broken_digests_are_refused(void **state)
{
    folder *made = *state;
    static const struct {
        const char *text, *cause;
    } broken[] = {
        {NULL, "metadata 'data' is missing"},
        {"", "metadata 'data': '' is no whole number"},
        {"-1", "metadata 'data': '-1' is no whole number"},
        {"12x", "metadata 'data': '12x' is no whole number"},
        {"99999999999999999999", "metadata 'data': '99999999999999999999' is no whole number"},
    };
    pictures of = make_pictures(TRAIN, NLM_PROTOCOL_PAPER);
    nlm_run *trainer = begin_run(settings_of(&of), 1);
    run_epoch(trainer);
    CHECK(nlm_run_save_model(trainer, made->file, &check_error));
    nlm_run_free(trainer);
    for (size_t i = 0; i < COUNT(broken); i++) {
        nlm_settings found;
        nlm_error error;
        rewrite_checkpoint(made->file, made->other, &(change){.key = "data", .text = broken[i].text});
        nlm_machine *machine = load(made->other);
        assert_int_equal(nlm_settings_of_machine(machine, made->other, &found, &error), NLM_BAD_FILE);
        assert_said(&error, NLM_BAD_FILE, broken[i].cause);
        nlm_machine_free(machine);
    }
    nlm_gallery_free(of.gallery);
}

/* Settings whose digest is not that of their pictures would make checkpoints that lie. */
static void settings_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    pictures of = make_pictures(TRAIN, NLM_PROTOCOL_PAPER);
    nlm_settings bad[4];
    for (int i = 0; i < 4; i++)
        bad[i] = *settings_of(&of);
    bad[0].data = 0;
    bad[1].data++;
    bad[2].task = nlm_task_find(NAME); /* without the gallery */
    bad[3].spec.sense = NULL;
    for (int i = 0; i < 4; i++) {
        nlm_run *trainer;
        nlm_error error;
        assert_int_not_equal(nlm_run_new(&bad[i], NULL, &trainer, &error), NLM_OK);
        assert_said(&error, i < 3 ? NLM_BAD_ARGUMENT : NLM_BAD_SHAPE,
                    i < 3 ? "data is not the digest of the pictures of " NAME
                          : "the spec has no sense, " NAME " has the sense lenet");
    }
    nlm_gallery_free(of.gallery);
}

/* ---- tests ---- */

static nlm_score test_with(nlm_machine *machine, const nlm_task *task, int threads, int worlds)
{
    const nlm_options options = {.threads = threads};
    nlm_test *tester;
    CHECK(nlm_test_of_task(machine, task, NLM_WORLDS_PAPER, 6, 1, &options, &tester, &check_error));
    CHECK(nlm_test_run(tester, worlds / 3, NULL, NULL, &check_error));
    CHECK(nlm_test_run(tester, worlds - worlds / 3, NULL, NULL, &check_error));
    const nlm_score result = nlm_test_score(tester);
    nlm_test_free(tester);
    return result;
}

static void tests_agree_for_any_threads(void **state)
{
    (void)state;
    enum { WORLDS = 60 };
    pictures of = make_pictures(TRAIN, NLM_PROTOCOL_PAPER);
    nlm_run *trainer = begin_run(settings_of(&of), 1);
    run_to_end(trainer);
    nlm_machine *machine = nlm_run_machine(trainer);

    /* The same counts by hand, on worlds that show test images. */
    answers counted = {0};
    nlm_batch *batch;
    nlm_structure *structure;
    nlm_pass *pass;
    nlm_world *world;
    CHECK(nlm_batch_for(machine, &batch, &check_error));
    CHECK(nlm_structure_new(&structure, &check_error));
    CHECK(nlm_pass_new(machine, &pass, &check_error));
    CHECK(nlm_world_new(&world, &check_error));
    for (uint64_t w = 0; w < WORLDS; w++) {
        nlm_batch_clear(batch);
        CHECK(nlm_task_generate(&of.task, NLM_WORLDS_PAPER, 1, NLM_TEST_WORLDS + w, 6, world, &check_error));
        CHECK(nlm_batch_add_world(batch, world, &check_error));
        CHECK(nlm_structure_build(structure, machine, batch, NULL, &check_error));
        CHECK(nlm_pass_forward(pass, structure, false, &check_error));
        count_answers(pass, 0, world, 1, &counted);
    }
    for (int threads = 1; threads <= 3; threads++) {
        const nlm_score result = test_with(machine, &of.task, threads, WORLDS);
        assert_int_equal(result.asked, WORLDS);
        assert_int_equal(result.failed, counted.worlds_with_errors);
        assert_int_equal(result.first_failure, counted.failure - 1);
        assert_int_equal(result.tuples, counted.tuples);
        assert_int_equal(result.wrong, counted.wrong);
        assert_int_equal(result.positives, counted.positives);
        assert_int_equal(result.wrong_positives, counted.wrong_positives);
    }
    nlm_world_free(world);
    nlm_pass_free(pass);
    nlm_structure_free(structure);
    nlm_batch_free(batch);
    nlm_run_free(trainer);
    nlm_gallery_free(of.gallery);
}

/* A test leaves the machine as it was, averages included. */
static void a_test_changes_nothing(void **state)
{
    (void)state;
    pictures of = make_pictures(TRAIN, NLM_PROTOCOL_PAPER);
    nlm_run *tested = begin_run(settings_of(&of), 1), *spared = begin_run(settings_of(&of), 1);
    run_epoch(tested);
    run_epoch(spared);
    test_with(nlm_run_machine(tested), &of.task, 2, 30);
    assert_int_equal(count_different_parameters(nlm_run_machine(tested), nlm_run_machine(spared)), 0);
    nlm_run_free(tested);
    nlm_run_free(spared);
    nlm_gallery_free(of.gallery);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_those_of_the_task),
        cmocka_unit_test(a_run_is_the_same_steps_by_hand),
        cmocka_unit_test(patience_is_for_runs_that_learn_nothing),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(another_gallery_is_another_run),
        IN_FOLDER(a_run_that_is_paused_ends_with_the_same_file),
        IN_FOLDER(a_checkpoint_wants_the_pictures_it_was_made_with),
        IN_FOLDER(a_run_on_drawn_digits_needs_its_file_only),
        IN_FOLDER(a_model_tells_its_pictures),
        IN_FOLDER(broken_digests_are_refused),
        cmocka_unit_test(settings_that_do_not_fit_are_refused),
        cmocka_unit_test(tests_agree_for_any_threads),
        cmocka_unit_test(a_test_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
