/* Notes for the reader of a report, of which there may be very many: only so many are kept, and those that
 * there is no memory for are counted. */
#ifndef REPORT_REMARKS_H
#define REPORT_REMARKS_H

#include "report/storage.h"

typedef struct remarks {
    storage lines; /* char *, each of one line without control characters */
    int count, left_out;
} remarks;

/* Once, however often it is said. */
void remarks_add(remarks *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same, as an nlm_note whose context is the remarks. */
void remarks_take(void *to, const char *line);
/* NULL if there is none of that number. */
const char *remarks_at(const remarks *of, int index);
void remarks_release(remarks *of);

#endif
