/* Clauses of differentiable ILP (Evans and Grefenstette 2018): the definitions that a template allows.
 *
 * A clause has the head p(X1, ..., Xr) and a body of exactly two atoms over the r variables of the head and v
 * further, existential ones.  Variables are numbered, those of the head first; there are no constants. */
#ifndef BASELINE_DILP_CLAUSE_H
#define BASELINE_DILP_CLAUSE_H

#include <stdbool.h>
#include <stddef.h>
#include "nlm/spec.h"

/* With two variables of the head and two more, bodies are over at most four variables. */
enum {
    DILP_MOST_ARITY = 2,
    DILP_MOST_EXISTENTIAL = 2,
    DILP_MOST_VARIABLES = DILP_MOST_ARITY + DILP_MOST_EXISTENTIAL,
    DILP_MOST_PAIRS = 4000000 /* of clauses: weights of a program */
};

/* A predicate of a program: an input, a negation, or one that is defined by clauses. */
struct dilp_predicate {
    char *name;
    int arity;
    bool defined; /* the target or a helper: it has clauses, not facts */
    int stage;    /* when it is known: a body has predicates of the head's stage and of earlier ones */
    int input;    /* of a given one: its number among the inputs of its arity; otherwise -1 */
    int negates;  /* of a negation: the predicate that it is true without; otherwise -1 */
};

/* p(Xi, Xj), by numbers. */
struct dilp_atom {
    int predicate;
    int variables[DILP_MOST_ARITY]; /* as many as the predicate's arity; the others are 0 */
};

/* head(X1, ..., Xr) :- body[0], body[1]. */
struct dilp_clause {
    int head; /* predicate */
    int existential;
    struct dilp_atom body[2];
};

/* Given predicates are false of tuples that repeat an object, so a clause with p(Z,Z), p given, never holds.
 * The paper counts such clauses too: they come last. */
struct dilp_clauses {
    struct dilp_clause *items;
    size_t count;
    size_t live; /* clauses that may hold */
};

/* All clauses of a template for predicate `head` of `count` predicates.  Left out are bodies that miss a
 * variable of the head or have the head as an atom, one of two bodies that differ in the order of their
 * atoms, and bodies of another kind than the template's.  There may be none; more than DILP_MOST_PAIRS are
 * refused. */
nlm_status dilp_clauses_make(struct dilp_clauses *clauses, const struct dilp_predicate *predicates, int count,
                             int head, nlm_template form, nlm_error *error);
void dilp_clauses_free(struct dilp_clauses *clauses);

/* The clause as Prolog, `t(X,Y) :- succ(Y,X), zero(Y).`; an atom that the body has twice is written once.  As
 * snprintf: at most `size` bytes are written, with the final 0, and the length of the whole text is returned.
 */
size_t dilp_clause_text(const struct dilp_clause *clause, const struct dilp_predicate *predicates, char *text,
                        size_t size);

#endif
