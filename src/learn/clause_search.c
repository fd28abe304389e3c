#include "learn/clause_search.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"

enum {
    BEAM = 24,
    MOST_LEVELS = 6,
    NEW_VARIABLES = 3,   /* of a clause, beside the target's */
    MOST_ROWS = 1 << 18, /* bindings of a clause */
    NO_LITERAL = -1
};

/* A clause of the beam. */
typedef struct bound_clause {
    clause_body body;
    buffer rows; /* int, [count][1 + variables]: label, then an object for each variable; by label */
    size_t count;
    long won; /* true labels that are used and not done */
} bound_clause;

/* A clause of the beam with one or two more literals. */
typedef struct extension {
    int parent, variables, cost;
    body_literal first, second; /* second.number may be NO_LITERAL */
    long won, lost;
    double even, sure; /* how far it divides labels of both kinds; how sure its conclusions are */
} extension;

typedef struct level {
    const clause_search *of;
    bound_clause beam[BEAM], next[BEAM];
    int count, next_count;
    buffer list; /* extension */
    size_t extensions;
    /* what bindings of each label have and lack, [labels][CLAUSE_WORDS], and whether there are any */
    uint64_t *has, *lacks, *any;
    long positives, negatives; /* labels that are used and not done */
    uint64_t seen[BEAM * (MOST_LEVELS + 1)];
    int seen_count;
    extension best;
    clause_body best_body;
    long worth;
} level;

/* ---- labels ---- */

static bool in_set(const uint64_t *set, int label)
{
    return set[label / 64] >> (label % 64) & 1;
}

static void put(uint64_t *set, int label)
{
    set[label / 64] |= (uint64_t)1 << (label % 64);
}

static bool counts(const clause_search *of, int label)
{
    return in_set(of->used, label) && !in_set(of->done, label);
}

static bool is_true(const clause_data *data, int label)
{
    return ((const bool *)data->truth.data)[label];
}

/* ---- what a literal costs ---- */

/* As clauses_measure counts: a negated conjunction becomes a predicate of its own. */
static int property_cost(const clause_property *property, bool negated)
{
    return (property->inner < 0 ? 1 : negated ? 4 : 2) + negated;
}

static int relation_cost(const clause_relation *relation, bool negated)
{
    return (relation->kind == RELATION_FORWARD || relation->kind == RELATION_BACK ? 1
            : negated                                                             ? 4
                                                                                  : 2) +
           negated;
}

static int literal_cost(const clause_data *data, const body_literal *literal)
{
    if (literal->number == NO_LITERAL)
        return 0;
    if (literal->kind == CLAUSE_PROPERTY)
        return property_cost(&data->property[literal->number], literal->negated);
    return literal->kind == CLAUSE_RELATION
               ? relation_cost(&data->relation[literal->number], literal->negated)
               : 1;
}

/* ---- extensions ---- */

/* The difference of the shares of true and of false labels; and the information that a true label gains. */
static void rate(const level *in, extension *made)
{
    const double won = (double)made->won, lost = (double)made->lost;
    const double all = (double)in->positives / (double)(in->positives + in->negatives);
    made->even = won / (double)(in->positives + 1) - lost / (double)(in->negatives + 1) - 1e-3 * made->cost;
    made->sure = won * (log2((won + all) / (won + lost + 1)) - log2(all)) - 1e-3 * made->cost;
}

static nlm_status offer(level *in, extension made, nlm_error *error)
{
    const bound_clause *parent = &in->beam[made.parent];
    const clause_search *of = in->of;
    made.cost =
        parent->body.cost + literal_cost(of->data, &made.first) + literal_cost(of->data, &made.second);
    /* 1 for the head; what it could still become is worth no more than without its false labels */
    const long worth = 2 * (made.won - made.lost) - (long)of->price * (made.cost + 1);
    const long most = 2 * made.won - (long)of->price * (made.cost + 1);
    if (most <= in->worth || made.won == 0)
        return NLM_OK;
    if (worth > in->worth) {
        in->worth = worth;
        in->best = made;
        in->best_body = parent->body;
    }
    rate(in, &made);
    if (buffer_reserve(&in->list, in->extensions + 1, sizeof made, true))
        return error_no_memory(error);
    ((extension *)in->list.data)[in->extensions++] = made;
    return NLM_OK;
}

