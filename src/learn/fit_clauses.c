#include "learn/fit_clauses.h"
#include <string.h>
#include "base/error.h"
#include "base/random.h"
#include "learn/validation.h"

static const int prices[FIT_PRICES] = {1, 2, 4, 8}; /* in half labels */

enum {
    ALL = FIT_PARTS, /* the part that leaves nothing out */
    MOST_ROUNDS = 4  /* of replacing clauses */
};

#define PART_SEED 0x6669740000000001u /* "fit": the same parts in all runs */

/* One part of the work: clauses by the labels that are used, and their answers about the others. */
typedef struct fit_part {
    const clause_data *data;
    uint64_t *used;
    fitted_clauses at[FIT_PRICES];
    nlm_status status;
    nlm_error error;
} fit_part;

static bool has(const uint64_t *set, int label)
{
    return set[label / 64] >> (label % 64) & 1;
}

static bool is_true(const clause_data *data, int label)
{
    return ((const bool *)data->truth.data)[label];
}

/* ---- clauses ---- */

/* Sets of labels: of each clause, and of all together. */
typedef struct covers {
    size_t words;
    uint64_t *of[FIT_CLAUSES], *together, *spare;
} covers;

static nlm_status covers_make(covers *made, const clause_data *data, nlm_error *error)
{
    *made = (covers){.words = label_words(data)};
    made->together = memory_new(made->words, sizeof *made->together);
    made->spare = memory_new(made->words, sizeof *made->spare);
    bool done = made->together != NULL && made->spare != NULL;
    for (int c = 0; c < FIT_CLAUSES && done; c++) {
        made->of[c] = memory_new(made->words, sizeof *made->of[c]);
        done = made->of[c] != NULL;
    }
    return done ? NLM_OK : error_no_memory(error);
}

static void covers_free(covers *of)
{
    for (int c = 0; c < FIT_CLAUSES; c++)
        memory_free(of->of[c]);
    memory_free(of->together);
    memory_free(of->spare);
}

/* All clauses but one (-1: all). */
static void join(covers *of, int count, int without)
{
    memset(of->together, 0, of->words * sizeof *of->together);
    for (int c = 0; c < count; c++)
        for (size_t w = 0; w < of->words && c != without; w++)
            of->together[w] |= of->of[c][w];
}

static nlm_answers answers_of(const clause_data *data, const uint64_t *cover, const uint64_t *used,
                              bool about)
{
    nlm_answers answers = {0};
    for (int label = 0; label < data->labels; label++) {
        if (has(used, label) != about)
            continue;
        const bool right = has(cover, label) == is_true(data, label);
        if (is_true(data, label)) {
            answers.positives++;
            answers.wrong_positives += !right;
        } else {
            answers.negatives++;
            answers.wrong_negatives += !right;
        }
    }
    return answers;
}

static int wrong(nlm_answers answers)
{
    return (int)(answers.wrong_positives + answers.wrong_negatives);
}

static int literals_of(const fitted_clauses *fitted)
{
    int sum = 0;
    for (int c = 0; c < fitted->count; c++)
        sum += 1 + fitted->clause[c].cost;
    return sum;
}

/* A clause that later ones have made superfluous. */
static void drop_clauses(const fit_part *part, fitted_clauses *fitted, covers *sets)
{
    for (int c = fitted->count - 1; c >= 0; c--) {
        join(sets, fitted->count, -1);
        const int before = wrong(answers_of(part->data, sets->together, part->used, true));
        join(sets, fitted->count, c);
        const int after = wrong(answers_of(part->data, sets->together, part->used, true));
        if (2 * (after - before) >= fitted->price * (1 + fitted->clause[c].cost))
            continue;
        uint64_t *own = sets->of[c];
        for (int next = c; next + 1 < fitted->count; next++) {
            fitted->clause[next] = fitted->clause[next + 1];
            sets->of[next] = sets->of[next + 1];
        }
        sets->of[--fitted->count] = own;
    }
    join(sets, fitted->count, -1);
}

