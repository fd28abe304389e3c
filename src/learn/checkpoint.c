/* The files of a run: models, and checkpoints to go on from.
 *
 * A checkpoint is a model file with two tensors more, Adam's moments, and more metadata; docs/formats.md
 * lists all of it.  Numbers are written so that reading gives the same bits.  Reading trusts nothing. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "learn/run_file.h"
#include "learn/trainer.h"
#include "learn/settings.h"
#include "machine/model_file.h"

#define CHECKPOINT_STATE "checkpoint 1" /* metadata 'state'; another number is another version's */
static const char *const stage_names[] = {
    [NLM_LEARNING] = "learning", [NLM_GRADUATED] = "graduated", [NLM_EXHAUSTED] = "exhausted"};
enum { STAGES = sizeof stage_names / sizeof *stage_names };

enum { MOST_EPOCHS = 1000000, FAILURE_TEXT_SIZE = MOST_FAILURES * 21 + 1 };

static void add_problem(struct run_pairs *to, const nlm_trainer *t, const char *signature)
{
    run_add_text(to, "signature", signature);
    run_add_printed(to, "data", "%" PRIu64, t->settings.data);
    run_add_printed(to, "best_epoch", "%d", nlm_trainer_best_epoch(t));
}

/* The signature of a problem as text; it stays with the problem. */
static nlm_status signature_text(const nlm_trainer *t, const char **text, nlm_error *error)
{
    *text = NULL;
    return t->settings.problem ? nlm_signature_text(nlm_problem_signature(t->settings.problem), text, error)
                               : NLM_OK;
}

/* How the machine was trained: nothing here depends on the clock. */
static void add_training(struct run_pairs *to, const nlm_trainer *t, const char *signature)
{
    const nlm_epoch *epoch = &t->state.epoch;
    if (t->settings.task)
        run_add_text(to, "task", t->settings.task->name);
    else
        add_problem(to, t, signature);
    if (t->settings.task && t->settings.task->sense)
        run_add_printed(to, "data", "%" PRIu64, t->settings.data);
    run_add_text(to, "protocol", nlm_protocol_name(t->settings.protocol));
    run_add_settings(to, &t->settings);
    run_add_printed(to, "epoch", "%d", epoch->epoch);
    run_add_printed(to, "examples", "%ld", epoch->examples);
    run_add_printed(to, "drawn", "%ld", epoch->drawn);
    run_add_printed(to, "restarts", "%d", epoch->restarts);
    run_add_printed(to, "loss", "%.17g", epoch->loss);
    run_add_text(to, "graduated", t->state.stage == NLM_GRADUATED ? "yes" : "no");
    run_add_maker(to, &t->examiner.evaluator->options);
}

/* Exchange the parameters for the best ones, and back. */
static void exchange_best(nlm_trainer *t)
{
    for (size_t i = 0; i < nlm_machine_parameters(t->machine); i++) {
        const float value = t->machine->values[i];
        t->machine->values[i] = t->best[i];
        t->best[i] = value;
    }
}

