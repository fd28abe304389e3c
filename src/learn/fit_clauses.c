#include "learn/fit_clauses.h"
#include <string.h>
#include "base/error.h"
#include "base/random.h"

static const int prices[FIT_PRICES] = {1, 2, 4, 8}; /* in half labels */

enum { ALL = FIT_PARTS }; /* the part that leaves nothing out */

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
    uint64_t *of[FIT_CLAUSES], *together;
} covers;

static nlm_status covers_make(covers *made, const clause_data *data, nlm_error *error)
{
    *made = (covers){.words = label_words(data)};
    made->together = memory_new(made->words, sizeof *made->together);
    bool done = made->together != NULL;
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

static nlm_status fit(fit_part *part, fitted_clauses *fitted, nlm_error *error)
{
    covers sets;
    nlm_status status = covers_make(&sets, part->data, error);
    long worth = 1;
    while (!status && worth > 0 && fitted->count < FIT_CLAUSES) {
        const clause_search search = {part->data, sets.words, part->used, sets.together, fitted->price};
        status = find_clause(&search, &fitted->clause[fitted->count], sets.of[fitted->count], &worth, error);
        fitted->count += !status && worth > 0;
        join(&sets, fitted->count, -1);
    }
    if (!status) {
        drop_clauses(part, fitted, &sets);
        fitted->literals = literals_of(fitted);
        fitted->errors = wrong(answers_of(part->data, sets.together, part->used, true));
        fitted->validated = answers_of(part->data, sets.together, part->used, false);
    }
    covers_free(&sets);
    return status;
}

/* ---- parts ---- */

static void run_part(void *context, int number, int thread)
{
    (void)thread;
    fit_part *part = &((fit_part *)context)[number];
    for (int p = 0; p < FIT_PRICES && !part->status; p++) {
        part->at[p] = (fitted_clauses){.price = prices[p]};
        part->status = fit(part, &part->at[p], &part->error);
    }
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
    for (int p = 0; p < FIT_PARTS; p++) {
        const nlm_answers own = part[p].at[price].validated;
        sum.positives += own.positives;
        sum.wrong_positives += own.wrong_positives;
        sum.negatives += own.negatives;
        sum.wrong_negatives += own.wrong_negatives;
    }
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
