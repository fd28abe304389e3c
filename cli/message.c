/* Messages to the person at the terminal. */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>

static void print_line(const char *begin, const char *format, va_list arguments)
{
    fputs(begin, stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void message_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("nlm: ", format, arguments);
    va_end(arguments);
}

void message_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("nlm: note: ", format, arguments);
    va_end(arguments);
}

nlm_status message_fill(nlm_error *error, nlm_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error->status = status;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}
