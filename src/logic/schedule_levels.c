#include "logic/schedule_levels.h"
#include <stdio.h>
#include <string.h>
#include "base/error.h"

enum { FOLDED_READS = 16 }; /* most predicates that a unit with a fold reads: so many have tables of truth */

static bool in_order(const uint8_t *place, int arity)
{
    for (int k = 0; k < arity; k++)
        if (place[k] != k)
            return false;
    return true;
}

int level_available(const schedule *of, uint32_t number, int arity, uint8_t last, const uint8_t *place)
{
    const gate *g = gate_of(of, number);
    if (g->kind == GATE_INPUT && g->arity == arity)
        return !(last == LAST_ANY || (last == LAST_EXACT ? in_order(place, arity) : last == arity - 1));
    return level_of(of, number, arity)->lowest;
}

uint8_t level_last_of(const schedule *of, uint32_t some)
{
    const gate_wire *wire = gate_wires(of->gates, some);
    for (uint8_t k = 0; k < gate_of(of, wire->gate)->arity; k++)
        if (wire->place[k] == gate_of(of, some)->arity)
            return k;
    return LAST_OTHER;
}

static int reduced_level(const schedule *of, uint32_t some)
{
    return level_available(of, gate_wires(of->gates, some)->gate, gate_of(of, some)->arity + 1,
                           level_last_of(of, some), NULL);
}

void level_places(const schedule *of, const gate_wire *wire, const uint8_t *place, uint8_t *inner)
{
    memset(inner, 0, NLM_MAX_BREADTH);
    for (int k = 0; k < gate_of(of, wire->gate)->arity; k++)
        inner[k] = place[wire->place[k]];
}

/* The lowest layer from which a unit of an arity, or with `place` a head, can read the wire. */
static int read_level(const schedule *of, const gate_wire *wire, int arity, const uint8_t *place)
{
    const gate *g = gate_of(of, wire->gate);
    uint8_t inner[NLM_MAX_BREADTH];
    if (place) {
        level_places(of, wire, place, inner);
        return level_available(of, wire->gate, arity, LAST_EXACT, inner);
    }
    int least = level_available(of, wire->gate, arity, LAST_ANY, NULL), other = least;
    if (g->arity < arity)
        other = level_available(of, wire->gate, arity - 1, LAST_ANY, NULL);
    else if (g->kind == GATE_SOME)
        other = reduced_level(of, wire->gate);
    return other < least ? other : least;
}

gate_level level_of_all(const schedule *of, uint32_t number, int arity, const uint8_t *place, int *fold)
{
    const gate *g = gate_of(of, number);
    const gate_wire *wires = gate_wires(of->gates, number);
    int most = -1, second = -1, at = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        const int level = read_level(of, &wires[i], arity, place);
        if (level > most) {
            second = most;
            most = level;
            at = (int)i;
        } else if (level > second)
            second = level;
    }
    *fold = NO_FOLD;
    gate_level result = {.direct = (uint16_t)most, .reads = (uint8_t)(g->count < 255 ? g->count : 255)};
    if (most == second || !wires[at].negated || gate_of(of, wires[at].gate)->kind != GATE_ALL)
        return result;
    gate_level folded = *level_of(of, wires[at].gate, arity);
    if (place) {
        uint8_t inner[NLM_MAX_BREADTH];
        int ignored;
        level_places(of, &wires[at], place, inner);
        folded = level_of_all(of, wires[at].gate, arity, inner, &ignored);
    }
    const int reads = (int)result.reads - 1 + folded.reads;
    if (folded.direct < most && reads <= FOLDED_READS) {
        *fold = at;
        result.direct = (uint16_t)(folded.direct > second ? folded.direct : second);
        result.reads = (uint8_t)reads;
    }
    return result;
}

/* A unit that reads nothing does not exist: `true` needs a layer for each step away from an input's arity. */
static int true_level(const schedule *of, int arity)
{
    int least = NLM_MAX_BREADTH + 1;
    for (int r = 0; r < ARITIES; r++) {
        const int steps = r < arity ? arity - r : r - arity;
        if (of->inputs[r] && steps < least)
            least = steps;
    }
    return least ? least : 1;
}

