/* For the tests of machines with a sense: worlds whose objects show a digit and have facts of their own; the
 * machine that sees them; and its twin without a sense, which is told what a LeNet makes of the images. */
#ifndef TESTS_MACHINE_SENSES_H
#define TESTS_MACHINE_SENSES_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "machine/training.h"
#include "perception/digits.h"
#include "perception/lenets.h"

enum { SEEN_WORLDS = 3, SEEN_OBJECTS = 17, SEEN_MOST = 6 };
static const int seen_objects[SEEN_WORLDS] = {5, 6, 6}; /* of each world; their sum is SEEN_OBJECTS */

/* The task's machine; one that also reads other facts; one with hidden layers, of breadth 3. */
static const nlm_spec seeing_specs[] = {
    {.depth = 2,
     .breadth = 2,
     .inputs = {0, 10, 1},
     .width = 16,
     .residual = true,
     .outputs = 2,
     .sense = "lenet"},
    {.depth = 2, .breadth = 2, .inputs = {1, 13, 2}, .width = 5, .outputs = 6, .sense = "lenet"},
    {.depth = 2,
     .breadth = 3,
     .inputs = {0, 11, 0, 1},
     .width = 4,
     .hidden_layers = 1,
     .hidden = {7},
     .outputs = 7,
     .sense = "lenet"},
};
static const nlm_head_spec seeing_head = {"head", 1, 1, false};

/* ---- worlds ---- */

/* What object `number` of all shows: a drawn digit. */
static inline void seen_image(int number, float *pixels)
{
    uint8_t bytes[LENET_PIXELS];
    digits_draw(1, (uint64_t)number, bytes);
    for (int i = 0; i < LENET_PIXELS; i++)
        pixels[i] = (float)bytes[i] / 255.0f;
}

/* Of all objects, world after world. */
static inline const float *seen_images(void)
{
    static float images[SEEN_OBJECTS][LENET_PIXELS];
    for (int x = 0; x < SEEN_OBJECTS; x++)
        seen_image(x, images[x]);
    return &images[0][0];
}

/* World w of a machine of this spec.  Where objects are told in words, `told` [objects, 10] are the first
 * unary predicates; otherwise (NULL) they show their images. */
static inline nlm_world *seen_world(const nlm_spec *spec, int w, const float *told)
{
    nlm_world *world;
    int first = 0;
    random_stream random;
    random_start(&random, 3, (uint64_t)w);
    for (int v = 0; v < w; v++)
        first += seen_objects[v];
    CHECK(nlm_world_new(&world, &check_error));
    CHECK(nlm_world_add_objects(world, "o", seen_objects[w], &check_error));
    for (int x = 0; x < seen_objects[w] && !told; x++)
        CHECK(nlm_world_set_percept(world, x, seen_images() + (first + x) * LENET_PIXELS, LENET_PIXELS,
                                    &check_error));
    for (int p = 0; p < LENET_OUTPUTS && told; p++) {
        char name[] = {'d', (char)('0' + p), 0};
        int predicate;
        CHECK(nlm_world_add_predicate(world, name, 1, &predicate, &check_error));
        for (int x = 0; x < seen_objects[w]; x++)
            CHECK(nlm_world_add_fact(world, predicate, &x, told[(first + x) * LENET_OUTPUTS + p],
                                     &check_error));
    }
    for (int r = 0; r <= spec->breadth; r++)
        add_random_facts(world, r, spec->inputs[r] - (r == 1 ? LENET_OUTPUTS : 0), &random);
    add_random_labels(world, seeing_head.arity, &random);
    return world;
}

/* ---- machines ---- */

typedef struct seer {
    nlm_machine *machine;
    nlm_batch *batch;
    nlm_structure *structure;
    nlm_pass *pass;
} seer;

/* Of worlds that show their images, or are told what these are (see seen_world). */
static inline seer make_seer(const nlm_spec *spec, const float *told, nlm_options options)
{
    seer made;
    nlm_spec own = *spec;
    own.sense = told ? NULL : spec->sense;
    CHECK(nlm_machine_new(&own, &seeing_head, 1, &made.machine, &check_error));
    nlm_machine_initialise(made.machine, 5);
    CHECK(nlm_batch_for(made.machine, &made.batch, &check_error));
    for (int w = 0; w < SEEN_WORLDS; w++) {
        nlm_world *world = seen_world(spec, w, told);
        CHECK(nlm_batch_add_world(made.batch, world, &check_error));
        nlm_world_free(world);
    }
    CHECK(nlm_structure_new(&made.structure, &check_error));
    CHECK(nlm_structure_build(made.structure, made.machine, made.batch, &options, &check_error));
    CHECK(nlm_pass_new(made.machine, &made.pass, &check_error));
    return made;
}

