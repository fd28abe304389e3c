/* The files of a run: models, and checkpoints to go on from.
 *
 * A checkpoint is a model file with two tensors more, Adam's moments, and more metadata; docs/formats.md
 * lists all of it.  Numbers are written so that reading gives the same bits.  Reading trusts nothing. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "learn/trainer.h"
#include "learn/training.h"
#include "machine/machine.h"
#include "machine/model_file.h"
#include "nlm/nlm.h"

#define CHECKPOINT_STATE "checkpoint 1" /* metadata 'state'; another number is another version's */
static const char *const stage_names[] = {
    [NLM_LEARNING] = "learning", [NLM_GRADUATED] = "graduated", [NLM_EXHAUSTED] = "exhausted"};
enum { STAGES = sizeof stage_names / sizeof *stage_names };

/* ---- metadata being gathered ---- */

enum { MOST_EPOCHS = 1000000, MOST_PAIRS = 40, TEXT_SIZE = 32, FAILURE_TEXT_SIZE = MOST_FAILURES * 21 + 1 };

struct pairs {
    int count;
    const char *pairs[2 * MOST_PAIRS];
    char texts[MOST_PAIRS][TEXT_SIZE];
};

static void add_text(struct pairs *to, const char *key, const char *text)
{
    to->pairs[2 * to->count] = key;
    to->pairs[2 * to->count + 1] = text;
    to->count++;
}

__attribute__((format(printf, 3, 4))) static void add_printed(struct pairs *to, const char *key,
                                                              const char *format, ...)
{
    char *text = to->texts[to->count];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, TEXT_SIZE, format, arguments);
    va_end(arguments);
    add_text(to, key, text);
}

static const char *kernel_of(const nlm_trainer *t)
{
    nlm_kernel kernel = t->examiner.options.kernel;
    for (int k = NLM_KERNEL_AVX512; kernel == NLM_KERNEL_BEST && k > NLM_KERNEL_BEST; k--)
        if (nlm_kernel_available((nlm_kernel)k))
            kernel = (nlm_kernel)k;
    return nlm_kernel_name(kernel);
}

/* How the machine was trained: nothing here depends on the clock. */
static void add_training(struct pairs *to, const nlm_trainer *t)
{
    const nlm_epoch *epoch = &t->state.epoch;
    add_text(to, "task", t->settings.task->name);
    add_text(to, "protocol", nlm_protocol_name(t->settings.protocol));
    for (int n = 0; n < TRAINING_NUMBERS; n++) {
        if (model_is_own_key(training_number_name(n)))
            continue;
        char *text = to->texts[to->count];
        training_print_number(&t->settings, n, text);
        add_text(to, training_number_name(n), text);
    }
    add_printed(to, "epoch", "%d", epoch->epoch);
    add_printed(to, "examples", "%ld", epoch->examples);
    add_printed(to, "drawn", "%ld", epoch->drawn);
    add_printed(to, "restarts", "%d", epoch->restarts);
    add_printed(to, "loss", "%.17g", epoch->loss);
    add_text(to, "graduated", t->state.stage == NLM_GRADUATED ? "yes" : "no");
    add_text(to, "version", nlm_version());
    add_text(to, "kernel", kernel_of(t));
}

nlm_status nlm_trainer_save_model(nlm_trainer *t, const char *path, nlm_error *error)
{
    struct pairs pairs = {0};
    add_training(&pairs, t);
    return nlm_machine_save(t->machine, path, pairs.pairs, pairs.count, error);
}

/* ---- writing checkpoints ---- */

static void print_failures(const struct trainer_state *state, char *text)
{
    text[0] = '\0';
    for (int f = 0, length = 0; f < state->failures; f++)
        length += sprintf(text + length, f ? " %" PRIu64 : "%" PRIu64, state->failure[f]);
}

nlm_status nlm_trainer_save_checkpoint(nlm_trainer *t, const char *path, nlm_error *error)
{
    const struct trainer_state *state = &t->state;
    if (t->running.steps > 0)
        return error_set(error, NLM_BAD_ARGUMENT, "%.120s: a checkpoint is written between two epochs", path);
    const size_t parameters = nlm_machine_parameters(t->machine);
    if (!model_all_finite(t->optimizer->mean, parameters) ||
        !model_all_finite(t->optimizer->square, parameters))
        return model_fail(error, NLM_BAD_ARGUMENT, path,
                          "the gradients are too large to go on from: the learning rate %g is too high",
                          t->settings.rate);
    char failures[FAILURE_TEXT_SIZE];
    print_failures(state, failures);
    struct pairs pairs = {0};
    add_text(&pairs, "state", CHECKPOINT_STATE);
    add_text(&pairs, "stage", stage_names[state->stage]);
    add_training(&pairs, t);
    add_printed(&pairs, "steps", "%ld", t->optimizer->steps);
    add_printed(&pairs, "next_world", "%" PRIu64, state->next_world);
    add_printed(&pairs, "begun", "%d", state->begun);
    add_printed(&pairs, "patient", "%d", state->patient);
    add_printed(&pairs, "next_failure", "%d", state->next_failure);
    add_text(&pairs, "failures", failures);
    add_printed(&pairs, "accuracy", "%.17g", state->epoch.accuracy);
    add_printed(&pairs, "elapsed", "%.17g", state->epoch.elapsed);
    const safetensors_entry moments[] = {
        {.name = "adam.mean", .dimensions = 1, .shape = {(int64_t)parameters}, .values = t->optimizer->mean},
        {.name = "adam.square",
         .dimensions = 1,
         .shape = {(int64_t)parameters},
         .values = t->optimizer->square},
    };
    return machine_save_with(t->machine, path, pairs.pairs, pairs.count, moments, 2, error);
}

