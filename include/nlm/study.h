/* Studies: results of runs, runs found in folders, and the paper's tables from nothing.
 *
 *     nlm_result       what one run has reached, as its file tells it
 *     nlm_sums         the same over several seeds
 *     nlm_found_runs   runs of any kind, by the files that they left
 *     nlm_study        one folder with runs of tasks and games by several models, and its tables */
#ifndef NLM_STUDY_H
#define NLM_STUDY_H

#include <stdint.h>
#include "nlm/log.h"
#include "nlm/run_pool.h"
#include "nlm/test.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NLM_RESULT_NAME 64
#define NLM_RESULT_TEXT 512
#define NLM_TEST_SIZES 2 /* tests are held at two sizes, as in the paper */

/* ---- results ---- */

/* Numbers that nobody knows are -1. */
typedef struct nlm_result {
    char task[NLM_RESULT_NAME];  /* or game; of facts the targets, "aunt/2, uncle/2", those that fit */
    char model[NLM_RESULT_NAME]; /* who learned: "nlm", "memnn" or "dilp" */
    char protocol[NLM_RESULT_NAME];
    bool seed_known;
    uint64_t seed;
    nlm_world_kind kind;           /* of the worlds that were learned from, of a task */
    int worlds;                    /* of each test; of facts -1 */
    bool finished;                 /* false: nothing below but perhaps an error */
    bool complete;                 /* its file has all that the file of a finished run has */
    char error[NLM_RESULT_TEXT];   /* why it is not finished; "" if there was none */
    char refused[NLM_RESULT_TEXT]; /* why its training cannot begin: it is finished, and has nothing below */
    char date[NLM_RESULT_NAME];    /* when it was finished, UTC, and on which machine; "": not recorded */
    char machine[NLM_RESULT_TEXT];
    int budget; /* epochs or episodes; 0: not recorded */
    bool graduated;
    int rounds, restarts; /* epochs or exams */
    long learned;         /* examples or episodes */
    long drawn; /* all worlds or instances drawn for it: with those passed over and those of exams */
    double seconds, test_seconds;
    int tests;
    nlm_score
        test[NLM_TEST_SIZES]; /* objects, asked, failed (0 or more), right and what belongs to the kind; of
                                 facts on what was learned from and, if something was, on what was held out */
    int rich_tests; /* the same on rich worlds, where they were held; the above are then on the paper's */
    nlm_score rich[NLM_TEST_SIZES];
    nlm_job_program program; /* of a run that graduated, if one was looked for */
} nlm_result;

/* In place of the number of wrong answers of a test, where the file does not tell it. */
#define NLM_WRONG_UNKNOWN SIZE_MAX

/* What a job has come to that is done or was stopped. */
void nlm_result_of_job(const nlm_job *job, nlm_result *result);
/* The other way round: a job that another process has finished gets what its file tells, scores and length of
 * the run.  False if there is no whole result of this run, or no model. */
bool nlm_job_read_result(nlm_job *job);
/* To a file, with the date and the machine, which the result gets. */
nlm_status nlm_result_save(nlm_result *result, const char *path, nlm_error *error);

/* Graduated, and without an error in both tests. */
bool nlm_result_is_exact(const nlm_result *result);
/* As differentiable ILP's authors count: itself when the squared error on the larger worlds is below 1e-4,
 * others when they make no error in both tests. */
bool nlm_result_is_solved(const nlm_result *result);

/* Means over some runs; of moves over those that solve anything. */
typedef struct nlm_means {
    int runs;
    int tested[NLM_TEST_SIZES], solving[NLM_TEST_SIZES]; /* how many have a share, and how many one above 0 */
    double share[NLM_TEST_SIZES], macro[NLM_TEST_SIZES];
    double moves[NLM_TEST_SIZES], optimal[NLM_TEST_SIZES];
} nlm_means;

typedef struct nlm_sums {
    int runs, finished, refused, graduated, exact, solved;
    int rich, rich_exact; /* tested on rich worlds, and of these graduated and without an error there */
    int timed, drawing;
    double drawn;   /* for each one learned from, on average over the graduated that tell (drawing) */
    double seconds; /* of training, on average over the timed */
    nlm_means graduates, all;
} nlm_sums;

/* Into sums that were all zero at first; then make means of the sums, once. */
void nlm_sums_add(nlm_sums *sums, const nlm_result *result);
void nlm_sums_end(nlm_sums *sums);

/* ---- runs found in folders ---- */

