/* Plan: which units of a spec exist, which are live, and what each reads.
 *
 * Block (i, r) is the predicates that unit (i, r) computes; block (0, r) the input predicates.  The group
 * (i, r) is the predicates that layer i offers at arity r: block (i, r) alone or, with residual, all blocks
 * (0..i, r) in order.  Unit (i, r) reads the groups (i-1, r-1) expanded, (i-1, r), and (i-1, r+1) reduced.
 *
 * A group is live if it is a wanted output or a live unit (or, with residual, a later live group) reads it.
 *
 * Another model has no units: live are its inputs, at layer 0, and its outputs, at the last. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "base/orders.h"
#include "baseline/baseline.h"
#include "nlm/spec.h"
#include "perception/sense.h"

/* Invariants after plan_make:
 *     group[i][r] = block[i][r], with residual + group[i-1][r]
 *     live[i][r]  implies group[i][r] > 0        (for a baseline: a wanted output, whatever its groups)
 *     block[i][r] = 0 for i > 0                  if unit (i, r) has nothing to read, or its width is 0 */
struct plan {
    nlm_spec spec;
    struct orders orders[NLM_MAX_BREADTH + 1];
    int block[NLM_MAX_DEPTH + 1][NLM_MAX_BREADTH + 1]; /* predicates of a block */
    int group[NLM_MAX_DEPTH + 1][NLM_MAX_BREADTH + 1]; /* predicates of a group */
    bool live[NLM_MAX_DEPTH + 1][NLM_MAX_BREADTH + 1]; /* of a group */
    const struct sense *sense;                         /* of the spec, or NULL */
    int perceived;                   /* inputs of arity 1 that it makes, the first; 0 without */
    const struct baseline *baseline; /* the model of the spec, or NULL for the machine's own */
};

/* NLM_BAD_ARGUMENT for a spec that describes no machine. */
nlm_status plan_make(const nlm_spec *spec, struct plan *plan, nlm_error *error);

/* Unit (layer, arity) is computed, layer 1..depth. */
bool plan_unit_live(const struct plan *plan, int layer, int arity);
/* Predicates of the three groups that unit (layer, arity) reads; 0 where there is none. */
int plan_expand_width(const struct plan *plan, int layer, int arity);
int plan_own_width(const struct plan *plan, int layer, int arity);
int plan_reduce_width(const struct plan *plan, int layer, int arity);
/* The unit is read by the reduction into (layer + 1, arity - 1) and by nothing else. */
bool plan_only_reduced(const struct plan *plan, int layer, int arity);
/* Some live unit of arity `arity` reads block (layer, arity + 1) reduced. */
bool plan_range_live(const struct plan *plan, int layer, int arity);
/* A hash of everything that a structure depends on. */
uint64_t plan_signature(const struct plan *plan);
/* The first layer whose block belongs to group (layer, .). */
int plan_first_block(const struct plan *plan, int layer);
/* Where block (first, arity) begins among the predicates of group (layer, arity). */
int plan_block_offset(const struct plan *plan, int layer, int arity, int first);

#endif
