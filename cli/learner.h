/* What `nlm train` trains, behind one interface: tasks and users' facts, learned from examples, and games,
 * learned from rewards.
 *
 *     subject   what is learned, and how
 *     learner   a run of it
 *     report    how far a run has come
 *
 * Runs are counted in rounds: the epochs of a task, the exams of a game.  After each there is a line in the
 * log and a checkpoint. */
#ifndef CLI_LEARNER_H
#define CLI_LEARNER_H

#include <stdbool.h>
#include <stdio.h>
#include "curve.h"
#include "find_task.h"
#include "nlm/nlm.h"

typedef struct subject {
    const struct learner_kind *kind;
    union {
        nlm_settings training; /* of a task or facts */
        nlm_settings course;   /* of a game */
    };
    const char *name;       /* of facts: their folder or file */
    const nlm_needs *needs; /* of facts, if known */
} subject;

typedef struct learner {
    const struct learner_kind *kind;
    union {
        nlm_trainer *trainer;
        nlm_student *student;
    };
} learner;

typedef struct report {
    nlm_stage stage; /* NLM_LEARNING: interrupted */
    int rounds;
    bool endless;    /* of a task: one never graduates, and learns as long as the budget lasts */
    bool was_done;   /* to be resumed, but there was nothing left to do */
    bool refused;    /* there can be no such training; more memory would not help */
    nlm_epoch epoch; /* of a task or facts: the last one, and the losses up to it */
    curve curve;
    int kept;      /* the epoch whose machine is in the model */
    nlm_exam exam; /* of a game: the last one */
} report;

enum { LEARNER_SIZES = 2, LEARNER_FACTS_SIZE = 200 };

/* Tasks or games.  Functions that can fail leave nothing behind when they do. */
typedef struct learner_kind {
    const char *round; /* "epoch" or "exam" */

    /* Subjects: the one that a machine was trained with, from its metadata; and whether two are the same run,
     * the budget left out. */
    nlm_status (*recorded)(const nlm_machine *machine, const char *path, subject *found, nlm_error *error);
    nlm_status (*compare)(const subject *found, const subject *wanted, const char *path, nlm_error *error);

    /* Runs, as in nlm/learn.h and nlm/play.h. */
    nlm_status (*begin)(const subject *of, const nlm_options *options, learner *made, nlm_error *error);
    nlm_status (*load)(const char *path, const subject *of, const nlm_options *options, learner *made,
                       nlm_error *error);
    void (*end)(learner *run);
    nlm_status (*step)(learner *run, bool *round_ended, nlm_error *error);
    nlm_stage (*stage)(const learner *run);
    void (*settings)(const learner *run, subject *settings);
    nlm_status (*save_model)(learner *run, const char *path, nlm_error *error);
    nlm_status (*save_checkpoint)(learner *run, const char *path, nlm_error *error);

    /* Reports: of a run, at its beginning and after every round; and of the one that made a machine. */
    void (*record)(const learner *run, report *to);
    void (*recall)(const nlm_machine *machine, report *to);
    nlm_status (*log)(const report *of, const subject *settings, FILE *log, const char *path,
                      nlm_error *error);

    /* Texts: how much of the budget is used, 0 to 1, and what is going on; how it ended, on standard output.
     */
    double (*fraction)(const learner *run);
    void (*facts)(const learner *run, char text[LEARNER_FACTS_SIZE]);
    void (*say_graduated)(const subject *of, const char *model, const report *result);
    void (*say_exhausted)(const subject *of, const report *result);

    /* Tests at two sizes, those of the paper, until `stop` is not 0 (of facts: on what was learned from, and
     * on what was held out); and their table, with its last line: how many graduated, and how many of these
     * were flawless. */
    void (*sizes)(const subject *of, int sizes[LEARNER_SIZES]);
    nlm_status (*test)(nlm_machine *machine, const subject *of, int objects, int count,
                       const nlm_options *options, int (*stop)(void), nlm_score *result, nlm_error *error);
    void (*print_head)(const int sizes[LEARNER_SIZES]);
    void (*print_row)(uint64_t seed, const report *result, const nlm_score scores[LEARNER_SIZES]);
    void (*print_sum)(const subject *of, int seeds, int graduated, int flawless, int asked);
} learner_kind;

extern const learner_kind learner_of_tasks, learner_of_facts, learner_of_games;

/* ---- subjects ---- */

nlm_status subject_default(task_or_game what, nlm_protocol protocol, subject *made, nlm_error *error);
/* Facts have a name and what they need beside their training. */
subject subject_of_facts(const nlm_settings *training, const char *name, const nlm_needs *needs);
/* Learned by another model: "memnn", "dilp" or, as before, "nlm".  Of "dilp" with the templates that the
 * library has for the task. */
nlm_status subject_use_model(subject *of, const char *model, nlm_error *error);
/* ... or with those of a file. */
nlm_status subject_use_templates(subject *of, const char *path, nlm_error *error);
/* Subjects point to their templates until this. */
void subject_free_templates(void);
const char *subject_name(const subject *of);
nlm_spec *subject_spec(subject *of);
uint64_t subject_seed(const subject *of);
void subject_set_seed(subject *of, uint64_t seed);

/* Whether a run of it can graduate; otherwise it is a task that is learned as long as the budget lasts. */
bool subject_has_goal(const subject *of);

/* That a machine from a file is what a run of the subject made. */
nlm_status subject_check(const subject *wanted, const nlm_machine *machine, const char *path,
                         nlm_error *error);

/* ---- learners ---- */

/* Take up the run of a checkpoint, whatever it is of if `wanted` is NULL. */
nlm_status learner_load(const char *path, const subject *wanted, const nlm_options *options, learner *made,
                        nlm_error *error);
/* How far the run of a checkpoint has come, if it is one on facts, which cannot be taken up without them. The
 * subject points into the machine, which is the caller's to free; it is NULL otherwise. */
bool learner_peek(const char *path, subject *of, report *so_far, nlm_machine **machine);
/* Of a learner that was made, or of one that is all zero. */
void learner_end(learner *run);

/* A test that was made, to its end or until `stop` is not 0; it is freed in any case. */
nlm_status learner_test(nlm_status made, nlm_test *test, int count, int (*stop)(void), nlm_score *result,
                        nlm_error *error);

/* ---- texts ---- */

/* A number from the metadata of a file that anyone may have written; 0 if there is none. */
double learner_metadata(const nlm_machine *machine, const char *key);
/* " and 2.1 s" of a run, or nothing of a model that was there; ", 1 restart among them", or nothing. */
void learner_print_time(const report *of, double elapsed);
void learner_print_restarts(int restarts);
/* What to try in any case. */
void learner_print_other_seeds(uint64_t seed);

#endif
