/* Blocks worlds in PDDL: what "stands on" is called in a domain, and what each block stands on.
 *
 * Blocks are numbered from 1 as the game numbers them, in the order of the problem's objects; 0 is the table,
 * be it an object, (on a table), or a predicate of its own, (ontable a). */
#ifndef PDDL_TOWERS_H
#define PDDL_TOWERS_H

#include "pddl/strips.h"

enum { TOWERS_FREE = -1, TOWERS_MOST_BLOCKS = 1000 };

/* How a domain says it; numbers of predicates and of an object, -1 if it has none. */
struct tower_words {
    int on, on_table, clear, table;
};

struct towers {
    struct tower_words words;
    int blocks;
    buffer store;
    int *block;  /* of each object: its number, 0 for the table */
    int *object; /* of each block, from 1 on */
    int *start;  /* what each block stands on in the beginning, from 1 on */
    int *target; /* ... and in the end */
    int free;    /* blocks of which the goal does not say it */
};

/* Refused if the problem is none of blocks; what fails is released. */
nlm_status towers_read(const struct nlm_pddl *of, struct towers *towers, nlm_error *error);
void towers_release(struct towers *towers);

#endif
