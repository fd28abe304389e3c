/* The search for derivations in a world: clauses whose literals hold, and clauses that come near. */
#ifndef LOGIC_WHY_SEARCH_H
#define LOGIC_WHY_SEARCH_H

#include "logic/print.h"

enum { WHY_NOBODY = -1 }; /* in place of an object: a variable without one */

typedef struct why_clause {
    int head, count, variables;
    const clause_literal *literals; /* in the order of printing */
} why_clause;

typedef struct why_facts {
    size_t *numbers; /* of the tuples, ascending */
    size_t count;
} why_facts;

typedef struct why_search {
    const printing *names;
    const nlm_world *world;
    int objects;
    why_clause *clauses;
    int clause_count;
    buffer literals;     /* clause_literal */
    why_facts *facts;    /* by input */
    signed char **known; /* by predicate: 1, 0 or -1 by number of the tuple; NULL: not kept */
    uint64_t steps;
    bool stopped; /* too many steps, or no memory: what was found is not all */
} why_search;

typedef struct why_solution {
    const why_clause *clause;
    int value[CLAUSE_VARIABLES]; /* objects by variable */
} why_solution;

typedef struct why_miss {
    const why_clause *clause;
    int failed, literals;
    int value[CLAUSE_VARIABLES];
} why_miss;

nlm_status why_search_open(why_search *search, printing *names, const nlm_world *world, nlm_error *error);
void why_search_close(why_search *search);
/* Steps are counted anew. */
void why_search_begin(why_search *search);

bool why_is_bound(const clause_literal *literal, const int *value);
/* A literal without an object for each variable holds if it is negated. */
bool why_literal_holds(why_search *search, const clause_literal *literal, const int *value);
/* A clause of a definition or helper that holds for the tuple. */
bool why_solve(why_search *search, int predicate, const int *tuple, why_solution *solution);
/* Its clauses with the fewest failing literals, nearest first. */
int why_nearest(why_search *search, int predicate, const int *tuple, why_miss *misses, int most);

#endif
