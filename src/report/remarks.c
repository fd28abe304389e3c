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
    for (int i = 0; i < to->kept.count; i++)
        if (!strcmp(notes_at(&to->kept, i), line))
            return;
    if (to->kept.count == REMARKS_MOST || notes_add(&to->kept, NULL, "%s", line))
        to->left_out++;
}

void remarks_take(void *to, const char *line)
{
    remarks_add(to, "%s", line);
}

const char *remarks_at(const remarks *of, int index)
{
    return index >= 0 && index < of->kept.count ? notes_at(&of->kept, index) : NULL;
}

void remarks_release(remarks *of)
{
    notes_free(&of->kept);
    *of = (remarks){0};
}
