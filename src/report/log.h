/* The log of one run (docs/formats.md): a point for each epoch, or for each exam of a game.
 *
 * Lines come from anywhere and may be damaged: what is no point is left out, and noted.  Points are in the
 * order of the examples or episodes learned from. */
#ifndef REPORT_LOG_H
#define REPORT_LOG_H

#include "report/remarks.h"

typedef enum log_kind { LOG_EMPTY, LOG_OF_EPOCHS, LOG_OF_EXAMS } log_kind;

/* Numbers that a line does not have, or that say nothing there, are NaN. */
typedef struct log_point {
    double at;    /* examples or episodes learned from */
    double score; /* accuracy, or success in the exam */
    double loss, entropy, elapsed;
    int round, restarts;
    int lesson; /* of exams; so are the next two */
    bool candidate, passed;
} log_point;

typedef struct run_log {
    log_kind kind;
    int count;
    buffer points;
} run_log;

/* `name` stands for the log in notes.  Fails for want of memory only. */
nlm_status log_read(run_log *log, const char *text, size_t size, const char *name, remarks *noted);
void log_release(run_log *log);

static inline const log_point *log_at(const run_log *log, int index)
{
    return (const log_point *)log->points.data + index;
}

#endif
