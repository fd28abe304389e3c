/* Settings: their rows, their form as texts, setting them by name, and the comparison of two runs.
 *
 * All rules about a single setting come from its row; what two settings must have in common is checked in
 * settings_kinds.c.
 *
 * The text of a value is its only form outside the struct: options of the command, recipes, metadata of files
 * and the comparison of two runs all use it.  Reading what was printed gives the very same value, so two
 * values are equal if and only if their texts are.
 *
 * The way of a setting: `--lr 0.01` is nlm_settings_set(s, "lr", "0.01"); check_applies finds that the run
 * and the model have it, setting_set that 0.01 is in its range and writes it to s->lr.  The model file gets
 * the pair "lr", "0.01" from setting_print, and a resumed run reads it with setting_set again. */
#include "learn/settings.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "baseline/baseline.h"
#include "machine/model_file.h"

/* The rows of nlm/settings_rows.h, here as an array of nlm_setting; nlm/settings.h includes the same file to
 * declare the fields.  The type of an NLM_ROW follows from the type of its field. */
#define ROW(row_name, row_type, row_place, ...)                                                              \
    {.name = row_name, .type = row_type, .place = row_place, .least = __VA_ARGS__},
#define TYPE_OF(type)                                                                                        \
    _Generic((type){0}, int : NLM_WHOLE, double : NLM_REAL, uint64_t : NLM_SEED, nlm_world_kind : NLM_WORD)
#define NLM_ROW(type, name, ...) ROW(#name, TYPE_OF(type), offsetof(nlm_settings, name), __VA_ARGS__)
#define NLM_SPEC_ROW(type, name, ...) ROW(#name, type, offsetof(nlm_settings, spec.name), __VA_ARGS__)
static const nlm_setting rows[] = {
#include "nlm/settings_rows.h"
};
enum { ROWS = sizeof rows / sizeof *rows };

/* The length of a list stands before its numbers. */
_Static_assert(offsetof(nlm_spec, hidden) == offsetof(nlm_spec, hidden_layers) + sizeof(int), "hidden");
enum { LIST_MOST = NLM_MAX_HIDDEN };

/* ---- rows ---- */

int nlm_setting_count(void)
{
    return ROWS;
}

const nlm_setting *nlm_setting_at(int index)
{
    return index >= 0 && index < ROWS ? &rows[index] : NULL;
}

/* For messages and the help: what kinds of runs have a setting. */
const char *nlm_runs_name(unsigned runs)
{
    static const char *const names[NLM_OF_ALL + 1] = {
        [NLM_OF_TASKS] = "tasks",
        [NLM_OF_FACTS] = "facts of your own",
        [NLM_OF_EXAMPLES] = "tasks and facts, learned from examples",
        [NLM_OF_GAMES] = "games",
    };
    return runs <= NLM_OF_ALL && names[runs] ? names[runs] : "";
}

/* Also of settings that were read from a model of facts, which have no problem. */
unsigned settings_runs(const nlm_settings *settings)
{
    return settings->game ? NLM_OF_GAMES : settings->task ? NLM_OF_TASKS : NLM_OF_FACTS;
}

struct settings_table settings_table_of(const nlm_settings *settings)
{
    return (struct settings_table){rows, ROWS, settings_runs(settings)};
}

/* Rows of other kinds of runs are skipped: their values are 0 and mean nothing. */
const nlm_setting *setting_next(const struct settings_table *table, const nlm_setting *row)
{
    row = row ? row + 1 : table->rows;
    while (row < table->rows + table->count && !(row->runs & table->runs))
        row++;
    return row < table->rows + table->count ? row : NULL;
}

/* A linear search: settings are set a few dozen times in a run, never in a loop. */
static const nlm_setting *find_row(const char *name)
{
    for (int r = 0; name && r < ROWS; r++)
        if (!strcmp(name, rows[r].name))
            return &rows[r];
    return NULL;
}

/* In this order: what the file says; what its model changes, for files from before the setting existed; what
 * runs did before the setting existed. */
