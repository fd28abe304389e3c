#include "learn/fit_clauses.h"
#include <string.h>
#include "base/error.h"
#include "base/random.h"
#include "learn/validation.h"

/* In sixteenths of a label. */
static const int prices[FIT_PRICES] = {8, 16, 32, 64}, falling_prices[] = {64, 32, 16, 8, 4, 1};

enum {
    ALL = FIT_PARTS, /* the part that leaves nothing out */
    MOST_ROUNDS = 4, /* of replacing clauses */
    WIDTH = 24,      /* of beams */
    NO_ERRORS = 1000 /* true labels that a false one outweighs */
};

#define PART_SEED 0x6669740000000001u /* "fit": the same parts in all runs */

/* One part of the work: clauses by the labels that are used, and their answers about the others. */
typedef struct fit_part {
    const clause_data *data;
    uint64_t *used;
    int width, seeds; /* of searches: 0 seeds: clauses may hold for any labels */
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
        if (LABEL_WORTH * (after - before) >= fitted->price * (1 + fitted->clause[c].cost))
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
            won += is_true(part->data, label) ? 1 : -fitted->loss;
    return LABEL_WORTH * won - (long)fitted->price * (1 + fitted->clause[c].cost);
}

/* Labels that a clause has to hold for, one in each search: some of the true ones that no other clause has,
 * evenly over the list.  Else a rule of many clauses has no short one that is better than chance. */
static int choose_seeds(const fit_part *part, const covers *sets, int seed[FIT_SEEDS])
{
    int open = 0, count = 0, next = 0;
    seed[0] = NO_SEED;
    if (part->seeds == 0)
        return 1;
    for (int pass = 0; pass < 2; pass++)
        for (int label = 0; label < part->data->labels; label++) {
            if (!is_true(part->data, label) || !has(part->used, label) || has(sets->together, label))
                continue;
            if (pass == 0)
                open++;
            else if ((long)next++ * part->seeds / open >= count)
                seed[count++] = label;
        }
    return count;
}

/* Another clause in the place of one (or, behind the last, one more), if it is worth more. */
static nlm_status replace(const fit_part *part, fitted_clauses *fitted, covers *sets, int c, bool *changed,
                          nlm_error *error)
{
    const bool is_new = c == fitted->count;
    int seed[FIT_SEEDS];
    bool found = false;
    nlm_status status = NLM_OK;
    join(sets, fitted->count, c);
    const long own = is_new ? 0 : worth_of(part, fitted, sets, c);
    clause_search search = {.data = part->data,
                            .words = sets->words,
                            .used = part->used,
                            .done = sets->together,
                            .price = fitted->price,
                            .loss = fitted->loss,
                            .width = part->width,
                            .least = own < 0 ? 0 : own};
    const int seeds = choose_seeds(part, sets, seed);
    for (int s = 0; s < seeds && !status; s++) {
        clause_body body;
        long worth;
        search.seed = seed[s];
        status = find_clause(&search, &body, sets->spare, &worth, error);
        if (status || worth <= search.least)
            continue;
        uint64_t *const old = sets->of[c];
        sets->of[c] = sets->spare;
        sets->spare = old;
        fitted->clause[c] = body;
        search.least = worth;
        found = true;
    }
    fitted->count += is_new && found;
    *changed |= found;
    return status;
}

/* Clauses as long as one more is worth something. */
static nlm_status add_clauses(const fit_part *part, fitted_clauses *fitted, covers *sets, bool *changed,
                              nlm_error *error)
{
    nlm_status status = NLM_OK;
    bool more = true;
    while (more && fitted->count < FIT_CLAUSES && !status) {
        more = false;
        status = replace(part, fitted, sets, fitted->count, &more, error);
        *changed |= more;
    }
    return status;
}

