/* Rules among facts: Datalog, from which facts follow.
 *
 *     clause      head ":-" goal { "," goal } "."      arguments are variables and names
 *     goal        p(X, a) | \+ p(X, _) | X = Y | X \= Y | true | fail
 *               | E < E  and the like | X is E | number(X) | integer(X) | atom(X)
 *     E           numbers and variables, joined by + - * / // mod, abs(E), min(E, E), max(E, E)
 *
 * What follows from the facts of a world and its rules joins the facts: the least set that is closed under
 * all rules, where
 * \+ looks at predicates that are complete by then (stratified negation).  Bottom-up, each round with what
 * the last one has added (semi-naive).  number(X), integer(X) and atom(X) of a variable that nothing else
 * binds hold for all such names in the facts and examples of the world.
 *
 * A rule is refused if it has a variable that no goal binds, if it depends on its own negation, or if it has
 * anything else of Prolog, with the reason. */
#ifndef FACTS_DATALOG_H
#define FACTS_DATALOG_H

#include "facts/draft.h"

enum {
    DATALOG_VARIABLES = 32, /* of a rule */
    DATALOG_GOALS = 64,
    DATALOG_RULES = 20000,
    DATALOG_NESTING = 32,         /* of expressions */
    DATALOG_MOST_FACTS = 1 << 22, /* that follow, and those they follow from */
    DATALOG_MOST_STEPS = 1 << 30  /* facts looked at */
};

typedef enum datalog_kind {
    DATALOG_ATOM,
    DATALOG_NOT,
    DATALOG_EQUAL,
    DATALOG_DIFFERENT,
    DATALOG_LESS, /* < > =< >= =:= =\= of numbers */
    DATALOG_MORE,
    DATALOG_AT_MOST,
    DATALOG_AT_LEAST,
    DATALOG_SAME,
    DATALOG_OTHER,
    DATALOG_IS,
    DATALOG_IS_NUMBER, /* number(X), integer(X), atom(X) */
    DATALOG_IS_INTEGER,
    DATALOG_IS_NAME,
    DATALOG_FAIL
} datalog_kind;

/* A variable from 0 on; or of an atom, -1 - its number. */
typedef int datalog_term;

static inline bool term_is_variable(datalog_term term)
{
    return term >= 0;
}

typedef struct datalog_goal {
    datalog_kind kind;
    int predicate, arity; /* of atoms */
    datalog_term
        term[NLM_MAX_FACT_ARITY]; /* of atoms; of = and \=, and the left of is, in the first places */
    int left, right;              /* expressions, of comparisons and is */
    uint32_t variables;           /* all of them, a bit each */
    size_t line;
} datalog_goal;

typedef struct datalog_rule {
    int predicate, arity;
    datalog_term term[NLM_MAX_FACT_ARITY];
    int first, goals; /* in the list of goals */
    int variables;
    uint32_t apart; /* variables that stand in one negation only: any object there */
    int stratum;
    const char *file;
    size_t line;
} datalog_rule;

/* A number, a variable, or an operation of one or two earlier expressions. */
typedef struct datalog_expression {
    char operation; /* 'n', 'v', + - * /, 'd' for //, 'm' for mod, 'a' abs, '<' min, '>' max */
    int left, right, variable;
    double number;
} datalog_expression;

struct datalog {
    buffer rules, goals, expressions;
    int rule_count, goal_count, expression_count;
};

static inline datalog_rule *datalog_rule_at(const struct datalog *of, int rule)
{
    return (datalog_rule *)of->rules.data + rule;
}
static inline datalog_goal *datalog_goal_at(const struct datalog *of, const datalog_rule *rule, int goal)
{
    return (datalog_goal *)of->goals.data + rule->first + goal;
}

/* The rule whose head was read, the token being its ":-"; behind it the token is its ".". */
nlm_status datalog_read(draft *to, prolog *in, const prolog_fact *head, unsigned variables, nlm_error *error);
/* What follows from the rules of the last world joins its facts, with a note; the rules are then forgotten.
 */
nlm_status datalog_evaluate(draft *in, nlm_error *error);
void datalog_free(struct datalog *rules);

#endif
