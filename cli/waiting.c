/* A word for those who wait: written by the handler of an alarm, so the work need not know of it. */
#include "waiting.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

enum { SECONDS = 2, LINE_SIZE = 256 };

static char line[LINE_SIZE]; /* does not change while the alarm is set */
static size_t length;

static void speak(int number)
{
    (void)number;
    const int kept = errno;
    const ssize_t written = write(STDERR_FILENO, line, length);
    (void)written; /* nothing can be done about a terminal that is gone */
    errno = kept;
}

void waiting_begin(const char *format, ...)
{
    if (!isatty(STDERR_FILENO))
        return;
    char text[LINE_SIZE - 16];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    length = (size_t)snprintf(line, sizeof line, "nlm: %s ...\n", text);
    const struct sigaction action = {.sa_handler = speak, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    alarm(SECONDS);
}

void waiting_end(void)
{
    alarm(0);
    signal(SIGALRM, SIG_DFL);
}
