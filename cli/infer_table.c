/* Conclusions about the rows of a table.
 *
 * All conclusions are kept, sorted by the name of their object, and looked up row by row.  Targets that
 * differ in a constant alone, role(A,lead) and role(A,member), make one column of the most probable one's
 * constant. */
#include "infer_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "infer_coverage.h"
#include "message.h"

enum { TITLE_SIZE = 200, PROBABILITY_SIZE = 32 };

typedef struct answer {
    char *object;
    int target;
    double probability;
    const char *coverage;
} answer;

/* A column that is added. */
typedef struct added_column {
    char title[TITLE_SIZE], text[PROBABILITY_SIZE];
} added_column;

typedef struct table_answers {
    const nlm_problem *problem;
    const nlm_signature *signature;
    double threshold;
    bool probability, coverage;
    answer *answers;
    size_t count, capacity;
    int per_target; /* columns: the answer, its probability, its coverage */
    int groups;     /* of targets with one title */
    int group[NLM_MAX_HEADS];
    char value[NLM_MAX_HEADS][TITLE_SIZE]; /* what a target says of a row: true, or its constant */
    added_column columns[NLM_MAX_HEADS], probabilities[NLM_MAX_HEADS], coverages[NLM_MAX_HEADS];
} table_answers;

/* ---- titles ---- */

bool table_is_asked(const nlm_problem *problem, const nlm_signature *signature)
{
    bool one = nlm_problem_is_table(problem);
    for (int t = 0; t < nlm_signature_targets(signature); t++)
        one = one && nlm_signature_target(signature, t)->arity == 1;
    return one;
}

static bool has_title(const nlm_problem *problem, const char *title)
{
    const nlm_table_column *column;
    for (int c = 0; (column = nlm_problem_column(problem, c)) != NULL; c++) {
        if (strcmp(column->name, title) == 0)
            return true;
    }
    return false;
}

/* The name of a target's column and what it says: "role" and "lead" of role(A,lead). */
static void split_target(const nlm_predicate *target, char name[TITLE_SIZE], char value[TITLE_SIZE])
{
    char constant[TITLE_SIZE];
    if (nlm_predicate_constant(target, name, TITLE_SIZE, constant, TITLE_SIZE)) {
        snprintf(value, TITLE_SIZE, "%s", constant);
        return;
    }
    snprintf(name, TITLE_SIZE, "%s", target->name);
    snprintf(value, TITLE_SIZE, "true");
}

/* A title that the table does not have. */
static void set_title(const table_answers *of, added_column *column, const char *name, const char *more)
{
    snprintf(column->title, TITLE_SIZE, "%.150s%s", name, more);
    if (*more == '\0' && has_title(of->problem, column->title))
        snprintf(column->title, TITLE_SIZE, "%.150s_concluded", name);
    for (int n = 2; has_title(of->problem, column->title); n++)
        snprintf(column->title, TITLE_SIZE, "%.150s%s_%d", name, *more ? more : "_concluded", n);
}

static void make_columns(table_answers *of)
{
    char names[NLM_MAX_HEADS][TITLE_SIZE];
    of->per_target = 1 + of->probability + of->coverage;
    for (int t = 0; t < nlm_signature_targets(of->signature); t++) {
        char name[TITLE_SIZE];
        split_target(nlm_signature_target(of->signature, t), name, of->value[t]);
        int g = 0;
        while (g < of->groups && strcmp(names[g], name) != 0)
            g++;
        of->group[t] = g;
        if (g < of->groups)
            continue;
        snprintf(names[g], TITLE_SIZE, "%s", name);
        set_title(of, &of->columns[g], name, "");
        set_title(of, &of->probabilities[g], name, "_probability");
        set_title(of, &of->coverages[g], name, "_coverage");
        of->groups++;
    }
}

/* ---- answers ---- */

static nlm_status keep_answer(void *context, const nlm_conclusion *conclusion, nlm_error *error)
{
    table_answers *of = context;
    if (of->count == of->capacity) {
        const size_t capacity = of->capacity > 0 ? 2 * of->capacity : 64;
        answer *more = realloc(of->answers, capacity * sizeof *more);
        if (more == NULL) {
            snprintf(error->message, sizeof error->message, "not enough memory");
            return error->status = NLM_NO_MEMORY;
        }
        of->answers = more;
        of->capacity = capacity;
    }
    char *name = strdup(conclusion->arguments[0]);
    if (name == NULL) {
        snprintf(error->message, sizeof error->message, "not enough memory");
        return error->status = NLM_NO_MEMORY;
    }
    of->answers[of->count++] =
        (answer){name, conclusion->target, conclusion->probability, coverage_name(conclusion)};
    return NLM_OK;
}

static int compare(const void *a, const void *b)
{
    const answer *one = a, *other = b;
    const int names = strcmp(one->object, other->object);
    return names != 0 ? names : one->target - other->target;
}

/* The first answer about an object, or the end. */
static size_t find_answers(const table_answers *of, const char *object)
{
    size_t low = 0, high = of->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(of->answers[middle].object, object) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- rows ---- */

static void fill_titles(table_answers *of, const char **added)
{
    for (int g = 0; g < of->groups; g++) {
        int at = g * of->per_target;
        added[at++] = of->columns[g].title;
        if (of->probability)
            added[at++] = of->probabilities[g].title;
        if (of->coverage)
            added[at] = of->coverages[g].title;
    }
}

/* The most probable target of each group. */
static nlm_status fill_row(void *context, const char *object, const char **added, nlm_error *error)
{
    table_answers *of = context;
    double best[NLM_MAX_HEADS];
    (void)error;
    if (object == NULL) {
        fill_titles(of, added);
        return NLM_OK;
    }
    for (int g = 0; g < of->groups; g++)
        best[g] = -1;
    for (size_t i = find_answers(of, object); i < of->count && strcmp(of->answers[i].object, object) == 0;
         i++) {
        const answer *told = &of->answers[i];
        const int g = of->group[told->target];
        int at = g * of->per_target;
        if (told->probability <= best[g])
            continue;
        best[g] = told->probability;
        const bool constant = strcmp(of->value[told->target], "true") != 0;
        added[at++] = told->probability > of->threshold ? of->value[told->target] : constant ? "" : "false";
        snprintf(of->columns[g].text, PROBABILITY_SIZE, "%.6g", told->probability);
        if (of->probability)
            added[at++] = of->columns[g].text;
        if (of->coverage)
            added[at] = told->coverage;
    }
    return NLM_OK;
}

bool table_print(const nlm_problem *problem, nlm_inference *inference, double threshold, bool probability)
{
    nlm_error error;
    table_answers of = {.problem = problem,
                        .signature = nlm_inference_signature(inference),
                        .threshold = threshold,
                        .probability = probability,
                        .coverage = nlm_inference_coverage(inference) != NLM_COVERAGE_NONE};
    make_columns(&of);
    nlm_status status = nlm_inference_conclude(inference, -1, keep_answer, &of, &error);
    if (status == NLM_OK) {
        if (of.count > 0)
            qsort(of.answers, of.count, sizeof *of.answers, compare);
        status = nlm_table_extend(stdout, problem, of.groups * of.per_target, fill_row, &of, &error);
    }
    for (size_t i = 0; i < of.count; i++)
        free(of.answers[i].object);
    free(of.answers);
    if (status != NLM_OK)
        message_error("infer: %s", error.message);
    return status == NLM_OK;
}
