/* One order of elimination, and the program that it comes to.
 *
 *     eliminate      learn/eliminate.h, in this order
 *     read           what is left as definitions (logic/program_of.c), the target's own with all others in
 *                    their places
 *     simplify       the definition of each target made shorter as long as it agrees with the examples
 *     verify         on fresh worlds; those that it fails on join the examples, and simplifying begins again
 *
 * Orders share nothing that changes, so that several may go on side by side, each in its own thread, and give
 * the same programs as one after the other. */
#ifndef LEARN_RULE_ORDER_H
#define LEARN_RULE_ORDER_H

#include "learn/eliminate.h"
#include "learn/rule_judge.h"
#include "nlm/program.h"

enum rule_order_stage { RULE_ORDER_NEW, RULE_ORDER_ELIMINATING, RULE_ORDER_READING, RULE_ORDER_DONE };

struct rule_order {
    /* progress */
    enum rule_order_stage stage;
    size_t weights;        /* that are left */
    nlm_program *program;  /* the result, owned; NULL: none */
    nlm_program_size size; /* of it */
    char reason[200];      /* why there is none, if elimination was not what failed; else "" */

    /* work */
    int number;
    const nlm_machine *hard;
    const nlm_settings *settings;
    const nlm_signature *signature;
    struct elimination elimination;
    struct rule_worlds worlds;
    struct rule_judge judge[NLM_MAX_HEADS];
    int judges;
    bool has_worlds;
};

/* Of a machine that hardening has made hard, or nearly so; all of it is the caller's and must outlive the
 * order. */
void rule_order_begin(struct rule_order *order, int number, const nlm_machine *hard,
                      const nlm_settings *settings, const nlm_signature *signature);
/* Some removals, or all of reading, simplifying and verifying: seconds. */
nlm_status rule_order_step(struct rule_order *order, nlm_error *error);
void rule_order_end(struct rule_order *order);

#endif
