/* Runs: one way to learn, whatever is learned.
 *
 *     nlm_run        a run: a task or facts learned from examples, or a game learned from rewards
 *     nlm_progress   how far it has come
 *     nlm_run_files  the files of a run: model, checkpoint, log
 *     nlm_advice     why it did not graduate, and what to try
 *
 * A run with files that has graduated goes on, if that is wanted, to find the program of its machine
 * (nlm/rules.h) and to cross-validate (nlm/evidence.h); its stage is NLM_LEARNING until that has ended, too.
 *
 * A run is counted in rounds: epochs of learning from examples, exams of learning from rewards.  The caller
 * owns the loop, shows progress and stops when it likes:
 *
 *     nlm_run_open(&settings, &options, &files, &run, &error);
 *     while (nlm_run_stage(run) == NLM_LEARNING && nlm_run_step(run, NULL, &error) == NLM_OK)
 *         continue;
 *     nlm_run_free(run);
 *
 * The same settings give the same bits, for any number of threads and however often a run was stopped and
 * taken up again.  A run belongs to one thread at a time; different runs share nothing. */
#ifndef NLM_RUN_H
#define NLM_RUN_H

#include "nlm/pass.h"
#include "nlm/settings.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nlm_run nlm_run;

typedef enum nlm_stage {
    NLM_LEARNING,
    NLM_GRADUATED,
    NLM_EXHAUSTED /* the budget is used up */
} nlm_stage;

/* The result of an epoch, measured while it changed the machine. */
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

/* The result of an exam, and of the episodes learned from before it. */
typedef struct nlm_exam {
    int exam;       /* its number, from 1; 0 before the first has ended */
    int lesson;     /* objects */
    bool candidate; /* the final exam */
    bool passed;
    long episodes; /* learned from since the run began */
    long drawn;    /* instances drawn since then, those of exams among them */
    int restarts;  /* since the run began */
    int asked, solved;
    double success, threshold; /* the share solved, and the share that is enough */
    double moves;              /* mean over the solved */
    double train_success;      /* share of the episodes since the exam before; so are the next two */
    double loss, entropy;
    double seconds; /* since the exam before */
    double elapsed; /* since the run began, pauses left out */
} nlm_exam;

enum { NLM_PROGRESS_LINE = 200 };

typedef struct nlm_progress {
    nlm_stage stage;
    int rounds;      /* epochs or exams that have ended */
    double fraction; /* of the budget, 0 to 1 */
    double elapsed;  /* seconds since the run began, pauses left out */
    nlm_epoch epoch; /* the last that ended, of learning from examples; else all 0 */
    nlm_exam exam;   /* the last that ended, of a game; else all 0 */
    int kept;        /* the round whose machine the model has: the last, unless facts were not learned */
    bool was_done;   /* nothing was left to do when the run was opened */
    int steps;       /* since the last round ended: batches or updates learned from */
    int asked;       /* of an exam that is going on: worlds or instances; 0: there is none */
    int lesson;      /* of a game, at present; and whether it is the final exam that is due */
    bool candidate;
    long episodes;      /* of a game: learned from since the run began */
    bool finding_rules; /* it has graduated, and its program is looked for */
    int literals;       /* of the program that was found; 0: none was */
} nlm_progress;

/* ---- a run ---- */

/* Settings are checked and copied; what they point to must outlive the run.  NULL: one thread. */
nlm_status nlm_run_new(const nlm_settings *settings, const nlm_options *options, nlm_run **run,
                       nlm_error *error);
/* Take up the run of a checkpoint, which is read once.  With settings, which runs on facts or pictures need,
 * a checkpoint of other settings is refused; the budget may differ, and is then the new one. */
nlm_status nlm_run_load(const char *path, const nlm_settings *settings, const nlm_options *options,
                        nlm_run **run, nlm_error *error);
void nlm_run_free(nlm_run *run);

/* One step: a batch, an update, or a part of an exam.  *round_ended (NULL will do) tells whether it was the
 * last of a round.  Only while the stage is NLM_LEARNING.  A run with files writes them when a round ends. */
