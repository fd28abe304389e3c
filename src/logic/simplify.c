#include "logic/simplify.h"
#include <stdlib.h>
#include "base/error.h"
#include "logic/clauses.h"
#include "logic/simplify_changes.h"

enum {
    MOST_NODES = 1 << 19,    /* of the store, before it is made anew */
    MOST_COST = 1000,        /* longer formulas only lose parts */
    MOST_LITERALS = 1 << 20, /* clauses that cannot be made count as so many */
    LITERAL_COST = 32,
    LEVELS = 4
};

/* Negations in f, those of equalities left out. */
static int negations(const formula_store *store, formula f)
{
    const formula_node *node = formula_at(store, f);
    int count = 0;
    if (node->kind == FORMULA_NOT)
        count = formula_at(store, node->part)->kind != FORMULA_EQUAL;
    if (node->kind == FORMULA_NOT || node->kind == FORMULA_EXISTS)
        count += negations(store, node->part);
    for (uint32_t i = 0; i < node->count; i++)
        count += negations(store, formula_parts(store, f)[i]);
    return count;
}

/* Of programs with as many literals the one with fewer negations is smaller: a step that only turns "for all"
 * into "exists" counts, and often others follow it. */
int simplify_cost(simplification *of, formula f)
{
    int atoms, equalities;
    formula_count(&of->program->store, f, &atoms, &equalities);
    if (atoms + equalities > MOST_COST)
        return 4 * LITERAL_COST * (atoms + equalities);
    const nlm_program_size size = clauses_measure(of->program, f, of->arity);
    const int literals = size.literals < MOST_LITERALS ? size.literals : MOST_LITERALS;
    const int denied = negations(&of->program->store, f);
    return LITERAL_COST * literals - LITERAL_COST / 2 * size.inequalities +
           (denied < LITERAL_COST / 2 ? denied : LITERAL_COST / 2 - 1);
}

/* ---- rounds ---- */

static int by_cost(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return (x->f > y->f) - (x->f < y->f);
}

/* A store with only the program and f. */
static nlm_status collect(simplification *of, formula *f, nlm_error *error)
{
    formula_store fresh;
    formula_store_start(&fresh);
    fresh.inputs = of->program->store.inputs;
    for (int i = of->program->input_count; i < of->program->predicate_count; i++)
        program_at(of->program, i)->body =
            formula_copy(&fresh, &of->program->store, program_at(of->program, i)->body, NULL);
    *f = formula_copy(&fresh, &of->program->store, *f, NULL);
    formula_store_free(&of->program->store);
    of->program->store = fresh;
    if (of->forget)
        of->forget(of->context);
    return fresh.failed ? error_no_memory(error) : NLM_OK;
}

/* The smallest change of f that agrees. */
static nlm_status improve(simplification *of, int level, formula *f, bool *better, nlm_error *error)
{
    simplify_round now = {
        .of = of, .store = &of->program->store, .shared = -1, .level = level, .now = simplify_cost(of, *f)};
    nlm_status status = NLM_OK;
    *better = false;
    simplify_list_changes(&now, *f);
    const candidate *list = now.list.data;
    if (now.count)
        qsort(now.list.data, now.count, sizeof *list, by_cost);
    for (size_t i = 0; i < now.count && !*better && status == NLM_OK && of->tests < of->most_tests; i++) {
        of->tests++;
        if (!now.store->failed)
            status = of->agrees(of->context, list[i].f, better, error);
        if (*better)
            *f = list[i].f;
    }
    if (now.store->failed)
        status = error_no_memory(error);
    buffer_free(&now.list);
    formula_set_free(&now.seen);
    return status;
}

nlm_status simplify(simplification *of, formula *f, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int level = 0; level < LEVELS && status == NLM_OK && of->tests < of->most_tests;) {
        bool better = false;
        if (of->program->store.node_count > MOST_NODES)
            status = collect(of, f, error);
        if (status == NLM_OK)
            status = improve(of, level, f, &better, error);
        level = better ? 0 : level + 1;
    }
    return status;
}
