/* Messages to the person at the terminal, and texts for lines of output. */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include <stdbool.h>
#include <stdio.h>
#include "nlm/nlm.h"

/* One line on standard error, "nlm: " before it. */
void message_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same with "nlm: note: ": nothing is wrong, but it should be known. */
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether the status is NLM_OK; if not, after the line "nlm: COMMAND: cause". */
bool message_ok(const char *command, nlm_status status, const nlm_error *error);

/* An error for the caller to print; returns the status. */
nlm_status message_fill(nlm_error *error, nlm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- short texts: each lasts until 16 more were made, so for one call of printf; for the main thread ----
 */

enum { TEXT_SIZE = 64 };

const char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *text_of_number(double count);  /* "12,000" */
const char *text_of_percent(double share); /* "99.90 %" */
/* Of counts of any type; and the end of the noun behind it, "s" unless the count is 1. */
#define text_of_count(count) text_of_number((double)(count))
#define plural(count) ((count) == 1 ? "" : "s")

/* ---- JSON ---- */

/* printf, except that %s writes a text in quotes, %i a bool, and that a real which is no number is null.
 * Beside these it knows %d, %zu and reals with or without precision. */
void json_print(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
