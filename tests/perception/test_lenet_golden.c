/* LeNet against PyTorch: outputs, gradients of parameters and images, and running averages, in training and
 * in tests.  tools/make-lenet-golden.py made the file. */
#include <math.h>
#include "test.h"

#include "machine/safetensors.h"
#include "perception/lenets.h"

#define PATH "tests/golden/perception/lenet.safetensors"
#define TOLERANCE 1e-5 /* of the largest number of a tensor */

enum { MOST_IMAGES = 16 };

struct fixture {
    safetensors *file;
    struct lenet *lenet;
    struct lenet_pass *pass;
    int images;
    float image[MOST_IMAGES * LENET_PIXELS], dimage[MOST_IMAGES * LENET_PIXELS];
    float doutput[MOST_IMAGES * LENET_OUTPUTS];
};

/* A tensor of the file, as floats; returns how many. */
static size_t read_tensor(const safetensors *file, const char *name, float *values, size_t room)
{
    const safetensors_tensor *tensor = safetensors_find(file, name);
    if (!tensor || tensor->count > room)
        fail_msg("%s: no usable tensor %s", PATH, name);
    assert_int_equal(safetensors_floats(file, tensor, values, NULL), NLM_OK);
    return tensor->count;
}

static void assert_close(const struct fixture *f, const char *mode, const char *name, const float *values,
                         size_t count)
{
    char full[64];
    snprintf(full, sizeof full, "%s.%s", mode, name);
    float *expected = malloc(count * sizeof *expected);
    assert_int_equal(read_tensor(f->file, full, expected, count), count);
    double largest = 0.0, error = 0.0;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs((double)expected[i]));
        error = fmax(error, fabs((double)values[i] - (double)expected[i]));
    }
    free(expected);
    /* What is 0 in theory, the gradient of a bias before normalisation, is rounding in PyTorch. */
    if (!(error <= TOLERANCE * fmax(largest, 1e-3)))
        fail_msg("%s: off by %g, the largest is %g", full, error, largest);
}

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    if (safetensors_read(PATH, &f->file, NULL) || lenet_new(&f->lenet, NULL) ||
        lenet_pass_new(&f->pass, NULL))
        return -1;
    for (int t = 0; t < LENET_TENSORS; t++) {
        size_t offset = f->lenet->offset[t], count = f->lenet->offset[t + 1] - offset;
        assert_int_equal(read_tensor(f->file, lenet_tensors[t].name, f->lenet->values + offset, count),
                         count);
    }
    size_t pixels = read_tensor(f->file, "images", f->image, MOST_IMAGES * LENET_PIXELS);
    f->images = (int)(pixels / LENET_PIXELS);
    assert_true(f->images > LENET_PART && f->images % LENET_PART);
    read_tensor(f->file, "doutputs", f->doutput, MOST_IMAGES * LENET_OUTPUTS);
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    safetensors_free(f->file);
    lenet_free(f->lenet);
    lenet_pass_free(f->pass);
    free(f);
    return 0;
}

static void run_and_compare(struct fixture *f, const char *mode, bool training)
{
    size_t images = (size_t)f->images;
    lenet_clear_gradients(f->lenet);
    assert_int_equal(lenet_forward(f->pass, f->lenet, NULL, f->image, f->images, training, NULL), NLM_OK);
    assert_int_equal(lenet_backward(f->pass, f->doutput, f->dimage, NULL), NLM_OK);
    assert_close(f, mode, "outputs", lenet_outputs(f->pass), images * LENET_OUTPUTS);
    assert_close(f, mode, "dimages", f->dimage, images * LENET_PIXELS);
    for (int t = 0; t < LENET_LEARNED; t++) {
        char name[64];
        size_t offset = f->lenet->offset[t];
        snprintf(name, sizeof name, "d%s", lenet_tensors[t].name);
        assert_close(f, mode, name, f->lenet->gradients + offset, f->lenet->offset[t + 1] - offset);
    }
}

/* The test step reads the running averages that the training step left. */
static void training_and_test_agree_with_pytorch(void **state)
{
    struct fixture *f = *state;
    run_and_compare(f, "train", true);
    for (int t = LENET_LEARNED; t < LENET_TENSORS; t++) {
        size_t offset = f->lenet->offset[t];
        assert_close(f, "train", lenet_tensors[t].name, f->lenet->values + offset,
                     f->lenet->offset[t + 1] - offset);
    }
    run_and_compare(f, "test", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(training_and_test_agree_with_pytorch, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