/* ---- counting ---- */

/* Labels of each kind that have a bit, for all bits of some words at once. */
typedef struct tally {
    long won[2][CLAUSE_PROPERTIES], lost[2][CLAUSE_PROPERTIES]; /* [0]: has, [1]: lacks */
    long any_won, any_lost;
} tally;

static void add_bits(long *counts_of, uint64_t bits, int base)
{
    for (; bits; bits &= bits - 1)
        counts_of[base + __builtin_ctzll(bits)]++;
}

/* Adds up the labels that were marked, and clears the marks. */
static void add_up(level *in, int words, tally *sums)
{
    const clause_data *data = in->of->data;
    memset(sums, 0, sizeof *sums);
    for (int label = 0; label < data->labels; label++) {
        if (!in_set(in->any, label))
            continue;
        uint64_t *has = in->has + (size_t)label * CLAUSE_WORDS,
                 *lacks = in->lacks + (size_t)label * CLAUSE_WORDS;
        const bool yes = is_true(data, label);
        *(yes ? &sums->any_won : &sums->any_lost) += 1;
        for (int w = 0; w < words; w++) {
            add_bits(yes ? sums->won[0] : sums->lost[0], has[w], 64 * w);
            add_bits(yes ? sums->won[1] : sums->lost[1], lacks[w], 64 * w);
            has[w] = lacks[w] = 0;
        }
    }
    memset(in->any, 0, in->of->words * sizeof *in->any);
}

static void mark_properties(level *in, int label, int object)
{
    const clause_data *data = in->of->data;
    const uint64_t *mask = data->mask + (size_t)object * CLAUSE_WORDS;
    for (int w = 0; w < data->words; w++) {
        in->has[(size_t)label * CLAUSE_WORDS + (size_t)w] |= mask[w];
        in->lacks[(size_t)label * CLAUSE_WORDS + (size_t)w] |= ~mask[w];
    }
    put(in->any, label);
}

/* All properties of a variable: of one that the clause has, or that `first` brings. */
static nlm_status offer_properties(level *in, const extension *made, int variable, const tally *sums,
                                   nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int p = 0; p < in->of->data->properties && !status; p++)
        for (int negated = 0; negated < 2 && !status; negated++) {
            extension one = *made;
            const body_literal literal = {CLAUSE_PROPERTY, negated, p, {variable}};
            one.won = sums->won[negated][p];
            one.lost = sums->lost[negated][p];
            if (made->first.number == NO_LITERAL)
                one.first = literal;
            else
                one.second = literal;
            status = offer(in, one, error);
        }
    return status;
}

static const body_literal no_literal = {.number = NO_LITERAL};

static nlm_status extend_by_properties(level *in, int parent, nlm_error *error)
{
    const bound_clause *clause = &in->beam[parent];
    const size_t stride = 1 + (size_t)clause->body.variables;
    nlm_status status = NLM_OK;
    tally sums;
    for (int v = 0; v < clause->body.variables && !status; v++) {
        const int *row = clause->rows.data;
        for (size_t r = 0; r < clause->count; r++, row += stride)
            if (counts(in->of, row[0]))
                mark_properties(in, row[0], row[1 + v]);
        add_up(in, in->of->data->words, &sums);
        const extension made = {
            .parent = parent, .variables = clause->body.variables, .first = no_literal, .second = no_literal};
        status = offer_properties(in, &made, v, &sums, error);
    }
    return status;
}

