/* A run that learns from examples: the worlds of a task or of facts.
 *
 * All that a run consists of between two epochs is: parameters, the optimiser's moments, the numbers of
 * `state`, and of a run on facts the best parameters so far. Worlds are functions of the seed and their
 * number, so no other trace of them is kept.
 *
 * An epoch is `batches` steps, then perhaps an exam:
 *
 *     step     draw a batch, forward, cross-entropy (docs/maths.md, section 7), backward, one step of Adam
 *     exam     of a task once the loss is below the threshold, on fresh worlds; of facts after every epoch,
 *              on what is held out; in parts, one per call of nlm_run_step
 *     end      graduate, or new weights if patience is at its end, or the next epoch */
#ifndef LEARN_FROM_EXAMPLES_H
#define LEARN_FROM_EXAMPLES_H

#include "learn/run.h"
#include "learn/world_source.h"
#include "machine/evaluator.h"

/* Worlds with errors that are remembered, as numbers. */
enum { MOST_FAILURES = 256 };

/* What a checkpoint holds beside weights and moments.  Invariant: next_failure < failures, or both are 0. */
struct examples_state {
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

/* Sums over the steps of the epoch that is going on.  All 0 between two epochs. */
struct examples_running {
    int steps;
    double loss, gradient_norm, seconds;
    size_t tuples, wrong, positives, wrong_positives;
    bool exam; /* going on */
    int examined, failed;
    size_t asked, wrong_answers; /* in that exam */
};

/* The run.  It owns everything here; the source points to the task or problem of the settings.
 *
 * One evaluator serves steps and exams, so an exam empties the batch of the steps; `learning` says whether
 * the batch that is there is one to learn from, and may be kept for the next step. */
struct examples_run {
    struct nlm_run run;
    struct world_source source;
    nlm_world *scratch;       /* of the source */
    nlm_evaluator *evaluator; /* its pass also learns */
    struct examples_state state;
    struct examples_running running;
    bool learning; /* the batch is one to learn from */
    float *best;   /* parameters of state.best_epoch, of a run on a problem; else NULL */
};

/* What follows from the last epoch: the end of the budget, new weights, or just the next epoch.  Also called
 * for a run that was read from a file: what was done before the file was written is not done again, and a
 * larger budget lets an exhausted run learn on. */
void examples_go_on(struct examples_run *t);
/* The epoch whose machine the model has: the last, unless it is a run on facts that did not graduate. */
int examples_best_epoch(const struct examples_run *t);

/* ---- examples_file.c: as in struct run_type ---- */

nlm_status examples_describe(const nlm_run *run, struct run_pairs *to, nlm_error *error);
nlm_status examples_save(nlm_run *run, const char *path, struct run_pairs *to, nlm_error *error);
nlm_status examples_read(nlm_run *run, const struct run_reader *in);
void examples_exchange(nlm_run *run);
void examples_recall(nlm_run *run, const nlm_machine *model);

#endif
