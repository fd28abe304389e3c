/* LeNet as a whole: its tensors, first values, that gradients add up, the same bits for any number
 * of threads, and what is refused. */
#include "differences.h"

#include "perception/lenets.h"

enum { IMAGES = 2 * LENET_PART + 3, MOST_THREADS = 3 };

struct fixture {
    struct lenet *lenet;
    struct lenet_pass *pass;
    bool training;
    int images;
    float image[IMAGES * LENET_PIXELS], dimage[IMAGES * LENET_PIXELS];
    float doutput[IMAGES * LENET_OUTPUTS];
};

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    random_stream random;
    *state = f;
    if (lenet_new(&f->lenet, NULL) || lenet_pass_new(&f->pass, NULL))
        return -1;
    lenet_initialise(f->lenet, 7);
    random_start(&random, 8, 0);
    random_floats(&random, f->image, IMAGES * LENET_PIXELS, 0.0f, 1.0f);
    random_floats(&random, f->doutput, IMAGES * LENET_OUTPUTS, -1.0f, 1.0f);
    f->images = IMAGES;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    lenet_free(f->lenet);
    lenet_pass_free(f->pass);
    free(f);
    return 0;
}

static void run(struct fixture *f, struct lenet_pass *pass, struct team *team)
{
    assert_int_equal(lenet_forward(pass, f->lenet, team, f->image, f->images, f->training, NULL), NLM_OK);
    assert_int_equal(lenet_backward(pass, f->doutput, f->dimage, NULL), NLM_OK);
}

/* ---- values ---- */

static void tensors_follow_each_other(void **state)
{
    struct fixture *f = *state;
    for (int t = 0; t < LENET_TENSORS; t++) {
        size_t count = 1;
        for (int d = 0; d < lenet_tensors[t].dimensions; d++)
            count *= (size_t)lenet_tensors[t].shape[d];
        assert_int_equal(f->lenet->offset[t + 1] - f->lenet->offset[t], count);
    }
    assert_int_equal(f->lenet->offset[0], 0);
    assert_int_equal(f->lenet->parameters, 21900);
    assert_int_equal(f->lenet->offset[LENET_TENSORS], 21960);
}

/* Uniform in +-1 / sqrt(fan in), and really up to there; normalisation begins as the identity. */
static void first_values_are_those_of_pytorch(void **state)
{
    struct fixture *f = *state;
    for (int t = 0; t < LENET_TENSORS; t++) {
        float lo = INFINITY, hi = -INFINITY, bound = 1.0f / sqrtf((float)lenet_tensors[t].fan_in);
        size_t first = f->lenet->offset[t], last = f->lenet->offset[t + 1];
        for (size_t i = first; i < last; i++) {
            lo = fminf(lo, f->lenet->values[i]);
            hi = fmaxf(hi, f->lenet->values[i]);
        }
        if (lenet_tensors[t].fan_in == 0) {
            assert_true(lo == lenet_tensors[t].first && hi == lo);
        } else {
            assert_true(lo >= -bound && hi <= bound);
            assert_true(last - first < 100 || (lo < -0.9f * bound && hi > 0.9f * bound));
        }
    }
    assert_true(lenet_tensors[NORM1_WEIGHT].first == 1.0f && lenet_tensors[NORM2_VARIANCE].first == 1.0f);
}

static void first_values_depend_on_the_seed(void **state)
{
    struct fixture *f = *state;
    size_t bytes = f->lenet->offset[LENET_TENSORS] * sizeof(float);
    float *before = malloc(bytes);
    memcpy(before, f->lenet->values, bytes);
    lenet_initialise(f->lenet, 9);
    assert_memory_not_equal(f->lenet->values, before, bytes);
    lenet_initialise(f->lenet, 7);
    assert_memory_equal(f->lenet->values, before, bytes);
    free(before);
}

/* ---- passes ---- */

static void gradients_are_added_up(void **state)
{
    struct fixture *f = *state;
    size_t count = f->lenet->parameters;
    float *once = malloc(count * sizeof *once);
    run(f, f->pass, NULL);
    memcpy(once, f->lenet->gradients, count * sizeof *once);
    run(f, f->pass, NULL);
    for (size_t i = 0; i < count; i++)
        assert_true(fabsf(f->lenet->gradients[i] - 2.0f * once[i]) <= 1e-5f * fabsf(once[i]) + 1e-6f);
    lenet_clear_gradients(f->lenet);
    for (size_t i = 0; i < count; i++)
        assert_true(f->lenet->gradients[i] == 0.0f);
    free(once);
}

