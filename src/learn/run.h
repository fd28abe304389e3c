/* A run inside the library: the part that all runs share, and the functions of a kind of run.
 *
 * A kind of run is a struct that begins with struct nlm_run.  There are two: learning from examples
 * (from_examples.h) and from rewards (from_rewards.h).
 *
 *     run.c          life, steps, metadata of models and checkpoints, resuming
 *     run_output.c   paths of a run's files, the lock, when which file is written
 *     run_log.c      lines of the log
 *     run_rules.c    the program of a run that has graduated, and its cross-validation
 *     run_clauses.c  clauses in the course of a run on facts
 *     advice.c       why a run did not graduate
 *
 * Invariants.  A run changes only in its step function.  Between two rounds its whole state is what a
 * checkpoint holds, so a run that is stopped there and resumed computes the same bits as one that was not. */
#ifndef LEARN_RUN_H
#define LEARN_RUN_H

#include <stdio.h>
#include "base/error.h"
#include "learn/clause_program.h"
#include "learn/settings.h"
#include "machine/machine.h"
#include "machine/safetensors.h"
#include "machine/optimizer.h"
#include "nlm/evidence.h"
#include "nlm/file.h"
#include "nlm/rules.h"
#include "nlm/run.h"

/* Restart number k of seed s takes its weights from seed s + k RESTART_SEEDS.  The odd factor is 2^64 divided
 * by the golden ratio: these seeds stay far apart, and far from the small seeds that people choose. */
#define RESTART_SEEDS 0x9e3779b97f4a7c15u

/* Epochs that are compared to tell whether the loss still falls. */
enum { LOSS_CURVE_RECENT = 10 };

/* The losses of the epochs since the present weights were new, as far as advice needs them: the first, the
 * least, and the last LOSS_CURVE_RECENT.  It is not in checkpoints: a resumed run begins another curve, and
 * advice then says that there were too few epochs to tell. */
struct loss_curve {
    int epochs, restarts;
    double first, least;
    double recent[LOSS_CURVE_RECENT]; /* a ring */
};

/* ---- files ---- */

/* The files of a run: metadata as pairs of texts, read without trust, and the optimiser's moments as two
 * tensors beside the machine's.
 *
 * A checkpoint is a model file with these tensors and more metadata; docs/formats.md lists all of it.
 * Numbers are written so that reading gives the same bits.
 *
 * A file may come from anywhere.  Whatever is read is checked for type, range and consistency before the run
 * uses it, and a refusal names the file and the key. */

/* ---- state ---- */

/* A number of a run's state: its key in the metadata, its place in the struct and its range, from 0 on.  Rows
 * end with one without a key.  One table serves the writer, the reader and the checks, so they cannot
 * disagree. */
enum state_kind { STATE_INT, STATE_LONG, STATE_NUMBER, STATE_COUNT, STATE_REAL, STATE_FLAG };

struct state_row {
    const char *key;
    enum state_kind kind; /* int, long, uint64_t, size_t, double; bool, as "no" or "yes" */
    size_t place;
    double most;
};

#define STATE_MOST 0x1p53 /* whole numbers that a double holds exactly */

/* ---- writing ---- */

enum { RUN_MOST_PAIRS = 96 }; /* far more than there are */

/* Metadata on their way into a file.  The library's pairs are constants or are printed into `texts`, so no
 * memory is allocated; a text that is kept as a pointer must live until the file is written. */
struct run_pairs {
    int count;
    const char *pairs[2 * RUN_MOST_PAIRS];
    char texts[RUN_MOST_PAIRS][NLM_SETTING_TEXT];
};

