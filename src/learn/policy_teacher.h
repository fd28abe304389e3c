/* The trained machine of a game as the measure of what comes of it: in how many moves it solves an instance.
 *
 * Instances are numbered as worlds are (learn/rule_worlds.c), apart from those of training and of tests.
 * Users of a run have their own; one of every ten is larger than those learned from, because rules
 * that are nearly right often fail there first. */
#ifndef LEARN_POLICY_TEACHER_H
#define LEARN_POLICY_TEACHER_H

#include "learn/policy_machine.h"
#include "nlm/settings.h"

struct policy_teacher {
    const nlm_game *game;
    uint64_t seed;
    int least, most, large; /* objects */
    struct policy_machine machine;
    nlm_position *position;
};

/* The settings of the run that trained the machine, which is the caller's and stays as it is. */
nlm_status policy_teacher_init(struct policy_teacher *teacher, nlm_machine *trained,
                               const nlm_settings *settings, const nlm_options *options, nlm_error *error);
void policy_teacher_release(struct policy_teacher *teacher);
/* Instance `number` of a user.  *moves is -1 if the teacher does not solve it. */
nlm_status policy_teacher_instance(struct policy_teacher *teacher, int user, uint64_t number,
                                   struct policy_instance *instance, nlm_error *error);

#endif