static inline void free_seer(seer *made)
{
    nlm_pass_free(made->pass);
    nlm_structure_free(made->structure);
    nlm_batch_free(made->batch);
    nlm_machine_free(made->machine);
}

static inline void see(seer *of, bool training)
{
    CHECK(nlm_pass_forward(of->pass, of->structure, training, &check_error));
}

static inline bool is_of_sense(const nlm_tensor *tensor)
{
    return !strncmp(tensor->name, "sense.", 6);
}

/* The machine's tensor of that name. */
static inline nlm_tensor tensor_called(nlm_machine *machine, const char *name)
{
    for (int t = 0; t < nlm_machine_tensors(machine); t++)
        if (!strcmp(nlm_machine_tensor(machine, t).name, name))
            return nlm_machine_tensor(machine, t);
    fail_msg("there is no tensor '%s'", name);
    return (nlm_tensor){0};
}

/* Number t of the tensors of LeNet, in a machine. */
static inline nlm_tensor lenet_tensor_of(nlm_machine *machine, int t)
{
    char name[64];
    snprintf(name, sizeof name, "sense.%s", lenet_tensors[t].name);
    return tensor_called(machine, name);
}

/* A LeNet of its own, with the values that the machine has now. */
static inline struct lenet *lenet_of(nlm_machine *machine)
{
    struct lenet *made;
    CHECK(lenet_new(&made, &check_error));
    for (int t = 0; t < LENET_TENSORS; t++) {
        nlm_tensor tensor = lenet_tensor_of(machine, t);
        assert_int_equal(tensor.count, made->offset[t + 1] - made->offset[t]);
        memcpy(made->values + made->offset[t], tensor.values, tensor.count * sizeof(float));
    }
    return made;
}

/* ---- a loss ---- */

enum { MOST_SEEN = SEEN_MOST * SEEN_MOST * 40 };

static inline size_t seen_numbers(const seer *of, int world, int arity)
{
    size_t count = (size_t)nlm_machine_output_width(of->machine, arity);
    for (int k = 0; k < arity; k++)
        count *= (size_t)seen_objects[world];
    assert_true(count <= MOST_SEEN);
    return count;
}

/* <outputs and logits, coefficients> of the last forward; adds the coefficients as gradients if asked. */
static inline double seen_loss(seer *of, bool gradients)
{
    static float values[MOST_SEEN], coefficients[MOST_SEEN];
    double sum = 0.0;
    random_stream random;
    random_start(&random, 9, 0);
    for (int i = 0; i < MOST_SEEN; i++)
        coefficients[i] = random_uniform(&random, -1.0f, 1.0f);
    for (int w = 0; w < SEEN_WORLDS; w++) {
        for (int r = 0; r <= nlm_machine_spec(of->machine)->breadth; r++) {
            const size_t count = seen_numbers(of, w, r);
            if (count == 0)
                continue;
            CHECK(nlm_pass_output(of->pass, w, r, values, &check_error));
            if (gradients)
                CHECK(nlm_pass_add_output_gradient(of->pass, w, r, coefficients, &check_error));
            for (size_t i = 0; i < count; i++)
                sum += (double)values[i] * (double)coefficients[i];
        }
        CHECK(nlm_pass_logits(of->pass, w, 0, values, &check_error));
        if (gradients)
            CHECK(nlm_pass_add_logit_gradient(of->pass, w, 0, coefficients, &check_error));
        for (int x = 0; x < seen_objects[w]; x++)
            sum += (double)values[x] * (double)coefficients[x];
    }
    return sum;
}

/* A step in training up to the gradients. */
static inline double see_and_go_back(seer *of)
{
    see(of, true);
    nlm_machine_zero_gradients(of->machine);
    const double loss = seen_loss(of, true);
    CHECK(nlm_pass_backward(of->pass, &check_error));
    return loss;
}

#endif