/* Clauses are added, replaced and dropped until nothing is worth more. */
static nlm_status improve(const fit_part *part, fitted_clauses *fitted, covers *sets, nlm_error *error)
{
    nlm_status status = NLM_OK;
    bool changed = true;
    for (int round = 0; round < MOST_ROUNDS && changed && !status; round++) {
        changed = false;
        status = add_clauses(part, fitted, sets, &changed, error);
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
    return (long)fitted->price * fitted->literals + LABEL_WORTH * (long)fitted->errors;
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
    part->width = WIDTH;
    part->seeds = 0;
    covers sets[FIT_PRICES + 1] = {{0}}; /* the last is spare */
    nlm_status status = NLM_OK;
    for (int p = 0; p <= FIT_PRICES && !status; p++)
        status = covers_make(&sets[p], part->data, error);
    for (int p = 0; p < FIT_PRICES && !status; p++) {
        part->at[p] = (fitted_clauses){.price = prices[p], .loss = 1};
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

/* Clauses without errors: first those that are worth the highest price of a literal, so that no long one
 * takes the labels of two short ones. */
static nlm_status add_exact_clauses(fit_part *part, fitted_clauses *fitted, covers *sets, nlm_error *error)
{
    nlm_status status = NLM_OK;
    *fitted = (fitted_clauses){.loss = NO_ERRORS};
    part->seeds = FIT_SEEDS;
    for (size_t p = 0; p < sizeof falling_prices / sizeof *falling_prices && !status; p++) {
        bool changed = false;
        fitted->price = falling_prices[p];
        status = add_clauses(part, fitted, sets, &changed, error);
        join(sets, fitted->count, -1);
        if (!status && wrong(answers_of(part->data, sets->together, part->used, true)) == 0) {
            part->seeds = 1;
            return improve(part, fitted, sets, error);
        }
    }
    fitted->errors = wrong(answers_of(part->data, sets->together, part->used, true));
    fitted->validated = answers_of(part->data, sets->together, part->used, false);
    return status;
}

static nlm_status fit_without_errors(fit_part *part, nlm_error *error)
{
    static const int widths[] = {36, CLAUSE_BEAM_MOST};
    covers sets = {0};
    nlm_status status = covers_make(&sets, part->data, error);
    for (size_t w = 0; w < sizeof widths / sizeof *widths && !status; w++) {
        part->width = widths[w];
        status = add_exact_clauses(part, &part->at[0], &sets, error);
        if (part->at[0].errors == 0)
            break;
    }
    covers_free(&sets);
    return status;
}

static void run_exact_part(void *context, int number, int thread)
{
    (void)thread;
    fit_part *part = &((fit_part *)context)[number];
    part->status = fit_without_errors(part, &part->error);
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

static nlm_status first_failure(const fit_part *part, nlm_error *error)
{
    for (int p = 0; p <= FIT_PARTS; p++)
        if (part[p].status)
            return error_set(error, part[p].status, "%s", part[p].error.message);
    return NLM_OK;
}

nlm_status fit_clauses(const clause_data *data, struct team *team, fitted_clauses fitted[FIT_PRICES],
                       nlm_error *error)
{
    fit_part part[FIT_PARTS + 1] = {0};
    nlm_status status = deal(data, part, error);
    if (!status)
        team_run(team, FIT_PARTS + 1, run_part, part);
    if (!status)
        status = first_failure(part, error);
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

/* From the first labels alone. */
static nlm_status fit_first(const clause_data *data, int learned, fitted_clauses *fitted, nlm_error *error)
{
    fit_part part = {.data = data, .used = memory_new(label_words(data), sizeof *part.used)};
    if (!part.used)
        return error_no_memory(error);
    for (int label = 0; label < learned; label++)
        part.used[label / 64] |= (uint64_t)1 << (label % 64);
    const nlm_status status = fit_without_errors(&part, error);
    *fitted = part.at[0];
    memory_free(part.used);
    return status;
}

nlm_status fit_exactly(const clause_data *data, int learned, bool validate, struct team *team,
                       fitted_clauses *fitted, bool *found, nlm_error *error)
{
    nlm_status status = fit_first(data, learned, fitted, error);
    *found = !status && fitted->errors == 0 && wrong(fitted->validated) == 0;
    fitted->validated = (nlm_answers){0};
    if (!*found || !validate)
        return status;
    fit_part part[FIT_PARTS + 1] = {0};
    status = deal(data, part, error);
    if (!status) {
        team_run(team, FIT_PARTS + 1, run_exact_part, part);
        status = first_failure(part, error);
    }
    if (!status) {
        if (part[ALL].at[0].errors == 0)
            *fitted = part[ALL].at[0];
        fitted->validated = sum_of(part, 0);
    }
    for (int p = 0; p <= FIT_PARTS; p++)
        memory_free(part[p].used);
    return status;
}
