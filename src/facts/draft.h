/* A draft: what the files of a problem say, in order, before it is known what counts.
 *
 * Atoms, types and predicates are numbered by first occurrence.  A world is a log of statements, each one int
 * for predicate and kind and one for each atom, so that a million facts take a few bytes each. */
#ifndef FACTS_DRAFT_H
#define FACTS_DRAFT_H

#include "nlm/facts.h"
#include "syntax/prolog.h"
#include "syntax/reading_message.h"
#include "world/names.h"

_Static_assert((int)PROLOG_MOST_ARGUMENTS == NLM_MAX_FACT_ARITY, "facts as they are read");

typedef enum draft_kind { DRAFT_FACT, DRAFT_TRUE, DRAFT_FALSE, DRAFT_KINDS } draft_kind;

enum { DRAFT_UNDECIDED = -1 };

/* Where a fact was read. */
typedef struct draft_origin {
    size_t at; /* in the log of its world */
    const char *file;
    size_t line;
} draft_origin;

typedef struct draft_predicate {
    size_t count[DRAFT_KINDS];
    const char *first_file[DRAFT_KINDS]; /* that has one */
    bool example;                        /* exs.pl has one */
    bool head, body;                     /* what bias.pl declares */
    bool typed;
    int type[NLM_MAX_FACT_ARITY];
    int numbers; /* so many last arguments are declared to be numbers, 0 for none, or DRAFT_UNDECIDED */
    unsigned constants; /* places that hold constants, as bits */
    int base;           /* of a predicate with constants: the one that facts are written with; else -1 */
    size_t integers[NLM_MAX_FACT_ARITY], reals[NLM_MAX_FACT_ARITY]; /* facts with such a number in a place */
    draft_origin
        other; /* the first fact whose last argument is no number; its file is NULL if there is none */
} draft_predicate;

typedef struct draft_world {
    const char *name;
    bool examples; /* it has an exs.pl */
    buffer tables; /* int: numbers in the draft's tables */
    int table_count;
    buffer log; /* int */
    size_t length;
    buffer origins; /* draft_origin of the facts that end in a number, by place in the log */
    size_t origin_count;
} draft_world;

typedef struct draft {
    text_store texts;
    name_table atoms;
    name_table types;      /* number 0 is "", for no type */
    name_table predicates; /* with their arity */
    name_table tables;     /* names of predicates that have a table, if perhaps an empty one */
    int last;              /* predicate that was asked for, often the next one too */
    buffer predicate;      /* draft_predicate for each of `predicates` */
    buffer heads, bodies;  /* int: predicates in the order of bias.pl */
    int head_count, body_count;
    buffer worlds; /* draft_world */
    int world_count;
    bool examples;  /* some world has an exs.pl */
    buffer columns; /* nlm_table_column */
    int column_count;
    struct sheet *table; /* the only file, if it is a table with a column that names the rows; else NULL */
    int table_key;
    struct datalog *rules; /* of the last world, that wait to be evaluated; NULL: none */
    notes notes;
} draft;

nlm_status draft_start(draft *in, nlm_error *error);
void draft_free(draft *in);
/* A world, to which statements are added from now on. */
nlm_status draft_begin_world(draft *in, const char *name, nlm_error *error);
/* Room in the last world for the statements of a text, about one in each line. */
nlm_status draft_expect(draft *in, const char *text, nlm_error *error);
/* A statement of the last world; `file` is where it was read. */
nlm_status draft_add(draft *in, draft_kind kind, const prolog_fact *fact, const char *file, nlm_error *error);
/* The same of a predicate and atoms that are known. */
nlm_status draft_add_known(draft *in, draft_world *world, draft_kind kind, int predicate, const int *atoms,
                           const char *file, size_t line, nlm_error *error);
/* The number of an atom, which is added if it is not there; -1 without memory. */
int draft_atom(draft *in, const char *name, size_t length);
/* The number of a predicate, which is added if it is not there; -1 without memory. */
int draft_number(draft *in, const char *name, size_t length, int arity);
/* Append a number to `heads` or `bodies`. */
nlm_status draft_append(buffer *list, int *count, int number, nlm_error *error);

static inline draft_predicate *draft_at(const draft *in, int predicate)
{
    return (draft_predicate *)in->predicate.data + predicate;
}

static inline draft_world *draft_world_at(const draft *in, int world)
{
    return (draft_world *)in->worlds.data + world;
}

/* Where the statement at a place of the log was read; NULL if it does not end in a number. */
const draft_origin *draft_origin_of(const draft_world *world, size_t at);

/* The statement at the end of `to` was read where that at `at` was. */
nlm_status draft_copy_origin(const draft_world *from, size_t at, draft_world *to, nlm_error *error);

/* Append a copy of a statement of `arity` atoms, which is counted already. */
nlm_status draft_copy(draft_world *to, const draft_world *from, size_t at, int arity, nlm_error *error);

/* A walk through the statements of a world. */
typedef struct draft_statement {
    draft_kind kind;
    int predicate, arity;
    const int *atoms;
} draft_statement;

/* The statement at `*at`, which then moves to the next; false at the end. */
static inline bool draft_next(const draft *in, const draft_world *world, size_t *at,
                              draft_statement *statement)
{
    if (*at >= world->length)
        return false;
    const int *log = (const int *)world->log.data + *at;
    statement->kind = (draft_kind)(log[0] % DRAFT_KINDS);
    statement->predicate = log[0] / DRAFT_KINDS;
    statement->arity = names_at(&in->predicates, statement->predicate)->arity;
    statement->atoms = log + 1;
    *at += 1 + (size_t)statement->arity;
    return true;
}

#endif
