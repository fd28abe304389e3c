/* A list of rules fitted to an agent's choices.
 *
 *     rule    a move (X) or (X, Y) for which all of a few conditions hold: X, or Y, has a feature or not; a
 *             pattern holds for (X, Y) (learn/policy_features.h)
 *     list    one rule after the other: its first move, by number, is good in all positions in which it
 *             allows one and no earlier rule does; and of such rules it is worth most: so many positions,
 *             minus a price for each fact in it, and less if it allows bad moves too
 *
 * Rules grow condition by condition in a beam.  Where positions are left and no rule is worth anything, there
 * is no list.  The same choices give the same list. */
#ifndef LEARN_POLICY_FIT_H
#define LEARN_POLICY_FIT_H

#include "learn/policy_features.h"

enum { FITTED_RULES = 24, FITTED_CONDITIONS = 4 };

typedef enum move_condition_kind {
    CONDITION_FIRST,  /* a feature of X */
    CONDITION_SECOND, /* of Y */
    CONDITION_BETWEEN /* a pattern of (X, Y) */
} move_condition_kind;

typedef struct move_condition {
    move_condition_kind kind;
    int number;
    bool negated;
} move_condition;

typedef struct fitted_rule {
    move_condition condition[FITTED_CONDITIONS];
    int count, cost;
} fitted_rule;

typedef struct fitted_list {
    fitted_rule rule[FITTED_RULES];
    int count;
    int left; /* positions that no rule has a move for; 0: the list is whole */
} fitted_list;

nlm_status policy_fit(const policy_features *features, fitted_list *list, nlm_error *error);
/* A rule as a formula; the move's numbers are variables 0 and 1. */
formula fitted_formula(const policy_features *features, nlm_program *program, const fitted_rule *rule);

#endif
