/* For the tests of runs: their parts, and how far they have come. */
#ifndef TESTS_LEARN_RUN_PARTS_H
#define TESTS_LEARN_RUN_PARTS_H

#include "learn/from_examples.h"
#include "learn/from_rewards.h"

static inline struct examples_run *examples_of(const nlm_run *run)
{
    return (struct examples_run *)run;
}

static inline struct rewards_run *rewards_of(const nlm_run *run)
{
    return (struct rewards_run *)run;
}

static inline const nlm_epoch *epoch_of(const nlm_run *run)
{
    return &examples_of(run)->state.epoch;
}

static inline const nlm_exam *exam_of(const nlm_run *run)
{
    return &rewards_of(run)->state.exam;
}

static inline nlm_progress progress_of(const nlm_run *run)
{
    nlm_progress progress;
    nlm_run_progress(run, &progress);
    return progress;
}

static inline int steps_of(const nlm_run *run)
{
    return progress_of(run).steps;
}

static inline int asked_of(const nlm_run *run)
{
    return progress_of(run).asked;
}

static inline int kept_of(const nlm_run *run)
{
    return progress_of(run).kept;
}

static inline int lesson_of(const nlm_run *run)
{
    return progress_of(run).lesson;
}

static inline bool candidate_of(const nlm_run *run)
{
    return progress_of(run).candidate;
}

static inline long episodes_of(const nlm_run *run)
{
    return progress_of(run).episodes;
}

#endif
