/* Formulas of first-order logic, with equality, over a finite set of objects.
 *
 *     atom     p(X, Y)         predicates are numbers; what they mean is up to the owner (logic/program.h)
 *     equal    X = Y
 *     not, and, or             `and` of nothing is true, `or` of nothing is false
 *     exists   exists Z: f     Z is any object, also one that another variable stands for
 *
 * "For all" is not exists not.  Formulas live in a store and are never changed; equal formulas are one
 * number, whatever their bound variables were called and in whatever order parts of `and` and `or` came.  So
 * a comparison of formulas is a comparison of numbers, and results can be kept by number.
 *
 * Building simplifies on the way, always to an equal formula: constants, double negation, nested and repeated
 * parts, a part and its negation, absorption (a or a and b), X = X, a bound variable that equals another one,
 * `exists` over `or`, and parts that do not have the bound variable (which leave the quantifier).  As worlds
 * have at least one object, exists Z: f without Z in f is f.  Inputs (see `inputs` below) hold for different
 * objects only: p(X, X) is false, and X \= Y beside p(X, Y) says nothing new.
 *
 * A store that has no memory left, or too many nodes, becomes `failed` and stays so; builders then give
 * FORMULA_FALSE.  Ask once, at the end. */
#ifndef LOGIC_FORMULA_H
#define LOGIC_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/memory.h"
#include "logic/slots.h"

enum {
    FORMULA_VARIABLES = 32, /* most variables of a formula, numbered from 0 */
    FORMULA_MOST_ARITY = 5,
    FORMULA_NODES = 1 << 22 /* most of a store */
};

typedef uint32_t formula;
#define FORMULA_FALSE ((formula)0)
#define FORMULA_TRUE ((formula)1)

typedef enum formula_kind {
    FORMULA_CONSTANT,
    FORMULA_ATOM,
    FORMULA_EQUAL,
    FORMULA_NOT,
    FORMULA_AND,
    FORMULA_OR,
    FORMULA_EXISTS
} formula_kind;

typedef struct formula_node {
    uint8_t kind;
    uint8_t arity;                        /* of an atom; 2 for equal */
    uint8_t bound;                        /* the variable of exists */
    uint8_t variable[FORMULA_MOST_ARITY]; /* of an atom, or of equal, smaller first */
    int predicate;                        /* of an atom */
    uint32_t first, count;                /* parts of and, or: store->parts[first ...], in ascending order */
    formula part;                         /* of not, exists */
    uint32_t free;                        /* bit v: variable v is free in it */
    uint32_t hash;
} formula_node;

typedef struct formula_store {
    buffer nodes; /* formula_node */
    buffer parts; /* formula */
    slot_table slots;
    uint32_t node_count, part_count;
    int inputs; /* predicates below this number are false where an argument is repeated */
    bool failed;
} formula_store;

void formula_store_start(formula_store *store);
void formula_store_free(formula_store *store);

static inline const formula_node *formula_at(const formula_store *store, formula f)
{
    return (const formula_node *)store->nodes.data + f;
}
static inline const formula *formula_parts(const formula_store *store, formula f)
{
    return (const formula *)store->parts.data + formula_at(store, f)->first;
}
static inline uint32_t formula_free(const formula_store *store, formula f)
{
    return formula_at(store, f)->free;
}

/* The variables of a set, in ascending order; returns their number. */
static inline int formula_variables(uint32_t set, int *variable)
{
    int count = 0;
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        if (set >> v & 1)
            variable[count++] = v;
    return count;
}

formula formula_atom(formula_store *store, int predicate, int arity, const int *variables);
formula formula_equal(formula_store *store, int a, int b);
formula formula_not(formula_store *store, formula f);
/* The parts may be the store's own. */
formula formula_and(formula_store *store, const formula *parts, size_t count);
formula formula_or(formula_store *store, const formula *parts, size_t count);
formula formula_exists(formula_store *store, int variable, formula f);
formula formula_forall(formula_store *store, int variable, formula f);
formula formula_and2(formula_store *store, formula a, formula b);
formula formula_or2(formula_store *store, formula a, formula b);

/* Free variables renamed: v becomes to[v], for each free variable v of f. */
formula formula_rename(formula_store *store, formula f, const int *to);
/* A formula of another store, with every predicate p renamed to predicates[p] (NULL: kept). */
formula formula_copy(formula_store *store, const formula_store *from, formula f, const int *predicates);
/* Every atom of `predicate` replaced by `body`, whose variable i is the atom's argument i. */
formula formula_expand(formula_store *store, formula f, int predicate, formula body);
/* f with its free variables renamed to 0, 1, ...: of all orders (of more than four variables, of the first
 * only) the one with the fewest atoms like p(Y, X) and, of these, the lowest number.  So formulas that differ
 * in the names of variables give the same. `variable` has FORMULA_VARIABLES places; variable[i] becomes what
 * i was called. */
formula formula_canonical(formula_store *store, formula f, int *variable, int *count);
/* The inverse of formula_expand: every part whose canonical form is `body` replaced by an atom of
 * `predicate`, which has as many arguments as `body` has variables. */
formula formula_abstract(formula_store *store, formula f, formula body, int predicate);
/* Whether an atom of the predicate is in it. */
bool formula_has(const formula_store *store, formula f, int predicate);
/* Atoms and, apart, equalities in it, counted as often as they stand there. */
void formula_count(const formula_store *store, formula f, int *atoms, int *equalities);

#endif
