/* Running a machine: batch (worlds as numbers), structure (which tuples are alike), pass (forward, backward).
 *
 *     batch      values per arity and tuple of several worlds, each with its own number of objects
 *     structure  classes of tuples per layer and arity; depends on the batch and the spec, not on weights
 *     pass       values and gradients of one machine on one structure
 *
 * Each of the three keeps its memory: used again with sizes it has seen, it allocates nothing. */
#ifndef NLM_PASS_H
#define NLM_PASS_H

#include "nlm/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nlm_batch nlm_batch;
typedef struct nlm_structure nlm_structure;
typedef struct nlm_pass nlm_pass;

/* ---- batch ---- */

/* An empty batch for `inputs[r]` input predicates of each arity r = 0..breadth. */
nlm_status nlm_batch_new(const int *inputs, int breadth, nlm_batch **batch, nlm_error *error);
/* An empty batch for what a machine reads.  With a sense, worlds have so many predicates of arity 1 less, and
 * every object has a percept. */
nlm_status nlm_batch_for(const nlm_machine *machine, nlm_batch **batch, nlm_error *error);
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

/* ---- options ---- */

typedef enum nlm_kernel {
    NLM_KERNEL_BEST,      /* the fastest that this processor runs */
    NLM_KERNEL_REFERENCE, /* plain C, the definition of every kernel */
    NLM_KERNEL_GENERIC,   /* vector kernels for the baseline instruction set */
    NLM_KERNEL_AVX2,
    NLM_KERNEL_AVX512
} nlm_kernel;

typedef enum nlm_lifting {
    NLM_LIFT,     /* one row per class of tuples, where that pays */
    NLM_IDENTITY, /* one row per tuple, everywhere */
    NLM_CLASSES   /* one row per class of tuples, everywhere: exact, even where it does not pay */
} nlm_lifting;

typedef struct nlm_options {
    int threads; /* 0 or 1: one thread.  Results do not depend on it. */
    nlm_kernel kernel;
    nlm_lifting lifting;
    bool
        input_gradients; /* backward also computes the gradients of the inputs (inputs are then not lifted) */
} nlm_options;

/* Whether this processor and build can run a kernel, and its name ("avx2"). */
bool nlm_kernel_available(nlm_kernel kernel);
const char *nlm_kernel_name(nlm_kernel kernel);
/* The kernel of that name; false if there is none. */
bool nlm_kernel_find(const char *name, nlm_kernel *kernel);

/* ---- structure ---- */

nlm_status nlm_structure_new(nlm_structure **structure, nlm_error *error);
void nlm_structure_free(nlm_structure *structure);
/* The structure of a batch for machines of this spec.  It copies what it needs from the batch. */
nlm_status nlm_structure_build(nlm_structure *structure, const nlm_machine *machine, const nlm_batch *batch,
                               const nlm_options *options, nlm_error *error);

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

/* The least memory, in bytes, that grounding, structure and a forward pass (not for training) of one world of
 * so many objects take, whatever the facts are: what is kept for every tuple.  Values come on top, one row
 * per class: next to nothing where tuples are alike, several times as much where no two are.  Infinite if
 * there are more tuples than a structure can number. */
double nlm_structure_memory(const nlm_machine *machine, int objects);
/* The largest number of objects for which that fits into so many bytes. */
int nlm_structure_largest(const nlm_machine *machine, double bytes);

/* ---- pass ---- */

nlm_status nlm_pass_new(nlm_machine *machine, nlm_pass **pass, nlm_error *error);
void nlm_pass_free(nlm_pass *pass);
/* Values of all live units and heads.  The pass goes on reading the structure: keep it, unchanged, until the
 * next forward pass.  A structure serves one pass at a time.  `training` keeps what backward needs, and lets
 * the averages of a sense follow.  A machine with a twin head needs an even number of objects in every world
 * (NLM_BAD_SHAPE). */
nlm_status nlm_pass_forward(nlm_pass *pass, const nlm_structure *structure, bool training, nlm_error *error);

/* Dense results of one world, [objects]^arity x width, 0 at tuples that repeat an object. */
nlm_status nlm_pass_output(const nlm_pass *pass, int world, int arity, float *output, nlm_error *error);
/* Logits of a head, [objects]^arity x outputs, 0 at tuples that repeat an object.  For a twin head, here and
 * below, the objects are those of the first half. */
nlm_status nlm_pass_logits(const nlm_pass *pass, int world, int head, float *logits, nlm_error *error);

/* Add to the loss's gradient with respect to an output group (shaped as nlm_pass_output fills it). */
nlm_status nlm_pass_add_output_gradient(nlm_pass *pass, int world, int arity, const float *gradient,
                                        nlm_error *error);
/* ... or with respect to a head's logits (shaped as nlm_pass_logits fills them). */
nlm_status nlm_pass_add_logit_gradient(nlm_pass *pass, int world, int head, const float *gradient,
                                       nlm_error *error);

/* Binary cross-entropy of logit `output` of a head (not a twin head) against target `target` of the batch,
 * sigmoid included, averaged over all labelled tuples of the batch; adds `weight` times its gradient.  With
 * no labelled tuple the loss is 0. */
typedef struct nlm_bce_result {
    double loss;
    size_t labelled, correct; /* true where the probability is above one half */
    size_t positives, correct_positives;
    double squared_error; /* sum over labelled tuples of (probability - label)^2 */
} nlm_bce_result;
nlm_status nlm_pass_bce(nlm_pass *pass, int head, int output, int target, double weight,
                        nlm_bce_result *result, nlm_error *error);
/* The macro accuracy of the same answers.  Labelled tuples that differ in their last object alone are a
 * group, so of arity 1 a world is one; a group's accuracy is the mean of the shares that are right among its
 * true and among its false tuples, 1 where it has none; the result is the mean over groups. */
nlm_status nlm_pass_macro(nlm_pass *pass, int head, int output, int target, double *accuracy,
                          nlm_error *error);

/* Policy gradient.  The probability of an action is the softmax of logit 0 of the head over all tuples of a
 * world.  For each world w, with the action taken as a tuple (arity objects each) and its advantage v:
 * loss = sum over worlds of -(v log p(action) + beta H(p)); adds its gradient. */
typedef struct nlm_policy_result {
    double loss;
    double entropy; /* mean over worlds */
} nlm_policy_result;
nlm_status nlm_pass_policy(nlm_pass *pass, int head, const int *actions, const double *advantages,
                           double beta, nlm_policy_result *result, nlm_error *error);
/* Those probabilities for one world, [objects]^arity, 0 at tuples that repeat an object. */
nlm_status nlm_pass_probabilities(const nlm_pass *pass, int world, int head, float *probabilities,
                                  nlm_error *error);

/* Add the gradients of the parameters to the machine's.  The gradients added to the pass are used up. */
nlm_status nlm_pass_backward(nlm_pass *pass, nlm_error *error);
/* Gradients of the inputs of one world, [objects]^arity x inputs; needs options.input_gradients. */
nlm_status nlm_pass_input_gradient(const nlm_pass *pass, int world, int arity, float *gradient,
                                   nlm_error *error);

#ifdef __cplusplus
}
#endif
#endif
