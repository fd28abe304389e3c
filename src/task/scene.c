/* Positions of games as text: sheets and scenes; the drawings themselves are with the rules of each game. */
#include "task/scene.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"

/* ---- sheets ---- */

void nlm_sheet_begin(nlm_sheet *sheet, int width)
{
    *sheet = (nlm_sheet){.width = width < 1 ? 1 : width < NLM_SHEET_WIDEST ? width : NLM_SHEET_WIDEST};
}

void nlm_sheet_free(nlm_sheet *sheet)
{
    memory_free(sheet->cells);
    *sheet = (nlm_sheet){.width = sheet->width};
}

static char *row_of(const nlm_sheet *sheet, int row)
{
    return sheet->cells + (size_t)row * ((size_t)sheet->width + 1);
}

/* Room for so many rows. */
static bool reserve(nlm_sheet *sheet, int rows)
{
    if (rows <= sheet->capacity)
        return true;
    const int capacity = rows > 2 * sheet->capacity ? rows : 2 * sheet->capacity;
    const size_t line = (size_t)sheet->width + 1;
    char *cells = rows <= NLM_SHEET_MOST_ROWS ? memory_new((size_t)capacity, line) : NULL;
    if (!cells) {
        sheet->failed = true;
        return false;
    }
    if (sheet->capacity > 0)
        memcpy(cells, sheet->cells, (size_t)sheet->capacity * line);
    memory_free(sheet->cells);
    sheet->cells = cells;
    for (; sheet->capacity < capacity; sheet->capacity++)
        memset(row_of(sheet, sheet->capacity), ' ', (size_t)sheet->width);
    return true;
}

__attribute__((format(printf, 4, 0))) static void put(nlm_sheet *sheet, int row, int column,
                                                      const char *format, va_list arguments)
{
    char text[NLM_SHEET_WIDEST + 1];
    if (!reserve(sheet, row + 1))
        return;
    const int length = vsnprintf(text, sizeof text, format, arguments);
    if (row >= sheet->rows)
        sheet->rows = row + 1;
    if (column + length > sheet->wanted)
        sheet->wanted = column + length;
    for (int i = 0; i < NLM_SHEET_WIDEST && text[i] != '\0' && column + i < sheet->width; i++)
        row_of(sheet, row)[column + i] = text[i];
}

void nlm_sheet_put(nlm_sheet *sheet, int row, int column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(sheet, row, column, format, arguments);
    va_end(arguments);
}

void nlm_sheet_line(nlm_sheet *sheet, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(sheet, sheet->rows, 0, format, arguments);
    va_end(arguments);
}

const char *nlm_sheet_row(const nlm_sheet *sheet, int row, int *length)
{
    const char *text = row_of(sheet, row);
    for (*length = sheet->width; *length > 0 && text[*length - 1] == ' ';)
        --*length;
    return text;
}

/* ---- scenes ---- */

nlm_status nlm_scene_new(const nlm_position *position, nlm_scene **scene, nlm_error *error)
{
    REQUIRE(position && scene, error);
    const int objects = position->objects, limit = position->limit;
    nlm_scene *made = memory_new(1, sizeof *made);
    *scene = NULL;
    if (!made)
        return error_no_memory(error);
    made->objects = objects;
    made->notes = memory_new((size_t)(limit > objects ? limit : objects) + 1, sizeof *made->notes);
    made->spare = memory_new(3 * ((size_t)objects + 1), sizeof *made->spare);
    if (!made->notes || !made->spare) {
        nlm_scene_free(made);
        return error_no_memory(error);
    }
    *scene = made;
    return NLM_OK;
}

void nlm_scene_free(nlm_scene *scene)
{
    if (!scene)
        return;
    memory_free(scene->notes);
    memory_free(scene->spare);
    memory_free(scene);
}

void nlm_scene_show(nlm_scene *scene, const nlm_position *position, const int *move, int rows,
                    nlm_sheet *sheet)
{
    position->rules->show(scene, position, move, rows, sheet);
}

int scene_digits(int number)
{
    int digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}
