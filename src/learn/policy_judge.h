/* Elimination judged by instances of a game (learn/eliminate.h). */
#ifndef LEARN_POLICY_JUDGE_H
#define LEARN_POLICY_JUDGE_H

#include "learn/eliminate.h"
#include "learn/policy_fresh.h"

struct policy_judge {
    struct elimination_judge table;
    struct policy_fresh *fresh;
    nlm_options options;
    int set_user;
    bool begun;
    struct policy_machine machine;
    struct policy_set set;
    nlm_position *position;
    bool beyond[POLICY_VERIFIED];    /* instances that the machine did not solve at the beginning */
    int failure[RULE_MOST_FAILURES]; /* instances of `fresh` */
};

/* The `order` says which instances the set begins with. */
void policy_judge_init(struct policy_judge *judge, struct policy_fresh *fresh, int order,
                       const nlm_options *options);
void policy_judge_release(struct policy_judge *judge);

#endif
