/* Learning from examples: settings, and runs that can be stopped and taken up again.
 *
 *     nlm_training   what is learned and how: task or problem, machine, worlds, optimiser, when to stop
 *     nlm_trainer    one run of it, step by step; the same settings give the same bits */
#ifndef NLM_LEARN_H
#define NLM_LEARN_H

#include "nlm/needs.h"
#include "nlm/pass.h"
#include "nlm/task.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- settings ---- */

typedef enum nlm_protocol {
    NLM_PROTOCOL_BEST, /* ours: within the paper's budget, and hardly ever without success */
    NLM_PROTOCOL_PAPER /* the paper's own */
} nlm_protocol;

/* "best", and the protocol of that name; false if there is none. */
const char *nlm_protocol_name(nlm_protocol protocol);
bool nlm_protocol_find(const char *name, nlm_protocol *protocol);

/* A step draws `batch` worlds and follows the gradient of their mean cross-entropy with Adam (RMSProp if the
 * model is "dilp").  An epoch has `batches` steps.  A run ends when it graduates, or after `epochs`.
 *
 * The worlds are those of a task, which makes them, or those of a problem, which has them.  Part of a problem
 * is held out: worlds, or of a single world labels.  An exam on that part ends every epoch; a run graduates
 * when it finds no error, and none on the rest either.  The model of a run that does not is the one that the
 * exams liked best. */
typedef struct nlm_training {
    const nlm_task *task;       /* or ... */
    const nlm_problem *problem; /* ... of this, which must outlive whoever has the settings */
    uint64_t data;   /* nlm_problem_digest of the problem, nlm_gallery_digest of a task's gallery; else 0 */
    double held_out; /* the share of a problem that is held out */
    nlm_protocol protocol; /* where the settings come from; what counts is below */
    nlm_spec spec;
    uint64_t seed; /* of the initial weights and of the worlds */
    int objects;   /* of every world; of a problem: the most of any */
    int batch, batches, epochs;
    double gain;        /* the first weights are so many times larger than nlm_machine_initialise has them */
    double rate, beta2; /* of Adam, whose beta1 is 0.9 */
    double rate_decay;  /* factor of the rate after each epoch */
    double threshold;   /* graduated: an epoch's mean loss is below this ... (0: the budget is always used) */

    /* What the best protocol adds, beside its gain, beta2 and rate_decay; 0 turns each off, as in the
     * paper's.
     */
    int exam;            /* ... and the machine makes no error on so many fresh worlds */
    int positive_worlds; /* so many worlds of a batch are drawn until they have a true tuple */
    int deep_worlds; /* so many are each the deepest of 16: with the most generations, the longest paths */
    int replay;      /* so many worlds of a batch are ones that had errors before */
    int patience; /* after so many epochs in a row with errors (of pictures, and with a threshold of 0: near
                     chance), begin again with new weights */
    int shift;    /* pictures to learn from are moved by up to so many pixels each way */

    double labels; /* a step looks at so large a random part of the labels; 0: at all */
} nlm_training;

/* The settings of a protocol for a task, with seed 1. */
nlm_status nlm_training_default(const nlm_task *task, nlm_protocol protocol, nlm_training *training,
                                nlm_error *error);
/* The same for a problem, for a machine of what it needs (NULL: of depth 4, and one breadth more than its
 * arities). */
nlm_status nlm_training_of_problem(const nlm_problem *problem, const nlm_needs *needs, nlm_protocol protocol,
                                   nlm_training *training, nlm_error *error);

/* Learn the same with another model, "memnn" ("nlm": the machine itself), at the size that the paper gives
 * it. All else stays, so begin with the settings of the paper's protocol to compare as the paper does. */
nlm_status nlm_training_use_model(nlm_training *training, const char *model, nlm_error *error);

/* Templates: what differentiable ILP, the model "dilp", may define its target by.  From a file
 * (docs/formats.md, templates.pl), or those that the library has for a task; NLM_BAD_ARGUMENT if it has none.
 */
typedef struct nlm_templates nlm_templates;
nlm_status nlm_templates_read(const char *path, nlm_templates **templates, nlm_error *error);
nlm_status nlm_templates_of_task(const nlm_task *task, nlm_templates **templates, nlm_error *error);
void nlm_templates_free(nlm_templates *templates);
/* Learn the same with the model "dilp", as its authors do: 6,000 steps of RMSProp, each on a part of the
 * labels of one world.  All of them are made; the run has graduated if the last epoch's mean loss is below
 * the threshold, here 1e-4.  The settings point into the templates, which serve one training at a time. */
nlm_status nlm_training_use_templates(nlm_training *training, nlm_templates *templates, nlm_error *error);

/* The settings that a model or checkpoint was trained with, from its metadata; NLM_BAD_FILE if it has none,
 * or not of a task that this version knows.  `name` stands for the model in messages.  A problem is not in
 * the file: of one trained on facts, both task and problem are NULL, and `data` tells which facts.  Nor are
 * pictures: where `data` tells of some, the task wants its gallery before a run can begin.  The spec points
 * into the machine. */
nlm_status nlm_training_of(const nlm_machine *machine, const char *name, nlm_training *training,
                           nlm_error *error);
/* Whether a run with one is a run with the other: all settings are equal, the budget of epochs left out.  If
 * not, the error tells what differs. */
nlm_status nlm_training_compare(const nlm_training *found, const nlm_training *wanted, const char *name,
                                nlm_error *error);

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
nlm_status nlm_trainer_new(const nlm_training *training, const nlm_options *options, nlm_trainer **trainer,
                           nlm_error *error);
void nlm_trainer_free(nlm_trainer *trainer);
/* One step, or a part of an exam; *epoch_ended (NULL will do) tells whether it was the last of an epoch. Only
 * while the stage is NLM_LEARNING. */
nlm_status nlm_trainer_step(nlm_trainer *trainer, bool *epoch_ended, nlm_error *error);

nlm_stage nlm_trainer_stage(const nlm_trainer *trainer);
const nlm_training *nlm_trainer_settings(const nlm_trainer *trainer);
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
nlm_status nlm_trainer_load(const char *path, const nlm_training *training, const nlm_options *options,
                            nlm_trainer **trainer, nlm_error *error);

#ifdef __cplusplus
}
#endif
#endif
