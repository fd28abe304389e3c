/* Trace: the positions of an episode and the moves made in them.
 *
 * A greedy player makes the same move whenever it comes back to the same position, and so would go round in a
 * circle for ever.  With a trace it makes the most probable of the moves that it has not made there yet
 * (no_repeat), and turns away from moves made in other positions (penalty): few plans need the same move
 * again. */
#ifndef LEARN_TRACE_H
#define LEARN_TRACE_H

#include "base/memory.h"
#include "nlm/game.h"

struct trace {
    buffer steps; /* struct trace_step */
    int count;
    bool no_repeat; /* no move is made twice in a position */
    float penalty;  /* factor of a move's probability for each time that it was made; 1: none */
    bool returned;  /* a position came again */
};

struct trace_step {
    uint64_t key; /* of the position */
    size_t cell;  /* of the move */
};

/* The most probable move, the first of several. */
size_t most_probable_cell(const float *probabilities, size_t cells);

void trace_release(struct trace *trace);
void trace_forget(struct trace *trace);
/* The move that counts as most probable, the first of several, of those that may be made; the most probable
 * of all when every one was made.  It is remembered. */
nlm_status trace_choose(struct trace *trace, const nlm_position *position, const float *probabilities,
                        size_t cells, size_t *cell);

#endif
