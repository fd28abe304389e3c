/* The Neural Logic Machine: its parameters, and its model file; nlm/spec.h has what it looks like.
 *
 * A machine has `depth` layers of units of arity 0..breadth.  Unit (i, r) reads, from layer i-1,
 *
 *     Concat(Expand(O[r-1]), O[r], Reduce(O[r+1]))   in all r! orders of the variables (Permute),
 *
 * and computes sigmoid(MLP(.)).  Only the units that reach a wanted output are kept ("live").  A head is one
 * linear layer on an output group; its results are logits.
 *
 * A twin head is for worlds whose objects come in two halves: object i of the first half and object i + n of
 * the second are twins, the same thing in two worlds (n is half the number of objects).  It has logits for
 * the ordered pairs (i, j), i != j, of the first half, and is one linear layer on
 *
 *     Concat(u(i), u(i + n), u(j), u(j + n), c(i, j))      4 C + 2 I numbers
 *
 * where u is the output group of arity 1, C predicates, and c the I = inputs[2] input predicates of arity 2
 * at (i, j) and at (i + n, j + n).  These are taken for three relations (<, =, >) of q = I / 3 properties:
 * number k q + p stands at k 2 q + p for (i, j) and at k 2 q + q + p for the twins, k = 0..2, p = 0..q-1. */
#ifndef NLM_MACHINE_H
#define NLM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "nlm/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nlm_machine nlm_machine;

/* All parameters are 0 until nlm_machine_initialise or nlm_machine_load. */
nlm_status nlm_machine_new(const nlm_spec *spec, const nlm_head_spec *heads, int head_count,
                           nlm_machine **machine, nlm_error *error);
void nlm_machine_free(nlm_machine *machine);
/* Weights and biases uniform in +-1/sqrt(fan in).  The same seed gives the same bits everywhere. */
void nlm_machine_initialise(nlm_machine *machine, uint64_t seed);

const nlm_spec *nlm_machine_spec(const nlm_machine *machine);
int nlm_machine_heads(const nlm_machine *machine);
const nlm_head_spec *nlm_machine_head(const nlm_machine *machine, int head);
/* Predicates in the output group of an arity; 0 if it is not wanted or does not exist. */
int nlm_machine_output_width(const nlm_machine *machine, int arity);
/* Whether unit (layer, arity) is computed, layers counted from 1. */
bool nlm_machine_unit_live(const nlm_machine *machine, int layer, int arity);

/* One named parameter: layer.I.arity.R.mlp.K.weight [out, in] and .bias [out], layers from 0; sense.NAME of a
 * sense.  Those of a sense that are not learned have no gradients but 0. */
typedef struct nlm_tensor {
    const char *name;
    int dimensions; /* 1 or 2, of a sense up to 4 */
    int shape[NLM_MAX_DIMENSIONS];
    size_t count;
    float *values;
    float *gradients; /* same shape; what backward adds to */
} nlm_tensor;

int nlm_machine_tensors(const nlm_machine *machine);
nlm_tensor nlm_machine_tensor(nlm_machine *machine, int index);
size_t nlm_machine_parameters(const nlm_machine *machine);
void nlm_machine_zero_gradients(nlm_machine *machine);
/* Euclidean norm of all gradients. */
double nlm_machine_gradient_norm(const nlm_machine *machine);

/* ---- what weights read ---- */

/* Predicates that unit (layer, arity) computes; of layer 0 the inputs.  0 if there are none. */
int nlm_unit_width(const nlm_machine *machine, int layer, int arity);
/* The numbers of the tensors whose columns read predicates: the first of a unit, and that of a head; -1 if
 * there is none. */
int nlm_unit_tensor(const nlm_machine *machine, int layer, int arity);
int nlm_head_tensor(const nlm_machine *machine, int head);

typedef enum nlm_operation {
    NLM_OWN,    /* a predicate of the same arity */
    NLM_EXPAND, /* one of an arity less */
    NLM_EXISTS, /* one of an arity more, the maximum over the last variable ... */
    NLM_FORALL  /* ... or the minimum */
} nlm_operation;

/* What a column reads: predicate `predicate` of unit (layer, arity), layer 0 being the inputs, by an
 * operation, with the variables permuted: in the place of t it reads the tuple u with u[k] = t[p(k)], p being
 * permutation number `order` in lexicographic order, 0 the identity.
 * Of a twin head `order` counts the parts of its Concat: 0 to 3 objects, 4 and 5 the pairs. */
typedef struct nlm_column {
    nlm_operation operation;
    int order;
    int layer, arity, predicate;
} nlm_column;

/* False if there is no such column. */
bool nlm_unit_column(const nlm_machine *machine, int layer, int arity, int number, nlm_column *column);
bool nlm_head_column(const nlm_machine *machine, int head, int number, nlm_column *column);

/* What the sense of a machine makes of so many percepts: its predicates, [count, predicates]. */
nlm_status nlm_machine_perceive(nlm_machine *machine, const float *percepts, int count, float *predicates,
                                nlm_error *error);

/* What a machine of the model "dilp" has learned, clause by clause: those whose probability is above `least`
 * (its authors take 0.1), by definition and template, told to a listener until it fails.  Other models have
 * no clauses: NLM_BAD_ARGUMENT. */
nlm_status nlm_machine_clauses(const nlm_machine *machine, double least, nlm_clause_listener listener,
                               void *context, nlm_error *error);

/* Model files: safetensors.  `metadata` holds `pairs` additional key, value texts (a key may not be one of
 * the spec's own).  The file is written under a temporary name, flushed, then renamed: an earlier file of
 * that name is kept until the new one is whole. */
nlm_status nlm_machine_save(nlm_machine *machine, const char *path, const char *const *metadata, int pairs,
                            nlm_error *error);
nlm_status nlm_machine_load(const char *path, nlm_machine **machine, nlm_error *error);
/* A text from the metadata of the file that the machine was loaded from; NULL if there is none. */
const char *nlm_machine_metadata(const nlm_machine *machine, const char *key);

/* Optimisers: a step changes the parameters along the accumulated gradients, which it leaves as they are. */
typedef struct nlm_optimizer nlm_optimizer;

typedef struct nlm_adam {
    double rate, beta1, beta2, epsilon; /* usually 0.005, 0.9, 0.999, 1e-8 */
} nlm_adam;

/* Adam with bias correction. */
nlm_status nlm_adam_new(nlm_machine *machine, nlm_adam settings, nlm_optimizer **optimizer, nlm_error *error);

typedef struct nlm_rmsprop {
    double rate, decay, epsilon; /* epsilon stands under the root; usually 0.5, 0.9, 1e-10 */
    double first;                /* what the averages of squared gradients begin with */
} nlm_rmsprop;

nlm_status nlm_rmsprop_new(nlm_machine *machine, nlm_rmsprop settings, nlm_optimizer **optimizer,
                           nlm_error *error);
/* Plain gradient descent. */
nlm_status nlm_sgd_new(nlm_machine *machine, double rate, nlm_optimizer **optimizer, nlm_error *error);
void nlm_optimizer_free(nlm_optimizer *optimizer);
void nlm_optimizer_set_rate(nlm_optimizer *optimizer, double rate);
void nlm_optimizer_step(nlm_optimizer *optimizer);

#ifdef __cplusplus
}
#endif
#endif
