/* Messages to the person at the terminal. */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>

void message_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("nlm: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}
