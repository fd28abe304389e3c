/* Clauses of differentiable ILP as text, for Prolog and for programs of logic. */
#ifndef INFER_CLAUSES_WRITE_H
#define INFER_CLAUSES_WRITE_H

#include <stdbool.h>
#include <stdio.h>
#include "nlm/facts.h"
#include "nlm/machine.h"

#define CLAUSE_DECIDED                                                                                       \
    0.9 /* the probability of a clause that leaves no doubt about the others of its template */

struct clause_list {
    const nlm_program_template *program;
    const nlm_signature *signature; /* NULL: the model does not say what its inputs are called */
    FILE *stream;
    int clauses;
    bool *defined; /* of each definition: whether it has a clause */
};

/* The input that a given predicate is: given ones are the inputs, by arity.  NULL for a negation. */
const nlm_predicate *clauses_input(const struct clause_list *list, int given);
/* What is given beside the facts: negations, over the objects that object/1 names. */
void clauses_write_negations(FILE *stream, const nlm_program_template *program);

#endif