const char *nlm_setting_in(const nlm_setting *setting, const nlm_machine *machine)
{
    const struct baseline *other = baseline_find(nlm_machine_spec(machine)->model);
    const char *text = nlm_machine_metadata(machine, setting->name);
    if (!text && other)
        text = preset_of(other->presets, setting->name);
    return text ? text : setting->absent;
}

/* ---- texts ---- */

static void print_list(const int *numbers, char text[NLM_SETTING_TEXT])
{
    /* the struct may come from a caller who filled it by hand */
    const int count = numbers[-1];
    if (count < 0 || count > LIST_MOST) {
        snprintf(text, NLM_SETTING_TEXT, "%d of them", count); /* which no setting takes */
        return;
    }
    size_t used = (size_t)snprintf(text, NLM_SETTING_TEXT, "%s", count ? "" : "0");
    for (int k = 0; k < count && used < NLM_SETTING_TEXT; k++)
        used += (size_t)snprintf(text + used, NLM_SETTING_TEXT - used, k ? ",%d" : "%d", numbers[k]);
}

/* The text of a value, the shortest that is read back exactly: 0.005, not 0.0050000000000000001. */
void setting_print(const nlm_setting *row, const void *settings, char text[NLM_SETTING_TEXT])
{
    const void *place = (const char *)settings + row->place;
    switch (row->type) {
    case NLM_WHOLE:
        snprintf(text, NLM_SETTING_TEXT, "%d", *(const int *)place);
        break;
    case NLM_REAL: /* as many digits as it takes to read the same number */
        for (int digits = 6; digits <= 17; digits++) {
            snprintf(text, NLM_SETTING_TEXT, "%.*g", digits, *(const double *)place);
            if (strtod(text, NULL) == *(const double *)place)
                break;
        }
        break;
    case NLM_SEED:
        snprintf(text, NLM_SETTING_TEXT, "%" PRIu64, *(const uint64_t *)place);
        break;
    case NLM_FLAG:
        snprintf(text, NLM_SETTING_TEXT, "%d", *(const bool *)place);
        break;
    case NLM_WORD: {
        const unsigned word = *(const unsigned *)place;
        if (word <= row->most)
            snprintf(text, NLM_SETTING_TEXT, "%s", row->words[word]);
        else
            snprintf(text, NLM_SETTING_TEXT, "%u", word); /* which no setting takes */
        break;
    }
    case NLM_LIST:
        print_list(place, text);
        break;
    }
}

/* A number of the row's type and range, the whole text.  A value out of range is told apart from a text that
 * is no number, as the remedy differs.  The comparison refuses NaN. */
static nlm_status read_number(const nlm_setting *row, const char *text, double *value, nlm_error *error)
{
    char *end;
    *value = strtod(text, &end);
    const bool whole = row->type != NLM_REAL,
               is_number = end != text && !*end && !isspace((unsigned char)*text);
    if (is_number && !(*value >= row->least && *value <= row->most))
        return error_set(error, NLM_BAD_ARGUMENT, "%s %.60s is not between %.10g and %.10g", row->name, text,
                         row->least, row->most);
    if (!is_number || (whole && *value != floor(*value)))
        return error_set(error, NLM_BAD_ARGUMENT, "%s wants a %snumber, not '%.60s'", row->name,
                         whole ? "whole " : "", text);
    return NLM_OK;
}

/* "8,4" or "0", which is the empty list.  Read into a copy first: a text that is refused changes nothing. */
static nlm_status set_list(const nlm_setting *row, int *numbers, const char *text, nlm_error *error)
{
    int read[LIST_MOST], count = 0;
    nlm_status status = NLM_OK;
    for (const char *item = text; strcmp(text, "0") != 0 && item && !status;) {
        char one[NLM_SETTING_TEXT];
        double value;
        if (count == LIST_MOST)
            return error_set(error, NLM_BAD_ARGUMENT, "%s takes at most %d numbers, not all of '%.60s'",
                             row->name, LIST_MOST, text);
        if (*item == ',' || !*item)
            return error_set(error, NLM_BAD_ARGUMENT, "%s wants comma-separated whole numbers, not '%.60s'",
                             row->name, text);
        snprintf(one, sizeof one, "%.*s", (int)strcspn(item, ","), item);
        status = read_number(row, one, &value, error);
        if (!status)
            read[count++] = (int)value;
        item = strchr(item, ',') ? strchr(item, ',') + 1 : NULL;
    }
    if (status)
        return status;
    numbers[-1] = count;
    memcpy(numbers, read, (size_t)count * sizeof *read);
    return NLM_OK;
}

