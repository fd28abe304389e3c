/* Senses: found by name; LeNet as one does what LeNet does, with values and gradients of somebody else. */
#include "differences.h"

#include "perception/lenets.h"

enum { IMAGES = LENET_PART + 3 };

static float images[IMAGES * LENET_PIXELS], doutputs[IMAGES * LENET_OUTPUTS];

static int fill(void **state)
{
    (void)state;
    random_stream random;
    random_start(&random, 8, 0);
    random_floats(&random, images, IMAGES * LENET_PIXELS, 0.0f, 1.0f);
    random_floats(&random, doutputs, IMAGES * LENET_OUTPUTS, -1.0f, 1.0f);
    return 0;
}

static void senses_are_found_by_name(void **state)
{
    (void)state;
    const struct sense *sense = sense_find("lenet");
    assert_ptr_equal(sense, &lenet_sense);
    assert_string_equal(sense->name, "lenet");
    assert_int_equal(sense->numbers, 28 * 28);
    assert_int_equal(sense->predicates, 10);
    assert_null(sense_find("LeNet"));
    assert_null(sense_find("lenet "));
    assert_null(sense_find(""));
    assert_null(sense_find(NULL));
}

static void tensors_are_counted(void **state)
{
    (void)state;
    size_t all = 0;
    struct lenet laid_out = {0};
    lenet_lay_out(&laid_out);
    assert_int_equal(lenet_sense.tensor_count, LENET_TENSORS);
    for (int t = 0; t < LENET_TENSORS; t++) {
        assert_int_equal(laid_out.offset[t], all);
        assert_true(lenet_sense.tensors[t].dimensions <= SENSE_DIMENSIONS);
        all += sense_tensor_count(&lenet_sense.tensors[t]);
    }
    assert_int_equal(laid_out.offset[LENET_TENSORS], all);
    assert_int_equal(sense_tensor_count(&(struct sense_tensor){.dimensions = 3, .shape = {4, 5, 6}}), 120);
}

/* Outputs, gradients and averages of the sense are those of LeNet; gradients are added to what is there. */
static void check_agreement(bool training)
{
    struct lenet *lenet;
    struct lenet_pass *pass;
    void *work;
    const float *outputs = NULL;
    assert_int_equal(lenet_new(&lenet, NULL), NLM_OK);
    assert_int_equal(lenet_pass_new(&pass, NULL), NLM_OK);
    assert_int_equal(lenet_sense.open(&work, NULL), NLM_OK);
    lenet_initialise(lenet, 7);
    const size_t count = lenet->offset[LENET_TENSORS];
    float *values = malloc(count * sizeof *values), *gradients = calloc(count, sizeof *gradients);
    assert_true(values && gradients);
    memcpy(values, lenet->values, count * sizeof *values);
    for (int step = 0; step < 2; step++) {
        assert_int_equal(lenet_forward(pass, lenet, NULL, images, IMAGES, training, NULL), NLM_OK);
        assert_int_equal(lenet_sense.forward(work, NULL, values, images, IMAGES, training, &outputs, NULL),
                         NLM_OK);
        assert_memory_equal(outputs, lenet_outputs(pass), IMAGES * LENET_OUTPUTS * sizeof *outputs);
        assert_memory_equal(values, lenet->values, count * sizeof *values);
        assert_int_equal(lenet_backward(pass, doutputs, NULL, NULL), NLM_OK);
        assert_int_equal(lenet_sense.backward(work, doutputs, gradients, NULL), NLM_OK);
        assert_memory_equal(gradients, lenet->gradients, lenet->parameters * sizeof *gradients);
        for (size_t i = lenet->parameters; i < count; i++)
            assert_true(gradients[i] == 0.0f);
        for (int i = 0; i < IMAGES * LENET_OUTPUTS; i++)
            assert_true(outputs[i] >= 0.0f && outputs[i] <= 1.0f);
    }
    free(values);
    free(gradients);
    lenet_sense.close(work);
    lenet_sense.close(NULL);
    lenet_pass_free(pass);
    lenet_free(lenet);
}

static void lenet_as_a_sense_learns_as_lenet_does(void **state)
{
    (void)state;
    check_agreement(true);
}

static void lenet_as_a_sense_works_as_lenet_does(void **state)
{
    (void)state;
    check_agreement(false);
}

static void a_number_of_images_that_cannot_be_is_refused(void **state)
{
    (void)state;
    void *work;
    static float values[21960];
    const float *outputs = images;
    nlm_error error;
    assert_int_equal(lenet_sense.open(&work, NULL), NLM_OK);
    assert_int_equal(lenet_sense.forward(work, NULL, values, images, 0, false, &outputs, &error),
                     NLM_BAD_ARGUMENT);
    assert_null(outputs);
    assert_int_equal(lenet_sense.backward(work, doutputs, values, &error), NLM_BAD_ARGUMENT);
    lenet_sense.close(work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(senses_are_found_by_name),
        cmocka_unit_test(tensors_are_counted),
        cmocka_unit_test(lenet_as_a_sense_learns_as_lenet_does),
        cmocka_unit_test(lenet_as_a_sense_works_as_lenet_does),
        cmocka_unit_test(a_number_of_images_that_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, fill, NULL);
}
