/* Tables of text: cells are added row by row, then written as Markdown or in columns. */
#ifndef STUDY_LAYOUT_H
#define STUDY_LAYOUT_H

#include <stdbool.h>
#include <stdio.h>

enum { LAYOUT_COLUMNS = 16, LAYOUT_ROWS = 48 };

typedef struct layout {
    int columns;                              /* as many as the first row has */
    int rows;                                 /* the first has the headings */
    int used;                                 /* cells of the row that is being filled */
    char *cells[LAYOUT_ROWS][LAYOUT_COLUMNS]; /* NULL: no value */
} layout;

/* Begin with a row of headings, up to NULL. */
void layout_begin(layout *to, const char *const *heads);
/* The next cell of the row.  What there is no room or memory for is left out. */
void layout_add(layout *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A cell without a value: "-". */
void layout_skip(layout *to);
void layout_end_row(layout *to);
/* Write it under a title, with a legend below unless that is "", and free it.  Columns without any value
 * are left out; a table without rows is not written.  Whether it was. */
bool layout_end(layout *of, FILE *file, bool markdown, const char *title, const char *legend);

#endif
