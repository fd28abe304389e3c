/* Settings: the table of all numbers, their form as texts, and the comparison of two runs. */
#include "learn/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "machine/model_file.h"

#define PLACE(field) offsetof(nlm_settings, field)
#define MOST_EPISODES 1000000000

static const struct setting rows[] = {
    {"seed", SETTING_SEED, PLACE(seed), 0, 0, false, NULL, OF_EXAMPLES | OF_GAMES},
    {"objects", SETTING_WHOLE, PLACE(objects), 1, INT_MAX, false, NULL, OF_EXAMPLES},
    {"batch", SETTING_WHOLE, PLACE(batch), 1, EXAMPLES_MOST_BATCH, false, NULL, OF_EXAMPLES},
    {"batches", SETTING_WHOLE, PLACE(batches), 1, 1000000, false, NULL, OF_EXAMPLES},
    {"epochs", SETTING_WHOLE, PLACE(epochs), 1, 1000000, true, NULL, OF_EXAMPLES},
    {"gain", SETTING_REAL, PLACE(gain), 0, 1000, false, NULL, OF_EXAMPLES | OF_GAMES},
    {"lr", SETTING_REAL, PLACE(rate), 0, 1000, false, NULL, OF_EXAMPLES | OF_GAMES},
    {"lr_decay", SETTING_REAL, PLACE(rate_decay), 0, 1, false, "1", OF_EXAMPLES},
    {"beta2", SETTING_REAL, PLACE(beta2), 0, 0.9999999, false, NULL, OF_EXAMPLES | OF_GAMES},
    {"threshold", SETTING_REAL, PLACE(threshold), 0, 1000, false, NULL, OF_EXAMPLES},
    {"exam", SETTING_WHOLE, PLACE(exam), 0, 100000000, false, NULL, OF_EXAMPLES},
    {"positives", SETTING_WHOLE, PLACE(positive_worlds), 0, 4096, false, NULL, OF_EXAMPLES},
    {"deep", SETTING_WHOLE, PLACE(deep_worlds), 0, 4096, false, NULL, OF_EXAMPLES},
    {"replay", SETTING_WHOLE, PLACE(replay), 0, 4096, false, NULL, OF_EXAMPLES},
    {"patience", SETTING_WHOLE, PLACE(patience), 0, 1000000, false, NULL, OF_EXAMPLES},
    {"shift", SETTING_WHOLE, PLACE(shift), 0, NLM_IMAGE_SIDE / 2, false, "0", OF_EXAMPLES},
    {"labels", SETTING_REAL, PLACE(labels), 0, 1, false, "0", OF_EXAMPLES},
    {"first_lesson", SETTING_WHOLE, PLACE(first_lesson), 2, 1000, false, NULL, OF_GAMES},
    {"last_lesson", SETTING_WHOLE, PLACE(last_lesson), 2, 1000, false, NULL, OF_GAMES},
    {"episodes", SETTING_WHOLE, PLACE(episodes), 1, MOST_EPISODES, true, NULL, OF_GAMES},
    {"interval", SETTING_WHOLE, PLACE(interval), 1, MOST_EPISODES, false, NULL, OF_GAMES},
    {"exam", SETTING_WHOLE, PLACE(exam), 1, 100000000, false, NULL, OF_GAMES},
    {"final_exam", SETTING_WHOLE, PLACE(final_exam), 1, 100000000, false, NULL, OF_GAMES},
    {"final_objects", SETTING_WHOLE, PLACE(final_objects), 0, 1000, false, NULL, OF_GAMES},
    {"deepest", SETTING_WHOLE, PLACE(deepest), 0, 1000, false, NULL, OF_GAMES},
    {"pool", SETTING_WHOLE, PLACE(pool), 1, GAMES_MOST_POOL, false, NULL, OF_GAMES},
    {"batch", SETTING_WHOLE, PLACE(batch), 1, GAMES_MOST_BATCH, false, NULL, OF_GAMES},
    {"rollouts", SETTING_WHOLE, PLACE(rollouts), 0, GAMES_MOST_BATCH, false, NULL, OF_GAMES},
    {"passes", SETTING_WHOLE, PLACE(passes), 1, 1000, false, NULL, OF_GAMES},
    {"greedy_rollouts", SETTING_WHOLE, PLACE(greedy_rollouts), 0, GAMES_MOST_BATCH, false, NULL, OF_GAMES},
    {"greedy_exams", SETTING_WHOLE, PLACE(greedy_exams), 0, 1, false, NULL, OF_GAMES},
    {"optimal_exams", SETTING_WHOLE, PLACE(optimal_exams), 0, 1, false, NULL, OF_GAMES},
    {"keep_failures", SETTING_WHOLE, PLACE(keep_failures), 0, 1, false, NULL, OF_GAMES},
    {"patience", SETTING_WHOLE, PLACE(patience), 0, MOST_EPISODES, false, NULL, OF_GAMES},
    {"restart", SETTING_WHOLE, PLACE(restart), 0, MOST_EPISODES, false, NULL, OF_GAMES},
    {"lr_decay", SETTING_REAL, PLACE(rate_decay), 0, 1, false, NULL, OF_GAMES},
    {"final_decay", SETTING_REAL, PLACE(final_decay), 0, 1, false, NULL, OF_GAMES},
    {"entropy", SETTING_REAL, PLACE(entropy), 0, 1000, false, NULL, OF_GAMES},
    {"entropy_decay", SETTING_REAL, PLACE(entropy_decay), 0, 1, false, NULL, OF_GAMES},
    {"discount", SETTING_REAL, PLACE(discount), 0, 1, false, NULL, OF_GAMES},
    {"average", SETTING_REAL, PLACE(average), 0, 0.999999, false, NULL, OF_GAMES},
    {"solved_share", SETTING_REAL, PLACE(solved_share), 0, 1, false, NULL, OF_GAMES},
    {"slack", SETTING_REAL, PLACE(slack), 0, 1, false, NULL, OF_GAMES},
    {"validity", SETTING_REAL, PLACE(validity), 0, 1000, false, NULL, OF_GAMES},
    {"width", SETTING_WHOLE, PLACE(spec.width), 0, NLM_MAX_WIDTH, false, NULL, OF_EXAMPLES | OF_GAMES},
};

