/* A round of simplify.c: all changes of a formula that make it smaller. */
#ifndef LOGIC_SIMPLIFY_CHANGES_H
#define LOGIC_SIMPLIFY_CHANGES_H

#include "logic/formula_changes.h"
#include "logic/simplify.h"

typedef struct candidate {
    formula f;
    int cost;
} candidate;

typedef struct simplify_round {
    simplification *of;
    formula_store *store;
    /* While parts that several places have in common are changed: the whole with an atom in each of these
     * places, and its predicate; -1: no such part. */
    formula whole;
    int shared;
    int level;   /* 0: parts are only dropped; 1 ... 3: and replaced, by more and more forms */
    int now;     /* cost to get below */
    buffer list; /* candidate */
    size_t count;
    formula_set seen;
} simplify_round;

/* Lists the changes of f, each once.  Without memory the store has failed. */
void simplify_list_changes(simplify_round *of, formula f);

#endif
