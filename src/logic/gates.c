/* Building gates.  An `all` gets the smallest list of wires among those of all orders of its variables, so
 * that gates that differ in their order only are found to be equal. */
#include "logic/gates.h"
#include <stdlib.h>
#include <string.h>
#include "base/invariant.h"

enum { VARIABLES = 32 };

static int compare_wires(const void *a, const void *b)
{
    const gate_wire *x = a, *y = b;
    if (x->gate != y->gate)
        return x->gate < y->gate ? -1 : 1;
    const int places = memcmp(x->place, y->place, sizeof x->place);
    return places ? places : x->negated - y->negated;
}

static bool same_wires(const gate_wire *a, const gate_wire *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (compare_wires(&a[i], &b[i]))
            return false;
    return true;
}

static uint32_t mix(uint32_t hash, uint32_t value)
{
    hash ^= value + 0x9e3779b9u + (hash << 6) + (hash >> 2);
    return hash * 0x85ebca6bu ^ hash >> 13;
}

static uint32_t hash_of(const gate *made, const gate_wire *wires)
{
    uint32_t hash = mix(mix(made->kind, made->arity), (uint32_t)made->predicate);
    for (uint32_t i = 0; i < made->count; i++) {
        hash = mix(mix(hash, wires[i].gate), wires[i].negated);
        for (int k = 0; k < NLM_MAX_BREADTH; k++)
            hash = mix(hash, wires[i].place[k]);
    }
    return hash;
}

static uint32_t gate_hash(const void *store, uint32_t number)
{
    return gate_at(store, number)->hash;
}

static bool equal(const gate_store *store, uint32_t number, const gate *made, const gate_wire *wires)
{
    const gate *other = gate_at(store, number);
    return other->hash == made->hash && other->kind == made->kind && other->arity == made->arity &&
           other->predicate == made->predicate && other->count == made->count &&
           (made->kind != GATE_REFUSED || other->first == made->first) &&
           same_wires(gate_wires(store, number), wires, made->count);
}

/* The number of the gate; a new one if the store has none that is equal. */
static uint32_t intern(gate_store *store, gate made, const gate_wire *wires)
{
    if (store->failed)
        return 0;
    if (!slots_reserve(&store->slots, store->count, gate_hash, store)) {
        store->failed = true;
        return 0;
    }
    made.hash = hash_of(&made, wires);
    uint32_t *slot = slots_first(&store->slots, made.hash);
    for (; *slot; slot = slots_next(&store->slots, slot))
        if (equal(store, *slot - 1, &made, wires))
            return *slot - 1;
    if (store->wire_count + made.count > GATES_MOST_WIRES ||
        buffer_reserve(&store->gates, (size_t)store->count + 1, sizeof made, true) != NLM_OK ||
        buffer_reserve(&store->wires, (size_t)store->wire_count + made.count, sizeof *wires, true) !=
            NLM_OK) {
        store->failed = true;
        return 0;
    }
    if (made.kind != GATE_REFUSED)
        made.first = store->wire_count;
    if (made.count)
        memcpy((gate_wire *)store->wires.data + store->wire_count, wires, made.count * sizeof *wires);
    store->wire_count += made.count;
    ((gate *)store->gates.data)[store->count] = made;
    *slot = store->count + 1;
    return store->count++;
}

void gate_store_start(gate_store *store)
{
    *store = (gate_store){0};
    intern(store, (gate){.kind = GATE_TRUE}, NULL);
}

void gate_store_free(gate_store *store)
{
    buffer_free(&store->gates);
    buffer_free(&store->wires);
    slots_free(&store->slots);
}

gate_wire gate_constant(bool value)
{
    return (gate_wire){.negated = !value};
}

gate_wire gate_not(gate_wire wire)
{
    wire.negated = !wire.negated;
    return wire;
}

gate_wire gate_input(gate_store *store, int predicate, int arity, const uint8_t *variables)
{
    gate_wire wire = {
        .gate =
            intern(store, (gate){.kind = GATE_INPUT, .arity = (uint8_t)arity, .predicate = predicate}, NULL)};
    memcpy(wire.place, variables, (size_t)arity);
    return wire;
}

gate_wire gate_refused(gate_store *store, int definition, int variables)
{
    return (gate_wire){
        .gate =
            intern(store, (gate){.kind = GATE_REFUSED, .predicate = definition, .first = (uint32_t)variables},
                   NULL)};
}

/* ---- all ---- */

