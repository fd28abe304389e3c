/* The search for a list of rules that is fitted to an agent's choices (learn/policy_fit.h): the quick way to
 * the program of an agent, before hardening.
 *
 *     choices    of the trained agent, in instances of the sizes that it has learned from
 *     a list     fitted to them, and asked to solve fresh instances in no more moves than the agent
 *     failures   the positions that the list came to in these become choices to be fitted, too
 *     the end    a list that fails on none, made as short as can be */
#ifndef LEARN_POLICY_FITTED_H
#define LEARN_POLICY_FITTED_H

#include "learn/policy_choices.h"
#include "learn/policy_fresh.h"
#include "learn/policy_program.h"

enum fitted_stage { FITTED_LEARNING, FITTED_FOUND, FITTED_NOT_FOUND };

struct policy_fitted {
    enum fitted_stage stage;
    int round, failures; /* of the last list, among the fresh instances: it stops at a few */
    int solved;          /* instances that the agent solved, of those that it was asked about */
    nlm_program *program;
    struct policy_program list; /* of that program; both are whole when the stage is FITTED_FOUND */

    /* work */
    struct policy_fresh *fresh;
    const nlm_signature *signature;
    policy_choices choices;
    struct policy_set set;
    bool begun;
};

void policy_fitted_begin(struct policy_fitted *of, struct policy_fresh *fresh,
                         const nlm_signature *signature);
/* One list is made and asked. */
nlm_status policy_fitted_step(struct policy_fitted *of, nlm_error *error);
void policy_fitted_end(struct policy_fitted *of);

#endif
