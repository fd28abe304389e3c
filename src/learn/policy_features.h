/* Properties of objects that a few facts define, of all positions of a set of choices (policy_choices.h).
 *
 *     pattern    of two objects: one to three facts, of which a later one may be denied: after(X, Y), less(X,
 * Y) feature    of an object X: an input; some Y with pattern(X, Y), and with or without another feature
 *
 * A feature of features says something about objects farther away: target(X); some Y with edge(X, Y) and
 * target(Y); some Z with edge(X, Z) and that.  All of up to FEATURE_COST facts are made, the cheapest first.
 * Of those that hold for the same objects, or for all others, only the first is kept. */
#ifndef LEARN_POLICY_FEATURES_H
#define LEARN_POLICY_FEATURES_H

#include "learn/policy_choices.h"
#include "logic/program.h"

enum { PATTERN_FACTS = 3, MOST_PATTERNS = 192, MOST_FEATURES = 1024, FEATURE_COST = 7 };

typedef struct pattern_fact {
    int input;
    bool back, negated; /* back: of (Y, X) */
} pattern_fact;

typedef struct move_pattern {
    int cost;
    pattern_fact fact[PATTERN_FACTS];
    uint64_t *set; /* [rows] */
} move_pattern;

typedef struct move_feature {
    int cost;
    int input;          /* or -1: */
    int pattern, inner; /* inner: a feature of Y, or -1 */
    bool negated;       /* which Y has not */
    uint64_t *set;      /* [positions] */
    uint64_t key;
} move_feature;

typedef struct policy_features {
    const policy_choices *choices;
    move_pattern pattern[MOST_PATTERNS];
    move_feature feature[MOST_FEATURES];
    int patterns, features;
    uint64_t constant; /* the key of what holds for all objects or for none */
} policy_features;

/* What is denied costs more: rules need a predicate of their own to deny several facts at once. */
static inline int denied_cost(int cost, bool negated)
{
    return cost + (negated ? 1 + (cost > 1) : 0);
}

nlm_status policy_features_make(const policy_choices *choices, policy_features *features, nlm_error *error);
void policy_features_release(policy_features *features);
/* As formulas about variables; bound variables are numbered from `next` on. */
formula pattern_formula(const policy_features *features, nlm_program *program, int pattern, int x, int y);
formula feature_formula(const policy_features *features, nlm_program *program, int feature, int x, int next);

#endif
