/* A smaller formula that agrees with the examples.
 *
 * Some changes keep a formula equal (common parts taken out).  Others change it, and are kept if the result
 * agrees with all examples: a part dropped, "for all" made "exists", a part replaced by a literal, two
 * literals, or two literals joined by one more object.  Each round lists the changes that make the program
 * smaller and takes the smallest that agrees; it ends when none does, or after a number of tests. */
#ifndef LOGIC_SIMPLIFY_H
#define LOGIC_SIMPLIFY_H

#include "logic/program.h"

typedef struct simplification {
    nlm_program *program; /* whose store has the formula */
    int arity;            /* of what it defines */
    /* Whether a formula agrees with the examples. */
    nlm_status (*agrees)(void *context, formula f, bool *yes, nlm_error *error);
    /* The store was made anew: numbers of formulas that the context keeps have no meaning any more. */
    void (*forget)(void *context);
    void *context;
    long most_tests;
    long tests; /* made so far */
} simplification;

nlm_status simplify(simplification *of, formula *f, nlm_error *error);
/* What is made smaller: literals, of which inequalities count half; of as many literals, negations. */
int simplify_cost(simplification *of, formula f);

#endif