/* Wire `number` of the gate that `wire` leads to, with the variables of `wire`. */
static gate_wire outside(const gate_store *store, const gate_wire *wire, uint32_t number)
{
    const gate_wire inner = gate_wires(store, wire->gate)[number];
    gate_wire moved = {.gate = inner.gate, .negated = inner.negated};
    for (int k = 0; k < gate_at(store, inner.gate)->arity; k++)
        moved.place[k] = wire->place[inner.place[k]];
    return moved;
}

/* The wires of `all` with those of positive wires to other `all` gates in their place; NULL without memory.
 */
static gate_wire *flatten(gate_store *store, const gate_wire *wires, uint32_t *count)
{
    size_t total = 0;
    for (uint32_t i = 0; i < *count; i++)
        total += !wires[i].negated && gate_at(store, wires[i].gate)->kind == GATE_ALL
                     ? gate_at(store, wires[i].gate)->count
                     : 1;
    gate_wire *list = total <= GATES_MOST_WIRES ? malloc((total ? total : 1) * sizeof *list) : NULL;
    uint32_t used = 0;
    for (uint32_t i = 0; i < *count && list; i++) {
        const gate *of = gate_at(store, wires[i].gate);
        if (wires[i].negated || of->kind != GATE_ALL) {
            list[used++] = wires[i];
            continue;
        }
        for (uint32_t k = 0; k < of->count; k++)
            list[used++] = outside(store, &wires[i], k);
    }
    *count = used;
    return list;
}

/* Sorted, each wire once, without `true`; false if the whole is false. */
static bool tidy(gate_wire *list, uint32_t *count)
{
    qsort(list, *count, sizeof *list, compare_wires);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++) {
        if (list[i].gate == 0) {
            if (list[i].negated)
                return false;
            continue;
        }
        if (kept && list[kept - 1].gate == list[i].gate &&
            !memcmp(list[kept - 1].place, list[i].place, sizeof list[i].place)) {
            if (list[kept - 1].negated != list[i].negated)
                return false;
            continue;
        }
        list[kept++] = list[i];
    }
    *count = kept;
    return true;
}

static bool among(const gate_wire *list, uint32_t count, gate_wire wire)
{
    return bsearch(&wire, list, count, sizeof wire, compare_wires);
}

/* An `or` of a tidy list: true if a part of it is in the list, and without the parts whose negation is there.
 * The result is the wire as it should be. */
static gate_wire absorb(gate_store *store, const gate_wire *list, uint32_t count, gate_wire wire)
{
    const uint32_t parts = gate_at(store, wire.gate)->count;
    gate_wire *kept = malloc(parts * sizeof *kept);
    uint32_t left = 0;
    for (uint32_t i = 0; i < parts && kept; i++) {
        const gate_wire part = outside(store, &wire, i); /* not a part of the `or`, but its negation */
        if (among(list, count, gate_not(part))) {
            free(kept);
            return gate_constant(true);
        }
        if (!among(list, count, part))
            kept[left++] = part;
    }
    if (!kept)
        store->failed = true;
    else if (left < parts)
        wire = gate_not(gate_all(store, kept, left));
    free(kept);
    return wire;
}

/* Every `or` of a tidy list made smaller, if some can be; the list is then no longer in order.  All at once:
 * what makes an `or` smaller is contained in it, so that no two of them do it to each other. */
static bool absorb_all(gate_store *store, gate_wire *list, uint32_t count)
{
    gate_wire *before = malloc(count * sizeof *before);
    bool changed = false;
    if (!before) {
        store->failed = true;
        return false;
    }
    memcpy(before, list, count * sizeof *before);
    for (uint32_t i = 0; i < count && !store->failed; i++)
        if (list[i].negated && gate_at(store, list[i].gate)->kind == GATE_ALL) {
            list[i] = absorb(store, before, count, list[i]);
            changed |= compare_wires(&list[i], &before[i]) != 0;
        }
    free(before);
    return changed;
}

/* Wires with every variable replaced by its position, in order. */
static void place_all(const gate_store *store, const gate_wire *from, gate_wire *to, uint32_t count,
                      const uint8_t *position)
{
    for (uint32_t i = 0; i < count; i++) {
        to[i] = from[i];
        for (int k = 0; k < gate_at(store, from[i].gate)->arity; k++)
            to[i].place[k] = position[from[i].place[k]];
    }
    qsort(to, count, sizeof *to, compare_wires);
}

