/* Notes for the reader of a report. */
#include "report/remarks.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { REMARKS_MOST = 200, LINE_SIZE = 600 };

void remarks_add(remarks *to, const char *format, ...)
{
    char line[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    for (int i = 0; i < to->count; i++)
        if (!strcmp(remarks_at(to, i), line))
            return;
    char *copy = to->count < REMARKS_MOST ? storage_copy(line) : NULL;
    if (!copy || storage_reserve(&to->lines, (size_t)to->count + 1, sizeof copy, true)) {
        free(copy);
        to->left_out++;
        return;
    }
    ((char **)to->lines.data)[to->count++] = copy;
}

void remarks_take(void *to, const char *line)
{
    remarks_add(to, "%s", line);
}

const char *remarks_at(const remarks *of, int index)
{
    return index >= 0 && index < of->count ? ((char *const *)of->lines.data)[index] : NULL;
}

void remarks_release(remarks *of)
{
    for (int i = 0; i < of->count; i++)
        free(((char **)of->lines.data)[i]);
    storage_free(&of->lines);
    *of = (remarks){0};
}
