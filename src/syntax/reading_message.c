/* What reaches a person about files. */
#include "syntax/reading_message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/text.h"

enum { CUT_NAME = 60, LONG_PATH = 200 };

message_name message_cut(const char *text, size_t length)
{
    message_name name;
    size_t kept = text_cut(text, length, CUT_NAME);
    snprintf(name.text, sizeof name.text, "%.*s%s", (int)kept, text, kept < length ? "..." : "");
    return name;
}

message_name message_cut_text(const char *text)
{
    return message_cut(text, strlen(text));
}

nlm_status message_refuse(nlm_error *error, const char *file, size_t line, const char *format, ...)
{
    if (!error)
        return NLM_BAD_FILE;
    char cause[NLM_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cause, sizeof cause, format, arguments);
    va_end(arguments);
    if (line > 0)
        (void)error_set(error, NLM_BAD_FILE, "%.*s:%zu: %s", LONG_PATH, file, line, cause);
    else
        (void)error_set(error, NLM_BAD_FILE, "%.*s: %s", LONG_PATH, file, cause);
    nlm_clean_text(error->message);
    return NLM_BAD_FILE;
}

nlm_status message_argument(nlm_error *error, const char *format, ...)
{
    if (!error)
        return NLM_BAD_ARGUMENT;
    va_list arguments;
    va_start(arguments, format);
    error->status = NLM_BAD_ARGUMENT;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    nlm_clean_text(error->message);
    return NLM_BAD_ARGUMENT;
}

nlm_status message_io(nlm_error *error, const char *path, int number)
{
    (void)error_set(error, NLM_IO_ERROR, "%.*s: %s", LONG_PATH, path, strerror(number));
    if (error)
        nlm_clean_text(error->message);
    return NLM_IO_ERROR;
}

nlm_status notes_add(notes *list, nlm_error *error, const char *format, ...)
{
    char line[2 * NLM_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    nlm_clean_text(line);
    if (buffer_reserve(&list->lines, (size_t)list->count + 1, sizeof(char *), true))
        return error_no_memory(error);
    char *copy = memory_copy_text(line);
    if (!copy)
        return error_no_memory(error);
    ((char **)list->lines.data)[list->count++] = copy;
    return NLM_OK;
}

void notes_free(notes *list)
{
    for (int i = 0; i < list->count; i++)
        memory_free(((char **)list->lines.data)[i]);
    buffer_free(&list->lines);
    list->count = 0;
}
