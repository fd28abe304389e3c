/* Positions of games as text.
 *
 *     sheet   lines of text to draw on, of a fixed width
 *     scene   what drawings of one episode remember of earlier ones: where towers stood, which way was walked
 *
 * All text is plain ASCII. */
#ifndef NLM_SCENE_H
#define NLM_SCENE_H

#include "nlm/game.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- sheets ---- */

/* What is drawn beyond the width is cut; `wanted` is the width that all of it would need. */
typedef struct nlm_sheet {
    int width;
    int rows; /* in use */
    int wanted;
    bool failed;  /* memory ran out: some lines are missing */
    int capacity; /* rows that there is memory for */
    char *cells;  /* capacity lines of width characters and a 0, filled with spaces */
} nlm_sheet;

#define NLM_SHEET_WIDEST 1000
#define NLM_SHEET_MOST_ROWS 20000

/* An empty sheet; frees nothing.  The width is brought between 1 and NLM_SHEET_WIDEST. */
void nlm_sheet_begin(nlm_sheet *sheet, int width);
void nlm_sheet_free(nlm_sheet *sheet);
/* Write at a place, counted from 0; the sheet gets as many rows as it takes. */
void nlm_sheet_put(nlm_sheet *sheet, int row, int column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Write a line below all others. */
void nlm_sheet_line(nlm_sheet *sheet, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A line without the spaces at its end; its length goes to *length. */
const char *nlm_sheet_row(const nlm_sheet *sheet, int row, int *length);

/* ---- scenes ---- */

typedef struct nlm_scene nlm_scene;

/* For the positions of one episode. */
nlm_status nlm_scene_new(const nlm_position *position, nlm_scene **scene, nlm_error *error);
void nlm_scene_free(nlm_scene *scene);
/* Draw a position of the episode on an empty sheet, in about `rows` rows where that is possible.  `move` is
 * the one about to be made, or NULL. */
void nlm_scene_show(nlm_scene *scene, const nlm_position *position, const int *move, int rows,
                    nlm_sheet *sheet);

/* "swap slots 2 and 5", "go to node 4", "move 7 onto 3"; returns the text. */
#define NLM_MOVE_TEXT 64
const char *nlm_move_text(const nlm_game *game, const int *move, char text[NLM_MOVE_TEXT]);

#ifdef __cplusplus
}
#endif
#endif
