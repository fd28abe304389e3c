/* Levels first (schedule_levels.c); then cells from the heads down: what the cells of a layer read are the
 * cells of the layer below.
 *
 * The weights and biases here are whole numbers with sums of odd value: at least 1 where the gate is true, at
 * most -1 where it is false. */
#include "logic/schedule.h"
#include <string.h>
#include "base/error.h"
#include "base/invariant.h"
#include "base/orders.h"
#include "logic/schedule_levels.h"

static schedule_cell *cell_at(const schedule *of, uint32_t number)
{
    return (schedule_cell *)of->cells.data + number;
}

static schedule_read *read_at(const schedule *of, uint32_t number)
{
    return (schedule_read *)of->reads.data + number;
}

/* ---- units and heads ---- */

/* A unit or head that is being written. */
typedef struct writing {
    schedule *of;
    int layer, arity;
    schedule_cell cell;
    nlm_status status;
} writing;

static void add_read(writing *to, schedule_read read)
{
    schedule *of = to->of;
    if (!to->status)
        to->status = buffer_reserve(&of->reads, (size_t)of->read_count + 1, sizeof read, true);
    if (to->status)
        return;
    *read_at(of, of->read_count++) = read;
    to->cell.count++;
}

/* A `some` of the unit's arity, read as a reduction. */
static schedule_read reduction(const writing *to, uint32_t some, const uint8_t *place, int weight)
{
    const schedule *of = to->of;
    const gate_wire *wire = gate_wires(of->gates, some);
    const int arity = gate_of(of, some)->arity;
    schedule_read read = {.operation = wire->negated ? NLM_FORALL : NLM_EXISTS,
                          .gate = wire->gate,
                          .arity = (uint8_t)(arity + 1),
                          .last = level_last_of(of, some),
                          .weight = wire->negated ? -weight : weight};
    for (int k = 0; k < gate_of(of, wire->gate)->arity; k++)
        read.place[k] = wire->place[k] == arity ? (uint8_t)arity : place[wire->place[k]];
    return read;
}

/* The weight of a gate whose positions are at `place` of the unit's tuple.  The constant is what the sum has
 * beside the weights: some not f is not for all f. */
static void add_literal(writing *to, uint32_t number, const uint8_t *place, int weight)
{
    const schedule *of = to->of;
    const gate *g = gate_of(of, number);
    const int below = to->layer - 1;
    schedule_read read = {.operation = NLM_OWN,
                          .gate = number,
                          .arity = (uint8_t)to->arity,
                          .last = LAST_ANY,
                          .weight = weight};
    memcpy(read.place, place, sizeof read.place);
    if (to->layer > of->depth)
        read.last = LAST_EXACT;
    else if (g->arity < to->arity && level_available(of, number, to->arity - 1, LAST_ANY, NULL) <= below) {
        read.operation = NLM_EXPAND;
        read.arity--;
    } else if (level_available(of, number, to->arity, LAST_ANY, NULL) > below) {
        INVARIANT(g->kind == GATE_SOME && g->arity == to->arity);
        read = reduction(to, number, place, weight);
        if (read.weight != weight)
            to->cell.bias += weight;
    }
    add_read(to, read);
}

/* The least and the largest sum of a gate's weights and bias. */
typedef struct span {
    int low, high;
} span;

/* `factor` times the weights of an `all`: those of a fold first, the others large enough to outweigh it. */
static span add_all(writing *to, uint32_t number, const uint8_t *place, int factor)
{
    const schedule *of = to->of;
    const bool head = to->layer > of->depth;
    int fold;
    level_of_all(of, number, to->arity, head ? place : NULL, &fold);
    span sum = {1, 1};
    uint8_t inner[NLM_MAX_BREADTH];
    if (fold != NO_FOLD) {
        const gate_wire wire = gate_wires(of->gates, number)[fold];
        level_places(of, &wire, place, inner);
        const span of_fold = add_all(to, wire.gate, inner, -factor);
        sum = (span){-of_fold.high, -of_fold.low};
    } else
        to->cell.bias += factor;
    const int weight = sum.high + 1;
    for (uint32_t i = 0; i < gate_of(of, number)->count; i++) {
        const gate_wire wire = gate_wires(of->gates, number)[i];
        if ((int)i == fold)
            continue;
        level_places(of, &wire, place, inner);
        add_literal(to, wire.gate, inner, wire.negated ? -factor * weight : factor * weight);
        if (!wire.negated)
            to->cell.bias -= factor * weight;
        sum.low -= weight;
    }
    return sum;
}

/* One gate alone, copied, reduced or, for a head, as it is. */
static void add_single(writing *to, uint32_t number, const uint8_t *place, int factor)
{
    to->cell.bias -= factor;
    add_literal(to, number, place, 2 * factor);
}

