/* Runs on problems: how they learn, judge, end, and are taken up again. */
#include "learn/runs.h"

static nlm_problem *make_problem(const char *task, int objects, int worlds)
{
    nlm_problem *problem;
    CHECK(nlm_problem_generate(nlm_task_find(task), NLM_WORLDS_PAPER, 3, 0, objects, worlds, &problem,
                               &check_error));
    return problem;
}

/* A run of moments. */
static nlm_settings small_settings(const nlm_problem *problem)
{
    nlm_settings made;
    CHECK(nlm_settings_of_problem(problem, NULL, NLM_PROTOCOL_BEST, &made, &check_error));
    made.spec.depth = 2;
    made.spec.breadth = 2;
    made.spec.width = 4;
    made.batches = 10;
    made.epochs = 4;
    made.threshold = NEVER;
    return made;
}

/* ---- learning ---- */

static nlm_score score_of(const nlm_settings *training, nlm_machine *machine, bool held_out)
{
    nlm_test *test;
    CHECK(nlm_test_of_problem(machine, training, held_out, NULL, &test, &check_error));
    CHECK(nlm_test_run(test, 1000, NULL, NULL, &check_error));
    const nlm_score score = nlm_test_score(test);
    nlm_test_free(test);
    return score;
}

static void has_father_is_learned_from_forty_families(void **state)
{
    (void)state;
    nlm_problem *problem = make_problem("has-father", 8, 40);
    nlm_settings training = small_settings(problem);
    training.batches = 100;
    training.epochs = 60;
    training.threshold = 0.01;
    nlm_run *trainer = begin_run(&training, 1);
    run_to_end(trainer);
    const nlm_epoch *epoch = epoch_of(trainer);
    assert_int_equal(nlm_run_stage(trainer), NLM_GRADUATED);
    assert_int_equal(epoch->asked, 4 * 8); /* four families held out */
    assert_int_equal(epoch->failed, 0);
    nlm_score result;
    result = score_of(&training, nlm_run_machine(trainer), true);
    assert_int_equal(result.asked, 4);
    assert_int_equal(result.wrong, 0);
    result = score_of(&training, nlm_run_machine(trainer), false);
    assert_int_equal(result.asked, 36);
    assert_int_equal(result.tuples, 36 * 8);
    nlm_settings all = training;
    all.held_out = 0;
    assert_int_equal(score_of(&all, nlm_run_machine(trainer), true).asked, 0); /* none is there */
    assert_int_equal(score_of(&all, nlm_run_machine(trainer), false).asked, 40);
    nlm_run_free(trainer);
    nlm_problem_free(problem);
}

static void one_world_is_learned_from_part_of_its_labels(void **state)
{
    (void)state;
    nlm_problem *problem = make_problem("has-father", 30, 1);
    nlm_settings training = small_settings(problem);
    assert_int_equal(training.batch, 1);
    nlm_run *trainer = begin_run(&training, 1);
    run_epoch(trainer);
    const nlm_epoch *epoch = epoch_of(trainer);
    assert_int_equal(epoch->tuples, 10 * (30 - epoch->asked)); /* ten steps, each on what is not held out */
    assert_in_range(epoch->asked, 2, 4);
    nlm_run_free(trainer);
    nlm_problem_free(problem);
}

/* A structure that is kept gives the bits of one that is built anew. */
static void keeping_the_only_batch_changes_nothing(void **state)
{
    (void)state;
    nlm_problem *problem = make_problem("grandparent", 8, 1);
    nlm_settings training = small_settings(problem);
    training.held_out = 0;
    training.spec.breadth = 3;
    nlm_run *trainer = begin_run(&training, 1);
    nlm_machine *by_hand = NULL;
    const nlm_head_spec head = {.name = "head", .arity = 2, .outputs = 1};
    CHECK(nlm_machine_new(&training.spec, &head, 1, &by_hand, &check_error));
    for (int t = 0; t < nlm_machine_tensors(by_hand); t++) {
        nlm_tensor from = nlm_machine_tensor(nlm_run_machine(trainer), t);
        memcpy(nlm_machine_tensor(by_hand, t).values, from.values, from.count * sizeof(float));
    }
    const nlm_adam adam = {training.lr, 0.9, training.beta2, 1e-8};
    nlm_optimizer *optimizer;
    CHECK(nlm_adam_new(by_hand, adam, &optimizer, &check_error));
    const nlm_options options = {.threads = 1};
    for (int s = 0; s < training.batches; s++) {
        nlm_batch *batch;
        nlm_structure *structure;
        nlm_pass *pass;
        nlm_bce_result result;
        CHECK(nlm_batch_new(training.spec.inputs, training.spec.breadth, &batch, &check_error));
        CHECK(nlm_batch_add_world(batch, nlm_problem_world(problem, 0), &check_error));
        CHECK(nlm_structure_new(&structure, &check_error));
        CHECK(nlm_structure_build(structure, by_hand, batch, &options, &check_error));
        CHECK(nlm_pass_new(by_hand, &pass, &check_error));
        CHECK(nlm_pass_forward(pass, structure, true, &check_error));
        CHECK(nlm_pass_bce(pass, 0, 0, 0, 1.0, &result, &check_error));
        nlm_machine_zero_gradients(by_hand);
        CHECK(nlm_pass_backward(pass, &check_error));
        nlm_optimizer_step(optimizer);
        nlm_pass_free(pass);
        nlm_structure_free(structure);
        nlm_batch_free(batch);
    }
    run_epoch(trainer);
    assert_int_equal(count_different_parameters(nlm_run_machine(trainer), by_hand), 0);
    nlm_optimizer_free(optimizer);
    nlm_machine_free(by_hand);
    nlm_run_free(trainer);
    nlm_problem_free(problem);
}

