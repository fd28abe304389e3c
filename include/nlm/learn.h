/* Learning from examples: runs that can be stopped and taken up again.
 *
 *     nlm_trainer    one run, step by step; the same settings give the same bits */
#ifndef NLM_LEARN_H
#define NLM_LEARN_H

#include "nlm/pass.h"
#include "nlm/settings.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a run ---- */

typedef struct nlm_trainer nlm_trainer;

typedef enum nlm_stage {
    NLM_LEARNING,
    NLM_GRADUATED,
    NLM_EXHAUSTED /* the budget is used up */
} nlm_stage;

/* What an epoch showed, measured while it changed the machine. */
typedef struct nlm_epoch {
    int epoch;     /* from 1; 0 before the first has ended */
    long examples; /* worlds learned from since the run began */
    long drawn;    /* all worlds drawn since then: also those passed over in choosing, and those of exams */
    int restarts;  /* since the run began */
    int failures;  /* worlds that the exam of this epoch found errors in; 0 also without an exam */
    size_t asked, failed; /* answers of that exam, and how many of them were wrong */
    double loss;          /* mean over its batches */
    size_t tuples, wrong;
    double accuracy;          /* share of tuples that are right ("micro") */
    double balanced_accuracy; /* mean of that share among true and among false tuples ("macro") */
    double gradient_norm;     /* mean over its batches */
    double seconds;           /* of this epoch */
    double elapsed;           /* seconds since the run began, pauses left out */
} nlm_epoch;

/* The task, and what the settings point to, must outlive the trainer; settings are copied. */
nlm_status nlm_trainer_new(const nlm_settings *training, const nlm_options *options, nlm_trainer **trainer,
                           nlm_error *error);
void nlm_trainer_free(nlm_trainer *trainer);
/* One step, or a part of an exam; *epoch_ended (NULL will do) tells whether it was the last of an epoch. Only
 * while the stage is NLM_LEARNING. */
nlm_status nlm_trainer_step(nlm_trainer *trainer, bool *epoch_ended, nlm_error *error);

nlm_stage nlm_trainer_stage(const nlm_trainer *trainer);
const nlm_settings *nlm_trainer_settings(const nlm_trainer *trainer);
/* The last epoch that ended, and since then: steps done, worlds of an exam looked at. */
const nlm_epoch *nlm_trainer_epoch(const nlm_trainer *trainer);
int nlm_trainer_steps(const nlm_trainer *trainer);
int nlm_trainer_examined(const nlm_trainer *trainer);
nlm_machine *nlm_trainer_machine(nlm_trainer *trainer);
/* The epoch whose machine is that of nlm_trainer_save_model: the last, unless it is a run on a problem that
 * did not graduate. */
int nlm_trainer_best_epoch(const nlm_trainer *trainer);

/* The machine as a model file, with how it was trained as metadata: the same bits for the same settings. */
nlm_status nlm_trainer_save_model(nlm_trainer *trainer, const char *path, nlm_error *error);
/* A model file with all that the run needs to go on as if it had never stopped.  Only between two epochs. */
nlm_status nlm_trainer_save_checkpoint(nlm_trainer *trainer, const char *path, nlm_error *error);
/* Take up the run of a checkpoint.  With `training`, which runs on facts or pictures need, a checkpoint of
 * other settings is refused; the budget of epochs may differ, and is then the new one.  The same kernels go
 * on with the same bits. */
nlm_status nlm_trainer_load(const char *path, const nlm_settings *training, const nlm_options *options,
                            nlm_trainer **trainer, nlm_error *error);

#ifdef __cplusplus
}
#endif
#endif
