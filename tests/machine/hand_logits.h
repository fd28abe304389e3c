/* A machine whose logits are made by hand, on a batch of small worlds, for tests of losses and accuracies.
 *
 * A machine with residual offers its inputs among its outputs.  A head that reads one of them alone has that
 * input as its logit, so any logits can be made. */
#ifndef TESTS_MACHINE_HAND_LOGITS_H
#define TESTS_MACHINE_HAND_LOGITS_H

#include <math.h>
#include "test.h"

#include "base/random.h"
#include "nlm/nlm.h"

enum { WORLDS = 3, MOST_OBJECTS = 4, CELLS = MOST_OBJECTS * MOST_OBJECTS, BEYOND = 16 };
enum { ONE, TWO, HEADS }; /* heads of arity 1 and 2; the targets have the same numbers */

static const int objects[WORLDS] = {3, 4, 2};
static const nlm_spec spec = {
    .depth = 2, .breadth = 3, .inputs = {0, 1, 2}, .width = 3, .residual = true, .outputs = 6};

struct fixture {
    nlm_machine *machine;
    nlm_batch *batch;
    nlm_structure *structure;
    nlm_pass *pass;
    float logits[WORLDS][HEADS][CELLS]; /* what output 1 of the heads must be, by tuple */
    signed char labels[WORLDS][HEADS][CELLS];
};

static inline void assert_fine(nlm_status status, const nlm_error *error)
{
    if (status)
        fail_msg("%s", error->message);
}

static inline size_t cells(int world, int arity)
{
    return arity == 1 ? (size_t)objects[world] : (size_t)(objects[world] * objects[world]);
}

static inline bool repeats(int world, int arity, size_t cell)
{
    return arity == 2 && cell / (size_t)objects[world] == cell % (size_t)objects[world];
}

static inline nlm_tensor find_tensor(nlm_machine *machine, const char *name)
{
    for (int t = 0; t < nlm_machine_tensors(machine); t++)
        if (!strcmp(nlm_machine_tensor(machine, t).name, name))
            return nlm_machine_tensor(machine, t);
    fail_msg("no tensor %s", name);
    return (nlm_tensor){0};
}

/* Output 1 of both heads is the last input of its arity, twice. */
static inline void set_heads(nlm_machine *machine)
{
    static const char *const weights[] = {"one.weight", "two.weight"}, *const biases[] = {"one.bias",
                                                                                          "two.bias"};
    for (int h = 0; h < HEADS; h++) {
        nlm_tensor weight = find_tensor(machine, weights[h]), bias = find_tensor(machine, biases[h]);
        memset(weight.values + weight.shape[1], 0, (size_t)weight.shape[1] * sizeof(float));
        weight.values[weight.shape[1] + spec.inputs[h + 1] - 1] = 2.0f;
        bias.values[1] = 0.0f;
    }
}

static inline void load(struct fixture *f, bool labelled)
{
    nlm_error error;
    nlm_batch_clear(f->batch);
    for (int w = 0; w < WORLDS; w++) {
        float unary[MOST_OBJECTS], binary[CELLS * 2];
        const float *tensors[] = {NULL, unary, binary, NULL};
        for (size_t i = 0; i < cells(w, 1); i++)
            unary[i] = f->logits[w][ONE][i] / 2.0f;
        for (size_t i = 0; i < cells(w, 2); i++) {
            binary[2 * i] = 0.25f;
            binary[2 * i + 1] = f->logits[w][TWO][i] / 2.0f;
        }
        assert_fine(nlm_batch_add_tensors(f->batch, objects[w], tensors, &error), &error);
        for (int t = 0; t < HEADS && labelled; t++)
            assert_fine(nlm_batch_add_labels(f->batch, t, t + 1, f->labels[w][t], &error), &error);
    }
    assert_fine(nlm_structure_build(f->structure, f->machine, f->batch, NULL, &error), &error);
}

static inline void draw_worlds(struct fixture *f, uint64_t seed)
{
    random_stream random;
    random_start(&random, seed, 0);
    for (int w = 0; w < WORLDS; w++)
        for (int h = 0; h < HEADS; h++)
            for (int i = 0; i < CELLS; i++) {
                f->logits[w][h][i] = (float)random_below(&random, 9) - 4.0f; /* some are 0, some equal */
                f->labels[w][h][i] = (signed char)((int)random_below(&random, 3) - 1);
            }
}

static inline struct fixture *make(uint64_t seed)
{
    static struct fixture f;
    static const nlm_head_spec heads[] = {{"one", 1, 2, false}, {"two", 2, 3, false}};
    nlm_error error;
    assert_fine(nlm_machine_new(&spec, heads, HEADS, &f.machine, &error), &error);
    assert_fine(nlm_batch_new(spec.inputs, spec.breadth, &f.batch, &error), &error);
    assert_fine(nlm_structure_new(&f.structure, &error), &error);
    assert_fine(nlm_pass_new(f.machine, &f.pass, &error), &error);
    nlm_machine_initialise(f.machine, seed);
    set_heads(f.machine);
    draw_worlds(&f, seed);
    return &f;
}

static inline void free_fixture(struct fixture *f)
{
    nlm_pass_free(f->pass);
    nlm_structure_free(f->structure);
    nlm_batch_free(f->batch);
    nlm_machine_free(f->machine);
}

static inline void forward(struct fixture *f, bool training)
{
    nlm_error error;
    assert_fine(nlm_pass_forward(f->pass, f->structure, training, &error), &error);
}

/* Gradients of all parameters, of a pass to which gradients have been added. */
static inline float *backward(struct fixture *f)
{
    float *gradients = malloc(nlm_machine_parameters(f->machine) * sizeof *gradients), *at = gradients;
    assert_non_null(gradients);
    nlm_machine_zero_gradients(f->machine);
    assert_int_equal(nlm_pass_backward(f->pass, NULL), NLM_OK);
    for (int t = 0; t < nlm_machine_tensors(f->machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(f->machine, t);
        memcpy(at, tensor.gradients, tensor.count * sizeof *at);
        at += tensor.count;
    }
    return gradients;
}

static inline void assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%.9g instead of %.9g", got, want);
}

/* Both are freed. */
static inline void assert_same_gradients(const struct fixture *f, float *got, float *want)
{
    for (size_t i = 0; i < nlm_machine_parameters(f->machine); i++)
        assert_near((double)got[i], (double)want[i], 1e-5 * fabs((double)want[i]) + 2e-6);
    free(got);
    free(want);
}

#endif