unsigned settings_runs(const nlm_settings *settings)
{
    return settings->game ? OF_GAMES : settings->task ? OF_TASKS : OF_FACTS;
}

struct settings_table settings_table_of(const nlm_settings *settings)
{
    return (struct settings_table){rows, sizeof rows / sizeof *rows, settings_runs(settings)};
}

const struct setting *setting_next(const struct settings_table *table, const struct setting *row)
{
    row = row ? row + 1 : table->rows;
    while (row < table->rows + table->count && !(row->runs & table->runs))
        row++;
    return row < table->rows + table->count ? row : NULL;
}

/* As many digits as it takes to read the same number. */
static void print_real(double value, char text[SETTING_TEXT_SIZE])
{
    int digits = 6;
    do
        snprintf(text, SETTING_TEXT_SIZE, "%.*g", digits++, value);
    while (digits <= 17 && strtod(text, NULL) != value);
}

void setting_print(const struct setting *row, const void *settings, char text[SETTING_TEXT_SIZE])
{
    const void *place = (const char *)settings + row->place;
    switch (row->kind) {
    case SETTING_WHOLE:
        snprintf(text, SETTING_TEXT_SIZE, "%d", *(const int *)place);
        break;
    case SETTING_REAL:
        print_real(*(const double *)place, text);
        break;
    case SETTING_SEED:
        snprintf(text, SETTING_TEXT_SIZE, "%" PRIu64, *(const uint64_t *)place);
        break;
    }
}

static bool set_seed(void *place, const char *text)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno || *end || text[0] < '0' || text[0] > '9')
        return false;
    *(uint64_t *)place = value;
    return true;
}

bool setting_set(const struct setting *row, void *settings, const char *text)
{
    void *place = (char *)settings + row->place;
    if (row->kind == SETTING_SEED)
        return set_seed(place, text);
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= row->least && value <= row->most))
        return false;
    if (row->kind == SETTING_WHOLE && value != floor(value))
        return false;
    if (row->kind == SETTING_WHOLE)
        *(int *)place = (int)value;
    else
        *(double *)place = value;
    return true;
}

bool setting_equal(const struct setting *row, const void *a, const void *b)
{
    char text_a[SETTING_TEXT_SIZE], text_b[SETTING_TEXT_SIZE];
    setting_print(row, a, text_a);
    setting_print(row, b, text_b);
    return !strcmp(text_a, text_b);
}

static double value_of(const struct setting *row, const void *settings)
{
    const char *place = (const char *)settings + row->place;
    return row->kind == SETTING_WHOLE ? (double)*(const int *)place : *(const double *)place;
}

