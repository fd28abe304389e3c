/* Formulas made of formulas: with other variables, in another store, with definitions in the place of their
 * atoms and the other way round; and what is in a formula. */
#include <string.h>
#include "logic/formula_parts.h"

/* What a walk over a formula of `from` makes of its atoms. */
typedef struct rewriting {
    formula_store *store;
    const formula_store *from;
    const int *predicates; /* NULL: kept */
    int expanded;          /* predicate whose atoms are replaced by `body`; -1: none */
    formula body;
} rewriting;

static formula rewrite(const rewriting *of, formula f, const int *to);

static formula rewrite_atom(const rewriting *of, const formula_node *node, const int *to)
{
    int variables[FORMULA_MOST_ARITY];
    for (int i = 0; i < node->arity; i++)
        variables[i] = to[node->variable[i]];
    if (node->predicate == of->expanded) {
        int arguments[FORMULA_VARIABLES];
        formula_same_variables(arguments);
        memcpy(arguments, variables, node->arity * sizeof *variables);
        return formula_rename(of->store, of->body, arguments);
    }
    return formula_atom(of->store, of->predicates ? of->predicates[node->predicate] : node->predicate,
                        node->arity, variables);
}

/* The bound variable gets the lowest number that no free one is renamed to, so that none is captured. */
static formula rewrite_exists(const rewriting *of, const formula_node *node, const int *to)
{
    int inside[FORMULA_VARIABLES];
    uint32_t used = 0;
    memcpy(inside, to, sizeof inside);
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        if (node->free >> v & 1)
            used |= (uint32_t)1 << to[v];
    const int name = formula_unused_variable(used);
    if (name >= FORMULA_VARIABLES) {
        of->store->failed = true;
        return FORMULA_FALSE;
    }
    inside[node->bound] = name;
    return formula_exists(of->store, name, rewrite(of, node->part, inside));
}

static formula rewrite(const rewriting *of, formula f, const int *to)
{
    if (of->store->failed)
        return FORMULA_FALSE;
    const formula_node node = *formula_at(of->from, f);
    switch ((formula_kind)node.kind) {
    case FORMULA_CONSTANT:
        return f;
    case FORMULA_ATOM:
        return rewrite_atom(of, &node, to);
    case FORMULA_EQUAL:
        return formula_equal(of->store, to[node.variable[0]], to[node.variable[1]]);
    case FORMULA_NOT:
        return formula_not(of->store, rewrite(of, node.part, to));
    case FORMULA_EXISTS:
        return rewrite_exists(of, &node, to);
    case FORMULA_AND:
    case FORMULA_OR:
        break;
    }
    part_list list;
    part_list_start(&list);
    for (uint32_t i = 0; i < node.count; i++)
        if (!part_list_add(of->store, &list, rewrite(of, formula_parts(of->from, f)[i], to)))
            break;
    const formula result = formula_combine(of->store, (formula_kind)node.kind, list.at, list.count);
    part_list_free(&list);
    return of->store->failed ? FORMULA_FALSE : result;
}

formula formula_rename(formula_store *store, formula f, const int *to)
{
    bool moves = false;
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        moves |= formula_free(store, f) >> v & 1 && to[v] != v;
    return moves ? rewrite(&(rewriting){store, store, NULL, -1, FORMULA_FALSE}, f, to) : f;
}

formula formula_copy(formula_store *store, const formula_store *from, formula f, const int *predicates)
{
    int to[FORMULA_VARIABLES];
    formula_same_variables(to);
    return rewrite(&(rewriting){store, from, predicates, -1, FORMULA_FALSE}, f, to);
}

formula formula_expand(formula_store *store, formula f, int predicate, formula body)
{
    int to[FORMULA_VARIABLES];
    formula_same_variables(to);
    return rewrite(&(rewriting){store, store, NULL, predicate, body}, f, to);
}

/* ---- parts that differ in names only ---- */

enum { MOST_PERMUTED = 4 };

/* The variables renamed to 0, 1, ... in the order of `variable`. */
static formula in_order(formula_store *store, formula f, const int *variable, int count)
{
    int to[FORMULA_VARIABLES];
    formula_same_variables(to);
    for (int i = 0; i < count; i++)
        to[variable[i]] = i;
    return formula_rename(store, f, to);
}

