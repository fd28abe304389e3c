/* Which comparisons of numbers a machine reads, chosen from labelled facts. */
#ifndef FACTS_THRESHOLDS_H
#define FACTS_THRESHOLDS_H

#include "facts/problem.h"

/* Add them to the signature and to the worlds of a problem; none if it has no attributes or no labels. */
nlm_status thresholds_choose(nlm_problem *problem, nlm_error *error);

#endif