/* The text is kept as a pointer. */
void run_add_text(struct run_pairs *to, const char *key, const char *text);
void run_add_printed(struct run_pairs *to, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void run_add_state(struct run_pairs *to, const struct state_row *rows, const void *state);
/* Which version made it, with which kernels. */
void run_add_maker(struct run_pairs *to, const nlm_options *options);

/* A tensor of one dimension. */
safetensors_entry run_tensor(const char *name, size_t count, const float *values);
/* A model file with the pairs, Adam's moments, and `more` tensors; gradients that ran away are refused. */
nlm_status run_save(nlm_machine *machine, const nlm_optimizer *optimizer, double rate, const char *path,
                    const struct run_pairs *pairs, const safetensors_entry *more, int more_count,
                    nlm_error *error);

/* ---- reading ---- */

/* A file that is being read.  `machine` is made from it and has its metadata; `file` has the tensors that are
 * no machine's, and is NULL where only metadata are wanted. */
struct run_reader {
    const char *path;
    const safetensors *file;
    const nlm_machine *machine; /* from the file */
    nlm_error *error;
};

/* "path: cause", as NLM_BAD_FILE. */
#define RUN_REFUSE(in, ...) error_in_file((in)->error, NLM_BAD_FILE, (in)->path, __VA_ARGS__)

/* The text of a key, owned by the reader's machine; refused if it is missing. */
nlm_status run_get_text(const struct run_reader *in, const char *key, const char **text);
/* All rows, each of which must be there and in its range.  A refusal may leave some of them set. */
nlm_status run_get_state(const struct run_reader *in, const struct state_row *rows, void *state);
/* The same from a model that anyone may have written: what is missing or out of its range is 0. */
void run_recall_state(const nlm_machine *machine, const struct state_row *rows, void *state);
/* Digits, with nothing before them; *text is then what comes after. */
bool run_get_digits(const char **text, uint64_t *number);
/* `count` finite numbers. */
nlm_status run_get_tensor(const struct run_reader *in, const char *name, size_t count, float *values);

/* ---- rules (run_rules.c) ---- */

/* Begin to look for the program of the model file of a graduated run, if that is wanted and possible; and of
 * others for clauses, if it is time. */
nlm_status run_begin_rules(nlm_run *run, nlm_error *error);
/* One step of it; at its end the model file has the program, or says why there is none. */
nlm_status run_step_rules(nlm_run *run, nlm_error *error);
void run_end_rules(nlm_run *run);
/* The program's model in the place of the trained machine's, or that again with the reason. */
nlm_status run_save_rules(nlm_run *run, nlm_error *error);

/* Of a run on facts (run_clauses.c): begin to look for clauses, if it is time; the search has ended: end the
 * run with them, or go on as if nothing had been. */
nlm_status run_begin_clauses(nlm_run *run, nlm_error *error);
nlm_status run_end_clauses(nlm_run *run, nlm_error *error);

/* ---- runs ---- */

/* The functions of a kind of run.  They are called by run.c and run_output.c only, after the checks that both
 * kinds share: `step` while the stage is NLM_LEARNING, `save` between two rounds. */
struct run_type {
    const char *round;      /* "epoch" or "exam" */
    const char *file_state; /* metadata 'state' of its checkpoints; another number is another version's */
    size_t size;            /* of its struct */
    nlm_status (*check)(const nlm_settings *settings, nlm_error *error);
    /* Of a run with checked settings; what it has made when it fails is released by the caller. */
    nlm_status (*init)(nlm_run *run, const nlm_options *options, nlm_error *error);
    void (*release)(nlm_run *run);
    nlm_status (*step)(nlm_run *run, bool *round_ended, nlm_error *error);
    /* All that does not come from struct nlm_run. */
    void (*progress)(const nlm_run *run, nlm_progress *progress);
    void (*line)(const nlm_run *run, const nlm_progress *progress, char text[NLM_PROGRESS_LINE]);

    /* Files: metadata of models and checkpoints, and of checkpoints alone with tensors and texts of their
     * own; `texts` are to be freed. */
    nlm_status (*describe)(const nlm_run *run, struct run_pairs *to, nlm_error *error);
    nlm_status (*save)(nlm_run *run, const char *path, struct run_pairs *to, nlm_error *error);
    nlm_status (*read)(nlm_run *run, const struct run_reader *in);
    /* Exchange the parameters for those that the model has, if they are others; and back. */
    void (*exchange)(nlm_run *run);
    /* How far the run of a model came, from its metadata, without trust or complaint. */
    void (*recall)(nlm_run *run, const nlm_machine *model);
};

/* What all runs have.  The run owns its machine, optimiser, lock, log and `checkpoint`; the paths in `files`
 * and what the settings point to (task, problem, game) are the caller's and must outlive it. */
struct nlm_run {
    const struct run_type *type;
    nlm_settings settings;
    nlm_stage stage;
    nlm_machine *machine;
    nlm_optimizer *optimizer;
    nlm_signature *own_signature; /* of a task of a program's own, once a file was written */
    struct loss_curve curve;
    bool was_done; /* it was resumed, and its model says that it had graduated: there is nothing to do */

    /* of a run with files */
    nlm_run_files files;
    char *checkpoint; /* path; NULL: it has no files */
    nlm_lock *lock;
    FILE *log;

    /* Of a run that has graduated and whose program is looked for: the stage is NLM_LEARNING until that has
     * ended.  `trained` is the machine of the model file, which is there by then. */
    nlm_options options; /* of all its work */
    nlm_machine *trained;
    rule_clauses clauses;    /* it has not graduated: the search is for these ... */
    nlm_stage after_clauses; /* ... and this is its stage if there are none */
    bool stays_exhausted;    /* from pictures: its stage is NLM_EXHAUSTED again when the search has ended */
    nlm_rule_search *search;
    char no_rules[200];            /* why there are none */
    struct validation *validation; /* after the search */
    nlm_answers validated;         /* its result; all 0: there was none */
};

extern const struct run_type run_from_examples, run_from_rewards;

/* Games are learned from rewards, all others from examples. */
const struct run_type *run_type_of(const nlm_settings *settings);
nlm_status run_check_settings(const nlm_settings *settings, nlm_error *error);
/* nlm_run_new and nlm_run_load, with settings that are checked. */
nlm_status run_make(const nlm_settings *settings, const nlm_options *options, nlm_run **run,
                    nlm_error *error);
nlm_status run_resume(const char *path, const nlm_settings *settings, const nlm_options *options,
                      nlm_run **run, nlm_error *error);

/* ---- run_output.c ---- */

/* When a round has ended: log, then checkpoint; at the end of the run the model, then no checkpoint. */
nlm_status run_write_files(nlm_run *run, nlm_error *error);
nlm_status run_write_model(nlm_run *run, nlm_error *error);
void run_close_files(nlm_run *run);

/* ---- advice.c ---- */

enum loss_shape {
    LOSS_SHORT,   /* too few epochs to tell */
    LOSS_FLAT,    /* never came down from where it began */
    LOSS_JUMPED,  /* was much lower before */
    LOSS_FALLING, /* still coming down */
    LOSS_STUCK    /* came down, and has not moved since */
};

void loss_curve_add(struct loss_curve *curve, const nlm_epoch *epoch);
enum loss_shape loss_shape_of(const struct loss_curve *curve);
/* "is still falling", to follow "the loss". */
const char *loss_shape_text(enum loss_shape shape);

#endif
