/* Memory that grows, and errors of one line. */
#include "report/storage.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

nlm_status storage_reserve(storage *of, size_t count, size_t size, bool keep)
{
    if (size > 0 && count > SIZE_MAX / 2 / size)
        return NLM_NO_MEMORY;
    const size_t wanted = count * size;
    if (of->data != NULL && wanted <= of->capacity)
        return NLM_OK;
    const size_t room = wanted + of->capacity / 2 + 1;
    if (!keep)
        storage_free(of);
    void *grown = realloc(of->data, room);
    if (grown == NULL)
        return NLM_NO_MEMORY;
    *of = (storage){grown, room};
    return NLM_OK;
}

void storage_free(storage *of)
{
    free(of->data);
    *of = (storage){0};
}

void *storage_new(size_t count, size_t size)
{
    return calloc(count > 0 ? count : 1, size);
}

char *storage_copy(const char *text)
{
    char *copy = storage_new(strlen(text) + 1, 1);
    return copy ? strcpy(copy, text) : NULL;
}

nlm_status report_fail(nlm_error *error, nlm_status status, const char *format, ...)
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

nlm_status report_no_memory(nlm_error *error)
{
    return report_fail(error, NLM_NO_MEMORY, "out of memory");
}
