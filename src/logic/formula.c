/* Building formulas.  Every node is made by `intern`, which finds an equal one first; so each builder brings
 * its formula into one form (negation only before atoms, equalities and quantifiers; parts in ascending
 * order; the lowest free number for a bound variable) before it asks for the node. */
#include "logic/formula_parts.h"
#include <stdlib.h>
#include <string.h>
#include "base/invariant.h"

enum { MOST_PARTS = 1 << 16 };

void part_list_start(part_list *list)
{
    list->at = list->few;
    list->count = 0;
    list->room = SOME_PARTS;
}

void part_list_free(part_list *list)
{
    if (list->at != list->few)
        free(list->at);
}

bool part_list_add(formula_store *store, part_list *list, formula f)
{
    if (list->count == list->room) {
        const size_t room = list->room * 2;
        formula *more = room <= MOST_PARTS ? malloc(room * sizeof *more) : NULL;
        if (!more) {
            store->failed = true;
            return false;
        }
        memcpy(more, list->at, list->count * sizeof *more);
        part_list_free(list);
        list->at = more;
        list->room = room;
    }
    list->at[list->count++] = f;
    return true;
}

static uint32_t mix(uint32_t hash, uint32_t value)
{
    hash ^= value + 0x9e3779b9u + (hash << 6) + (hash >> 2);
    return hash * 0x85ebca6bu ^ hash >> 13;
}

static uint32_t hash_of(const formula_node *node, const formula *parts)
{
    uint32_t hash = mix(node->kind, node->bound);
    hash = mix(hash, (uint32_t)node->predicate);
    for (int i = 0; i < node->arity; i++)
        hash = mix(hash, node->variable[i]);
    hash = mix(hash, node->part);
    for (uint32_t i = 0; i < node->count; i++)
        hash = mix(hash, parts[i]);
    return hash;
}

static bool same(const formula_store *store, const formula_node *a, const formula_node *b,
                 const formula *parts_of_b)
{
    return a->hash == b->hash && a->kind == b->kind && a->arity == b->arity && a->bound == b->bound &&
           a->predicate == b->predicate && a->part == b->part && a->count == b->count &&
           memcmp(a->variable, b->variable, a->arity) == 0 &&
           (a->count == 0 || memcmp((const formula *)store->parts.data + a->first, parts_of_b,
                                    a->count * sizeof *parts_of_b) == 0);
}

static uint32_t node_hash(const void *store, uint32_t number)
{
    return formula_at(store, number)->hash;
}

/* The number of the node; a new one if the store has none that is equal. */
static formula intern(formula_store *store, formula_node node, const formula *parts)
{
    if (store->failed)
        return FORMULA_FALSE;
    if (!slots_reserve(&store->slots, store->node_count, node_hash, store)) {
        store->failed = true;
        return FORMULA_FALSE;
    }
    node.hash = hash_of(&node, parts);
    uint32_t *slot = slots_first(&store->slots, node.hash);
    for (; *slot; slot = slots_next(&store->slots, slot))
        if (same(store, formula_at(store, *slot - 1), &node, parts))
            return *slot - 1;
    if (store->node_count >= FORMULA_NODES ||
        buffer_reserve(&store->nodes, store->node_count + 1, sizeof node, true) != NLM_OK ||
        buffer_reserve(&store->parts, (size_t)store->part_count + node.count, sizeof *parts, true) !=
            NLM_OK) {
        store->failed = true;
        return FORMULA_FALSE;
    }
    node.first = store->part_count;
    if (node.count)
        memcpy((formula *)store->parts.data + node.first, parts, node.count * sizeof *parts);
    store->part_count += node.count;
    ((formula_node *)store->nodes.data)[store->node_count] = node;
    *slot = store->node_count + 1;
    return store->node_count++;
}

void formula_store_start(formula_store *store)
{
    *store = (formula_store){0};
    for (int i = 0; i < 2; i++) /* false, then true: told apart by `arity` alone */
        intern(store, (formula_node){.kind = FORMULA_CONSTANT, .arity = (uint8_t)i}, NULL);
}

void formula_store_free(formula_store *store)
{
    buffer_free(&store->nodes);
    buffer_free(&store->parts);
    slots_free(&store->slots);
}

formula formula_atom(formula_store *store, int predicate, int arity, const int *variables)
{
    formula_node node = {.kind = FORMULA_ATOM, .predicate = predicate, .arity = (uint8_t)arity};
    for (int i = 0; i < arity; i++) {
        if (variables[i] < 0 || variables[i] >= FORMULA_VARIABLES) {
            store->failed = true;
            return FORMULA_FALSE;
        }
        node.variable[i] = (uint8_t)variables[i];
        if (predicate < store->inputs && node.free >> variables[i] & 1)
            return FORMULA_FALSE;
        node.free |= (uint32_t)1 << variables[i];
    }
    return intern(store, node, NULL);
}

