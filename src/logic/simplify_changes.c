/* The list goes down the formula and considers, for each part: what can replace it, what its own parts have
 * in common, and what becomes of a quantifier.  Then all of it again for parts that stand in several places,
 * changed in all of them at once. */
#include "logic/simplify_changes.h"
#include <stdlib.h>

enum {
    MOST_CANDIDATES = 20000,                 /* of a round */
    MOST_ROUND_NODES = FORMULA_NODES / 4 * 3 /* when a round has so many, it lists no more changes */
};

/* Whether the round has as many changes as it may, or takes as much memory. */
static bool is_full(const simplify_round *of)
{
    return of->store->failed || of->count >= MOST_CANDIDATES || of->store->node_count >= MOST_ROUND_NODES;
}

/* The whole with another part there, if it is new and smaller. */
static void consider(simplify_round *of, const formula_place *place, formula part)
{
    if (is_full(of))
        return;
    formula f = formula_rebuild(of->store, place, part);
    if (of->shared >= 0)
        f = formula_expand(of->store, of->whole, of->shared, f);
    if (of->store->failed || !formula_set_add(&of->seen, of->store, f))
        return;
    const int cost = simplify_cost(of->of, f);
    if (cost >= of->now)
        return;
    if (buffer_reserve(&of->list, of->count + 1, sizeof(candidate), true) != NLM_OK) {
        of->store->failed = true;
        return;
    }
    ((candidate *)of->list.data)[of->count++] = (candidate){f, cost};
}

/* ---- literals and forms that replace a part ---- */

typedef struct literals {
    formula at[512];
    int count;
} literals;

/* Atoms of an input with different variables of the set, `needed` among them, and their negations. */
static void add_atoms(simplify_round *of, int predicate, uint32_t set, uint32_t needed, int *arguments,
                      int at, literals *into)
{
    const int arity = program_at(of->of->program, predicate)->arity;
    if (at == arity) {
        const formula atom = program_atom(of->of->program, predicate, arguments);
        if ((formula_free(of->store, atom) & needed) != needed || into->count + 2 > 512)
            return;
        into->at[into->count++] = atom;
        into->at[into->count++] = formula_not(of->store, atom);
        return;
    }
    for (int v = 0; v < FORMULA_VARIABLES; v++) {
        bool taken = !(set >> v & 1);
        for (int i = 0; i < at; i++)
            taken |= arguments[i] == v;
        if (!taken) {
            arguments[at] = v;
            add_atoms(of, predicate, set, needed, arguments, at + 1, into);
        }
    }
}

static void literals_over(simplify_round *of, uint32_t set, uint32_t needed, literals *into)
{
    int arguments[FORMULA_MOST_ARITY];
    into->count = 0;
    for (int p = 0; p < of->of->program->input_count; p++)
        add_atoms(of, p, set, needed, arguments, 0, into);
}

/* Two literals joined by one more object. */
static void consider_joins(simplify_round *of, const formula_place *place, const formula *rest, uint32_t set)
{
    formula_store *store = of->store;
    int variable[FORMULA_VARIABLES], z = 0;
    const int count = formula_variables(set, variable);
    while (set >> z & 1)
        z++;
    if (count < 1 || count > 2 || z >= FORMULA_VARIABLES)
        return;
    const uint32_t bit = (uint32_t)1 << z;
    literals first, second;
    literals_over(of, (uint32_t)1 << variable[0] | bit, bit, &first);
    literals_over(of, (uint32_t)1 << variable[count - 1] | bit, bit, &second);
    for (int i = 0; i < first.count; i++)
        for (int j = 0; j < second.count; j++) {
            const bool positive = formula_at(store, first.at[i])->kind == FORMULA_ATOM ||
                                  formula_at(store, second.at[j])->kind == FORMULA_ATOM;
            if (!positive || first.at[i] == second.at[j])
                continue;
            const formula join = formula_exists(store, z, formula_and2(store, first.at[i], second.at[j]));
            consider(of, place, rest ? formula_and2(store, *rest, join) : join);
        }
}

