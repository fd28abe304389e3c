/* One picture of an episode: title, position, and the moves that the agent thinks of. */
#ifndef CLI_PLAY_FRAME_H
#define CLI_PLAY_FRAME_H

#include "nlm/scene.h"
#include "play.h"

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
