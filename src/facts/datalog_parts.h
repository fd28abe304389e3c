/* What the evaluation of rules is made of (datalog.c, datalog_goals.c).
 *
 * A relation is the set of tuples of a predicate, numbered as they came, and for each of its places a chain
 * of the tuples with an atom there, the last first.  So a goal with a bound variable looks at the tuples that
 * have its atom, and tuples that are added meanwhile are before the beginning of a chain that is being
 * followed. */
#ifndef FACTS_DATALOG_PARTS_H
#define FACTS_DATALOG_PARTS_H

#include "facts/datalog.h"
#include "facts/tuple_set.h"

enum { UNBOUND = -1, ANY_GOAL = -1 };

typedef struct relation {
    bool used, closed; /* a rule speaks of it; some rule or fact is about it */
    int arity;
    tuple_set tuples;
    size_t facts;                     /* that were read */
    size_t from, to;                  /* what the last round has added */
    const datalog_rule *rule;         /* the first that concludes it */
    buffer first[NLM_MAX_FACT_ARITY]; /* int per atom: 1 + number of the last tuple with it */
    buffer next[NLM_MAX_FACT_ARITY];  /* int per tuple: 1 + number of the one before */
} relation;

typedef struct evaluation {
    draft *draft;
    const struct datalog *rules;
    relation *relation;
    int relations, strata;
    size_t steps, facts;
    buffer domain; /* int: atoms of facts and examples */
    size_t domain_count;
    /* the rule at hand */
    const datalog_rule *rule;
    int delta; /* the goal that looks at new tuples alone, or ANY_GOAL */
    int value[DATALOG_VARIABLES];
    uint64_t done; /* goals */
    nlm_error *error;
} evaluation;

static inline relation *relation_at(const evaluation *of, int predicate)
{
    return of->relation + predicate;
}

/* A tuple that may be there already. */
nlm_status datalog_add_tuple(evaluation *of, relation *to, const int *tuple);
/* All that follows from a rule; with a number for `delta` that goal looks at the tuples of the last round
 * alone. */
nlm_status datalog_apply(evaluation *of, const datalog_rule *rule, int delta);

#endif
