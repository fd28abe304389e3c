#include "logic/formula_changes.h"
#include <string.h>
#include "logic/formula_parts.h"

/* ---- the place of a part ---- */

/* `and` or `or` with another part number `at`. */
static formula with_part(formula_store *store, formula whole, uint32_t at, formula part)
{
    const formula_node node = *formula_at(store, whole);
    part_list list;
    part_list_start(&list);
    for (uint32_t i = 0; i < node.count; i++)
        if (!part_list_add(store, &list, i == at ? part : formula_parts(store, whole)[i]))
            break;
    const formula result = formula_combine(store, (formula_kind)node.kind, list.at, list.count);
    part_list_free(&list);
    return result;
}

formula formula_rebuild(formula_store *store, const formula_place *place, formula part)
{
    for (; place && !store->failed; place = place->outer) {
        const formula_kind kind = (formula_kind)formula_at(store, place->whole)->kind;
        if (kind == FORMULA_NOT)
            part = formula_not(store, part);
        else if (kind == FORMULA_EXISTS)
            part = formula_exists(store, place->bound, part);
        else
            part = with_part(store, place->whole, place->at, part);
    }
    return store->failed ? FORMULA_FALSE : part;
}

/* ---- formulas that were there before ---- */

bool formula_set_add(formula_set *set, formula_store *store, formula f)
{
    if (f >= set->count) {
        const size_t count = store->node_count;
        if (buffer_reserve(&set->has, count, sizeof(bool), true) != NLM_OK) {
            store->failed = true;
            return false;
        }
        memset((bool *)set->has.data + set->count, 0, (count - set->count) * sizeof(bool));
        set->count = count;
    }
    bool *has = (bool *)set->has.data + f;
    const bool is_new = !*has;
    *has = true;
    return is_new;
}

void formula_set_free(formula_set *set)
{
    buffer_free(&set->has);
}

/* ---- parts in several places ---- */

static void add_part(part_classes *into, formula_store *store, formula f)
{
    int variable[FORMULA_VARIABLES], arity, i = 0;
    const formula body = formula_canonical(store, f, variable, &arity);
    while (i < into->count && into->at[i].body != body)
        i++;
    if (i == into->count && i < MOST_PART_CLASSES && arity <= FORMULA_MOST_ARITY)
        into->at[into->count++] = (part_class){body, 0, arity};
    if (i < into->count)
        into->at[i].places++;
}

void part_classes_find(part_classes *into, formula_store *store, formula f)
{
    const formula_node node = *formula_at(store, f);
    int atoms, equalities;
    formula_count(store, f, &atoms, &equalities);
    if (store->failed || atoms + equalities < into->least || node.kind == FORMULA_CONSTANT ||
        node.kind == FORMULA_EQUAL)
        return;
    if (node.kind != FORMULA_NOT && (node.free || !into->open))
        add_part(into, store, f);
    if (node.kind == FORMULA_NOT || node.kind == FORMULA_EXISTS)
        part_classes_find(into, store, node.part);
    for (uint32_t i = 0; i < node.count; i++)
        part_classes_find(into, store, formula_parts(store, f)[i]);
}
