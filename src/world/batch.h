/* A batch: the input values and labels of several worlds.
 *
 * values[r] holds, per unordered tuple and per order of it, the inputs of arity r: [tuple][r!][inputs[r]].
 * labels[t] holds one signed char (nlm_label) per tuple and order of target t's arity. */
#ifndef WORLD_BATCH_H
#define WORLD_BATCH_H

#include <stdbool.h>
#include "base/random.h"
#include "nlm/batch.h"
#include "nlm/spec.h"
#include "world/tuples.h"

#define BATCH_MAX_TARGETS 16

struct nlm_batch {
    int breadth;
    int inputs[NLM_MAX_BREADTH + 1];
    int percept_numbers; /* per object, where a sense makes ... */
    int perceived;       /* ... the first so many inputs of arity 1: 0 in `values`; 0: none */
    struct tuples tuples;
    buffer presentations; /* uint64_t, of each world */
    buffer percepts;      /* float, [objects of all worlds][percept_numbers] */
    buffer values[NLM_MAX_BREADTH + 1];
    int targets;
    int target_arity[BATCH_MAX_TARGETS];
    buffer labels[BATCH_MAX_TARGETS];
};

/* From now on the objects of worlds have percepts, which stand for `perceived` of the inputs of arity 1. */
void batch_expect_percepts(nlm_batch *batch, int numbers, int perceived);

/* Keep a random part of the labels, each with probability `share`; at least one of a target that has some. */
void batch_thin_labels(nlm_batch *batch, random_stream *random, double share);

/* r! */
int batch_orders(int arity);

/* A world of zeros, to be filled in place: values[r] points to its first tuple of arity r, where there are
 * inputs of that arity, laid out as above. */
nlm_status batch_add_values(nlm_batch *batch, int objects, float **values, nlm_error *error);

#endif
