/* Runs: what learning from examples and from rewards have in common, and checkpoints of both. */
#include "learn/run.h"

#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "machine/model_file.h"

static const char *const stage_names[] = {
    [NLM_LEARNING] = "learning", [NLM_GRADUATED] = "graduated", [NLM_EXHAUSTED] = "exhausted"};
enum { STAGES = sizeof stage_names / sizeof *stage_names };

const struct run_type *run_type_of(const nlm_settings *settings)
{
    return settings->game ? &run_from_rewards : &run_from_examples;
}

/* ---- life ---- */

nlm_status run_check_settings(const nlm_settings *settings, nlm_error *error)
{
    return run_type_of(settings)->check(settings, error);
}

nlm_status run_make(const nlm_settings *settings, const nlm_options *options, nlm_run **run, nlm_error *error)
{
    const struct run_type *type = run_type_of(settings);
    nlm_run *made = memory_new(1, type->size);
    if (!made)
        return error_no_memory(error);
    made->type = type;
    made->settings = *settings;
    nlm_status status = type->init(made, options ? options : &(const nlm_options){.threads = 1}, error);
    if (status) {
        nlm_run_free(made);
        return status;
    }
    made->settings.spec = *nlm_machine_spec(made->machine); /* the caller's may point to what does not last */
    *run = made;
    return NLM_OK;
}

nlm_status nlm_run_new(const nlm_settings *settings, const nlm_options *options, nlm_run **run,
                       nlm_error *error)
{
    REQUIRE(run, error);
    *run = NULL;
    REQUIRE(settings, error);
    nlm_status status = run_check_settings(settings, error);
    return status ? status : run_make(settings, options, run, error);
}

void nlm_run_free(nlm_run *run)
{
    if (!run)
        return;
    run_close_files(run);
    run->type->release(run);
    nlm_optimizer_free(run->optimizer);
    nlm_machine_free(run->machine);
    memory_free(run);
}

/* ---- steps ---- */

nlm_status nlm_run_step(nlm_run *run, bool *round_ended, nlm_error *error)
{
    REQUIRE(run, error);
    bool ended = false;
    if (run->stage != NLM_LEARNING)
        return error_set(error, NLM_BAD_ARGUMENT, "the run has ended");
    nlm_status status = run->type->step(run, &ended, error);
    if (!status && ended) {
        nlm_progress progress;
        nlm_run_progress(run, &progress);
        loss_curve_add(&run->curve, &progress.epoch);
        if (run->checkpoint)
            status = run_write_files(run, error);
    }
    if (round_ended)
        *round_ended = ended;
    return status;
}

nlm_stage nlm_run_stage(const nlm_run *run)
{
    return run->stage;
}

const nlm_settings *nlm_run_settings(const nlm_run *run)
{
    return &run->settings;
}

nlm_machine *nlm_run_machine(nlm_run *run)
{
    return run->machine;
}

void nlm_run_progress(const nlm_run *run, nlm_progress *progress)
{
    *progress = (nlm_progress){.stage = run->stage, .was_done = run->was_done};
    run->type->progress(run, progress);
}

const char *nlm_run_line(const nlm_run *run, char text[NLM_PROGRESS_LINE])
{
    nlm_progress progress;
    nlm_run_progress(run, &progress);
    run->type->line(run, &progress, text);
    return text;
}

void nlm_run_sizes(const nlm_settings *settings, int sizes[NLM_RUN_SIZES])
{
    const nlm_game *game = settings->game;
    const nlm_task *task = settings->task;
    sizes[0] = game ? game->test_objects[0] : task ? task->train_objects : 0;
    sizes[1] = game ? game->test_objects[1] : task ? task->test_objects : 1;
}

/* ---- writing ---- */

/* How the machine was trained: nothing here depends on the clock. */
static nlm_status describe(const nlm_run *run, struct run_pairs *to, nlm_error *error)
{
    run_add_text(to, "protocol", nlm_protocol_name(run->settings.protocol));
    run_add_settings(to, &run->settings);
    run_add_text(to, "graduated", run->stage == NLM_GRADUATED ? "yes" : "no");
    return run->type->describe(run, to, error);
}

nlm_status nlm_run_save_model(nlm_run *run, const char *path, nlm_error *error)
{
    REQUIRE(run && path, error);
    struct run_pairs pairs = {0};
    nlm_status status = describe(run, &pairs, error);
    if (status)
        return status;
    run->type->exchange(run);
    status = nlm_machine_save(run->machine, path, pairs.pairs, pairs.count, error);
    run->type->exchange(run);
    return status;
}

