/* Positions of games as text: what `nlm play` shows.
 *
 *     sheet   lines of text to draw on, of a fixed width
 *     scene   what a drawing remembers of the positions before: where towers stood, which way was walked
 *
 * All text is plain ASCII. */
#ifndef CLI_DRAW_H
#define CLI_DRAW_H

#include <stdbool.h>
#include "nlm/game.h"

/* ---- sheets ---- */

/* What is drawn beyond the width is cut; `wanted` is the width that all of it would need. */
typedef struct sheet {
    int width;
    int rows; /* in use */
    int wanted;
    bool failed;  /* memory ran out: some lines are missing */
    int capacity; /* rows that there is memory for */
    char *cells;  /* capacity lines of width characters and a 0, filled with spaces */
} sheet;

enum { SHEET_WIDEST = 1000, SHEET_MOST_ROWS = 20000 };

/* An empty sheet; frees nothing.  The width is brought between 1 and SHEET_WIDEST. */
void sheet_begin(sheet *paper, int width);
void sheet_free(sheet *paper);
/* Write at a place, counted from 0; the sheet gets as many rows as it takes. */
void sheet_put(sheet *paper, int row, int column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Write a line below all others. */
void sheet_line(sheet *paper, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A line without the spaces at its end; its length goes to *length. */
const char *sheet_row(const sheet *paper, int row, int *length);

/* ---- scenes ---- */

typedef struct scene {
    const nlm_game *game;
    int objects;
    int count;  /* path: nodes walked; blocks: places of towers */
    int widest; /* blocks: places so far */
    int *notes; /* path: the nodes walked; blocks: the place of the tower on each block, or -1 */
    int *spare; /* three rows of objects + 1 numbers to work with */
} scene;

/* For the positions of one episode; false if there is no memory. */
bool scene_begin(scene *drawn, const nlm_position *position);
void scene_free(scene *drawn);
/* Draw a position of the episode on an empty sheet, in about `rows` rows where that is possible.  `move` is
 * the one about to be made, or NULL. */
void scene_draw(scene *drawn, const nlm_position *position, const int *move, int rows, sheet *paper);

/* "swap slots 2 and 5", "go to node 4", "move 7 onto 3"; returns the text. */
enum { MOVE_TEXT = 64 };
const char *move_text(const nlm_game *game, const int *move, char text[MOVE_TEXT]);

/* ---- for the games, each in a file of its own ---- */

void draw_sort(scene *drawn, const nlm_position *position, const int *move, int rows, sheet *paper);
void draw_path(scene *drawn, const nlm_position *position, const int *move, int rows, sheet *paper);
void draw_blocks(scene *drawn, const nlm_position *position, const int *move, int rows, sheet *paper);

/* Digits of a number that is not negative. */
int draw_digits(int number);

#endif
