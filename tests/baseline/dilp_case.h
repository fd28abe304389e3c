/* A program of differentiable ILP with one world, for tests: inputs, logits and gradients in arrays. */
#ifndef TESTS_BASELINE_DILP_CASE_H
#define TESTS_BASELINE_DILP_CASE_H

#include <stdlib.h>
#include <string.h>
#include "baseline/baseline.h"
#include "baseline/dilp.h"

static inline size_t case_cells(int objects, int arity)
{
    size_t cells = 1;
    while (arity-- > 0)
        cells *= (size_t)objects;
    return cells;
}

struct dilp_world {
    struct baseline_world world;
    float *inputs[BASELINE_MOST_ARITY + 1];
};

static inline struct dilp_world dilp_world_new(int objects, const int *inputs, int target)
{
    struct dilp_world made = {.world = {.objects = objects}};
    for (int r = 0; r <= BASELINE_MOST_ARITY; r++)
        made.world.inputs[r] = made.inputs[r] =
            calloc(case_cells(objects, r) * (size_t)inputs[r] + 1, sizeof(float));
    made.world.logits[0] = calloc(case_cells(objects, target), sizeof(float));
    made.world.dlogits[0] = calloc(case_cells(objects, target), sizeof(float));
    return made;
}

static inline void dilp_world_free(struct dilp_world *made)
{
    for (int r = 0; r <= BASELINE_MOST_ARITY; r++)
        free(made->inputs[r]);
    free(made->world.logits[0]);
    free((float *)made->world.dlogits[0]);
}

/* The spec of a program whose givens say what inputs there are. */
static inline nlm_spec dilp_spec(const nlm_program_template *program, int steps)
{
    nlm_spec spec = {.depth = steps, .breadth = 2, .model = "dilp", .program = program};
    for (int i = 0; program && i < program->givens; i++)
        if (!program->given[i].negated && program->given[i].arity <= NLM_MAX_BREADTH)
            spec.inputs[program->given[i].arity]++;
    return spec;
}

static inline nlm_status dilp_model(const nlm_program_template *program, int steps, void **model,
                                    nlm_error *error)
{
    nlm_spec spec = dilp_spec(program, steps);
    nlm_head_spec head = {"head", program && program->definitions > 0 ? program->definition[0].arity : 0, 1,
                          false};
    return dilp_baseline.make(&spec, &head, 1, model, error);
}

#endif
