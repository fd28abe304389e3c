/* The files of a run: model, checkpoint, log and lock.
 *
 * The order of writing makes every moment safe to be killed at:
 *
 *     after each round    log, then checkpoint, which replaces the one before
 *     after the last      log, checkpoint with its stage "graduated" or "exhausted", model; after graduation
 *                         the checkpoint is removed
 *
 * Killed between log and checkpoint, the run repeats that round with the same bits, and nlm_log_open drops
 * the line that would be there twice.  Killed between checkpoint and model, nlm_run_open finds that the run
 * has ended and writes the model.  Single files are whole or not there (base/file.c).
 *
 * A checkpoint stays after NLM_EXHAUSTED: with a larger budget the run can go on from it.  No checkpoint of
 * an unfinished run is overwritten unless the caller says so (`force`).
 *
 * What nlm_run_open does with the files that it finds:
 *
 *     checkpoint, model     asked to begin             asked to resume
 *     none, none            begin                      begin
 *     unfinished, any       refuse, unless forced      go on
 *     ended, none           refuse, unless forced      go on if the budget is larger, else write the model
 *     ended, of that run    begin                      the same
 *     none, graduated       begin                      nothing is left to do
 *     unreadable, any       refuse, unless forced      refuse
 *
 * Where a run begins, its first checkpoint is written at once and the old model stays until the new one is
 * there.  To resume, settings must be those of the file, the budget left out. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "base/memory.h"
#include "learn/run.h"
#include "nlm/log.h"

/* A symbolic link counts, even if it leads nowhere: somebody put it there. */
static bool exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

/* To be freed. */
static nlm_status checkpoint_path(const char *model, char **path, nlm_error *error)
{
    static const char ending[] = ".checkpoint";
    if (!model || !*model)
        return error_set(error, NLM_BAD_FILE, "the model needs a name");
    const size_t size = strlen(model) + sizeof ending;
    *path = memory_new(size, 1);
    if (!*path)
        return error_no_memory(error);
    snprintf(*path, size, "%s%s", model, ending);
    return NLM_OK;
}

/* ---- files of earlier runs ---- */

/* Rounds that a model or checkpoint has behind it: exams of a game, epochs of all others.  0 if neither is
 * in its metadata. */
static int rounds_of(const nlm_machine *machine)
{
    static const struct state_row rows[] = {
        {"exams", STATE_INT, 0, 1e9}, {"epoch", STATE_INT, sizeof(int), 1e9}, {0}};
    int rounds[2];
    run_recall_state(machine, rows, rounds);
    return rounds[0] > 0 ? rounds[0] : rounds[1];
}

/* To go on without a checkpoint: the model, if it is there, is of this very run. */
static nlm_status check_model(const char *model, const nlm_settings *settings, nlm_machine **machine,
                              nlm_error *error)
{
    nlm_settings found;
    nlm_status status = nlm_machine_load(model, machine, error);
    if (!status)
        status = nlm_settings_of_machine(*machine, model, &found, error);
    return status ? status : nlm_settings_compare(&found, settings, model, error);
}

/* To begin: no checkpoint would be lost that is of a run without its model, or that cannot be read.
 *
 * A checkpoint may be replaced if it is not worth keeping: no round has ended in it, or the run has ended and
 * its model is there, of the same settings after the same number of rounds. */
static nlm_status check_beginning(const nlm_run_files *files, const char *checkpoint, nlm_error *error)
{
    nlm_machine *machine, *model = NULL;
    nlm_settings found;
    nlm_error cause;
    if (!exists(checkpoint))
        return NLM_OK;
    /* the errors of all these steps lead to one message: the file is there, and is not understood */
    nlm_status status = nlm_machine_load(checkpoint, &machine, &cause);
    if (!status)
        status = nlm_settings_of_machine(machine, checkpoint, &found, &cause);
    const char *stage = machine ? nlm_machine_metadata(machine, "stage") : NULL;
    if (!status && !stage)
        status = error_set(&cause, NLM_BAD_FILE, "%.200s: a model, not a checkpoint", checkpoint);
    if (status == NLM_NO_MEMORY)
        (void)error_no_memory(error);
    else if (status)
        status = error_set(error, NLM_BAD_FILE, "%.400s; --force starts over and replaces it", cause.message);
    else if (rounds_of(machine) > 0 &&
             (!strcmp(stage, "learning") || check_model(files->model, &found, &model, NULL) ||
              rounds_of(model) != rounds_of(machine))) /* the model is not of that run after its last round */
        status = error_set(
            error, NLM_BAD_FILE,
            "%.200s: a run of %s was stopped here after %s %d; --resume continues it, --force starts over",
            checkpoint, settings_learned_name(&found), run_type_of(&found)->round, rounds_of(machine));
    nlm_machine_free(model);
    nlm_machine_free(machine);
    return status;
}

