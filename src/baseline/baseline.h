/* Baselines: the models that the machine is compared with, behind the machine's own door.
 *
 * A machine whose spec names a model has the model's tensors in place of units and heads.  Its pass hands
 * over worlds as dense numbers and takes logits; optimisers, model files, checkpoints, losses, tests and
 * games do not know the difference.
 *
 * A new model is a table like that of the memory network (memnn.c), and a line in baselines.c.
 *
 * Callers, all in src/machine: machine.c and model_load.c (make, tensors, admit), pass.c and model_pass.c
 * (open to backward), estimate.c (memory), clauses_learned.c (rules).  A baseline knows neither machines nor
 * structures: it sees arrays of numbers. */
#ifndef BASELINE_BASELINE_H
#define BASELINE_BASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/team.h"
#include "nlm/recipe.h"
#include "nlm/spec.h"

/* Baselines read and answer about objects and pairs; a tensor's name has room for a predicate's. */
enum { BASELINE_MOST_ARITY = 2, BASELINE_NAME_SIZE = 320 };

/* A tensor that the machine is to make for the model. */
struct baseline_tensor {
    char name[BASELINE_NAME_SIZE];
    int dimensions, shape[2];
    int fan_in; /* first values are uniform in +-1 / sqrt(fan_in); 0: from N(0, 1) */
};

/* One world of a batch.  Arrays are [objects]^arity x numbers, the last variable fastest; inputs are 0
 * at tuples that repeat an object, logits there are ignored.  The objects of a twin head are
 * those of the first half. */
struct baseline_world {
    int objects;
    const float *inputs[BASELINE_MOST_ARITY + 1]; /* per arity; NULL without inputs of it */
    float *logits[NLM_MAX_HEADS];
    const float *dlogits[NLM_MAX_HEADS]; /* for backward, which still finds the inputs as forward saw them */
    uint64_t names; /* a seed for names that are drawn anew at each presentation of the world */
};

/* A model as a table of functions.  `make` to `rules` are about the model itself, `open` to `backward` about
 * passes; `model` and `work` are opaque to the machine, which owns all values and gradients. */
struct baseline {
    const char *name;
    const nlm_preset *presets; /* what it changes in all settings, or NULL */
    bool has_program;          /* its spec has a program, made of templates */

    /* The model that spec and heads describe, copied; NLM_BAD_ARGUMENT if there is none.  The spec
     * has been checked as for any machine (1 <= depth, breadth <= 5, some inputs); all inputs and heads have
     * arities up to BASELINE_MOST_ARITY, which is for the model to see to. */
    nlm_status (*make)(const nlm_spec *spec, const nlm_head_spec *heads, int head_count, void **model,
                       nlm_error *error);
    void (*free)(void *model);
    int (*tensors)(const void *model);
    /* Their values, one after the other, are one array. */
    void (*tensor)(const void *model, int index, struct baseline_tensor *tensor);
    /* The least memory, in bytes, that a forward pass on one world of this number of objects takes. */
    double (*memory)(const void *model, int objects);

    /* Whether worlds of this number of objects can be learned from; if not, the error gives a number that
     * fits. */
    nlm_status (*admit)(const void *model, int objects, nlm_error *error);
    /* nlm_machine_clauses; NULL where there are none. */
    nlm_status (*rules)(const void *model, const float *values, double least, nlm_clause_listener listener,
                        void *context, nlm_error *error);

    /* The work area of a pass, which keeps its memory from step to step.  The model must outlive it. */
    nlm_status (*open)(const void *model, void **work, nlm_error *error);
    void (*close)(void *work);
    /* The logits of all worlds.  Results are the same bits for any number of threads of the team. */
    nlm_status (*forward)(void *work, struct team *team, const float *values,
                          const struct baseline_world *worlds, int count, bool training, nlm_error *error);
    /* After a forward for training: adds to the gradients of the values. */
    nlm_status (*backward)(void *work, struct team *team, const float *values,
                           const struct baseline_world *worlds, int count, float *gradients,
                           nlm_error *error);
};

extern const struct baseline memnn_baseline;
extern const struct baseline dilp_baseline;

/* By number, from 0, and by name; NULL if there is none. */
const struct baseline *baseline_at(int index);
const struct baseline *baseline_find(const char *name);

#endif
