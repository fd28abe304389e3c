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
#include "nlm/scene.h"

typedef struct screen {
    bool live;       /* a terminal */
    double interval; /* seconds from frame to frame */
    double due;      /* when the next is to be seen, on a clock that never goes back */
} screen;

/* Whether standard output is a terminal that can be redrawn. */
bool screen_is_terminal(void);
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

#endif
