/* Runs of training: their steps by hand, what they count, and how they end. */
#include "learn/runs.h"

/* ---- the paper's protocol by hand ---- */

/* One epoch as the paper describes it: sums over its steps. */
typedef struct hand_epoch {
    double loss, gradient_norm;
    answers answers;
} hand_epoch;

static void learn_by_hand(learner *by, const nlm_settings *training, uint64_t first_world, hand_epoch *sum)
{
    nlm_world *worlds[4];
    nlm_bce_result result;
    const int arity = training->task->arity;
    assert_int_equal(training->batch, COUNT(worlds));
    nlm_batch_clear(by->batch);
    for (int w = 0; w < training->batch; w++) {
        CHECK(nlm_world_new(&worlds[w], &check_error));
        CHECK(nlm_task_generate(training->task, NLM_WORLDS_PAPER, training->seed, first_world + (uint64_t)w,
                                training->objects, worlds[w], &check_error));
        CHECK(nlm_batch_add_world(by->batch, worlds[w], &check_error));
    }
    CHECK(nlm_structure_build(by->structure, by->machine, by->batch, &by->options, &check_error));
    CHECK(nlm_pass_forward(by->pass, by->structure, true, &check_error));
    CHECK(nlm_pass_bce(by->pass, 0, 0, 0, 1.0, &result, &check_error));
    for (int w = 0; w < training->batch; w++) {
        count_answers(by->pass, w, worlds[w], arity, &sum->answers);
        nlm_world_free(worlds[w]);
    }
    nlm_machine_zero_gradients(by->machine);
    CHECK(nlm_pass_backward(by->pass, &check_error));
    sum->loss += result.loss;
    sum->gradient_norm += nlm_machine_gradient_norm(by->machine);
    nlm_optimizer_step(by->adam);
}

static void assert_same_epoch(const nlm_epoch *epoch, const hand_epoch *hand, int batches)
{
    assert_true(epoch->loss == hand->loss / batches);
    assert_true(epoch->gradient_norm == hand->gradient_norm / batches);
    assert_int_equal(epoch->tuples, hand->answers.tuples);
    assert_int_equal(epoch->wrong, hand->answers.wrong);
    assert_near(epoch->accuracy, share_right(epoch->tuples, epoch->wrong), 1e-15);
    assert_near(epoch->balanced_accuracy, balanced_share(&hand->answers), 1e-15);
    assert_true(epoch->wrong > 0 && epoch->wrong < epoch->tuples);
}

static void the_papers_steps_give_the_same_bits_by_hand(void **state)
{
    nlm_settings training = *(const nlm_settings *)*state;
    training.threshold = NEVER;
    const course of = {.spec = training.spec, .head = {"head", training.task->arity, 1}};
    learner by = make_learner(&of, training.seed, 1);
    nlm_run *trainer = begin_run(&training, 1);
    assert_int_equal(count_different_parameters(nlm_run_machine(trainer), by.machine), 0);
    uint64_t world = 0;
    for (int e = 1; e <= training.epochs; e++) {
        hand_epoch hand = {0};
        for (int b = 0; b < training.batches; b++, world += (uint64_t)training.batch)
            learn_by_hand(&by, &training, world, &hand);
        assert_int_equal(run_epoch(trainer), training.batches);
        assert_int_equal(count_different_parameters(nlm_run_machine(trainer), by.machine), 0);
        const nlm_epoch *epoch = epoch_of(trainer);
        assert_int_equal(epoch->epoch, e);
        assert_int_equal(epoch->examples, world);
        assert_same_epoch(epoch, &hand, training.batches);
    }
    nlm_run_free(trainer);
    free_learner(&by);
}

/* ---- counting ---- */

