/* For the tests of machines of other models: one of each kind, worlds for them, and a pass of both. */
#ifndef TESTS_MACHINE_OTHERS_H
#define TESTS_MACHINE_OTHERS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "machine/training.h"

/* ---- machines ---- */

typedef struct other {
    const char *what;
    nlm_spec spec;
    int head_count;
    nlm_head_spec heads[3];
    int judged; /* the head that labels are for */
} other;

/* joined(X,Y) :- edge(X,Y).  joined(X,Y) :- edge(X,Z), joined(Z,Y).  and the like. */
static const nlm_given given[] = {
    {"raining", 0, false}, {"red", 1, false}, {"edge", 2, false}, {"red", 1, true}};
static const nlm_definition defined[] = {
    {"joined", 2, 2, {{0, NLM_BODY_GIVEN}, {1, NLM_BODY_DEFINED}}},
    {"hop", 1, 1, {{1, NLM_BODY_GIVEN}}},
};
static const nlm_program_template program = {(int)COUNT(given), (int)COUNT(defined), given, defined, false};

enum { MEMNN, TWINS, DILP, OTHERS };
static const other others[OTHERS] = {
    {"memnn",
     {.model = "memnn",
      .depth = 3,
      .breadth = 2,
      .inputs = {0, 2, 1},
      .width = 5,
      .hidden_layers = 1,
      .hidden = {7},
      .outputs = 6},
     2,
     {{"pair", 2, 2, false}, {"head", 1, 1, false}},
     0},
    {"memnn with twins",
     {.model = "memnn", .depth = 1, .breadth = 2, .inputs = {0, 0, 3}, .width = 6, .outputs = 6},
     3,
     {{"move", 2, 1, true}, {"head", 1, 2, false}, {"pair", 2, 1, false}},
     2},
    {"dilp",
     {.model = "dilp",
      .program = &program,
      .depth = 3,
      .breadth = 2,
      .inputs = {1, 1, 1},
      .width = 1,
      .outputs = 4},
     1,
     {{"head", 2, 1, false}},
     0},
};

static inline nlm_machine *make_other(const other *of)
{
    nlm_machine *machine;
    CHECK(nlm_machine_new(&of->spec, of->heads, of->head_count, &machine, &check_error));
    nlm_machine_initialise(machine, 11);
    return machine;
}

/* ---- worlds ---- */

enum { WORLDS = 3, MOST_OBJECTS = 6, MOST_ARITY = 2, MOST_PLACES = MOST_OBJECTS * MOST_OBJECTS };
enum { MOST_NUMBERS = 3 * MOST_PLACES };
static const int world_objects[WORLDS] = {4, 6, 2};

typedef struct numbers {
    int objects;
    float inputs[MOST_ARITY + 1][MOST_NUMBERS];
    signed char labels[MOST_PLACES];
} numbers;

/* Arbitrary numbers from 0 to 1, a third of all labels missing. */
static inline void draw_numbers(numbers *world, int objects, uint64_t seed)
{
    random_stream random;
    random_start(&random, seed, 9);
    world->objects = objects;
    for (int r = 0; r <= MOST_ARITY; r++)
        for (int i = 0; i < MOST_NUMBERS; i++)
            world->inputs[r][i] = random_uniform(&random, 0.0f, 1.0f);
    for (int i = 0; i < MOST_PLACES; i++)
        world->labels[i] = (signed char)((int)random_below(&random, 3) - 1);
}

static inline nlm_status add_numbers(nlm_batch *batch, const other *of, const numbers *world,
                                     nlm_error *error)
{
    const float *tensors[NLM_MAX_BREADTH + 1] = {NULL};
    for (int r = 0; r <= MOST_ARITY; r++)
        tensors[r] = of->spec.inputs[r] ? world->inputs[r] : NULL;
    nlm_status status = nlm_batch_add_tensors(batch, world->objects, tensors, error);
    return status ? status
                  : nlm_batch_add_labels(batch, 0, of->heads[of->judged].arity, world->labels, error);
}

/* ---- both ---- */

typedef struct fixture {
    const other *of;
    nlm_options options;
    nlm_machine *machine;
    nlm_batch *batch;
    nlm_structure *structure;
    nlm_pass *pass;
    int count;
    numbers world[WORLDS];
} fixture;

static inline void build(fixture *f)
{
    nlm_batch_clear(f->batch);
    for (int w = 0; w < f->count; w++)
        CHECK(add_numbers(f->batch, f->of, &f->world[w], &check_error));
    CHECK(nlm_structure_build(f->structure, f->machine, f->batch, &f->options, &check_error));
}

/* The worlds from number `first` on. */
static inline void start(fixture *f, const other *of, int first, int count, nlm_options options)
{
    *f = (fixture){.of = of, .options = options, .count = count, .machine = make_other(of)};
    CHECK(nlm_batch_for(f->machine, &f->batch, &check_error));
    CHECK(nlm_structure_new(&f->structure, &check_error));
    CHECK(nlm_pass_new(f->machine, &f->pass, &check_error));
    for (int w = 0; w < count; w++)
        draw_numbers(&f->world[w], world_objects[first + w], (uint64_t)(first + w));
    build(f);
}

static inline void finish(fixture *f)
{
    nlm_pass_free(f->pass);
    nlm_structure_free(f->structure);
    nlm_batch_free(f->batch);
    nlm_machine_free(f->machine);
}

static inline void forward(fixture *f, bool training)
{
    CHECK(nlm_pass_forward(f->pass, f->structure, training, &check_error));
}

/* Numbers of a head's logits in a world. */
static inline int logit_count(const nlm_head_spec *head, int objects)
{
    return places(head->arity, head->twins ? objects / 2 : objects) * head->outputs;
}

#endif
