/* The walk goes down a formula with what stands around each part.  Bound variables are renamed on the way, so
 * that no two quantifiers around a place have the same variable and a scene can do without them. */
#include "logic/neighbours.h"
#include "base/error.h"

enum { MOST_POOL = 256, MOST_AROUND = 64, NOWHERE = -1 };

typedef struct walk {
    neighbourhood *of;
    formula_store *store;
    /* while equal parts are changed in all places: the whole with an atom of `shared` in each; or NOWHERE */
    formula whole;
    int shared;
    uint32_t used; /* variables of the head and of quantifiers around */
    formula around[MOST_AROUND];
    size_t around_count;
} walk;

typedef struct pool {
    formula at[MOST_POOL];
    int count;
} pool;

static int bits_in(uint32_t set)
{
    return __builtin_popcount(set);
}

static int lowest(uint32_t set)
{
    return set ? __builtin_ctz(set) : FORMULA_VARIABLES;
}

int formula_width(const formula_store *store, formula f)
{
    const formula_node *node = formula_at(store, f);
    int width = bits_in(node->free);
    if (node->kind == FORMULA_NOT || node->kind == FORMULA_EXISTS) {
        const int own = formula_width(store, node->part);
        width = own > width ? own : width;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        const int own = formula_width(store, formula_parts(store, f)[i]);
        width = own > width ? own : width;
    }
    return width;
}

/* ---- the list ---- */

/* What is around and: one of the two holds, and not the other. */
static formula scene_of(walk *in, formula before, formula after)
{
    formula_store *store = in->store;
    const formula lost = formula_and2(store, before, formula_not(store, after));
    const formula won = formula_and2(store, after, formula_not(store, before));
    const formula around = formula_and(store, in->around, in->around_count);
    return formula_or2(store, formula_and2(store, around, lost), formula_and2(store, around, won));
}

/* The whole with `after` in the place of `before`, if it is new. */
static void consider(walk *in, const formula_place *at, formula before, formula after)
{
    neighbourhood *of = in->of;
    formula_store *store = in->store;
    if (store->failed || of->count >= of->most || before == after)
        return;
    formula f = formula_rebuild(store, at, after);
    if (in->shared != NOWHERE)
        f = formula_expand(store, in->whole, in->shared, f);
    if (store->failed || !formula_set_add(&of->seen, store, f) || formula_width(store, f) > of->width)
        return;
    if (buffer_reserve(&of->list, of->count + 1, sizeof(neighbour), true) != NLM_OK) {
        store->failed = true;
        return;
    }
    ((neighbour *)of->list.data)[of->count++] = (neighbour){f, scene_of(in, before, after)};
}

/* ---- forms ---- */

static void add_form(pool *into, formula f)
{
    if (into->count < MOST_POOL && f != FORMULA_FALSE)
        into->at[into->count++] = f;
}

/* Atoms of an input that have each variable of the set once, in every order. */
static void add_atoms(walk *in, int predicate, uint32_t left, int *arguments, int count, pool *into)
{
    if (!left) {
        add_form(into, program_atom(in->of->program, predicate, arguments));
        return;
    }
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        if (left >> v & 1) {
            arguments[count] = v;
            add_atoms(in, predicate, left & ~((uint32_t)1 << v), arguments, count + 1, into);
        }
}

/* Literals of exactly these variables. */
static void forms_of(walk *in, uint32_t set, pool *into)
{
    const nlm_program *program = in->of->program;
    const int size = bits_in(set), v = lowest(set), z = lowest(~(in->used | set));
    int arguments[FORMULA_MOST_ARITY];
    into->count = 0;
    for (int p = 0; p < program->input_count && size <= FORMULA_MOST_ARITY; p++) {
        const int arity = program_at(program, p)->arity;
        if (arity == size)
            add_atoms(in, p, set, arguments, 0, into);
        else if (size == 1 && arity == 2 && z < FORMULA_VARIABLES)
            for (int order = 0; order < 2; order++) {
                const int pair[] = {order ? z : v, order ? v : z};
                add_form(into, formula_exists(in->store, z, program_atom(in->of->program, p, pair)));
            }
    }
}

/* Two atoms joined by one more object: exists Z: p(X, Z) and q(Z, Y), in every order of arguments. */
static void joins_of(walk *in, uint32_t set, pool *into)
{
    into->count = 0;
    if (bits_in(set) != 2)
        return;
    const int x = lowest(set), y = lowest(set & (set - 1)), z = lowest(~(in->used | set));
    if (z >= FORMULA_VARIABLES)
        return;
    pool first, second;
    forms_of(in, (uint32_t)1 << x | (uint32_t)1 << z, &first);
    forms_of(in, (uint32_t)1 << y | (uint32_t)1 << z, &second);
    for (int i = 0; i < first.count; i++)
        for (int j = 0; j < second.count; j++)
            add_form(into, formula_exists(in->store, z, formula_and2(in->store, first.at[i], second.at[j])));
}

/* ---- changes ---- */

static void exchange_and_widen(walk *in, const formula_place *at, formula part, bool widen)
{
    formula_store *store = in->store;
    const uint32_t set = formula_free(store, part);
    const formula_kind kind = (formula_kind)formula_at(store, part)->kind;
    pool forms;
    if (set == 0 || kind == FORMULA_CONSTANT || kind == FORMULA_EQUAL)
        return;
    forms_of(in, set, &forms);
    for (int i = 0; i < forms.count; i++) {
        consider(in, at, part, forms.at[i]);
        consider(in, at, part, formula_not(store, forms.at[i]));
    }
    for (int i = 0; i < forms.count && widen; i++)
        consider(in, at, part, formula_or2(store, part, forms.at[i]));
    if (kind == FORMULA_NOT || in->of->brief)
        return;
    joins_of(in, set, &forms);
    for (int i = 0; i < forms.count; i++) {
        consider(in, at, part, forms.at[i]);
        if (widen)
            consider(in, at, part, formula_or2(store, part, forms.at[i]));
    }
}

