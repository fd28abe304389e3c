/* Where an episode is shown: a terminal, redrawn in place at a steady pace, or else a file or pipe, which
 * gets one block of plain lines after the other.
 *
 *     screen_begin(&shown, fps);
 *     while (...) {
 *         screen_show(&shown, &frame);
 *         screen_wait(&shown);
 *     }
 *     screen_end(&shown);
 *
 * On a terminal the cursor is hidden meanwhile.  An interrupt or a request to end shows it again at once, and
 * then screen_interrupted tells; so does the end. */
#ifndef CLI_PLAY_SCREEN_H
#define CLI_PLAY_SCREEN_H

#include <stdbool.h>
#include "nlm/nlm.h"
#include "nlm/scene.h"

typedef struct screen {
    bool live;       /* a terminal */
    double interval; /* seconds from frame to frame */
    double due;      /* when the next is to be seen, on a clock that never goes back */
} screen;

void screen_begin(screen *shown, double fps);
/* Columns that may be written to, and rows. */
void screen_size(const screen *shown, int *columns, int *rows);
/* One write; false if it failed, and errno says why. */
bool screen_show(screen *shown, const nlm_sheet *frame);
/* Until the next frame is due; not at all where nobody watches. */
void screen_wait(screen *shown);
void screen_end(screen *shown);
/* The signal that came, or 0. */
int screen_interrupted(void);

/* What screen_show writes, for a terminal or not; NULL without memory, else to be freed. */
char *screen_text(const nlm_sheet *frame, bool live, size_t *length);

/* ---- frames: title, position, and the moves that the agent thinks of ---- */

enum { PLAY_CHOICES = 10 }; /* of a position, the most probable ones */

/* A position and what the agent thinks of it; no choices when the episode is over. */
typedef struct play_moment {
    nlm_position *position;
    nlm_choice choices[PLAY_CHOICES]; /* the first is the move it makes */
    int count;
    int rule; /* that chose it, as nlm_agent_rule says */
} play_moment;

enum { FRAME_MOVES = 4 }; /* shown of the choices */

typedef struct frame_maker {
    nlm_scene *scene;
    const char *title;
    int tallest; /* drawing so far */
} frame_maker;

/* The title is not copied; false if there is no memory. */
bool frame_begin(frame_maker *maker, const char *title, const nlm_position *position);
void frame_end(frame_maker *maker);

/* A frame for a screen of `rows` rows, of which two stay free below; what does not fit is left out, and a
 * line says so.  Frames of one episode keep their form, so that little moves on the screen.  The sheet is
 * empty, with its width. */
void frame_for_screen(frame_maker *maker, const play_moment *moment, int rows, nlm_sheet *frame);
/* A frame for a file: as many rows as it takes, without the title. */
void frame_for_file(frame_maker *maker, const play_moment *moment, nlm_sheet *frame);

#endif
