/* One clause of differentiable ILP over all atoms of its head, forward and backward.
 *
 * Clauses read values through a view: of a predicate of arity 2 it has the n x n values, then the same
 * transposed, then the n on the diagonal.  So an atom of a body can be read in steps of 1 or 0 along the last
 * variable of the head, whichever place the variable has in it. */
#ifndef BASELINE_DILP_VIEW_H
#define BASELINE_DILP_VIEW_H

#include "baseline/dilp_clause.h"

/* Numbers in the view of a predicate. */
size_t dilp_view_size(int arity, size_t objects);
void dilp_view_fill(float *view, const float *values, int arity, size_t objects);
/* Adds the gradients of a view to those of the values. */
void dilp_view_backward(float *dvalues, const float *dview, int arity, size_t objects);

/* The loops of a clause over outer x inner atoms of the head, and z x w substitutions. */
struct dilp_nest {
    size_t outer, inner, z, w;
    struct {
        size_t first, outer, inner, z, w; /* where an atom of the body is in the view, and its steps */
    } body[2];
};

/* `place` has the first number of each predicate's view. */
struct dilp_nest dilp_nest_of(const struct dilp_clause *clause, const struct dilp_predicate *predicates,
                              const size_t *place, size_t objects);

/* consequence[x] = max over substitutions of the product of the two atoms. */
void dilp_clause_forward(float *consequence, const float *view, const struct dilp_nest *nest);
/* Adds to dview; consequences are those of a forward.  `scratch` is for nest->inner numbers. */
void dilp_clause_backward(float *dview, const float *dconsequence, const float *consequence,
                          const float *view, const struct dilp_nest *nest, float *scratch);

#endif