/* A run is what files of the same name tell: NAME.nlm (model), NAME.nlm.checkpoint (to go on from),
 * NAME.jsonl (log) and NAME.json (result), one or all of them.  results.json tells about all runs of its
 * folder.  Files that cannot be read are noted; the rest is used. */
typedef struct nlm_found_runs nlm_found_runs;

typedef enum nlm_found_state {
    NLM_FOUND_GRADUATED,
    NLM_FOUND_NOT_GRADUATED, /* its budget is used up */
    NLM_FOUND_LEARNED,       /* the same, of a task that none graduates from */
    NLM_FOUND_GOING,         /* it still goes on, or was stopped */
    NLM_FOUND_FAILED,        /* it ended with an error */
    NLM_FOUND_UNKNOWN        /* there is a log and nothing else */
} nlm_found_state;

/* Texts are the list's.  Numbers that are not known are NaN. */
typedef struct nlm_found_run {
    const char *key;                /* where it is: the same for the same run */
    const char *folder, *name;      /* as given */
    const char *model, *checkpoint; /* paths; NULL if not there, or no good */
    const char *title;              /* what it learns: a task's name, or what stands for it */
    const char *by;                 /* the model that learns: "" for the machine, "memnn", "dilp" */
    const char *protocol;           /* "" if not known */
    const char *differs; /* settings that are not the protocol's, seed and budget left out: "depth 5,
                            lr 0.01"; of facts the size of the machine.  "" if none, or not known */
    const nlm_task *task;
    const nlm_game *game;
    const char *at_work; /* of a game: how its agents choose moves, nlm_work_text; "" if not known */
    bool of_facts;
    bool drawn;    /* it learned from drawn images, */
    uint64_t data; /* and else from those that are told by this */
    bool usual;    /* the settings are known, and those of the protocol */
    int budget;    /* epochs or episodes, where they are not the usual ones; else 0 */
    bool seed_known;
    uint64_t seed;
    bool has_goal; /* a file of the machine says that one can graduate from it ... */
    bool has_none; /* ... or not; without a file it is as usual for the task */
    nlm_found_state state;
    nlm_log log;
    bool has_result;
    nlm_result result;
    double rounds, amount, restarts, seconds;
} nlm_found_run;

/* The setting of all runs of a folder: the beginning of its results.json. */
typedef struct nlm_found_setting {
    const char *key, *folder; /* the same for the same folder; as given */
    char version[NLM_RESULT_NAME], protocol[NLM_RESULT_NAME];
    char processor[NLM_RESULT_TEXT], command[NLM_RESULT_TEXT];
    int cores, worlds; /* 0 and -1: not known */
    double seconds;    /* NaN: not known */
} nlm_found_setting;

nlm_status nlm_found_new(nlm_note note, void *context, nlm_found_runs **runs, nlm_error *error);
void nlm_found_free(nlm_found_runs *runs);
/* All runs of a folder, down to its subfolders' subfolders and of not too many files (both are noted), or the
 * one that a file belongs to; those that are in the list already are not added again.  NLM_BAD_FILE if
 * nothing there is a run. */
nlm_status nlm_found_add(nlm_found_runs *runs, const char *path, nlm_error *error);
/* In the order of the registries, then by title, model, protocol, settings and seed. */
void nlm_found_sort(nlm_found_runs *runs);
int nlm_found_count(const nlm_found_runs *runs);
const nlm_found_run *nlm_found_at(const nlm_found_runs *runs, int index);
int nlm_found_settings(const nlm_found_runs *runs);
const nlm_found_setting *nlm_found_setting_at(const nlm_found_runs *runs, int index);
/* Whether two runs learn the same thing. */
bool nlm_found_same_task(const nlm_found_run *a, const nlm_found_run *b);
/* The end of the group of runs, alike in all but seed and budget, that begins with number `first`; of a list
 * that was sorted. */
int nlm_found_group_end(const nlm_found_runs *runs, int first);

/* ---- subjects: a task or game, and the model that learns it ---- */

typedef struct nlm_subject {
    char name[NLM_RESULT_NAME]; /* "uncle", "uncle-memnn": also its folder */
    const char *what;           /* "uncle", whoever learns it */
    const char *model;          /* "nlm", "memnn", "dilp" */
    const nlm_task *task;       /* one of the two */
    const nlm_game *game;
    bool ilp;                  /* one of Evans and Grefenstette's tasks */
    bool pictures;             /* objects show pictures; nobody graduates */
    int sizes[NLM_TEST_SIZES]; /* objects in tests */
} nlm_subject;