/* A word is kept as its number in the list, which ends with NULL.  The message names all that there are. */
static nlm_status set_word(const nlm_setting *row, unsigned *value, const char *text, nlm_error *error)
{
    char words[4 * NLM_SETTING_TEXT] = "";
    for (unsigned word = 0; row->words[word]; word++) {
        if (!strcmp(text, row->words[word])) {
            *value = word;
            return NLM_OK;
        }
        const size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, "%s%s", used ? ", " : "", row->words[word]);
    }
    return error_set(error, NLM_BAD_ARGUMENT, "%s wants one of %s, not '%.60s'", row->name, words, text);
}

/* A seed has all 64 bits, more than a double holds, so it is read on its own. */
nlm_status setting_set(const nlm_setting *row, void *settings, const char *text, nlm_error *error)
{
    void *place = (char *)settings + row->place;
    double value;
    if (row->type == NLM_SEED) {
        char *end;
        errno = 0;
        const unsigned long long seed = strtoull(text, &end, 10);
        if (errno || *end || text[0] < '0' || text[0] > '9')
            return error_set(error, NLM_BAD_ARGUMENT,
                             "%s wants a whole number from 0 to %" PRIu64 ", not '%.60s'", row->name,
                             UINT64_MAX, text);
        *(uint64_t *)place = seed;
        return NLM_OK;
    }
    if (row->type == NLM_WORD)
        return set_word(row, place, text, error);
    if (row->type == NLM_LIST)
        return set_list(row, place, text, error);
    nlm_status status = read_number(row, text, &value, error);
    if (!status && row->type == NLM_WHOLE)
        *(int *)place = (int)value;
    else if (!status && row->type == NLM_FLAG)
        *(bool *)place = value > 0;
    else if (!status)
        *(double *)place = value;
    return status;
}

/* Set in a struct that is thrown away: checking and setting cannot disagree. */
nlm_status nlm_setting_check(const nlm_setting *setting, const char *text, nlm_error *error)
{
    REQUIRE(setting && text, error);
    nlm_settings scratch = {0};
    return setting_set(setting, &scratch, text, error);
}

/* By text, so that a value from a file and the same value from a program are equal. */
bool setting_equal(const nlm_setting *row, const void *a, const void *b)
{
    char text_a[NLM_SETTING_TEXT], text_b[NLM_SETTING_TEXT];
    setting_print(row, a, text_a);
    setting_print(row, b, text_b);
    return !strcmp(text_a, text_b);
}

/* A value is in its range if its text can be read again. */
nlm_status settings_check_ranges(struct settings_table table, const void *settings, nlm_error *error)
{
    nlm_settings scratch;
    nlm_status status = NLM_OK;
    for (const nlm_setting *row = NULL; !status && (row = setting_next(&table, row)) != NULL;) {
        char text[NLM_SETTING_TEXT];
        setting_print(row, settings, text);
        status = setting_set(row, &scratch, text, error);
    }
    return status;
}

/* ---- setting ---- */

static int least_of(int a, int b)
{
    return a < b ? a : b;
}

/* Settings that depend on one that has just been changed.  A smaller batch has no room for all that the
 * protocol puts into one; the final exam goes on beyond the last lesson.  Without this, changing one setting
 * would often be refused because of another that the user never named. */
