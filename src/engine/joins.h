/* A program as queries of SQL over tables of numbered objects, for engines of this process.
 *
 * Definitions are expanded until clauses have inputs only: what a literal needs becomes part of the clause, a
 * negated definition NOT EXISTS.  A clause is one SELECT whose tables are joined in the order of its
 * literals, beginning with one that has the target's first variable.  So each row that is read follows from
 * known objects by a look-up, nothing but facts has to be stored, and the answers about some first objects
 * can be had alone:
 *
 *     SELECT t1.a, t2.b FROM f0 AS t1 CROSS JOIN f0 AS t2 WHERE t1.a BETWEEN ?1 AND ?2 AND t2.a =
 * t1.b
 *
 * Input i is table f<i> with columns a, b, ..., whose rows are different; `o` has the objects, 0, 1, ...  How
 * many rows a query reads is estimated from the numbers of facts; variables that no fact binds take all
 * objects. */
#ifndef ENGINE_JOINS_H
#define ENGINE_JOINS_H

#include "logic/print.h"

/* What is known of an input's table, and how queries use it. */
typedef struct join_table {
    double rows, distinct[FORMULA_MOST_ARITY]; /* objects that stand in each column */
    bool used;
    uint32_t lookups; /* bit s: rows are looked up by the columns of set s; s is a set of bits, too */
} join_table;

typedef struct joins {
    printing print;
    double objects;
    join_table *table;          /* of each input */
    bool uses_objects;          /* some query reads the table of objects */
    buffer flat;                /* clause: the expanded ones */
    struct flat_range *flat_of; /* by predicate */
    int flat_count;
    /* Of the query that is being written. */
    FILE *to;
    int tables;
    double cost;
} joins;

/* A query of a target.  It has parameters ?1 and ?2, the least and greatest first object.  If it is sliced,
 * its rows come in no order, and may be repeated; else in that of the objects, and these parameters must
 * admit all. */
typedef struct join_query {
    char *sql; /* to be freed with free() */
    bool sliced;
    double cost;      /* rows that it reads, an estimate */
    char clause[200]; /* the one that reads most of them, as Prolog */
} join_query;

/* The program must outlive it.  To be closed, also after a failure.  NLM_BAD_ARGUMENT if a definition needs
 * more clauses than are reasonable. */
nlm_status joins_open(joins *in, const nlm_program *program, nlm_error *error);
void joins_close(joins *in);
/* Count the facts of a world. */
nlm_status joins_measure(joins *in, const nlm_world *world, nlm_error *error);
/* The query of target number `target`. */
nlm_status joins_query(joins *in, int target, join_query *made, nlm_error *error);

#endif
