/* Which comparisons of numbers a machine reads, chosen from labelled facts. */
#ifndef FACTS_THRESHOLDS_H
#define FACTS_THRESHOLDS_H

#include "facts/problem.h"

/* Add them to the signature and to the worlds of a problem; none if it has no attributes or no labels. */
nlm_status thresholds_choose(nlm_problem *problem, nlm_error *error);
/* The problem with comparisons that are chosen anew, from the labels of `labels`: for each of its worlds one
 * with the same objects and targets, or NULL.  So a part of a cross-validation does not know what it is asked
 * about.  To be freed by nlm_problem_free. */
nlm_status thresholds_choose_again(const nlm_problem *problem, const nlm_world *const *labels,
                                   nlm_problem **made, nlm_error *error);

#endif
