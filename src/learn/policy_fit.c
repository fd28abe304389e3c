#include "learn/policy_fit.h"
#include <math.h>
#include <string.h>
#include "base/error.h"

/* A rule that allows bad moves, though not as its first one, is worth so much less. */
#define SURE_SHARE 0.9

enum {
    BEAM = 24,
    PRICE_SHARE = 25 /* a fact costs one of so many positions that are left */
};

/* A rule of the beam: the moves that it allows, of positions that are left, as words that are not 0. */
typedef struct growing {
    fitted_rule rule;
    int *word;     /* [count] numbers of words */
    uint64_t *set; /* [count] */
    int count;
} growing;

typedef struct extension {
    int parent;
    move_condition condition;
    int cost;
    long won, lost; /* positions with a good move, bad moves */
    long wrong;     /* positions whose first move, by number, is bad */
    double worth;
} extension;

typedef struct fitting {
    const policy_features *features;
    const policy_choices *choices;
    bool *open; /* positions without a rule yet */
    int left;
    growing beam[BEAM], next[BEAM];
    int count;
    extension best[BEAM]; /* of the next beam, the best first */
    int kept;
    fitted_rule found; /* the pure rule that is worth most */
    double worth;
    double price;
    long all_bad; /* bad moves in open positions */
} fitting;

/* ---- conditions ---- */

static int position_of(const policy_choices *choices, int word)
{
    return choices->arity == 1 ? word : ((const int *)choices->owner.data)[word];
}

/* The moves of a word that a condition allows. */
static uint64_t allowed(const fitting *of, const move_condition *condition, int word)
{
    const policy_choices *choices = of->choices;
    const int position = position_of(choices, word);
    uint64_t set = 0;
    if (condition->kind == CONDITION_BETWEEN) {
        set = of->features->pattern[condition->number].set[word];
    } else {
        set = of->features->feature[condition->number].set[position];
        if (choices->arity == 2 && condition->kind == CONDITION_FIRST)
            set = set >> (word - choice_position_at(choices, position)->first) & 1 ? ~(uint64_t)0 : 0;
    }
    return condition->negated ? ~set : set;
}

static int cost_of(const fitting *of, const move_condition *condition)
{
    return denied_cost(condition->kind == CONDITION_BETWEEN ? of->features->pattern[condition->number].cost
                                                            : of->features->feature[condition->number].cost,
                       condition->negated);
}

/* ---- rating ---- */

/* Information about good moves, minus a little for length. */
static double worth_of(const fitting *of, const extension *made)
{
    const double won = (double)made->won, lost = (double)made->lost;
    const double share = (double)of->left / (double)(of->left + of->all_bad);
    return won * (log2((won + share) / (won + lost + 1)) - log2(share)) - 1e-3 * made->cost;
}

/* A place among the best, if it has one: equal ones by the order of their making. */
static void offer(fitting *of, extension made)
{
    made.worth = worth_of(of, &made);
    for (int i = 0; i < of->kept; i++) /* the same moves in other words, nearly always */
        if (of->best[i].won == made.won && of->best[i].lost == made.lost && of->best[i].cost <= made.cost)
            return;
    int place = of->kept;
    while (place > 0 && of->best[place - 1].worth < made.worth)
        place--;
    if (place == BEAM)
        return;
    const int moved = (of->kept < BEAM ? of->kept : BEAM - 1) - place;
    memmove(&of->best[place + 1], &of->best[place], (size_t)moved * sizeof *of->best);
    of->best[place] = made;
    of->kept += of->kept < BEAM;
}

static fitted_rule extended(const fitting *of, const extension *by)
{
    fitted_rule rule = of->beam[by->parent].rule;
    rule.condition[rule.count++] = by->condition;
    rule.cost = by->cost;
    return rule;
}

static void try_condition(fitting *of, int parent, move_condition condition)
{
    const policy_choices *choices = of->choices;
    const growing *from = &of->beam[parent];
    const uint64_t *good = choices->good.data, *bad = choices->bad.data;
    extension made = {
        .parent = parent, .condition = condition, .cost = from->rule.cost + cost_of(of, &condition)};
    int last = -1, first = -1;
    for (int i = 0; i < from->count; i++) {
        const uint64_t set = from->set[i] & allowed(of, &condition, from->word[i]);
        const int position = position_of(choices, from->word[i]);
        made.lost += __builtin_popcountll(set & bad[from->word[i]]);
        if (set && position != first) {
            made.wrong += (set & -set & bad[from->word[i]]) != 0;
            first = position;
        }
        if (set & good[from->word[i]]) {
            made.won += position != last;
            last = position;
        }
    }
    if (made.won == 0)
        return;
    const double sure = made.lost > 0 ? SURE_SHARE : 1;
    const double worth = sure * (double)made.won - of->price * made.cost;
    if (made.wrong == 0 && worth > of->worth) {
        of->worth = worth;
        of->found = extended(of, &made);
    }
    if (made.lost > 0 && (double)made.won - of->price * (made.cost + 1) > of->worth)
        offer(of, made);
}

