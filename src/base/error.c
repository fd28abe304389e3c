/* Status names and error messages. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include "nlm/tools.h"

const char *nlm_status_name(nlm_status status)
{
    static const char *const names[] = {
        [NLM_OK] = "ok",
        [NLM_BAD_ARGUMENT] = "bad argument",
        [NLM_BAD_SHAPE] = "bad shape",
        [NLM_BAD_FILE] = "bad file",
        [NLM_IO_ERROR] = "input/output error",
        [NLM_NO_MEMORY] = "out of memory",
    };
    return (size_t)status < sizeof names / sizeof *names ? names[status] : "unknown status";
}

nlm_status error_set(nlm_error *error, nlm_status status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        error->status = status;
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return status;
}

nlm_status error_in_file(nlm_error *error, nlm_status status, const char *file, const char *format, ...)
{
    char cause[NLM_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cause, sizeof cause, format, arguments);
    va_end(arguments);
    nlm_clean_text(cause);
    return error_set(error, status, "%.120s: %s", file, cause);
}

nlm_status error_no_memory(nlm_error *error)
{
    return error_set(error, NLM_NO_MEMORY, "out of memory");
}

nlm_status error_null(nlm_error *error, const char *function)
{
    return error_set(error, NLM_BAD_ARGUMENT, "%s: a required argument is NULL", function);
}
