/* Logs of runs: JSON Lines, one object per round, that is per epoch or per exam of a game.
 *
 * A run that was interrupted repeats the rounds after its last checkpoint; its log has each of them once.
 * Lines that are read may come from anywhere: one that is no round is left out, and noted. */
#ifndef NLM_LOG_H
#define NLM_LOG_H

#include <stdio.h>
#include "nlm/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- writing ---- */

/* Whether a log can be written there; its content is left alone. */
nlm_status nlm_log_check(const char *path, nlm_error *error);
/* Open a log for a run that has `rounds` behind it: their lines, which begin with the number of the round
 * under its name ("epoch" or "exam"), are kept, all others dropped. */
nlm_status nlm_log_open(const char *path, const char *round, int rounds, FILE **log, nlm_error *error);
/* One line, flushed.  `epoch_examples` are those of this epoch. */
nlm_status nlm_log_write_epoch(FILE *log, const char *path, const nlm_epoch *epoch, long epoch_examples,
                               nlm_error *error);
nlm_status nlm_log_write_exam(FILE *log, const char *path, const nlm_exam *exam, nlm_error *error);

/* ---- reading ---- */

typedef enum nlm_log_kind { NLM_LOG_EMPTY, NLM_LOG_OF_EPOCHS, NLM_LOG_OF_EXAMS } nlm_log_kind;

/* A round.  Numbers that its line does not have, or that mean nothing there, are NaN. */
typedef struct nlm_log_point {
    double at;    /* examples or episodes learned from */
    double drawn; /* all worlds or instances drawn */
    double score; /* accuracy, or success in the exam */
    double loss, entropy, elapsed;
    int round, restarts;
    int lesson; /* of exams; so are the next two */
    bool candidate, passed;
} nlm_log_point;

typedef struct nlm_log {
    nlm_log_kind kind;
    int count;
    nlm_log_point *points; /* in the order of the examples or episodes learned from */
} nlm_log;

/* `name` stands for the log in notes.  Fails for want of memory only; to be released whatever the status. */
nlm_status nlm_log_parse(const char *text, size_t size, const char *name, nlm_note note, void *context,
                         nlm_log *log);
void nlm_log_release(nlm_log *log);
/* The last round of a log file; false if there is none. */
bool nlm_log_last(const char *path, nlm_log_point *point);

#ifdef __cplusplus
}
#endif
#endif
