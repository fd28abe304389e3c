/* nlm reproduce: all tasks and games, learned by all models with several seeds, in one folder that can be
 * gone on with.  A subject here is a task or game and the model that learns it; NAME is "uncle" of the
 * machine, and "uncle-memnn" or "uncle-dilp" of the others.
 *
 *     FOLDER/NAME/seed-N.nlm, .jsonl   a run's model and metrics, as those of nlm train --seeds
 *     FOLDER/NAME/seed-N.json          its outcome, written after its tests: the sign of a finished run
 *     FOLDER/results.json, results.md  all outcomes, written anew after every run and every minute
 *     FOLDER/report.html               all of it for a browser, written at the end
 *
 * What is here is shared by the parts of the command:
 *
 *     reproduce.c            the command line, and the order of things
 *     reproduce_subjects.c   what there is to reproduce, and how long it takes
 *     reproduce_published.c  what was published about it
 *     reproduce_outcome.c    the outcome of a run, to a file and back
 *     reproduce_folder.c     what is in the folder, and results.json
 *     reproduce_command.c    the command that makes the same runs
 *     reproduce_screen.c     how far it is
 *     reproduce_sums.c       sums over the seeds of a subject
 *     reproduce_models.c     the paper's tables: all models with what was published beside them
 *     reproduce_tables.c     these, the machine's in detail, and below what did not go well */
#ifndef CLI_REPRODUCE_H
#define CLI_REPRODUCE_H

#include <stdbool.h>
#include <stdio.h>
#include "crew.h"
#include "learner.h"
#include "progress.h"

enum {
    REPRODUCE_PATH = 4096,
    REPRODUCE_NAMES = 80,
    REPRODUCE_NAME = 64,
    REPRODUCE_TEXT = 512,
    REPRODUCE_COMMAND = 16384,
    REPRODUCE_WORLDS = 1000 /* of each test, as in the paper */
};

typedef struct reproduction reproduction;

/* ---- what there is to reproduce ---- */

typedef enum reproduce_model {
    REPRODUCE_NLM,
    REPRODUCE_MEMNN,
    REPRODUCE_DILP,
    REPRODUCE_MODELS
} reproduce_model;

/* "nlm", "memnn", "dilp" */
const char *reproduce_model_name(reproduce_model model);

/* The paper's tasks and games by the machine, the same by memory networks, its tasks by differentiable ILP;
 * then the tasks of differentiable ILP, by itself and by the machine. */
int reproduce_subjects(void);
task_or_game reproduce_subject(int index);
reproduce_model reproduce_model_of(int index);
/* "uncle", whoever learns it; and "uncle-memnn", its folder. */
const char *reproduce_task(int index);
const char *reproduce_name(int index);
/* One of Evans and Grefenstette's. */
bool reproduce_is_ilp(int index);
/* Of this task or game by this model; -1 if there is none. */
int reproduce_find(task_or_game what, reproduce_model model);

int reproduce_seeds(int index, bool quick);
/* Worlds or instances of each of its tests: of memory networks a tenth, of sort and blocks a hundredth, for
 * they take long. */
int reproduce_worlds(const reproduction *of, int index);
/* The machine's is chosen; the others have the paper's. */
nlm_protocol reproduce_protocol(const reproduction *of, int index);
/* What is to be trained, with seed 1; --quick leaves memory networks a tenth of their budget. */
nlm_status reproduce_make(const reproduction *of, int index, subject *made, nlm_error *error);
/* The epochs or episodes that it has. */
int reproduce_budget(const subject *of);
/* Whether that is what --quick leaves; false of 0, the budget of unfinished runs of other commands. */
bool reproduce_is_quick(const reproduction *of, int index, int budget);
void reproduce_sizes(int index, int sizes[LEARNER_SIZES]);

/* Seconds on one core of a machine of 2026, roughly: what counts is how they compare. */
typedef struct reproduce_cost {
    double train, test;
    double share; /* of the budget that a run uses */
    bool known;   /* to us; a guess for any task if not */
} reproduce_cost;

reproduce_cost reproduce_cost_of(const reproduction *of, int index);

/* What was published about a subject; what was not is below 0. */
typedef struct published {
    double share[LEARNER_SIZES], macro[LEARNER_SIZES]; /* right or solved; and the former, macro */
    double moves[LEARNER_SIZES];
    double solved; /* the share of runs that solve a task of differentiable ILP */
} published;

published reproduce_published(int index);

/* ---- outcomes ---- */

