/* Worlds that a program is found from: for learning with hard units, for tests, for verification.
 *
 * Of a task they are generated, numbered apart from those of training and of tests, and there is no end of
 * them.  Of a problem they are the worlds learned from, all of them; what is held out is not looked at. */
#ifndef LEARN_RULE_WORLDS_H
#define LEARN_RULE_WORLDS_H

#include "learn/world_source.h"

struct rule_worlds {
    struct world_source source;
    uint64_t seed; /* of the run */
    uint64_t next; /* number of the next fresh world */
    int objects;
    nlm_world *scratch;
};

/* Users of one run draw different worlds: hardening is user 0, elimination in order n is user n + 1. */
enum { RULE_MOST_USERS = 1024 };
nlm_status rule_worlds_init(struct rule_worlds *worlds, const nlm_settings *settings, int user,
                            nlm_error *error);
void rule_worlds_release(struct rule_worlds *worlds);

/* How many there are; INT_MAX of a task. */
int rule_worlds_count(const struct rule_worlds *worlds);
/* World `number` into the evaluator's batch. */
nlm_status rule_worlds_add(struct rule_worlds *worlds, uint64_t number, nlm_evaluator *evaluator,
                           nlm_error *error);
/* A fresh world of a problem or task into the batch.  Of every four `slot`s one is any world and three have a
 * true tuple, two of these the deepest of several. */
nlm_status rule_worlds_draw(struct rule_worlds *worlds, int slot, nlm_evaluator *evaluator, uint64_t *number,
                            nlm_error *error);

/* What a program that was found is compared with: of a task 1,000 fresh worlds and 40 of twice the size,
 * drawn as above, of a problem all that were learned from. */
int rule_worlds_examples(const struct rule_worlds *worlds);
/* Example `slot`, in scratch memory: it holds until the next is asked for.  Its number and size too. */
nlm_status rule_worlds_example(struct rule_worlds *worlds, int slot, uint64_t *number, int *objects,
                               const nlm_world **world, nlm_error *error);

/* Numbers of worlds with errors, and how many answers were wrong. */
enum { RULE_MOST_FAILURES = 16 };
struct rule_failures {
    int count;
    uint64_t number[RULE_MOST_FAILURES];
    int asked; /* worlds */
    size_t errors;
};
/* The evaluator's machine on `count` fresh worlds, of a problem on all; ends early when there are
 * RULE_MOST_FAILURES. */
nlm_status rule_worlds_verify(struct rule_worlds *worlds, int count, nlm_evaluator *evaluator,
                              struct rule_failures *failures, nlm_error *error);

#endif