static void narrow_by(walk *in, const formula_place *at, formula part, uint32_t set)
{
    formula_store *store = in->store;
    pool forms;
    forms_of(in, set, &forms);
    for (int i = 0; i < forms.count; i++) {
        consider(in, at, part, formula_and2(store, part, forms.at[i]));
        consider(in, at, part, formula_and2(store, part, formula_not(store, forms.at[i])));
    }
    for (int i = 0; i < forms.count && !in->of->brief; i++)
        for (int j = 0; j < i; j++)
            consider(in, at, part, formula_and2(store, part, formula_or2(store, forms.at[i], forms.at[j])));
    if (bits_in(set) == 2) {
        const formula equal = formula_equal(store, lowest(set), lowest(set & (set - 1)));
        consider(in, at, part, formula_and2(store, part, formula_not(store, equal)));
    }
}

/* By literals of one or two of the variables that it has. */
static void narrow(walk *in, const formula_place *at, formula part)
{
    const uint32_t set = formula_free(in->store, part);
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        if (set >> v & 1)
            narrow_by(in, at, part, (uint32_t)1 << v);
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        for (int w = v + 1; w < FORMULA_VARIABLES; w++)
            if (set >> v & set >> w & 1)
                narrow_by(in, at, part, (uint32_t)1 << v | (uint32_t)1 << w);
}

static void change(walk *in, const formula_place *at, formula part, formula_kind inside);

/* The parts of and, or; those beside a part of `and` are around it. */
static void change_parts(walk *in, const formula_place *at, formula f)
{
    formula_store *store = in->store;
    const formula_node node = *formula_at(store, f);
    const formula neutral = node.kind == FORMULA_AND ? FORMULA_TRUE : FORMULA_FALSE;
    const size_t before = in->around_count;
    for (uint32_t i = 0; i < node.count; i++) {
        const formula_place inside = {at, f, i, 0};
        const formula part = formula_parts(store, f)[i];
        for (uint32_t k = 0; k < node.count && node.kind == FORMULA_AND; k++)
            if (k != i && in->around_count < MOST_AROUND)
                in->around[in->around_count++] = formula_parts(store, f)[k];
        consider(in, &inside, part, neutral);
        change(in, &inside, part, (formula_kind)node.kind);
        in->around_count = before;
    }
}

static void change_some(walk *in, const formula_place *at, formula f)
{
    formula_store *store = in->store;
    const formula_node node = *formula_at(store, f);
    const uint32_t before = in->used;
    const int z = lowest(~(in->used | formula_free(store, node.part)));
    int to[FORMULA_VARIABLES];
    if (z >= FORMULA_VARIABLES)
        return;
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        to[v] = v == node.bound ? z : v;
    in->used |= (uint32_t)1 << z;
    const formula_place inside = {at, f, 0, z};
    change(in, &inside, formula_rename(store, node.part, to), FORMULA_EXISTS);
    in->used = before;
}

/* All changes of a part and inside it; `inside` is the kind of the node that has it. */
static void change(walk *in, const formula_place *at, formula part, formula_kind inside)
{
    if (in->store->failed || in->of->count >= in->of->most)
        return;
    const formula_node node = *formula_at(in->store, part);
    exchange_and_widen(in, at, part, inside != FORMULA_OR && node.kind != FORMULA_NOT);
    if (inside != FORMULA_AND && node.kind != FORMULA_OR && node.kind != FORMULA_NOT)
        narrow(in, at, part);
    const formula_place not_inside = {at, part, 0, 0};
    if (node.kind == FORMULA_AND || node.kind == FORMULA_OR)
        change_parts(in, at, part);
    else if (node.kind == FORMULA_EXISTS)
        change_some(in, at, part);
    else if (node.kind == FORMULA_NOT)
        change(in, &not_inside, node.part, FORMULA_NOT);
}

/* ---- equal parts in several places ---- */

static void change_classes(walk *in, formula f)
{
    part_classes classes = {.least = 1, .open = true};
    part_classes_find(&classes, in->store, f);
    for (int i = 0; i < classes.count; i++) {
        const part_class *one = &classes.at[i];
        if (one->places < 2)
            continue;
        in->shared = in->of->program->predicate_count; /* nobody's, for a while */
        in->whole = formula_abstract(in->store, f, one->body, in->shared);
        in->used = formula_free(in->store, one->body);
        change(in, NULL, one->body, FORMULA_CONSTANT);
        in->shared = NOWHERE;
    }
}

nlm_status neighbours_find(neighbourhood *of, formula f, nlm_error *error)
{
    formula_store *store = &of->program->store;
    walk in = {.of = of, .store = store, .shared = NOWHERE, .used = formula_free(store, f)};
    of->count = 0;
    formula_set_add(&of->seen, store, f);
    change_classes(&in, f); /* first: these are few */
    in.used = formula_free(store, f);
    change(&in, NULL, f, FORMULA_CONSTANT);
    return store->failed ? error_no_memory(error) : NLM_OK;
}

void neighbours_free(neighbourhood *of)
{
    buffer_free(&of->list);
    formula_set_free(&of->seen);
}