static int first_difference(const gate_wire *a, const gate_wire *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const int difference = compare_wires(&a[i], &b[i]);
        if (difference)
            return difference;
    }
    return 0;
}

/* All orders of variable[at ...]: the smallest list of wires goes to `best`, its order to `taken`. */
static void try_orders(const gate_store *store, const gate_wire *list, uint32_t count, uint8_t *variable,
                       int variables, int at, gate_wire *best, uint8_t *taken, bool *any)
{
    if (at == variables) {
        uint8_t position[VARIABLES] = {0};
        gate_wire *placed = best + count;
        for (int i = 0; i < variables; i++)
            position[variable[i]] = (uint8_t)i;
        place_all(store, list, placed, count, position);
        if (!*any || first_difference(placed, best, count) < 0) {
            memcpy(best, placed, count * sizeof *best);
            memcpy(taken, variable, (size_t)variables);
            *any = true;
        }
        return;
    }
    for (int i = at; i < variables; i++) {
        const uint8_t kept = variable[at];
        variable[at] = variable[i];
        variable[i] = kept;
        try_orders(store, list, count, variable, variables, at + 1, best, taken, any);
        variable[i] = variable[at];
        variable[at] = kept;
    }
}

static int variables_of(const gate_store *store, const gate_wire *list, uint32_t count, uint8_t *variable)
{
    uint32_t used = 0;
    int variables = 0;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < gate_at(store, list[i].gate)->arity; k++)
            used |= (uint32_t)1 << list[i].place[k];
    for (int v = 0; v < VARIABLES; v++)
        if (used >> v & 1)
            variable[variables++] = (uint8_t)v;
    return variables;
}

/* `all` of a tidy list of at least two wires. */
static gate_wire make_all(gate_store *store, const gate_wire *list, uint32_t count)
{
    uint8_t variable[VARIABLES];
    const int variables = variables_of(store, list, count, variable);
    gate_wire *best = variables <= NLM_MAX_BREADTH ? malloc(2 * (size_t)count * sizeof *best) : NULL;
    gate_wire result = {0};
    bool any = false;
    if (!best) {
        store->failed = true;
        return result;
    }
    try_orders(store, list, count, variable, variables, 0, best, result.place, &any);
    result.gate = intern(store, (gate){.kind = GATE_ALL, .arity = (uint8_t)variables, .count = count}, best);
    free(best);
    return result;
}

gate_wire gate_all(gate_store *store, const gate_wire *wires, uint32_t count)
{
    gate_wire *list = store->failed ? NULL : flatten(store, wires, &count), result;
    if (!list) {
        store->failed = true;
        return gate_constant(false);
    }
    if (!tidy(list, &count))
        result = gate_constant(false);
    else if (count == 0)
        result = gate_constant(true);
    else if (count == 1)
        result = list[0];
    else if (absorb_all(store, list, count))
        result = gate_all(store, list, count);
    else
        result = make_all(store, list, count);
    free(list);
    return result;
}

/* ---- some ---- */

/* Positions: the variables of the wire in its order, then those of the scope that it does not have. */
gate_wire gate_some(gate_store *store, gate_wire wire, uint32_t scope, int variable)
{
    if (wire.gate == 0 && wire.negated)
        return wire;
    const int inner = gate_at(store, wire.gate)->arity;
    uint8_t listed[VARIABLES + NLM_MAX_BREADTH], position[VARIABLES] = {0};
    int arity = 0;
    uint32_t left = scope & ~((uint32_t)1 << variable);
    for (int k = 0; k < inner && k < NLM_MAX_BREADTH; k++)
        if (wire.place[k] != variable) {
            left &= ~((uint32_t)1 << wire.place[k]);
            listed[arity++] = wire.place[k];
        }
    for (int v = 0; v < VARIABLES; v++)
        if (left >> v & 1)
            listed[arity++] = (uint8_t)v;
    if (arity >= NLM_MAX_BREADTH) {
        store->failed = true;
        return gate_constant(false);
    }
    gate_wire result = {0};
    memcpy(result.place, listed, (size_t)arity);
    for (int k = 0; k < arity; k++)
        position[listed[k]] = (uint8_t)k;
    position[variable] = (uint8_t)arity;
    for (int k = 0; k < inner && k < NLM_MAX_BREADTH; k++)
        wire.place[k] = position[wire.place[k]];
    result.gate = intern(store, (gate){.kind = GATE_SOME, .arity = (uint8_t)arity, .count = 1}, &wire);
    return result;
}
