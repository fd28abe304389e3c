/* Memory of runs and tests: whichever allocation fails, the call says so; everything can be freed, or tried
 * again and then ends as it must. */
#include "failing_malloc.h"
#include "learn/failing_files.h"
#include "learn/runs.h"

/* ---- a run and a test, from the beginning or from where they failed ---- */

typedef struct story {
    nlm_settings training;
    int knows; /* has_father is written into the machine: 1, its contrary: 0, neither: -1 */
    int threads;
    nlm_run *trainer;
    int calls; /* of nlm_run_step */
    nlm_test *tester;
    bool tested;
} story;

enum { MOST_CALLS = 200, TEST_WORLDS = 8, TEST_OBJECTS = 12 };

static nlm_status begin_or_go_on(story *s, nlm_error *error)
{
    const nlm_options options = {.threads = s->threads};
    nlm_status status = NLM_OK;
    if (!s->trainer) {
        status = nlm_run_new(&s->training, &options, &s->trainer, error);
        if (status)
            return status;
        if (s->knows >= 0)
            write_has_father(nlm_run_machine(s->trainer), s->knows);
    }
    while (nlm_run_stage(s->trainer) == NLM_LEARNING) {
        if (s->calls++ == MOST_CALLS)
            fail_msg("the run does not come to its end");
        status = nlm_run_step(s->trainer, NULL, error);
        if (status)
            return status;
    }
    if (!s->tester)
        status = nlm_test_of_task(nlm_run_machine(s->trainer), s->training.task, NLM_WORLDS_PAPER,
                                  TEST_OBJECTS, 1, &options, &s->tester, error);
    if (!status && !s->tested) {
        status = nlm_test_run(s->tester, TEST_WORLDS, NULL, NULL, error);
        s->tested = status == NLM_OK;
    }
    return status;
}

static void end(story *s)
{
    nlm_test_free(s->tester);
    nlm_run_free(s->trainer);
    s->tester = NULL;
    s->trainer = NULL;
    s->calls = 0;
    s->tested = false;
}

/* The story with this allocation failing; returns whether it did. */
static bool play(story *s, int number)
{
    nlm_error error = {NLM_OK, ""};
    fail_allocation(number);
    const nlm_status status = begin_or_go_on(s, &error);
    const bool failed = allocation_failed();
    fail_allocation(-1);
    if (failed && status != NLM_NO_MEMORY)
        fail_msg("allocation %d failed, and the status was %d", number, status);
    if (!failed && status)
        fail_msg("%s", error.message);
    assert_int_equal(error.status, status);
    assert_true(!failed || (error.message[0] && !strchr(error.message, '\n')));
    if (failed && !s->trainer)
        assert_int_equal(s->calls, 0);
    return failed;
}

/* All of it fails once at each allocation, then is freed, or goes on. */
static void assert_survives(story *s, nlm_stage stage)
{
    int number = 0;
    for (bool failed = true; failed; number++) {
        failed = play(s, number);
        end(s);
        play(s, number);
        play(s, -1);
        assert_int_equal(nlm_run_stage(s->trainer), stage);
        assert_true(nlm_test_score(s->tester).asked >= TEST_WORLDS);
        end(s);
    }
    assert_true(number > 50);
}

static void a_run_that_knows_survives_each_failing_allocation(void **state)
{
    (void)state;
    story s = {.training = has_father_run(), .knows = 1};
    s.training.exam = 20;
    assert_survives(&s, NLM_GRADUATED);
}

/* In particular, an exam that could not be held was not passed. */
static void a_run_that_does_not_know_survives_each_failing_allocation(void **state)
{
    (void)state;
    story s = {.training = has_father_run(), .knows = 0};
    s.training.epochs = 2;
    s.training.batches = 2;
    for (s.training.exam = 10; s.training.exam < 40; s.training.exam += 11)
        assert_survives(&s, NLM_EXHAUSTED);
}

static void a_run_with_threads_survives_each_failing_allocation(void **state)
{
    (void)state;
    story s = {.training = small_run("1-outdegree", NLM_PROTOCOL_BEST, 6), .knows = -1, .threads = 2};
    s.training.spec.depth = 2;
    s.training.spec.width = 3;
    s.training.threshold = 1000;
    s.training.batches = 2;
    s.training.epochs = 2;
    assert_survives(&s, NLM_EXHAUSTED);
}

/* A step that failed has drawn no worlds. */
static void a_step_tried_again_gives_the_same_bits(void **state)
{
    (void)state;
    story expected = {.training = small_run("grandparent", NLM_PROTOCOL_PAPER, 10), .knows = -1};
    expected.training.spec.depth = 2;
    expected.training.epochs = 1;
    story s = expected;
    assert_false(play(&expected, -1));
    int number = 0;
    for (bool failed = true; failed; number++) {
        failed = play(&s, number);
        if (failed)
            assert_false(play(&s, -1));
        size_t different =
            count_different_parameters(nlm_run_machine(s.trainer), nlm_run_machine(expected.trainer));
        if (different)
            fail_msg("%zu parameters differ after allocation %d failed", different, number);
        end(&s);
    }
    end(&expected);
}

/* ---- files ---- */

static void files_survive_each_failing_allocation(void **state)
{
    const folder *made = *state;
    nlm_settings training = small_run("1-outdegree", NLM_PROTOCOL_BEST, 5);
    training.spec.depth = 1;
    training.spec.width = 2;
    training.threshold = 1000;
    nlm_run *trainer = begin_run(&training, 1), *loaded = NULL;
    run_epoch(trainer);
    call_until_it_succeeds(made, save_checkpoint, &trainer, made->file);
    call_until_it_succeeds(made, save_model_file, &trainer, made->other);
    call_until_it_succeeds(made, load_checkpoint, &loaded, made->file);
    nlm_machine *trained = load(made->other);
    assert_same_machine(trained, nlm_run_machine(trainer));
    nlm_machine_free(trained);
    run_to_end(trainer);
    run_to_end(loaded);
    assert_int_equal(count_different_parameters(nlm_run_machine(trainer), nlm_run_machine(loaded)), 0);
    nlm_run_free(trainer);
    nlm_run_free(loaded);
}

/* A checkpoint that could not be replaced is still the earlier one. */
static void an_earlier_checkpoint_survives_each_failing_allocation(void **state)
{
    const folder *made = *state;
    nlm_settings training = small_run("1-outdegree", NLM_PROTOCOL_PAPER, 5);
    training.spec.depth = 1;
    training.spec.width = 2;
    nlm_run *trainer = begin_run(&training, 1);
    run_epoch(trainer);
    CHECK(nlm_run_save_checkpoint(trainer, made->file, &check_error));
    CHECK(nlm_run_save_checkpoint(trainer, made->other, &check_error));
    run_epoch(trainer);
    for (int number = 0; number < 1000; number += 1 + number / 20) {
        fail_allocation(number);
        const nlm_status status = nlm_run_save_checkpoint(trainer, made->file, NULL);
        fail_allocation(-1);
        if (!status)
            break;
        assert_same_files(made->file, made->other);
    }
    nlm_run_free(trainer);
}

int main(void)
{
    fail_jansson_too();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_that_knows_survives_each_failing_allocation),
        cmocka_unit_test(a_run_that_does_not_know_survives_each_failing_allocation),
        cmocka_unit_test(a_run_with_threads_survives_each_failing_allocation),
        cmocka_unit_test(a_step_tried_again_gives_the_same_bits),
        IN_FOLDER(files_survive_each_failing_allocation),
        IN_FOLDER(an_earlier_checkpoint_survives_each_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