static void steps_and_epochs_are_counted(void **state)
{
    (void)state;
    nlm_settings training = small_run("1-outdegree", NLM_PROTOCOL_PAPER, 6);
    training.threshold = NEVER;
    nlm_run *trainer = begin_run(&training, 1);
    training.epochs = 1; /* settings are copied */
    assert_int_equal(nlm_run_settings(trainer)->epochs, 3);
    assert_int_equal(epoch_of(trainer)->epoch, 0);
    for (int e = 1; e <= 3; e++)
        for (int s = 1; s <= training.batches; s++) {
            bool ended = s != training.batches;
            assert_int_equal(nlm_run_stage(trainer), NLM_LEARNING);
            CHECK(nlm_run_step(trainer, s == 1 ? NULL : &ended, &check_error));
            assert_true(s == 1 || ended == (s == training.batches));
            assert_int_equal(steps_of(trainer), s % training.batches);
            assert_int_equal(asked_of(trainer), 0);
            assert_int_equal(epoch_of(trainer)->epoch, s < training.batches ? e - 1 : e);
        }
    const nlm_epoch *epoch = epoch_of(trainer);
    assert_int_equal(nlm_run_stage(trainer), NLM_EXHAUSTED);
    assert_int_equal(epoch->examples, 3 * training.batches * training.batch);
    assert_int_equal(epoch->tuples, (size_t)(training.batches * training.batch * training.objects));
    assert_int_equal(epoch->restarts, 0);
    assert_int_equal(epoch->failures, 0);
    assert_true(epoch->seconds > 0 && epoch->elapsed > epoch->seconds);
    nlm_run_free(trainer);
}

static void a_step_after_the_end_is_refused(void **state)
{
    (void)state;
    nlm_settings training = small_run("1-outdegree", NLM_PROTOCOL_PAPER, 6);
    training.epochs = 1;
    for (int graduates = 0; graduates < 2; graduates++) {
        training.threshold = graduates ? 1000 : 0;
        nlm_run *trainer = begin_run(&training, 1), *same = begin_run(&training, 1);
        nlm_error error;
        bool ended = true;
        run_to_end(trainer);
        run_to_end(same);
        assert_int_equal(nlm_run_step(trainer, &ended, &error), NLM_BAD_ARGUMENT);
        assert_said(&error, NLM_BAD_ARGUMENT, "ended");
        assert_int_equal(nlm_run_step(trainer, NULL, NULL), NLM_BAD_ARGUMENT);
        assert_int_equal(nlm_run_stage(trainer), graduates ? NLM_GRADUATED : NLM_EXHAUSTED);
        assert_int_equal(epoch_of(trainer)->epoch, 1);
        assert_int_equal(count_different_parameters(nlm_run_machine(trainer), nlm_run_machine(same)), 0);
        nlm_run_free(trainer);
        nlm_run_free(same);
    }
    nlm_run_free(NULL);
}

/* ---- threads and seeds ---- */

/* The settings of a run that goes through all that a protocol has: it fails exams and begins again. */
static nlm_settings eventful_run(nlm_protocol protocol)
{
    nlm_settings training = small_run("grandparent", protocol, 14);
    training.batches = 3;
    training.epochs = 4;
    if (protocol == NLM_PROTOCOL_PAPER)
        return training;
    training.threshold = 1000;
    training.patience = 3;
    return training;
}

static void the_number_of_threads_does_not_matter(void **state)
{
    (void)state;
    for (int protocol = NLM_PROTOCOL_BEST; protocol <= NLM_PROTOCOL_PAPER; protocol++) {
        const nlm_settings training = eventful_run((nlm_protocol)protocol);
        nlm_run *one = begin_run(&training, 1);
        run_to_end(one);
        const nlm_epoch *expected = epoch_of(one);
        assert_int_equal(expected->restarts, protocol == NLM_PROTOCOL_BEST);
        assert_int_equal(expected->failures > 0, protocol == NLM_PROTOCOL_BEST);
        for (int threads = 0; threads <= 3; threads++) {
            nlm_run *other = begin_run(&training, threads);
            run_to_end(other);
            const nlm_epoch *epoch = epoch_of(other);
            assert_int_equal(count_different_parameters(nlm_run_machine(one), nlm_run_machine(other)), 0);
            assert_true(epoch->loss == expected->loss && epoch->gradient_norm == expected->gradient_norm);
            assert_int_equal(epoch->wrong, expected->wrong);
            assert_int_equal(epoch->failures, expected->failures);
            assert_int_equal(epoch->restarts, expected->restarts);
            nlm_run_free(other);
        }
        nlm_run_free(one);
    }
}

