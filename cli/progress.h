/* One line on standard error that tells how far a long command has come.
 *
 *     progress line;
 *     progress_begin(&line, "grandparent", quiet);
 *     for (...) {
 *         ...
 *         progress_show(&line, done / all, "epoch %d/%d  loss %.1e", epoch, epochs, loss);
 *     }
 *     progress_end(&line);
 *
 * On a terminal it is a bar, redrawn in place.  Elsewhere, and where TERM is dumb, empty or not set, it is a
 * plain line every two seconds.  Facts are parted by two spaces. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include "nlm/tools.h"

typedef enum progress_form { PROGRESS_NONE, PROGRESS_LINES, PROGRESS_BAR } progress_form;

typedef struct progress {
    progress_form form;
    const char *title;
    double begun;         /* seconds on a clock that never goes back */
    double interval, due; /* seconds between two drawings, and when it is time to draw again */
    double from;          /* the fraction that was done when it began */
    bool drawn;           /* a bar is to be seen */
} progress;

/* The title is not copied.  The first bar is drawn after a tenth of a second, the first line after two. */
void progress_begin(progress *line, const char *title, bool quiet);
/* This fraction was done by earlier runs and says nothing about the speed of this one. */
void progress_resume(progress *line, double from);
/* Whether progress_show would draw now: for callers whose facts take time to find out. */
bool progress_due(const progress *line);
/* Draw if it is time to, otherwise do nothing; cheap enough for every step.  `fraction` is what is done of
 * the whole, 0 to 1. */
void progress_show(progress *line, double fraction, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Clear the bar, so that other output can follow.  Showing may go on after it. */
void progress_end(progress *line);

/* ---- texts, each in the room that the caller gives and returned ---- */

enum {
    PROGRESS_TEXT = 256,   /* of a line or a bar */
    PROGRESS_WIDEST = 120, /* a bar */
};

typedef struct progress_facts {
    const char *title;
    double fraction;
    const char *details; /* may be empty */
    double left;         /* seconds; below 0 when nobody knows */
} progress_facts;

/* "grandparent  37%  epoch 12/100  0:14 left" */
const char *progress_line_text(const progress_facts *facts, char text[PROGRESS_TEXT]);
/* "grandparent  [=======>          ]  37%  epoch 12/100  0:14 left", in at most `width` characters: what is
 * too long loses its last details, then its end. */
const char *progress_bar_text(const progress_facts *facts, int width, char text[PROGRESS_TEXT]);

/* The time that the rest takes if it goes on like this; below 0 in the first second, or when nothing was done
 * since `from`. */
double progress_time_left(double elapsed, double from, double fraction);

#endif
