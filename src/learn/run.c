/* Runs: what learning from examples and from rewards have in common, and their files: pairs of texts,
 * moments, and how both are read again.
 *
 * A model is a machine with metadata that say how it was trained.  A checkpoint is the same and all else that
 * the run consists of: moments, counters, lists, tensors of its kind.  Nothing in a model depends on the
 * clock, so equal settings give equal files.
 *
 * Reading has two depths.  nlm_settings_of_machine reads only the settings, for commands that show or compare
 * models.  run_resume rebuilds the run: settings, machine, weights, moments, then the state of its kind.
 *
 *     spec      depth = 4, breadth = 3, inputs = [0, 0, 4, 0], ...             by the machine (model_save.c)
 *     settings  protocol = best, seed = 1, ..., lr = 0.005, ..., patience = 10
 *     kind      graduated = no, task = has-father, epoch = 2, ..., kernel = avx512
 *     and of checkpoints: state = checkpoint 1, stage = exhausted, steps = 500, next_world = 17000, ... */
#include "learn/run.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "learn/validation.h"
#include "machine/model_file.h"
#include "nlm/version.h"

/* Words of files: changing one makes older checkpoints unreadable. */
static const char *const stage_names[] = {
    [NLM_LEARNING] = "learning", [NLM_GRADUATED] = "graduated", [NLM_EXHAUSTED] = "exhausted"};
static const char *const answers[] = {"no", "yes"};
enum { LARGER = 5 }; /* times the objects learned from, in the second test of a task that does not say */
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

