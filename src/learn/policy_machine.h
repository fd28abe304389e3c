/* A machine as a player: greedy, the first of several moves with the highest score, without memory.
 *
 * A hard machine gives moves of the same kind exactly the same score: sums of the same weights, which are
 * multiples of POLICY_GRAIN.  So ties are exact, and the move with the lowest number is made. */
#ifndef LEARN_POLICY_MACHINE_H
#define LEARN_POLICY_MACHINE_H

#include "learn/policy_set.h"
#include "machine/evaluator.h"

#define POLICY_GRAIN 0x1p-8f

struct policy_machine {
    nlm_machine *machine;
    nlm_options options;
    nlm_evaluator *evaluator;
    buffer scores;
    float score; /* of the move that was chosen last */
    buffer ways; /* struct policy_way of each slot of a set */
    int way_count;
    struct policy_player player; /* this machine */
};

/* The structure of the positions of a way, which does not depend on weights. */
struct policy_way {
    int version;
    nlm_structure *structure;
};

/* The machine is the caller's; its weights may change at any time. */
nlm_status policy_machine_init(struct policy_machine *of, nlm_machine *machine, const nlm_options *options,
                               nlm_error *error);
void policy_machine_release(struct policy_machine *of);
/* Weights of the head are rounded to multiples of POLICY_GRAIN; its bias, which all moves have, becomes 0. */
void policy_machine_round(nlm_machine *machine);

#endif
