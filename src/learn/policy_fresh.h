/* The instances that verify an agent's rules, and the machines on the way to them. */
#ifndef LEARN_POLICY_FRESH_H
#define LEARN_POLICY_FRESH_H

#include "learn/policy_teacher.h"

enum { POLICY_VERIFIED = 1000 };

/* Fresh instances with the teacher's moves: the same for all that are verified. */
struct policy_fresh {
    struct policy_teacher *teacher;
    int user;
    struct policy_instance instance[POLICY_VERIFIED];
    int count;
};

/* Instance number `number`, of those that the teacher solves. */
nlm_status policy_fresh_instance(struct policy_fresh *fresh, int number, struct policy_instance *instance,
                                 nlm_error *error);
/* The player on all of them, without those that are marked in `skipped` (NULL: none).  Ends when `most` have
 * failed. */
nlm_status policy_fresh_verify(struct policy_fresh *fresh, const struct policy_player *player,
                               nlm_position *position, const bool *skipped, int most, int *failure,
                               int *asked, int *count, nlm_error *error);

#endif
