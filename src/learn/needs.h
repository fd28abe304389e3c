/* What worlds need of a machine; nlm/needs.h says the same of a problem. */
#ifndef LEARN_NEEDS_H
#define LEARN_NEEDS_H

#include "nlm/needs.h"

/* Worlds with predicates of the same arities and targets of the same arities.  NLM_BAD_ARGUMENT if there is
 * none, or they have no predicate or no target. */
nlm_status needs_of_worlds(const nlm_world *const *worlds, int count, int most_breadth, size_t most_bytes,
                           const nlm_options *options, nlm_needs *needs, nlm_error *error);
/* Of one large world, by neighbourhoods. */
nlm_status needs_of_large_world(const nlm_problem *problem, int most_breadth, size_t most_bytes,
                                const nlm_options *options, nlm_needs *needs, nlm_error *error);

#endif
