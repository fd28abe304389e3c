/* Memory that grows, and errors of one line. */
#ifndef REPORT_STORAGE_H
#define REPORT_STORAGE_H

#include <stdbool.h>
#include <stdlib.h>
#include "nlm/status.h"

/* A block that grows by at least a half, and is used again. */
typedef struct storage {
    void *data;
    size_t capacity; /* bytes */
} storage;

/* Room for count * size bytes; `keep` preserves the content, which is undefined otherwise. */
nlm_status storage_reserve(storage *of, size_t count, size_t size, bool keep);
void storage_free(storage *of);
/* Zeroed, and never NULL but without memory; to be given to free(). */
void *storage_new(size_t count, size_t size);
/* A copy of a text; the same holds for it. */
char *storage_copy(const char *text);

/* Fill an error, if there is one; returns the status. */
nlm_status report_fail(nlm_error *error, nlm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
nlm_status report_no_memory(nlm_error *error);

/* Ends a public function unless all pointers that it needs are there. */
#define REQUIRE(pointers, error)                                                                             \
    do {                                                                                                     \
        if (!(pointers))                                                                                     \
            return report_fail((error), NLM_BAD_ARGUMENT, "%s: a required argument is NULL", __func__);      \
    } while (0)

#endif
