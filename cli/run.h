/* One run of training with its files.
 *
 * MODEL is written when the run has ended; an earlier file stays until then.  MODEL.checkpoint, written after
 * every round, is what the run goes on from; it is removed once the machine has graduated and MODEL is there.
 * The log has one JSON object per round.  MODEL.lock is there while a run is at work: a second run of the
 * same model is refused. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include <stdbool.h>
#include "learner.h"
#include "nlm/nlm.h"

typedef struct run {
    subject subject;
    nlm_options options;
    const char *model; /* path */
    const char *log;   /* path, or NULL */
    bool resume;       /* go on where the checkpoint is, begin where there is none */
    bool force;        /* begin although there is a checkpoint of an unfinished run */
    void (*watch)(void *context, const learner *of); /* after every step, if not NULL */
    void *context;
} run;

/* Refuse what would fail or lose something later: before anything is computed or written. */
nlm_status run_check(const run *job, nlm_error *error);
/* Train to the end, or until run_interrupted.  After a failure the last checkpoint and any earlier model are
 * still there. */
nlm_status run_train(const run *job, report *result, nlm_error *error);

/* From now on an interrupt, a request to end or a lost terminal stops runs after the current step. */
void run_catch_signals(void);
/* The signal that came, or 0. */
int run_interrupted(void);

#endif
