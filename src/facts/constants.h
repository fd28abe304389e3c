/* Constants: arguments of facts that hold one of few values, department(ann, it), rather than objects.
 *
 * Each value makes a predicate of its own about the other arguments, department(A,it) (syntax/constant.h).
 * Which arguments these are is declared (--constants, bias.pl), found by a reader of tables, or known to a
 * model's signature, which has the values too. */
#ifndef FACTS_CONSTANTS_H
#define FACTS_CONSTANTS_H

#include "facts/draft.h"

/* Divide the facts of such predicates, in all worlds of a draft; before its meaning is found. */
nlm_status constants_divide(draft *in, const nlm_reading *reading, const char *path, nlm_error *error);

#endif