formula formula_equal(formula_store *store, int a, int b)
{
    if (a == b)
        return FORMULA_TRUE;
    if (a < 0 || b < 0 || a >= FORMULA_VARIABLES || b >= FORMULA_VARIABLES) {
        store->failed = true;
        return FORMULA_FALSE;
    }
    formula_node node = {.kind = FORMULA_EQUAL, .arity = 2};
    node.variable[0] = (uint8_t)(a < b ? a : b);
    node.variable[1] = (uint8_t)(a < b ? b : a);
    node.free = (uint32_t)1 << a | (uint32_t)1 << b;
    return intern(store, node, NULL);
}

formula formula_not(formula_store *store, formula f)
{
    const formula_node node = *formula_at(store, f);
    switch ((formula_kind)node.kind) {
    case FORMULA_CONSTANT:
        return f == FORMULA_FALSE ? FORMULA_TRUE : FORMULA_FALSE;
    case FORMULA_NOT:
        return node.part;
    case FORMULA_AND:
    case FORMULA_OR: {
        part_list list;
        part_list_start(&list);
        for (uint32_t i = 0; i < node.count; i++)
            if (!part_list_add(store, &list, formula_not(store, formula_parts(store, f)[i])))
                break;
        const formula result =
            formula_combine(store, node.kind == FORMULA_AND ? FORMULA_OR : FORMULA_AND, list.at, list.count);
        part_list_free(&list);
        return store->failed ? FORMULA_FALSE : result;
    }
    case FORMULA_ATOM:
    case FORMULA_EQUAL:
    case FORMULA_EXISTS:
        break;
    }
    return intern(store, (formula_node){.kind = FORMULA_NOT, .part = f, .free = node.free}, NULL);
}

/* The negation of f if it is a literal or a quantifier; else FORMULA_FALSE, which is no part of anything. */
static formula opposite(formula_store *store, formula f)
{
    const formula_kind kind = (formula_kind)formula_at(store, f)->kind;
    return kind == FORMULA_AND || kind == FORMULA_OR ? FORMULA_FALSE : formula_not(store, f);
}

static int ascending(const void *a, const void *b)
{
    const formula x = *(const formula *)a, y = *(const formula *)b;
    return (x > y) - (x < y);
}

/* The list is in ascending order. */
static bool among(const part_list *list, formula f)
{
    return bsearch(&f, list->at, list->count, sizeof f, ascending);
}

/* A part of the other kind, `or` in an `and`: dropped if one of its own parts is in the list (absorption);
 * without those whose negation is there.  The result is the part as it should be, or `neutral`. */
static formula reduced_part(formula_store *store, const part_list *list, formula f, formula_kind other,
                            formula neutral)
{
    const uint32_t count = formula_at(store, f)->count;
    part_list kept;
    part_list_start(&kept);
    formula result = f;
    for (uint32_t i = 0; i < count; i++) {
        const formula part = formula_parts(store, f)[i];
        if (among(list, part)) {
            result = neutral;
            break;
        }
        const formula against = opposite(store, part);
        if (against == FORMULA_FALSE || !among(list, against))
            if (!part_list_add(store, &kept, part))
                break;
    }
    if (result == f && kept.count < count && !store->failed)
        result = formula_combine(store, other, kept.at, kept.count);
    part_list_free(&kept);
    return result;
}

/* The list flattened, sorted, each part once; false if the whole is `zero`. */
static bool tidy_list(formula_store *store, formula_kind kind, part_list *list, const formula *parts,
                      size_t count, formula neutral, formula zero)
{
    for (size_t i = 0; i < count; i++) {
        const formula f = parts[i];
        if (f == zero)
            return false;
        const formula_node *node = formula_at(store, f);
        if (node->kind == kind) {
            for (uint32_t k = 0; k < node->count; k++)
                if (!part_list_add(store, list, formula_parts(store, f)[k]))
                    return false;
        } else if (f != neutral && !part_list_add(store, list, f))
            return false;
    }
    qsort(list->at, list->count, sizeof *list->at, ascending);
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (i == 0 || list->at[i] != list->at[i - 1])
            list->at[kept++] = list->at[i];
    list->count = kept;
    for (size_t i = 0; i < list->count; i++)
        if (formula_at(store, list->at[i])->kind == FORMULA_NOT &&
            among(list, formula_at(store, list->at[i])->part))
            return false;
    return true;
}

