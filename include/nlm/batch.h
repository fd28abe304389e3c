/* Worlds as numbers (batch), and which of their tuples are alike (structure).
 *
 *     batch      values per arity and tuple of several worlds, each with its own number of objects
 *     structure  classes of tuples per layer and arity; depends on the batch and the spec, not on weights
 *
 * Both keep their memory: used again with sizes that they have seen, they allocate nothing. */
#ifndef NLM_BATCH_H
#define NLM_BATCH_H

#include <stdint.h>
#include "nlm/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nlm_batch nlm_batch;
typedef struct nlm_structure nlm_structure;

/* ---- batch ---- */

/* An empty batch for `inputs[r]` input predicates of each arity r = 0..breadth. */
nlm_status nlm_batch_new(const int *inputs, int breadth, nlm_batch **batch, nlm_error *error);
void nlm_batch_free(nlm_batch *batch);
void nlm_batch_clear(nlm_batch *batch);
/* Ground a world: its predicates of arity r, in order, are the inputs of arity r.  Its targets are numbered
 * in order; all worlds of a batch have targets of the same arities. */
nlm_status nlm_batch_add_world(nlm_batch *batch, const nlm_world *world, nlm_error *error);
/* A world given as numbers (not for a machine with a sense): tensors[r] is [objects]^r x inputs[r] (NULL
 * where inputs[r] is 0).  Entries whose tuple repeats an object are not read.  NaN and infinity are refused.
 */
nlm_status nlm_batch_add_tensors(nlm_batch *batch, int objects, const float *const *tensors,
                                 nlm_error *error);
/* Labels for target number `target` of the world last added: [objects]^arity entries of nlm_label. */
nlm_status nlm_batch_add_labels(nlm_batch *batch, int target, int arity, const signed char *labels,
                                nlm_error *error);
/* For models that give objects random names: worlds with equal facts have the same names if they have the
 * same number here, as at first (0), and others with another. */
void nlm_batch_present(nlm_batch *batch, int world, uint64_t presentation);
int nlm_batch_worlds(const nlm_batch *batch);
int nlm_batch_objects(const nlm_batch *batch, int world);

/* ---- structure ---- */

nlm_status nlm_structure_new(nlm_structure **structure, nlm_error *error);
void nlm_structure_free(nlm_structure *structure);
typedef struct nlm_structure_level {
    int layer, arity;
    bool live;      /* computed at all */
    bool identity;  /* one row per tuple */
    bool streamed;  /* computed inside the reduction that reads it, no rows at all */
    size_t tuples;  /* ordered tuples of all worlds */
    size_t classes; /* classes among them */
    size_t sets;    /* distinct ranges of the reduction into (layer + 1, arity - 1); 0 if there is none */
} nlm_structure_level;

/* What was counted, for layer 0..depth and arity 0..breadth. */
nlm_structure_level nlm_structure_level_at(const nlm_structure *structure, int layer, int arity);

#ifdef __cplusplus
}
#endif
#endif
