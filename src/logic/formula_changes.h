/* What searches that change parts of formulas share (simplify_changes.c, neighbours.c): the place of a part,
 * from which the whole is built again; the formulas that were there before; and parts that are the same but
 * for the names of variables, which are changed in all their places at once. */
#ifndef LOGIC_FORMULA_CHANGES_H
#define LOGIC_FORMULA_CHANGES_H

#include "logic/formula.h"

/* The way from a part to the whole formula; NULL: the part is the whole. */
typedef struct formula_place {
    const struct formula_place *outer;
    formula whole; /* the node that has the part */
    uint32_t at;   /* number of the part in and, or */
    int bound;     /* of exists: the variable that the new node binds */
} formula_place;

/* What the whole becomes with `part` at the place. */
formula formula_rebuild(formula_store *store, const formula_place *place, formula part);

/* Formulas of a store. */
typedef struct formula_set {
    buffer has; /* bool by formula */
    size_t count;
} formula_set;

/* Whether f was not in it.  Without memory false, and the store has failed. */
bool formula_set_add(formula_set *set, formula_store *store, formula f);
void formula_set_free(formula_set *set);

enum { MOST_PART_CLASSES = 64 };

/* Parts of a formula with the same canonical form. */
typedef struct part_class {
    formula body; /* the canonical form */
    int places, arity;
} part_class;

typedef struct part_classes {
    int least; /* literals of a part that counts */
    bool open; /* only parts with free variables */
    part_class at[MOST_PART_CLASSES];
    int count;
} part_classes;

/* Adds the classes of all parts of f, itself included, apart from negations, equalities and constants. */
void part_classes_find(part_classes *into, formula_store *store, formula f);

#endif