/* Relations of two variables; the last bit says that they are one object. */
static nlm_status extend_by_relations(level *in, int parent, int v, int w, nlm_error *error)
{
    const bound_clause *clause = &in->beam[parent];
    const clause_data *data = in->of->data;
    const int *row = clause->rows.data;
    nlm_status status = NLM_OK;
    tally sums;
    for (size_t r = 0; r < clause->count; r++, row += 1 + clause->body.variables) {
        if (!counts(in->of, row[0]))
            continue;
        const uint64_t bits = clause_relations(data, row[1 + v], row[1 + w]) |
                              (uint64_t)(row[1 + v] == row[1 + w]) << CLAUSE_RELATIONS;
        in->has[(size_t)row[0] * CLAUSE_WORDS] |= bits;
        in->lacks[(size_t)row[0] * CLAUSE_WORDS] |= ~bits;
        put(in->any, row[0]);
    }
    add_up(in, 1, &sums);
    for (int k = 0; k <= CLAUSE_RELATIONS && !status; k++)
        for (int negated = k == CLAUSE_RELATIONS; negated < 2 && !status; negated++) {
            if (k >= data->relations && k < CLAUSE_RELATIONS)
                continue;
            const clause_literal_kind kind = k == CLAUSE_RELATIONS ? CLAUSE_DIFFERENT : CLAUSE_RELATION;
            status = offer(in,
                           (extension){.parent = parent,
                                       .variables = clause->body.variables,
                                       .first = {kind,
                                                 negated && kind == CLAUSE_RELATION,
                                                 kind == CLAUSE_RELATION ? k : 0,
                                                 {v, w}},
                                       .second = no_literal,
                                       .won = sums.won[negated][k],
                                       .lost = sums.lost[negated][k]},
                           error);
        }
    return status;
}

/* ---- facts ---- */

/* Called for each binding and each fact that fits it; `row` has room for the new variables. */
typedef nlm_status (*fact_listener)(void *context, const int *row, nlm_error *error);

static nlm_status for_facts(const clause_data *data, const bound_clause *clause, const body_literal *literal,
                            int variables, fact_listener listener, void *context, nlm_error *error)
{
    const clause_facts *facts = &data->facts[literal->number];
    const int *row = clause->rows.data, had = clause->body.variables;
    int anchor = 0, full[1 + CLAUSE_VARIABLES_MOST];
    nlm_status status = NLM_OK;
    while (literal->variable[anchor] >= had)
        anchor++;
    for (size_t r = 0; r < clause->count && !status; r++, row += 1 + had) {
        memcpy(full, row, (size_t)(1 + had) * sizeof *row);
        const int object = row[1 + literal->variable[anchor]];
        for (int i = facts->start[anchor][object]; i < facts->start[anchor][object + 1] && !status; i++) {
            const int *argument = facts->argument + facts->at[anchor][i] * facts->arity;
            bool fits = true;
            for (int v = had; v < variables; v++)
                full[1 + v] = -1;
            for (int place = 0; place < facts->arity; place++) {
                int *at = &full[1 + literal->variable[place]];
                fits &= *at < 0 || *at == argument[place];
                *at = *at < 0 ? argument[place] : *at;
            }
            if (fits)
                status = listener(context, full, error);
        }
    }
    return status;
}

typedef struct marking {
    level *in;
    int variable;
} marking;

static nlm_status mark_binding(void *context, const int *row, nlm_error *error)
{
    (void)error;
    const marking *of = context;
    if (counts(of->in->of, row[0]))
        mark_properties(of->in, row[0], row[1 + of->variable]);
    return NLM_OK;
}

/* A fact that brings variables, with and without a property of each of them. */
static nlm_status extend_by_fact(level *in, int parent, const body_literal *literal, int variables,
                                 nlm_error *error)
{
    const bound_clause *clause = &in->beam[parent];
    const int had = clause->body.variables;
    nlm_status status = NLM_OK;
    tally sums;
    for (int v = had; v < variables && !status; v++) {
        marking of = {in, v};
        status = for_facts(in->of->data, clause, literal, variables, mark_binding, &of, error);
        if (status)
            return status;
        add_up(in, in->of->data->words, &sums);
        extension made = {.parent = parent,
                          .variables = variables,
                          .first = *literal,
                          .second = no_literal,
                          .won = sums.any_won,
                          .lost = sums.any_lost};
        status = v == had ? offer(in, made, error) : NLM_OK;
        if (!status)
            status = offer_properties(in, &made, v, &sums, error);
    }
    return status;
}

/* All ways to fill the places of an input, at least one with a variable that the clause has and one with a
 * new one; new ones in the order of their places. */
static nlm_status extend_by_facts(level *in, int parent, body_literal *literal, int place, int variables,
                                  nlm_error *error)
{
    const clause_data *data = in->of->data;
    const int had = in->beam[parent].body.variables, arity = data->facts[literal->number].arity;
    nlm_status status = NLM_OK;
    if (place == arity) {
        const bool is_bound = variables - had < arity && variables > had;
        return is_bound ? extend_by_fact(in, parent, literal, variables, error) : NLM_OK;
    }
    for (int v = 0; v <= variables && !status; v++) {
        const int after = v == variables ? variables + 1 : variables;
        if (after > data->arity + NEW_VARIABLES || after > CLAUSE_VARIABLES_MOST)
            continue;
        if (v >= had && v < variables) /* facts have different objects */
            continue;
        literal->variable[place] = v;
        status = extend_by_facts(in, parent, literal, place + 1, after, error);
    }
    return status;
}