/* Neighbours in atoms that stand in descending order, as in father(Y, X). */
static int descents(const formula_store *store, formula f)
{
    const formula_node *node = formula_at(store, f);
    int count = 0;
    for (int i = 0; i + 1 < node->arity && node->kind == FORMULA_ATOM; i++)
        count += node->variable[i] > node->variable[i + 1];
    if (node->kind == FORMULA_NOT || node->kind == FORMULA_EXISTS)
        count += descents(store, node->part);
    for (uint32_t i = 0; i < node->count; i++)
        count += descents(store, formula_parts(store, f)[i]);
    return count;
}

/* Goes through all orders of variable[at ...]; keeps in `best` the one whose formula has the fewest descents
 * and, of these, the lowest number: father(X, Y) rather than father(Y, X). */
static void least_order(formula_store *store, formula f, int *variable, int count, int at, int *best,
                        formula *least)
{
    if (at == count) {
        const formula g = in_order(store, f, variable, count);
        const int more = *least == FORMULA_FALSE ? -1 : descents(store, g) - descents(store, *least);
        if (more < 0 || (more == 0 && g < *least)) {
            *least = g;
            memcpy(best, variable, (size_t)count * sizeof *best);
        }
        return;
    }
    for (int i = at; i < count; i++) {
        const int kept = variable[at];
        variable[at] = variable[i];
        variable[i] = kept;
        least_order(store, f, variable, count, at + 1, best, least);
        variable[i] = variable[at];
        variable[at] = kept;
    }
}

formula formula_canonical(formula_store *store, formula f, int *variable, int *count)
{
    *count = formula_variables(formula_free(store, f), variable);
    if (*count > MOST_PERMUTED)
        return in_order(store, f, variable, *count);
    int order[MOST_PERMUTED];
    memcpy(order, variable, (size_t)*count * sizeof *order);
    formula least = FORMULA_FALSE;
    least_order(store, f, order, *count, 0, variable, &least);
    return least;
}

formula formula_abstract(formula_store *store, formula f, formula body, int predicate)
{
    if (store->failed)
        return FORMULA_FALSE;
    const formula_node node = *formula_at(store, f), like = *formula_at(store, body);
    if (node.kind == like.kind && node.count == like.count &&
        __builtin_popcount(node.free) == __builtin_popcount(like.free)) {
        int variable[FORMULA_VARIABLES], count;
        if (formula_canonical(store, f, variable, &count) == body)
            return formula_atom(store, predicate, count, variable);
    }
    if (node.kind == FORMULA_NOT)
        return formula_not(store, formula_abstract(store, node.part, body, predicate));
    if (node.kind == FORMULA_EXISTS)
        return formula_exists(store, node.bound, formula_abstract(store, node.part, body, predicate));
    if (node.kind != FORMULA_AND && node.kind != FORMULA_OR)
        return f;
    part_list list;
    part_list_start(&list);
    for (uint32_t i = 0; i < node.count; i++)
        if (!part_list_add(store, &list,
                           formula_abstract(store, formula_parts(store, f)[i], body, predicate)))
            break;
    const formula result = formula_combine(store, (formula_kind)node.kind, list.at, list.count);
    part_list_free(&list);
    return store->failed ? FORMULA_FALSE : result;
}

/* ---- questions ---- */

bool formula_has(const formula_store *store, formula f, int predicate)
{
    const formula_node *node = formula_at(store, f);
    if (node->kind == FORMULA_ATOM)
        return node->predicate == predicate;
    if (node->kind == FORMULA_NOT || node->kind == FORMULA_EXISTS)
        return formula_has(store, node->part, predicate);
    for (uint32_t i = 0; i < node->count; i++)
        if (formula_has(store, formula_parts(store, f)[i], predicate))
            return true;
    return false;
}

static void add_counts(const formula_store *store, formula f, int *atoms, int *equalities)
{
    const formula_node *node = formula_at(store, f);
    *atoms += node->kind == FORMULA_ATOM;
    *equalities += node->kind == FORMULA_EQUAL;
    if (node->kind == FORMULA_NOT || node->kind == FORMULA_EXISTS)
        add_counts(store, node->part, atoms, equalities);
    for (uint32_t i = 0; i < node->count; i++)
        add_counts(store, formula_parts(store, f)[i], atoms, equalities);
}

void formula_count(const formula_store *store, formula f, int *atoms, int *equalities)
{
    *atoms = *equalities = 0;
    add_counts(store, f, atoms, equalities);
}
