/* Notes for the reader of a report, of which there may be very many: only so many are kept, and what there is
 * no memory for is counted. */
#ifndef REPORT_REMARKS_H
#define REPORT_REMARKS_H

#include "syntax/reading_message.h"

typedef struct remarks {
    notes kept;
    int left_out;
} remarks;

/* Once, however often it is said. */
void remarks_add(remarks *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same, as an nlm_note whose context is the remarks. */
void remarks_take(void *to, const char *line);
/* NULL if there is none of that number. */
const char *remarks_at(const remarks *of, int index);
void remarks_release(remarks *of);

#endif
