/* What reaches a person about files: errors and notes of one line, without control characters, with long
 * names cut. */
#ifndef SYNTAX_READING_MESSAGE_H
#define SYNTAX_READING_MESSAGE_H

#include <stddef.h>
#include "base/memory.h"

/* A name as messages show it: whole, or its beginning and "...". */
typedef struct message_name {
    char text[72];
} message_name;

message_name message_cut(const char *text, size_t length);
message_name message_cut_text(const char *text);

/* "file:line: cause", or "file: cause" where the line is 0; NLM_BAD_FILE. */
nlm_status message_refuse(nlm_error *error, const char *file, size_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The cause alone; NLM_BAD_ARGUMENT. */
nlm_status message_argument(nlm_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "path: why the operating system refused", by errno's number; NLM_IO_ERROR. */
nlm_status message_io(nlm_error *error, const char *path, int number);

/* Notes, each a text of its own. */
typedef struct notes {
    buffer lines; /* char * */
    int count;
} notes;

nlm_status notes_add(notes *list, nlm_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static inline const char *notes_at(const notes *list, int number)
{
    return ((char *const *)list->lines.data)[number];
}
void notes_free(notes *list);

#endif
