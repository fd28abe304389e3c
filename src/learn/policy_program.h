/* An ordered list of rules as a player: the first move, by number, for which the first rule holds that holds
 * for any move; the first move of all where none does.
 *
 * Rules are definitions of a program whose inputs are what a machine sees of a position. */
#ifndef LEARN_POLICY_PROGRAM_H
#define LEARN_POLICY_PROGRAM_H

#include "learn/policy_set.h"
#include "logic/truth.h"

enum { POLICY_MOST_RULES = 64 };

struct policy_program {
    nlm_program *program;        /* the caller's */
    int rule[POLICY_MOST_RULES]; /* definitions, the first of the list first */
    int rules;
    int tried;     /* a rule whose formula is another for a while, or -1 */
    formula trial; /* and which */
    nlm_world *world;
    buffer values; /* signed char, scratch */
    buffer ways;   /* struct policy_facts of each slot of a set */
    int way_count;
    int line; /* the rule that chose last; rules: none */
    struct policy_player player;
};

/* The positions of a way as worlds. */
struct policy_facts {
    int version;
    truth *group;
};

nlm_status policy_program_init(struct policy_program *of, nlm_program *program, nlm_error *error);
void policy_program_release(struct policy_program *of);
/* The program's store was made anew: what is known of formulas is forgotten. */
void policy_program_forget(void *of);

#endif
