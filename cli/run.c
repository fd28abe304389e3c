/* One run of training with its files.
 *
 * The order of writing makes every moment safe to be killed at: an epoch is logged, then the checkpoint
 * replaces the one before; at the end the model is written, then the checkpoint is removed or marked as
 * ended. A run that is taken up again repeats at most one epoch, with the same bits. */
#include "run.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "metrics.h"

enum { PATH_MOST = 4096 };

/* ---- signals ---- */

static volatile sig_atomic_t signal_seen;

static void note_signal(int number)
{
    signal_seen = number;
}

void run_catch_signals(void)
{
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file over the limit of the user is an error to report */
}

int run_interrupted(void)
{
    return (int)signal_seen;
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
    if (snprintf(path, PATH_MOST, "%s.checkpoint", job->model) < PATH_MOST)
        return NLM_OK;
    return fail(error, NLM_BAD_ARGUMENT, "%.60s...: the name is too long", job->model);
}

static bool exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

/* A checkpoint that would be lost: of a run that has not ended, or that cannot be read. */
static nlm_status check_no_loss(const char *path, nlm_error *error)
{
    nlm_trainer *trainer;
    nlm_error cause;
    if (nlm_trainer_load(path, NULL, NULL, &trainer, &cause) != NLM_OK)
        return fail(error, NLM_BAD_FILE, "%s; --force starts over and replaces it", cause.message);
    const nlm_stage stage = nlm_trainer_stage(trainer);
    const int epoch = nlm_trainer_epoch(trainer)->epoch;
    const char *task = nlm_trainer_settings(trainer)->task->name;
    nlm_trainer_free(trainer);
    if (stage == NLM_EXHAUSTED || epoch == 0)
        return NLM_OK;
    return fail(error, NLM_BAD_ARGUMENT,
                "%s: a run of %s was stopped here after epoch %d; --resume goes on, --force starts over",
                path, task, epoch);
}

nlm_status run_check(const run *job, nlm_error *error)
{
    char path[PATH_MOST];
    struct stat status;
    nlm_status result = checkpoint_path(job, path, error);
    if (result != NLM_OK)
        return result;
    if (stat(job->model, &status) == 0 && !S_ISREG(status.st_mode))
        return fail(error, NLM_BAD_ARGUMENT, "%s: not a file that a model can replace", job->model);
    if (job->resume || job->force || !exists(path))
        return NLM_OK;
    return check_no_loss(path, error);
}

/* ---- beginning ---- */

/* Whether the model is already what the run would make. */
static bool is_done(const run *job, run_result *result)
{
    nlm_machine *machine;
    nlm_training found;
    if (nlm_machine_load(job->model, &machine, NULL) != NLM_OK)
        return false;
    const char *graduated = nlm_machine_metadata(machine, "graduated");
    const bool same = nlm_training_of(machine, job->model, &found, NULL) == NLM_OK &&
                      nlm_training_compare(&found, &job->training, job->model, NULL) == NLM_OK &&
                      graduated != NULL && strcmp(graduated, "yes") == 0;
    if (same) {
        const char *epoch = nlm_machine_metadata(machine, "epoch");
        const char *examples = nlm_machine_metadata(machine, "examples");
        const char *restarts = nlm_machine_metadata(machine, "restarts");
        const char *loss = nlm_machine_metadata(machine, "loss");
        result->stage = NLM_GRADUATED;
        result->was_done = true;
        result->epoch = (nlm_epoch){.epoch = epoch ? atoi(epoch) : 0,
                                    .examples = examples ? atol(examples) : 0,
                                    .restarts = restarts ? atoi(restarts) : 0,
                                    .loss = loss ? atof(loss) : 0};
    }
    nlm_machine_free(machine);
    return same;
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
        status = fail(error, NLM_IO_ERROR, "%s: cannot remove: %s", checkpoint, strerror(errno));
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
        status = fail(error, NLM_IO_ERROR, "%s: cannot write the log: %s", job->log, strerror(errno));
    nlm_trainer_free(trainer);
    return status;
}
