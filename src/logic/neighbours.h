/* Formulas that are one change away from a formula: what else the examples may allow.
 *
 *     exchanged   a part by a literal of its variables, or by two literals joined by one more object
 *     widened     a part by `or` such a form
 *     narrowed    a conjunction by `and` a literal, or `and` one of two literals
 *     dropped     a part of `and` or `or`
 *
 * A change is made in one place, or in all places of an equal part at once.  Forms are made of inputs:
 * p(X, Y), p(Y, X), and of one variable also "exists Z: p(X, Z)" and "exists Z: p(Z, X)".
 *
 * With each comes its scene: a formula that is true of objects where the change matters, what stands around
 * the place included, quantifiers left out.  Where no scene is found, the two formulas are the same. */
#ifndef LOGIC_NEIGHBOURS_H
#define LOGIC_NEIGHBOURS_H

#include "logic/formula_changes.h"
#include "logic/program.h"

typedef struct neighbour {
    formula f, scene;
} neighbour;

typedef struct neighbourhood {
    nlm_program *program; /* whose store has the formulas */
    int width;            /* most free variables of a part of a neighbour */
    size_t most;          /* neighbours of a formula */
    bool brief;           /* forms are single literals */
    buffer list;          /* neighbour */
    size_t count;
    formula_set seen; /* neighbours of earlier formulas do not come again */
} neighbourhood;

/* Fills the list; the order depends on the formula alone.  The store gets more nodes. */
nlm_status neighbours_find(neighbourhood *of, formula f, nlm_error *error);
void neighbours_free(neighbourhood *of);
static inline const neighbour *neighbour_at(const neighbourhood *of, size_t i)
{
    return (const neighbour *)of->list.data + i;
}

/* Most free variables of a part of f, itself included. */
int formula_width(const formula_store *store, formula f);

#endif
