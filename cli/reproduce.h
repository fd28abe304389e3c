/* nlm reproduce: all tasks and games with several seeds, in one folder that can be gone on with.
 *
 *     FOLDER/TASK/seed-N.nlm, .jsonl   a run's model and metrics, as those of nlm train --seeds
 *     FOLDER/TASK/seed-N.json          its outcome, written after its tests: the mark of a finished run
 *     FOLDER/results.json, results.md  all outcomes, written anew after every run and every minute
 *     FOLDER/report.html               all of it for a browser, written at the end
 *
 * What is here is shared by the parts of the command:
 *
 *     reproduce.c          the command line, and the order of things
 *     reproduce_outcome.c  the outcome of a run, to a file and back
 *     reproduce_folder.c   what is in the folder, and results.json
 *     reproduce_screen.c   how far it is
 *     reproduce_tables.c   the paper's tables with ours beside them */
#ifndef CLI_REPRODUCE_H
#define CLI_REPRODUCE_H

#include <stdbool.h>
#include <stdio.h>
#include "crew.h"
#include "learner.h"
#include "progress.h"

enum { REPRODUCE_PATH = 4096, REPRODUCE_NAMES = 16, REPRODUCE_TEXT = 512, REPRODUCE_COMMAND = 2048 };

/* ---- what there is to reproduce ---- */

/* The tasks and then the games of the registry. */
int reproduce_subjects(void);
task_or_game reproduce_subject(int index);
const char *reproduce_name(int index);

/* Seconds on one core of a machine of 2026, roughly: what counts is how they compare. */
typedef struct reproduce_cost {
    double train, test;
    double share; /* of the budget that a run uses */
    bool known;   /* to us; a guess for any task if not */
} reproduce_cost;

reproduce_cost reproduce_cost_of(int index, nlm_protocol protocol, int worlds);

/* ---- outcomes ---- */

typedef struct outcome {
    int subject;
    uint64_t seed;
    bool wanted; /* by this command; others were in the folder */
    bool finished;
    char error[REPRODUCE_TEXT]; /* why it is not; "" if there was none */
    /* of a finished run */
    bool graduated;
    int rounds, restarts; /* epochs or exams */
    long learned;         /* from so many examples or episodes */
    double seconds;       /* of training; below 0 when nobody knows */
    double test_seconds;
    mark tests[LEARNER_SIZES];
} outcome;

/* Everything that the folder knows. */
typedef struct reproduction {
    const char *folder;
    nlm_protocol protocol;
    int worlds; /* of each test */
    bool wanted[REPRODUCE_NAMES];
    int seeds;
    int threads;
    bool quiet;
    outcome *runs; /* by subject, then by seed */
    int count;
    double begun;      /* this command, as now_seconds has it */
    double before;     /* seconds that earlier commands took */
    nlm_error trouble; /* the last file that could not be written; no message: none */
} reproduction;

void reproduce_sizes(int index, int sizes[LEARNER_SIZES]);
/* FOLDER/TASK/seed-N.json; false when that is too long. */
bool outcome_path(const reproduction *of, const outcome *one, const char *ending, char path[REPRODUCE_PATH]);
/* What a run that is done shows; the time of its training from its log if the run itself does not know. */
void outcome_take(outcome *to, const crew_run *from);
/* As a JSON object, without a line end. */
void outcome_write(FILE *file, const reproduction *of, const outcome *one);

typedef enum outcome_found {
    OUTCOME_READ,
    OUTCOME_NONE,   /* there is no file */
    OUTCOME_BROKEN, /* the file is damaged, or is not of this run */
    OUTCOME_OTHER   /* the run has another protocol, or its tests other numbers of worlds */
} outcome_found;

outcome_found outcome_read(const reproduction *of, outcome *one);

/* ---- the folder ---- */

/* Make it or read it, with nobody else at work there; false after an error line.  `lock` is to be closed at
 * the end; below 0 where there is none. */
bool folder_open(reproduction *of, int *lock);
/* results.json and results.md; what fails is of->trouble. */
void folder_write_results(reproduction *of);
/* FOLDER/NAME; false when that is too long. */
bool folder_path(const reproduction *of, const char *name, char path[REPRODUCE_PATH]);
/* Seconds, with those of earlier commands. */
double reproduce_seconds(const reproduction *of);
/* "nlm reproduce --tasks has-father,sort --seeds 2", which makes the same runs; one such command for each
 * number of seeds, "&&" between them.  In the caller's room, and returned. */
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

void tables_write(FILE *file, const reproduction *of, bool markdown);

#endif
