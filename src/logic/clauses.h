/* Programs as clauses: what people read, what is printed in each language, and how long it is.
 *
 *     head(V0, ..., Vn-1) :- literal, literal, ...
 *
 * A definition has a clause for each part of its `or`.  Quantified variables get numbers after the head's.  A
 * disjunction inside a clause, and a negated `exists` that is more than one atom, become predicates of their
 * own (helpers), equal ones only once.  A variable that only a negated atom has, as in not father(X, _), is
 * anonymous.  Literals stand in no particular order, and no literal says that a variable is an object: the
 * languages add what they need. */
#ifndef LOGIC_CLAUSES_H
#define LOGIC_CLAUSES_H

#include "logic/program.h"

enum {
    CLAUSE_EQUAL = -1,      /* the predicate of X = Y */
    CLAUSE_ANONYMOUS = 255, /* a variable that stands in one negated atom only */
    CLAUSE_VARIABLES = 64   /* most of a clause */
};

typedef struct clause_literal {
    int predicate; /* CLAUSE_EQUAL; of the program; or predicate_count + k for helper k */
    bool negated;
    uint8_t arity, variable[FORMULA_VARIABLES];
} clause_literal;

typedef struct clause {
    int head;              /* as in a literal; its arguments are the variables 0 ... arity - 1 */
    uint32_t first, count; /* literals */
    int variables;         /* numbers used, those of the head included */
} clause;

typedef struct clause_helper {
    formula body; /* variables 0 ... arity - 1 */
    int arity;
} clause_helper;

typedef struct clauses {
    nlm_program *program; /* an own copy */
    buffer list;          /* clause: helpers before those that use them, targets last */
    buffer literals;      /* clause_literal */
    buffer helpers;       /* clause_helper */
    uint32_t count, literal_count, helper_count;
} clauses;

nlm_status clauses_of(const nlm_program *program, clauses *made, nlm_error *error);
void clauses_free(clauses *of);

static inline const clause *clauses_at(const clauses *of, uint32_t number)
{
    return (const clause *)of->list.data + number;
}
static inline const clause_literal *clause_literals(const clauses *of, const clause *c)
{
    return (const clause_literal *)of->literals.data + c->first;
}
/* Arity of the predicate of a head or literal. */
int clauses_arity(const clauses *of, int predicate);

/* The size of a program that has this one definition and `arity` arguments.  The store gets more nodes. */
nlm_program_size clauses_measure(nlm_program *program, formula body, int arity);

#endif
