#include "learn/fit_exact.h"
#include <string.h>
#include "base/error.h"
#include "learn/fit_parts.h"

enum { PRICE = 1, MOST_ROUNDS = 3 };

/* Labels that count and are true. */
static bool is_wanted(const fit_labels *of, int label)
{
    return fit_has(of->used, label) && fit_is_true(of->data, label);
}

/* True labels without a clause, all clauses but one taken (-1: all). */
static int left_without(const fit_labels *of, const fitted_clauses *fitted, covers *sets, int without)
{
    int left = 0;
    covers_join(sets, fitted->count, without);
    for (int label = 0; label < of->data->labels; label++)
        left += is_wanted(of, label) && !fit_has(sets->together, label);
    return left;
}

/* The best clause for labels that are not in `together`, into `spare`. */
static nlm_status find(const fit_labels *of, covers *sets, clause_body *body, long *worth, nlm_error *error)
{
    const clause_search search = {of->data, sets->words, of->used, sets->together, PRICE, true};
    return find_clause(&search, body, sets->spare, worth, error);
}

static void put(fitted_clauses *fitted, covers *sets, int c, const clause_body *body)
{
    uint64_t *own = sets->of[c];
    sets->of[c] = sets->spare;
    sets->spare = own;
    fitted->clause[c] = *body;
}

static nlm_status add_clauses(const fit_labels *of, fitted_clauses *fitted, covers *sets, nlm_error *error)
{
    nlm_status status = NLM_OK;
    clause_body body;
    long worth = 1;
    while (!status && worth > 0 && fitted->count < FIT_CLAUSES && left_without(of, fitted, sets, -1) > 0) {
        status = find(of, sets, &body, &worth, error);
        if (!status && worth > 0)
            put(fitted, sets, fitted->count++, &body);
    }
    return status;
}

/* Clauses that the others make superfluous, the longest first. */
static void drop_clauses(const fit_labels *of, fitted_clauses *fitted, covers *sets)
{
    for (bool more = true; more;) {
        int longest = -1;
        for (int c = 0; c < fitted->count; c++)
            if (left_without(of, fitted, sets, c) == 0 &&
                (longest < 0 || fitted->clause[c].cost > fitted->clause[longest].cost))
                longest = c;
        more = longest >= 0;
        if (more)
            covers_drop(sets, fitted, longest);
    }
}

/* Each clause again, beside the others: a shorter one that wins what only it has won, or one that wins more.
 */
static nlm_status exchange(const fit_labels *of, fitted_clauses *fitted, covers *sets, bool *changed,
                           nlm_error *error)
{
    nlm_status status = NLM_OK;
    clause_body body;
    long worth;
    for (int c = 0; c < fitted->count && fitted->count > 1 && !status; c++) {
        const long before =
            2 * (long)left_without(of, fitted, sets, c) - PRICE * (1 + fitted->clause[c].cost);
        status = find(of, sets, &body, &worth, error);
        if (status || worth <= before)
            continue;
        put(fitted, sets, c, &body);
        *changed = true;
    }
    return status;
}

static nlm_status fit(fit_labels *of, fitted_clauses *fitted, nlm_error *error)
{
    covers sets;
    nlm_status status = covers_make(&sets, of->data, error);
    bool changed = true;
    fitted->price = PRICE;
    if (!status)
        status = add_clauses(of, fitted, &sets, error);
    for (int round = 0; round < MOST_ROUNDS && changed && !status && left_without(of, fitted, &sets, -1) == 0;
         round++) {
        changed = false;
        drop_clauses(of, fitted, &sets);
        status = exchange(of, fitted, &sets, &changed, error);
        if (!status)
            status = add_clauses(of, fitted, &sets, error);
    }
    if (!status) {
        if (left_without(of, fitted, &sets, -1) == 0)
            drop_clauses(of, fitted, &sets);
        covers_measure(of, fitted, &sets);
    }
    covers_free(&sets);
    return status;
}

/* ---- parts ---- */

typedef struct exact_part {
    fit_labels labels;
    fitted_clauses fitted;
    nlm_status status;
    nlm_error error;
} exact_part;

static void run_part(void *context, int number, int thread)
{
    (void)thread;
    exact_part *part = &((exact_part *)context)[number];
    part->status = fit(&part->labels, &part->fitted, &part->error);
}

/* All labels first: without a program for them, those of parts are not looked for. */
nlm_status fit_exact(const clause_data *data, struct team *team, fitted_clauses *fitted, nlm_error *error)
{
    exact_part part[FIT_PARTS + 1] = {0};
    fit_labels labels[FIT_PARTS + 1];
    nlm_status status = fit_deal(data, labels, error);
    for (int p = 0; p <= FIT_PARTS; p++)
        part[p].labels = labels[p];
    if (!status) {
        run_part(part, FIT_PARTS, 0);
        status = part[FIT_PARTS].status;
    }
    if (status && part[FIT_PARTS].status)
        error_set(error, status, "%s", part[FIT_PARTS].error.message);
    *fitted = part[FIT_PARTS].fitted;
    fitted->validated = (nlm_answers){0};
    if (!status && fitted->errors == 0)
        team_run(team, FIT_PARTS, run_part, part);
    for (int p = 0; p < FIT_PARTS && !status && fitted->errors == 0; p++) {
        if (part[p].status)
            status = error_set(error, part[p].status, "%s", part[p].error.message);
        fit_add_answers(&fitted->validated, part[p].fitted.validated);
    }
    for (int p = 0; p <= FIT_PARTS; p++)
        memory_free(labels[p].used);
    return status;
}
