/* Elimination: a hard machine with the same answers and few weights.
 *
 * Weights are removed while the machine makes no error in a set of worlds: whole predicates first (made
 * constant, 0 or 1), then blocks of a unit's smallest weights, halved where that errs, then single weights.
 * A weight is either set to 0 or added to the bias, as if what it reads were always true.  Then the machine
 * is asked about many fresh worlds; those with errors join the set, the last removals are undone until these
 * have no errors, and elimination goes on.
 *
 * Predicates and weights are tried in random order.  Different orders give different machines: make several.
 *
 *     elimination_begin(&elimination, hard, &settings, order, &options, &error);
 *     while (elimination.stage < ELIMINATED && elimination_step(&elimination, &error) == NLM_OK)
 *         continue;
 *     ... elimination.machine ...
 *     elimination_end(&elimination);
 *
 * The same machine, settings and order give the same bits, for any number of threads; several eliminations
 * may go on at a time, each in its own thread. */
#ifndef LEARN_ELIMINATE_H
#define LEARN_ELIMINATE_H

#include "base/memory.h"
#include "base/random.h"
#include "learn/rule_worlds.h"

enum elimination_stage {
    ELIMINATING_PREDICATES,
    ELIMINATING_BLOCKS,
    ELIMINATING_WEIGHTS,
    ELIMINATION_VERIFYING,
    ELIMINATED,    /* no error in any world it was asked about */
    NOT_ELIMINATED /* errors remain: all machines on the way made them, or there were too many rounds */
};

/* Who says whether a machine errs, where it is not asked about worlds: instances of a game are played.  It
 * has a set of cases, as elimination has of worlds. */
struct elimination_judge {
    void *context;
    /* This machine is meant from now on, whatever its weights become; the set is that of the beginning. */
    nlm_status (*begin)(void *context, nlm_machine *machine, nlm_error *error);
    /* Whether it makes no error in the set. */
    nlm_status (*test)(void *context, bool *right, nlm_error *error);
    /* Fresh cases; those with errors are failures number 0 ... count - 1. */
    nlm_status (*verify)(void *context, int *asked, int *count, nlm_error *error);
    /* Whether it makes no error in the case of a failure. */
    nlm_status (*knows)(void *context, int failure, bool *right, nlm_error *error);
    /* That case joins the set. */
    nlm_status (*join)(void *context, int failure, nlm_error *error);
};

struct elimination {
    /* progress */
    enum elimination_stage stage;
    int round;            /* from 0; counterexamples begin the next */
    size_t weights;       /* that are left */
    long tests;           /* removals tried */
    int asked;            /* worlds of the last verification ... */
    size_t errors;        /* ... and wrong answers in them */
    int unknown;          /* counterexamples in which all machines on the way err, the first included */
    nlm_machine *machine; /* the result; owned */

    /* work */
    const struct elimination_judge *judge; /* or NULL, and then worlds: */
    struct rule_worlds worlds;
    nlm_evaluator *evaluator;
    nlm_options options;
    random_stream random;
    struct weight_map *map; /* what each weight reads */
    buffer set;             /* structures of the worlds of tests, the last to show an error first */
    int worlds_of_set;
    buffer changes; /* all since the beginning, to be undone */
    int change_count, removals;
    int *predicates; /* to try; `queued` of them from `next` on */
    int queued, next;
    buffer weight_queue, stack; /* weights to try, and ranges of them */
    int ranges;
    bool found; /* one was removed in this pass over all of them */
};

/* Of a machine that a run with these settings has trained and hardening has made hard; it is copied.  It may
 * err in few worlds: a machine with fewer weights often does not. */
nlm_status elimination_begin(struct elimination *elimination, const nlm_machine *hard,
                             const nlm_settings *settings, int order, const nlm_options *options,
                             nlm_error *error);
/* The same with a judge, who must outlive it; random numbers are those of `order` of a seed. */
nlm_status elimination_begin_judged(struct elimination *elimination, const nlm_machine *hard,
                                    const struct elimination_judge *judge, uint64_t seed, int order,
                                    nlm_error *error);
/* One removal is tried, or the result is verified. */
nlm_status elimination_step(struct elimination *elimination, nlm_error *error);
void elimination_end(struct elimination *elimination);

#endif