static void another_seed_is_another_run(void **state)
{
    (void)state;
    nlm_settings training = small_run("1-outdegree", NLM_PROTOCOL_PAPER, 6);
    nlm_run *one = begin_run(&training, 1);
    training.seed = 2;
    nlm_run *other = begin_run(&training, 1);
    size_t parameters = nlm_machine_parameters(nlm_run_machine(one));
    run_epoch(one);
    run_epoch(other);
    assert_true(count_different_parameters(nlm_run_machine(one), nlm_run_machine(other)) > parameters / 2);
    assert_true(epoch_of(one)->loss != epoch_of(other)->loss);
    nlm_run_free(one);
    nlm_run_free(other);
}

/* ---- graduation ---- */

static nlm_stage stage_after_one_epoch(nlm_settings training, double threshold)
{
    training.threshold = threshold;
    nlm_run *trainer = begin_run(&training, 1);
    run_epoch(trainer);
    nlm_stage stage = nlm_run_stage(trainer);
    nlm_run_free(trainer);
    return stage;
}

static void a_loss_below_the_threshold_graduates(void **state)
{
    (void)state;
    const nlm_settings training = small_run("1-outdegree", NLM_PROTOCOL_PAPER, 6);
    nlm_run *trainer = begin_run(&training, 1);
    run_epoch(trainer);
    const double loss = epoch_of(trainer)->loss;
    nlm_run_free(trainer);
    assert_true(loss > 0.1 && loss < 2);
    assert_int_equal(stage_after_one_epoch(training, 1000), NLM_GRADUATED);
    assert_int_equal(stage_after_one_epoch(training, nextafter(loss, 2)), NLM_GRADUATED);
    assert_int_equal(stage_after_one_epoch(training, loss), NLM_LEARNING);
    assert_int_equal(stage_after_one_epoch(training, 0), NLM_LEARNING);
}

static void the_last_epoch_of_the_budget_may_graduate(void **state)
{
    (void)state;
    nlm_settings training = small_run("1-outdegree", NLM_PROTOCOL_PAPER, 6);
    training.epochs = 1;
    assert_int_equal(stage_after_one_epoch(training, 1000), NLM_GRADUATED);
    assert_int_equal(stage_after_one_epoch(training, 0), NLM_EXHAUSTED);
}

/* ---- exams ---- */

/* The worlds examined at the end of this epoch, by their count after every call. */
static int run_epoch_with_exam(nlm_run *trainer)
{
    int examined = 0;
    for (bool ended = false; !ended;) {
        CHECK(nlm_run_step(trainer, &ended, &check_error));
        if (ended)
            break;
        assert_true(asked_of(trainer) >= examined);
        examined = asked_of(trainer);
        if (examined > 0)
            assert_int_equal(steps_of(trainer), nlm_run_settings(trainer)->batches);
    }
    return examined;
}

static void a_machine_that_knows_passes_its_exam(void **state)
{
    (void)state;
    nlm_settings training = has_father_run();
    for (int exam = 1; exam < 100; exam = 3 * exam + 7) {
        training.exam = exam;
        nlm_run *trainer = begin_run(&training, 1);
        write_has_father(nlm_run_machine(trainer), true);
        assert_true(run_epoch_with_exam(trainer) <= exam);
        assert_int_equal(nlm_run_stage(trainer), NLM_GRADUATED);
        assert_int_equal(epoch_of(trainer)->failures, 0);
        assert_int_equal(epoch_of(trainer)->wrong, 0);
        assert_true(epoch_of(trainer)->accuracy == 1.0);
        nlm_run_free(trainer);
    }
}

