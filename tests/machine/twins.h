/* For the tests of twin heads: machines that have some, worlds for them, and a pass of both. */
#ifndef TESTS_MACHINE_TWINS_H
#define TESTS_MACHINE_TWINS_H

#include "test.h"

#include "base/random.h"
#include "nlm/nlm.h"

enum {
    WORLDS = 4,
    MOST_OBJECTS = 10,
    MOST_ARITY = 3,
    MOST_CELLS = MOST_OBJECTS * MOST_OBJECTS * MOST_OBJECTS,
    MOST_INPUTS = 6,
    MOST_OUTPUTS = 3
};

static const int objects[WORLDS] = {6, 4, 10, 8};

/* An action per world, as pairs of the first half. */
static const int actions[2 * WORLDS] = {0, 1, 1, 0, 4, 2, 2, 3};
static const double advantages[WORLDS] = {1.5, -0.7, 0.4, 2.0};

/* The heads of all machines here. */
enum { MOVE, VALID, PLAIN, HEADS };
static const nlm_head_spec heads[HEADS] = {
    {"move", 2, 1, true}, {"valid", 2, MOST_OUTPUTS, true}, {"plain", 1, 2, false}};

static const struct {
    const char *what;
    nlm_spec spec;
} machines[] = {
    {"blocks", {.depth = 3, .breadth = 2, .inputs = {0, 0, 6}, .width = 3, .residual = true, .outputs = 2}},
    {"one layer", {.depth = 1, .breadth = 2, .inputs = {0, 0, 3}, .width = 9, .outputs = 2}},
    {"hidden layers",
     {.depth = 2,
      .breadth = 3,
      .inputs = {1, 2, 3, 1},
      .width = 4,
      .hidden_layers = 1,
      .hidden = {5},
      .outputs = 7}},
    {"no unit reads the pairs",
     {.depth = 1, .breadth = 2, .inputs = {0, 2, 6}, .own_widths = true, .residual = true, .outputs = 2}},
};

typedef struct fixture {
    nlm_options options;
    nlm_machine *machine;
    nlm_batch *batch;
    nlm_structure *structure;
    nlm_pass *pass;
    float inputs[WORLDS][MOST_ARITY + 1][MOST_CELLS * MOST_INPUTS];
} fixture;

static inline size_t cells(int count, int arity)
{
    return arity > 0 ? (size_t)count * cells(count, arity - 1) : 1;
}

/* The batch as the inputs are now. */
static inline void fill_batch(fixture *f)
{
    const int *inputs = nlm_machine_spec(f->machine)->inputs;
    nlm_batch_clear(f->batch);
    for (int w = 0; w < WORLDS; w++) {
        const float *tensors[NLM_MAX_BREADTH + 1] = {NULL};
        for (int r = 0; r <= MOST_ARITY; r++)
            tensors[r] = inputs[r] ? f->inputs[w][r] : NULL;
        CHECK(nlm_batch_add_tensors(f->batch, objects[w], tensors, &check_error));
    }
}

/* Worlds of truth values, which lifting finds alike, or of arbitrary numbers. */
static inline void draw_worlds(fixture *f, bool truth)
{
    random_stream random;
    random_start(&random, 3, 0);
    for (int w = 0; w < WORLDS; w++)
        for (int r = 0; r <= MOST_ARITY; r++)
            for (size_t i = 0; i < COUNT(f->inputs[w][r]); i++)
                f->inputs[w][r][i] =
                    truth ? (float)(random_below(&random, 8) == 0) : random_uniform(&random, 0.0f, 1.0f);
}

static inline void start(fixture *f, const nlm_spec *spec, nlm_options options, bool truth)
{
    f->options = options;
    CHECK(nlm_machine_new(spec, heads, HEADS, &f->machine, &check_error));
    nlm_machine_initialise(f->machine, 7);
    CHECK(nlm_batch_new(spec->inputs, spec->breadth, &f->batch, &check_error));
    CHECK(nlm_structure_new(&f->structure, &check_error));
    CHECK(nlm_pass_new(f->machine, &f->pass, &check_error));
    draw_worlds(f, truth);
    fill_batch(f);
    CHECK(nlm_structure_build(f->structure, f->machine, f->batch, &f->options, &check_error));
}

static inline void finish(fixture *f)
{
    nlm_pass_free(f->pass);
    nlm_structure_free(f->structure);
    nlm_batch_free(f->batch);
    nlm_machine_free(f->machine);
}

static inline nlm_tensor tensor_called(nlm_machine *machine, const char *name)
{
    for (int t = 0; t < nlm_machine_tensors(machine); t++)
        if (!strcmp(nlm_machine_tensor(machine, t).name, name))
            return nlm_machine_tensor(machine, t);
    fail_msg("there is no tensor '%s'", name);
    return (nlm_tensor){0};
}

#endif
