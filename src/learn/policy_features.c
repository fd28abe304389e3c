#include "learn/policy_features.h"
#include <string.h>
#include "base/error.h"

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* ---- patterns ---- */

/* Bit y of row x: the fact at (x, y). */
static void fact_rows(const policy_choices *choices, const pattern_fact *fact, uint64_t *set)
{
    const uint64_t *rows = choices->facts[choices->inputs[0] + fact->input].data;
    for (int p = 0; p < choices->positions; p++) {
        const choice_position *of = choice_position_at(choices, p);
        for (int x = 0; x < of->objects; x++) {
            uint64_t row = fact->back ? 0 : rows[of->first + x];
            for (int y = 0; y < of->objects && fact->back; y++)
                row |= (rows[of->first + y] >> x & 1) << y;
            set[of->first + x] = fact->negated ? ~row & of->all & ~((uint64_t)1 << x) : row;
        }
    }
}

/* Whether no pattern has these pairs yet, and any pair is there at all. */
static bool is_new_pattern(const policy_features *features, const uint64_t *set)
{
    const size_t rows = (size_t)features->choices->rows;
    bool any = false;
    for (size_t r = 0; r < rows && !any; r++)
        any = set[r] != 0;
    for (int k = 0; k < features->patterns && any; k++)
        any = memcmp(features->pattern[k].set, set, rows * sizeof *set) != 0;
    return any;
}

/* A pattern of one fact more than another (-1: none); `first` is a pattern of a single fact. */
static nlm_status add_pattern(policy_features *features, int with, pattern_fact fact, const uint64_t *set,
                              nlm_error *error)
{
    const size_t rows = (size_t)features->choices->rows;
    if (features->patterns == MOST_PATTERNS)
        return NLM_OK;
    move_pattern *made = &features->pattern[features->patterns];
    *made = with < 0 ? (move_pattern){0} : features->pattern[with];
    made->set = memory_new(rows + 1, sizeof *made->set);
    if (!made->set)
        return error_no_memory(error);
    for (size_t r = 0; r < rows; r++)
        made->set[r] = with < 0 ? set[r] : features->pattern[with].set[r] & set[r];
    made->fact[made->cost++] = fact;
    if (is_new_pattern(features, made->set))
        features->patterns++;
    else
        memory_free(made->set);
    return NLM_OK;
}

/* Of one fact; of two, the second as it is or denied; of three. */
static nlm_status make_patterns(policy_features *features, nlm_error *error)
{
    const policy_choices *choices = features->choices;
    uint64_t *set = memory_new((size_t)choices->rows + 1, sizeof *set);
    nlm_status status = set ? NLM_OK : error_no_memory(error);
    for (int facts = 1; facts <= PATTERN_FACTS && !status; facts++) {
        const int before = features->patterns;
        for (int with = facts == 1 ? -1 : 0; with < (facts == 1 ? 0 : before) && !status; with++)
            for (int k = 0; k < 4 * choices->inputs[1] && !status; k++) {
                const pattern_fact fact = {.input = k / 4, .back = k & 1, .negated = k & 2};
                const int last = with < 0 ? -1 : features->pattern[with].fact[facts - 2].input;
                if ((with >= 0 && features->pattern[with].cost != facts - 1) || fact.input <= last ||
                    (fact.negated && facts != 2))
                    continue;
                fact_rows(choices, &fact, set);
                status = add_pattern(features, with, fact, set, error);
            }
    }
    memory_free(set);
    return status;
}

/* ---- features ---- */

/* One key for a set and its complement. */
static uint64_t key_of(const policy_choices *choices, const uint64_t *set)
{
    uint64_t key = 0, other = 0;
    for (int p = 0; p < choices->positions; p++) {
        key = mix(key + set[p] + 1);
        other = mix(other + (~set[p] & choice_position_at(choices, p)->all) + 1);
    }
    return key < other ? key : other;
}

