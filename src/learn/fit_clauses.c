#include "learn/fit_clauses.h"
#include <string.h>
#include "base/error.h"
#include "learn/fit_parts.h"

static const int prices[FIT_PRICES] = {1, 2, 4, 8}; /* in half labels */

enum {
    ALL = FIT_PARTS, /* the part that leaves nothing out */
    MOST_ROUNDS = 4  /* of replacing clauses */
};

/* One part of the work: clauses by the labels that are used, and their answers about the others. */
typedef struct fit_part {
    fit_labels labels;
    fitted_clauses at[FIT_PRICES];
    nlm_status status;
    nlm_error error;
} fit_part;

/* ---- clauses ---- */

/* A clause that later ones have made superfluous. */
static void drop_clauses(const fit_part *part, fitted_clauses *fitted, covers *sets)
{
    for (int c = fitted->count - 1; c >= 0; c--) {
        covers_join(sets, fitted->count, -1);
        const int before = covers_errors(&part->labels, sets);
        covers_join(sets, fitted->count, c);
        const int after = covers_errors(&part->labels, sets);
        if (2 * (after - before) >= fitted->price * (1 + fitted->clause[c].cost))
            continue;
        covers_drop(sets, fitted, c);
    }
    covers_join(sets, fitted->count, -1);
}

/* What a clause is worth beside the others, whose labels are together. */
static long worth_of(const fit_part *part, const fitted_clauses *fitted, const covers *sets, int c)
{
    long won = 0;
    for (int label = 0; label < part->labels.data->labels; label++)
        if (fit_has(part->labels.used, label) && fit_has(sets->of[c], label) &&
            !fit_has(sets->together, label))
            won += fit_is_true(part->labels.data, label) ? 1 : -1;
    return 2 * won - (long)fitted->price * (1 + fitted->clause[c].cost);
}

/* Another clause in the place of one (or, behind the last, one more), if it is worth more. */
static nlm_status replace(const fit_part *part, fitted_clauses *fitted, covers *sets, int c, bool *changed,
                          nlm_error *error)
{
    const bool is_new = c == fitted->count;
    clause_body body;
    long worth;
    covers_join(sets, fitted->count, c);
    const clause_search search = {part->labels.data, sets->words,   part->labels.used,
                                  sets->together,    fitted->price, false};
    const nlm_status status = find_clause(&search, &body, sets->spare, &worth, error);
    if (status || worth <= (is_new ? 0 : worth_of(part, fitted, sets, c)))
        return status;
    uint64_t *own = sets->of[c];
    sets->of[c] = sets->spare;
    sets->spare = own;
    fitted->clause[c] = body;
    fitted->count += is_new;
    *changed = true;
    return NLM_OK;
}

/* Clauses are added, replaced and dropped until nothing is worth more. */
static nlm_status improve(const fit_part *part, fitted_clauses *fitted, covers *sets, nlm_error *error)
{
    nlm_status status = NLM_OK;
    bool changed = true;
    for (int round = 0; round < MOST_ROUNDS && changed && !status; round++) {
        bool more = changed = false;
        do {
            more = false;
            if (fitted->count < FIT_CLAUSES)
                status = replace(part, fitted, sets, fitted->count, &more, error);
            changed |= more;
        } while (more && !status);
        drop_clauses(part, fitted, sets);
        for (int c = 0; c < fitted->count && fitted->count > 1 && !status; c++)
            status = replace(part, fitted, sets, c, &changed, error);
        drop_clauses(part, fitted, sets);
    }
    covers_measure(&part->labels, fitted, sets);
    return status;
}

static long sum_of_costs(const fitted_clauses *fitted)
{
    return (long)fitted->price * fitted->literals + 2 * (long)fitted->errors;
}

/* Begins with the clauses that another price led to, and takes what it comes to if that is better. */
static nlm_status learn_from(fit_part *part, const fitted_clauses *other, const covers *others,
                             fitted_clauses *fitted, covers *sets, covers *spare, nlm_error *error)
{
    fitted_clauses made = *other;
    made.price = fitted->price;
    for (int c = 0; c < made.count; c++)
        memcpy(spare->of[c], others->of[c], spare->words * sizeof *spare->of[c]);
    const nlm_status status = improve(part, &made, spare, error);
    if (status || sum_of_costs(&made) >= sum_of_costs(fitted))
        return status;
    const covers old = *sets;
    *fitted = made;
    *sets = *spare;
    *spare = old;
    return NLM_OK;
}

/* ---- parts ---- */

static nlm_status fit(fit_part *part, nlm_error *error)
{
    covers sets[FIT_PRICES + 1] = {{0}}; /* the last is spare */
    nlm_status status = NLM_OK;
    for (int p = 0; p <= FIT_PRICES && !status; p++)
        status = covers_make(&sets[p], part->labels.data, error);
    for (int p = 0; p < FIT_PRICES && !status; p++) {
        part->at[p] = (fitted_clauses){.price = prices[p]};
        status = improve(part, &part->at[p], &sets[p], error);
    }
    for (int p = 0; p < FIT_PRICES && !status; p++)
        for (int q = 0; q < FIT_PRICES && !status; q++)
            if (q != p && part->at[q].count > 0)
                status = learn_from(part, &part->at[q], &sets[q], &part->at[p], &sets[p], &sets[FIT_PRICES],
                                    error);
    for (int p = 0; p <= FIT_PRICES; p++)
        covers_free(&sets[p]);
    return status;
}

static void run_part(void *context, int number, int thread)
{
    (void)thread;
    fit_part *part = &((fit_part *)context)[number];
    part->status = fit(part, &part->error);
}

static nlm_answers sum_of(const fit_part *part, int price)
{
    nlm_answers sum = {0};
    for (int p = 0; p < FIT_PARTS; p++)
        fit_add_answers(&sum, part[p].at[price].validated);
    return sum;
}

nlm_status fit_clauses(const clause_data *data, struct team *team, fitted_clauses fitted[FIT_PRICES],
                       nlm_error *error)
{
    fit_part part[FIT_PARTS + 1] = {0};
    fit_labels labels[FIT_PARTS + 1];
    nlm_status status = fit_deal(data, labels, error);
    for (int p = 0; p <= FIT_PARTS; p++)
        part[p].labels = labels[p];
    if (!status)
        team_run(team, FIT_PARTS + 1, run_part, part);
    for (int p = 0; p <= FIT_PARTS && !status; p++)
        if (part[p].status)
            status = error_set(error, part[p].status, "%s", part[p].error.message);
    for (int p = 0; p < FIT_PRICES && !status; p++) {
        fitted[p] = part[ALL].at[p];
        fitted[p].validated = sum_of(part, p);
    }
    for (int p = 0; p <= FIT_PARTS; p++)
        memory_free(labels[p].used);
    return status;
}

static size_t wrong(const fitted_clauses *fitted)
{
    return fitted->validated.wrong_positives + fitted->validated.wrong_negatives;
}

static bool is_better(const fitted_clauses *a, const fitted_clauses *b)
{
    if (a->literals + a->errors != b->literals + b->errors)
        return a->literals + a->errors < b->literals + b->errors;
    if (wrong(a) != wrong(b))
        return wrong(a) < wrong(b);
    return a->errors < b->errors;
}

int fit_choose(const fitted_clauses fitted[FIT_PRICES])
{
    int best = 0;
    for (int p = 1; p < FIT_PRICES; p++)
        if (is_better(&fitted[p], &fitted[best]))
            best = p;
    return best;
}
