/* A machine: plan, heads and parameters.
 *
 * Values and gradients of all parameters are two parallel flat arrays; a tensor is a window into both.  So
 * optimisers, norms and files treat all parameters alike, whatever they belong to.  Only live units have
 * parameters.  Tensors come in this order, which is that of the flat arrays:
 *
 *     units    layer by layer, arity by arity: weight, bias of each linear layer of the MLP
 *     heads    weight, bias
 *     sense    the tensors of the sense, if there is one
 *
 * A machine whose spec names a baseline has the tensors of that model instead, heads included.
 *
 * The plan says what exists; a machine adds numbers to it.  Whatever is computed from these numbers is in a
 * pass, so a machine alone takes little memory: 3,233 parameters for a family task of the paper. */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "kernel/kernel.h"
#include "nlm/pass.h"
#include "plan/plan.h"

#define MACHINE_SENSE_PREFIX "sense." /* before the names of a sense's tensors */

/* One tensor: values[offset .. offset + count - 1], row-major.  Each has its own stream of random numbers, so
 * that its initial values depend on the seed and its place in the machine, not on the tensors before it. */
struct machine_tensor {
    char *name;
    int dimensions, shape[NLM_MAX_DIMENSIONS];
    /* place among the parameters */
    size_t offset, count;
    uint64_t stream; /* of random numbers, for its initial values */
};

/* Invariant: the tensors cover values[0 .. parameters - 1] without gaps, in order.  One more number
 * follows in each array and stays 0: padding of packed weights is read from there (pack.c). */
struct nlm_machine {
    struct plan plan;
    int head_count;
    nlm_head_spec heads[NLM_MAX_HEADS]; /* names owned */
    int tensor_count, tensor_room;
    struct machine_tensor *tensors;
    /* Where tensors of units and heads begin in the list; heads have weight, then bias. */
    int unit_tensor[NLM_MAX_DEPTH + 1]
                   [NLM_MAX_BREADTH + 1]; /* first tensor of a live unit: weight, bias, ... */
    int head_tensor[NLM_MAX_HEADS];
    nlm_program_template *program; /* of its spec, a copy of its own in one piece; or NULL */
    void *model;                   /* made by the baseline that the spec names; NULL without one */
    int sense_tensor; /* first tensor of its sense, after all others; tensor_count if it has none */
    const struct kernel_table *kernels; /* of its last pass, for the optimiser */
    /* of all tensors together */
    size_t parameters;
    float *values, *gradients; /* parameters + 1 of each; the last is always 0 */
    /* Kept so that a model that is loaded and saved again loses nothing. */
    int metadata_pairs;
    char **metadata; /* key, text, key, text, ... of the file it was loaded from */
};

/* nlm_machine_initialise with weights that are `gain` times larger.  Those of the paper leave every unit near
 * one half, and all alike; larger ones tell tuples apart from the beginning.  Biases stay. */
void machine_initialise_with(struct nlm_machine *machine, uint64_t seed, double gain);

/* The plan of a machine that has none yet, or another; it keeps a copy of the program. */
nlm_status machine_plan(struct nlm_machine *machine, const nlm_spec *spec, nlm_error *error);
/* Another model's part of a machine whose plan is made: m->model. */
nlm_status machine_make_model(struct nlm_machine *machine, const nlm_head_spec *heads, int head_count,
                              nlm_error *error);

/* Whether a machine can learn from worlds of this number of objects; if not, NLM_BAD_ARGUMENT, and the
 * message says what fits. */
nlm_status machine_admit(const struct nlm_machine *machine, int objects, nlm_error *error);

/* The window of the sense's tensors in the flat arrays, values and gradients; NULL without a sense. */
float *machine_sense_values(struct nlm_machine *machine);
float *machine_sense_gradients(struct nlm_machine *machine);

/* Linear layers of a unit's MLP, and the size that layer k produces (k = -1: what the unit reads, all orders
 * included).  A machine with H hidden layers has H + 1 linear layers in every unit. */
int machine_mlp_layers(const struct nlm_machine *machine);
int machine_mlp_size(const struct nlm_machine *machine, int layer, int arity, int k);

/* A twin head reads u(i), u(i+n), u(j), u(j+n) (parts) and the binary inputs of both pairs (halves), which
 * are three relations (<, =, >) of some properties (docs/maths.md, section 2). */
enum { TWIN_PARTS = 4, TWIN_HALVES = 2, TWIN_RELATIONS = 3 };
/* The arity of the output group that a head reads, how many tuples of it stand behind a logit, and the
 * columns of its weight; 0 columns if the group is not wanted or does not exist. */
int machine_head_group(const nlm_head_spec *head);
int machine_head_parts(const nlm_head_spec *head);
int machine_head_columns(const struct nlm_machine *machine, const nlm_head_spec *head);

#endif
