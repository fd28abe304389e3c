/* The true facts of a program's input in a world, each once, in the order of their tuples. */
#ifndef LOGIC_SORTED_FACTS_H
#define LOGIC_SORTED_FACTS_H

#include "logic/program.h"

/* Negative, 0 or positive, by the first objects that differ. */
int tuple_compare(const int *a, const int *b, int arity);

/* `count` tuples of the input's arity, to be freed with memory_free, also after a failure.  Inputs are found
 * by name and arity; one that the world does not have has no facts. */
nlm_status sorted_facts(const nlm_world *world, const program_predicate *input, int **tuples, size_t *count,
                        nlm_error *error);

#endif
