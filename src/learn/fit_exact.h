/* Programs that contradict no label: clauses that hold for no false one, until every true one has one.
 *
 * One clause after the other (clause_search.h), the one that wins most true labels that no earlier one has;
 * then each is exchanged for a better one beside the others, and dropped where they suffice.  The labels are
 * also dealt out to parts, and each part is asked of clauses that were found without it. */
#ifndef LEARN_FIT_EXACT_H
#define LEARN_FIT_EXACT_H

#include "learn/fit_clauses.h"

/* The same for any number of threads.  `errors` is above 0 where there is no such program within the bounds
 * of the search; then nothing is validated. */
nlm_status fit_exact(const clause_data *data, struct team *team, fitted_clauses *fitted, nlm_error *error);

#endif
