/* Schedules: the predicates that each layer of a machine computes so that its heads get the gates of targets.
 *
 * A cell is a predicate of a layer: a gate about the first objects of a tuple of `arity`, in some order.  A
 * tuple may be longer than the gate needs, since a unit reads predicates of its own arity, of one less
 * (expand) and of one more (reduce) only.  A cell is computed from cells of the layer below: a gate as early
 * as it can be, and then copied up to the layers that read it; longer tuples as late as possible.
 *
 * The number of layers is the least for these gates.  Heads are the cells of layer depth + 1. */
#ifndef LOGIC_SCHEDULE_H
#define LOGIC_SCHEDULE_H

#include "logic/gates.h"
#include "logic/program.h"

/* A weight of a cell, on a predicate of the layer below. */
typedef struct schedule_read {
    nlm_operation operation;
    uint32_t gate;
    uint8_t arity, order;           /* of what is read; as in nlm_column */
    uint8_t last;                   /* what may stand last in its tuple (schedule_levels.h) */
    uint8_t place[NLM_MAX_BREADTH]; /* position of the gate -> position of the reader's tuple, or its arity */
    int weight;
    int predicate; /* number among those of the layer below and the arity */
} schedule_read;

typedef struct schedule_cell {
    uint32_t gate;
    uint8_t arity, place[NLM_MAX_BREADTH]; /* position of the gate -> position of the tuple */
    uint32_t first, count;                 /* reads */
    int bias, number;                      /* number: among the cells of its layer and arity */
} schedule_cell;

typedef struct schedule {
    const nlm_program *program;
    const gate_store *gates;
    int breadth, depth;
    int inputs[NLM_MAX_BREADTH + 1];
    int width[NLM_MAX_DEPTH + 2][NLM_MAX_BREADTH + 1]; /* cells of layers 1 ... depth + 1 */
    buffer cells, reads;                               /* schedule_cell, schedule_read: upper layers first */
    uint32_t first_cell[NLM_MAX_DEPTH + 2], end_cell[NLM_MAX_DEPTH + 2];
    uint32_t cell_count, read_count;
    buffer input_number, used, levels, latest; /* schedule.c */
} schedule;

/* `targets` as distinct_gates gives them.  NLM_BAD_ARGUMENT, with the reason, if there is no such machine. */
nlm_status schedule_make(schedule *made, const nlm_program *program, const gate_store *gates,
                         const gate_wire *targets, int breadth, nlm_error *error);
void schedule_free(schedule *of);

static inline const schedule_cell *schedule_cells(const schedule *of)
{
    return of->cells.data;
}
static inline const schedule_read *schedule_reads(const schedule *of)
{
    return of->reads.data;
}

#endif
