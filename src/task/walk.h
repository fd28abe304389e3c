/* Walks along the facts of binary predicates: what the oracles and the depths of worlds are made of.
 *
 * `which` says which of several relations may be followed: bit k stands for relations[k]. */
#ifndef TASK_WALK_H
#define TASK_WALK_H

#include "task/relation.h"

/* Everything reached by one step from the objects in `from`, each of them once: `seen` holds the stamp of the
 * last step that reached an object. */
int walk_step(const relation *relations, unsigned which, const int *from, int from_count, int *to, int *seen,
              int stamp);

/* All objects within `length` steps of x in the order of their distance, x first, and the distance of the
 * farthest.  `seen` holds 1 + the object from which an object was last reached. */
int walk_reach(const relation *relations, unsigned which, int x, int length, int *reached, int *seen,
               int *farthest);

/* Label the pairs (x, y) for which a walk of at most `length` facts of the predicate leads from x to y. */
nlm_status walk_label_connected(nlm_world *world, int predicate, int length, int target, nlm_error *error);

/* The longest of all shortest walks along the facts of these predicates. */
nlm_status walk_longest(nlm_world *world, const int *predicates, int count, int *length, nlm_error *error);

#endif
