/* A run of training, between its files.
 *
 * All that a run consists of between two epochs is: parameters, Adam's moments, the numbers of `state`, and
 * of a run on a problem the best parameters so far. Worlds are functions of the seed and their number, so no
 * other trace of them is kept. */
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
    /* Of a run on a problem: the epoch whose machine was best, and its errors and loss. */
    int best_epoch;
    size_t best_failed;
    double best_loss;
};

/* Sums over the steps of the epoch that is going on. */
struct trainer_running {
    int steps;
    double loss, gradient_norm, seconds;
    size_t tuples, wrong, positives, wrong_positives;
    bool exam; /* going on */
    int examined, failed;
    size_t asked, wrong_answers; /* in that exam */
};

struct nlm_trainer {
    nlm_settings settings;
    nlm_machine *machine;
    nlm_optimizer *optimizer;
    struct world_source source;
    struct examiner examiner; /* its pass also learns */
    struct trainer_state state;
    struct trainer_running running;
    bool learning; /* the batch is one to learn from */
    float *best;   /* parameters, of a run on a problem */
};

/* What follows from the last epoch: the end of the budget, new weights, or just the next epoch. */
void trainer_go_on(nlm_trainer *trainer);

#endif
