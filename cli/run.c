/* One run of training with its files.
 *
 * The order of writing makes every moment safe to be killed at: an epoch is logged, then the checkpoint
 * replaces the one before; at the end the model is written, then the checkpoint is removed or marked as
 * ended. A run that is taken up again repeats at most one epoch, with the same bits. */
#include "run.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "metrics.h"

enum { PATH_MOST = 4096 };

/* ---- signals ---- */

static atomic_int signal_seen; /* read by all threads */

static void note_signal(int number)
{
    atomic_store(&signal_seen, number);
}

void run_catch_signals(void)
{
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file over the limit of the user is an error to report */
}

int run_interrupted(void)
{
    return atomic_load(&signal_seen);
}

/* ---- files ---- */

__attribute__((format(printf, 3, 4))) static nlm_status fail(nlm_error *error, nlm_status status,
                                                             const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error->status = status;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

static nlm_status checkpoint_path(const run *job, char path[PATH_MOST], nlm_error *error)
{
    if (job->model[0] == '\0')
        return fail(error, NLM_BAD_ARGUMENT, "the model needs a name");
    if (snprintf(path, PATH_MOST, "%s.checkpoint", job->model) < PATH_MOST)
        return NLM_OK;
    return fail(error, NLM_BAD_ARGUMENT, "%.60s...: the name is too long", job->model);
}

static bool exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

/* A number from the metadata of a file that anyone may have written; 0 if there is none. */
static long metadata_number(const nlm_machine *machine, const char *key)
{
    const char *text = nlm_machine_metadata(machine, key);
    const double number = text != NULL ? strtod(text, NULL) : 0;
    return number >= 0 && number <= 1e15 ? (long)number : 0;
}

/* Whether the model is what this run made, as it was after an epoch. */
static bool model_is_of(const char *model, const nlm_training *training, int epoch)
{
    nlm_machine *machine;
    nlm_training found;
    if (nlm_machine_load(model, &machine, NULL) != NLM_OK)
        return false;
    const bool same = nlm_training_of(machine, model, &found, NULL) == NLM_OK &&
                      nlm_training_compare(&found, training, model, NULL) == NLM_OK &&
                      metadata_number(machine, "epoch") == epoch;
    nlm_machine_free(machine);
    return same;
}

/* To begin: no checkpoint would be lost that is of a run without its model, or that cannot be read. */
static nlm_status check_beginning(const run *job, const char *checkpoint, nlm_error *error)
{
    nlm_trainer *trainer;
    nlm_error cause;
    if (!exists(checkpoint))
        return NLM_OK;
    if (nlm_trainer_load(checkpoint, NULL, NULL, &trainer, &cause) != NLM_OK)
        return fail(error, NLM_BAD_FILE, "%.400s; --force starts over and replaces it", cause.message);
    const nlm_training *settings = nlm_trainer_settings(trainer);
    const int epoch = nlm_trainer_epoch(trainer)->epoch;
    const bool ended = nlm_trainer_stage(trainer) != NLM_LEARNING && model_is_of(job->model, settings, epoch);
    const char *task = settings->task->name;
    nlm_trainer_free(trainer);
    if (ended || epoch == 0)
        return NLM_OK;
    return fail(error, NLM_BAD_ARGUMENT,
                "%.200s: a run of %s was stopped here after epoch %d; --resume goes on, --force starts over",
                checkpoint, task, epoch);
}

/* To go on: what is there, checkpoint or model, is of this very run. */
static nlm_status check_resuming(const run *job, const char *checkpoint, nlm_error *error)
{
    nlm_trainer *trainer = NULL;
    nlm_machine *machine = NULL;
    nlm_training found;
    nlm_status status = NLM_OK;
    if (exists(checkpoint)) {
        status = nlm_trainer_load(checkpoint, &job->training, &job->options, &trainer, error);
    } else if (exists(job->model)) {
        status = nlm_machine_load(job->model, &machine, error);
        if (status == NLM_OK)
            status = nlm_training_of(machine, job->model, &found, error);
        if (status == NLM_OK)
            status = nlm_training_compare(&found, &job->training, job->model, error);
    }
    nlm_trainer_free(trainer);
    nlm_machine_free(machine);
    return status;
}

static bool same_file(const char *a, const char *b)
{
    struct stat status_a, status_b;
    return strcmp(a, b) == 0 || (stat(a, &status_a) == 0 && stat(b, &status_b) == 0 &&
                                 status_a.st_dev == status_b.st_dev && status_a.st_ino == status_b.st_ino);
}

nlm_status run_check(const run *job, nlm_error *error)
{
    char checkpoint[PATH_MOST];
    struct stat status;
    nlm_status result = checkpoint_path(job, checkpoint, error);
    if (result != NLM_OK)
        return result;
    if (stat(job->model, &status) == 0 && !S_ISREG(status.st_mode))
        return fail(error, NLM_BAD_ARGUMENT, "%.200s: not a file that a model can replace", job->model);
    if (job->log != NULL && (same_file(job->log, job->model) || same_file(job->log, checkpoint)))
        return fail(error, NLM_BAD_ARGUMENT, "%.200s: the log would be in the place of the model", job->log);
    if (job->resume)
        return check_resuming(job, checkpoint, error);
    return job->force ? NLM_OK : check_beginning(job, checkpoint, error);
}

/* ---- beginning ---- */

/* Whether the model is already what the run would make; run_check has compared the settings. */
static bool is_done(const run *job, run_result *result)
{
    nlm_machine *machine;
    if (nlm_machine_load(job->model, &machine, NULL) != NLM_OK)
        return false;
    const char *graduated = nlm_machine_metadata(machine, "graduated");
    const char *loss = nlm_machine_metadata(machine, "loss");
    result->was_done = graduated != NULL && strcmp(graduated, "yes") == 0;
    if (result->was_done) {
        result->stage = NLM_GRADUATED;
        result->epoch = (nlm_epoch){.epoch = (int)metadata_number(machine, "epoch"),
                                    .examples = metadata_number(machine, "examples"),
                                    .restarts = (int)metadata_number(machine, "restarts"),
                                    .loss = loss != NULL ? strtod(loss, NULL) : 0};
    }
    nlm_machine_free(machine);
    return result->was_done;
}

/* A trainer at its checkpoint or at the beginning; the first checkpoint shows that files can be written. */
static nlm_status begin(const run *job, const char *checkpoint, nlm_trainer **trainer, nlm_error *error)
{
    if (job->resume && exists(checkpoint))
        return nlm_trainer_load(checkpoint, &job->training, &job->options, trainer, error);
    nlm_status status = nlm_trainer_new(&job->training, &job->options, trainer, error);
    if (status == NLM_OK)
        status = nlm_trainer_save_checkpoint(*trainer, checkpoint, error);
    return status;
}

/* ---- the run ---- */

static nlm_status end_epoch(const run *job, nlm_trainer *trainer, FILE *log, const char *checkpoint,
                            run_result *result, nlm_error *error)
{
    const nlm_epoch *epoch = nlm_trainer_epoch(trainer);
    curve_add(&result->curve, epoch->loss);
    if (epoch->restarts != result->epoch.restarts)
        result->curve = (curve){0}; /* new weights, new curve */
    result->epoch = *epoch;
    nlm_status status = NLM_OK;
    if (log != NULL)
        status =
            metrics_write(log, job->log, epoch, (long)job->training.batch * job->training.batches, error);
    return status == NLM_OK ? nlm_trainer_save_checkpoint(trainer, checkpoint, error) : status;
}

static nlm_status learn(const run *job, nlm_trainer *trainer, FILE *log, const char *checkpoint,
                        run_result *result, nlm_error *error)
{
    nlm_status status = NLM_OK;
    while (status == NLM_OK && nlm_trainer_stage(trainer) == NLM_LEARNING && !run_interrupted()) {
        bool ended;
        status = nlm_trainer_step(trainer, &ended, error);
        if (status == NLM_OK && ended)
            status = end_epoch(job, trainer, log, checkpoint, result, error);
        if (status == NLM_OK && job->watch != NULL)
            job->watch(job->context, trainer);
    }
    if (status != NLM_OK || nlm_trainer_stage(trainer) == NLM_LEARNING)
        return status;
    status = nlm_trainer_save_model(trainer, job->model, error);
    if (status == NLM_OK && nlm_trainer_stage(trainer) == NLM_GRADUATED && unlink(checkpoint) != 0)
        status = fail(error, NLM_IO_ERROR, "%.200s: cannot remove: %s", checkpoint, strerror(errno));
    return status;
}

nlm_status run_train(const run *job, run_result *result, nlm_error *error)
{
    char checkpoint[PATH_MOST];
    *result = (run_result){0};
    nlm_status status = checkpoint_path(job, checkpoint, error);
    if (status != NLM_OK)
        return status;
    if (job->resume && !exists(checkpoint) && is_done(job, result))
        return NLM_OK;
    nlm_trainer *trainer = NULL;
    FILE *log = NULL;
    if (job->log != NULL)
        status = metrics_check(job->log, error);
    if (status == NLM_OK)
        status = begin(job, checkpoint, &trainer, error);
    if (status == NLM_OK) {
        result->from_epoch = nlm_trainer_epoch(trainer)->epoch;
        if (job->log != NULL)
            status = metrics_open(job->log, result->from_epoch, &log, error);
    }
    if (status == NLM_OK)
        status = learn(job, trainer, log, checkpoint, result, error);
    if (trainer != NULL) {
        result->stage = nlm_trainer_stage(trainer);
        result->epoch = *nlm_trainer_epoch(trainer);
    }
    if (log != NULL && fclose(log) != 0 && status == NLM_OK)
        status = fail(error, NLM_IO_ERROR, "%.200s: cannot write the log: %s", job->log, strerror(errno));
    nlm_trainer_free(trainer);
    return status;
}
