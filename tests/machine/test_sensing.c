/* The machine of a program behind a network: its outputs are steps at the bounds, and nothing else changes.
 */
#include <math.h>
#include <string.h>
#include "machine/machine.h"
#include "machine/sensing.h"
#include "nlm/gallery.h"
#include "test.h"

enum { SIGHTS = 10, IMAGES = 20 };

static nlm_machine *make_machine(const char *sense, uint64_t seed)
{
    const nlm_spec spec = {
        .depth = 2, .breadth = 2, .inputs = {0, SIGHTS, 1}, .width = 3, .outputs = 1u << 1, .sense = sense};
    const nlm_head_spec head = {.name = "head", .arity = 1, .outputs = 1};
    nlm_machine *machine;
    CHECK(nlm_machine_new(&spec, &head, 1, &machine, &check_error));
    nlm_machine_initialise(machine, seed);
    return machine;
}

static void outputs_are_steps(void **state)
{
    (void)state;
    nlm_machine *units = make_machine(NULL, 1), *from = make_machine("lenet", 2), *made;
    nlm_gallery *gallery;
    float *pixels = calloc(IMAGES, NLM_IMAGE_PIXELS * sizeof *pixels), soft[IMAGES * SIGHTS];
    float hard[IMAGES * SIGHTS], bound[SIGHTS];
    CHECK(nlm_gallery_draw(1, IMAGES, &gallery, &check_error));
    for (int i = 0; i < IMAGES; i++)
        nlm_gallery_image(gallery, true, i, pixels + (size_t)i * NLM_IMAGE_PIXELS);
    CHECK(nlm_machine_perceive(from, pixels, IMAGES, soft, &check_error));
    /* the bound of an output lies between those of two images, so that some are on either side */
    for (int k = 0; k < SIGHTS; k++) {
        const double middle = ((double)soft[k] + (double)soft[SIGHTS + k]) / 2;
        bound[k] = (float)log(middle / (1 - middle));
    }
    CHECK(machine_with_sense(units, from, bound, &made, &check_error));
    CHECK(nlm_machine_perceive(made, pixels, IMAGES, hard, &check_error));
    int seen = 0;
    for (int i = 0; i < IMAGES * SIGHTS; i++) {
        const double logit = log((double)soft[i] / (1 - (double)soft[i])),
                     over = logit - (double)bound[i % SIGHTS];
        if (fabs(over) > 2e-4)
            assert_true(hard[i] == (over > 0 ? 1.0f : 0.0f));
        seen += over > 0;
    }
    assert_in_range(seen, SIGHTS, (IMAGES - 1) * SIGHTS);
    assert_memory_equal(made->values, units->values, units->parameters * sizeof *made->values);
    assert_string_equal(nlm_machine_spec(made)->sense, "lenet");
    nlm_machine_free(made);
    nlm_error error;
    assert_int_equal(machine_with_sense(units, units, bound, &made, &error), NLM_BAD_ARGUMENT);
    nlm_gallery_free(gallery);
    nlm_machine_free(units);
    nlm_machine_free(from);
    free(pixels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(outputs_are_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
