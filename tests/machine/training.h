/* For the tests of whole training runs: machines of several kinds, worlds to learn from, and a step. */
#ifndef TESTS_MACHINE_TRAINING_H
#define TESTS_MACHINE_TRAINING_H

#include "test.h"

#include "base/random.h"
#include "nlm/nlm.h"

/* ---- worlds ---- */

/* A machine with one head, and the batches it learns from. */
typedef struct course {
    const char *what;
    nlm_spec spec;
    nlm_head_spec head;
    const char *task; /* NULL: every fact and label is random, so that no two tuples are alike */
    int objects;      /* of the smallest world; the others have up to `spread` more */
    int spread;
    int worlds; /* per batch */
    int steps;
    nlm_lifting lifting;
} course;

/* The tuple at a place of a dense tensor; false if it repeats an object. */
static inline bool tuple_at(int place, int arity, int objects, int *tuple)
{
    for (int k = arity - 1; k >= 0; k--, place /= objects) {
        tuple[k] = place % objects;
        for (int l = k + 1; l < arity; l++)
            if (tuple[k] == tuple[l])
                return false;
    }
    return true;
}

static inline int places(int arity, int objects)
{
    return arity > 0 ? objects * places(arity - 1, objects) : 1;
}

static inline void add_random_facts(nlm_world *world, int arity, int predicates, random_stream *random)
{
    int objects = nlm_world_objects(world), tuple[NLM_MAX_BREADTH];
    for (int p = 0; p < predicates; p++) {
        int predicate;
        char name[] = {'p', (char)('0' + p), 0};
        CHECK(nlm_world_add_predicate(world, name, arity, &predicate, &check_error));
        for (int place = 0; place < places(arity, objects); place++)
            if (tuple_at(place, arity, objects, tuple))
                CHECK(nlm_world_add_fact(world, predicate, tuple, random_uniform(random, -1.0f, 1.0f),
                                         &check_error));
    }
}

static inline void add_random_labels(nlm_world *world, int arity, random_stream *random)
{
    int objects = nlm_world_objects(world), tuple[NLM_MAX_BREADTH];
    CHECK(nlm_world_add_target(world, "t", arity, NLM_UNLABELLED, NULL, &check_error));
    for (int place = 0; place < places(arity, objects); place++)
        if (tuple_at(place, arity, objects, tuple))
            CHECK(nlm_world_add_label(world, 0, tuple, (nlm_label)((int)random_below(random, 3) - 1),
                                      &check_error));
}

static inline nlm_world *make_world(const course *of, int index)
{
    nlm_world *world;
    CHECK(nlm_world_new(&world, &check_error));
    int objects = of->objects + index * 7 % (of->spread + 1);
    if (of->task) {
        CHECK(nlm_task_generate(nlm_task_find(of->task), NLM_WORLDS_PAPER, 1, (uint64_t)index, objects, world,
                                &check_error));
        return world;
    }
    random_stream random;
    random_start(&random, 1, (uint64_t)index);
    CHECK(nlm_world_add_objects(world, "o", objects, &check_error));
    for (int r = 0; r <= of->spec.breadth; r++)
        add_random_facts(world, r, of->spec.inputs[r], &random);
    add_random_labels(world, of->head.arity, &random);
    return world;
}

/* ---- learning ---- */

typedef struct learner {
    nlm_options options;
    nlm_machine *machine;
    nlm_batch *batch;
    nlm_structure *structure;
    nlm_pass *pass;
    nlm_optimizer *adam;
} learner;

static inline learner make_learner(const course *of, uint64_t seed, int threads)
{
    learner made = {.options = {.threads = threads, .lifting = of->lifting}};
    CHECK(nlm_machine_new(&of->spec, &of->head, 1, &made.machine, &check_error));
    nlm_machine_initialise(made.machine, seed);
    CHECK(nlm_batch_for(made.machine, &made.batch, &check_error));
    CHECK(nlm_structure_new(&made.structure, &check_error));
    CHECK(nlm_pass_new(made.machine, &made.pass, &check_error));
    nlm_adam settings = {.rate = 0.005, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8};
    CHECK(nlm_adam_new(made.machine, settings, &made.adam, &check_error));
    return made;
}

static inline void free_learner(learner *made)
{
    nlm_optimizer_free(made->adam);
    nlm_pass_free(made->pass);
    nlm_structure_free(made->structure);
    nlm_batch_free(made->batch);
    nlm_machine_free(made->machine);
}

/* Everything that training repeats; returns the loss. */
static inline double learn(learner *of, nlm_world *const *worlds, int count)
{
    nlm_bce_result result;
    nlm_batch_clear(of->batch);
    for (int w = 0; w < count; w++)
        CHECK(nlm_batch_add_world(of->batch, worlds[w], &check_error));
    CHECK(nlm_structure_build(of->structure, of->machine, of->batch, &of->options, &check_error));
    CHECK(nlm_pass_forward(of->pass, of->structure, true, &check_error));
    CHECK(nlm_pass_bce(of->pass, 0, 0, 0, 1.0, &result, &check_error));
    nlm_machine_zero_gradients(of->machine);
    CHECK(nlm_pass_backward(of->pass, &check_error));
    nlm_optimizer_step(of->adam);
    return result.loss;
}

#endif
