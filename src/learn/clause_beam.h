/* The beam of a search for one clause, shared by its two halves: clause_extend.c counts what each further
 * literal would do, clause_search.c makes clauses of the best of them.
 *
 * Invariant: the rows of a clause are all its bindings, ordered by label, for all labels that count. */
#ifndef LEARN_CLAUSE_BEAM_H
#define LEARN_CLAUSE_BEAM_H

#include "learn/clause_search.h"

enum { MOST_LEVELS = 6, NO_LITERAL = -1 };

static const body_literal no_literal = {.number = NO_LITERAL};

/* A clause of the beam. */
typedef struct bound_clause {
    clause_body body;
    buffer rows; /* int, [count][1 + variables]: label, then an object for each variable; by label */
    size_t count;
    long won, lost; /* labels that are used and not done */
} bound_clause;

/* A clause of the beam with one or two more literals. */
typedef struct extension {
    int parent, variables, cost;
    body_literal first, second; /* second.number may be NO_LITERAL */
    long won, lost;
    /* how far it divides labels of both kinds; how much it tells about those it holds for; their share of
     * true ones */
    double even, sure, pure;
} extension;

typedef struct level {
    const clause_search *of;
    bound_clause beam[CLAUSE_BEAM_MOST], next[CLAUSE_BEAM_MOST];
    int count, next_count;
    buffer list; /* extension */
    size_t extensions;
    /* what bindings of each label have and lack, [labels][CLAUSE_WORDS], and whether there are any */
    uint64_t *has, *lacks, *any;
    long positives, negatives; /* labels that are used and not done */
    uint64_t seen[CLAUSE_BEAM_MOST * (MOST_LEVELS + 1)];
    int seen_count;
    extension best;
    clause_body best_body;
    long worth;
} level;

static inline bool label_in(const uint64_t *set, int label)
{
    return set[label / 64] >> (label % 64) & 1;
}

static inline void label_put(uint64_t *set, int label)
{
    set[label / 64] |= (uint64_t)1 << (label % 64);
}

static inline bool label_counts(const clause_search *of, int label)
{
    return label_in(of->used, label) && !label_in(of->done, label);
}

static inline bool label_is_true(const clause_data *data, int label)
{
    return ((const bool *)data->truth.data)[label];
}

/* Extensions of a clause of the beam that could become worth more than the best, into the list. */
nlm_status clause_extend(level *in, int parent, nlm_error *error);

/* Called for each binding and each fact that fits it; `row` has room for the new variables. */
typedef nlm_status (*fact_listener)(void *context, const int *row, nlm_error *error);
nlm_status clause_for_facts(const clause_data *data, const bound_clause *clause, const body_literal *literal,
                            int variables, fact_listener listener, void *context, nlm_error *error);

#endif