nlm_status nlm_trainer_save_model(nlm_trainer *t, const char *path, nlm_error *error)
{
    const char *signature;
    nlm_status status = signature_text(t, &signature, error);
    if (status)
        return status;
    struct run_pairs pairs = {0};
    add_training(&pairs, t, signature);
    const bool other = t->best && nlm_trainer_best_epoch(t) != t->state.epoch.epoch;
    if (other)
        exchange_best(t);
    status = nlm_machine_save(t->machine, path, pairs.pairs, pairs.count, error);
    if (other)
        exchange_best(t);
    return status;
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
    const char *signature;
    nlm_status status = signature_text(t, &signature, error);
    if (status)
        return status;
    char failures[FAILURE_TEXT_SIZE];
    print_failures(state, failures);
    struct run_pairs pairs = {0};
    run_add_text(&pairs, "state", CHECKPOINT_STATE);
    run_add_text(&pairs, "stage", stage_names[state->stage]);
    add_training(&pairs, t, signature);
    run_add_printed(&pairs, "steps", "%ld", t->optimizer->steps);
    run_add_printed(&pairs, "next_world", "%" PRIu64, state->next_world);
    run_add_printed(&pairs, "begun", "%d", state->begun);
    run_add_printed(&pairs, "patient", "%d", state->patient);
    run_add_printed(&pairs, "next_failure", "%d", state->next_failure);
    run_add_text(&pairs, "failures", failures);
    run_add_printed(&pairs, "accuracy", "%.17g", state->epoch.accuracy);
    run_add_printed(&pairs, "elapsed", "%.17g", state->epoch.elapsed);
    if (!t->best)
        return run_save(t->machine, t->optimizer, t->settings.lr, path, &pairs, NULL, 0, error);
    run_add_printed(&pairs, "best_failed", "%zu", state->best_failed);
    run_add_printed(&pairs, "best_loss", "%.17g", state->best_loss);
    const safetensors_entry best = {.name = "best",
                                    .dimensions = 1,
                                    .shape = {(int64_t)nlm_machine_parameters(t->machine)},
                                    .values = t->best};
    return run_save(t->machine, t->optimizer, t->settings.lr, path, &pairs, &best, 1, error);
}

/* ---- reading checkpoints ---- */

static nlm_status check_kind(const struct run_reader *in)
{
    const char *state = nlm_machine_metadata(in->machine, "state");
    if (!state)
        return RUN_REFUSE(in, "a model, not a checkpoint");
    if (strcmp(state, CHECKPOINT_STATE) != 0)
        return RUN_REFUSE(in, "'%.40s' is not what this version writes ('%s')", state, CHECKPOINT_STATE);
    return NLM_OK;
}

/* The machine has the heads of such a run. */
static nlm_status check_heads(const struct run_reader *in, const nlm_settings *settings)
{
    nlm_head_spec wanted[NLM_MAX_HEADS];
    const int heads = settings_heads(settings, wanted);
    bool same = nlm_machine_heads(in->machine) == heads;
    for (int h = 0; h < heads && same; h++) {
        const nlm_head_spec *head = nlm_machine_head(in->machine, h);
        same = !strcmp(head->name, wanted[h].name) && head->arity == wanted[h].arity && head->outputs == 1;
    }
    return same ? NLM_OK : RUN_REFUSE(in, "not the machine of a run: it must have one head with one output");
}

static nlm_status read_failures(const struct run_reader *in, struct trainer_state *state)
{
    const char *text;
    nlm_status status = run_get_text(in, "failures", &text);
    while (!status && *text) {
        char *end;
        errno = 0;
        unsigned long long number = strtoull(text, &end, 10);
        if (errno || *text < '0' || *text > '9' || (*end && *end != ' ') || state->failures == MOST_FAILURES)
            return RUN_REFUSE(in, "metadata 'failures' is no list of up to %d numbers", MOST_FAILURES);
        state->failure[state->failures++] = number;
        text = *end ? end + 1 : end;
    }
    return status;
}

static nlm_status read_epoch(const struct run_reader *in, nlm_epoch *epoch)
{
    nlm_status status = run_get_int(in, "epoch", MOST_EPOCHS, &epoch->epoch);
    if (!status)
        status = run_get_long(in, "examples", &epoch->examples);
    if (!status)
        status = run_get_long(in, "drawn", &epoch->drawn);
    if (!status)
        status = run_get_int(in, "restarts", MOST_EPOCHS, &epoch->restarts);
    if (!status)
        status = run_get_real(in, "loss", &epoch->loss);
    if (!status)
        status = run_get_real(in, "accuracy", &epoch->accuracy);
    if (!status && epoch->accuracy > 1)
        return RUN_REFUSE(in, "metadata 'accuracy' is above 1");
    return status ? status : run_get_real(in, "elapsed", &epoch->elapsed);
}