/* X \= Y in an `and`, or X = Y in an `or`, that an input says already: p(X, Y), or not p(X, Y). */
static bool says_nothing_new(const formula_store *store, formula_kind kind, const part_list *list, formula f)
{
    const formula_node *node = formula_at(store, f);
    if (kind == FORMULA_AND && node->kind == FORMULA_NOT)
        node = formula_at(store, node->part);
    else if (kind == FORMULA_AND)
        return false;
    if (node->kind != FORMULA_EQUAL)
        return false;
    for (size_t i = 0; i < list->count; i++) {
        const formula_node *other = formula_at(store, list->at[i]);
        if (kind == FORMULA_OR) {
            if (other->kind != FORMULA_NOT)
                continue;
            other = formula_at(store, other->part);
        }
        if (other->kind == FORMULA_ATOM && other->predicate < store->inputs &&
            (other->free & node->free) == node->free)
            return true;
    }
    return false;
}

/* Every part of the other kind reduced by those that are not, which alone can be parts of its own; whether
 * one became smaller.  The list is in ascending order before. */
static bool reduce_parts(formula_store *store, part_list *list, formula_kind other, formula neutral)
{
    part_list plain;
    bool changed = false;
    part_list_start(&plain);
    for (size_t i = 0; i < list->count; i++)
        if (formula_at(store, list->at[i])->kind != other && !part_list_add(store, &plain, list->at[i]))
            break;
    for (size_t i = 0; i < list->count && plain.count < list->count && !store->failed; i++)
        if (formula_at(store, list->at[i])->kind == other) {
            const formula before = list->at[i];
            list->at[i] = reduced_part(store, &plain, before, other, neutral);
            changed |= list->at[i] != before;
        }
    part_list_free(&plain);
    return changed;
}

formula formula_combine(formula_store *store, formula_kind kind, const formula *parts, size_t count)
{
    const formula neutral = kind == FORMULA_AND ? FORMULA_TRUE : FORMULA_FALSE;
    const formula zero = kind == FORMULA_AND ? FORMULA_FALSE : FORMULA_TRUE;
    const formula_kind other = kind == FORMULA_AND ? FORMULA_OR : FORMULA_AND;
    part_list list;
    formula result = zero, *copy = NULL;
again:
    part_list_start(&list);
    if (!tidy_list(store, kind, &list, parts, count, neutral, zero))
        goto done;
    for (size_t i = 0; i < list.count; i++)
        if (says_nothing_new(store, kind, &list, list.at[i]))
            list.at[i--] = list.at[--list.count];
    qsort(list.at, list.count, sizeof *list.at, ascending);
    if (reduce_parts(store, &list, other, neutral) &&
        !store->failed) { /* a smaller list: from the beginning */
        free(copy);
        parts = copy = malloc(list.count * sizeof *copy);
        count = list.count;
        if (copy)
            memcpy(copy, list.at, count * sizeof *copy);
        store->failed = !copy;
        part_list_free(&list);
        if (copy)
            goto again;
        return FORMULA_FALSE;
    }
    if (list.count == 0)
        result = neutral;
    else if (list.count == 1)
        result = list.at[0];
    else {
        formula_node node = {.kind = (uint8_t)kind, .count = (uint32_t)list.count};
        for (size_t i = 0; i < list.count; i++)
            node.free |= formula_free(store, list.at[i]);
        result = intern(store, node, list.at);
    }
done:
    part_list_free(&list);
    free(copy);
    return store->failed ? FORMULA_FALSE : result;
}

/* A copy of the parts: they may be the store's own, which moves when it grows. */
static formula combine_copy(formula_store *store, formula_kind kind, const formula *parts, size_t count)
{
    part_list list;
    part_list_start(&list);
    for (size_t i = 0; i < count; i++)
        if (!part_list_add(store, &list, parts[i]))
            break;
    const formula result = store->failed ? FORMULA_FALSE : formula_combine(store, kind, list.at, list.count);
    part_list_free(&list);
    return result;
}

formula formula_and(formula_store *store, const formula *parts, size_t count)
{
    return combine_copy(store, FORMULA_AND, parts, count);
}

formula formula_or(formula_store *store, const formula *parts, size_t count)
{
    return combine_copy(store, FORMULA_OR, parts, count);
}

formula formula_and2(formula_store *store, formula a, formula b)
{
    return formula_combine(store, FORMULA_AND, (const formula[]){a, b}, 2);
}

formula formula_or2(formula_store *store, formula a, formula b)
{
    return formula_combine(store, FORMULA_OR, (const formula[]){a, b}, 2);
}

/* ---- quantifiers ---- */

int formula_unused_variable(uint32_t used)
{
    int variable = 0;
    while (variable < FORMULA_VARIABLES && used >> variable & 1)
        variable++;
    return variable;
}

void formula_same_variables(int *to)
{
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        to[v] = v;
}

