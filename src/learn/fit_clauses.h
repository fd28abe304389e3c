/* Programs that contradict some labels: clauses chosen by literals and errors.
 *
 * One clause after the other (clause_search.h) as long as the next wins more labels than it costs.  The price
 * of a literal, in labels, is 1, 2 or 4: the higher, the shorter the program.  Which is right the labels say:
 * they are dealt out to parts, and each part is asked of clauses that were found without it.  The price with
 * the fewest wrong answers is taken, of equal ones the highest. */
#ifndef LEARN_FIT_CLAUSES_H
#define LEARN_FIT_CLAUSES_H

#include "base/team.h"
#include "learn/clause_search.h"
#include "nlm/evidence.h"

enum { FIT_CLAUSES = 10, FIT_PARTS = 5, FIT_PRICES = 4 };

/* What was found for a target. */
typedef struct fitted_clauses {
    clause_body clause[FIT_CLAUSES];
    int count;
    int literals, errors; /* heads included; labels that it contradicts */
    int price;
    nlm_answers validated; /* of cross-validation with this price */
} fitted_clauses;

/* The same for any number of threads.  No clause at all, and then all is false, is a result too. */
nlm_status fit_clauses(const clause_data *data, struct team *team, fitted_clauses fitted[FIT_PRICES],
                       nlm_error *error);

#endif