/* The struct is zeroed, so nlm_run_free can release it at any point of a failed `init`. */
nlm_status run_make(const nlm_settings *settings, const nlm_options *options, nlm_run **run, nlm_error *error)
{
    const struct run_type *type = run_type_of(settings);
    nlm_run *made = memory_new(1, type->size);
    if (!made)
        return error_no_memory(error);
    made->type = type;
    made->settings = *settings;
    made->options = options ? *options : (nlm_options){.threads = 1};
    nlm_status status = type->init(made, &made->options, error);
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

/* Whatever was not written is lost, as after a kill; the checkpoint of the last round is on the disk. */
void nlm_run_free(nlm_run *run)
{
    if (!run)
        return;
    run_close_files(run);
    run_end_rules(run);
    run->type->release(run);
    nlm_optimizer_free(run->optimizer);
    nlm_machine_free(run->machine);
    nlm_signature_free(run->own_signature);
    memory_free(run);
}

/* ---- steps ---- */

/* One step of the kind, and what both kinds do at the end of a round: the curve for advice, then the files. A
 * run whose stage has changed in this step has its model written before the call returns. */
nlm_status nlm_run_step(nlm_run *run, bool *round_ended, nlm_error *error)
{
    REQUIRE(run, error);
    /* `ended` may be set although the status is an error: the round was learned, but its files could not be
     * written.  The caller sees the error first. */
    bool ended = false;
    if (run->stage != NLM_LEARNING)
        return error_set(error, NLM_BAD_ARGUMENT, "the run has ended");
    if (run->search) {
        if (round_ended)
            *round_ended = false;
        return run_step_rules(run, error);
    }
    nlm_status status = run->type->step(run, &ended, error);
    if (!status && ended) {
        nlm_progress progress;
        nlm_run_progress(run, &progress);
        /* a game has no epochs: its curve is all 0, and advice does not look at it */
        loss_curve_add(&run->curve, &progress.epoch);
        if (run->checkpoint)
            status = run_write_files(run, error);
        if (!status)
            status = run_begin_rules(run, error);
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
    progress->finding_rules = run->search && run->stage == NLM_LEARNING;
    if (progress->finding_rules)
        progress->fraction = 1;
    const nlm_program *program = run->search ? nlm_rule_search_program(run->search) : NULL;
    progress->literals = program ? nlm_program_measure(program).literals : 0;
}

const char *nlm_run_line(const nlm_run *run, char text[NLM_PROGRESS_LINE])
{
    nlm_progress progress;
    nlm_run_progress(run, &progress);
    if (run->validation && progress.finding_rules)
        return validation_line(run->validation, text);
    if (progress.finding_rules)
        return nlm_rule_search_line(run->search, text);
    run->type->line(run, &progress, text);
    return text;
}

/* Facts have no second size: their two tests are on what was learned from (0) and what was held out (1). */
void nlm_run_sizes(const nlm_settings *settings, int sizes[NLM_RUN_SIZES])
{
    const nlm_game *game = settings->game;
    const nlm_task *task = settings->task;
    sizes[0] = game ? game->test_objects[0] : task ? task->train_objects : 0;
    sizes[1] = game ? game->test_objects[1] : task ? task->test_objects : 1;
    if (task && task->generate && task->test_objects == 0)
        sizes[1] = LARGER * task->train_objects;
}

/* ---- writing ---- */

void run_add_text(struct run_pairs *to, const char *key, const char *text)
{
    /* RUN_MOST_PAIRS is far above the number of settings and states, so there is no check here */
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

/* One text per row, in the order of the table.  %.17g gives every double back bit by bit. */
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

/* "Same seed, same bits" holds per kernel, so the file says which kernel computed it.  "Best" is resolved as
 * kernel_choose does: the last in the list that this processor has. */
void run_add_maker(struct run_pairs *to, const nlm_options *options)
{
    nlm_kernel kernel = options->kernel;
    for (int k = NLM_KERNEL_AVX512; kernel == NLM_KERNEL_BEST && k > NLM_KERNEL_BEST; k--)
        if (nlm_kernel_available((nlm_kernel)k))
            kernel = (nlm_kernel)k;
    run_add_text(to, "version", nlm_version());
    run_add_text(to, "kernel", nlm_kernel_name(kernel));
}

safetensors_entry run_tensor(const char *name, size_t count, const float *values)
{
    return (safetensors_entry){.name = name, .dimensions = 1, .shape = {(int64_t)count}, .values = values};
}

/* Moments that are not finite are refused here and not when the file is read: the message can still name the
 * cause, and the earlier checkpoint stays in its place. */
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
    safetensors_entry entries[MOST_ENTRIES] = {run_tensor("adam.mean", parameters, optimizer->mean),
                                               run_tensor("adam.square", parameters, optimizer->square)};
    int count = 2;
    for (int m = 0; m < more_count && count < MOST_ENTRIES; m++)
        entries[count++] = more[m];
    return machine_save_with(machine, path, pairs->pairs, pairs->count, entries, count, error);
}

/* How the machine was trained: protocol, settings, whether it graduated, then the metadata of its kind.
 * Nothing here depends on the clock. */
static nlm_status describe(const nlm_run *run, struct run_pairs *to, nlm_error *error)
{
    run_add_text(to, "protocol", nlm_protocol_name(run->settings.protocol));
    const struct settings_table table = settings_table_of(&run->settings);
    for (const nlm_setting *row = NULL; (row = setting_next(&table, row)) != NULL;)
        if (!model_is_own_key(row->name)) { /* which the machine's own metadata hold */
            setting_print(row, &run->settings, to->texts[to->count]);
            if (!row->seldom || strcmp(to->texts[to->count], row->absent) != 0)
                run_add_text(to, row->name, to->texts[to->count]);
        }
    run_add_text(to, "graduated", run->stage == NLM_GRADUATED ? "yes" : "no");
    return run->type->describe(run, to, error);
}

/* Possible at any time, also in the middle of a round: the file then has the machine as it is. */
nlm_status nlm_run_save_model(nlm_run *run, const char *path, nlm_error *error)
{
    REQUIRE(run && path, error);
    struct run_pairs pairs = {0};
    nlm_status status = describe(run, &pairs, error);
    if (status)
        return status;
    /* the file gets the best or averaged parameters; afterwards the run has its own again, whether or not
     * writing failed */
    run->type->exchange(run);
    status = nlm_machine_save(run->machine, path, pairs.pairs, pairs.count, error);
    run->type->exchange(run);
    return status;
}

/* The metadata of a model, three keys of any run, then those of its kind and its tensors (type->save). */
nlm_status nlm_run_save_checkpoint(nlm_run *run, const char *path, nlm_error *error)
{
    REQUIRE(run && path, error);
    struct run_pairs pairs = {0};
    /* inside a round there are sums, batches and half an exam that no file holds */
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

nlm_status run_get_text(const struct run_reader *in, const char *key, const char **text)
{
    *text = nlm_machine_metadata(in->machine, key);
    return *text ? NLM_OK : RUN_REFUSE(in, "metadata '%s' is missing", key);
}

/* Which of the names the text is. */
static nlm_status get_word(const struct run_reader *in, const char *key, const char *const *names, int count,
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

/* The value is in the row's range, so no conversion overflows. */
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

/* The inverse of run_add_state.  The message of a refusal has the key, the text and the range. */
nlm_status run_get_state(const struct run_reader *in, const struct state_row *rows, void *state)
{
    nlm_status status = NLM_OK;
    for (const struct state_row *row = rows; row->key && !status; row++) {
        const char *text;
        double value = 0;
        int answer = 0;
        status = run_get_text(in, row->key, &text);
        if (!status && row->kind == STATE_FLAG) {
            status = get_word(in, row->key, answers, 2, &answer);
            value = answer;
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
    /* models of other versions, or of other programs, may lack keys: nothing is refused */
    for (const struct state_row *row = rows; row->key; row++) {
        const char *text = nlm_machine_metadata(machine, row->key);
        double value;
        set_state(row, state, text && read_number(text, row, &value) ? value : 0);
    }
}

/* strtoull alone would accept blanks and signs before the digits; "-1" would be read as 2^64 - 1. */
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

/* A task or game of a program's own is only there if it is the wanted one. */
static bool is_wanted(const nlm_settings *wanted, const char *name)
{
    return wanted && (wanted->task || wanted->game) && !strcmp(settings_learned_name(wanted), name);
}

/* One key names both: names of tasks and games differ. */
static nlm_status get_task_or_game(const struct run_reader *in, const nlm_settings *wanted,
                                   nlm_settings *settings)
{
    const char *name;
    nlm_status status = run_get_text(in, "task", &name);
    if (status)
        return status;
    settings->task = nlm_task_find(name);
    settings->game = settings->task ? NULL : nlm_game_find(name);
    if (!settings->task && !settings->game && is_wanted(wanted, name)) {
        settings->task = wanted->task;
        settings->game = wanted->game;
    }
    if (!settings->task && !settings->game)
        return RUN_REFUSE(in, "there is no task or game '%.60s'", name);
    return settings->task && settings->task->sense ? get_data(in, settings) : NLM_OK;
}

/* All settings; of facts without the problem, of pictures without the gallery.  What is learned is found
 * first, since it decides which rows there are.  A setting that older versions did not have gets its value
 * of then (nlm_setting_in); one that every version has must be there. */
static nlm_status get_settings(const struct run_reader *in, const nlm_settings *wanted,
                               nlm_settings *settings)
{
    /* a task of a program's own has both */
    const bool facts =
        nlm_machine_metadata(in->machine, "signature") && !nlm_machine_metadata(in->machine, "task");
    *settings = (nlm_settings){.spec = *nlm_machine_spec(in->machine)};
    const char *text;
    nlm_status status = facts ? get_data(in, settings) : get_task_or_game(in, wanted, settings);
    if (!status)
        status = settings_recall_size(in->machine, settings, in->error);
    if (!status)
        status = run_get_text(in, "protocol", &text);
    if (!status && !nlm_protocol_find(text, &settings->protocol))
        return RUN_REFUSE(in, "there is no protocol '%.60s'", text);
    const struct settings_table table = settings_table_of(settings);
    /* depth, width and others of the spec were read with the machine */
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

/* For models and checkpoints alike: both have all settings in their metadata. */
nlm_status nlm_settings_of_machine(const nlm_machine *machine, const char *name, nlm_settings *settings,
                                   nlm_error *error)
{
    REQUIRE(machine && name && settings, error);
    const struct run_reader in = {.path = name, .machine = machine, .error = error};
    return get_settings(&in, NULL, settings);
}

/* NaN and infinity are refused: from such moments no step would lead anywhere, and no run writes them. */
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

/* Parameters and moments, into a machine and an optimiser made for the settings.  Both machines have the same
 * spec, since the settings are the file's; heads were compared before (check_heads), so equal counts mean
 * equal tensors.  Squares below 0 would make Adam divide by a NaN. */
static nlm_status get_weights(const struct run_reader *in, nlm_machine *machine, nlm_optimizer *optimizer)
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
    /* Adam's corrections depend on the number of steps */
    static const struct state_row steps[] = {
        {"steps", STATE_LONG, offsetof(struct nlm_optimizer, steps), STATE_MOST}, {0}};
    return status ? status : run_get_state(in, steps, optimizer);
}

/* The settings of the file, completed by those that are wanted (NULL: there are none), which must be of the
 * same run.  From `wanted` come the budget, which may have grown since, and what no file holds: the problem,
 * and a task with its gallery. */
static nlm_status read_settings(const struct run_reader *in, const nlm_settings *wanted,
                                nlm_settings *settings)
{
    const char *state = nlm_machine_metadata(in->machine, "state");
    if (!state)
        return RUN_REFUSE(in, "a model, not a checkpoint");
    nlm_status status = get_settings(in, wanted, settings);
    const struct run_type *type = run_type_of(settings);
    if (!status && strcmp(state, type->file_state) != 0)
        return RUN_REFUSE(in, "'%.40s' is not what this version writes ('%s')", state, type->file_state);
    /* rows marked `may_change` are the budget: nlm_settings_compare passes over them */
    const bool older = !nlm_machine_metadata(in->machine, "polish"); /* than polishing */
    if (!status && wanted && older) {
        settings->polish = wanted->polish;
        settings->polish_objects = wanted->polish_objects;
        settings->polish_lr = wanted->polish_lr;
    }
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

/* The heads follow from what is learned; a file that has others was not written by such a run. */
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

/* A new run of the file's settings, whose state is then replaced by that of the file.  Errors of the steps in
 * between speak of settings; here the file is to blame, so they are reported as errors of the file. */
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
        status = get_weights(in, made->machine, made->optimizer);
    if (!status)
        status = get_word(in, "stage", stage_names, STAGES, &stage);
    if (!status) {
        made->stage = (nlm_stage)stage;
        status = made->type->read(made, in);
    }
    if (!status) {
        /* so that the first epoch is not taken for one with new weights (loss_curve_add) */
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

/* The file is read once; the machine in it serves as the source of metadata and weights, and is freed. */
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