/* Forms of the free variables of a part: literals, pairs of them, joins. */
static void consider_forms(simplify_round *of, const formula_place *place, formula part)
{
    formula_store *store = of->store;
    int atoms, equalities;
    formula_count(store, part, &atoms, &equalities);
    const int size = atoms + equalities;
    const formula_kind kind = (formula_kind)formula_at(store, part)->kind;
    if (kind == FORMULA_CONSTANT || (size < 2 && kind != FORMULA_EXISTS && kind != FORMULA_NOT))
        return;
    const uint32_t set = formula_free(store, part);
    literals all;
    literals_over(of, set, 0, &all);
    for (int i = 0; i < all.count; i++)
        consider(of, place, all.at[i]);
    if (size <= 2)
        return;
    if (of->level >= 2)
        for (int i = 0; i < all.count; i++)
            for (int j = 0; j < i; j++) {
                consider(of, place, formula_or2(store, all.at[i], all.at[j]));
                consider(of, place, formula_and2(store, all.at[i], all.at[j]));
            }
    if (of->level >= 3)
        consider_joins(of, place, NULL, set);
}

/* ---- common parts ---- */

/* Parts of a formula of this kind, or the formula itself. */
static const formula *parts_of(const formula_store *store, const formula *f, formula_kind kind,
                               uint32_t *count)
{
    const formula_node *node = formula_at(store, *f);
    *count = node->kind == kind ? node->count : 1;
    return node->kind == kind ? formula_parts(store, *f) : f;
}

/* a or b as (common parts) and (rest of a or rest of b); the dual with kind FORMULA_AND.  FORMULA_FALSE if
 * they have nothing in common. */
static formula factored(formula_store *store, formula_kind kind, formula a, formula b)
{
    const formula_kind inner = kind == FORMULA_OR ? FORMULA_AND : FORMULA_OR;
    uint32_t a_count, b_count;
    const formula *a_parts = parts_of(store, &a, inner, &a_count);
    const formula *b_parts = parts_of(store, &b, inner, &b_count);
    enum { MOST = 64 };
    formula common[MOST + 1], rest_a[MOST], rest_b[MOST];
    size_t commons = 0, as = 0, bs = 0;
    if (a_count > MOST || b_count > MOST)
        return FORMULA_FALSE;
    for (uint32_t i = 0; i < a_count; i++) {
        bool both = false;
        for (uint32_t j = 0; j < b_count; j++)
            both |= a_parts[i] == b_parts[j];
        if (both)
            common[commons++] = a_parts[i];
        else
            rest_a[as++] = a_parts[i];
    }
    for (uint32_t j = 0; j < b_count; j++) {
        bool both = false;
        for (uint32_t i = 0; i < a_count; i++)
            both |= a_parts[i] == b_parts[j];
        if (!both)
            rest_b[bs++] = b_parts[j];
    }
    if (!commons)
        return FORMULA_FALSE;
    if (kind == FORMULA_OR) {
        common[commons++] =
            formula_or2(store, formula_and(store, rest_a, as), formula_and(store, rest_b, bs));
        return formula_and(store, common, commons);
    }
    common[commons++] = formula_and2(store, formula_or(store, rest_a, as), formula_or(store, rest_b, bs));
    return formula_or(store, common, commons);
}

/* exists Z: A or exists Z: B, with common parts of A and B taken out. */
static formula factored_exists(formula_store *store, formula a, formula b)
{
    const formula_node x = *formula_at(store, a), y = *formula_at(store, b);
    const uint32_t used = x.free | y.free;
    int z = 0, to[FORMULA_VARIABLES];
    while (z < FORMULA_VARIABLES && used >> z & 1)
        z++;
    if (z >= FORMULA_VARIABLES)
        return FORMULA_FALSE;
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        to[v] = v;
    to[x.bound] = z;
    const formula left = formula_rename(store, x.part, to);
    to[x.bound] = x.bound;
    to[y.bound] = z;
    const formula right = formula_rename(store, y.part, to);
    const formula body = factored(store, FORMULA_OR, left, right);
    return body == FORMULA_FALSE ? FORMULA_FALSE : formula_exists(store, z, body);
}

static formula joined(formula_store *store, formula_kind kind, formula a, formula b)
{
    const formula_node x = *formula_at(store, a), y = *formula_at(store, b);
    if (kind == FORMULA_OR && x.kind == FORMULA_EXISTS && y.kind == FORMULA_EXISTS)
        return factored_exists(store, a, b);
    if (kind == FORMULA_AND && x.kind == FORMULA_NOT && y.kind == FORMULA_NOT &&
        formula_at(store, x.part)->kind == FORMULA_EXISTS &&
        formula_at(store, y.part)->kind == FORMULA_EXISTS) {
        const formula some = factored_exists(store, x.part, y.part);
        return some == FORMULA_FALSE ? FORMULA_FALSE : formula_not(store, some);
    }
    return factored(store, kind, a, b);
}

/* ---- all changes ---- */

static void consider_changes(simplify_round *of, const formula_place *place, formula f);