/* `true` in a unit that has a lower layer to read: of an arity less, its own, or more. */
static void add_true(writing *to)
{
    const uint8_t nowhere[NLM_MAX_BREADTH] = {0};
    const gate_level *level = level_of(to->of, 0, to->arity);
    if (to->layer == 1)
        to->cell.bias = 1;
    else if (level[0].lowest < to->layer || (to->arity && level[-1].lowest < to->layer))
        add_single(to, 0, nowhere, 1);
    else {
        to->cell.bias = -1;
        add_read(to, (schedule_read){.operation = NLM_FORALL,
                                     .arity = (uint8_t)(to->arity + 1),
                                     .last = LAST_ANY,
                                     .weight = 2});
    }
}

/* The reads of a cell: a copy of what the layer below has, or its gate computed. */
static nlm_status write_cell(schedule *of, int layer, uint32_t number)
{
    writing to = {.of = of, .layer = layer, .cell = *cell_at(of, number)};
    const uint32_t wanted = to.cell.gate;
    const gate *g = gate_of(of, wanted);
    to.arity = to.cell.arity;
    to.cell.first = of->read_count;
    const bool copied =
        level_available(of, wanted, to.arity, LAST_ANY, NULL) < layer ||
        (g->arity < to.arity && level_available(of, wanted, to.arity - 1, LAST_ANY, NULL) < layer);
    if (wanted == 0)
        add_true(&to);
    else if (copied || g->kind != GATE_ALL)
        add_single(&to, wanted, to.cell.place, 1);
    else
        add_all(&to, wanted, to.cell.place, 1);
    *cell_at(of, number) = to.cell;
    return to.status;
}

static nlm_status write_head(schedule *of, const gate_wire *target, int arity)
{
    writing to = {.of = of, .layer = of->depth + 1, .arity = arity, .cell = {.gate = target->gate}};
    const int factor = target->negated ? -1 : 1;
    to.cell.arity = (uint8_t)arity;
    to.cell.first = of->read_count;
    if (level_available(of, target->gate, arity, LAST_EXACT, target->place) <= of->depth)
        add_single(&to, target->gate, target->place, factor);
    else
        add_all(&to, target->gate, target->place, factor);
    if (!to.status)
        to.status = buffer_reserve(&of->cells, (size_t)of->cell_count + 1, sizeof to.cell, true);
    if (!to.status)
        *cell_at(of, of->cell_count++) = to.cell;
    return to.status;
}

/* ---- cells ---- */

static bool suits(const schedule *of, const schedule_cell *cell, const schedule_read *read)
{
    const int arity = gate_of(of, cell->gate)->arity;
    if (read->last == LAST_ANY)
        return true;
    if (read->last == LAST_EXACT)
        return !memcmp(cell->place, read->place, (size_t)arity);
    if (read->last != LAST_OTHER)
        return cell->place[read->last] == cell->arity - 1;
    for (int k = 0; k < arity; k++)
        if (cell->place[k] == cell->arity - 1)
            return false;
    return true;
}

static void arrange(const schedule *of, schedule_cell *cell, const schedule_read *read)
{
    const int arity = gate_of(of, cell->gate)->arity;
    uint8_t next = 0;
    for (int k = 0; k < arity; k++)
        if (read->last == LAST_EXACT)
            cell->place[k] = read->place[k];
        else
            cell->place[k] = k == read->last ? (uint8_t)(cell->arity - 1) : next++;
}

/* The order in which the reader's tuple meets the cell: position place[k] of the cell is position
 * read->place[k] of the reader.  Positions that the gate does not have get the rest in order. */
static uint8_t order_of(const schedule *of, const schedule_cell *cell, const schedule_read *read, int arity)
{
    uint8_t order[NLM_MAX_BREADTH];
    bool filled[NLM_MAX_BREADTH] = {false}, taken[NLM_MAX_BREADTH] = {false};
    for (int k = 0; k < gate_of(of, cell->gate)->arity; k++)
        if (read->place[k] < arity) {
            order[cell->place[k]] = read->place[k];
            filled[cell->place[k]] = taken[read->place[k]] = true;
        }
    uint8_t next = 0;
    for (int k = 0; k < arity; k++) {
        if (filled[k])
            continue;
        while (taken[next])
            next++;
        order[k] = next++;
    }
    return (uint8_t)orders_number(order, arity);
}

/* The latest cell of a gate and arity in the layer that is being made, + 1; each cell has the one before it
 * in `first` until its reads are written. */
static uint32_t *latest_cell(const schedule *of, const schedule_read *read)
{
    return (uint32_t *)of->latest.data + (size_t)read->gate * ARITIES + read->arity;
}

