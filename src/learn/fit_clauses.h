/* Programs of clauses: without errors, or chosen by literals and errors.
 *
 * One clause after the other (clause_search.h) as long as the next wins more labels than it costs.  The
 * search is made with several prices of a literal, in labels 1/2, 1, 2 and 4: the higher, the shorter the
 * program.  For each, the labels are also dealt out to parts, and each part is asked of clauses that were
 * found without it.
 *
 * Without errors a clause that holds for a false label is worth nothing, and the price falls until all true
 * labels have a clause. */
#ifndef LEARN_FIT_CLAUSES_H
#define LEARN_FIT_CLAUSES_H

#include "base/team.h"
#include "learn/clause_search.h"
#include "nlm/evidence.h"

enum { FIT_CLAUSES = 16, FIT_PARTS = 5, FIT_PRICES = 4, FIT_SEEDS = 3 };

/* What was found for a target. */
typedef struct fitted_clauses {
    clause_body clause[FIT_CLAUSES];
    int count;
    int literals, errors;  /* heads included; labels that it contradicts */
    int price, loss;       /* clause_search.h */
    nlm_answers validated; /* of cross-validation with this price */
} fitted_clauses;

/* For each price; the same for any number of threads.  No clause at all, and then all is false, is a result
 * too. */
nlm_status fit_clauses(const clause_data *data, struct team *team, fitted_clauses fitted[FIT_PRICES],
                       nlm_error *error);

/* Which of them: the fewest literals and errors together; of equal ones the fewest wrong answers of
 * cross-validation, then the fewest errors. */
int fit_choose(const fitted_clauses fitted[FIT_PRICES]);

/* Clauses without an error about the first labels, so many as are learned from, that have none about the
 * others either; *found: whether there are any.  With `validate` they are then looked for among all labels,
 * and cross-validation asks about each. */
nlm_status fit_exactly(const clause_data *data, int learned, bool validate, struct team *team,
                       fitted_clauses *fitted, bool *found, nlm_error *error);

#endif