static nlm_status extend(level *in, int parent, nlm_error *error)
{
    const clause_body *body = &in->beam[parent].body;
    nlm_status status = NLM_OK;
    if (body->count + 2 > CLAUSE_LITERALS)
        return NLM_OK;
    status = extend_by_properties(in, parent, error);
    for (int v = 0; v < body->variables; v++)
        for (int w = v + 1; w < body->variables && !status; w++)
            status = extend_by_relations(in, parent, v, w, error);
    for (int p = 0; p < in->of->data->inputs && !status; p++) {
        body_literal literal = {.kind = CLAUSE_FACT, .number = p};
        if (in->of->data->facts[p].arity > 1)
            status = extend_by_facts(in, parent, &literal, 0, body->variables, error);
    }
    return status;
}

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
    if (by->first.kind == CLAUSE_FACT)
        return for_facts(data, parent, &by->first, by->variables, bind_row, &of, error);
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

/* The best extensions of the list become clauses, up to a number of the next beam. */
static nlm_status take_best(level *in, int most, nlm_error *error)
{
    const extension *list = in->list.data;
    nlm_status status = NLM_OK;
    for (size_t i = 0; i < in->extensions && in->next_count < most && !status; i++) {
        const long bound = 2 * list[i].won - (long)in->of->price * (list[i].cost + 1);
        bound_clause *to = &in->next[in->next_count];
        if (bound <= in->worth) /* it cannot become the best any more */
            continue;
        status = bind(in, &list[i], to, error);
        if (!status && to->count < MOST_ROWS && is_new(in, key_of(to)))
            in->next_count++;
    }
    return status;
}

static nlm_status next_level(level *in, nlm_error *error)
{
    nlm_status status = NLM_OK;
    in->extensions = 0;
    in->next_count = 0;
    for (int c = 0; c < in->count && !status; c++)
        status = extend(in, c, error);
    if (status || in->extensions == 0) {
        in->count = 0;
        return status;
    }
    qsort(in->list.data, in->extensions, sizeof(extension), by_even);
    status = take_best(in, BEAM / 2, error);
    qsort(in->list.data, in->extensions, sizeof(extension), by_sure);
    if (!status)
        status = take_best(in, BEAM, error);
    for (int c = 0; c < BEAM; c++) {
        const bound_clause other = in->beam[c];
        in->beam[c] = in->next[c];
        in->next[c] = other;
    }
    in->count = in->next_count;
    return status;
}

/* ---- the search ---- */

/* The clause without a body: a binding for each label. */
static nlm_status begin(level *in, nlm_error *error)
{
    const clause_data *data = in->of->data;
    bound_clause *first = &in->beam[0];
    nlm_status status = NLM_OK;
    int row[1 + CLAUSE_ARITY] = {0};
    first->body.variables = data->arity;
    for (int label = 0; label < data->labels && !status; label++) {
        row[0] = label;
        for (int v = 0; v < data->arity; v++)
            row[1 + v] = ((const int *)data->tuple.data)[label * data->arity + v];
        status = add_row(first, row, error);
        if (counts(in->of, label))
            *(is_true(data, label) ? &in->positives : &in->negatives) += 1;
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
    status = begin(in, error);
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
        put(cover, row[0]);
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
    in->has = memory_new(labels * CLAUSE_WORDS, sizeof *in->has);
    in->lacks = memory_new(labels * CLAUSE_WORDS, sizeof *in->lacks);
    in->any = memory_new(search->words, sizeof *in->any);
    nlm_status status = in->has && in->lacks && in->any ? begin(in, error) : error_no_memory(error);
    for (int l = 0; l < MOST_LEVELS && in->count > 0 && !status; l++)
        status = next_level(in, error);
    *worth = in->worth;
    if (!status && in->worth > 0) {
        *body = extended(&in->best_body, &in->best);
        status = cover_of(in, body, cover, error);
    }
    for (int c = 0; c < BEAM; c++) {
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
