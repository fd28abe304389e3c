/* Gates: formulas about different objects, the form that a machine computes.
 *
 * A gate of arity n is true or false for a tuple of n objects that are pairwise different:
 *
 *     true     always
 *     input    predicate p of a world
 *     all      all of its wires hold
 *     some     its only wire holds for some object that is not one of the tuple's: position n of the wire
 *
 * A wire is a gate, perhaps negated, about objects of the tuple: its position i is position place[i].
 * "Or" and "for all" are `all` and `some` with negated wires.  In a store equal gates are one number, also if
 * they differ in the order of their positions only.  Wires outside of gates have numbers of variables in the
 * place of positions.
 *
 * A store that has no memory left, or too many wires, becomes `failed` and stays so. */
#ifndef LOGIC_GATES_H
#define LOGIC_GATES_H

#include <stdbool.h>
#include <stdint.h>
#include "base/memory.h"
#include "logic/slots.h"
#include "nlm/world.h"

enum { GATES_MOST_WIRES = 1 << 22 };

typedef enum gate_kind {
    GATE_TRUE,
    GATE_INPUT,
    GATE_ALL,
    GATE_SOME,
    GATE_REFUSED /* stands for a formula of more variables than the breadth */
} gate_kind;

typedef struct gate_wire {
    uint32_t gate;
    bool negated;
    uint8_t place[NLM_MAX_BREADTH]; /* 0 beyond the gate's arity */
} gate_wire;

typedef struct gate {
    uint8_t kind, arity;
    int predicate;         /* of an input; of a refused one the definition */
    uint32_t first, count; /* wires; of a refused one `first` is the number of variables */
    uint32_t hash;
} gate;

typedef struct gate_store {
    buffer gates, wires;
    slot_table slots;
    uint32_t count, wire_count;
    bool failed;
} gate_store;

static inline const gate *gate_at(const gate_store *store, uint32_t number)
{
    return (const gate *)store->gates.data + number;
}
static inline const gate_wire *gate_wires(const gate_store *store, uint32_t number)
{
    return (const gate_wire *)store->wires.data + gate_at(store, number)->first;
}

/* Gate 0 is true. */
void gate_store_start(gate_store *store);
void gate_store_free(gate_store *store);

gate_wire gate_constant(bool value);
gate_wire gate_input(gate_store *store, int predicate, int arity, const uint8_t *variables);
gate_wire gate_not(gate_wire wire);
/* The wires must not lie in the store. */
gate_wire gate_all(gate_store *store, const gate_wire *wires, uint32_t count);
/* Some object other than those of the variables in `scope` makes the wire true in the place of `variable`. */
gate_wire gate_some(gate_store *store, gate_wire wire, uint32_t scope, int variable);
gate_wire gate_refused(gate_store *store, int definition, int variables);

#endif
