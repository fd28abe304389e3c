/* Whether a formula agrees with the labels of worlds: what simplifying asks, thousands of times.
 *
 * A few worlds with many true and many false tuples come first and refuse most; then all others.  Worlds that
 * a formula failed on later join the few. */
#ifndef LEARN_RULE_JUDGE_H
#define LEARN_RULE_JUDGE_H

#include "learn/rule_worlds.h"
#include "logic/truth.h"

struct rule_world {
    uint64_t number;
    int objects;
};

enum { JUDGE_GROUPS = 2 };

struct rule_judge {
    struct rule_worlds *worlds;
    int target; /* of the worlds, and its arity */
    int arity;
    buffer list[JUDGE_GROUPS]; /* struct rule_world: few, many */
    int count[JUDGE_GROUPS];
    /* of one program at a time */
    truth *group[JUDGE_GROUPS];
    buffer labels[JUDGE_GROUPS];
    size_t label_count[JUDGE_GROUPS];
};

/* Worlds for a judge are drawn: of a task some dozens of its size and of half its size, of a problem all. */
nlm_status rule_judge_init(struct rule_judge *judge, struct rule_worlds *worlds, int target, int arity,
                           nlm_error *error);
void rule_judge_release(struct rule_judge *judge);
/* Formulas of this program are judged from now on. */
nlm_status rule_judge_use(struct rule_judge *judge, const nlm_program *program, nlm_error *error);
/* For simplification: agrees and forget. */
nlm_status rule_judge_agrees(void *judge, formula f, bool *yes, nlm_error *error);
void rule_judge_forget(void *judge);
/* The formula on fresh worlds, of a problem on all; those that it fails on join the few (then *failures > 0,
 * and rule_judge_use has to be called again). */
nlm_status rule_judge_verify(struct rule_judge *judge, const nlm_program *program, formula f, int *failures,
                             nlm_error *error);

#endif
