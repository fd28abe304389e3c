/* Drawn digits: the same for the same seed and number, all ten of them, and LeNet learns to tell them apart.
 */
#include <math.h>
#include "test.h"

#include "kernel/kernel.h"
#include "perception/digits.h"
#include "perception/lenets.h"

enum { BATCH = 40, STEPS = 300, EXAM = 500, SEED = 5 };
#define RATE 0.005f

static void the_same_number_is_the_same_image(void **state)
{
    (void)state;
    uint8_t once[IMAGES_PIXELS], again[IMAGES_PIXELS];
    for (uint64_t number = 0; number < 50; number++) {
        uint8_t digit = digits_draw(SEED, number, once);
        assert_int_equal(digits_draw(SEED, number, again), digit);
        assert_memory_equal(once, again, sizeof once);
        digits_draw(SEED + 1, number, again);
        assert_memory_not_equal(once, again, sizeof once);
        digits_draw(SEED, number + 1, again);
        assert_memory_not_equal(once, again, sizeof once);
    }
}

/* A sum over bytes, so that another compiler or processor that draws otherwise is noticed. */
static void images_are_the_same_everywhere(void **state)
{
    (void)state;
    uint8_t pixels[IMAGES_PIXELS];
    uint32_t hash = 2166136261u;
    for (uint64_t number = 0; number < 20; number++) {
        hash = (hash ^ digits_draw(1, number, pixels)) * 16777619u;
        for (int i = 0; i < IMAGES_PIXELS; i++)
            hash = (hash ^ pixels[i]) * 16777619u;
    }
    assert_int_equal(hash, 0x1e059756);
}

static void a_set_holds_the_images_of_its_numbers(void **state)
{
    (void)state;
    struct images images;
    uint8_t pixels[IMAGES_PIXELS];
    float floats[IMAGES_PIXELS];
    assert_int_equal(digits_make(SEED, 10, 7, &images, NULL), NLM_OK);
    assert_int_equal(images.count, 7);
    for (int i = 0; i < images.count; i++) {
        assert_int_equal(digits_draw(SEED, 10 + (uint64_t)i, pixels), images.labels[i]);
        assert_memory_equal(pixels, images.pixels + i * IMAGES_PIXELS, sizeof pixels);
        images_floats(&images, i, floats);
        for (int k = 0; k < IMAGES_PIXELS; k++)
            assert_true(floats[k] == (float)pixels[k] / 255.0f);
    }
    images_free(&images);
    assert_null(images.pixels);
}

static void all_digits_come_up(void **state)
{
    (void)state;
    struct images images;
    int count[IMAGES_LABELS] = {0};
    assert_int_equal(digits_make(SEED, 0, 2000, &images, NULL), NLM_OK);
    for (int i = 0; i < images.count; i++)
        count[images.labels[i]]++;
    for (int digit = 0; digit < IMAGES_LABELS; digit++)
        assert_in_range(count[digit], 140, 260);
    images_free(&images);
}

/* ---- learning ---- */

struct pupil {
    struct lenet *lenet;
    struct lenet_pass *pass;
    float *mean, *square;
};

/* Images as LeNet takes them. */
static float *floats_of(const struct images *images)
{
    float *all = malloc((size_t)images->count * LENET_PIXELS * sizeof *all);
    assert_non_null(all);
    for (int i = 0; i < images->count; i++)
        images_floats(images, i, all + i * LENET_PIXELS);
    return all;
}

/* Gradient, by the outputs, of the mean cross-entropy of each output being its own digit. */
static void cross_entropy(const float *outputs, const uint8_t *labels, float *doutputs)
{
    for (int i = 0; i < BATCH * LENET_OUTPUTS; i++) {
        float y = fminf(fmaxf(outputs[i], 1e-6f), 1.0f - 1e-6f);
        float label = labels[i / LENET_OUTPUTS] == i % LENET_OUTPUTS ? 1.0f : 0.0f;
        doutputs[i] = (y - label) / (y * (1.0f - y)) / BATCH;
    }
}

static void learn(struct pupil *p, int step)
{
    struct images images;
    float doutputs[BATCH * LENET_OUTPUTS];
    assert_int_equal(digits_make(SEED, (uint64_t)step * BATCH, BATCH, &images, NULL), NLM_OK);
    float *pixels = floats_of(&images);
    lenet_clear_gradients(p->lenet);
    assert_int_equal(lenet_forward(p->pass, p->lenet, NULL, pixels, BATCH, true, NULL), NLM_OK);
    cross_entropy(lenet_outputs(p->pass), images.labels, doutputs);
    assert_int_equal(lenet_backward(p->pass, doutputs, NULL, NULL), NLM_OK);
    struct kernel_adam adam = {
        .rate = RATE,
        .beta1 = 0.9f,
        .beta2 = 0.999f,
        .epsilon = 1e-8f,
        .correction1 = (float)(1.0 / (1.0 - pow(0.9, step + 1))),
        .correction2 = (float)(1.0 / (1.0 - pow(0.999, step + 1))),
    };
    kernel_reference.adam(&adam, p->lenet->values, p->lenet->gradients, p->mean, p->square,
                          p->lenet->parameters);
    free(pixels);
    images_free(&images);
}

static int count_right(struct pupil *p, const struct images *images)
{
    int right = 0;
    float *pixels = floats_of(images);
    assert_int_equal(lenet_forward(p->pass, p->lenet, NULL, pixels, images->count, false, NULL), NLM_OK);
    for (int i = 0; i < images->count; i++) {
        const float *outputs = lenet_outputs(p->pass) + i * LENET_OUTPUTS;
        int best = 0;
        for (int k = 1; k < LENET_OUTPUTS; k++)
            best = outputs[k] > outputs[best] ? k : best;
        right += best == images->labels[i];
    }
    free(pixels);
    return right;
}

/* Images of another seed, by the running averages. */
static void lenet_learns_them(void **state)
{
    (void)state;
    struct pupil p = {0};
    struct images exam;
    assert_int_equal(lenet_new(&p.lenet, NULL), NLM_OK);
    assert_int_equal(lenet_pass_new(&p.pass, NULL), NLM_OK);
    assert_int_equal(digits_make(SEED + 1, 0, EXAM, &exam, NULL), NLM_OK);
    p.mean = calloc(p.lenet->parameters, sizeof(float));
    p.square = calloc(p.lenet->parameters, sizeof(float));
    lenet_initialise(p.lenet, 1);
    for (int step = 0; step < STEPS; step++)
        learn(&p, step);
    int right = count_right(&p, &exam);
    print_message("%d of %d are right\n", right, EXAM);
    assert_true(right > EXAM * 95 / 100);
    images_free(&exam);
    free(p.mean);
    free(p.square);
    lenet_pass_free(p.pass);
    lenet_free(p.lenet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_number_is_the_same_image),
        cmocka_unit_test(images_are_the_same_everywhere),
        cmocka_unit_test(a_set_holds_the_images_of_its_numbers),
        cmocka_unit_test(all_digits_come_up),
        cmocka_unit_test(lenet_learns_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