nlm_status nlm_run_save_checkpoint(nlm_run *run, const char *path, nlm_error *error)
{
    REQUIRE(run && path, error);
    struct run_pairs pairs = {0};
    nlm_progress progress;
    nlm_run_progress(run, &progress);
    if (progress.steps > 0 || progress.asked > 0)
        return error_set(error, NLM_BAD_ARGUMENT, "%.120s: a checkpoint is written between two %ss", path,
                         run->type->round);
    nlm_status status = describe(run, &pairs, error);
    run_add_text(&pairs, "state", run->type->file_state);
    run_add_text(&pairs, "stage", stage_names[run->stage]);
    run_add_printed(&pairs, "steps", "%ld", run->optimizer->steps);
    return status ? status : run->type->save(run, path, &pairs, error);
}

/* ---- reading ---- */

/* The settings of the file, completed by those that are wanted (NULL: there are none), which must be of the
 * same run. */
static nlm_status read_settings(const struct run_reader *in, const nlm_settings *wanted,
                                nlm_settings *settings)
{
    const char *state = nlm_machine_metadata(in->machine, "state");
    if (!state)
        return RUN_REFUSE(in, "a model, not a checkpoint");
    nlm_status status = run_get_settings(in, settings);
    const struct run_type *type = run_type_of(settings);
    if (!status && strcmp(state, type->file_state) != 0)
        return RUN_REFUSE(in, "'%.40s' is not what this version writes ('%s')", state, type->file_state);
    if (!status && wanted) {
        status = nlm_settings_compare(settings, wanted, in->path, in->error);
        settings->epochs = wanted->epochs;
        settings->episodes = wanted->episodes;
        settings->problem = wanted->problem;
        settings->task = wanted->task; /* it may have pictures */
    }
    if (!status && !settings->task && !settings->problem && !settings->game)
        return RUN_REFUSE(in, "a run on facts, which are not in the file: name them too");
    if (!status && !wanted && settings->task && settings->data)
        return RUN_REFUSE(in, "a run on pictures, which are not in the file: name them too");
    return status;
}

static nlm_status check_heads(const struct run_reader *in, const nlm_machine *wanted)
{
    bool same = nlm_machine_heads(in->machine) == nlm_machine_heads(wanted);
    for (int h = 0; same && h < nlm_machine_heads(wanted); h++) {
        const nlm_head_spec *a = nlm_machine_head(in->machine, h), *b = nlm_machine_head(wanted, h);
        same = !strcmp(a->name, b->name) && a->arity == b->arity && a->outputs == b->outputs &&
               a->twins == b->twins;
    }
    return same ? NLM_OK : RUN_REFUSE(in, "not the machine of such a run: its heads are others");
}

static nlm_status load(const struct run_reader *in, const nlm_settings *wanted, const nlm_options *options,
                       nlm_run **run)
{
    nlm_settings settings;
    nlm_error cause;
    nlm_run *made = NULL;
    int stage = 0;
    nlm_status status = read_settings(in, wanted, &settings);
    if (status)
        return status;
    if (!wanted) /* else they are checked, and these are the same */
        status = run_check_settings(&settings, &cause);
    if (!status)
        status = run_make(&settings, options, &made, &cause);
    if (status)
        return status == NLM_NO_MEMORY ? error_no_memory(in->error) : RUN_REFUSE(in, "%s", cause.message);
    status = check_heads(in, made->machine);
    if (!status)
        status = run_get_weights(in, made->machine, made->optimizer);
    if (!status)
        status = run_get_word(in, "stage", stage_names, STAGES, &stage);
    if (!status) {
        made->stage = (nlm_stage)stage;
        status = made->type->read(made, in);
    }
    if (!status) {
        nlm_progress progress;
        nlm_run_progress(made, &progress);
        made->curve.restarts = progress.epoch.restarts;
    }
    if (status)
        nlm_run_free(made);
    else
        *run = made;
    return status;
}

nlm_status run_resume(const char *path, const nlm_settings *settings, const nlm_options *options,
                      nlm_run **run, nlm_error *error)
{
    safetensors *file = NULL;
    nlm_machine *machine = NULL;
    nlm_status status = safetensors_read(path, &file, error);
    if (!status)
        status = machine_from_safetensors(file, path, &machine, error);
    if (!status) {
        const struct run_reader in = {.path = path, .file = file, .machine = machine, .error = error};
        status = load(&in, settings, options, run);
    }
    nlm_machine_free(machine);
    safetensors_free(file);
    return status;
}

nlm_status nlm_run_load(const char *path, const nlm_settings *settings, const nlm_options *options,
                        nlm_run **run, nlm_error *error)
{
    REQUIRE(run, error);
    *run = NULL;
    REQUIRE(path, error);
    nlm_status status = settings ? run_check_settings(settings, error) : NLM_OK;
    return status ? status : run_resume(path, settings, options, run, error);
}
