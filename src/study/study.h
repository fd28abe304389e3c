/* Inside of a study: one folder of runs.
 *
 *     FOLDER/NAME/seed-N.nlm, .jsonl   a run's model and log, as those of nlm train --seeds
 *     FOLDER/NAME/seed-N.json          its result, written after its tests: the sign of a finished run
 *     FOLDER/results.json, results.md  all results, written anew after every run
 *     RECORDS/NAME/seed-N.json         results of finished runs with their settings, kept without models
 *
 *     result.c          the result of a run, to a file and back
 *     sums.c            sums over seeds
 *     subjects.c        what there is to learn, with which settings, and how long it takes
 *     published.c       figures of the papers
 *     study_folder.c    what is in the folder, and results.json
 *     records.c         results that are kept elsewhere, without models
 *     study_command.c   the command that makes the same runs
 *     tables.c          the papers' tables: all models beside what was published
 *     programs.c        the programs that were found, beside what people write (human/TASK.pl)
 *     details.c         these, the machine's runs in detail, and below what did not go well */
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include <jansson.h>
#include "nlm/file.h"
#include "nlm/study.h"

enum { STUDY_COMMAND = 16384, STUDY_WORLDS = 1000 /* of each test, as in the paper */ };

struct nlm_study {
    nlm_study_plan plan;
    nlm_subject subjects[NLM_STUDY_SUBJECTS];
    bool wanted[NLM_STUDY_SUBJECTS];
    int subject_count;
    nlm_study_run *runs;
    nlm_templates **templates; /* of each run; NULL where it has none */
    int count;
    nlm_lock *lock;
    nlm_note note; /* about the folder */
    void *context;
    double begun;  /* as nlm_clock has it */
    double before; /* seconds that earlier commands took */
};

/* ---- result.c ---- */

/* As a JSON object, without a line end. */
void result_write(FILE *file, const nlm_result *result);
/* Without the brace at its end, so that more keys can follow. */
void result_write_keys(FILE *file, const nlm_result *result);
/* False if it is no result, or one with an impossible number: then *wrong names it, and else is NULL. */
bool result_read(const json_t *object, nlm_result *result, const char **wrong);

/* "2026-11-18T13:20:05Z" */
void study_date(char text[NLM_RESULT_NAME]);
/* The name that Linux gives the processor, or ""; how many cores; "AMD EPYC, 2 cores". */
void study_processor(char text[NLM_RESULT_TEXT]);
int study_cores(void);
const char *study_machine(char text[NLM_RESULT_TEXT]);
/* "niece/2, uncle/2": what is concluded, as far as it fits; the text stays if nothing does. */
void study_targets(const nlm_signature *signature, char *text, size_t size);
/* Digits alone, of a number that fits. */
bool study_seed(const char *text, uint64_t *seed);

/* The beginning of results.json; key and folder are left alone. */
bool results_read_head(const json_t *object, nlm_found_setting *head);

/* ---- subjects.c ---- */

bool subject_is(const nlm_subject *subject, const char *model);
/* Fills the study's list. */
void subjects_list(nlm_study *study);
/* Of this subject's task or game by this model; NULL if there is none. */
const nlm_subject *subject_by(const nlm_study *study, const nlm_subject *subject, const char *model);
int subject_seeds(const nlm_subject *subject, bool quick);
int subject_worlds(const nlm_study *study, const nlm_subject *subject);
nlm_protocol subject_protocol(const nlm_study *study, const nlm_subject *subject);
/* Of the worlds that it learns from. */
nlm_world_kind subject_kind(const nlm_study *study, const nlm_subject *subject);
/* With seed 1.  The settings point into the templates, if there are any, which are the caller's to free. */
nlm_status subject_settings(const nlm_study *study, const nlm_subject *subject, nlm_settings *settings,
                            nlm_templates **templates, nlm_error *error);
/* Examples or episodes that the paper learns it from. */
int subject_paper_budget(const nlm_subject *subject);
/* The epochs or episodes that it has; 0 if it cannot be learned. */
int subject_budget(const nlm_study *study, const nlm_subject *subject);
/* Whether that is what --quick leaves; false of 0, the budget of unfinished runs of other commands. */
bool subject_is_quick(const nlm_study *study, const nlm_subject *subject, int budget);

/* ---- published.c ---- */

/* What was published about a subject; what was not is below 0. */
typedef struct published {
    double share[NLM_TEST_SIZES], macro[NLM_TEST_SIZES]; /* right or solved; and the former, macro */
    double moves[NLM_TEST_SIZES];
    double solved;     /* the share of runs that solve a task of differentiable ILP */
    double graduation; /* the share of runs that graduated */
} published;

published published_about(const nlm_subject *subject);

/* ---- study_folder.c ---- */

typedef enum result_found {
    RESULT_READ,
    RESULT_NONE,   /* there is no file */
    RESULT_BROKEN, /* the file is damaged, or is not of this run */
    RESULT_OTHER   /* the run has another protocol or budget, or its tests other numbers of worlds */
} result_found;

/* A run that is wanted or was found, with nothing but its name. */
nlm_study_run run_named(const nlm_study *study, const nlm_subject *subject, uint64_t seed, bool wanted);
/* The file of a run into its result. */
result_found run_read_result(const nlm_study *study, nlm_study_run *run);
/* The same from any path; *object is the whole file if it was read, and the caller's. */
result_found run_read_from(const nlm_study *study, nlm_study_run *run, const char *path, json_t **object);
/* NLM_BAD_ARGUMENT about a result that was made otherwise; `option` chooses another folder. */
nlm_status run_refuse(const nlm_study *study, const char *path, const char *option, nlm_error *error);
/* Whether it graduated and its program is still to be looked for. */
bool run_lacks_search(const nlm_study *study, const nlm_study_run *run);
/* A line about the folder. */
void study_say(const nlm_study *study, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* FOLDER/NAME/seed-N.ENDING; false when that is too long. */
bool run_path(const nlm_study *study, const nlm_study_run *run, const char *ending,
              char path[NLM_STUDY_PATH]);
/* Seconds, with those of earlier commands. */
double study_seconds(const nlm_study *study);

/* ---- records.c ---- */

/* RECORDS/NAME/seed-N.json; false when that is too long. */
bool record_path(const nlm_study *study, const nlm_study_run *run, char path[NLM_STUDY_PATH]);
/* Whether the settings of a record are those that are wanted; if not, the error tells the difference. */
nlm_status record_compare(const json_t *object, const nlm_settings *wanted, const char *path,
                          nlm_error *error);
/* The record of a run, if there is one, as its result. */
nlm_status record_take(nlm_study *study, int index, nlm_error *error);

/* ---- study_command.c ---- */

/* "nlm reproduce --models nlm --tasks has-father,sort --seeds 2", which makes the same runs; several of them,
 * "&&" between them, where one is not enough.  In the caller's room, and returned. */
const char *study_command(const nlm_study *study, char text[STUDY_COMMAND]);

/* ---- tables ---- */

nlm_sums subject_sums(const nlm_study *study, const nlm_subject *subject);
/* How the machine's runs of tasks were trained; tasks of differentiable ILP have no rich worlds. */
const char *tables_training(const nlm_study *study, bool ilp);
void tables_write(FILE *file, const nlm_study *study, bool markdown);
void programs_write(FILE *file, const nlm_study *study, bool markdown);

#endif