static gate_level find_level(const schedule *of, uint32_t number, int arity)
{
    const gate *g = gate_of(of, number);
    gate_level result = {0};
    int read = 0, fold;
    if (g->kind == GATE_TRUE) {
        result.lowest = (uint16_t)true_level(of, arity);
        return result;
    }
    if (g->kind == GATE_INPUT && g->arity == arity)
        return result;
    if (g->kind == GATE_ALL) {
        result = level_of_all(of, number, arity, NULL, &fold);
        read = result.direct;
    } else if (g->arity == arity)
        read = reduced_level(of, number);
    if (g->arity < arity) {
        const int expand = level_available(of, number, arity - 1, LAST_ANY, NULL);
        read = g->kind != GATE_ALL || expand < read ? expand : read;
    }
    result.lowest = (uint16_t)(read + 1);
    return result;
}

static bool is_used(const schedule *of, uint32_t number)
{
    return ((const bool *)of->used.data)[number];
}

/* The gates that targets are made of. */
static void mark_used(schedule *of, const gate_wire *targets)
{
    bool *used = of->used.data;
    memset(used, 0, of->gates->count);
    used[0] = true;
    for (int t = 0; t < of->program->target_count; t++)
        used[targets[t].gate] = true;
    for (uint32_t i = of->gates->count; i-- > 0;)
        for (uint32_t k = 0; used[i] && k < gate_of(of, i)->count; k++)
            used[gate_wires(of->gates, i)[k].gate] = true;
}

static nlm_status refuse(const schedule *of, const gate *g, int breadth, nlm_error *error)
{
    const program_predicate *in = program_at(of->program, g->predicate);
    char line[40] = "";
    if (in->line)
        snprintf(line, sizeof line, "line %zu: ", in->line);
    return error_set(
        error, NLM_BAD_ARGUMENT,
        "%s%.100s/%d: %u variables at breadth %d: literals of a clause relate so many at once; %s", line,
        in->name, in->arity, g->first, breadth,
        g->first <= NLM_MAX_BREADTH ? "take a larger breadth, or split the clause"
                                    : "split it into clauses of fewer variables");
}

/* The breadth of the machine: of inputs, targets, gates and what they reduce. */
static nlm_status find_breadth(schedule *of, int most, nlm_error *error)
{
    of->breadth = 1;
    for (int r = 0; r < ARITIES; r++)
        of->breadth = of->inputs[r] && r > of->breadth ? r : of->breadth;
    for (int t = 0; t < of->program->target_count; t++) {
        const int arity = program_at(of->program, of->program->target[t])->arity;
        of->breadth = arity > of->breadth ? arity : of->breadth;
    }
    if (of->breadth > most)
        return error_set(
            error, NLM_BAD_ARGUMENT,
            "the program has a predicate of arity %d, and breadth %d is too small for it: take a "
            "larger breadth",
            of->breadth, most);
    for (uint32_t i = 0; i < of->gates->count; i++) {
        const gate *g = gate_of(of, i);
        if (is_used(of, i) && g->kind == GATE_REFUSED)
            return refuse(of, g, most, error);
        const int arity = g->arity + (g->kind == GATE_SOME);
        of->breadth = is_used(of, i) && arity > of->breadth ? arity : of->breadth;
    }
    return NLM_OK;
}

static nlm_status find_depth(schedule *of, const gate_wire *targets, nlm_error *error)
{
    for (uint32_t i = 0; i < of->gates->count; i++)
        for (int r = gate_of(of, i)->arity; r <= of->breadth && is_used(of, i); r++)
            *level_of(of, i, r) = find_level(of, i, r);
    int depth = 1, fold;
    for (int t = 0; t < of->program->target_count; t++) {
        const int arity = program_at(of->program, of->program->target[t])->arity;
        int level = level_available(of, targets[t].gate, arity, LAST_EXACT, targets[t].place);
        if (gate_of(of, targets[t].gate)->kind == GATE_ALL) {
            const int in_head = level_of_all(of, targets[t].gate, arity, targets[t].place, &fold).direct;
            level = in_head < level ? in_head : level;
        }
        depth = level > depth ? level : depth;
    }
    if (depth > NLM_MAX_DEPTH)
        return error_set(
            error, NLM_BAD_ARGUMENT,
            "the program needs %d layers; a machine has at most %d: definitions that use each other "
            "less deeply need fewer",
            depth, NLM_MAX_DEPTH);
    of->depth = depth;
    return NLM_OK;
}

nlm_status levels_find(schedule *of, const gate_wire *targets, int breadth, nlm_error *error)
{
    mark_used(of, targets);
    const nlm_status status = find_breadth(of, breadth, error);
    return status ? status : find_depth(of, targets, error);
}