static void a_machine_that_does_not_know_fails_its_exam(void **state)
{
    (void)state;
    nlm_settings training = has_father_run();
    training.exam = 50;
    nlm_run *trainer = begin_run(&training, 1);
    write_has_father(nlm_run_machine(trainer), false);
    for (int e = 1; e <= training.epochs; e++) {
        assert_int_equal(nlm_run_stage(trainer), NLM_LEARNING);
        assert_true(run_epoch_with_exam(trainer) > 0);
        assert_int_equal(asked_of(trainer), 0);
        const nlm_epoch *epoch = epoch_of(trainer);
        /* A family of eight in which nobody has a father is rare. */
        assert_true(epoch->failures > training.exam / 2 && epoch->failures <= training.exam);
        assert_int_equal(epoch->epoch, e);
        assert_int_equal(epoch->examples, e * training.batches * training.batch);
    }
    assert_int_equal(nlm_run_stage(trainer), NLM_EXHAUSTED);
    nlm_run_free(trainer);
}

/* Without a loss that is low enough there is no exam; without an exam there is nothing to fail. */
static void only_a_low_loss_leads_to_an_exam(void **state)
{
    (void)state;
    nlm_settings training = has_father_run();
    training.exam = 50;
    training.threshold = NEVER;
    nlm_run *trainer = begin_run(&training, 1);
    write_has_father(nlm_run_machine(trainer), false);
    assert_int_equal(run_epoch(trainer), training.batches);
    assert_int_equal(epoch_of(trainer)->failures, 0);
    assert_int_equal(nlm_run_stage(trainer), NLM_LEARNING);
    nlm_run_free(trainer);
}

static void untaught_machines_of_all_tasks_fail(void **state)
{
    (void)state;
    for (int i = 0; i < nlm_tasks(); i++) {
        nlm_settings training = small_run(nlm_task_at(i)->name, NLM_PROTOCOL_BEST, 8);
        training.batches = 2;
        training.epochs = 2;
        training.threshold = 1000;
        training.exam = 24;
        nlm_run *trainer = begin_run(&training, 1);
        run_to_end(trainer);
        assert_int_equal(nlm_run_stage(trainer), NLM_EXHAUSTED);
        assert_true(epoch_of(trainer)->failures > 0);
        nlm_run_free(trainer);
    }
}

/* ---- restarts ---- */

static void copy_parameters(nlm_machine *to, nlm_machine *from)
{
    for (int t = 0; t < nlm_machine_tensors(to); t++) {
        nlm_tensor there = nlm_machine_tensor(to, t), here = nlm_machine_tensor(from, t);
        memcpy(there.values, here.values, there.count * sizeof(float));
    }
}

static void a_run_without_success_begins_again_with_new_weights(void **state)
{
    (void)state;
    enum { EPOCHS = 8, PATIENCE = 2 };
    nlm_settings training = small_run("grandparent", NLM_PROTOCOL_PAPER, 12);
    training.epochs = EPOCHS;
    training.threshold = NEVER;
    training.patience = PATIENCE;
    nlm_run *trainer = begin_run(&training, 1);
    nlm_machine *seen[EPOCHS + 1] = {make_beginner(&training, training.seed)};
    const size_t most = nlm_machine_parameters(seen[0]) * 9 / 10;
    for (int e = 1; e <= EPOCHS; e++) {
        run_epoch(trainer);
        const nlm_epoch *epoch = epoch_of(trainer);
        assert_true(epoch->wrong > 0); /* else this test would test nothing */
        assert_int_equal(epoch->epoch, e);
        assert_int_equal(epoch->examples, e * training.batches * training.batch);
        /* The last epoch is the end, not a beginning. */
        assert_int_equal(epoch->restarts, e < EPOCHS ? e / PATIENCE : (e - 1) / PATIENCE);
        seen[e] = make_beginner(&training, 0);
        copy_parameters(seen[e], nlm_run_machine(trainer));
        for (int before = 0; before < e; before++)
            assert_true(count_different_parameters(seen[e], seen[before]) > most);
    }
    assert_int_equal(nlm_run_stage(trainer), NLM_EXHAUSTED);
    nlm_run_free(trainer);
    for (int e = 0; e <= EPOCHS; e++)
        nlm_machine_free(seen[e]);
}