static nlm_status follow(nlm_settings *s, const void *changed, nlm_error *error)
{
    nlm_status status = NLM_OK;
    if (changed == &s->batch) {
        s->positives = least_of(s->positives, s->batch);
        s->deep = least_of(s->deep, s->batch);
        s->replay = least_of(s->replay, s->batch - 1);
        s->rollouts = least_of(s->rollouts, s->batch);
    }
    if (changed == &s->batch || changed == &s->rollouts)
        s->greedy_rollouts = least_of(s->greedy_rollouts, s->rollouts);
    if (changed == &s->neighbourhood && s->problem)
        status = settings_for_worlds(s, error);
    if (changed == &s->last_lesson && s->final_objects > 0)
        s->final_objects = 2 * s->last_lesson;
    return status;
}

static const char *model_of(const nlm_spec *spec)
{
    return spec->model ? spec->model : "nlm";
}

const char *settings_learned_name(const nlm_settings *settings)
{
    return settings->game ? settings->game->name : settings->task ? settings->task->name : "facts";
}

/* That the run and its model have the setting, and that it is not given by what is learned.  Refused rather
 * than ignored: who sets it expects an effect.  The message names the counterpart, if there is one. */
static nlm_status check_applies(const nlm_settings *settings, const nlm_setting *row, nlm_error *error)
{
    /* what is learned may decide a value itself: the objects of facts are counted, not set */
    const unsigned settable = row->runs & ~row->fixed;
    const bool has_other = row->instead && settings_runs(settings) != NLM_OF_FACTS;
    if (!(settable & settings_runs(settings)))
        return error_set(error, NLM_BAD_ARGUMENT, "%s is for %s, not for %s%s%s", row->name,
                         nlm_runs_name(settable), settings_learned_name(settings),
                         has_other ? ", which has " : "", has_other ? row->instead : "");
    if (row->models && !strstr(row->models, model_of(&settings->spec)))
        return error_set(error, NLM_BAD_ARGUMENT, "%s means nothing to the model %s", row->name,
                         model_of(&settings->spec));
    const nlm_program_template *program = settings->spec.program;
    if (program && program->steps_by_objects && row->place == offsetof(nlm_settings, spec.depth))
        return error_set(error, NLM_BAD_ARGUMENT, "%s does not go with steps(objects) in the templates",
                         row->name);
    return NLM_OK;
}

/* Refused without any effect, or set, and what depends on it follows.  `follow` knows the setting by its
 * place in the struct. */
nlm_status nlm_settings_set(nlm_settings *settings, const char *name, const char *text, nlm_error *error)
{
    REQUIRE(settings && name && text, error);
    const nlm_setting *row = find_row(name);
    if (!row)
        return error_set(error, NLM_BAD_ARGUMENT, "%.60s is no setting", name);
    nlm_status status = check_applies(settings, row, error);
    if (!status)
        status = setting_set(row, settings, text, error);
    return status ? status : follow(settings, (char *)settings + row->place, error);
}

bool nlm_settings_get(const nlm_settings *settings, const char *name, char text[NLM_SETTING_TEXT])
{
    const nlm_setting *row = find_row(name);
    if (row)
        setting_print(row, settings, text);
    return row != NULL;
}

const char *preset_of(const nlm_preset *presets, const char *setting)
{
    for (; presets && presets->setting; presets++)
        if (!strcmp(presets->setting, setting))
            return presets->value;
    return NULL;
}

/* The first layer of defaults; protocols, recipes, models and the user follow, each over the one before. */
nlm_status settings_begin(nlm_settings *settings, const nlm_preset *presets, nlm_error *error)
{
    const struct settings_table table = settings_table_of(settings);
    nlm_status status = NLM_OK;
    for (const nlm_setting *row = NULL; !status && (row = setting_next(&table, row)) != NULL;)
        if (row->absent)
            status = setting_set(row, settings, row->absent, error);
    return status ? status : settings_apply(settings, presets, error);
}

/* Presets for rows that this kind of run does not have are passed over, so one recipe may serve tasks and
 * facts.  A name that is no setting is an error: a recipe has a slip. */
nlm_status settings_apply(nlm_settings *settings, const nlm_preset *presets, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (; presets && presets->setting && !status; presets++) {
        const nlm_setting *row = find_row(presets->setting);
        if (!row || (row->runs & settings_runs(settings)))
            status = nlm_settings_set(settings, presets->setting, presets->value, error);
    }
    return status;
}

