/* Tables of text: cells are added row by row, then written as Markdown or in columns. */
#ifndef CLI_REPRODUCE_LAYOUT_H
#define CLI_REPRODUCE_LAYOUT_H

#include <stdbool.h>
#include <stdio.h>

enum { LAYOUT_COLUMNS = 16, LAYOUT_ROWS = 32 };

typedef struct layout {
    int columns;                              /* as many as the first row has */
    int rows;                                 /* the first has the headings */
    int used;                                 /* cells of the row that is being filled */
    char *cells[LAYOUT_ROWS][LAYOUT_COLUMNS]; /* NULL: empty */
} layout;

/* The next cell of the row.  What there is no room or memory for is left out. */
void layout_add(layout *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void layout_end_row(layout *to);
void layout_write(const layout *of, FILE *file, bool markdown);
void layout_free(layout *of);

#endif
