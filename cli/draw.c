/* Positions of games as text: sheets, scenes, and who draws which game. */
#include "draw.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sheets ---- */

void sheet_begin(sheet *paper, int width)
{
    *paper = (sheet){.width = width < 1 ? 1 : width < SHEET_WIDEST ? width : SHEET_WIDEST};
}

void sheet_free(sheet *paper)
{
    free(paper->cells);
    *paper = (sheet){.width = paper->width};
}

static char *row_of(const sheet *paper, int row)
{
    return paper->cells + (size_t)row * ((size_t)paper->width + 1);
}

/* Room for so many rows. */
static bool reserve(sheet *paper, int rows)
{
    if (rows <= paper->capacity)
        return true;
    const int capacity = rows > 2 * paper->capacity ? rows : 2 * paper->capacity;
    char *cells =
        rows <= SHEET_MOST_ROWS ? realloc(paper->cells, (size_t)capacity * ((size_t)paper->width + 1)) : NULL;
    if (cells == NULL) {
        paper->failed = true;
        return false;
    }
    paper->cells = cells;
    for (; paper->capacity < capacity; paper->capacity++) {
        memset(row_of(paper, paper->capacity), ' ', (size_t)paper->width);
        row_of(paper, paper->capacity)[paper->width] = '\0';
    }
    return true;
}

__attribute__((format(printf, 4, 0))) static void put(sheet *paper, int row, int column, const char *format,
                                                      va_list arguments)
{
    char text[SHEET_WIDEST + 1];
    if (!reserve(paper, row + 1))
        return;
    const int length = vsnprintf(text, sizeof text, format, arguments);
    if (row >= paper->rows)
        paper->rows = row + 1;
    if (column + length > paper->wanted)
        paper->wanted = column + length;
    for (int i = 0; i < SHEET_WIDEST && text[i] != '\0' && column + i < paper->width; i++)
        row_of(paper, row)[column + i] = text[i];
}

void sheet_put(sheet *paper, int row, int column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(paper, row, column, format, arguments);
    va_end(arguments);
}

void sheet_line(sheet *paper, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(paper, paper->rows, 0, format, arguments);
    va_end(arguments);
}

const char *sheet_row(const sheet *paper, int row, int *length)
{
    const char *text = row_of(paper, row);
    for (*length = paper->width; *length > 0 && text[*length - 1] == ' ';)
        --*length;
    return text;
}

/* ---- moves in words ---- */

static void sort_text(const int *move, char text[MOVE_TEXT])
{
    snprintf(text, MOVE_TEXT, "swap slots %d and %d", move[0], move[1]);
}

static void path_text(const int *move, char text[MOVE_TEXT])
{
    snprintf(text, MOVE_TEXT, "go to node %d", move[0]);
}

static void blocks_text(const int *move, char text[MOVE_TEXT])
{
    char names[2][16] = {"the ground", "the ground"};
    for (int k = 0; k < 2; k++) {
        if (move[k] > 0)
            snprintf(names[k], sizeof names[k], "%d", move[k]);
    }
    snprintf(text, MOVE_TEXT, "move %s onto %s", names[0], names[1]);
}

/* ---- games ---- */

/* There is a row for every game of the library. */
static const struct drawn_game {
    const char *name;
    void (*draw)(scene *drawn, const nlm_position *position, const int *move, int rows, sheet *paper);
    void (*text)(const int *move, char text[MOVE_TEXT]);
} games[] = {
    {"sort", draw_sort, sort_text},
    {"path", draw_path, path_text},
    {"blocks", draw_blocks, blocks_text},
};

static const struct drawn_game *row_for(const nlm_game *game)
{
    int i = 0;
    while (strcmp(games[i].name, game->name) != 0)
        i++;
    return &games[i];
}

const char *move_text(const nlm_game *game, const int *move, char text[MOVE_TEXT])
{
    row_for(game)->text(move, text);
    return text;
}

bool scene_begin(scene *drawn, const nlm_position *position)
{
    const int objects = nlm_position_objects(position), limit = nlm_position_limit(position);
    const size_t notes = (size_t)(limit > objects ? limit : objects) + 1;
    *drawn = (scene){.game = nlm_position_game(position), .objects = objects};
    drawn->notes = malloc(notes * sizeof *drawn->notes);
    drawn->spare = malloc(3 * ((size_t)objects + 1) * sizeof *drawn->spare);
    if (drawn->notes != NULL && drawn->spare != NULL)
        return true;
    scene_free(drawn);
    return false;
}

void scene_free(scene *drawn)
{
    free(drawn->notes);
    free(drawn->spare);
    *drawn = (scene){0};
}

void scene_draw(scene *drawn, const nlm_position *position, const int *move, int rows, sheet *paper)
{
    row_for(drawn->game)->draw(drawn, position, move, rows, paper);
}

int draw_digits(int number)
{
    int digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}
