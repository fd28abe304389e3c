/* Running a machine on a batch: its structure, and passes forward and backward.
 *
 * A pass has the values and gradients of one machine on one structure.  It keeps its memory: used again with
 * sizes it has seen, it allocates nothing. */
#ifndef NLM_PASS_H
#define NLM_PASS_H

#include "nlm/batch.h"
#include "nlm/machine.h"
#include "nlm/options.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nlm_pass nlm_pass;

/* ---- batch and structure ---- */

/* An empty batch for what a machine reads.  With a sense, worlds have so many predicates of arity 1 less, and
 * every object has a percept. */
nlm_status nlm_batch_for(const nlm_machine *machine, nlm_batch **batch, nlm_error *error);
/* The structure of a batch for machines of this spec.  It copies what it needs from the batch. */
nlm_status nlm_structure_build(nlm_structure *structure, const nlm_machine *machine, const nlm_batch *batch,
                               const nlm_options *options, nlm_error *error);

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
/* Dense values of one unit in one world, [objects]^arity x nlm_unit_width, layer 0 being the inputs; 0 at
 * tuples that repeat an object.  NLM_BAD_ARGUMENT for a unit whose values are not kept: options.lifting
 * NLM_CLASSES keeps all. */
nlm_status nlm_pass_values(const nlm_pass *pass, int world, int layer, int arity, float *values,
                           nlm_error *error);
/* The smallest and the largest value of each of its predicates over all tuples of the batch. */
nlm_status nlm_pass_range(const nlm_pass *pass, int layer, int arity, float *least, float *most,
                          nlm_error *error);
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