/* ---- studies ---- */

typedef struct nlm_study nlm_study;

typedef struct nlm_study_plan {
    const char *folder;
    nlm_protocol protocol;    /* of the machine; the others have the paper's */
    int worlds;               /* of each test; of memory networks fewer, for they take long */
    int seeds;                /* of each subject; 0: as many as is usual for it */
    bool quick;               /* one seed, and a tenth of the budget of memory networks */
    bool rules;               /* the machine's runs end with the search for its program; runs of the folder
                                 that were made without go on with it */
    const nlm_task *pictured; /* the task with pictures, and those that it shows; NULL: drawn digits */
    const char *records;      /* a folder of results that count as finished runs, without their models, and to
                                 which new ones are added; NULL: none */
    const char *notes;        /* a file whose text results.md has at its end, marked as written by hand; NULL:
                                 none */
} nlm_study_plan;

/* A run of the folder, or one that is wanted. */
typedef struct nlm_study_run {
    const nlm_subject *subject;
    bool wanted;   /* by this study; others were in the folder */
    bool recorded; /* its result is among the records; its model and log need not be here */
    nlm_result result;
} nlm_study_run;

/* Seconds on one core of a machine of 2026, roughly: they serve for comparison. */
typedef struct nlm_cost {
    double train, test;
    double rules; /* to find the program, where that is wanted */
    double share; /* of the budget that a run uses */
    bool known;   /* measured; false: a guess for any task */
} nlm_cost;

/* Texts of the plan must outlive the study. */
nlm_status nlm_study_new(const nlm_study_plan *plan, nlm_study **study, nlm_error *error);
void nlm_study_free(nlm_study *study);

/* The paper's tasks and games by the machine, the same by memory networks, its tasks by differentiable ILP;
 * the tasks of differentiable ILP, by itself and by the machine; and the task with pictures. */
#define NLM_STUDY_SUBJECTS 80 /* at most */
int nlm_study_subjects(const nlm_study *study);
const nlm_subject *nlm_study_subject(const nlm_study *study, int index);
nlm_cost nlm_study_cost(const nlm_study *study, const nlm_subject *subject);
/* Whether its runs end with the search for a program. */
bool nlm_study_finds_rules(const nlm_study *study, const nlm_subject *subject);
/* Runs of a subject are wanted.  Before nlm_study_open. */
void nlm_study_want(nlm_study *study, const nlm_subject *subject);

/* Make the folder or take up what is in it.  Other processes may have it open, too, also on other machines.
 * A folder of another protocol or of other tests is refused; damaged files are noted. */
nlm_status nlm_study_open(nlm_study *study, nlm_note note, void *context, nlm_error *error);
/* By subject, then by seed. */
int nlm_study_runs(const nlm_study *study);
const nlm_study_run *nlm_study_run_at(const nlm_study *study, int index);
/* What the run is to be trained with, and how many worlds its tests have.  The settings last as long as the
 * study. */
nlm_status nlm_study_settings(nlm_study *study, int index, nlm_settings *settings, nlm_error *error);
/* That the model of a finished run is what the run would make today. */
nlm_status nlm_study_check(nlm_study *study, int index, nlm_error *error);
/* Add the result of a finished run to the records, if there are any and it is not there. */
nlm_status nlm_study_record(nlm_study *study, int index, nlm_error *error);
/* FOLDER/NAME/seed-N.ENDING or, without an ending, the folder in it; NLM_BAD_ARGUMENT when that is too long.
 */
#define NLM_STUDY_PATH 4096
nlm_status nlm_study_path(const nlm_study *study, int index, const char *ending, char path[NLM_STUDY_PATH],
                          nlm_error *error);

/* What a run has come to: the result of its job, or that of nlm_study_run_at with the reason of a refusal.  A
 * finished one is written to its file; if that fails it is not finished. */
void nlm_study_end_run(nlm_study *study, int index, const nlm_result *reached);
/* Whether another process has finished the run meanwhile; its result is then that of nlm_study_run_at. */
bool nlm_study_found(nlm_study *study, int index);
/* Write results.json and results.md. */
nlm_status nlm_study_save(nlm_study *study, nlm_error *error);
/* The tables, as text or Markdown. */
void nlm_study_write(const nlm_study *study, FILE *stream, bool markdown);

#ifdef __cplusplus
}
#endif
#endif
