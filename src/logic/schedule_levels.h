/* Levels of a schedule: for each gate and arity the lowest layer that can have it, by which the depth of the
 * machine is known before any cell is made (schedule.c).
 *
 * A unit computes an `all` by one weight for each wire, and may do without a cell for one wire that is an
 * `or` (a fold): a, (b or c) is true where 4 a + 2 b + 2 c > 5.  Two such wires are no threshold. */
#ifndef LOGIC_SCHEDULE_LEVELS_H
#define LOGIC_SCHEDULE_LEVELS_H

#include "logic/schedule.h"

enum {
    ARITIES = NLM_MAX_BREADTH + 1,
    NO_FOLD = -1,
    /* `last` of a read: a position of the gate, or */
    LAST_ANY = 255,   /* the order of the source does not matter */
    LAST_OTHER = 254, /* none of the gate's positions */
    LAST_EXACT = 253  /* the source's order is the read's own */
};

/* For a gate and an arity. */
typedef struct gate_level {
    uint16_t lowest; /* layer of the first cell */
    uint16_t direct; /* of an `all`: the layer that a unit must read to compute it */
    uint8_t reads;   /* and how many predicates it then reads, at most 255 */
} gate_level;

/* Marks the gates that are used; sets breadth, levels and depth. */
nlm_status levels_find(schedule *of, const gate_wire *targets, int breadth, nlm_error *error);

static inline const gate *gate_of(const schedule *of, uint32_t number)
{
    return gate_at(of->gates, number);
}

static inline gate_level *level_of(const schedule *of, uint32_t number, int arity)
{
    return (gate_level *)of->levels.data + (size_t)number * ARITIES + arity;
}

/* The lowest layer that has the gate with `last`; inputs have no other order in layer 0 than their own. */
int level_available(const schedule *of, uint32_t number, int arity, uint8_t last, const uint8_t *place);
/* What a unit, or with `place` a head, must read to compute an `all`, and the wire that it folds. */
gate_level level_of_all(const schedule *of, uint32_t number, int arity, const uint8_t *place, int *fold);
/* What must stand last in the gate that a `some` reduces. */
uint8_t level_last_of(const schedule *of, uint32_t some);
/* The positions of a wire's gate, where those of the gate that has the wire are at `place`. */
void level_places(const schedule *of, const gate_wire *wire, const uint8_t *place, uint8_t *inner);

#endif