/* Refused before anything is computed: a folder or device in the model's place, and a log that would
 * overwrite the model or the checkpoint. */
static nlm_status check_paths(const nlm_run_files *files, const char *checkpoint, nlm_error *error)
{
    struct stat status;
    if (!stat(files->model, &status) && !S_ISREG(status.st_mode))
        return error_set(error, NLM_BAD_FILE, "%.200s: not a file that a model can replace", files->model);
    if (files->log && (nlm_file_same(files->log, files->model) || nlm_file_same(files->log, checkpoint)))
        return error_set(error, NLM_BAD_FILE, "%.200s: the log would be in the place of the model",
                         files->log);
    return NLM_OK;
}

/* A run at its checkpoint, or one whose model is there already; *run stays NULL if it is to begin.  A model
 * without a checkpoint is of a run that graduated.  If it is of these settings there is nothing to learn: the
 * run gets its figures from the model's metadata, for progress and reports.  If it did not graduate, its
 * checkpoint was deleted by somebody, and the run begins again. */
static nlm_status resume(const nlm_settings *settings, const nlm_options *options, const nlm_run_files *files,
                         const char *checkpoint, nlm_run **run, nlm_error *error)
{
    if (exists(checkpoint))
        return run_resume(checkpoint, settings, options, run, error);
    if (!exists(files->model))
        return NLM_OK;
    nlm_machine *machine = NULL;
    nlm_status status = check_model(files->model, settings, &machine, error);
    const char *graduated = status ? NULL : nlm_machine_metadata(machine, "graduated");
    if (graduated && !strcmp(graduated, "yes"))
        status = run_make(settings, options, run, error);
    if (*run) {
        (*run)->stage = NLM_GRADUATED;
        (*run)->was_done = true;
        (*run)->type->recall(*run, machine);
    }
    nlm_machine_free(machine);
    return status;
}

/* Settings that are refused are NLM_BAD_ARGUMENT or NLM_BAD_SHAPE; files are never.  Callers rely on it: a
 * run pool counts the former as a run that cannot exist, the latter as one that failed. */
static nlm_status blame_file(nlm_status status, nlm_error *error)
{
    if (status != NLM_BAD_ARGUMENT && status != NLM_BAD_SHAPE)
        return status;
    if (error)
        error->status = NLM_BAD_FILE;
    return NLM_BAD_FILE;
}

/* The same checks as nlm_run_open, before a long job is begun; nlm_run_open makes them once more, since files
 * may change in between. */
nlm_status nlm_run_check_files(const nlm_settings *settings, const nlm_run_files *files, nlm_error *error)
{
    REQUIRE(settings && files, error);
    nlm_lock *lock = NULL;
    nlm_machine *machine = NULL;
    char *checkpoint;
    nlm_status status = checkpoint_path(files->model, &checkpoint, error);
    if (status)
        return status;
    /* Taken and released at once: this function must leave nothing behind, and nlm_run_open takes it again.
     * A run that is alive has it.  Processes that share a folder would be in each other's way. */
    if (!files->shared)
        status = nlm_lock_take(files->model, &lock, error);
    nlm_lock_release(lock);
    if (!status)
        status = check_paths(files, checkpoint, error);
    if (!status && !files->resume && !files->force)
        status = check_beginning(files, checkpoint, error);
    if (!status && files->resume && (exists(checkpoint) || exists(files->model))) {
        const char *there = exists(checkpoint) ? checkpoint : files->model;
        status = blame_file(check_model(there, settings, &machine, error), error);
    }
    nlm_machine_free(machine);
    memory_free(checkpoint);
    return status;
}