/* ---- reading checkpoints ---- */

struct reader {
    const char *path;
    const nlm_machine *machine; /* from the file */
    nlm_error *error;
};

#define REFUSE(in, ...) model_fail((in)->error, NLM_BAD_FILE, (in)->path, __VA_ARGS__)

static nlm_status get_text(const struct reader *in, const char *key, const char **text)
{
    *text = nlm_machine_metadata(in->machine, key);
    return *text ? NLM_OK : REFUSE(in, "metadata '%s' is missing", key);
}

static nlm_status get_real(const struct reader *in, const char *key, double *value)
{
    const char *text;
    nlm_status status = get_text(in, key, &text);
    if (status)
        return status;
    char *end;
    *value = strtod(text, &end);
    if (end == text || *end || !(*value >= 0) || !isfinite(*value))
        return REFUSE(in, "metadata '%s': '%.40s' is no number of at least 0", key, text);
    return NLM_OK;
}

/* A whole number that a double holds exactly. */
static nlm_status get_whole(const struct reader *in, const char *key, double most, double *value)
{
    nlm_status status = get_real(in, key, value);
    if (!status && (*value != floor(*value) || *value > most))
        return REFUSE(in, "metadata '%s': %.17g is no whole number up to %.17g", key, *value, most);
    return status;
}

static nlm_status get_int(const struct reader *in, const char *key, int most, int *number)
{
    double value;
    nlm_status status = get_whole(in, key, most, &value);
    if (!status)
        *number = (int)value;
    return status;
}

static nlm_status get_long(const struct reader *in, const char *key, long *number)
{
    double value;
    nlm_status status = get_whole(in, key, 0x1p53, &value);
    if (!status)
        *number = (long)value;
    return status;
}

static nlm_status check_kind(const struct reader *in)
{
    const char *state = nlm_machine_metadata(in->machine, "state");
    if (!state)
        return REFUSE(in, "a model, not a checkpoint");
    if (strcmp(state, CHECKPOINT_STATE) != 0)
        return REFUSE(in, "'%.40s' is not what this version writes ('%s')", state, CHECKPOINT_STATE);
    const nlm_head_spec *head = nlm_machine_head(in->machine, 0);
    if (nlm_machine_heads(in->machine) != 1 || strcmp(head->name, "head") != 0 || head->outputs != 1)
        return REFUSE(in, "not the machine of a run: it must have one head with one output");
    return NLM_OK;
}

static nlm_status read_settings(const struct reader *in, nlm_training *settings)
{
    const char *task, *protocol, *text;
    nlm_status status = get_text(in, "task", &task);
    if (!status)
        status = get_text(in, "protocol", &protocol);
    if (status)
        return status;
    *settings = (nlm_training){.task = nlm_task_find(task), .spec = *nlm_machine_spec(in->machine)};
    if (!settings->task)
        return REFUSE(in, "there is no task '%.60s'", task);
    if (!nlm_protocol_find(protocol, &settings->protocol))
        return REFUSE(in, "there is no protocol '%.60s'", protocol);
    for (int n = 0; n < TRAINING_NUMBERS && !status; n++) {
        const char *name = training_number_name(n);
        if (model_is_own_key(name))
            continue;
        status = get_text(in, name, &text);
        if (!status && !training_set_number(settings, n, text))
            return REFUSE(in, "metadata '%s': '%.40s' is no such number", name, text);
    }
    return status;
}

nlm_status nlm_training_of(const nlm_machine *machine, const char *name, nlm_training *training,
                           nlm_error *error)
{
    const struct reader in = {.path = name, .machine = machine, .error = error};
    return read_settings(&in, training);
}

static nlm_status read_stage(const struct reader *in, nlm_stage *stage)
{
    const char *name;
    nlm_status status = get_text(in, "stage", &name);
    for (int s = 0; !status && s < STAGES; s++)
        if (!strcmp(name, stage_names[s])) {
            *stage = (nlm_stage)s;
            return NLM_OK;
        }
    return status ? status : REFUSE(in, "there is no stage '%.40s'", name);
}

static nlm_status read_failures(const struct reader *in, struct trainer_state *state)
{
    const char *text;
    nlm_status status = get_text(in, "failures", &text);
    while (!status && *text) {
        char *end;
        errno = 0;
        unsigned long long number = strtoull(text, &end, 10);
        if (errno || *text < '0' || *text > '9' || (*end && *end != ' ') || state->failures == MOST_FAILURES)
            return REFUSE(in, "metadata 'failures' is no list of up to %d numbers", MOST_FAILURES);
        state->failure[state->failures++] = number;
        text = *end ? end + 1 : end;
    }
    return status;
}