static void threads_do_not_change_the_bits(void **state)
{
    (void)state;
    nlm_problem *problem = make_problem("grandparent", 10, 12);
    nlm_settings training = small_settings(problem);
    training.spec.breadth = 3;
    nlm_run *one = begin_run(&training, 1), *two = begin_run(&training, 2);
    run_to_end(one);
    run_to_end(two);
    assert_int_equal(count_different_parameters(nlm_run_machine(one), nlm_run_machine(two)), 0);
    nlm_run_free(one);
    nlm_run_free(two);
    nlm_problem_free(problem);
}

static int worlds_with_true_labels(const nlm_problem *problem)
{
    int count = 0;
    for (int w = 0; w < nlm_problem_worlds(problem); w++) {
        signed char labels[8];
        write_labels(nlm_problem_world(problem, w), 1, labels);
        count += memchr(labels, NLM_TRUE, sizeof labels) != NULL;
    }
    return count;
}

/* Whoever says no to everything is wrong about every family with a father; the exam looks at those learned
 * from only when the loss is low enough to graduate, and does not count their answers. */
static void who_is_to_graduate_is_asked_about_everything(void **state)
{
    (void)state;
    enum { WORLDS = 20, HELD_OUT = 2 };
    nlm_problem *problem = make_problem("has-father", 8, WORLDS);
    nlm_settings training = small_settings(problem);
    training.spec.depth = training.spec.width = 1;
    training.spec.residual = false;
    training.lr = 0;
    for (int low = 0; low < 2; low++) {
        training.threshold = low ? 1000 : 0;
        nlm_run *trainer = begin_run(&training, 1);
        write_has_father(nlm_run_machine(trainer), false);
        run_epoch(trainer);
        const nlm_epoch *epoch = epoch_of(trainer);
        if (low)
            assert_int_equal(epoch->failures, worlds_with_true_labels(problem));
        else
            assert_in_range(epoch->failures, 1, HELD_OUT);
        assert_int_equal(epoch->asked, HELD_OUT * 8);
        assert_int_equal(nlm_run_stage(trainer), NLM_LEARNING);
        nlm_run_free(trainer);
    }
    nlm_problem_free(problem);
}

/* ---- files ---- */

static void assert_goes_on(const folder *in, int worlds, double held_out)
{
    nlm_problem *problem = make_problem("grandparent", 8, worlds);
    nlm_settings training = small_settings(problem);
    training.held_out = held_out;
    nlm_run *whole = begin_run(&training, 1), *half = begin_run(&training, 1), *resumed;
    run_epoch(half);
    run_epoch(half);
    CHECK(nlm_run_save_checkpoint(half, in->file, &check_error));
    nlm_run_free(half);
    CHECK(nlm_run_load(in->file, &training, NULL, &resumed, &check_error));
    run_to_end(resumed);
    run_to_end(whole);
    assert_int_equal(kept_of(resumed), kept_of(whole));
    CHECK(nlm_run_save_model(whole, in->file, &check_error));
    CHECK(nlm_run_save_model(resumed, in->other, &check_error));
    assert_same_files(in->file, in->other);
    nlm_run_free(whole);
    nlm_run_free(resumed);
    nlm_problem_free(problem);
}

static void a_run_goes_on_with_the_same_bits(void **state)
{
    const int worlds[] = {12, 3, 1};
    for (size_t w = 0; w < COUNT(worlds); w++)
        for (int tenths = 0; tenths < 2; tenths++)
            assert_goes_on(*state, worlds[w], tenths / 10.0);
}

