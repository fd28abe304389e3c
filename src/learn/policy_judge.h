/* Elimination judged by instances of a game (learn/eliminate.h). */
#ifndef LEARN_POLICY_JUDGE_H
#define LEARN_POLICY_JUDGE_H

#include "learn/eliminate.h"
#include "learn/policy_teacher.h"

enum { POLICY_VERIFIED = 1000, POLICY_MOST_SCORES = 64 };

/* Fresh instances with the teacher's moves: the same for all that are verified. */
struct policy_fresh {
    struct policy_teacher *teacher;
    int user;
    struct policy_instance instance[POLICY_VERIFIED];
    int count;
};

struct policy_judge {
    struct elimination_judge table;
    struct policy_fresh *fresh;
    nlm_options options;
    int set_user;
    bool begun;
    struct policy_machine machine;
    struct policy_set set;
    nlm_position *position;
    int failure[RULE_MOST_FAILURES]; /* instances of `fresh` */
};

/* The `order` says which instances the set begins with. */
void policy_judge_init(struct policy_judge *judge, struct policy_fresh *fresh, int order,
                       const nlm_options *options);
void policy_judge_release(struct policy_judge *judge);

/* Instance number `number`, of those that the teacher solves. */
nlm_status policy_fresh_instance(struct policy_fresh *fresh, int number, struct policy_instance *instance,
                                 nlm_error *error);
/* The player on all of them.  Ends when `most` have failed. */
nlm_status policy_fresh_verify(struct policy_fresh *fresh, const struct policy_player *player,
                               nlm_position *position, int most, int *failure, int *asked, int *count,
                               nlm_error *error);

#endif
