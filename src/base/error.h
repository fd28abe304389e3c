/* Filling an nlm_error: one line, and the status is returned so that a caller can write
 * `return error_set(error, NLM_BAD_SHAPE, "...")`. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "nlm/status.h"

nlm_status error_set(nlm_error *error, nlm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "file: cause".  Excerpts in the cause come from files: control characters become '?'. */
nlm_status error_in_file(nlm_error *error, nlm_status status, const char *file, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
nlm_status error_no_memory(nlm_error *error);
/* "nlm_machine_load: a required argument is NULL" */
nlm_status error_null(nlm_error *error, const char *function);

/* Ends a public function unless all pointers that it needs are there. */
#define REQUIRE(pointers, error)                                                                             \
    do {                                                                                                     \
        if (!(pointers))                                                                                     \
            return error_null((error), __func__);                                                            \
    } while (0)

#endif
