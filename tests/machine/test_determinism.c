/* Determinism: a seed gives the same parameters, to the last bit, in every run and with any number of
 * threads. */
#include "training.h"

#include <stdio.h>
#include <stdlib.h>

enum { BATCHES = 10 };
#ifdef __SANITIZE_ADDRESS__
enum { STEPS = 30 }; /* each takes ten times as long */
#else
enum { STEPS = 100 };
#endif

/* Worlds and machines so large that the jobs are cut into parts. */
static const course family = {
    .what = "family of 20, binary",
    .spec = {.depth = 4, .breadth = 3, .inputs = {0, 0, 4}, .width = 8, .outputs = 4},
    .head = {"head", 2, 1},
    .task = "grandparent",
    .objects = 20,
    .worlds = 4,
    .steps = STEPS,
};
static const course connectivity = {
    .what = "6-connectivity",
    .spec = {.depth = 8, .breadth = 3, .inputs = {0, 0, 1}, .width = 8, .residual = true, .outputs = 4},
    .head = {"head", 2, 1},
    .task = "6-connectivity",
    .objects = 10,
    .worlds = 4,
    .steps = STEPS,
};
static const course outdegree = {
    .what = "2-outdegree",
    .spec = {.depth = 5, .breadth = 4, .inputs = {0, 0, 1}, .width = 8, .residual = true, .outputs = 2},
    .head = {"head", 1, 1},
    .task = "2-outdegree",
    .objects = 8,
    .spread = 2,
    .worlds = 2,
    .steps = STEPS,
};
static const course dense = {
    .what = "random numbers of all arities",
    .spec = {.depth = 2, .breadth = 3, .inputs = {1, 2, 2, 1}, .width = 6, .outputs = 15},
    .head = {"head", 3, 2},
    .objects = 22,
    .spread = 2,
    .worlds = 1,
    .steps = STEPS,
};
static const course hidden = {
    .what = "hidden layers",
    .spec = {.depth = 3,
             .breadth = 3,
             .inputs = {0, 2, 1},
             .width = 8,
             .hidden_layers = 2,
             .hidden = {16, 12},
             .outputs = 2},
    .head = {"head", 1, 1},
    .objects = 15,
    .spread = 2,
    .worlds = 1,
    .steps = STEPS,
};
static const course one_row_per_tuple = {
    .what = "family of 20, one row per tuple",
    .spec = {.depth = 3, .breadth = 3, .inputs = {0, 0, 4}, .width = 8, .outputs = 4},
    .head = {"head", 2, 1},
    .task = "uncle",
    .objects = 20,
    .worlds = 1,
    .steps = STEPS,
    .lifting = NLM_IDENTITY,
};
static const course large = {
    .what = "family of 60",
    .spec = {.depth = 4, .breadth = 3, .inputs = {0, 0, 4}, .width = 8, .outputs = 4},
    .head = {"head", 2, 1},
    .task = "uncle",
    .objects = 60,
    .worlds = 1,
    .steps = 10,
};
static const course large_residual = {
    .what = "graph of 50, residual",
    .spec = {.depth = 6, .breadth = 2, .inputs = {0, 4, 1}, .width = 32, .residual = true, .outputs = 2},
    .head = {"head", 1, 1},
    .task = "adjacent-to-red",
    .objects = 50,
    .worlds = 1,
    .steps = 10,
};
static const course pictures = {
    .what = "digits to look at",
    .spec = {.depth = 2,
             .breadth = 2,
             .inputs = {0, 10, 1},
             .width = 16,
             .residual = true,
             .outputs = 2,
             .sense = "lenet"},
    .head = {"head", 1, 1},
    .task = "adjacent-to-zero",
    .objects = 7,
    .spread = 4,
    .worlds = 4,
    .steps = 20,
};

/* What a run ends with: all parameters, and the sum of its losses. */
typedef struct outcome {
    size_t parameters;
    float *values;
    double loss;
} outcome;

static void keep_parameters(outcome *kept, nlm_machine *machine)
{
    kept->parameters = 0;
    kept->values = malloc(nlm_machine_parameters(machine) * sizeof(float));
    assert_non_null(kept->values);
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        memcpy(kept->values + kept->parameters, tensor.values, tensor.count * sizeof(float));
        kept->parameters += tensor.count;
    }
    assert_int_equal(kept->parameters, nlm_machine_parameters(machine));
}

static outcome train(const course *of, nlm_world *const *worlds, uint64_t seed, int threads)
{
    outcome made = {0};
    learner pupil = make_learner(of, seed, threads);
    for (int step = 0; step < of->steps; step++)
        made.loss += learn(&pupil, worlds + step % BATCHES * of->worlds, of->worlds);
    keep_parameters(&made, pupil.machine);
    free_learner(&pupil);
    return made;
}

static size_t count_differences(const outcome *a, const outcome *b)
{
    size_t differences = 0;
    assert_int_equal(a->parameters, b->parameters);
    for (size_t i = 0; i < a->parameters; i++)
        differences += memcmp(&a->values[i], &b->values[i], sizeof(float)) != 0;
    return differences;
}

static void assert_same(const course *of, const outcome *first, outcome other, int threads)
{
    size_t differences = count_differences(first, &other);
    if (differences || memcmp(&first->loss, &other.loss, sizeof first->loss))
        fail_msg("%s: with %d threads %zu of %zu parameters differ", of->what, threads, differences,
                 first->parameters);
    free(other.values);
}

static void runs_of_a_seed_are_the_same(void **state)
{
    const course *of = *state;
    nlm_world *worlds[BATCHES * 4];
    assert_true((size_t)(BATCHES * of->worlds) <= COUNT(worlds));
    for (int w = 0; w < BATCHES * of->worlds; w++)
        worlds[w] = make_world(of, w);
    outcome first = train(of, worlds, 7, 1), other_seed = train(of, worlds, 8, 1);
    for (int threads = 1; threads <= 3; threads++)
        assert_same(of, &first, train(of, worlds, 7, threads), threads);
    assert_true(count_differences(&first, &other_seed) > first.parameters / 2);
    for (size_t i = 0; i < first.parameters; i++)
        assert_true(first.values[i] - first.values[i] == 0.0f); /* neither NaN nor infinite */
    free(first.values);
    free(other_seed.values);
    for (int w = 0; w < BATCHES * of->worlds; w++)
        nlm_world_free(worlds[w]);
}

#define RUNS_OF(course)                                                                                      \
    {                                                                                                        \
        "runs_of_a_seed_are_the_same: " #course, runs_of_a_seed_are_the_same, NULL, NULL, (void *)&(course)  \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNS_OF(family), RUNS_OF(connectivity),   RUNS_OF(outdegree),
        RUNS_OF(dense),  RUNS_OF(hidden),         RUNS_OF(one_row_per_tuple),
        RUNS_OF(large),  RUNS_OF(large_residual), RUNS_OF(pictures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
