/* Variables have a distance from the free ones, by the facts that bind them.  exists Z: f gives Z the
 * distance to which facts that f implies connect it:
 *
 *     an atom of an input   its objects are one step from each other
 *     X = Y                 the same distance
 *     and                   what each part implies
 *     or                    what all parts imply: of their distances the largest
 *     exists Z: f           what f implies about the other variables
 *     a definition          what its body implies about the arguments
 *     not                   nothing */
#include "logic/guarded.h"

#include <string.h>

enum { FAR = 1 << 20, MOST_DEPTH = 200 };

typedef int distances[FORMULA_VARIABLES];

struct search {
    const nlm_program *program;
    int reach; /* so far */
    int depth;
    bool failed;
};

/* What f implies brings variables nearer; whether it brought any. */
static bool bring_nearer(const struct search *in, formula f, int *distance);

static bool take_nearer(int *distance, const int *other)
{
    bool nearer = false;
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        if (other[v] < distance[v]) {
            distance[v] = other[v];
            nearer = true;
        }
    return nearer;
}

/* Two variables at most `step` apart. */
static bool by_steps(const formula_node *node, int arity, int step, int *distance)
{
    bool nearer = false;
    for (int i = 0; i < arity; i++)
        for (int k = 0; k < arity; k++) {
            const int other = distance[node->variable[i]] + step;
            if (other < distance[node->variable[k]]) {
                distance[node->variable[k]] = other;
                nearer = true;
            }
        }
    return nearer;
}

static bool by_all_parts(const struct search *in, formula f, int *distance)
{
    const formula_store *store = &in->program->store;
    distances farthest, own;
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        farthest[v] = formula_at(store, f)->count > 0 ? 0 : FAR;
    for (uint32_t p = 0; p < formula_at(store, f)->count; p++) {
        memcpy(own, distance, sizeof own);
        while (bring_nearer(in, formula_parts(store, f)[p], own))
            continue;
        for (int v = 0; v < FORMULA_VARIABLES; v++)
            farthest[v] = own[v] > farthest[v] ? own[v] : farthest[v];
    }
    return take_nearer(distance, farthest);
}

static bool by_definition(const struct search *in, const formula_node *atom, int *distance)
{
    distances inner;
    bool nearer = false;
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        inner[v] = v < atom->arity ? distance[atom->variable[v]] : FAR;
    while (bring_nearer(in, program_at(in->program, atom->predicate)->body, inner))
        continue;
    for (int k = 0; k < atom->arity; k++)
        if (inner[k] < distance[atom->variable[k]]) {
            distance[atom->variable[k]] = inner[k];
            nearer = true;
        }
    return nearer;
}

static bool by_exists(const struct search *in, const formula_node *node, int *distance)
{
    distances inner;
    memcpy(inner, distance, sizeof inner);
    inner[node->bound] = FAR;
    while (bring_nearer(in, node->part, inner))
        continue;
    inner[node->bound] = distance[node->bound];
    return take_nearer(distance, inner);
}

static bool bring_nearer(const struct search *in, formula f, int *distance)
{
    const formula_store *store = &in->program->store;
    const formula_node *node = formula_at(store, f);
    bool nearer = false;
    switch ((formula_kind)node->kind) {
    case FORMULA_ATOM:
        return node->predicate < in->program->input_count ? by_steps(node, node->arity, 1, distance)
                                                          : by_definition(in, node, distance);
    case FORMULA_EQUAL:
        return by_steps(node, 2, 0, distance);
    case FORMULA_AND:
        for (uint32_t p = 0; p < node->count; p++)
            nearer |= bring_nearer(in, formula_parts(store, f)[p], distance);
        return nearer;
    case FORMULA_OR:
        return by_all_parts(in, f, distance);
    case FORMULA_EXISTS:
        return by_exists(in, node, distance);
    case FORMULA_NOT:
    case FORMULA_CONSTANT:
        break;
    }
    return false;
}

static void look(struct search *in, formula f, const int *distance);

/* The body with the distances of the arguments. */
static void look_at_definition(struct search *in, const formula_node *atom, const int *distance)
{
    distances inner;
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        inner[v] = v < atom->arity ? distance[atom->variable[v]] : FAR;
    look(in, program_at(in->program, atom->predicate)->body, inner);
}

/* A chain of quantifiers is one search: all their variables are unknown at first. */
static void look_at_exists(struct search *in, const formula_node *node, const int *distance)
{
    const formula_store *store = &in->program->store;
    distances inner;
    uint32_t bound = 0;
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        inner[v] = distance[v];
    for (;;) {
        bound |= (uint32_t)1 << node->bound;
        inner[node->bound] = FAR;
        const formula_node *part = formula_at(store, node->part);
        if (part->kind != FORMULA_EXISTS || bound >> part->bound & 1)
            break;
        node = part;
    }
    while (bring_nearer(in, node->part, inner))
        continue;
    for (int v = 0; v < FORMULA_VARIABLES; v++) {
        if (!(bound >> v & 1))
            inner[v] = distance[v]; /* a fact about known objects does not move them */
        else if (inner[v] >= FAR)
            in->failed = true;
        else if (inner[v] > in->reach)
            in->reach = inner[v];
    }
    look(in, node->part, inner);
}

static void look(struct search *in, formula f, const int *distance)
{
    const formula_store *store = &in->program->store;
    const formula_node *node = formula_at(store, f);
    if (in->failed || ++in->depth > MOST_DEPTH) {
        in->failed = true;
        return;
    }
    if (node->kind == FORMULA_ATOM && node->predicate >= in->program->input_count)
        look_at_definition(in, node, distance);
    if (node->kind == FORMULA_NOT)
        look(in, node->part, distance);
    if (node->kind == FORMULA_EXISTS)
        look_at_exists(in, node, distance);
    for (uint32_t p = 0; p < node->count && (node->kind == FORMULA_AND || node->kind == FORMULA_OR); p++)
        look(in, formula_parts(store, f)[p], distance);
    in->depth--;
}

int formula_reach(const nlm_program *program, formula f)
{
    struct search in = {.program = program};
    distances distance;
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        distance[v] = formula_free(&program->store, f) >> v & 1 ? 0 : FAR;
    look(&in, f, distance);
    return in.failed ? -1 : in.reach;
}