typedef struct outcome {
    int subject;
    uint64_t seed;
    bool wanted; /* by this command; others were in the folder */
    bool finished;
    char error[REPRODUCE_TEXT];   /* why it is not; "" if there was none */
    char refused[REPRODUCE_TEXT]; /* why its training cannot begin: it is finished, and has nothing below; or
                                     "" */
    /* of a finished run */
    int budget; /* epochs or episodes; 0 when nobody knows */
    bool graduated;
    int rounds, restarts; /* epochs or exams */
    long learned;         /* from so many examples or episodes */
    double seconds;       /* of training; below 0 when nobody knows */
    double test_seconds;
    nlm_score tests[LEARNER_SIZES];
} outcome;

/* Everything that the folder knows. */
struct reproduction {
    const char *folder;
    nlm_protocol protocol; /* of the machine */
    int worlds;            /* of each test */
    bool wanted[REPRODUCE_NAMES];
    int seeds; /* of each subject; 0: as many as reproduce_seeds has */
    bool quick;
    int threads;
    bool quiet;
    outcome *runs; /* by subject, then by seed */
    int count;
    double begun;      /* this command, as nlm_clock has it */
    double before;     /* seconds that earlier commands took */
    nlm_error trouble; /* the last file that could not be written; no message: none */
};

/* FOLDER/NAME/seed-N.json; false when that is too long. */
bool outcome_path(const reproduction *of, const outcome *one, const char *ending, char path[REPRODUCE_PATH]);
/* What a run that is done shows; the time of its training from its log if the run itself does not know. */
void outcome_take(outcome *to, const crew_run *from);
/* As a JSON object, without a line end. */
void outcome_write(FILE *file, const reproduction *of, const outcome *one);

typedef enum outcome_found {
    OUTCOME_READ,
    OUTCOME_NONE,   /* there is no file */
    OUTCOME_BROKEN, /* the file is damaged, or is not of this run */
    OUTCOME_OTHER   /* the run has another protocol or budget, or its tests other numbers of worlds */
} outcome_found;

outcome_found outcome_read(const reproduction *of, outcome *one);

/* ---- the folder ---- */

/* Make it or read it, with nobody else at work there; false after an error line.  `lock` is to be released at
 * the end; below 0 where there is none. */
bool folder_open(reproduction *of, nlm_lock **lock);
/* results.json and results.md; what fails is of->trouble. */
void folder_write_results(reproduction *of);
/* FOLDER/NAME; false when that is too long. */
bool folder_path(const reproduction *of, const char *name, char path[REPRODUCE_PATH]);
/* Seconds, with those of earlier commands. */
double reproduce_seconds(const reproduction *of);
/* "nlm reproduce --models nlm --tasks has-father,sort --seeds 2", which makes the same runs; several of them,
 * "&&" between them, where one is not enough.  In the caller's room, and returned. */
const char *reproduce_command(const reproduction *of, char text[REPRODUCE_COMMAND]);
/* "AMD EPYC", or "" when nobody knows. */
const char *reproduce_processor(char text[REPRODUCE_TEXT]);

/* ---- how far it is ---- */

typedef struct reproduce_screen {
    progress line;
    outcome *const *outcomes; /* of the crew's runs, in their order */
    reproduce_cost costs[REPRODUCE_NAMES];
    int done_before, all; /* runs */
    double cost_before, cost_all;
    int rows; /* on the terminal */
} reproduce_screen;

void reproduce_screen_begin(reproduce_screen *screen, const reproduction *of, outcome *const *outcomes);
void reproduce_screen_show(reproduce_screen *screen, crew *all);
void reproduce_screen_end(reproduce_screen *screen);

/* ---- tables ---- */

/* Graduated, and without an error in both tests. */
bool outcome_is_exact(const outcome *one);
/* A task of differentiable ILP: by itself when the squared error on the larger worlds is small enough, by the
 * machine when it makes no error in both tests. */
bool outcome_is_solved(const outcome *one);

/* Means over some runs; of moves over those that solve anything. */
typedef struct means {
    int runs;
    double share[LEARNER_SIZES], macro[LEARNER_SIZES]; /* macro: below 0 when nobody knows */
    double moves[LEARNER_SIZES], optimal[LEARNER_SIZES];
    int solving[LEARNER_SIZES];
} means;

typedef struct sums {
    int runs, finished, refused, graduated, exact, solved;
    int timed;
    double seconds; /* of training, on average over the timed */
    means graduates, all;
} sums;

sums sums_of(const reproduction *of, int index);

void tables_write_models(FILE *file, const reproduction *of, bool markdown);
void tables_write(FILE *file, const reproduction *of, bool markdown);

#endif
