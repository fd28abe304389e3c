/* Memory of perception: a step whose number of images has been seen allocates nothing; and whichever
 * allocation fails, the call says so, and everything can be freed or tried again. */
#include "failing_malloc.h"
#include "idx_files.h"

#include <unistd.h>
#include "base/random.h"
#include "perception/digits.h"
#include "perception/lenets.h"

enum { MOST_IMAGES = 3 * LENET_PART };

static float pixels[MOST_IMAGES * LENET_PIXELS], dpixels[MOST_IMAGES * LENET_PIXELS];
static float doutputs[MOST_IMAGES * LENET_OUTPUTS];

static int fill(void **state)
{
    (void)state;
    random_stream random;
    random_start(&random, 1, 0);
    for (int i = 0; i < MOST_IMAGES * LENET_PIXELS; i++)
        pixels[i] = random_uniform(&random, 0.0f, 1.0f);
    for (int i = 0; i < MOST_IMAGES * LENET_OUTPUTS; i++)
        doutputs[i] = random_uniform(&random, -1.0f, 1.0f);
    return 0;
}

/* ---- no allocation ---- */

static void a_step_whose_size_was_seen_allocates_nothing(void **state)
{
    (void)state;
    struct team *team;
    struct lenet *lenet;
    struct lenet_pass *pass;
    assert_int_equal(team_new(2, &team), NLM_OK);
    assert_int_equal(lenet_new(&lenet, NULL), NLM_OK);
    assert_int_equal(lenet_pass_new(&pass, NULL), NLM_OK);
    lenet_initialise(lenet, 1);
    for (int count = MOST_IMAGES; count > 0; count -= 5) {
        fail_allocation(-1);
        assert_int_equal(lenet_forward(pass, lenet, team, pixels, count, true, NULL), NLM_OK);
        assert_int_equal(lenet_backward(pass, doutputs, dpixels, NULL), NLM_OK);
        assert_true(count == MOST_IMAGES ? allocations > 0 : allocations == 0);
    }
    lenet_pass_free(pass);
    lenet_free(lenet);
    team_free(team);
}

/* ---- each allocation fails ---- */

/* A step from nothing; what was made is freed whatever happens. */
static nlm_status make_and_step(nlm_error *error)
{
    struct lenet *lenet = NULL;
    struct lenet_pass *pass = NULL;
    nlm_status status = lenet_new(&lenet, error);
    if (!status)
        status = lenet_pass_new(&pass, error);
    if (!status)
        status = lenet_forward(pass, lenet, NULL, pixels, MOST_IMAGES, true, error);
    if (!status)
        status = lenet_backward(pass, doutputs, dpixels, error);
    lenet_pass_free(pass);
    lenet_free(lenet);
    return status;
}

static nlm_status draw_digits(nlm_error *error)
{
    struct images images;
    nlm_status status = digits_make(1, 0, 3, &images, error);
    images_free(&images);
    return status;
}

static char folder[] = "/tmp/nlm-idx-XXXXXX";

static nlm_status read_folder(nlm_error *error)
{
    struct images images;
    nlm_status status = idx_read(folder, IDX_TRAIN, &images, error);
    images_free(&images);
    return status;
}

/* Lets each allocation fail in turn, until there is none left to fail. */
static void fail_each(nlm_status (*attempt)(nlm_error *))
{
    nlm_error error = {0};
    for (int number = 0;; number++) {
        fail_allocation(number);
        nlm_status status = attempt(&error);
        bool failed = allocation_failed();
        fail_allocation(-1);
        assert_int_equal(status, failed ? NLM_NO_MEMORY : NLM_OK);
        if (!failed) {
            assert_true(number > 0);
            return;
        }
        assert_string_equal(error.message, "out of memory");
    }
}

static void failing_steps_say_so(void **state)
{
    (void)state;
    fail_each(make_and_step);
}

static void failing_drawings_say_so(void **state)
{
    (void)state;
    fail_each(draw_digits);
}

static void failing_readers_say_so(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    idx_write(folder, "train-images-idx3-ubyte.gz", idx_gzip(idx_images(3)));
    idx_write(folder, "train-labels-idx1-ubyte", idx_labels(3));
    fail_each(read_folder);
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(unlink("train-images-idx3-ubyte.gz"), 0);
    assert_int_equal(unlink("train-labels-idx1-ubyte"), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* A pass whose step failed can be used again, and gives the same bits as one that never failed. */
static void a_failed_pass_can_be_used_again(void **state)
{
    (void)state;
    struct lenet *lenet;
    struct lenet_pass *pass, *fresh;
    assert_int_equal(lenet_new(&lenet, NULL), NLM_OK);
    assert_int_equal(lenet_pass_new(&pass, NULL), NLM_OK);
    assert_int_equal(lenet_pass_new(&fresh, NULL), NLM_OK);
    lenet_initialise(lenet, 1);
    fail_allocation(1);
    assert_int_equal(lenet_forward(pass, lenet, NULL, pixels, MOST_IMAGES, false, NULL), NLM_NO_MEMORY);
    fail_allocation(-1);
    assert_int_equal(lenet_backward(pass, doutputs, NULL, NULL), NLM_BAD_ARGUMENT);
    assert_int_equal(lenet_forward(pass, lenet, NULL, pixels, MOST_IMAGES, false, NULL), NLM_OK);
    assert_int_equal(lenet_forward(fresh, lenet, NULL, pixels, MOST_IMAGES, false, NULL), NLM_OK);
    assert_memory_equal(lenet_outputs(pass), lenet_outputs(fresh),
                        MOST_IMAGES * LENET_OUTPUTS * sizeof(float));
    lenet_pass_free(pass);
    lenet_pass_free(fresh);
    lenet_free(lenet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_whose_size_was_seen_allocates_nothing),
        cmocka_unit_test(failing_steps_say_so),
        cmocka_unit_test(failing_drawings_say_so),
        cmocka_unit_test(failing_readers_say_so),
        cmocka_unit_test(a_failed_pass_can_be_used_again),
    };
    return cmocka_run_group_tests(tests, fill, NULL);
}