/* New weights are as large as the first ones: at most 1/sqrt(columns). */
static void new_weights_are_initial_weights(void **state)
{
    (void)state;
    nlm_settings training = small_run("grandparent", NLM_PROTOCOL_PAPER, 12);
    training.threshold = NEVER;
    training.patience = 1;
    training.lr = 1;
    nlm_run *trainer = begin_run(&training, 1);
    run_epoch(trainer);
    assert_int_equal(epoch_of(trainer)->restarts, 1);
    nlm_machine *machine = nlm_run_machine(trainer);
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        if (tensor.dimensions < 2)
            continue;
        const double most = 1 / sqrt(tensor.shape[1]);
        double largest = 0;
        for (size_t i = 0; i < tensor.count; i++)
            largest = fmax(largest, fabs(tensor.values[i]));
        assert_true(largest <= most * 1.0001 && largest > most / 4);
    }
    nlm_run_free(trainer);
}

static void epochs_without_errors_need_no_patience(void **state)
{
    (void)state;
    nlm_settings training = has_father_run();
    training.threshold = NEVER;
    training.patience = 1;
    nlm_run *trainer = begin_run(&training, 1);
    write_has_father(nlm_run_machine(trainer), true);
    run_to_end(trainer);
    assert_int_equal(epoch_of(trainer)->epoch, training.epochs);
    assert_int_equal(epoch_of(trainer)->restarts, 0);
    nlm_run_free(trainer);
}

/* The same worlds as they come, but Adam remembers nothing. */
static void a_run_that_began_again_learns_like_a_new_one(void **state)
{
    (void)state;
    nlm_settings training = small_run("grandparent", NLM_PROTOCOL_PAPER, 12);
    training.threshold = NEVER;
    training.patience = 1;
    training.epochs = 2;
    nlm_run *trainer = begin_run(&training, 1);
    run_epoch(trainer);
    assert_int_equal(epoch_of(trainer)->restarts, 1);
    const course of = {.spec = training.spec, .head = {"head", training.task->arity, 1}};
    learner by = make_learner(&of, 0, 1);
    copy_parameters(by.machine, nlm_run_machine(trainer));
    hand_epoch hand = {0};
    for (int b = training.batches; b < 2 * training.batches; b++)
        learn_by_hand(&by, &training, (uint64_t)(b * training.batch), &hand);
    run_epoch(trainer);
    assert_int_equal(count_different_parameters(nlm_run_machine(trainer), by.machine), 0);
    nlm_run_free(trainer);
    free_learner(&by);
}

/* ---- replay ---- */

/* Two runs, without and with replay: whether they differ after two epochs.  After the first they do not. */
static bool replay_matters(nlm_settings training, bool forgets)
{
    nlm_run *runs[2];
    for (int with = 0; with < 2; with++) {
        training.replay = with;
        runs[with] = begin_run(&training, 1);
        if (forgets)
            write_has_father(nlm_run_machine(runs[with]), true);
        run_epoch(runs[with]);
        if (forgets)
            write_has_father(nlm_run_machine(runs[with]), false);
    }
    nlm_machine *one = nlm_run_machine(runs[0]), *other = nlm_run_machine(runs[1]);
    assert_int_equal(count_different_parameters(one, other), 0);
    run_epoch(runs[0]);
    run_epoch(runs[1]);
    const bool differ = count_different_parameters(one, other) > 0;
    assert_int_equal(epoch_of(runs[0])->examples, epoch_of(runs[1])->examples);
    assert_int_equal(epoch_of(runs[0])->tuples, epoch_of(runs[1])->tuples);
    nlm_run_free(runs[0]);
    nlm_run_free(runs[1]);
    return differ;
}

