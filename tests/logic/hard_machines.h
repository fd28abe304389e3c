/* Machines for the tests of proofs: of random hard units, with a signature p0_1, p1_1, ... and targets, and
 * their answers by a forward pass. */
#ifndef TESTS_LOGIC_HARD_MACHINES_H
#define TESTS_LOGIC_HARD_MACHINES_H

#include "test.h"
#include "facts/signature.h"
#include "nlm/evaluator.h"
#include "nlm/pass.h"

static uint32_t state;

static int draw(int below)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (uint32_t)below);
}

static inline nlm_signature *make_signature(const nlm_spec *spec, int arity)
{
    nlm_signature *signature;
    char name[16];
    CHECK(signature_new(&signature, &check_error));
    for (int r = 0; r <= spec->breadth; r++)
        for (int k = 0; k < spec->inputs[r]; k++) {
            snprintf(name, sizeof name, "p%d_%d", k, r);
            CHECK(
                signature_add(signature, SIGNATURE_INPUTS,
                              &(nlm_predicate){.name = name, .arity = r, .objects = r, .place = {0, 1, 2, 3}},
                              &check_error));
        }
    CHECK(
        signature_add(signature, SIGNATURE_TARGETS,
                      &(nlm_predicate){.name = "t", .arity = arity, .objects = arity, .place = {0, 1, 2, 3}},
                      &check_error));
    CHECK(signature_finish(signature, &check_error));
    return signature;
}

/* Up to three weights of +-256 or +-512 in a row, and a bias of an odd multiple of 128: sums are at least 128
 * away from 0. */
static inline void make_row(const nlm_tensor *weight, const nlm_tensor *bias, int row)
{
    const int columns = weight->shape[1], count = 1 + draw(3);
    for (int i = 0; i < count; i++)
        weight->values[(size_t)row * (size_t)columns + (size_t)draw(columns)] =
            256.0f * (float)(draw(2) ? 1 + draw(2) : -1 - draw(2));
    bias->values[row] = 256.0f * (float)(draw(5) - 2) - 128.0f;
}

static inline nlm_machine *make_machine(nlm_signature **signature)
{
    nlm_spec spec = {.breadth = 1 + draw(3), .depth = 1 + draw(3), .width = 1 + draw(3)};
    nlm_machine *machine;
    spec.residual = draw(2);
    for (int r = 0; r <= spec.breadth && r < 3; r++)
        spec.inputs[r] = r == 0 ? draw(2) : 1 + draw(2);
    const int arity = draw(spec.breadth + 1) % 3;
    spec.outputs = 1u << arity;
    const nlm_head_spec head = {.name = "t", .arity = arity, .outputs = 1};
    CHECK(nlm_machine_new(&spec, &head, 1, &machine, &check_error));
    for (int i = 0; i < nlm_machine_tensors(machine); i += 2) {
        const nlm_tensor weight = nlm_machine_tensor(machine, i), bias = nlm_machine_tensor(machine, i + 1);
        for (int row = 0; row < weight.shape[0]; row++)
            make_row(&weight, &bias, row);
    }
    *signature = make_signature(&spec, arity);
    return machine;
}

static inline nlm_world *make_world(const nlm_signature *signature, int objects)
{
    nlm_world *world;
    CHECK(nlm_world_new(&world, &check_error));
    CHECK(nlm_world_add_objects(world, "o", objects, &check_error));
    for (int i = 0; i < nlm_signature_inputs(signature); i++) {
        const nlm_predicate *input = nlm_signature_input(signature, i);
        CHECK(nlm_world_add_predicate(world, input->name, input->objects, NULL, &check_error));
        for (size_t t = 0; t < nlm_tuple_count(objects, input->objects); t++) {
            int tuple[NLM_MAX_BREADTH];
            if (nlm_tuple_at(objects, input->objects, t, tuple) && draw(2))
                CHECK(nlm_world_add_fact(world, i, tuple, 1, &check_error));
        }
    }
    return world;
}

/* Logits of the target for all tuples of a world, by a forward pass. */
static inline void ask_machine(nlm_machine *machine, const nlm_world *world, float *logits)
{
    nlm_evaluator *evaluator;
    CHECK(nlm_evaluator_new(machine, NULL, &evaluator, &check_error));
    CHECK(nlm_evaluator_add(evaluator, world, &check_error));
    CHECK(nlm_evaluator_run(evaluator, false, &check_error));
    CHECK(nlm_pass_logits(nlm_evaluator_pass(evaluator), 0, 0, logits, &check_error));
    nlm_evaluator_free(evaluator);
}

#endif