static nlm_status read_state(const struct run_reader *in, struct trainer_state *state)
{
    long next_world = 0;
    int stage = 0;
    nlm_status status = run_get_word(in, "stage", stage_names, STAGES, &stage);
    if (!status)
        status = read_epoch(in, &state->epoch);
    if (!status)
        status = run_get_long(in, "next_world", &next_world);
    if (!status)
        status = run_get_int(in, "begun", MOST_EPOCHS, &state->begun);
    if (!status)
        status = run_get_int(in, "patient", MOST_EPOCHS, &state->patient);
    if (!status)
        status = read_failures(in, state);
    if (!status)
        status = run_get_int(in, "next_failure", MOST_FAILURES, &state->next_failure);
    if (!status && (state->failures ? state->next_failure >= state->failures : state->next_failure > 0))
        return RUN_REFUSE(in, "metadata 'next_failure' is beyond the failures");
    state->stage = (nlm_stage)stage;
    state->next_world = (uint64_t)next_world;
    return status;
}

static nlm_status read_best(const struct run_reader *in, nlm_trainer *t)
{
    long failed = 0;
    nlm_status status = run_get_int(in, "best_epoch", MOST_EPOCHS, &t->state.best_epoch);
    if (!status)
        status = run_get_long(in, "best_failed", &failed);
    if (!status)
        status = run_get_real(in, "best_loss", &t->state.best_loss);
    t->state.best_failed = (size_t)failed;
    return status ? status : run_get_tensor(in, "best", nlm_machine_parameters(t->machine), t->best);
}

/* A trainer for the settings, with the parameters, moments and numbers of the file. */
static nlm_status fill_trainer(const struct run_reader *in, nlm_trainer *t)
{
    nlm_status status = run_get_weights(in, t->machine, t->optimizer);
    if (!status)
        status = read_state(in, &t->state);
    if (!status && t->best)
        status = read_best(in, t);
    if (status)
        return status;
    trainer_go_on(t);
    return NLM_OK;
}

static nlm_status load_trainer(const struct run_reader *in, const nlm_settings *training,
                               const nlm_options *options, nlm_trainer **trainer)
{
    nlm_settings settings;
    nlm_status status = check_kind(in);
    if (!status)
        status = run_get_settings(in, &settings);
    if (!status && training) {
        status = nlm_settings_compare(&settings, training, in->path, in->error);
        settings.epochs = training->epochs;
        settings.problem = training->problem;
        settings.task = training->task; /* it may have pictures */
    }
    if (!status && !settings.task && !settings.problem)
        return RUN_REFUSE(in, "a run on facts, which are not in the file: name them too");
    if (!status && !training && settings.task && settings.data)
        return RUN_REFUSE(in, "a run on pictures, which are not in the file: name them too");
    if (!status)
        status = check_heads(in, &settings);
    nlm_error cause;
    nlm_trainer *made = NULL;
    if (!status && nlm_trainer_new(&settings, options, &made, &cause))
        return cause.status == NLM_NO_MEMORY ? error_no_memory(in->error)
                                             : RUN_REFUSE(in, "%s", cause.message);
    if (!status)
        status = fill_trainer(in, made);
    if (status)
        nlm_trainer_free(made);
    else
        *trainer = made;
    return status;
}

nlm_status nlm_trainer_load(const char *path, const nlm_settings *training, const nlm_options *options,
                            nlm_trainer **trainer, nlm_error *error)
{
    *trainer = NULL;
    nlm_status status = training ? settings_check_examples(training, error) : NLM_OK;
    safetensors *file = NULL;
    nlm_machine *machine = NULL;
    if (!status)
        status = safetensors_read(path, &file, error);
    if (!status)
        status = machine_from_safetensors(file, path, &machine, error);
    if (!status) {
        const struct run_reader in = {.path = path, .file = file, .machine = machine, .error = error};
        status = load_trainer(&in, training, options, trainer);
    }
    nlm_machine_free(machine);
    safetensors_free(file);
    return status;
}
