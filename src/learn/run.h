/* A run inside the library: the part that all runs share, and the functions of a kind of run.
 *
 * A kind of run is a struct that begins with struct nlm_run.  There are two: learning from examples
 * (from_examples.h) and from rewards (from_rewards.h). */
#ifndef LEARN_RUN_H
#define LEARN_RUN_H

#include <stdio.h>
#include "learn/run_file.h"
#include "machine/optimizer.h"
#include "nlm/file.h"
#include "nlm/run.h"

/* Apart from each other and from the seeds that people choose: seeds of the weights after a restart. */
#define RESTART_SEEDS 0x9e3779b97f4a7c15u

enum { LOSS_CURVE_RECENT = 10 };

/* The losses of the epochs since the present weights were new. */
struct loss_curve {
    int epochs, restarts;
    double first, least;
    double recent[LOSS_CURVE_RECENT]; /* a ring */
};

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

struct nlm_run {
    const struct run_type *type;
    nlm_settings settings;
    nlm_stage stage;
    nlm_machine *machine;
    nlm_optimizer *optimizer;
    struct loss_curve curve;
    bool was_done;

    /* of a run with files */
    nlm_run_files files;
    char *checkpoint; /* path; NULL: it has no files */
    nlm_lock *lock;
    FILE *log;
};

extern const struct run_type run_from_examples, run_from_rewards;

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