/* A test leaves the LeNet as it is, and what it says of an image does not depend on the others. */
static void tests_look_at_each_image_alone(void **state)
{
    struct fixture *f = *state;
    size_t bytes = f->lenet->offset[LENET_TENSORS] * sizeof(float);
    float *before = malloc(bytes), together[IMAGES * LENET_OUTPUTS];
    memcpy(before, f->lenet->values, bytes);
    assert_int_equal(lenet_forward(f->pass, f->lenet, NULL, f->image, IMAGES, false, NULL), NLM_OK);
    memcpy(together, lenet_outputs(f->pass), sizeof together);
    for (int i = 0; i < IMAGES; i++) {
        assert_int_equal(lenet_forward(f->pass, f->lenet, NULL, f->image + i * LENET_PIXELS, 1, false, NULL),
                         NLM_OK);
        for (int k = 0; k < LENET_OUTPUTS; k++)
            assert_true(fabsf(lenet_outputs(f->pass)[k] - together[i * LENET_OUTPUTS + k]) < 1e-6f);
    }
    assert_memory_equal(f->lenet->values, before, bytes);
    free(before);
}

/* ---- threads ---- */

struct results {
    float values[21960], gradients[21900];
    float outputs[IMAGES * LENET_OUTPUTS], dimages[IMAGES * LENET_PIXELS];
};

/* Two steps of training and a test with so many threads. */
static void run_with_threads(struct fixture *f, int threads, struct results *results)
{
    struct team *team;
    struct lenet_pass *pass;
    assert_int_equal(team_new(threads, &team), NLM_OK);
    assert_int_equal(lenet_pass_new(&pass, NULL), NLM_OK);
    lenet_initialise(f->lenet, 7);
    lenet_clear_gradients(f->lenet);
    for (int step = 0; step < 3; step++) {
        f->training = step < 2;
        run(f, pass, team);
        for (size_t i = 0; i < f->lenet->parameters; i++)
            f->lenet->values[i] -= 0.01f * f->lenet->gradients[i];
    }
    memcpy(results->values, f->lenet->values, sizeof results->values);
    memcpy(results->gradients, f->lenet->gradients, sizeof results->gradients);
    memcpy(results->outputs, lenet_outputs(pass), sizeof results->outputs);
    memcpy(results->dimages, f->dimage, sizeof results->dimages);
    lenet_pass_free(pass);
    team_free(team);
}

static void threads_do_not_change_bits(void **state)
{
    struct fixture *f = *state;
    struct results *one = malloc(sizeof *one), *more = malloc(sizeof *more);
    run_with_threads(f, 1, one);
    for (int threads = 2; threads <= MOST_THREADS; threads++) {
        run_with_threads(f, threads, more);
        assert_memory_equal(more, one, sizeof *one);
    }
    free(one);
    free(more);
}

/* ---- refusals ---- */

static void wrong_calls_are_refused(void **state)
{
    struct fixture *f = *state;
    nlm_error error;
    assert_int_equal(lenet_backward(f->pass, f->doutput, NULL, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "backward without a forward before it");
    assert_int_equal(lenet_forward(f->pass, f->lenet, NULL, f->image, 0, true, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "0 images: a pass takes 1 to 1048576");
    assert_int_equal(lenet_forward(f->pass, f->lenet, NULL, f->image, LENET_MOST_IMAGES + 1, true, &error),
                     NLM_BAD_ARGUMENT);
    run(f, f->pass, NULL);
    assert_int_equal(lenet_forward(f->pass, f->lenet, NULL, f->image, -1, true, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(lenet_backward(f->pass, f->doutput, NULL, &error), NLM_BAD_ARGUMENT);
}

#define lenet_test(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        lenet_test(tensors_follow_each_other),       lenet_test(first_values_are_those_of_pytorch),
        lenet_test(first_values_depend_on_the_seed), lenet_test(gradients_are_added_up),
        lenet_test(tests_look_at_each_image_alone),  lenet_test(threads_do_not_change_bits),
        lenet_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