/* Without part `skip` and, if it is another one, `other`; with `more` unless that is neutral. */
static formula without(formula_store *store, formula f, uint32_t skip, uint32_t other, formula more)
{
    const formula_node node = *formula_at(store, f);
    formula *parts = malloc((node.count + 1) * sizeof *parts);
    size_t count = 0;
    if (!parts) {
        store->failed = true;
        return FORMULA_FALSE;
    }
    for (uint32_t i = 0; i < node.count; i++)
        if (i != skip && i != other)
            parts[count++] = formula_parts(store, f)[i];
    parts[count++] = more;
    const formula result =
        node.kind == FORMULA_AND ? formula_and(store, parts, count) : formula_or(store, parts, count);
    free(parts);
    return result;
}

/* Two parts after the other joined until none can be: one such step alone may make the program longer. */
static formula all_joined(formula_store *store, formula f)
{
    const formula_kind kind = (formula_kind)formula_at(store, f)->kind;
    for (bool again = true; again && !store->failed && formula_at(store, f)->kind == kind;) {
        again = false;
        const uint32_t count = formula_at(store, f)->count;
        for (uint32_t i = 0; i < count && !again; i++)
            for (uint32_t j = 0; j < i && !again; j++) {
                const formula one =
                    joined(store, kind, formula_parts(store, f)[i], formula_parts(store, f)[j]);
                again = one != FORMULA_FALSE;
                if (again)
                    f = without(store, f, i, j, one);
            }
    }
    return f;
}

/* a and (b or c) as a and b, or a and c; also as a and b, or c.  The dual of `or`; and both with the second
 * part under a negation.  Under a quantifier the two go apart, and what does not have the bound variable
 * leaves it. */
static void consider_distributions(simplify_round *of, const formula_place *place, formula f)
{
    formula_store *store = of->store;
    const formula_node node = *formula_at(store, f);
    const bool is_and = node.kind == FORMULA_AND;
    enum { MOST = 6 };
    for (uint32_t i = 0; i < node.count; i++) {
        formula part = formula_parts(store, f)[i], one[MOST], list[MOST];
        const bool denied = formula_at(store, part)->kind == FORMULA_NOT;
        part = denied ? formula_at(store, part)->part : part;
        const formula_node inner = *formula_at(store, part);
        if (inner.kind != (is_and == denied ? FORMULA_AND : FORMULA_OR) || inner.count > MOST)
            continue;
        const formula rest = without(store, f, i, i, is_and ? FORMULA_TRUE : FORMULA_FALSE);
        for (uint32_t j = 0; j < inner.count; j++) {
            one[j] = formula_parts(store, part)[j];
            one[j] = denied ? formula_not(store, one[j]) : one[j];
            list[j] = is_and ? formula_and2(store, rest, one[j]) : formula_or2(store, rest, one[j]);
        }
        for (uint32_t j = 0; j <= inner.count; j++) { /* the last: none is alone */
            const formula kept = j < inner.count ? list[j] : FORMULA_FALSE;
            if (j < inner.count)
                list[j] = one[j];
            consider(of, place,
                     is_and ? formula_or(store, list, inner.count) : formula_and(store, list, inner.count));
            if (j < inner.count)
                list[j] = kept;
        }
    }
}

static void consider_parts(simplify_round *of, const formula_place *place, formula f)
{
    formula_store *store = of->store;
    const formula_node node = *formula_at(store, f);
    const formula_kind kind = (formula_kind)node.kind;
    const formula neutral = kind == FORMULA_AND ? FORMULA_TRUE : FORMULA_FALSE;
    for (uint32_t i = 0; i < node.count; i++)
        consider(of, place, without(store, f, i, i, neutral));
    for (uint32_t i = 0; i < node.count; i++)
        for (uint32_t j = 0; j < i; j++) {
            const formula one = joined(store, kind, formula_parts(store, f)[i], formula_parts(store, f)[j]);
            if (one != FORMULA_FALSE)
                consider(of, place, without(store, f, i, j, one));
        }
    consider(of, place, all_joined(store, f));
    consider_distributions(of, place, f);
    for (uint32_t i = 0; i < node.count; i++) {
        const formula_place inside = {place, f, i, 0};
        consider_changes(of, &inside, formula_parts(store, f)[i]);
    }
    if (of->level == 0 || node.count < 3 || node.count > 12)
        return;
    /* two of several at once: in a formula that has them as one part */
    for (uint32_t i = 0; i < node.count; i++)
        for (uint32_t j = 0; j < i; j++) {
            const formula pair[] = {formula_parts(store, f)[i], formula_parts(store, f)[j]};
            const formula both =
                kind == FORMULA_AND ? formula_and(store, pair, 2) : formula_or(store, pair, 2);
            literals all;
            literals_over(of, formula_free(store, both), 0, &all);
            for (int k = 0; k < all.count; k++)
                consider(of, place, without(store, f, i, j, all.at[k]));
        }
}