/* A recipe without a protocol suits all; one without a model is the machine's. */
const nlm_preset *recipe_find(const nlm_recipe *recipes, const char *protocol, const char *model)
{
    for (; recipes && recipes->presets; recipes++) {
        const bool suits = !recipes->protocol || !strcmp(recipes->protocol, protocol);
        if (suits && (model ? recipes->model && !strcmp(recipes->model, model) : !recipes->model))
            return recipes->presets;
    }
    return NULL;
}

/* ---- comparing ---- */

static bool same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

/* Templates are compared by content: one side comes from a file, the other from a user's templates. */
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

/* What differs between two specs beside what rows describe, or NULL.  Inputs are not compared: they follow
 * from what is learned, which is the same. */
static const char *spec_difference(const nlm_spec *a, const nlm_spec *b)
{
    if (a->own_widths != b->own_widths || (a->own_widths && memcmp(a->widths, b->widths, sizeof a->widths)))
        return "widths";
    if (!same_program(a->program, b->program))
        return "templates";
    return a->outputs != b->outputs ? "outputs" : !same_text(a->sense, b->sense) ? "sense" : NULL;
}

/* The first difference is reported; the order of the rows is that of `nlm show`. */
nlm_status settings_compare_rows(struct settings_table table, const void *found, const void *wanted,
                                 const char *name, nlm_error *error)
{
    for (const nlm_setting *row = NULL; (row = setting_next(&table, row)) != NULL;) {
        if (row->may_change || setting_equal(row, wanted, found))
            continue;
        char there[NLM_SETTING_TEXT], here[NLM_SETTING_TEXT];
        setting_print(row, found, there);
        setting_print(row, wanted, here);
        return error_in_file(error, NLM_BAD_ARGUMENT, name, "a run with %s %s, not %s", row->name, there,
                             here);
    }
    return NLM_OK;
}

/* From the coarse to the fine, so that the message names what the user would call the difference: what is
 * learned, its data, the model, the spec, then single settings. */
nlm_status nlm_settings_compare(const nlm_settings *found, const nlm_settings *wanted, const char *name,
                                nlm_error *error)
{
    REQUIRE(found && wanted && name, error);
    if (strcmp(settings_learned_name(wanted), settings_learned_name(found)) != 0)
        return error_in_file(error, NLM_BAD_ARGUMENT, name, "a run of %s, not of %s",
                             settings_learned_name(found), settings_learned_name(wanted));
    if (found->data != wanted->data)
        return error_in_file(error, NLM_BAD_ARGUMENT, name,
                             "learned from other %s than those that are here now",
                             wanted->task ? "pictures" : "facts or labels");
    if (!same_text(found->spec.model, wanted->spec.model))
        return error_in_file(error, NLM_BAD_ARGUMENT, name, "a run of the model %s, not %s",
                             model_of(&found->spec), model_of(&wanted->spec));
    const char *what = spec_difference(&found->spec, &wanted->spec);
    if (what)
        return error_in_file(error, NLM_BAD_ARGUMENT, name, "a run of a machine with other settings: %s",
                             what);
    return settings_compare_rows(settings_table_of(wanted), found, wanted, name, error);
}

/* Of the spec only the rows are there: inputs and outputs are those of the compiled machine, and widths of
 * single units are none that were learned with. */
nlm_status settings_recall_size(const nlm_machine *machine, nlm_settings *settings, nlm_error *error)
{
    const struct settings_table table = settings_table_of(settings);
    for (const nlm_setting *row = NULL; (row = setting_next(&table, row)) != NULL;) {
        char key[48];
        snprintf(key, sizeof key, LEARNED_PREFIX "%s", row->name);
        const char *text = model_is_own_key(row->name) ? nlm_machine_metadata(machine, key) : NULL;
        if (!text)
            continue;
        if (settings->spec.own_widths) {
            settings->spec.own_widths = false;
            memset(settings->spec.widths, 0, sizeof settings->spec.widths);
        }
        nlm_status status = setting_set(row, settings, text, error);
        if (status)
            return status;
    }
    return NLM_OK;
}
