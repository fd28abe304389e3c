/* The files of a run: pairs of texts, moments, and how both are read again. */
#include "learn/run_file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "machine/model_file.h"
#include "nlm/version.h"

static const char *const answers[] = {"no", "yes"};

/* ---- writing ---- */

void run_add_text(struct run_pairs *to, const char *key, const char *text)
{
    to->pairs[2 * to->count] = key;
    to->pairs[2 * to->count + 1] = text;
    to->count++;
}

void run_add_printed(struct run_pairs *to, const char *key, const char *format, ...)
{
    char *text = to->texts[to->count];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, NLM_SETTING_TEXT, format, arguments);
    va_end(arguments);
    run_add_text(to, key, text);
}

void run_add_state(struct run_pairs *to, const struct state_row *rows, const void *state)
{
    for (const struct state_row *row = rows; row->key; row++) {
        const void *place = (const char *)state + row->place;
        if (row->kind == STATE_FLAG)
            run_add_text(to, row->key, answers[*(const bool *)place]);
        else /* whole numbers up to STATE_MOST without a point, others with all their digits */
            run_add_printed(to, row->key, "%.17g",
                            row->kind == STATE_INT      ? *(const int *)place
                            : row->kind == STATE_LONG   ? (double)*(const long *)place
                            : row->kind == STATE_NUMBER ? (double)*(const uint64_t *)place
                            : row->kind == STATE_COUNT  ? (double)*(const size_t *)place
                                                        : *(const double *)place);
    }
}

void run_add_settings(struct run_pairs *to, const nlm_settings *settings)
{
    const struct settings_table table = settings_table_of(settings);
    for (const nlm_setting *row = NULL; (row = setting_next(&table, row)) != NULL;) {
        if (model_is_own_key(row->name))
            continue;
        char *text = to->texts[to->count];
        setting_print(row, settings, text);
        run_add_text(to, row->name, text);
    }
}

void run_add_maker(struct run_pairs *to, const nlm_options *options)
{
    nlm_kernel kernel = options->kernel;
    for (int k = NLM_KERNEL_AVX512; kernel == NLM_KERNEL_BEST && k > NLM_KERNEL_BEST; k--)
        if (nlm_kernel_available((nlm_kernel)k))
            kernel = (nlm_kernel)k;
    run_add_text(to, "version", nlm_version());
    run_add_text(to, "kernel", nlm_kernel_name(kernel));
}

nlm_status run_save(nlm_machine *machine, const nlm_optimizer *optimizer, double rate, const char *path,
                    const struct run_pairs *pairs, const safetensors_entry *more, int more_count,
                    nlm_error *error)
{
    enum { MOST_ENTRIES = 8 };
    const size_t parameters = nlm_machine_parameters(machine);
    if (!model_all_finite(optimizer->mean, parameters) || !model_all_finite(optimizer->square, parameters))
        return error_in_file(error, NLM_BAD_ARGUMENT, path,
                             "the gradients are too large to continue: the learning rate %g is too high",
                             rate);
    const safetensors_entry moments = {.dimensions = 1, .shape = {(int64_t)parameters}};
    safetensors_entry entries[MOST_ENTRIES] = {moments, moments};
    entries[0].name = "adam.mean";
    entries[0].values = optimizer->mean;
    entries[1].name = "adam.square";
    entries[1].values = optimizer->square;
    int count = 2;
    for (int m = 0; m < more_count && count < MOST_ENTRIES; m++)
        entries[count++] = more[m];
    return machine_save_with(machine, path, pairs->pairs, pairs->count, entries, count, error);
}

/* ---- reading ---- */

nlm_status run_get_text(const struct run_reader *in, const char *key, const char **text)
{
    *text = nlm_machine_metadata(in->machine, key);
    return *text ? NLM_OK : RUN_REFUSE(in, "metadata '%s' is missing", key);
}

nlm_status run_get_word(const struct run_reader *in, const char *key, const char *const *names, int count,
                        int *word)
{
    const char *text;
    nlm_status status = run_get_text(in, key, &text);
    for (int w = 0; !status && w < count; w++)
        if (!strcmp(text, names[w])) {
            *word = w;
            return NLM_OK;
        }
    return status ? status : RUN_REFUSE(in, "there is no %s '%.60s'", key, text);
}

/* Whether the text is a number from 0 to the most, and a whole one where that is needed. */
static bool read_number(const char *text, const struct state_row *row, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end && *value >= 0 && *value <= row->most && isfinite(*value) &&
           (row->kind == STATE_REAL || *value == floor(*value));
}

static void set_state(const struct state_row *row, void *state, double value)
{
    void *place = (char *)state + row->place;
    switch (row->kind) {
    case STATE_INT:
        *(int *)place = (int)value;
        break;
    case STATE_LONG:
        *(long *)place = (long)value;
        break;
    case STATE_NUMBER:
        *(uint64_t *)place = (uint64_t)value;
        break;
    case STATE_COUNT:
        *(size_t *)place = (size_t)value;
        break;
    case STATE_REAL:
        *(double *)place = value;
        break;
    case STATE_FLAG:
        *(bool *)place = value > 0;
        break;
    }
}

