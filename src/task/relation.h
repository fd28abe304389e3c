/* The true facts of a binary predicate as lists of neighbours: what an oracle reads of a world. */
#ifndef TASK_RELATION_H
#define TASK_RELATION_H

#include "nlm/world.h"

/* p(x, y) is true for the objects y in items[starts[x]] .. items[starts[x + 1] - 1], each of them once. */
typedef struct relation {
    const int *starts;
    const int *items;
} relation;

/* Read `count` binary predicates.  A fact is true when its value is above one half; of a fact added again the
 * last value counts.  `*spare` gets `spare_count` zeroed ints.  All of it is the world's scratch memory. */
nlm_status relations_read(nlm_world *world, const int *predicates, int count, relation *relations,
                          size_t spare_count, int **spare, nlm_error *error);

/* The same facts read backwards: `back` has y's neighbours x for p(x, y).  `memory` has room for one int per
 * object and one more, and for one per fact. */
void relation_reverse(const relation *facts, int objects, int *memory, relation *back);

/* members[x] = whether the unary predicate is true of x, for all objects x; `members` starts as zeros. */
void relation_read_set(const nlm_world *world, int predicate, int *members);

/* Label one more tuple of a target as true. */
nlm_status relation_label(nlm_world *world, int target, int x, nlm_error *error);
nlm_status relation_label_pair(nlm_world *world, int target, int x, int y, nlm_error *error);

#endif
