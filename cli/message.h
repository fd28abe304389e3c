/* Messages to the person at the terminal. */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include "nlm/nlm.h"

/* One line on standard error, "nlm: " before it. */
void message_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same with "nlm: note: ": nothing is wrong, but it should be known. */
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* An error for the caller to print; returns the status. */
nlm_status message_fill(nlm_error *error, nlm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
