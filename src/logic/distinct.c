/* Formulas to gates, each formula once.  Definitions are taken in their order, so that one finds those that
 * it uses; with repeated arguments, p(X, X), a definition becomes a formula of its own. */
#include "logic/distinct.h"
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "logic/scopes.h"

enum { MOST_NESTING = 2000 };

typedef struct known_wire {
    gate_wire wire;
    bool known;
} known_wire;

typedef struct distinct {
    nlm_program *program;
    gate_store *gates;
    scopes scopes;
    int breadth, definition, nesting;
    buffer wires; /* known_wire by formula */
    uint32_t count;
    bool failed, too_deep;
} distinct;

static gate_wire convert(distinct *of, formula f);

static known_wire *slot(distinct *of, formula f)
{
    const uint32_t count = of->program->store.node_count;
    if (count > of->count) {
        if (buffer_reserve(&of->wires, count, sizeof(known_wire), true) != NLM_OK) {
            of->failed = true;
            return NULL;
        }
        memset((known_wire *)of->wires.data + of->count, 0, (count - of->count) * sizeof(known_wire));
        of->count = count;
    }
    return (known_wire *)of->wires.data + f;
}

/* The definition with its different arguments as variables 0, 1, ..., which then become those of the atom. */
static gate_wire convert_atom(distinct *of, const formula_node *node)
{
    if (node->predicate < of->program->input_count)
        return gate_input(of->gates, node->predicate, node->arity, node->variable);
    int to[FORMULA_VARIABLES] = {0};
    uint8_t variable[FORMULA_MOST_ARITY];
    int variables = 0;
    for (int i = 0; i < node->arity; i++) {
        int same = 0;
        while (same < variables && variable[same] != node->variable[i])
            same++;
        if (same == variables)
            variable[variables++] = node->variable[i];
        to[i] = same;
    }
    gate_wire wire =
        convert(of, formula_rename(&of->program->store, program_at(of->program, node->predicate)->body, to));
    for (int k = 0; k < gate_at(of->gates, wire.gate)->arity; k++)
        wire.place[k] = variable[wire.place[k]];
    return wire;
}

/* and; or is not and not. */
static gate_wire convert_parts(distinct *of, formula f, bool negated)
{
    const uint32_t count = formula_at(&of->program->store, f)->count;
    gate_wire *wires = malloc(count * sizeof *wires);
    if (!wires) {
        of->failed = true;
        return gate_constant(false);
    }
    for (uint32_t i = 0; i < count; i++) {
        wires[i] = convert(of, formula_parts(&of->program->store, f)[i]);
        wires[i].negated ^= negated;
    }
    gate_wire result = gate_all(of->gates, wires, count);
    result.negated ^= negated;
    free(wires);
    return result;
}

static gate_wire convert_exists(distinct *of, formula f)
{
    formula_store *store = &of->program->store;
    const formula_node node = *formula_at(store, f);
    const uint32_t scope = formula_free(store, node.part);
    formula other = scopes_order(&of->scopes, f);
    if (other == f && __builtin_popcount(scope) > of->breadth)
        other = scopes_distribute(&of->scopes, f);
    if (other != f)
        return convert(of, other);
    if (__builtin_popcount(scope) > of->breadth)
        return gate_refused(of->gates, of->definition, __builtin_popcount(scope));
    gate_wire cases[NLM_MAX_BREADTH];
    uint32_t count = 0;
    int to[FORMULA_VARIABLES];
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        to[v] = v;
    cases[count++] = gate_not(gate_some(of->gates, convert(of, node.part), scope, node.bound));
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        if (node.free >> v & 1) {
            to[node.bound] = v;
            cases[count++] = gate_not(convert(of, formula_rename(store, node.part, to)));
        }
    return gate_not(gate_all(of->gates, cases, count));
}

static gate_wire convert_new(distinct *of, formula f)
{
    const formula_node node = *formula_at(&of->program->store, f);
    switch ((formula_kind)node.kind) {
    case FORMULA_CONSTANT:
        return gate_constant(f == FORMULA_TRUE);
    case FORMULA_ATOM:
        return convert_atom(of, &node);
    case FORMULA_EQUAL:
        return gate_constant(false);
    case FORMULA_NOT:
        return gate_not(convert(of, node.part));
    case FORMULA_EXISTS:
        return convert_exists(of, f);
    case FORMULA_AND:
    case FORMULA_OR:
        break;
    }
    return convert_parts(of, f, node.kind == FORMULA_OR);
}

static gate_wire convert(distinct *of, formula f)
{
    known_wire *at = slot(of, f);
    of->failed |= of->program->store.failed || of->gates->failed || of->scopes.failed;
    if (of->failed || of->too_deep)
        return gate_constant(false);
    if (at->known)
        return at->wire;
    of->too_deep = ++of->nesting > MOST_NESTING;
    const gate_wire wire = convert_new(of, f);
    of->nesting--;
    at = slot(of, f);
    if (at)
        *at = (known_wire){wire, true};
    return wire;
}

/* Definitions that an atom of different arguments, reached from a target, names: to be converted first. */
static void mark(const nlm_program *program, formula f, bool *wanted)
{
    const formula_node *node = formula_at(&program->store, f);
    bool different = node->kind == FORMULA_ATOM && node->predicate >= program->input_count;
    for (int i = 0; different && i < node->arity; i++)
        for (int k = 0; k < i; k++)
            different &= node->variable[i] != node->variable[k];
    if (different)
        wanted[node->predicate] = true;
    if (node->kind == FORMULA_NOT || node->kind == FORMULA_EXISTS)
        mark(program, node->part, wanted);
    for (uint32_t i = 0; i < node->count; i++)
        mark(program, formula_parts(&program->store, f)[i], wanted);
}

static void convert_program(distinct *of, bool *wanted, gate_wire *targets)
{
    const nlm_program *program = of->program;
    for (int t = 0; t < program->target_count; t++)
        wanted[program->target[t]] = true;
    for (int i = program->predicate_count - 1; i >= program->input_count; i--)
        if (wanted[i])
            mark(program, program_at(program, i)->body, wanted);
    for (int i = program->input_count; i < program->predicate_count; i++)
        if (wanted[i]) {
            of->definition = i;
            convert(of, program_at(program, i)->body);
        }
    for (int t = 0; t < program->target_count; t++)
        targets[t] = convert(of, program_at(program, program->target[t])->body);
}

nlm_status distinct_gates(nlm_program *program, int breadth, gate_store *gates, gate_wire *targets,
                          nlm_error *error)
{
    distinct of = {.program = program, .gates = gates, .breadth = breadth};
    bool *wanted = calloc((size_t)program->predicate_count, sizeof *wanted);
    nlm_status status = wanted ? scopes_start(&of.scopes, program, error) : error_no_memory(error);
    if (status == NLM_OK) {
        convert_program(&of, wanted, targets);
        if (of.too_deep)
            status = error_set(error, NLM_BAD_ARGUMENT,
                               "the program is nested too deeply: definitions use definitions more than %d "
                               "times over",
                               MOST_NESTING / 2);
        else if (of.failed || program->store.failed || gates->failed || of.scopes.failed)
            status =
                error_set(error, NLM_NO_MEMORY,
                          "the program is too large to be compiled: its formulas have more than %d parts, or "
                          "there is no memory for them; definitions that use others less often need fewer",
                          FORMULA_NODES);
    }
    scopes_free(&of.scopes);
    buffer_free(&of.wires);
    free(wanted);
    return status;
}
