/* The case of an alternative: what no example had and where two formulas differ. */
#ifndef LOGIC_CASE_OF_H
#define LOGIC_CASE_OF_H

#include "logic/truth.h"

typedef struct case_question {
    nlm_program *program; /* whose store has the formulas */
    formula one, other;   /* which agree in all examples */
    formula scene;        /* of the change from one to the other (logic/neighbours.h) */
    truth *const *examples;
    int groups;    /* of examples */
    truth *varied; /* worlds in which the two differ */
} case_question;

/* A formula without free variables that is true in no example, and in some varied worlds: that there are
 * objects of the scene, or else of the difference of the two, without the parts that it does not need.
 * FORMULA_FALSE if there is none that tables can tell. */
nlm_status case_of(const case_question *question, formula *result, nlm_error *error);

#endif