nlm_status settings_check_ranges(struct settings_table table, const void *settings, nlm_error *error)
{
    for (const struct setting *row = NULL; (row = setting_next(&table, row)) != NULL;) {
        if (row->kind == SETTING_SEED)
            continue;
        double value = value_of(row, settings);
        if (!(value >= row->least && value <= row->most))
            return error_set(error, NLM_BAD_ARGUMENT, "%s %g is not between %g and %g", row->name, value,
                             row->least, row->most);
    }
    return NLM_OK;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static bool same_program(const nlm_program_template *a, const nlm_program_template *b)
{
    if (!a || !b)
        return a == b;
    bool same = a->givens == b->givens && a->definitions == b->definitions &&
                a->steps_by_objects == b->steps_by_objects;
    for (int g = 0; same && g < a->givens; g++) {
        const nlm_given *x = &a->given[g], *y = &b->given[g];
        same = same_text(x->name, y->name) && x->arity == y->arity && x->negated == y->negated;
    }
    for (int d = 0; same && d < a->definitions; d++) {
        const nlm_definition *x = &a->definition[d], *y = &b->definition[d];
        same = same_text(x->name, y->name) && x->arity == y->arity && x->templates == y->templates;
        for (int t = 0; same && t < x->templates; t++)
            same = x->form[t].variables == y->form[t].variables && x->form[t].body == y->form[t].body;
    }
    return same;
}

/* What differs between two specs, or NULL. */
static const char *spec_difference(const nlm_spec *a, const nlm_spec *b)
{
    if (a->depth != b->depth)
        return "depth";
    if (a->breadth != b->breadth)
        return "breadth";
    if (a->residual != b->residual)
        return "residual";
    if (a->hidden_layers != b->hidden_layers)
        return "hidden";
    for (int k = 0; k < a->hidden_layers; k++)
        if (a->hidden[k] != b->hidden[k])
            return "hidden";
    if (a->own_widths != b->own_widths || (a->own_widths && memcmp(a->widths, b->widths, sizeof a->widths)))
        return "widths";
    if (!same_program(a->program, b->program))
        return "templates";
    return a->outputs != b->outputs ? "outputs" : !same_text(a->sense, b->sense) ? "sense" : NULL;
}

static const char *model_of(const nlm_spec *spec)
{
    return spec->model ? spec->model : "nlm";
}

nlm_status settings_compare_rows(struct settings_table table, const void *found, const nlm_spec *found_spec,
                                 const void *wanted, const nlm_spec *wanted_spec, const char *name,
                                 nlm_error *error)
{
    if (!same_text(found_spec->model, wanted_spec->model))
        return model_fail(error, NLM_BAD_ARGUMENT, name, "a run of the model %s, not %s",
                          model_of(found_spec), model_of(wanted_spec));
    const char *what = spec_difference(found_spec, wanted_spec);
    if (what)
        return model_fail(error, NLM_BAD_ARGUMENT, name, "a run of a machine with other settings: %s", what);
    for (const struct setting *row = NULL; (row = setting_next(&table, row)) != NULL;) {
        if (row->may_change || setting_equal(row, wanted, found))
            continue;
        char there[SETTING_TEXT_SIZE], here[SETTING_TEXT_SIZE];
        setting_print(row, found, there);
        setting_print(row, wanted, here);
        return model_fail(error, NLM_BAD_ARGUMENT, name, "a run with %s %s, not %s", row->name, there, here);
    }
    return NLM_OK;
}

static const char *learned_name(const nlm_settings *settings)
{
    return settings->game ? settings->game->name : settings->task ? settings->task->name : "facts";
}

nlm_status nlm_settings_compare(const nlm_settings *found, const nlm_settings *wanted, const char *name,
                                nlm_error *error)
{
    if (strcmp(learned_name(wanted), learned_name(found)) != 0)
        return model_fail(error, NLM_BAD_ARGUMENT, name, "a run of %s, not of %s", learned_name(found),
                          learned_name(wanted));
    if (found->data != wanted->data)
        return model_fail(error, NLM_BAD_ARGUMENT, name, "learned from other %s than those that are here now",
                          wanted->task ? "pictures" : "facts or labels");
    if (fabs(found->held_out - wanted->held_out) > 0)
        return model_fail(error, NLM_BAD_ARGUMENT, name, "held out %g of the data, not %g", found->held_out,
                          wanted->held_out);
    return settings_compare_rows(settings_table_of(wanted), found, &found->spec, wanted, &wanted->spec, name,
                                 error);
}
