/* One picture of an episode: title, position, and the moves that the agent thinks of. */
#include "play_frame.h"

#include <stdio.h>
#include "nlm/tools.h"

enum {
    AROUND = 3 + FRAME_MOVES, /* rows of a frame beside the drawing: title, two empty ones, moves */
    BELOW = 2,                /* rows that stay free: for the last words, and the cursor */
    FILE_ROWS = 20            /* for a drawing that can choose */
};

bool frame_begin(frame_maker *maker, const char *title, const nlm_position *position)
{
    *maker = (frame_maker){.title = title};
    return nlm_scene_new(position, &maker->scene, NULL) == NLM_OK;
}

void frame_end(frame_maker *maker)
{
    nlm_scene_free(maker->scene);
}

/* ---- moves ---- */

/* " 3/40  move 7 onto 3           81.23 %" and, below it, what else came into question. */
static void add_moves(const play_moment *moment, nlm_sheet *frame)
{
    const nlm_game *game = nlm_position_game(moment->position);
    const int number = nlm_position_moves(moment->position) + 1, limit = nlm_position_limit(moment->position);
    for (int i = 0; i < moment->count && i < FRAME_MOVES; i++) {
        const nlm_choice *choice = &moment->choices[i];
        char left[32] = "or", words[NLM_MOVE_TEXT], share[NLM_NUMBER_TEXT];
        if (i == 0)
            snprintf(left, sizeof left, "%d/%d", number, limit);
        nlm_sheet_line(frame, "%9s  %-26s %10s%s", left, nlm_move_text(game, choice->move, words),
                       nlm_percent_text(choice->probability, share),
                       nlm_position_legal(moment->position, choice->move) ? ""
                       : i == 0                                           ? "  illegal: it changes nothing"
                                                                          : "  illegal");
    }
}

/* ---- frames ---- */

static void copy_rows(const nlm_sheet *from, int count, nlm_sheet *to)
{
    for (int row = 0; row < count; row++) {
        int length;
        const char *text = nlm_sheet_row(from, row, &length);
        nlm_sheet_line(to, "%.*s", length, text);
    }
}

/* The line below a drawing: empty, unless something is missing at the right. */
static void say_cut(const nlm_sheet *drawing, nlm_sheet *frame)
{
    if (drawing->wanted > drawing->width)
        nlm_sheet_line(frame, "(needs %d columns)", drawing->wanted);
    else
        nlm_sheet_line(frame, "%s", "");
}

/* Rows up to the last that is not empty. */
static int rows_in_use(const nlm_sheet *drawing)
{
    int rows = drawing->rows;
    for (int length = 0; rows > 0; rows--) {
        nlm_sheet_row(drawing, rows - 1, &length);
        if (length > 0)
            break;
    }
    return rows;
}

void frame_for_screen(frame_maker *maker, const play_moment *moment, int rows, nlm_sheet *frame)
{
    nlm_sheet drawing;
    const int room = rows - BELOW - AROUND;
    nlm_sheet_begin(&drawing, frame->width);
    nlm_scene_show(maker->scene, moment->position, moment->count > 0 ? moment->choices[0].move : NULL, room,
                   &drawing);
    nlm_sheet_line(frame, "%s", maker->title);
    nlm_sheet_line(frame, "%s", "");
    if (drawing.rows > maker->tallest)
        maker->tallest = drawing.rows;
    for (int row = drawing.rows; row < maker->tallest && row < room; row++)
        nlm_sheet_line(frame, "%s", "");
    if (drawing.rows <= room) {
        copy_rows(&drawing, drawing.rows, frame);
    } else {
        const int fitting = room > 1 ? room - 1 : 0;
        copy_rows(&drawing, fitting, frame);
        nlm_sheet_line(frame, "(and %d more rows)", drawing.rows - fitting);
    }
    say_cut(&drawing, frame);
    add_moves(moment, frame);
    if (frame->rows > rows - BELOW)
        frame->rows = rows > BELOW ? rows - BELOW : 1;
    frame->failed |= drawing.failed;
    nlm_sheet_free(&drawing);
}

void frame_for_file(frame_maker *maker, const play_moment *moment, nlm_sheet *frame)
{
    nlm_sheet drawing;
    nlm_sheet_begin(&drawing, frame->width);
    nlm_scene_show(maker->scene, moment->position, moment->count > 0 ? moment->choices[0].move : NULL,
                   FILE_ROWS, &drawing);
    copy_rows(&drawing, rows_in_use(&drawing), frame);
    if (moment->count > 0 || drawing.wanted > drawing.width)
        say_cut(&drawing, frame);
    add_moves(moment, frame);
    frame->failed |= drawing.failed;
    nlm_sheet_free(&drawing);
}