static nlm_status find_cell(schedule *of, int layer, schedule_read *read, int reader_arity, nlm_error *error)
{
    uint32_t *latest = latest_cell(of, read), at = *latest;
    while (at && !suits(of, cell_at(of, at - 1), read))
        at = cell_at(of, at - 1)->first;
    if (!at) {
        if (buffer_reserve(&of->cells, (size_t)of->cell_count + 1, sizeof(schedule_cell), true))
            return error_no_memory(error);
        schedule_cell cell = {.gate = read->gate,
                              .arity = read->arity,
                              .first = *latest,
                              .number = of->width[layer][read->arity]++};
        if (cell.number == NLM_MAX_WIDTH)
            return error_set(
                error, NLM_BAD_ARGUMENT,
                "layer %d needs more than %d predicates of arity %d, the most that a machine has", layer,
                NLM_MAX_WIDTH, read->arity);
        arrange(of, &cell, read);
        *cell_at(of, of->cell_count) = cell;
        at = *latest = ++of->cell_count;
    }
    read->predicate = cell_at(of, at - 1)->number;
    read->order = order_of(of, cell_at(of, at - 1), read, reader_arity);
    return NLM_OK;
}

/* The input that a cell of layer 1 reads, in the order that worlds have. */
static void find_input(const schedule *of, schedule_read *read, int reader_arity)
{
    schedule_cell cell = {.gate = read->gate, .arity = read->arity};
    for (uint8_t k = 0; k < read->arity; k++)
        cell.place[k] = k;
    INVARIANT(gate_of(of, read->gate)->kind == GATE_INPUT && suits(of, &cell, read));
    read->predicate = ((const int *)of->input_number.data)[gate_of(of, read->gate)->predicate];
    read->order = order_of(of, &cell, read, reader_arity);
}

/* The cells of a layer, from what the layer above reads; those whose order matters most come first, so that
 * others are content with them. */
static nlm_status make_layer(schedule *of, int layer, nlm_error *error)
{
    of->first_cell[layer] = of->cell_count;
    for (int turn = 0; turn < 3; turn++)
        for (uint32_t i = of->first_cell[layer + 1]; i < of->end_cell[layer + 1]; i++) {
            const schedule_cell reader = *cell_at(of, i);
            for (uint32_t k = reader.first; k < reader.first + reader.count; k++) {
                schedule_read *read = read_at(of, k);
                if ((read->last == LAST_EXACT ? 0 : read->last == LAST_ANY ? 2 : 1) != turn)
                    continue;
                if (layer == 0) {
                    find_input(of, read, reader.arity);
                    continue;
                }
                const nlm_status status = find_cell(of, layer, read, reader.arity, error);
                if (status)
                    return status;
            }
        }
    of->end_cell[layer] = of->cell_count;
    for (uint32_t i = of->first_cell[layer]; i < of->end_cell[layer]; i++) {
        const schedule_cell *cell = cell_at(of, i);
        *latest_cell(of, &(schedule_read){.gate = cell->gate, .arity = cell->arity}) = 0;
        if (write_cell(of, layer, i))
            return error_no_memory(error);
    }
    return NLM_OK;
}

static nlm_status make_cells(schedule *of, const gate_wire *targets, nlm_error *error)
{
    nlm_status status = NLM_OK;
    of->first_cell[of->depth + 1] = 0;
    for (int t = 0; t < of->program->target_count; t++)
        if (write_head(of, &targets[t], program_at(of->program, of->program->target[t])->arity))
            return error_no_memory(error);
    of->end_cell[of->depth + 1] = of->cell_count;
    for (int layer = of->depth; layer >= 0 && !status; layer--)
        status = make_layer(of, layer, error);
    return status;
}

/* ---- life ---- */

static nlm_status make_room(schedule *of, nlm_error *error)
{
    const size_t gates = of->gates->count;
    if (buffer_reserve(&of->used, gates, sizeof(bool), false) ||
        buffer_reserve(&of->levels, gates * ARITIES, sizeof(gate_level), false) ||
        buffer_reserve(&of->latest, gates * ARITIES, sizeof(uint32_t), false) ||
        buffer_reserve(&of->input_number, (size_t)of->program->input_count, sizeof(int), false))
        return error_no_memory(error);
    memset(of->latest.data, 0, gates * ARITIES * sizeof(uint32_t));
    for (int i = 0; i < of->program->input_count; i++)
        ((int *)of->input_number.data)[i] = of->inputs[program_at(of->program, i)->arity]++;
    return NLM_OK;
}

nlm_status schedule_make(schedule *made, const nlm_program *program, const gate_store *gates,
                         const gate_wire *targets, int breadth, nlm_error *error)
{
    *made = (schedule){.program = program, .gates = gates};
    nlm_status status = make_room(made, error);
    if (!status)
        status = levels_find(made, targets, breadth, error);
    return status ? status : make_cells(made, targets, error);
}

void schedule_free(schedule *of)
{
    buffer_free(&of->cells);
    buffer_free(&of->reads);
    buffer_free(&of->input_number);
    buffer_free(&of->used);
    buffer_free(&of->levels);
    buffer_free(&of->latest);
}
