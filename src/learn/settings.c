/* Settings: their form as texts, and what is done row by row. */
#include "learn/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "machine/model_file.h"

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

nlm_status settings_check(struct settings_table table, const void *settings, nlm_error *error)
{
    for (int n = 0; n < table.count; n++) {
        const struct setting *row = &table.rows[n];
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

nlm_status settings_compare(struct settings_table table, const void *found, const nlm_spec *found_spec,
                            const void *wanted, const nlm_spec *wanted_spec, const char *name,
                            nlm_error *error)
{
    if (!same_text(found_spec->model, wanted_spec->model))
        return model_fail(error, NLM_BAD_ARGUMENT, name, "a run of the model %s, not %s",
                          model_of(found_spec), model_of(wanted_spec));
    const char *what = spec_difference(found_spec, wanted_spec);
    if (what)
        return model_fail(error, NLM_BAD_ARGUMENT, name, "a run of a machine with other settings: %s", what);
    for (int n = 0; n < table.count; n++) {
        const struct setting *row = &table.rows[n];
        if (row->may_change || setting_equal(row, wanted, found))
            continue;
        char there[SETTING_TEXT_SIZE], here[SETTING_TEXT_SIZE];
        setting_print(row, found, there);
        setting_print(row, wanted, here);
        return model_fail(error, NLM_BAD_ARGUMENT, name, "a run with %s %s, not %s", row->name, there, here);
    }
    return NLM_OK;
}
