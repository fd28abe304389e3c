/* One run of training with its files.
 *
 * The order of writing makes every moment safe to be killed at: a round is logged, then the checkpoint
 * replaces the one before; at the end the model is written, then the checkpoint is removed or marked as
 * ended.  A run that is taken up again repeats at most one round, with the same bits. */
#include "run.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "message.h"

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
    struct sigaction hangup;
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* as nohup leaves it */
        sigaction(SIGHUP, &action, NULL);
}

int run_interrupted(void)
{
    return atomic_load(&signal_seen);
}

/* ---- files ---- */

static nlm_status checkpoint_path(const run *job, char path[PATH_MOST], nlm_error *error)
{
    if (job->model[0] == '\0')
        return message_fill(error, NLM_BAD_ARGUMENT, "the model needs a name");
    if (snprintf(path, PATH_MOST, "%s.checkpoint", job->model) < PATH_MOST)
        return NLM_OK;
    return message_fill(error, NLM_BAD_ARGUMENT, "%.60s...: the name is too long", job->model);
}

static bool exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

/* Whether the model is what this run made, as it was after so many rounds. */
static bool model_is_of(const char *model, const subject *settings, int rounds)
{
    nlm_machine *machine;
    report made = {0};
    if (nlm_machine_load(model, &machine, NULL) != NLM_OK)
        return false;
    const bool same = subject_check(settings, machine, model, NULL) == NLM_OK;
    settings->kind->recall(machine, &made);
    nlm_machine_free(machine);
    return same && made.rounds == rounds;
}

/* The run of a checkpoint: its settings, which may point into what was loaded, and how far it has come. */
typedef struct earlier {
    subject settings;
    report so_far;
    learner loaded;
    nlm_machine *peeked; /* of facts, which cannot be loaded without them */
} earlier;

static void forget(earlier *found)
{
    learner_end(&found->loaded);
    nlm_machine_free(found->peeked);
}

static nlm_status look_at(const char *checkpoint, earlier *found, nlm_error *error)
{
    nlm_error cause;
    if (learner_peek(checkpoint, &found->settings, &found->so_far, &found->peeked))
        return NLM_OK;
    if (learner_load(checkpoint, NULL, NULL, &found->loaded, &cause) != NLM_OK)
        return message_fill(error, NLM_BAD_FILE, "%.400s; --force starts over and replaces it",
                            cause.message);
    found->loaded.kind->settings(&found->loaded, &found->settings);
    found->loaded.kind->record(&found->loaded, &found->so_far);
    return NLM_OK;
}

/* To begin: no checkpoint would be lost that is of a run without its model, or that cannot be read. */
static nlm_status check_beginning(const run *job, const char *checkpoint, nlm_error *error)
{
    earlier found = {0};
    if (!exists(checkpoint))
        return NLM_OK;
    nlm_status status = look_at(checkpoint, &found, error);
    const int rounds = found.so_far.rounds;
    if (status == NLM_OK && rounds > 0 &&
        (found.so_far.stage == NLM_LEARNING || !model_is_of(job->model, &found.settings, rounds)))
        status = message_fill(
            error, NLM_BAD_ARGUMENT,
            "%.200s: a run of %s was stopped here after %s %d; --resume goes on, --force starts over",
            checkpoint, subject_name(&found.settings), found.settings.kind->round, rounds);
    forget(&found);
    return status;
}

/* To go on: what is there, checkpoint or model, is of this very run. */
static nlm_status check_resuming(const run *job, const char *checkpoint, nlm_error *error)
{
    learner going = {0};
    nlm_machine *machine = NULL;
    nlm_status status = NLM_OK;
    if (exists(checkpoint)) {
        status = learner_load(checkpoint, &job->subject, &job->options, &going, error);
    } else if (exists(job->model)) {
        status = nlm_machine_load(job->model, &machine, error);
        if (status == NLM_OK)
            status = subject_check(&job->subject, machine, job->model, error);
    }
    learner_end(&going);
    nlm_machine_free(machine);
    return status;
}

nlm_status run_check(const run *job, nlm_error *error)
{
    char checkpoint[PATH_MOST];
    struct stat status;
    nlm_lock *lock = NULL;
    nlm_status result = checkpoint_path(job, checkpoint, error);
    if (result == NLM_OK)
        result = nlm_lock_take(job->model, &lock, error); /* a run that is alive has it */
    nlm_lock_release(lock);
    if (result != NLM_OK)
        return result;
    if (stat(job->model, &status) == 0 && !S_ISREG(status.st_mode))
        return message_fill(error, NLM_BAD_ARGUMENT, "%.200s: not a file that a model can replace",
                            job->model);
    if (job->log != NULL && (nlm_file_same(job->log, job->model) || nlm_file_same(job->log, checkpoint)))
        return message_fill(error, NLM_BAD_ARGUMENT, "%.200s: the log would be in the place of the model",
                            job->log);
    if (job->resume)
        return check_resuming(job, checkpoint, error);
    return job->force ? NLM_OK : check_beginning(job, checkpoint, error);
}

