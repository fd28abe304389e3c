#include "logic/case_of.h"
#include <stdlib.h>
#include <string.h>
#include "base/error.h"

enum { MOST_PARTS = 64 };

typedef struct conjunction {
    formula at[MOST_PARTS];
    int count;
} conjunction;

static formula closed(formula_store *store, formula f)
{
    for (int v = FORMULA_VARIABLES - 1; v >= 0; v--)
        if (formula_free(store, f) >> v & 1)
            f = formula_exists(store, v, f);
    return f;
}

/* Whether it is true of some objects in some world; worlds too large for tables count as if it were. */
static nlm_status occurs(const case_question *question, truth *group, formula f, bool *yes, nlm_error *error)
{
    formula_store *store = &question->program->store;
    size_t worlds = 0;
    f = closed(store, f);
    const nlm_status status = store->failed ? NLM_NO_MEMORY : truth_count(group, f, &worlds, error);
    *yes = status == NLM_BAD_ARGUMENT || worlds > 0;
    return status == NLM_BAD_ARGUMENT ? NLM_OK : status;
}

/* Whether no example has it, and varied worlds do. */
static nlm_status is_case(const case_question *question, formula f, bool *yes, nlm_error *error)
{
    bool somewhere = false;
    nlm_status status = NLM_OK;
    for (int g = 0; g < question->groups && !somewhere && !status; g++)
        status = occurs(question, question->examples[g], f, &somewhere, error);
    *yes = false;
    if (!status && !somewhere)
        status = occurs(question, question->varied, f, yes, error);
    return status;
}

static void split(const formula_store *store, formula f, conjunction *into)
{
    const formula_node *node = formula_at(store, f);
    if (node->kind != FORMULA_AND) {
        if (into->count < MOST_PARTS)
            into->at[into->count++] = f;
        return;
    }
    for (uint32_t i = 0; i < node->count; i++)
        split(store, formula_parts(store, f)[i], into);
}

static int size_of(const formula_store *store, formula f)
{
    int atoms, equalities;
    formula_count(store, f, &atoms, &equalities);
    return atoms + equalities;
}

/* The longest parts first: what is left is short. */
static void longest_first(const formula_store *store, conjunction *of)
{
    for (int i = 1; i < of->count; i++)
        for (int k = i; k > 0 && size_of(store, of->at[k - 1]) < size_of(store, of->at[k]); k--) {
            const formula kept = of->at[k];
            of->at[k] = of->at[k - 1];
            of->at[k - 1] = kept;
        }
}

/* With part `at` replaced. */
static formula with(formula_store *store, const conjunction *of, int at, formula part)
{
    conjunction changed = *of;
    changed.at[at] = part;
    return formula_and(store, changed.at, (size_t)changed.count);
}

/* Parts that are not needed leave; of a part with `or` one is enough. */
static nlm_status shrink(const case_question *question, conjunction *of, nlm_error *error)
{
    formula_store *store = &question->program->store;
    nlm_status status = NLM_OK;
    longest_first(store, of);
    for (int i = 0; i < of->count && !status; i++) {
        bool yes;
        status = is_case(question, with(store, of, i, FORMULA_TRUE), &yes, error);
        if (!status && yes)
            of->at[i] = FORMULA_TRUE;
        const formula_node node = *formula_at(store, of->at[i]);
        for (uint32_t k = 0; k < node.count && node.kind == FORMULA_OR && !status; k++) {
            const formula part = formula_parts(store, of->at[i])[k];
            status = is_case(question, with(store, of, i, part), &yes, error);
            if (!status && yes) {
                of->at[i] = part;
                break;
            }
        }
    }
    return status;
}

static nlm_status shrunk(const case_question *question, formula f, formula *result, nlm_error *error)
{
    formula_store *store = &question->program->store;
    nlm_status status = NLM_OK;
    for (int round = 0; round < 2 && !status; round++) { /* a part of `or` may itself have parts */
        conjunction parts = {.count = 0};
        split(store, f, &parts);
        status = shrink(question, &parts, error);
        f = formula_and(store, parts.at, (size_t)parts.count);
    }
    *result = f;
    return status;
}

/* The first of some formulas that is a case, made short, joins the result. */
static nlm_status add_first(const case_question *question, const formula *tries, int count, formula *result,
                            nlm_error *error)
{
    formula_store *store = &question->program->store;
    nlm_status status = NLM_OK;
    bool yes = false;
    for (int i = 0; i < count && !yes && !status; i++) {
        formula made;
        status = is_case(question, tries[i], &yes, error);
        if (!status && yes)
            status = shrunk(question, tries[i], &made, error);
        int variable[FORMULA_VARIABLES], variables;
        if (!status && yes) /* canonical: two that differ in names are one */
            *result = formula_or2(store, *result,
                                  closed(store, formula_canonical(store, made, variable, &variables)));
    }
    return status;
}

/* A change may make a formula true and false: its scene has a part for each.  A scene may be in examples
 * where other parts of the formula decide: then the difference belongs to it. */
nlm_status case_of(const case_question *question, formula *result, nlm_error *error)
{
    formula_store *store = &question->program->store;
    const formula one = question->one, other = question->other;
    const formula lost = formula_and2(store, one, formula_not(store, other));
    const formula won = formula_and2(store, other, formula_not(store, one));
    const formula_node node = *formula_at(store, question->scene);
    const uint32_t scenes = node.kind == FORMULA_OR ? node.count : 1;
    nlm_status status = NLM_OK;
    *result = FORMULA_FALSE;
    for (uint32_t i = 0; i < scenes && i < 2 && !status; i++) {
        const formula scene =
            node.kind == FORMULA_OR ? formula_parts(store, question->scene)[i] : question->scene;
        const formula tries[] = {scene, formula_and2(store, scene, won), formula_and2(store, scene, lost)};
        status = add_first(question, tries, 3, result, error);
    }
    if (!status && *result == FORMULA_FALSE)
        status = add_first(question, (const formula[]){won, lost}, 2, result, error);
    return store->failed ? error_no_memory(error) : status;
}