static void worlds_that_had_errors_are_replayed(void **state)
{
    (void)state;
    nlm_settings training = has_father_run();
    training.lr = 0.005;
    training.exam = 30; /* which fails */
    assert_true(replay_matters(training, false));
    training.threshold = NEVER; /* no exam, but errors where there were none before */
    assert_true(replay_matters(training, true));
    assert_false(replay_matters(training, false)); /* errors of a beginner are not worth it */
}

/* ---- what goes wrong ---- */

/* Weights that overflow make a loss that is no number; a learning rate of 1000 may lead there. */
static void a_loss_that_is_no_number_is_reported(void **state)
{
    (void)state;
    const nlm_settings training = small_run("1-outdegree", NLM_PROTOCOL_PAPER, 6);
    nlm_run *trainer = begin_run(&training, 1);
    nlm_machine *machine = nlm_run_machine(trainer);
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        for (size_t i = 0; !strcmp(tensor.name, "head.weight") && i < tensor.count; i++)
            tensor.values[i] = 3e38f;
    }
    nlm_error error = {0};
    nlm_status status = NLM_OK;
    for (int s = 0; s < training.batches && !status; s++)
        status = nlm_run_step(trainer, NULL, &error);
    assert_int_equal(status, NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "learning rate");
    nlm_run_free(trainer);
}

static void worlds_that_cannot_be_are_reported(void **state)
{
    (void)state;
    nlm_settings training = small_run("1-outdegree", NLM_PROTOCOL_PAPER, 1000000000);
    nlm_run *trainer = begin_run(&training, 1);
    nlm_error error = {0};
    assert_int_equal(nlm_run_step(trainer, NULL, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "1000000000");
    nlm_run_free(trainer);
}

#define BY_HAND(index)                                                                                       \
    {                                                                                                        \
        "the_papers_steps_give_the_same_bits_by_hand: " #index, the_papers_steps_give_the_same_bits_by_hand, \
            NULL, NULL, (void *)&runs[index]                                                                 \
    }

int main(void)
{
    nlm_settings runs[] = {small_run("1-outdegree", NLM_PROTOCOL_PAPER, 6),
                           small_run("grandparent", NLM_PROTOCOL_PAPER, 12),
                           small_run("6-connectivity", NLM_PROTOCOL_PAPER, 7)};
    runs[2].seed = 18446744073709551615u;
    const struct CMUnitTest tests[] = {
        BY_HAND(0),
        BY_HAND(1),
        BY_HAND(2),
        cmocka_unit_test(steps_and_epochs_are_counted),
        cmocka_unit_test(a_step_after_the_end_is_refused),
        cmocka_unit_test(the_number_of_threads_does_not_matter),
        cmocka_unit_test(another_seed_is_another_run),
        cmocka_unit_test(a_loss_below_the_threshold_graduates),
        cmocka_unit_test(the_last_epoch_of_the_budget_may_graduate),
        cmocka_unit_test(a_machine_that_knows_passes_its_exam),
        cmocka_unit_test(a_machine_that_does_not_know_fails_its_exam),
        cmocka_unit_test(only_a_low_loss_leads_to_an_exam),
        cmocka_unit_test(untaught_machines_of_all_tasks_fail),
        cmocka_unit_test(a_run_without_success_begins_again_with_new_weights),
        cmocka_unit_test(new_weights_are_initial_weights),
        cmocka_unit_test(epochs_without_errors_need_no_patience),
        cmocka_unit_test(a_run_that_began_again_learns_like_a_new_one),
        cmocka_unit_test(worlds_that_had_errors_are_replayed),
        cmocka_unit_test(a_loss_that_is_no_number_is_reported),
        cmocka_unit_test(worlds_that_cannot_be_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