/* One that knows in its second epoch only, and does not learn any more. */
static void the_model_is_the_best_epochs_machine(void **state)
{
    const folder *in = *state;
    nlm_problem *problem = make_problem("has-father", 8, 20);
    nlm_settings training = small_settings(problem);
    training.spec.depth = training.spec.width = 1;
    training.spec.residual = false;
    training.lr = 0;
    nlm_run *trainer = begin_run(&training, 1);
    while (nlm_run_stage(trainer) == NLM_LEARNING) {
        const bool knows = epoch_of(trainer)->epoch == 1;
        write_has_father(nlm_run_machine(trainer), knows);
        run_epoch(trainer);
        assert_int_equal(epoch_of(trainer)->failed == 0, knows);
    }
    assert_int_equal(epoch_of(trainer)->epoch, 4);
    assert_int_equal(kept_of(trainer), 2);
    CHECK(nlm_run_save_model(trainer, in->file, &check_error));
    nlm_machine *saved;
    nlm_score result;
    CHECK(nlm_machine_load(in->file, &saved, &check_error));
    result = score_of(&training, saved, true);
    assert_int_equal(result.wrong, 0);
    result = score_of(&training, nlm_run_machine(trainer), true);
    assert_true(result.wrong > 0); /* the run itself is where it was */
    nlm_machine_free(saved);
    nlm_run_free(trainer);
    nlm_problem_free(problem);
}

static void a_model_records_its_signature_and_settings(void **state)
{
    const folder *in = *state;
    nlm_problem *problem = make_problem("grandparent", 8, 6);
    nlm_settings training = small_settings(problem), found;
    training.epochs = 1;
    nlm_run *trainer = begin_run(&training, 1);
    run_to_end(trainer);
    CHECK(nlm_run_save_model(trainer, in->file, &check_error));
    nlm_machine *saved;
    nlm_signature *signature;
    CHECK(nlm_machine_load(in->file, &saved, &check_error));
    CHECK(nlm_signature_of_model(saved, in->file, &signature, &check_error));
    assert_int_equal(nlm_signature_targets(signature), 1);
    assert_string_equal(nlm_signature_target(signature, 0)->name, "grandparent");
    CHECK(nlm_settings_of_machine(saved, in->file, &found, &check_error));
    assert_null(found.task);
    assert_null(found.problem);
    CHECK(nlm_settings_compare(&found, &training, in->file, &check_error));
    nlm_signature_free(signature);
    nlm_machine_free(saved);
    nlm_run_free(trainer);
    nlm_problem_free(problem);
}

static void other_facts_are_refused(void **state)
{
    const folder *in = *state;
    nlm_problem *problem = make_problem("grandparent", 8, 6), *other = make_problem("grandparent", 8, 7);
    nlm_settings training = small_settings(problem), changed = small_settings(other);
    nlm_run *trainer = begin_run(&training, 1), *resumed;
    nlm_error error;
    run_epoch(trainer);
    CHECK(nlm_run_save_checkpoint(trainer, in->file, &check_error));
    assert_int_equal(nlm_run_load(in->file, &changed, NULL, &resumed, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "learned from other facts or labels");
    changed = training;
    changed.held_out = 0.3;
    assert_int_equal(nlm_run_load(in->file, &changed, NULL, &resumed, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "a run with held_out 0.1, not 0.3");
    assert_int_equal(nlm_run_load(in->file, NULL, NULL, &resumed, &error), NLM_BAD_FILE);
    assert_said(&error, NLM_BAD_FILE, "a run on facts, which are not in the file");
    const nlm_settings task = small_run("grandparent", NLM_PROTOCOL_BEST, 8);
    assert_int_equal(nlm_run_load(in->file, &task, NULL, &resumed, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "a run of facts, not of grandparent");
    nlm_run_free(trainer);
    nlm_problem_free(problem);
    nlm_problem_free(other);
}

/* ---- settings ---- */

static void impossible_settings_are_refused(void **state)
{
    (void)state;
    nlm_problem *problem = make_problem("grandparent", 8, 6);
    const nlm_settings fine = small_settings(problem);
    nlm_run *trainer;
    nlm_error error;
    struct {
        nlm_settings settings;
        const char *said;
    } cases[] = {{fine, "the breadth is 1"},
                 {fine, "held_out 1 is not between"},
                 {fine, "which worlds are deep"},
                 {fine, "the problem has"},
                 {fine, "a task, a game or facts"}};
    cases[0].settings.spec.breadth = 1;
    cases[1].settings.held_out = 1;
    cases[2].settings.deep = 1;
    cases[3].settings.spec.inputs[1]++;
    cases[4].settings.task = nlm_task_find("grandparent");
    for (size_t c = 0; c < COUNT(cases); c++) {
        assert_int_not_equal(nlm_run_new(&cases[c].settings, NULL, &trainer, &error), NLM_OK);
        assert_said(&error, error.status, cases[c].said);
    }
    nlm_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_father_is_learned_from_forty_families),
        cmocka_unit_test(one_world_is_learned_from_part_of_its_labels),
        cmocka_unit_test(keeping_the_only_batch_changes_nothing),
        cmocka_unit_test(threads_do_not_change_the_bits),
        cmocka_unit_test(who_is_to_graduate_is_asked_about_everything),
        cmocka_unit_test_setup_teardown(a_run_goes_on_with_the_same_bits, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(the_model_is_the_best_epochs_machine, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_model_records_its_signature_and_settings, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(other_facts_are_refused, make_folder, remove_folder),
        cmocka_unit_test(impossible_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
