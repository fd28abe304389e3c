/* A pass of differentiable ILP: the conclusions of a program's weights from one world in T steps, and
 * gradients.
 *
 * Each ground atom has a value in [0, 1].  With values a, one step is
 *
 *     F_c(x) = max over existential variables of a(body atom 1) * a(body atom 2)     for a clause c
 *     b(x)   = sum over pairs (j, k) of softmax(W)[j][k] * max(F_j(x), F_k(x))       for a defined predicate
 *     a'(x)  = a(x) + b(x) - a(x) b(x)
 *
 * Steps keep only values; backward computes the rest again.  Of equal maxima the first one gets the gradient.
 * Clauses of given predicates alone say the same at each step of a stage: they are computed once in it. Where
 * nothing is to be learned, clauses that are too improbable to matter are passed over: a trained program has
 * few others. */
#ifndef BASELINE_DILP_PASS_H
#define BASELINE_DILP_PASS_H

#include "base/memory.h"
#include "baseline/dilp.h"
#include "baseline/dilp_pairs.h"

#define DILP_TINY 1e-6f /* probabilities below this count as 0 */

/* The values of all ground atoms after each step, and the scratch of one step.  Predicates are laid out one
 * after the other (offset), an atom p(x, y) at x * objects + y. */
struct dilp_pass {
    const struct dilp *dilp;
    int objects;
    bool training;
    int steps;          /* of each stage */
    size_t atoms, seen; /* numbers of values, and of a view of them */
    size_t rows, consequences, sums;
    size_t offset[DILP_MOST_PREDICATES], place[DILP_MOST_PREDICATES]; /* a predicate's first value, in values
                                                                         and in a view */
    struct {
        size_t row, consequence, sum; /* of both templates, the first one's first */
    } start[DILP_MOST_PREDICATES];    /* of each definition, among those of all */
    buffer values;                    /* (all steps + 1) x atoms */
    buffer view, dview;   /* values of one step, laid out for clauses (dilp_view.h), and gradients */
    buffer consequence;   /* per clause and atom, rows of both templates of all definitions */
    buffer kinds;         /* size_t per template: of its rows, in each of which a clause's consequences are */
    buffer kind, example; /* int per row */
    buffer counts;        /* bool per row: its clause is probable enough to be looked at */
    buffer sum;           /* b per atom of defined predicates */
    buffer gradient;      /* per atom */
    buffer dconsequence, dsum;
    buffer dprobability; /* double per folded pair */
    buffer scratch;      /* per object: for backward through a clause */
    struct dilp_room room;
};

void dilp_pass_free(struct dilp_pass *pass);

/* Bytes that a pass where nothing is to be learned takes at least. */
double dilp_pass_memory(const void *dilp, int objects);
/* Room for a world of `objects` objects, and all values 0. */
nlm_status dilp_pass_start(struct dilp_pass *pass, const struct dilp *dilp, int objects, bool training,
                           nlm_error *error);
/* Values of a predicate, objects^arity of them, the last variable fastest: at the start, to be filled for
 * inputs, and after the last step. */
float *dilp_first_values(const struct dilp_pass *pass, int predicate);
const float *dilp_last_values(const struct dilp_pass *pass, int predicate);

/* Folded probabilities of all definitions, of the program's weights. */
void dilp_fold(const struct dilp *dilp, const float *probability, float *folded);

/* All steps.  Negations are filled in by the pass. */
void dilp_forward(struct dilp_pass *pass, const float *folded);
/* The gradients of the target's last values, to be filled before backward. */
float *dilp_target_gradients(const struct dilp_pass *pass);
/* After a forward with the same probabilities: their gradients, in pass->dprobability. */
void dilp_backward(struct dilp_pass *pass, const float *folded);

#endif
