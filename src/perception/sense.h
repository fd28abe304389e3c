/* Senses: networks that turn what an object looks or sounds like, its percept, into unary predicates.
 *
 * A machine with a sense reads the sense's predicates as its first inputs of arity 1.  Percepts come with the
 * worlds; the pass of a machine runs the sense before its first layer and, going backward, after it.  The
 * sense's tensors are among the machine's: optimisers, model files and checkpoints treat all alike.
 *
 * A new sense is a table like that of LeNet (lenet.c), and a line in senses.c. */
#ifndef PERCEPTION_SENSE_H
#define PERCEPTION_SENSE_H

#include <stdbool.h>
#include <stddef.h>
#include "base/team.h"
#include "nlm/status.h"

enum { SENSE_DIMENSIONS = 4 };

struct sense_tensor {
    const char *name;
    int dimensions, shape[SENSE_DIMENSIONS];
    int fan_in; /* first values are uniform in +-1 / sqrt(fan_in); 0: all are `first` */
    float first;
    bool positive; /* no number of a model file may be below 0 */
};

size_t sense_tensor_count(const struct sense_tensor *tensor);

struct sense {
    const char *name;
    int numbers;    /* of a percept */
    int predicates; /* of an object, in [0, 1] */
    int tensor_count;
    int last; /* the tensor of the weights whose sums are the logits of the predicates; their biases follow */
    const struct sense_tensor *tensors; /* their values, one after the other, are one array */

    /* What it needs to work; it keeps its memory from step to step. */
    nlm_status (*open)(void **work, nlm_error *error);
    void (*close)(void *work);
    /* *outputs are [count, predicates], until the next forward, of percepts [count, numbers], which backward
     * reads again.  In training the values that are not learned but only follow may change. */
    nlm_status (*forward)(void *work, struct team *team, float *values, const float *percepts, int count,
                          bool training, const float **outputs, nlm_error *error);
    /* Adds to the gradients of the values, for those [count, predicates] of the outputs. */
    nlm_status (*backward)(void *work, const float *doutputs, float *gradients, nlm_error *error);
};

extern const struct sense lenet_sense;

/* By name; NULL if there is none. */
const struct sense *sense_find(const char *name);

#endif
