/* One clause that holds for many true labels and few false ones.
 *
 *     target(X, Y) :- literal, literal, ...
 *
 * A clause is known by its bindings: all ways to give objects to its variables, for every label.  A beam of
 * clauses grows by a literal at a time, or by a literal that brings a new variable and one more about that:
 * the first alone often changes nothing.  What each of the next literals would do is counted for all
 * properties and relations at once (clause_data.h).
 *
 *     worth    labels won - loss * labels lost - price * literals, of labels that earlier clauses do not have
 *
 * The same data give the same clause. */
#ifndef LEARN_CLAUSE_SEARCH_H
#define LEARN_CLAUSE_SEARCH_H

#include "learn/clause_data.h"

enum {
    CLAUSE_LITERALS = 10,
    CLAUSE_VARIABLES_MOST = 7,
    LABEL_WORTH = 16,
    NO_SEED = -1,
    CLAUSE_BEAM_MOST = 108
};

typedef enum clause_literal_kind {
    CLAUSE_PROPERTY,  /* of variable[0] */
    CLAUSE_RELATION,  /* of variable[0] and variable[1] */
    CLAUSE_DIFFERENT, /* two variables stand for different objects */
    CLAUSE_FACT       /* of an input */
} clause_literal_kind;

typedef struct body_literal {
    clause_literal_kind kind;
    bool negated;
    int number; /* of a property, relation or input */
    int variable[CLAUSE_ARITY];
} body_literal;

/* The first variables are the target's arguments. */
typedef struct clause_body {
    body_literal literal[CLAUSE_LITERALS];
    int count, variables;
    int cost; /* literals as programs count them, without the head */
} clause_body;

/* Sets of labels, a bit each. */
typedef struct clause_search {
    const clause_data *data;
    size_t words;         /* of a set */
    const uint64_t *used; /* labels that count */
    const uint64_t *done; /* those that earlier clauses have, which count no more */
    int price;            /* of a literal, in sixteenths of a label */
    int loss;             /* so many true labels a false one outweighs */
    int width;            /* of the beam, up to CLAUSE_BEAM_MOST */
    int seed;             /* a label that the clause must hold for, or NO_SEED */
    long least;           /* clauses that are not worth more are of no use */
} clause_search;

static inline size_t label_words(const clause_data *data)
{
    return ((size_t)data->labels + 63) / 64 + 1;
}

/* The best clause and the labels that it holds for; *worth is 0 if none is worth anything. */
nlm_status find_clause(const clause_search *search, clause_body *body, uint64_t *cover, long *worth,
                       nlm_error *error);
/* The clause as a formula of the program's store, with the target's arguments as variables 0, 1, ... */
formula clause_formula(nlm_program *program, const clause_data *data, const clause_body *body);

#endif