/* not exists Z: a and not b, which is "for all Z with a: b", as exists Z: a and b.  The part is the `exists`,
 * whose place has the negation if `denied`. */
static void consider_flips(simplify_round *of, const formula_place *place, formula f, bool denied)
{
    formula_store *store = of->store;
    const formula_node some = *formula_at(store, f);
    const formula_node body = *formula_at(store, some.part);
    if (body.kind != FORMULA_AND)
        return;
    for (uint32_t i = 0; i < body.count; i++) {
        const formula turned = formula_not(store, formula_parts(store, some.part)[i]);
        const formula flipped = formula_exists(store, some.bound, without(store, some.part, i, i, turned));
        consider(of, place, denied ? flipped : formula_not(store, flipped));
    }
}

/* exists Z: a(Z) as a(V), V being a variable that is there already. */
static void consider_bindings(simplify_round *of, const formula_place *place, formula f)
{
    formula_store *store = of->store;
    const formula_node some = *formula_at(store, f);
    uint32_t scope = some.free;
    int to[FORMULA_VARIABLES];
    for (const formula_place *outer = place; outer; outer = outer->outer)
        scope |=
            formula_free(store, outer->whole) | (formula_at(store, outer->whole)->kind == FORMULA_EXISTS
                                                     ? (uint32_t)1 << formula_at(store, outer->whole)->bound
                                                     : 0);
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        to[v] = v;
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        if (scope >> v & 1 && v != some.bound) {
            to[some.bound] = v;
            consider(of, place, formula_rename(store, some.part, to));
        }
}

static void consider_changes(simplify_round *of, const formula_place *place, formula f)
{
    if (is_full(of))
        return;
    const formula_node node = *formula_at(of->store, f);
    const formula_place inside = {place, f, 0, node.bound};
    if (of->level > 0)
        consider_forms(of, place, f);
    switch ((formula_kind)node.kind) {
    case FORMULA_AND:
    case FORMULA_OR:
        consider_parts(of, place, f);
        break;
    case FORMULA_NOT:
        if (formula_at(of->store, node.part)->kind == FORMULA_EXISTS)
            consider_flips(of, place, node.part, true);
        consider_changes(of, &inside, node.part);
        break;
    case FORMULA_EXISTS:
        if (of->shared >= 0 && !place) /* a part of several places, each of which may have a negation */
            consider_flips(of, place, f, false);
        consider_bindings(of, place, f);
        consider_changes(of, &inside, node.part);
        break;
    case FORMULA_CONSTANT:
    case FORMULA_ATOM:
    case FORMULA_EQUAL:
        break;
    }
}

/* ---- parts in several places ---- */

/* One part in the place of another, its arguments in any order. */
static void consider_orders(simplify_round *of, formula other, int *variable, int arity, int at)
{
    if (at == arity) {
        consider(of, NULL, formula_rename(of->store, other, variable));
        return;
    }
    for (int i = at; i < arity; i++) {
        const int kept = variable[at];
        variable[at] = variable[i];
        variable[i] = kept;
        consider_orders(of, other, variable, arity, at + 1);
        variable[i] = variable[at];
        variable[at] = kept;
    }
}

/* Changes of a part in all its places at once; and a part replaced by another one that is there already. */
static void consider_shared(simplify_round *of, formula f)
{
    part_classes classes = {.least = 2};
    part_classes_find(&classes, of->store, f);
    const int predicate = of->of->program->predicate_count; /* nobody's, for a while */
    for (int i = 0; i < classes.count; i++) {
        const part_class *one = &classes.at[i];
        of->shared = predicate;
        of->whole = formula_abstract(of->store, f, one->body, predicate);
        if (one->places > 1)
            consider_changes(of, NULL, one->body);
        for (int j = 0; j < classes.count; j++)
            if (j != i && classes.at[j].arity == one->arity && one->arity <= 3) {
                int variable[FORMULA_VARIABLES];
                for (int v = 0; v < FORMULA_VARIABLES; v++)
                    variable[v] = v;
                consider_orders(of, classes.at[j].body, variable, one->arity, 0);
            }
        of->shared = -1;
    }
}

void simplify_list_changes(simplify_round *of, formula f)
{
    consider_shared(of, f); /* first: these are few, and there may be too many of the others */
    consider_changes(of, NULL, f);
}
