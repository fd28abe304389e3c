#include "learn/clause_search.h"
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "learn/clause_beam.h"

enum {
    MOST_ROWS = 1 << 18, /* bindings of a clause */
    MOST_ALIKE = 6       /* clauses of a beam with as many variables that hold for as many labels */
};

/* ---- the next beam ---- */

static nlm_status add_row(bound_clause *to, const int *row, nlm_error *error)
{
    const size_t stride = 1 + (size_t)to->body.variables;
    if (to->count >= MOST_ROWS)
        return NLM_OK;
    if (buffer_reserve(&to->rows, (to->count + 1) * stride, sizeof *row, true))
        return error_no_memory(error);
    memcpy((int *)to->rows.data + to->count++ * stride, row, stride * sizeof *row);
    return NLM_OK;
}

/* Whether a binding has what a literal of no new variables says. */
static bool fits(const clause_data *data, const body_literal *literal, const int *row)
{
    const int object = row[1 + literal->variable[0]];
    bool yes = true;
    switch (literal->kind) {
    case CLAUSE_PROPERTY:
        yes = data->mask[(size_t)object * CLAUSE_WORDS + (size_t)(literal->number / 64)] >>
                  (literal->number % 64) &
              1;
        break;
    case CLAUSE_RELATION:
        yes = clause_relations(data, object, row[1 + literal->variable[1]]) >> literal->number & 1;
        break;
    case CLAUSE_DIFFERENT:
        yes = object != row[1 + literal->variable[1]];
        break;
    case CLAUSE_FACT:
        break;
    }
    return yes != literal->negated;
}

typedef struct binding {
    const clause_data *data;
    bound_clause *to;
    const body_literal *filter; /* or NULL */
} binding;

static nlm_status bind_row(void *context, const int *row, nlm_error *error)
{
    const binding *of = context;
    return !of->filter || fits(of->data, of->filter, row) ? add_row(of->to, row, error) : NLM_OK;
}

static void add_literal(clause_body *body, const body_literal *literal)
{
    if (literal->number != NO_LITERAL)
        body->literal[body->count++] = *literal;
}

static clause_body extended(const clause_body *parent, const extension *by)
{
    clause_body body = *parent;
    add_literal(&body, &by->first);
    add_literal(&body, &by->second);
    body.variables = by->variables;
    body.cost = by->cost;
    return body;
}

