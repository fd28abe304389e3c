/* Building formulas.  Every node is made by `intern`, which finds an equal one first; so each builder brings
 * its formula into one form (negation only before atoms, equalities and quantifiers; parts in ascending
 * order; the lowest free number for a bound variable) before it asks for the node. */
#include "logic/formula.h"
#include <stdlib.h>
#include <string.h>
#include "base/invariant.h"

/* Parts of one `and` or `or` while it is built: on the stack, or for long ones in memory of their own. */
enum { SOME_PARTS = 64, MOST_PARTS = 1 << 16 };

typedef struct part_list {
    formula few[SOME_PARTS];
    formula *at;
    size_t count, room;
} part_list;

static void list_start(part_list *list)
{
    list->at = list->few;
    list->count = 0;
    list->room = SOME_PARTS;
}

static void list_free(part_list *list)
{
    if (list->at != list->few)
        free(list->at);
}

static bool list_add(formula_store *store, part_list *list, formula f)
{
    if (list->count == list->room) {
        const size_t room = list->room * 2;
        formula *more = room <= MOST_PARTS ? malloc(room * sizeof *more) : NULL;
        if (!more) {
            store->failed = true;
            return false;
        }
        memcpy(more, list->at, list->count * sizeof *more);
        list_free(list);
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

/* Twice as many slots, all filled again. */
static bool grow_slots(formula_store *store)
{
    const uint32_t slots = store->slot_count ? store->slot_count * 2 : 1024;
    if (buffer_reserve(&store->slots, slots, sizeof(uint32_t), false) != NLM_OK)
        return false;
    uint32_t *slot = store->slots.data;
    memset(slot, 0, slots * sizeof *slot);
    store->slot_count = slots;
    for (uint32_t i = 0; i < store->node_count; i++) {
        uint32_t at = formula_at(store, i)->hash & (slots - 1);
        while (slot[at])
            at = (at + 1) & (slots - 1);
        slot[at] = i + 1;
    }
    return true;
}

/* The number of the node; a new one if the store has none that is equal. */
static formula intern(formula_store *store, formula_node node, const formula *parts)
{
    if (store->failed)
        return FORMULA_FALSE;
    if (store->node_count * 2 >= store->slot_count && !grow_slots(store)) {
        store->failed = true;
        return FORMULA_FALSE;
    }
    node.hash = hash_of(&node, parts);
    uint32_t *slot = store->slots.data, at = node.hash & (store->slot_count - 1);
    for (; slot[at]; at = (at + 1) & (store->slot_count - 1))
        if (same(store, formula_at(store, slot[at] - 1), &node, parts))
            return slot[at] - 1;
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
    slot[at] = store->node_count + 1;
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
    buffer_free(&store->slots);
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

static formula combine(formula_store *store, formula_kind kind, const formula *parts, size_t count);

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
        list_start(&list);
        for (uint32_t i = 0; i < node.count; i++)
            if (!list_add(store, &list, formula_not(store, formula_parts(store, f)[i])))
                break;
        const formula result =
            combine(store, node.kind == FORMULA_AND ? FORMULA_OR : FORMULA_AND, list.at, list.count);
        list_free(&list);
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
    list_start(&kept);
    formula result = f;
    for (uint32_t i = 0; i < count; i++) {
        const formula part = formula_parts(store, f)[i];
        if (among(list, part)) {
            result = neutral;
            break;
        }
        const formula against = opposite(store, part);
        if (against == FORMULA_FALSE || !among(list, against))
            if (!list_add(store, &kept, part))
                break;
    }
    if (result == f && kept.count < count && !store->failed)
        result = combine(store, other, kept.at, kept.count);
    list_free(&kept);
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
                if (!list_add(store, list, formula_parts(store, f)[k]))
                    return false;
        } else if (f != neutral && !list_add(store, list, f))
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
    list_start(&plain);
    for (size_t i = 0; i < list->count; i++)
        if (formula_at(store, list->at[i])->kind != other && !list_add(store, &plain, list->at[i]))
            break;
    for (size_t i = 0; i < list->count && plain.count < list->count && !store->failed; i++)
        if (formula_at(store, list->at[i])->kind == other) {
            const formula before = list->at[i];
            list->at[i] = reduced_part(store, &plain, before, other, neutral);
            changed |= list->at[i] != before;
        }
    list_free(&plain);
    return changed;
}

static formula combine(formula_store *store, formula_kind kind, const formula *parts, size_t count)
{
    const formula neutral = kind == FORMULA_AND ? FORMULA_TRUE : FORMULA_FALSE;
    const formula zero = kind == FORMULA_AND ? FORMULA_FALSE : FORMULA_TRUE;
    const formula_kind other = kind == FORMULA_AND ? FORMULA_OR : FORMULA_AND;
    part_list list;
    formula result = zero, *copy = NULL;
again:
    list_start(&list);
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
        list_free(&list);
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
    list_free(&list);
    free(copy);
    return store->failed ? FORMULA_FALSE : result;
}

/* A copy of the parts: they may be the store's own, which moves when it grows. */
static formula combine_copy(formula_store *store, formula_kind kind, const formula *parts, size_t count)
{
    part_list list;
    list_start(&list);
    for (size_t i = 0; i < count; i++)
        if (!list_add(store, &list, parts[i]))
            break;
    const formula result = store->failed ? FORMULA_FALSE : combine(store, kind, list.at, list.count);
    list_free(&list);
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
    return combine(store, FORMULA_AND, (const formula[]){a, b}, 2);
}

formula formula_or2(formula_store *store, formula a, formula b)
{
    return combine(store, FORMULA_OR, (const formula[]){a, b}, 2);
}

/* ---- quantifiers and renaming ---- */

static int lowest_other(uint32_t used)
{
    int variable = 0;
    while (variable < FORMULA_VARIABLES && used >> variable & 1)
        variable++;
    return variable;
}

static void identity(int *to)
{
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        to[v] = v;
}

static formula rename_one(formula_store *store, formula f, int from, int into)
{
    int to[FORMULA_VARIABLES];
    identity(to);
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
    list_start(&inside);
    list_start(&outside);
    for (uint32_t i = 0; i < count; i++) {
        const formula part = formula_parts(store, f)[i];
        if (!list_add(store, formula_free(store, part) & bit ? &inside : &outside, part))
            break;
    }
    formula result = FORMULA_FALSE;
    if (outside.count && !store->failed) {
        const formula rest = formula_and(store, inside.at, inside.count);
        if (list_add(store, &outside, formula_exists(store, variable, rest)))
            result = formula_and(store, outside.at, outside.count);
    }
    const bool left = outside.count > 0;
    list_free(&inside);
    list_free(&outside);
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
    list_start(&with);
    list_start(&without);
    for (uint32_t i = 0; i < node.count; i++) {
        const formula part = formula_parts(store, f)[i];
        if (!list_add(store, formula_free(store, part) >> variable & 1 ? &with : &without, part))
            break;
    }
    const bool some = without.count > 0 && !store->failed;
    if (some) {
        const formula inner = formula_exists(store, variable, formula_and(store, with.at, with.count));
        *result =
            list_add(store, &without, inner) ? formula_and(store, without.at, without.count) : FORMULA_FALSE;
        while (length-- > 0)
            *result = formula_exists(store, chain[length], *result);
    }
    list_free(&with);
    list_free(&without);
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
        list_start(&list);
        for (uint32_t i = 0; i < node.count; i++)
            if (!list_add(store, &list, formula_exists(store, variable, formula_parts(store, f)[i])))
                break;
        const formula result = formula_or(store, list.at, list.count);
        list_free(&list);
        return store->failed ? FORMULA_FALSE : result;
    }
    if (node.kind == FORMULA_EQUAL)
        return FORMULA_TRUE;
    formula pushed;
    if (node.kind == FORMULA_EXISTS && push_inside(store, variable, f, &pushed))
        return store->failed ? FORMULA_FALSE : pushed;
    const int name = lowest_other(node.free & ~bit);
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
        identity(arguments);
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
    const int name = lowest_other(used);
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
    list_start(&list);
    for (uint32_t i = 0; i < node.count; i++)
        if (!list_add(of->store, &list, rewrite(of, formula_parts(of->from, f)[i], to)))
            break;
    const formula result = combine(of->store, (formula_kind)node.kind, list.at, list.count);
    list_free(&list);
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
    identity(to);
    return rewrite(&(rewriting){store, from, predicates, -1, FORMULA_FALSE}, f, to);
}

formula formula_expand(formula_store *store, formula f, int predicate, formula body)
{
    int to[FORMULA_VARIABLES];
    identity(to);
    return rewrite(&(rewriting){store, store, NULL, predicate, body}, f, to);
}

/* ---- parts that differ in names only ---- */

enum { MOST_PERMUTED = 4 };

/* The variables renamed to 0, 1, ... in the order of `variable`. */
static formula in_order(formula_store *store, formula f, const int *variable, int count)
{
    int to[FORMULA_VARIABLES];
    identity(to);
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
    int order[FORMULA_VARIABLES];
    *count = 0;
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        if (formula_free(store, f) >> v & 1) {
            order[*count] = v;
            variable[(*count)++] = v;
        }
    if (*count > MOST_PERMUTED)
        return in_order(store, f, variable, *count);
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
    list_start(&list);
    for (uint32_t i = 0; i < node.count; i++)
        if (!list_add(store, &list, formula_abstract(store, formula_parts(store, f)[i], body, predicate)))
            break;
    const formula result = combine(store, (formula_kind)node.kind, list.at, list.count);
    list_free(&list);
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
