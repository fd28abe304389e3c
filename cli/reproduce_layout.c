/* Tables of text. */
#include "reproduce_layout.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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

void layout_end_row(layout *to)
{
    if (to->rows == 0)
        to->columns = to->used;
    to->rows += to->rows < LAYOUT_ROWS;
    to->used = 0;
}

static const char *cell_text(const layout *of, int row, int column)
{
    return of->cells[row][column] != NULL ? of->cells[row][column] : "";
}

static int width_of(const layout *of, int column)
{
    int width = 0;
    for (int row = 0; row < of->rows; row++) {
        const int length = (int)strlen(cell_text(of, row, column));
        width = length > width ? length : width;
    }
    return width;
}

static void write_markdown(const layout *of, FILE *file)
{
    for (int row = 0; row < of->rows; row++) {
        for (int column = 0; column < of->columns; column++)
            fprintf(file, "| %s ", cell_text(of, row, column));
        fputs("|\n", file);
        for (int column = 0; row == 0 && column < of->columns; column++)
            fputs(column < of->columns - 1 ? "|---" : "|---|\n", file);
    }
}

void layout_write(const layout *of, FILE *file, bool markdown)
{
    if (markdown) {
        write_markdown(of, file);
        return;
    }
    for (int row = 0; row < of->rows; row++) {
        int gap = 0; /* before the next cell that is not empty */
        for (int column = 0; column < of->columns; column++) {
            const char *text = cell_text(of, row, column);
            if (text[0] != '\0') {
                fprintf(file, "%*s%s", gap, "", text);
                gap = 0;
            }
            gap += width_of(of, column) - (int)strlen(text) + 2;
        }
        putc('\n', file);
    }
}

void layout_free(layout *of)
{
    for (int row = 0; row < LAYOUT_ROWS; row++) {
        for (int column = 0; column < LAYOUT_COLUMNS; column++)
            free(of->cells[row][column]);
    }
    *of = (layout){0};
}