static nlm_status read_epoch(const struct reader *in, nlm_epoch *epoch)
{
    nlm_status status = get_int(in, "epoch", MOST_EPOCHS, &epoch->epoch);
    if (!status)
        status = get_long(in, "examples", &epoch->examples);
    if (!status)
        status = get_long(in, "drawn", &epoch->drawn);
    if (!status)
        status = get_int(in, "restarts", MOST_EPOCHS, &epoch->restarts);
    if (!status)
        status = get_real(in, "loss", &epoch->loss);
    if (!status)
        status = get_real(in, "accuracy", &epoch->accuracy);
    if (!status && epoch->accuracy > 1)
        return REFUSE(in, "metadata 'accuracy' is above 1");
    return status ? status : get_real(in, "elapsed", &epoch->elapsed);
}

static nlm_status read_state(const struct reader *in, struct trainer_state *state)
{
    long next_world = 0;
    nlm_status status = read_stage(in, &state->stage);
    if (!status)
        status = read_epoch(in, &state->epoch);
    if (!status)
        status = get_long(in, "next_world", &next_world);
    if (!status)
        status = get_int(in, "begun", MOST_EPOCHS, &state->begun);
    if (!status)
        status = get_int(in, "patient", MOST_EPOCHS, &state->patient);
    if (!status)
        status = read_failures(in, state);
    if (!status)
        status = get_int(in, "next_failure", MOST_FAILURES, &state->next_failure);
    if (!status && (state->failures ? state->next_failure >= state->failures : state->next_failure > 0))
        return REFUSE(in, "metadata 'next_failure' is beyond the failures");
    state->next_world = (uint64_t)next_world;
    return status;
}

static nlm_status read_moments(const struct reader *in, const safetensors *file, const char *name,
                               size_t count, float *values)
{
    const safetensors_tensor *tensor = safetensors_find(file, name);
    if (!tensor || tensor->dimensions != 1 || tensor->count != count)
        return REFUSE(in, "tensor '%s' is missing or has not %zu values", name, count);
    nlm_status status = safetensors_floats(file, tensor, values, in->error);
    if (!status && !model_all_finite(values, count))
        return REFUSE(in, "tensor '%s' holds NaN or infinity", name);
    return status;
}

/* A trainer for the settings, with the parameters, moments and numbers of the file. */
static nlm_status fill_trainer(const struct reader *in, const safetensors *file, nlm_trainer *t)
{
    size_t parameters = nlm_machine_parameters(t->machine);
    if (nlm_machine_parameters(in->machine) != parameters)
        return REFUSE(in, "the machine has %zu parameters, not %zu", nlm_machine_parameters(in->machine),
                      parameters);
    memcpy(t->machine->values, in->machine->values, parameters * sizeof(float));
    nlm_status status = read_moments(in, file, "adam.mean", parameters, t->optimizer->mean);
    if (!status)
        status = read_moments(in, file, "adam.square", parameters, t->optimizer->square);
    for (size_t i = 0; i < parameters && !status; i++)
        if (t->optimizer->square[i] < 0)
            status = REFUSE(in, "tensor 'adam.square' holds a negative number");
    if (!status)
        status = get_long(in, "steps", &t->optimizer->steps);
    if (!status)
        status = read_state(in, &t->state);
    if (status)
        return status;
    trainer_go_on(t);
    return NLM_OK;
}

static nlm_status load_trainer(const struct reader *in, const safetensors *file, const nlm_training *training,
                               const nlm_options *options, nlm_trainer **trainer)
{
    nlm_training settings;
    nlm_status status = check_kind(in);
    if (!status)
        status = read_settings(in, &settings);
    if (!status && training) {
        status = nlm_training_compare(&settings, training, in->path, in->error);
        settings.epochs = training->epochs;
    }
    nlm_error cause;
    nlm_trainer *made = NULL;
    if (!status && nlm_trainer_new(&settings, options, &made, &cause))
        return cause.status == NLM_NO_MEMORY ? error_no_memory(in->error) : REFUSE(in, "%s", cause.message);
    if (!status)
        status = fill_trainer(in, file, made);
    if (status)
        nlm_trainer_free(made);
    else
        *trainer = made;
    return status;
}

nlm_status nlm_trainer_load(const char *path, const nlm_training *training, const nlm_options *options,
                            nlm_trainer **trainer, nlm_error *error)
{
    *trainer = NULL;
    nlm_status status = training ? training_check(training, error) : NLM_OK;
    safetensors *file = NULL;
    nlm_machine *machine = NULL;
    if (!status)
        status = safetensors_read(path, &file, error);
    if (!status)
        status = machine_from_safetensors(file, path, &machine, error);
    if (!status) {
        const struct reader in = {.path = path, .machine = machine, .error = error};
        status = load_trainer(&in, file, training, options, trainer);
    }
    nlm_machine_free(machine);
    safetensors_free(file);
    return status;
}