/* ---- beginning ---- */

/* Whether the model is already what the run would make; run_check has compared the settings. */
static bool is_done(const run *job, report *result)
{
    nlm_machine *machine;
    if (nlm_machine_load(job->model, &machine, NULL) != NLM_OK)
        return false;
    const char *graduated = nlm_machine_metadata(machine, "graduated");
    result->was_done = graduated != NULL && strcmp(graduated, "yes") == 0;
    if (result->was_done) {
        result->stage = NLM_GRADUATED;
        job->subject.kind->recall(machine, result);
    }
    nlm_machine_free(machine);
    return result->was_done;
}

/* A learner at its checkpoint or at the beginning; the first checkpoint shows that files can be written. */
static nlm_status begin(const run *job, const char *checkpoint, learner *made, bool *refused,
                        nlm_error *error)
{
    if (job->resume && exists(checkpoint))
        return learner_load(checkpoint, &job->subject, &job->options, made, error);
    nlm_status status = job->subject.kind->begin(&job->subject, &job->options, made, error);
    *refused = status == NLM_BAD_ARGUMENT;
    if (status == NLM_OK)
        status = made->kind->save_checkpoint(made, checkpoint, error);
    return status;
}

/* ---- the run ---- */

static nlm_status end_round(const run *job, learner *of, FILE *log, const char *checkpoint, report *result,
                            nlm_error *error)
{
    nlm_status status = NLM_OK;
    of->kind->record(of, result);
    if (log != NULL)
        status = of->kind->log(result, &job->subject, log, job->log, error);
    return status == NLM_OK ? of->kind->save_checkpoint(of, checkpoint, error) : status;
}

static nlm_status learn(const run *job, learner *of, FILE *log, const char *checkpoint, report *result,
                        nlm_error *error)
{
    nlm_status status = NLM_OK;
    while (status == NLM_OK && of->kind->stage(of) == NLM_LEARNING && !run_interrupted()) {
        bool ended;
        status = of->kind->step(of, &ended, error);
        if (status == NLM_OK && ended)
            status = end_round(job, of, log, checkpoint, result, error);
        if (status == NLM_OK && job->watch != NULL)
            job->watch(job->context, of);
    }
    if (status != NLM_OK || of->kind->stage(of) == NLM_LEARNING)
        return status;
    status = of->kind->save_model(of, job->model, error);
    if (status == NLM_OK && of->kind->stage(of) == NLM_GRADUATED && unlink(checkpoint) != 0)
        status = message_fill(error, NLM_IO_ERROR, "%.200s: cannot remove: %s", checkpoint, strerror(errno));
    return status;
}

/* While the lock on the model is held. */
static nlm_status train_locked(const run *job, const char *checkpoint, report *result, nlm_error *error)
{
    if (job->resume && !exists(checkpoint) && is_done(job, result))
        return NLM_OK;
    learner made = {0};
    FILE *log = NULL;
    nlm_status status = job->log != NULL ? nlm_log_check(job->log, error) : NLM_OK;
    if (status == NLM_OK)
        status = begin(job, checkpoint, &made, &result->refused, error);
    if (status == NLM_OK) {
        made.kind->record(&made, result);
        if (job->log != NULL)
            status = nlm_log_open(job->log, made.kind->round, result->rounds, &log, error);
    }
    if (status == NLM_OK)
        status = learn(job, &made, log, checkpoint, result, error);
    if (log != NULL && fclose(log) != 0 && status == NLM_OK)
        status =
            message_fill(error, NLM_IO_ERROR, "%.200s: cannot write the log: %s", job->log, strerror(errno));
    learner_end(&made);
    return status;
}

nlm_status run_train(const run *job, report *result, nlm_error *error)
{
    char checkpoint[PATH_MOST];
    nlm_lock *lock;
    *result = (report){0};
    nlm_status status = checkpoint_path(job, checkpoint, error);
    if (status == NLM_OK)
        status = nlm_lock_take(job->model, &lock, error);
    if (status != NLM_OK)
        return status;
    if (lock != NULL) {
        nlm_file_tidy(job->model);
        nlm_file_tidy(checkpoint);
    }
    status = train_locked(job, checkpoint, result, error);
    nlm_lock_release(lock);
    return status;
}
