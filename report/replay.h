/* Inside of replays: the positions of an episode, kept in replay.c, shown in pages by replay_figure.c. */
#ifndef REPORT_REPLAY_H
#define REPORT_REPLAY_H

#include "nlm/report.h"
#include "report/page.h"

/* A move that the agent thought of. */
typedef struct replay_choice {
    nlm_choice choice;
    bool legal;
    int rule; /* that chose it, 0: none did; -1: of an agent without rules, or not made */
} replay_choice;

typedef struct replay_point {
    double x, y;
} replay_point;

/* Positions are numbers: sort has the value in each slot, path the current node, blocks what is under each
 * block.  The rest is the same in all of them. */
struct nlm_replay {
    const nlm_game *game;
    char *title;
    int positions;
    int objects, limit, optimum; /* from here on: of the first position */
    int width;                   /* numbers of a position */
    storage states;              /* int, `width` for each position */
    storage ends;                /* size_t, for each position: the choices up to and with its own */
    storage choices;             /* replay_choice */
    bool solved, over;           /* of the last position */
    int start, target;           /* path */
    int *below;                  /* blocks: the target, what is under each block */
    storage edges;               /* path: int, two for each */
    int edge_count;
    replay_point *points; /* path: where nodes are, from 0 to 1 */
};

/* The numbers of a position, counted from 0; the choices that the agent had there. */
const int *replay_state(const nlm_replay *replay, int position);
const replay_choice *replay_choices(const nlm_replay *replay, int position, int *count);

/* "solved in 7 moves (limit 20, optimum 7)", "not solved within 20 moves". */
enum { REPLAY_WORDS = 96 };
const char *replay_outcome(const nlm_replay *replay, char words[REPLAY_WORDS]);

/* A figure in a page whose last scripts are asset_pictures and asset_replay.  The title is said by screen
 * readers only; a heading is the caller's to put. */
void replay_put(const nlm_replay *replay, page *p);

/* Points for the nodes of a graph, always the same for the same graph: from 0 to 1 in both directions, the
 * start to the left of the target. */
nlm_status replay_layout(int nodes, const int *edges, int edge_count, int start, int target,
                         replay_point *points, nlm_error *error);

#endif
