/* LeNet against its definition in double: outputs, and gradients by differences of the definition. */
#include "differences.h"

#include "definition.h"
#include "perception/lenets.h"

enum { IMAGES = DEFINITION_IMAGES, TRIES = 6 }; /* tries: entries of a tensor that are looked at */
#define STEP 1e-6
#define TOLERANCE 1e-4 /* of the largest gradient of a tensor */

struct fixture {
    struct lenet *lenet;
    struct lenet_pass *pass;
    float image[IMAGES * LENET_PIXELS], dimage[IMAGES * LENET_PIXELS];
    float doutput[IMAGES * LENET_OUTPUTS];
    struct definition definition;
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
    random_floats(&random, f->lenet->values + f->lenet->offset[NORM1_WEIGHT], 20, -1.5f, 1.5f);
    random_floats(&random, f->lenet->values + f->lenet->offset[NORM2_WEIGHT], 40, -1.5f, 1.5f);
    random_floats(&random, f->image, IMAGES * LENET_PIXELS, 0.0f, 1.0f);
    random_floats(&random, f->doutput, IMAGES * LENET_OUTPUTS, -1.0f, 1.0f);
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

static double loss(struct fixture *f)
{
    double sum = 0.0;
    define_outputs(&f->definition, f->lenet->offset);
    for (int i = 0; i < IMAGES * LENET_OUTPUTS; i++)
        sum += f->definition.outputs[i / LENET_OUTPUTS][i % LENET_OUTPUTS] * (double)f->doutput[i];
    return sum;
}

static void check_tensor(struct fixture *f, const char *name, double *values, const float *gradient,
                         size_t count)
{
    double largest = 0.0;
    size_t step = count > TRIES ? count / TRIES : 1;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs((double)gradient[i]));
    for (size_t i = 0; i < count; i += step) {
        double before = values[i];
        values[i] = before + STEP;
        double above = loss(f);
        values[i] = before - STEP;
        double slope = (above - loss(f)) / (2.0 * STEP);
        values[i] = before;
        /* A bias before normalisation has no effect in training: 0 against 0. */
        if (!(fabs(slope - (double)gradient[i]) <= TOLERANCE * fmax(largest, 1e-3)))
            fail_msg("%s, entry %zu: gradient %g, slope %g, largest %g", name, i, (double)gradient[i], slope,
                     largest);
    }
}

static void compare(struct fixture *f, bool training)
{
    struct lenet *lenet = f->lenet;
    struct definition *d = &f->definition;
    d->training = training;
    for (size_t i = 0; i < DEFINITION_VALUES; i++)
        d->values[i] = (double)lenet->values[i];
    for (int i = 0; i < IMAGES * LENET_PIXELS; i++)
        (&d->images[0][0][0][0])[i] = (double)f->image[i];
    lenet_clear_gradients(lenet);
    assert_int_equal(lenet_forward(f->pass, lenet, NULL, f->image, IMAGES, training, NULL), NLM_OK);
    assert_int_equal(lenet_backward(f->pass, f->doutput, f->dimage, NULL), NLM_OK);
    loss(f);
    for (int i = 0; i < IMAGES * LENET_OUTPUTS; i++)
        assert_true(fabs((double)lenet_outputs(f->pass)[i] - (&d->outputs[0][0])[i]) < 2e-6);
    for (int t = 0; t < LENET_LEARNED; t++)
        check_tensor(f, lenet_tensors[t].name, d->values + lenet->offset[t],
                     lenet->gradients + lenet->offset[t], lenet->offset[t + 1] - lenet->offset[t]);
    check_tensor(f, "images", &d->images[0][0][0][0], f->dimage, IMAGES * LENET_PIXELS);
}

static void training_is_as_defined(void **state)
{
    compare(*state, true);
}

/* With running averages that are not those of the batch. */
static void tests_are_as_defined(void **state)
{
    struct fixture *f = *state;
    for (int step = 0; step < 3; step++)
        assert_int_equal(lenet_forward(f->pass, f->lenet, NULL, f->image, IMAGES, true, NULL), NLM_OK);
    compare(f, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(training_is_as_defined, setup, teardown),
        cmocka_unit_test_setup_teardown(tests_are_as_defined, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
