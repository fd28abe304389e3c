#include "learn/fit_parts.h"
#include <string.h>
#include "base/error.h"
#include "base/random.h"

#define PART_SEED 0x6669740000000001u /* "fit": the same parts in all runs */

nlm_status covers_make(covers *made, const clause_data *data, nlm_error *error)
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

void covers_free(covers *of)
{
    for (int c = 0; c < FIT_CLAUSES; c++)
        memory_free(of->of[c]);
    memory_free(of->together);
    memory_free(of->spare);
}

void covers_join(covers *of, int count, int without)
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
        if (fit_has(used, label) != about)
            continue;
        const bool right = fit_has(cover, label) == fit_is_true(data, label);
        if (fit_is_true(data, label)) {
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

int covers_errors(const fit_labels *labels, const covers *of)
{
    return wrong(answers_of(labels->data, of->together, labels->used, true));
}

void covers_drop(covers *of, fitted_clauses *fitted, int c)
{
    uint64_t *own = of->of[c];
    for (int next = c; next + 1 < fitted->count; next++) {
        fitted->clause[next] = fitted->clause[next + 1];
        of->of[next] = of->of[next + 1];
    }
    of->of[--fitted->count] = own;
}

void covers_measure(const fit_labels *labels, fitted_clauses *fitted, covers *of)
{
    covers_join(of, fitted->count, -1);
    fitted->literals = literals_of(fitted);
    fitted->errors = covers_errors(labels, of);
    fitted->validated = answers_of(labels->data, of->together, labels->used, false);
}

void fit_add_answers(nlm_answers *to, nlm_answers more)
{
    to->positives += more.positives;
    to->wrong_positives += more.wrong_positives;
    to->negatives += more.negatives;
    to->wrong_negatives += more.wrong_negatives;
}

/* ---- parts ---- */

nlm_status fit_deal(const clause_data *data, fit_labels labels[FIT_PARTS + 1], nlm_error *error)
{
    int dealt[2] = {0}, order[2][FIT_PARTS];
    random_stream random;
    random_start(&random, PART_SEED, 0);
    memset(labels, 0, (FIT_PARTS + 1) * sizeof *labels);
    for (int p = 0; p <= FIT_PARTS; p++) {
        labels[p].data = data;
        labels[p].used = memory_new(label_words(data), sizeof *labels[p].used);
        if (!labels[p].used)
            return error_no_memory(error);
        for (int i = 0; i < 2 && p < FIT_PARTS; i++)
            order[i][p] = p;
    }
    for (int label = 0; label < data->labels; label++) {
        const bool kind = fit_is_true(data, label);
        const int place = dealt[kind]++ % FIT_PARTS;
        if (place == 0)
            random_shuffle(&random, order[kind], FIT_PARTS);
        for (int p = 0; p <= FIT_PARTS; p++)
            if (p != order[kind][place])
                labels[p].used[label / 64] |= (uint64_t)1 << (label % 64);
    }
    return NLM_OK;
}