nlm_status nlm_run_step(nlm_run *run, bool *round_ended, nlm_error *error);

nlm_stage nlm_run_stage(const nlm_run *run);
const nlm_settings *nlm_run_settings(const nlm_run *run);
nlm_machine *nlm_run_machine(nlm_run *run);
void nlm_run_progress(const nlm_run *run, nlm_progress *progress);
/* "epoch 12/200  loss 3.2e-05  accuracy 100 %  held out 99.9 %"; returns the text. */
const char *nlm_run_line(const nlm_run *run, char text[NLM_PROGRESS_LINE]);

/* The machine as a model file, with how it was trained as metadata: the same bits for the same settings. */
nlm_status nlm_run_save_model(nlm_run *run, const char *path, nlm_error *error);
/* A model file with all that the run needs to go on as if it had never stopped.  Only between two rounds. */
nlm_status nlm_run_save_checkpoint(nlm_run *run, const char *path, nlm_error *error);

/* ---- a run with its files ---- */

/* MODEL is written when the run has ended; an earlier file stays until then.  MODEL.checkpoint, written after
 * every round, is where the run goes on from; it is removed once the machine has graduated and MODEL is
 * there.  The log has one JSON object per round.  MODEL.lock is there while a run is at work: a second run of
 * the same model is refused. */
typedef struct nlm_run_files {
    const char *model; /* path */
    const char *log;   /* path, or NULL */
    bool resume;       /* go on where the checkpoint is, begin where there is none */
    bool force;        /* begin although there is a checkpoint of an unfinished run */
    bool rules;        /* a run that has graduated goes on to find its program, and MODEL becomes that */
    bool validate;     /* of facts, with `rules`: cross-validation where too little is held out */
    bool shared;       /* of a pool: other processes may be at work on the same runs (nlm/run_pool.h) */
} nlm_run_files;

/* Begin a run, or take it up again; what would fail or lose something later is refused now.  A run that is
 * to be resumed and has graduated already comes with the stage NLM_GRADUATED.  The paths must outlive the
 * run. */
nlm_status nlm_run_open(const nlm_settings *settings, const nlm_options *options, const nlm_run_files *files,
                        nlm_run **run, nlm_error *error);
/* The refusals of nlm_run_open alone: nothing is computed or written. */
nlm_status nlm_run_check_files(const nlm_settings *settings, const nlm_run_files *files, nlm_error *error);

/* Why a run that was to find its program has none; "" if it has, or none was wanted. */
const char *nlm_run_no_rules(const nlm_run *run);

/* ---- tests ---- */

enum { NLM_RUN_SIZES = 2 };

/* The two sizes that runs are tested at: objects of the paper's two tests, or of facts 0 for those learned
 * from and 1 for those held out. */
void nlm_run_sizes(const nlm_settings *settings, int sizes[NLM_RUN_SIZES]);

/* ---- advice ---- */

enum { NLM_ADVICE_TEXT = 400, NLM_ADVICE_SETTINGS = 64, NLM_MOST_ADVICE = 12 };

typedef struct nlm_advice {
    bool is_reason;                     /* why the run did not graduate; or else something to try */
    bool resume;                        /* to try it, go on with the run */
    char text[NLM_ADVICE_TEXT];         /* "a deeper machine" */
    char settings[NLM_ADVICE_SETTINGS]; /* "depth=5 breadth=3", or "" */
} nlm_advice;

/* Why a run that has ended did not graduate and what to try, in the order to be shown; their number, at most
 * NLM_MOST_ADVICE.  `needs` of facts, if known. */
int nlm_run_advice(const nlm_run *run, const nlm_needs *needs, nlm_advice advice[NLM_MOST_ADVICE]);
/* The course of the loss, to follow "the loss": "is still falling". */
const char *nlm_run_loss_text(const nlm_run *run);

#ifdef __cplusplus
}
#endif
#endif
