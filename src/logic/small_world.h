/* A world of a few objects, with the checker's own evaluation of machines and programs in it: what was found
 * by the search for differing worlds is looked at again, and made as small as possible. */
#ifndef LOGIC_SMALL_WORLD_H
#define LOGIC_SMALL_WORLD_H

#include "logic/ground.h"

enum { SMALL_WORLD_OBJECTS = 8 };

typedef struct small_world {
    const ground_question *question;
    int objects;
    size_t *first; /* of each predicate of the machine: where its table begins */
    size_t size;
    signed char *table; /* [objects]^arity by number for each predicate: 1, 0, or -1 while it is not known */
    uint64_t steps;     /* of the last evaluation; it ends with too many */
} small_world;

/* The world of an answer. */
bool small_world_take(small_world *world, const ground_question *question, const ground *answer);
void small_world_free(small_world *world);
/* Whether machine and program differ on the tuple (0, 1, ...), as the question says. */
bool small_world_differs(small_world *world);
/* Leaves out facts as long as the two differ. */
void small_world_shrink(small_world *world);
bool small_world_fact(const small_world *world, int predicate, const int *tuple);

#endif
