/* Worlds as clauses look at them: facts by the objects in them, what is true of one object and of two, and
 * the labels of one target.  Objects of all worlds are numbered one after the other, so that a fact never
 * joins two worlds.
 *
 *     property     of an object: p(X); some p(X, _); some p(X, Z) with q(Z)
 *     relation     of two: p(X, Y); p(Y, X); p(X, Z) and p(Y, Z) for some Z; p(Z, X) and p(Z, Y) for some Z
 *
 * Properties of an object are bits of a few words, relations of two objects bits of one word: a search asks
 * about all of them at once. */
#ifndef LEARN_CLAUSE_DATA_H
#define LEARN_CLAUSE_DATA_H

#include "logic/program.h"

enum {
    CLAUSE_WORDS = 4, /* most words of properties */
    CLAUSE_PROPERTIES = 64 * CLAUSE_WORDS,
    CLAUSE_RELATIONS = 63,
    CLAUSE_ARITY = NLM_MAX_FACT_ARITY
};

/* Facts of one input. */
typedef struct clause_facts {
    int arity, count, room;
    int *argument;            /* [count][arity] */
    int *start[CLAUSE_ARITY]; /* of each place, [objects + 1]: the facts with an object at that place are ...
                               */
    int *at[CLAUSE_ARITY];    /* ... at[place][start[object]] and those that follow */
} clause_facts;

typedef struct clause_property {
    int input;
    int place; /* of the object; the others are any */
    int inner; /* an input of one argument that holds for the object at the other place; -1: none */
} clause_property;

typedef enum clause_relation_kind {
    RELATION_FORWARD, /* p(X, Y) */
    RELATION_BACK,    /* p(Y, X) */
    RELATION_SECOND,  /* p(X, Z), p(Y, Z) */
    RELATION_FIRST    /* p(Z, X), p(Z, Y) */
} clause_relation_kind;

typedef struct clause_relation {
    int input;
    clause_relation_kind kind;
} clause_relation;

typedef struct clause_data {
    int inputs, objects;
    clause_facts *facts;
    int properties, words, relations;
    clause_property property[CLAUSE_PROPERTIES];
    clause_relation relation[CLAUSE_RELATIONS];
    uint64_t *mask; /* [objects][words]: properties of an object */
    size_t *pairs;  /* [objects + 1]: relations of an object to others are ... */
    buffer other,
        joined;        /* ... other[pairs[object]] ..., in ascending order (int), and their bits (uint64_t) */
    int arity, labels; /* of the target */
    buffer tuple;      /* int, [labels][arity] */
    buffer truth;      /* bool, [labels] */
    int positives;
    buffer until; /* int, [worlds]: labels of the worlds up to this one */
} clause_data;

/* The worlds' facts and the labels of a target; inputs are those of the program.  Worlds are not needed any
 * more.  NLM_BAD_ARGUMENT if there are too many. */
nlm_status clause_data_make(const nlm_program *program, const nlm_world *const *worlds, int count, int target,
                            clause_data *data, nlm_error *error);
void clause_data_free(clause_data *data);

/* Relations of two objects, as bits. */
uint64_t clause_relations(const clause_data *data, int object, int other);

#endif
