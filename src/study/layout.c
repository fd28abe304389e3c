/* Tables of text. */
#include "study/layout.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void layout_begin(layout *to, const char *const *heads)
{
    *to = (layout){0};
    for (; *heads != NULL; heads++)
        layout_add(to, "%s", *heads);
    layout_end_row(to);
}

void layout_add(layout *to, const char *format, ...)
{
    va_list arguments;
    if (to->rows >= LAYOUT_ROWS || to->used >= LAYOUT_COLUMNS)
        return;
    char **cell = &to->cells[to->rows][to->used++];
    size_t size;
    FILE *text = open_memstream(cell, &size);
    if (text == NULL)
        return;
    va_start(arguments, format);
    vfprintf(text, format, arguments);
    va_end(arguments);
    fclose(text);
}

void layout_skip(layout *to)
{
    to->used += to->used < LAYOUT_COLUMNS;
}

void layout_end_row(layout *to)
{
    if (to->rows == 0)
        to->columns = to->used;
    to->rows += to->rows < LAYOUT_ROWS;
    to->used = 0;
}

static const char *cell_text(const layout *of, int row, int column)
{
    return of->cells[row][column] != NULL ? of->cells[row][column] : "-";
}

/* Of the widest cell; 0 of a column that has no value in any row. */
static int width_of(const layout *of, int column)
{
    int width = 0;
    bool any = false;
    for (int row = 0; row < of->rows; row++) {
        const char *text = cell_text(of, row, column);
        width = (int)strlen(text) > width ? (int)strlen(text) : width;
        any = any || (row > 0 && of->cells[row][column] != NULL);
    }
    return any ? width : 0;
}

static void write_markdown(const layout *of, FILE *file)
{
    for (int row = 0; row < of->rows; row++) {
        for (int column = 0; column < of->columns; column++) {
            if (width_of(of, column) > 0)
                fprintf(file, "| %s ", cell_text(of, row, column));
        }
        fputs("|\n", file);
        for (int column = 0; row == 0 && column < of->columns; column++)
            fputs(width_of(of, column) > 0 ? "|---" : "", file);
        fputs(row == 0 ? "|\n" : "", file);
    }
}

static void write_columns(const layout *of, FILE *file)
{
    for (int row = 0; row < of->rows; row++) {
        int gap = 0; /* before the next cell; nothing follows the last */
        for (int column = 0; column < of->columns; column++) {
            const char *text = cell_text(of, row, column);
            if (width_of(of, column) == 0)
                continue;
            fprintf(file, "%*s%s", gap, "", text);
            gap = width_of(of, column) - (int)strlen(text) + 2;
        }
        putc('\n', file);
    }
}

bool layout_end(layout *of, FILE *file, bool markdown, const char *title, const char *legend)
{
    const bool any = of->rows > 1;
    if (any) {
        fprintf(file, "%s%s\n\n", markdown ? "## " : "", title);
        (markdown ? write_markdown : write_columns)(of, file);
        fprintf(file, "\n%s%s", legend, legend[0] != '\0' ? "\n" : "");
    }
    for (int row = 0; row < LAYOUT_ROWS; row++) {
        for (int column = 0; column < LAYOUT_COLUMNS; column++)
            free(of->cells[row][column]);
    }
    *of = (layout){0};
    return any;
}