/* ---- opening ---- */

/* While the lock is held.  Settings are refused before files; the first checkpoint shows that files can be
 * written. */
static nlm_status open_locked(const nlm_settings *settings, const nlm_options *options,
                              const nlm_run_files *files, const char *checkpoint, nlm_run **run,
                              nlm_error *error)
{
    nlm_status status = check_paths(files, checkpoint, error);
    /* a log that cannot be written is found now, not after the first round */
    if (!status && files->log)
        status = nlm_log_check(files->log, error);
    if (!status && files->resume)
        status = blame_file(resume(settings, options, files, checkpoint, run, error), error);
    if (status || *run)
        return status;
    status = run_make(settings, options, run, error);
    if (!status && !files->resume && !files->force)
        status = check_beginning(files, checkpoint, error);
    return status ? status : nlm_run_save_checkpoint(*run, checkpoint, error);
}

/* Settings, lock, left-over temporary files, run, log, in this order.  Once the run is made it owns lock and
 * checkpoint path, and nlm_run_free releases all of it. */
nlm_status nlm_run_open(const nlm_settings *settings, const nlm_options *options, const nlm_run_files *files,
                        nlm_run **run, nlm_error *error)
{
    REQUIRE(settings && files && run, error);
    nlm_lock *lock = NULL;
    nlm_run *made = NULL;
    char *checkpoint = NULL;
    *run = NULL;
    nlm_status status = run_check_settings(settings, error);
    if (!status)
        status = checkpoint_path(files->model, &checkpoint, error);
    if (!status)
        status = nlm_lock_take(files->model, &lock, error);
    /* only who has the lock may remove temporary files: they could be those of a run that is alive */
    if (!status && lock) {
        nlm_file_tidy(files->model);
        nlm_file_tidy(checkpoint);
    }
    if (!status)
        status = open_locked(settings, options, files, checkpoint, &made, error);
    if (!made) {
        nlm_lock_release(lock);
        memory_free(checkpoint);
        return status;
    }
    /* from here on the run owns them */
    made->files = *files;
    made->checkpoint = checkpoint;
    made->lock = lock;
    /* a run with nothing left to do does not touch its log */
    if (!status && files->log && !made->was_done) {
        nlm_progress progress;
        nlm_run_progress(made, &progress);
        status = nlm_log_open(files->log, made->type->round, progress.rounds, &made->log, error);
    }
    /* perhaps it was killed before its model was written */
    if (!status && made->stage != NLM_LEARNING && !made->was_done)
        status = run_write_model(made, error);
    if (!status)
        status = run_begin_rules(made, error);
    if (status)
        nlm_run_free(made);
    else
        *run = made;
    return status;
}

/* ---- rounds ---- */

/* The checkpoint is removed last: until the model is on the disk it is all that there is of the run. */
nlm_status run_write_model(nlm_run *run, nlm_error *error)
{
    nlm_status status = nlm_run_save_model(run, run->files.model, error);
    if (!status && run->stage == NLM_GRADUATED && unlink(run->checkpoint))
        status =
            error_set(error, NLM_IO_ERROR, "%.200s: cannot remove: %s", run->checkpoint, strerror(errno));
    return status;
}

/* The order of the table at the top of the file.  If a file cannot be written the run could go on in memory,
 * but its caller gets the error: a run that cannot be resumed is not what was asked for. */
nlm_status run_write_files(nlm_run *run, nlm_error *error)
{
    nlm_progress progress;
    nlm_status status = NLM_OK;
    nlm_run_progress(run, &progress);
    if (run->log && run->settings.game)
        status = nlm_log_write_exam(run->log, run->files.log, &progress.exam, error);
    else if (run->log)
        status = nlm_log_write_epoch(run->log, run->files.log, &progress.epoch,
                                     (long)run->settings.batch * run->settings.batches, error);
    if (!status)
        status = nlm_run_save_checkpoint(run, run->checkpoint, error);
    return status || run->stage == NLM_LEARNING ? status : run_write_model(run, error);
}

/* Every line of the log was flushed, and checked, when it was written. */
void run_close_files(nlm_run *run)
{
    if (run->log)
        fclose(run->log);
    nlm_lock_release(run->lock);
    memory_free(run->checkpoint);
}