/* What a clause is worth beside the others, whose labels are together. */
static long worth_of(const fit_part *part, const fitted_clauses *fitted, const covers *sets, int c)
{
    long won = 0;
    for (int label = 0; label < part->data->labels; label++)
        if (has(part->used, label) && has(sets->of[c], label) && !has(sets->together, label))
            won += is_true(part->data, label) ? 1 : -1;
    return 2 * won - (long)fitted->price * (1 + fitted->clause[c].cost);
}

/* Another clause in the place of one (or, behind the last, one more), if it is worth more. */
static nlm_status replace(const fit_part *part, fitted_clauses *fitted, covers *sets, int c, bool *changed,
                          nlm_error *error)
{
    const bool is_new = c == fitted->count;
    clause_body body;
    long worth;
    join(sets, fitted->count, c);
    const clause_search search = {part->data, sets->words, part->used, sets->together, fitted->price};
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
    join(sets, fitted->count, -1);
    fitted->literals = literals_of(fitted);
    fitted->errors = wrong(answers_of(part->data, sets->together, part->used, true));
    fitted->validated = answers_of(part->data, sets->together, part->used, false);
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

/* Whether it may lead to something else. */
static bool is_other(const fitted_clauses *a, const fitted_clauses *b)
{
    return a->count > 0 && (a->literals != b->literals || a->errors != b->errors);
}

/* ---- parts ---- */

static nlm_status fit(fit_part *part, nlm_error *error)
{
    covers sets[FIT_PRICES + 1] = {{0}}; /* the last is spare */
    nlm_status status = NLM_OK;
    for (int p = 0; p <= FIT_PRICES && !status; p++)
        status = covers_make(&sets[p], part->data, error);
    for (int p = 0; p < FIT_PRICES && !status; p++) {
        part->at[p] = (fitted_clauses){.price = prices[p]};
        status = improve(part, &part->at[p], &sets[p], error);
    }
    for (int p = 0; p < FIT_PRICES && !status; p++)
        for (int q = 0; q < FIT_PRICES && !status; q++)
            if (q != p && is_other(&part->at[q], &part->at[p]))
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

/* True and false labels are dealt out apart, in random order. */
static nlm_status deal(const clause_data *data, fit_part *part, nlm_error *error)
{
    int dealt[2] = {0}, order[2][FIT_PARTS];
    random_stream random;
    random_start(&random, PART_SEED, 0);
    for (int p = 0; p <= FIT_PARTS; p++) {
        part[p].data = data;
        part[p].used = memory_new(label_words(data), sizeof *part[p].used);
        if (!part[p].used)
            return error_no_memory(error);
        for (int i = 0; i < 2 && p < FIT_PARTS; i++)
            order[i][p] = p;
    }
    for (int label = 0; label < data->labels; label++) {
        const bool kind = is_true(data, label);
        const int place = dealt[kind]++ % FIT_PARTS;
        if (place == 0)
            random_shuffle(&random, order[kind], FIT_PARTS);
        for (int p = 0; p <= FIT_PARTS; p++)
            if (p != order[kind][place])
                part[p].used[label / 64] |= (uint64_t)1 << (label % 64);
    }
    return NLM_OK;
}

static nlm_answers sum_of(const fit_part *part, int price)
{
    nlm_answers sum = {0};
    for (int p = 0; p < FIT_PARTS; p++)
        add_answers(&sum, part[p].at[price].validated);
    return sum;
}

nlm_status fit_clauses(const clause_data *data, struct team *team, fitted_clauses fitted[FIT_PRICES],
                       nlm_error *error)
{
    fit_part part[FIT_PARTS + 1] = {0};
    nlm_status status = deal(data, part, error);
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
        memory_free(part[p].used);
    return status;
}

static bool is_better(const fitted_clauses *a, const fitted_clauses *b)
{
    if (a->literals + a->errors != b->literals + b->errors)
        return a->literals + a->errors < b->literals + b->errors;
    if (wrong(a->validated) != wrong(b->validated))
        return wrong(a->validated) < wrong(b->validated);
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
