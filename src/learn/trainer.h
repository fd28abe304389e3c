/* A run of training, between its files.
 *
 * All that a run consists of between two epochs is: parameters, Adam's moments, and the numbers of `state`.
 * Worlds are functions of the seed and their number, so no other trace of them is kept. */
#ifndef LEARN_TRAINER_H
#define LEARN_TRAINER_H

#include "learn/examiner.h"
#include "machine/optimizer.h"

enum { MOST_FAILURES = 256 };

struct trainer_state {
    nlm_stage stage;
    nlm_epoch epoch;     /* the last that ended */
    uint64_t next_world; /* number of the next world to draw */
    int begun;           /* the epoch after which the present weights were new */
    int patient;         /* epochs in a row with errors */
    int failures;        /* worlds that had errors, the newest MOST_FAILURES of them */
    int next_failure;    /* to learn from */
    uint64_t failure[MOST_FAILURES];
};

/* Sums over the steps of the epoch that is going on. */
struct trainer_running {
    int steps;
    double loss, gradient_norm, seconds;
    size_t tuples, wrong, positives, wrong_positives;
    bool exam; /* going on */
    int examined, failed;
};

struct nlm_trainer {
    nlm_training settings;
    nlm_machine *machine;
    nlm_optimizer *optimizer;
    struct examiner examiner; /* its pass also learns */
    struct trainer_state state;
    struct trainer_running running;
};

/* What follows from the last epoch: the end of the budget, new weights, or just the next epoch. */
void trainer_go_on(nlm_trainer *trainer);

#endif
