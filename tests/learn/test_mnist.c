/* Learning from MNIST: some hundred steps teach a machine to read handwritten digits, from nothing but which
 * nodes are adjacent to a 0.
 *
 * Where MNIST is not at hand ($NLM_TEST_MNIST, or where tools/get-mnist puts it) the test is skipped. */
#include "learn/runs.h"

enum { BATCHES = 100, EPOCHS = 8, WORLDS = 200, SKIPPED = 77 };
#define ENOUGH 0.9

static nlm_gallery *gallery;

static bool find_gallery(void)
{
    const char *named = getenv("NLM_TEST_MNIST"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char path[4000];
    nlm_error error;
    if (named)
        snprintf(path, sizeof path, "%s", named);
    else if (cache && cache[0] == '/')
        snprintf(path, sizeof path, "%s/nlm/mnist", cache);
    else
        snprintf(path, sizeof path, "%s/.cache/nlm/mnist", home ? home : "");
    if (!nlm_gallery_read(path, &gallery, &error))
        return true;
    fprintf(stderr, "skipped, for want of MNIST (tools/get-mnist brings it): %s\n", error.message);
    return false;
}

/* The files are MNIST's, so that all who learn from them learn from the same. */
static void the_gallery_is_mnist(void **state)
{
    (void)state;
    assert_int_equal(nlm_gallery_images(gallery, false), 60000);
    assert_int_equal(nlm_gallery_images(gallery, true), 10000);
    float pixels[NLM_IMAGE_PIXELS];
    static const int first[2][5] = {{5, 0, 4, 1, 9}, {7, 2, 1, 0, 4}};
    for (int test = 0; test < 2; test++)
        for (int i = 0; i < 5; i++)
            assert_int_equal(nlm_gallery_image(gallery, test, i, pixels), first[test][i]);
}

/* The share of right answers, at least among the true and among the false. */
static double test_accuracy(nlm_machine *machine, const nlm_task *task)
{
    const nlm_options options = {.threads = 2};
    nlm_test *tester;
    CHECK(nlm_test_of_task(machine, task, NLM_WORLDS_PAPER, 10, 1, &options, &tester, &check_error));
    CHECK(nlm_test_run(tester, WORLDS, NULL, NULL, &check_error));
    const nlm_score result = nlm_test_score(tester);
    nlm_test_free(tester);
    return fmin(result.right, result.balanced);
}

static void some_hundred_steps_teach_to_read(void **state)
{
    (void)state;
    nlm_task task = *nlm_task_find("adjacent-to-zero");
    nlm_settings training;
    task.gallery = gallery;
    CHECK(nlm_settings_of_task(&task, NLM_PROTOCOL_BEST, &training, &check_error));
    training.batches = BATCHES;
    training.epochs = EPOCHS;
    nlm_run *trainer = begin_run(&training, 2);
    double accuracy = test_accuracy(nlm_run_machine(trainer), &task);
    assert_true(accuracy < 0.7);
    while (nlm_run_stage(trainer) == NLM_LEARNING && accuracy < ENOUGH) {
        run_epoch(trainer);
        accuracy = test_accuracy(nlm_run_machine(trainer), &task);
    }
    if (!(accuracy >= ENOUGH))
        fail_msg("accuracy %g after %d steps", accuracy, EPOCHS * BATCHES);
    nlm_run_free(trainer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gallery_is_mnist),
        cmocka_unit_test(some_hundred_steps_teach_to_read),
    };
    if (!find_gallery())
        return SKIPPED;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    nlm_gallery_free(gallery);
    return failed;
}