static formula rename_one(formula_store *store, formula f, int from, int into)
{
    int to[FORMULA_VARIABLES];
    formula_same_variables(to);
    to[from] = into;
    return formula_rename(store, f, to);
}

/* exists Z over `and`: a part Z = X puts X in the place of Z; parts without Z leave. */
static formula exists_and(formula_store *store, int variable, formula f)
{
    const uint32_t bit = (uint32_t)1 << variable, count = formula_at(store, f)->count;
    for (uint32_t i = 0; i < count; i++) {
        const formula_node *part = formula_at(store, formula_parts(store, f)[i]);
        if (part->kind == FORMULA_EQUAL && part->free & bit)
            return rename_one(store, f, variable,
                              part->variable[0] == variable ? part->variable[1] : part->variable[0]);
    }
    part_list inside, outside;
    part_list_start(&inside);
    part_list_start(&outside);
    for (uint32_t i = 0; i < count; i++) {
        const formula part = formula_parts(store, f)[i];
        if (!part_list_add(store, formula_free(store, part) & bit ? &inside : &outside, part))
            break;
    }
    formula result = FORMULA_FALSE;
    if (outside.count && !store->failed) {
        const formula rest = formula_and(store, inside.at, inside.count);
        if (part_list_add(store, &outside, formula_exists(store, variable, rest)))
            result = formula_and(store, outside.at, outside.count);
    }
    const bool left = outside.count > 0;
    part_list_free(&inside);
    part_list_free(&outside);
    if (left || store->failed)
        return result;
    return intern(store,
                  (formula_node){.kind = FORMULA_EXISTS,
                                 .bound = (uint8_t)variable,
                                 .part = f,
                                 .free = formula_free(store, f) & ~bit},
                  NULL);
}

/* exists Z over exists W over `and`, where some parts do not have Z: these stay outside of exists Z.  True if
 * there are any; *result is then the whole. */
static bool push_inside(formula_store *store, int variable, formula f, formula *result)
{
    int chain[FORMULA_VARIABLES], length = 0;
    for (; formula_at(store, f)->kind == FORMULA_EXISTS; f = formula_at(store, f)->part)
        chain[length++] = formula_at(store, f)->bound;
    const formula_node node = *formula_at(store, f);
    if (node.kind != FORMULA_AND)
        return false;
    part_list with, without;
    part_list_start(&with);
    part_list_start(&without);
    for (uint32_t i = 0; i < node.count; i++) {
        const formula part = formula_parts(store, f)[i];
        if (!part_list_add(store, formula_free(store, part) >> variable & 1 ? &with : &without, part))
            break;
    }
    const bool some = without.count > 0 && !store->failed;
    if (some) {
        const formula inner = formula_exists(store, variable, formula_and(store, with.at, with.count));
        *result = part_list_add(store, &without, inner) ? formula_and(store, without.at, without.count)
                                                        : FORMULA_FALSE;
        while (length-- > 0)
            *result = formula_exists(store, chain[length], *result);
    }
    part_list_free(&with);
    part_list_free(&without);
    return some;
}

formula formula_exists(formula_store *store, int variable, formula f)
{
    const uint32_t bit = (uint32_t)1 << variable;
    if (store->failed || !(formula_free(store, f) & bit))
        return f;
    const formula_node node = *formula_at(store, f);
    if (node.kind == FORMULA_OR) {
        part_list list;
        part_list_start(&list);
        for (uint32_t i = 0; i < node.count; i++)
            if (!part_list_add(store, &list, formula_exists(store, variable, formula_parts(store, f)[i])))
                break;
        const formula result = formula_or(store, list.at, list.count);
        part_list_free(&list);
        return store->failed ? FORMULA_FALSE : result;
    }
    if (node.kind == FORMULA_EQUAL)
        return FORMULA_TRUE;
    formula pushed;
    if (node.kind == FORMULA_EXISTS && push_inside(store, variable, f, &pushed))
        return store->failed ? FORMULA_FALSE : pushed;
    const int name = formula_unused_variable(node.free & ~bit);
    if (name >= FORMULA_VARIABLES) {
        store->failed = true;
        return FORMULA_FALSE;
    }
    if (name != variable)
        return formula_exists(store, name, rename_one(store, f, variable, name));
    if (node.kind == FORMULA_AND)
        return exists_and(store, variable, f);
    return intern(
        store,
        (formula_node){
            .kind = FORMULA_EXISTS, .bound = (uint8_t)variable, .part = f, .free = node.free & ~bit},
        NULL);
}

formula formula_forall(formula_store *store, int variable, formula f)
{
    return formula_not(store, formula_exists(store, variable, formula_not(store, f)));
}