nlm_status run_get_state(const struct run_reader *in, const struct state_row *rows, void *state)
{
    nlm_status status = NLM_OK;
    for (const struct state_row *row = rows; row->key && !status; row++) {
        const char *text;
        double value = 0;
        int answer;
        status = run_get_text(in, row->key, &text);
        if (!status && row->kind == STATE_FLAG) {
            status = run_get_word(in, row->key, answers, 2, &answer);
            value = !status && answer;
        } else if (!status && !read_number(text, row, &value)) {
            return RUN_REFUSE(in, "metadata '%s': '%.40s' is no %snumber from 0 to %g", row->key, text,
                              row->kind == STATE_REAL ? "" : "whole ", row->most);
        }
        if (!status)
            set_state(row, state, value);
    }
    return status;
}

void run_recall_state(const nlm_machine *machine, const struct state_row *rows, void *state)
{
    for (const struct state_row *row = rows; row->key; row++) {
        const char *text = nlm_machine_metadata(machine, row->key);
        double value;
        set_state(row, state, text && read_number(text, row, &value) ? value : 0);
    }
}

bool run_get_digits(const char **text, uint64_t *number)
{
    if (**text < '0' || **text > '9')
        return false;
    char *end;
    errno = 0;
    *number = strtoull(*text, &end, 10);
    *text = end;
    return !errno;
}

/* Which facts or pictures it learned from; they are not in the file. */
static nlm_status get_data(const struct run_reader *in, nlm_settings *settings)
{
    const char *text;
    nlm_status status = run_get_text(in, "data", &text);
    if (status)
        return status;
    const char *end = text;
    return run_get_digits(&end, &settings->data) && !*end
               ? NLM_OK
               : RUN_REFUSE(in, "metadata 'data': '%.40s' is no whole number", text);
}

static nlm_status get_task_or_game(const struct run_reader *in, nlm_settings *settings)
{
    const char *name;
    nlm_status status = run_get_text(in, "task", &name);
    if (status)
        return status;
    settings->task = nlm_task_find(name);
    settings->game = settings->task ? NULL : nlm_game_find(name);
    if (!settings->task && !settings->game)
        return RUN_REFUSE(in, "there is no task or game '%.60s'", name);
    return settings->task && settings->task->sense ? get_data(in, settings) : NLM_OK;
}

nlm_status run_get_settings(const struct run_reader *in, nlm_settings *settings)
{
    const bool facts = nlm_machine_metadata(in->machine, "signature") != NULL;
    *settings = (nlm_settings){.spec = *nlm_machine_spec(in->machine)};
    const char *text;
    nlm_status status = facts ? get_data(in, settings) : get_task_or_game(in, settings);
    if (!status)
        status = run_get_text(in, "protocol", &text);
    if (!status && !nlm_protocol_find(text, &settings->protocol))
        return RUN_REFUSE(in, "there is no protocol '%.60s'", text);
    const struct settings_table table = settings_table_of(settings);
    for (const nlm_setting *row = NULL; !status && (row = setting_next(&table, row)) != NULL;) {
        if (model_is_own_key(row->name))
            continue;
        text = nlm_setting_in(row, in->machine);
        if (!text)
            status = run_get_text(in, row->name, &text);
        else if (setting_set(row, settings, text, NULL))
            status = RUN_REFUSE(in, "metadata '%s': '%.40s' is not a number in its range", row->name, text);
    }
    return status;
}

nlm_status nlm_settings_of_machine(const nlm_machine *machine, const char *name, nlm_settings *settings,
                                   nlm_error *error)
{
    REQUIRE(machine && name && settings, error);
    const struct run_reader in = {.path = name, .machine = machine, .error = error};
    return run_get_settings(&in, settings);
}

nlm_status run_get_tensor(const struct run_reader *in, const char *name, size_t count, float *values)
{
    const safetensors_tensor *tensor = safetensors_find(in->file, name);
    if (!tensor || tensor->dimensions != 1 || tensor->count != count)
        return RUN_REFUSE(in, "tensor '%s' is missing or has not %zu values", name, count);
    nlm_status status = safetensors_floats(in->file, tensor, values, in->error);
    if (!status && !model_all_finite(values, count))
        return RUN_REFUSE(in, "tensor '%s' holds NaN or infinity", name);
    return status;
}

nlm_status run_get_weights(const struct run_reader *in, nlm_machine *machine, nlm_optimizer *optimizer)
{
    size_t parameters = nlm_machine_parameters(machine);
    if (nlm_machine_parameters(in->machine) != parameters)
        return RUN_REFUSE(in, "the machine has %zu parameters, not %zu", nlm_machine_parameters(in->machine),
                          parameters);
    memcpy(machine->values, in->machine->values, parameters * sizeof(float));
    nlm_status status = run_get_tensor(in, "adam.mean", parameters, optimizer->mean);
    if (!status)
        status = run_get_tensor(in, "adam.square", parameters, optimizer->square);
    for (size_t i = 0; i < parameters && !status; i++)
        if (optimizer->square[i] < 0)
            status = RUN_REFUSE(in, "tensor 'adam.square' holds a negative number");
    static const struct state_row steps[] = {
        {"steps", STATE_LONG, offsetof(struct nlm_optimizer, steps), STATE_MOST}, {0}};
    return status ? status : run_get_state(in, steps, optimizer);
}
