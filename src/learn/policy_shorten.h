/* A list of rules made as short as can be: a rule that no instance needs is dropped, the formulas of the
 * others are made smaller.  Each change is kept if all instances of a set are still solved in their numbers
 * of moves; then fresh ones are asked, those that fail join the set, and all begins again with the first
 * list. */
#ifndef LEARN_POLICY_SHORTEN_H
#define LEARN_POLICY_SHORTEN_H

#include "learn/policy_fresh.h"
#include "learn/policy_program.h"

/* The program is the list's, and may be made anew; *found is false if the list never solves all instances. */
nlm_status policy_shorten(struct policy_fresh *fresh, struct policy_set *set, nlm_program **program,
                          struct policy_program *list, bool *found, nlm_error *error);

#endif