static void extend(fitting *of, int parent)
{
    const int kinds = of->choices->arity == 1 ? 1 : 3;
    for (int kind = 0; kind < kinds; kind++) {
        const int count = kind == CONDITION_BETWEEN ? of->features->patterns : of->features->features;
        for (int number = 0; number < count; number++)
            for (int negated = 0; negated < 2; negated++)
                try_condition(of, parent, (move_condition){(move_condition_kind)kind, number, negated});
    }
}

/* ---- beams ---- */

static void take(fitting *of, const extension *by, growing *to)
{
    const growing *from = &of->beam[by->parent];
    to->rule = extended(of, by);
    to->count = 0;
    for (int i = 0; i < from->count; i++) {
        const uint64_t set = from->set[i] & allowed(of, &by->condition, from->word[i]);
        if (set) {
            to->word[to->count] = from->word[i];
            to->set[to->count++] = set;
        }
    }
}

/* The rule without conditions, in all positions that are left. */
static void begin_rule(fitting *of)
{
    const policy_choices *choices = of->choices;
    const uint64_t *good = choices->good.data, *bad = choices->bad.data;
    growing *first = &of->beam[0];
    first->rule = (fitted_rule){0};
    first->count = 0;
    of->all_bad = 0;
    of->count = 1;
    for (int w = 0; w < choice_words(choices); w++) {
        if (!of->open[position_of(choices, w)] || !(good[w] | bad[w]))
            continue;
        first->word[first->count] = w;
        first->set[first->count++] = good[w] | bad[w];
        of->all_bad += __builtin_popcountll(bad[w]);
    }
}

static void find_rule(fitting *of, double price)
{
    of->worth = 0;
    of->found = (fitted_rule){0};
    of->price = price;
    begin_rule(of);
    for (int level = 0; level < FITTED_CONDITIONS && of->count > 0; level++) {
        of->kept = 0;
        for (int c = 0; c < of->count; c++)
            extend(of, c);
        for (int i = 0; i < of->kept; i++)
            take(of, &of->best[i], &of->next[i]);
        for (int i = 0; i < of->kept; i++) {
            const growing other = of->beam[i];
            of->beam[i] = of->next[i];
            of->next[i] = other;
        }
        of->count = of->kept;
    }
}

/* Positions in which the rule allows a move are done. */
static void close_positions(fitting *of, const fitted_rule *rule)
{
    const policy_choices *choices = of->choices;
    for (int w = 0; w < choice_words(choices); w++) {
        const int position = position_of(choices, w);
        uint64_t set = ((const uint64_t *)choices->good.data)[w];
        for (int i = 0; i < rule->count; i++)
            set &= allowed(of, &rule->condition[i], w);
        if (set && of->open[position]) {
            of->open[position] = false;
            of->left--;
        }
    }
}

static nlm_status make_beams(fitting *of, nlm_error *error)
{
    const size_t words = (size_t)choice_words(of->choices) + 1;
    bool failed = (of->open = memory_new((size_t)of->choices->positions + 1, sizeof *of->open)) == NULL;
    for (int i = 0; i < 2 * BEAM && !failed; i++) {
        growing *one = i < BEAM ? &of->beam[i] : &of->next[i - BEAM];
        one->word = memory_new(words, sizeof *one->word);
        one->set = memory_new(words, sizeof *one->set);
        failed = !one->word || !one->set;
    }
    for (int p = 0; p < of->choices->positions && !failed; p++)
        of->open[p] = true;
    of->left = of->choices->positions;
    return failed ? error_no_memory(error) : NLM_OK;
}

static void free_beams(fitting *of)
{
    for (int i = 0; i < BEAM; i++) {
        memory_free(of->beam[i].word);
        memory_free(of->beam[i].set);
        memory_free(of->next[i].word);
        memory_free(of->next[i].set);
    }
    memory_free(of->open);
    memory_free(of);
}

nlm_status policy_fit(const policy_features *features, fitted_list *list, nlm_error *error)
{
    fitting *of = memory_new(1, sizeof *of);
    *list = (fitted_list){0};
    if (!of)
        return error_no_memory(error);
    of->features = features;
    of->choices = features->choices;
    const nlm_status status = make_beams(of, error);
    while (!status && of->left > 0 && list->count < FITTED_RULES) {
        find_rule(of, (double)of->left / PRICE_SHARE);
        if (of->worth <= 0) /* what costs more than it wins is better than nothing */
            find_rule(of, 1e-3);
        if (of->worth <= 0)
            break;
        list->rule[list->count++] = of->found;
        close_positions(of, &of->found);
    }
    list->left = of->left;
    free_beams(of);
    return status;
}

formula fitted_formula(const policy_features *features, nlm_program *program, const fitted_rule *rule)
{
    const int arity = features->choices->arity;
    formula sum = FORMULA_TRUE;
    for (int i = 0; i < rule->count; i++) {
        const move_condition *of = &rule->condition[i];
        const formula f =
            of->kind == CONDITION_BETWEEN
                ? pattern_formula(features, program, of->number, 0, 1)
                : feature_formula(features, program, of->number, of->kind == CONDITION_SECOND, arity);
        sum = formula_and2(&program->store, sum, of->negated ? formula_not(&program->store, f) : f);
    }
    return sum;
}
