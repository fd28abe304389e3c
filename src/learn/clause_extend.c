/* What each further literal would do to a clause: how many true and false labels it would still hold for, for
 * all properties and relations at once, and for facts that bring new variables. */
#include "learn/clause_beam.h"

#include <math.h>
#include <string.h>
#include "base/error.h"

enum {
    NEW_VARIABLES = 3, /* of a clause, beside the target's */
    PRIOR = 4          /* labels that a share of true ones is mixed with: few are no evidence */
};

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
    made->pure = (won + PRIOR * all) / (won + lost + PRIOR) - 1e-3 * made->cost;
    made->sure = won * (log2((won + all) / (won + lost + 1)) - log2(all)) - 1e-3 * made->cost;
}

static nlm_status offer(level *in, extension made, nlm_error *error)
{
    const bound_clause *parent = &in->beam[made.parent];
    const clause_search *of = in->of;
    made.cost =
        parent->body.cost + literal_cost(of->data, &made.first) + literal_cost(of->data, &made.second);
    /* 1 for the head; what it could still become is worth no more than without its false labels */
    const long worth = LABEL_WORTH * (made.won - of->loss * made.lost) - (long)of->price * (made.cost + 1);
    const long most = LABEL_WORTH * made.won - (long)of->price * (made.cost + 1);
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
    uint64_t kept[2][CLAUSE_WORDS]; /* bits that the seed has and lacks */
    bool any_kept;
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
    const int seed = in->of->seed;
    memset(sums, 0, sizeof *sums);
    memset(sums->kept, seed == NO_SEED ? 0xff : 0, sizeof sums->kept);
    sums->any_kept = seed == NO_SEED || label_in(in->any, seed);
    if (seed != NO_SEED && sums->any_kept) {
        memcpy(sums->kept[0], in->has + (size_t)seed * CLAUSE_WORDS, (size_t)words * sizeof(uint64_t));
        memcpy(sums->kept[1], in->lacks + (size_t)seed * CLAUSE_WORDS, (size_t)words * sizeof(uint64_t));
    }
    for (int label = 0; label < data->labels; label++) {
        if (!label_in(in->any, label))
            continue;
        uint64_t *has = in->has + (size_t)label * CLAUSE_WORDS,
                 *lacks = in->lacks + (size_t)label * CLAUSE_WORDS;
        const bool yes = label_is_true(data, label);
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
    label_put(in->any, label);
}

/* All properties of a variable: of one that the clause has, or that `first` brings. */
static nlm_status offer_properties(level *in, const extension *made, int variable, const tally *sums,
                                   nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int p = 0; p < in->of->data->properties && !status; p++)
        for (int negated = 0; negated < 2 && !status; negated++) {
            extension one = *made;
            if (!(sums->kept[negated][p / 64] >> (p % 64) & 1))
                continue;
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

static nlm_status extend_by_properties(level *in, int parent, nlm_error *error)
{
    const bound_clause *clause = &in->beam[parent];
    const size_t stride = 1 + (size_t)clause->body.variables;
    nlm_status status = NLM_OK;
    tally sums;
    for (int v = 0; v < clause->body.variables && !status; v++) {
        const int *row = clause->rows.data;
        for (size_t r = 0; r < clause->count; r++, row += stride)
            if (label_counts(in->of, row[0]))
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
        if (!label_counts(in->of, row[0]))
            continue;
        const uint64_t bits = clause_relations(data, row[1 + v], row[1 + w]) |
                              (uint64_t)(row[1 + v] == row[1 + w]) << CLAUSE_RELATIONS;
        in->has[(size_t)row[0] * CLAUSE_WORDS] |= bits;
        in->lacks[(size_t)row[0] * CLAUSE_WORDS] |= ~bits;
        label_put(in->any, row[0]);
    }
    add_up(in, 1, &sums);
    for (int k = 0; k <= CLAUSE_RELATIONS && !status; k++)
        for (int negated = k == CLAUSE_RELATIONS; negated < 2 && !status; negated++) {
            if ((k >= data->relations && k < CLAUSE_RELATIONS) || !(sums.kept[negated][0] >> k & 1))
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

nlm_status clause_for_facts(const clause_data *data, const bound_clause *clause, const body_literal *literal,
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
    if (label_counts(of->in->of, row[0]))
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
        status = clause_for_facts(in->of->data, clause, literal, variables, mark_binding, &of, error);
        if (status)
            return status;
        add_up(in, in->of->data->words, &sums);
        extension made = {.parent = parent,
                          .variables = variables,
                          .first = *literal,
                          .second = no_literal,
                          .won = sums.any_won,
                          .lost = sums.any_lost};
        status = v == had && sums.any_kept ? offer(in, made, error) : NLM_OK;
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

nlm_status clause_extend(level *in, int parent, nlm_error *error)
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
