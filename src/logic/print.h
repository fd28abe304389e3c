/* Printing programs: what the languages have in common.
 *
 * A clause is printed with its literals in this order: positive ones, each connected to those before where
 * that is possible, beginning from the head's variables; equalities; object(X) for variables that nothing
 * before has bound and that a negation, an inequality or the head needs; negations; inequalities.  So a
 * variable is bound before it is tested, which Prolog wants, and each is safe, which clingo and Souffle want.
 *
 * Predicates are printed from the targets downwards: each target, then what its clauses use, and so on. */
#ifndef LOGIC_PRINT_H
#define LOGIC_PRINT_H

#include <stdio.h>
#include "logic/clauses.h"
#include "syntax/constant.h"
#include "world/names.h"

enum {
    PRINT_OBJECT = -2, /* the predicate of object(X), which holds for every object */
    PRINT_NAME = 64    /* bytes of a variable's or helper's name */
};

typedef struct print_clause {
    const clause *of;
    clause_literal *literals; /* in the printing's work; variables are numbered as they appear */
    int count;
    int arity, variables;                  /* of the head; all, but anonymous ones */
    uint8_t occurrences[CLAUSE_VARIABLES]; /* of each variable */
} print_clause;

typedef struct printing {
    FILE *stream;
    nlm_language language;
    bool bare; /* clauses alone */
    clauses made;
    const nlm_program *program; /* that of the clauses */
    int predicates;             /* of the program, and helpers */
    text_store texts;
    name_table taken;            /* names */
    const char **name;           /* of predicates in literals and heads, as the language writes it */
    const char **fact_name;      /* of inputs in facts; differs from `name` where that is an alias */
    const char **attribute_name; /* of the facts of attributes */
    int *facts;                  /* of each input: the first input of the same facts */
    const char **base;           /* of each input: the name of its facts without quotes */
    const char *object;          /* name of object/1 */
    const char *const
        *facts_query;    /* SQL: of each input, what its facts are, or NULL: the table of its name */
    int *first, *next;   /* clauses of a predicate: first[predicate], next[clause]; -1: none */
    int *order, ordered; /* predicates with definitions, from the targets downwards */
    bool *listed;        /* is in the order, or an input that something in it uses */
    bool uses_object;
    buffer work; /* clause_literal */
} printing;

/* The arguments of a head: 0, 1, ... */
extern const uint8_t print_head[FORMULA_VARIABLES];

/* Clauses and names of a program, without a stream.  To be closed, also after a failure. */
nlm_status print_open(printing *to, const nlm_program *program, nlm_language language, nlm_error *error);
void print_close(printing *to);
/* Names of all predicates; NLM_NO_MEMORY. */
nlm_status print_find_names(printing *to, nlm_error *error);

/* The clause in its order; false without memory. */
bool print_prepare(printing *to, const clause *of, print_clause *prepared);
/* "X", "Y", "Z", "W", "V", "U", "X1", ... */
const char *print_variable(int number, char text[PRINT_NAME]);
/* The column of an argument in tables: "a", "b", ..., "z", "a1", ... */
const char *print_column(int argument, char text[PRINT_NAME]);
/* Whether the input's facts are read under another name: it repeats an object, likes(A,A), or is its rest. */
static inline bool print_is_alias(const printing *to, int input)
{
    return to->name[input] != to->fact_name[input];
}

/* Whether comparisons are predicates of their own, defined before the clauses. */
static inline bool print_defines_comparisons(const printing *to)
{
    return to->language == NLM_ASP || to->language == NLM_DATALOG || to->language == NLM_SQL;
}

/* Whether the input is the first of its facts. */
static inline bool print_has_facts(const printing *to, int input)
{
    return to->facts[input] == input && program_at(to->program, input)->comparison.terms == 0;
}

/* How many arguments the facts of a predicate have, and what stands at argument k: the number of an object,
 * or -1 for a constant, whose text is in *constant. */
int print_written(const printing *to, int predicate);
int print_place(const printing *to, int predicate, int k, prolog_name *constant);
/* The same of literals, in which an alias has its objects alone. */
int print_arguments(const printing *to, int predicate, int arity);
int print_argument(const printing *to, int predicate, int k, prolog_name *constant);
/* A constant as the language writes it; the number of bytes. */
size_t print_constant(const printing *to, prolog_name constant);

/* The languages. */
nlm_status print_rules(printing *to); /* Prolog, clingo, Souffle */
nlm_status print_sql(printing *to);
/* The query of target number `target`, without a semicolon. */
nlm_status print_sql_query(printing *to, int target);
/* One clause, in the language of the rules, and a line end. */
void print_one_clause(const printing *to, print_clause *in);
nlm_status print_english(printing *to);
nlm_status print_json(printing *to);
/* What the clauses of the target say, in a few words; nothing if they use other definitions. */
nlm_status print_case(printing *to);

#endif
