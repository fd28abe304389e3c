/* Rules as a file has them: clauses of goals, before predicates are sorted and formulas are made.
 *
 * Goals of a clause are a tree; they stand one after the other in `goals`, a goal after its parts' beginning.
 * Variables are numbered in each clause, the head's places first: p(X, Y, X) has the variables 0, 1 and 2,
 * and a goal X = X' before its body.  forall(A, B) is not (A, not B). */
#ifndef LOGIC_RULES_H
#define LOGIC_RULES_H

#include "logic/program.h"
#include "syntax/prolog.h"
#include "world/names.h"

enum {
    RULES_MOST_BYTES = 1 << 24,
    RULES_MOST_CLAUSES = 20000,
    RULES_MOST_GOALS = 1 << 20,
    RULES_MOST_LITERALS = 1000, /* goals of a clause, `and`, `or` and `not` included */
    RULES_MOST_NESTING = 64     /* of parentheses and negations */
};

/* What the message says of rules that use themselves; then the cycle, and after a ; what to do. */
#define RULES_CYCLE "a cycle: "

typedef enum rule_kind {
    RULE_TRUE,
    RULE_FALSE,
    RULE_ATOM,
    RULE_OBJECT,    /* object(X), which holds for every object */
    RULE_EQUAL,     /* X = Y */
    RULE_DIFFERENT, /* X \= Y */
    RULE_NUMBER,    /* V >= 3.76, V - W < 2: its variables are numbers */
    RULE_NOT,
    RULE_AND,
    RULE_OR
} rule_kind;

typedef struct rule_goal {
    uint8_t kind, arity, variable[FORMULA_MOST_ARITY];
    bool waits;    /* equal, different: can be decided before its variables are bound: = and dif */
    bool minus;    /* of a number: the second variable is subtracted */
    uint8_t order; /* nlm_order */
    double number;
    int predicate;   /* of an atom */
    int first, next; /* its first part; the next part of the goal that it is part of; -1: none */
    size_t line;
} rule_goal;

typedef struct rule_clause {
    int goal;           /* the body */
    int begin, end;     /* its goals */
    int next;           /* clause of the same head; -1: none */
    int head_variables; /* arity of the head */
} rule_clause;

typedef struct rule_predicate {
    size_t line;     /* of its first clause, or else where it stands first */
    int first, last; /* clauses; -1: none */
    int objects;     /* its arguments from this one on are numbers; -1: none is, as far as it is known */
} rule_predicate;

typedef struct rules {
    const char *file; /* in messages */
    const nlm_signature *signature;
    text_store texts;
    name_table names;  /* of predicates, by name and arity */
    buffer predicates; /* rule_predicate, by number of the name */
    buffer goals;      /* rule_goal */
    buffer clauses;    /* rule_clause */
    int goal_count, clause_count;
} rules;

static inline rule_goal *rules_goal(const rules *of, int goal)
{
    return (rule_goal *)of->goals.data + goal;
}
static inline rule_clause *rules_clause(const rules *of, int clause)
{
    return (rule_clause *)of->clauses.data + clause;
}
static inline rule_predicate *rules_predicate(const rules *of, int predicate)
{
    return (rule_predicate *)of->predicates.data + predicate;
}
/* Whether object/1 is no input, but holds for every object. */
bool rules_object_is_any(const rules *of);
/* The variables that stand in the goal outside of negations. */
uint32_t rules_direct(const rules *of, int goal);
/* Refuses a body whose variables Prolog would read otherwise; `arity` variables are the head's. */
nlm_status rules_check(const rules *of, int goal, int arity, const prolog_name *names, nlm_error *error);
/* "NAME/ARITY" for messages. */
typedef struct rule_text {
    char text[80];
} rule_text;
rule_text rules_text(const rules *of, int predicate);

/* ---- numbers (rules_numbers.c) ---- */

/* Which variables of the goals from `begin` on are numbers: one fact gives each, before it is compared. */
nlm_status rules_check_numbers(rules *of, int begin, int arity, const prolog_name *names, nlm_error *error);
/* The comparisons that needed[predicate] clauses make, as inputs of the program, and their attributes. */
nlm_status rules_add_comparisons(const rules *of, const int *needed, nlm_program *program, nlm_error *error);
/* Whether the predicate's facts end in numbers. */
bool rules_ends_in_numbers(const rules *of, int predicate);
/* A comparison, or an atom of such a predicate, in goal `goal` of a clause. */
formula rules_number_formula(const rules *of, nlm_program *program, const rule_clause *clause, int goal);

/* The text, which is changed, as rules; to be freed whatever the status. */
nlm_status rules_read(rules *of, char *text, size_t size, const char *file, const nlm_signature *signature,
                      nlm_error *error);
void rules_free(rules *of);
/* The program that they are. */
nlm_status rules_program(const rules *of, const nlm_program_reading *reading, nlm_program **program,
                         nlm_error *error);

#endif
