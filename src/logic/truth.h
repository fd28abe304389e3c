/* The truth of formulas in a group of worlds, for all values of their free variables at once.
 *
 * A table has a bit for each tuple of values (bit_tables.h).  Tables are kept by formula, so that formulas
 * with common parts cost only what they do not share; when they take more than a limit, all are forgotten and
 * made again where needed. */
#ifndef LOGIC_TRUTH_H
#define LOGIC_TRUTH_H

#include "logic/program.h"

typedef struct truth truth;

enum { TRUTH_MOST_PARTS = 10 }; /* of rows */

/* For formulas of the program's store.  `most_bytes` bounds the tables that are kept. */
nlm_status truth_new(const nlm_program *program, size_t most_bytes, truth **group, nlm_error *error);
void truth_free(truth *group);
/* Another world; inputs are found by name and arity, or are false everywhere.  Tables are forgotten. */
nlm_status truth_add_world(truth *group, const nlm_world *world, nlm_error *error);
/* The program's store, or its definitions, were changed: forget all tables. */
void truth_forget(truth *group);

/* Whether f is the same as `labels` wherever the arguments 0..arity-1 are different objects.  A label is for
 * each world and tuple, [objects]^arity by number, worlds one after the other; NLM_UNLABELLED always agrees.
 * f may have no other free variables.  *wrong becomes the number of the first world with a difference, or -1.
 */
nlm_status truth_compare(truth *group, formula f, int arity, const signed char *labels, int *wrong,
                         nlm_error *error);
/* In how many labels f differs from them. */
nlm_status truth_errors(truth *group, formula f, int arity, const signed char *labels, size_t *errors,
                        nlm_error *error);
/* f for every tuple of one world, 1 or 0, [objects]^arity by number. */
nlm_status truth_values(truth *group, formula f, int arity, int world, signed char *values, nlm_error *error);
/* How many tuples of the free variables, in all worlds, have each row of values: bit i of a row is part i.
 * Only tuples with `domain` count; counts[row] is added to, 2^count of them. */
nlm_status truth_rows(truth *group, formula domain, const formula *parts, int count, uint64_t *counts,
                      nlm_error *error);
/* Number of true tuples of free variables in all worlds. */
nlm_status truth_count(truth *group, formula f, size_t *count, nlm_error *error);

#endif