static nlm_status add_feature(policy_features *features, move_feature made, nlm_error *error)
{
    const policy_choices *choices = features->choices;
    uint64_t *set = memory_new((size_t)choices->positions + 1, sizeof *set);
    if (!set)
        return error_no_memory(error);
    const uint64_t *inner = made.inner < 0 ? NULL : features->feature[made.inner].set;
    for (int p = 0; p < choices->positions; p++) {
        const choice_position *of = choice_position_at(choices, p);
        const uint64_t which = !inner ? of->all : made.negated ? ~inner[p] : inner[p];
        if (made.input >= 0)
            set[p] = ((const uint64_t *)choices->facts[made.input].data)[p];
        for (int x = 0; x < of->objects && made.input < 0; x++)
            set[p] |= (uint64_t)((features->pattern[made.pattern].set[of->first + x] & which) != 0) << x;
    }
    made.key = key_of(choices, set);
    made.set = set;
    bool is_new = made.key != features->constant;
    for (int f = 0; f < features->features && is_new; f++)
        is_new = features->feature[f].key != made.key;
    if (!is_new) {
        memory_free(set);
        return NLM_OK;
    }
    features->feature[features->features++] = made;
    return NLM_OK;
}

/* All of so many facts, of those of fewer. */
static nlm_status make_features(policy_features *features, int cost, nlm_error *error)
{
    const int before = features->features;
    nlm_status status = NLM_OK;
    for (int i = 0; i < features->choices->inputs[0] && cost == 1 && !status; i++)
        if (features->features < MOST_FEATURES)
            status = add_feature(features, (move_feature){.cost = 1, .input = i, .inner = -1}, error);
    for (int k = 0; k < features->patterns && !status; k++) {
        move_feature made = {.cost = cost, .input = -1, .pattern = k, .inner = -1};
        if (features->pattern[k].cost == cost && features->features < MOST_FEATURES)
            status = add_feature(features, made, error);
        for (made.inner = 0; made.inner < before && !status; made.inner++)
            for (int negated = 0; negated < 2 && !status; negated++) {
                const int inner = denied_cost(features->feature[made.inner].cost, negated);
                made.negated = negated;
                if (features->pattern[k].cost + inner == cost && features->features < MOST_FEATURES)
                    status = add_feature(features, made, error);
            }
    }
    return status;
}

nlm_status policy_features_make(const policy_choices *choices, policy_features *features, nlm_error *error)
{
    uint64_t *none = memory_new((size_t)choices->positions + 1, sizeof *none);
    *features = (policy_features){.choices = choices};
    if (!none)
        return error_no_memory(error);
    features->constant = key_of(choices, none);
    memory_free(none);
    nlm_status status = make_patterns(features, error);
    for (int cost = 1; cost <= FEATURE_COST && !status; cost++)
        status = make_features(features, cost, error);
    return status;
}

void policy_features_release(policy_features *features)
{
    for (int k = 0; k < features->patterns; k++)
        memory_free(features->pattern[k].set);
    for (int f = 0; f < features->features; f++)
        memory_free(features->feature[f].set);
    features->patterns = features->features = 0;
}

/* ---- formulas ---- */

formula pattern_formula(const policy_features *features, nlm_program *program, int pattern, int x, int y)
{
    const move_pattern *of = &features->pattern[pattern];
    formula sum = FORMULA_TRUE;
    for (int i = 0; i < of->cost; i++) {
        const int variable[2] = {of->fact[i].back ? y : x, of->fact[i].back ? x : y};
        const formula atom =
            program_atom(program, features->choices->inputs[0] + of->fact[i].input, variable);
        sum = formula_and2(&program->store, sum,
                           of->fact[i].negated ? formula_not(&program->store, atom) : atom);
    }
    return sum;
}

formula feature_formula(const policy_features *features, nlm_program *program, int feature, int x, int next)
{
    const move_feature *of = &features->feature[feature];
    formula_store *store = &program->store;
    if (of->input >= 0)
        return program_atom(program, of->input, &x);
    formula sum = pattern_formula(features, program, of->pattern, x, next);
    if (of->inner >= 0) {
        const formula inner = feature_formula(features, program, of->inner, next, next + 1);
        sum = formula_and2(store, sum, of->negated ? formula_not(store, inner) : inner);
    }
    return formula_exists(store, next, sum);
}
