/* Finding the rules of an agent: the search of nlm/rules.h for a machine that was trained on a game.
 *
 *     fitting        learn/policy_fitted.h; where that gives a list of rules, it is the result.  Else:
 *     hardening      learn/policy_harden.h
 *     elimination    learn/eliminate.h, judged by instances
 *     reading        moves are ranked by sums of weights of predicates that are 0 or 1, so there are few
 *                    different scores; "a score of at least s" is a rule for each s that is the best score in
 *                    some position, and the rules in descending order of s are the list
 *     simplifying    learn/policy_shorten.h
 *     compiling      the list as a machine again (policy_compile)
 *
 * The first list that is found is the result.  Of orders of elimination there are four at most. */
#ifndef LEARN_POLICY_RULES_H
#define LEARN_POLICY_RULES_H

#include "learn/policy_fitted.h"
#include "learn/policy_harden.h"
#include "learn/policy_judge.h"
#include "nlm/rules.h"

struct policy_search {
    nlm_rule_stage stage;
    int order, orders;
    size_t weights;
    nlm_program_size size; /* of the best program */
    nlm_program *program;  /* targets are the rules of the list, in order; owned */
    char reason[200];
    struct policy_fitted fitted;
    struct policy_hardening hardening;
    struct elimination elimination;

    /* work */
    nlm_settings settings;
    nlm_options options;
    nlm_machine *teacher_machine, *machine; /* copies: soft, and hard once hardening has ended */
    nlm_signature *signature;
    struct policy_teacher teacher;
    struct policy_fresh fresh;
    struct policy_judge judge;
    bool is_hardening, is_eliminating;
};

/* Takes over both machines, which are copies of the trained one, whatever happens. */
nlm_status policy_search_new(nlm_machine *teacher, nlm_machine *machine, const nlm_settings *settings,
                             const nlm_options *options, struct policy_search **search, nlm_error *error);
void policy_search_free(struct policy_search *search);
nlm_status policy_search_step(struct policy_search *search, nlm_error *error);

#endif
