/* Trace: the positions of an episode and the moves made in them.
 *
 * A greedy player makes the same move whenever it comes back to the same position, and so would go round in a
 * circle for ever.  With a trace it makes the most probable of the moves that it has not made there yet.  One
 * that tires also turns away from moves made in other positions: few plans need the same move again. */
#ifndef LEARN_TRACE_H
#define LEARN_TRACE_H

#include "base/memory.h"
#include "nlm/game.h"

#define TRACE_AGAIN 0.25f

struct trace {
    buffer steps; /* struct trace_step */
    int count;
    bool tires;    /* each time that a move was made, it counts as TRACE_AGAIN times as probable */
    bool returned; /* a position came again */
};

struct trace_step {
    uint64_t key; /* of the position */
    size_t cell;  /* of the move */
};

/* The most probable move, the first of several. */
size_t most_probable_cell(const float *probabilities, size_t cells);

/* Whether the agents of a machine are to tire at work.  Memory networks are not: they sort in many small
 * steps, and need the same swap of two places again and again. */
bool trace_may_tire(const nlm_machine *machine);

void trace_release(struct trace *trace);
void trace_forget(struct trace *trace);
/* The move that counts as most probable of those that the trace does not have for the position, the first of
 * several; the most probable of all when it has every one.  It is remembered. */
nlm_status trace_choose(struct trace *trace, const nlm_position *position, const float *probabilities,
                        size_t cells, size_t *cell);

#endif