static nlm_status bind(level *in, const extension *by, bound_clause *to, nlm_error *error)
{
    const bound_clause *parent = &in->beam[by->parent];
    const clause_data *data = in->of->data;
    binding of = {data, to, by->second.number == NO_LITERAL ? NULL : &by->second};
    to->body = extended(&parent->body, by);
    to->count = 0;
    to->won = by->won;
    to->lost = by->lost;
    if (by->first.kind == CLAUSE_FACT)
        return clause_for_facts(data, parent, &by->first, by->variables, bind_row, &of, error);
    const int *row = parent->rows.data;
    nlm_status status = NLM_OK;
    of.filter = &by->first;
    for (size_t r = 0; r < parent->count && !status; r++, row += 1 + parent->body.variables)
        status = bind_row(&of, row, error);
    return status;
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* The same for clauses whose bindings differ in nothing but the order of variables. */
static uint64_t key_of(const bound_clause *clause)
{
    const int *row = clause->rows.data, stride = 1 + clause->body.variables;
    uint64_t key = (uint64_t)stride;
    for (size_t r = 0; r < clause->count; r++, row += stride) {
        uint64_t of_row = 0;
        for (int v = 1; v < stride; v++)
            of_row += mix((uint64_t)row[v] + 1);
        key += mix(of_row + mix((uint64_t)row[0] << 32));
    }
    return key;
}

static bool is_new(level *in, uint64_t key)
{
    for (int i = 0; i < in->seen_count; i++)
        if (in->seen[i] == key)
            return false;
    if (in->seen_count < (int)(sizeof in->seen / sizeof *in->seen))
        in->seen[in->seen_count++] = key;
    return true;
}

/* Total orders, so that qsort gives the same everywhere. */
static int compare_literals(const body_literal *a, const body_literal *b)
{
    int order = (int)a->kind - (int)b->kind;
    order = order ? order : a->negated - b->negated;
    order = order ? order : a->number - b->number;
    for (int i = 0; i < CLAUSE_ARITY && !order; i++)
        order = a->variable[i] - b->variable[i];
    return order;
}

static int by_place(const extension *a, const extension *b)
{
    int order = a->parent - b->parent;
    order = order ? order : compare_literals(&a->first, &b->first);
    return order ? order : compare_literals(&a->second, &b->second);
}

static int by_even(const void *left, const void *right)
{
    const extension *a = left, *b = right;
    return a->even != b->even ? (a->even < b->even ? 1 : -1) : by_place(a, b);
}

static int by_sure(const void *left, const void *right)
{
    const extension *a = left, *b = right;
    return a->sure != b->sure ? (a->sure < b->sure ? 1 : -1) : by_place(a, b);
}

static int by_pure(const void *left, const void *right)
{
    const extension *a = left, *b = right;
    return a->pure != b->pure ? (a->pure < b->pure ? 1 : -1) : by_place(a, b);
}

/* Clauses that hold for as many labels with as many variables hold for the same ones, mostly. */
static int count_alike(const level *in, const extension *made)
{
    int alike = 0;
    for (int c = 0; c < in->next_count; c++)
        alike += in->next[c].won == made->won && in->next[c].lost == made->lost &&
                 in->next[c].body.variables == made->variables;
    return alike;
}

/* The best extensions of the list become clauses, up to a number of the next beam; not those that cannot
 * become the best any more. */
static nlm_status take_best(level *in, int most, nlm_error *error)
{
    const extension *list = in->list.data;
    nlm_status status = NLM_OK;
    for (size_t i = 0; i < in->extensions && in->next_count < most && !status; i++) {
        const long bound = LABEL_WORTH * list[i].won - (long)in->of->price * (list[i].cost + 1);
        bound_clause *to = &in->next[in->next_count];
        if (bound <= in->worth || count_alike(in, &list[i]) >= MOST_ALIKE)
            continue;
        status = bind(in, &list[i], to, error);
        if (!status && to->count < MOST_ROWS && is_new(in, key_of(to)))
            in->next_count++;
    }
    return status;
}

static nlm_status next_level(level *in, nlm_error *error)
{
    const int width = in->of->width;
    nlm_status status = NLM_OK;
    in->extensions = 0;
    in->next_count = 0;
    for (int c = 0; c < in->count && !status; c++)
        status = clause_extend(in, c, error);
    if (status || in->extensions == 0) {
        in->count = 0;
        return status;
    }
    qsort(in->list.data, in->extensions, sizeof(extension), by_even);
    status = take_best(in, width / 3, error);
    qsort(in->list.data, in->extensions, sizeof(extension), by_sure);
    if (!status)
        status = take_best(in, 2 * width / 3, error);
    qsort(in->list.data, in->extensions, sizeof(extension), by_pure);
    if (!status)
        status = take_best(in, width, error);
    for (int c = 0; c < CLAUSE_BEAM_MOST; c++) {
        const bound_clause other = in->beam[c];
        in->beam[c] = in->next[c];
        in->next[c] = other;
    }
    in->count = in->next_count;
    return status;
}

/* ---- the search ---- */

/* The clause without a body: a binding for each label that counts, or for all. */
static nlm_status begin(level *in, bool all, nlm_error *error)
{
    const clause_data *data = in->of->data;
    bound_clause *first = &in->beam[0];
    nlm_status status = NLM_OK;
    int row[1 + CLAUSE_ARITY] = {0};
    first->body.variables = data->arity;
    for (int label = 0; label < data->labels && !status; label++) {
        row[0] = label;
        if (!all && !label_counts(in->of, label))
            continue;
        for (int v = 0; v < data->arity; v++)
            row[1 + v] = ((const int *)data->tuple.data)[label * data->arity + v];
        status = add_row(first, row, error);
        if (label_counts(in->of, label))
            *(label_is_true(data, label) ? &in->positives : &in->negatives) += 1;
    }
    in->count = 1;
    return status;
}

/* Labels of the best extension: its parent may be gone, so that its literals are applied once more. */
static nlm_status cover_of(level *in, const clause_body *body, uint64_t *cover, nlm_error *error)
{
    const clause_data *data = in->of->data;
    nlm_status status = NLM_OK;
    in->beam[0].count = 0;
    in->beam[0].body = (clause_body){0};
    in->positives = in->negatives = 0;
    status = begin(in, true, error);
    for (int l = 0; l < body->count && !status; l++) {
        const bound_clause *from = &in->beam[0];
        extension by = {.variables = from->body.variables, .first = body->literal[l], .second = no_literal};
        for (int i = 0; i < CLAUSE_ARITY && by.first.kind == CLAUSE_FACT; i++)
            if (i < data->facts[by.first.number].arity && by.first.variable[i] >= by.variables)
                by.variables = by.first.variable[i] + 1;
        status = bind(in, &by, &in->next[0], error);
        const bound_clause other = in->beam[0];
        in->beam[0] = in->next[0];
        in->next[0] = other;
    }
    memset(cover, 0, in->of->words * sizeof *cover);
    const int *row = in->beam[0].rows.data;
    for (size_t r = 0; r < in->beam[0].count && !status; r++, row += 1 + in->beam[0].body.variables)
        label_put(cover, row[0]);
    return status;
}

nlm_status find_clause(const clause_search *search, clause_body *body, uint64_t *cover, long *worth,
                       nlm_error *error)
{
    const size_t labels = (size_t)search->data->labels + 1;
    level *in = memory_new(1, sizeof *in);
    if (!in)
        return error_no_memory(error);
    in->of = search;
    in->worth = search->least;
    in->has = memory_new(labels * CLAUSE_WORDS, sizeof *in->has);
    in->lacks = memory_new(labels * CLAUSE_WORDS, sizeof *in->lacks);
    in->any = memory_new(search->words, sizeof *in->any);
    nlm_status status = in->has && in->lacks && in->any ? begin(in, false, error) : error_no_memory(error);
    for (int l = 0; l < MOST_LEVELS && in->count > 0 && !status; l++)
        status = next_level(in, error);
    *worth = in->worth;
    if (!status && in->worth > search->least) {
        *body = extended(&in->best_body, &in->best);
        status = cover_of(in, body, cover, error);
    }
    for (int c = 0; c < CLAUSE_BEAM_MOST; c++) {
        buffer_free(&in->beam[c].rows);
        buffer_free(&in->next[c].rows);
    }
    buffer_free(&in->list);
    memory_free(in->has);
    memory_free(in->lacks);
    memory_free(in->any);
    memory_free(in);
    return status;
}
