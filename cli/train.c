/* nlm train: a machine for a task, a game or a user's facts, from nothing to graduation; one run, or those of
 * several seeds side by side, each followed by its tests. */
#include "train.h"

#include <stdio.h>
#include <stdlib.h>
#include "commands.h"
#include "message.h"
#include "progress.h"
#include "system.h"

/* ---- one run ---- */

/* Until it ends or is interrupted. */
static nlm_status learn(nlm_run *run, progress *line, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (bool begun = false; status == NLM_OK && nlm_run_stage(run) == NLM_LEARNING && !interrupt_seen();) {
        nlm_progress now;
        char text[NLM_PROGRESS_LINE];
        status = nlm_run_step(run, NULL, error);
        if (begun && !progress_due(line))
            continue;
        nlm_run_progress(run, &now);
        if (!begun)
            progress_resume(line, now.fraction);
        begun = true;
        if (progress_due(line))
            progress_show(line, now.fraction, "%s", nlm_run_line(run, text));
    }
    return status;
}

/* Settings that are refused are the fault of the command line. */
static int fail(nlm_status status, const nlm_error *error)
{
    message_error("train: %s", error->message);
    return status == NLM_BAD_ARGUMENT || status == NLM_BAD_SHAPE ? EXIT_USAGE : EXIT_FAILURE;
}

static int train_one(const train_request *request)
{
    const nlm_run_files files = {request->output, request->log, request->resume, request->force};
    nlm_run *run;
    nlm_error error;
    progress line;
    nlm_status status = nlm_run_open(&request->settings, &request->options, &files, &run, &error);
    if (status == NLM_NO_MEMORY) {
        message_error("train: not enough memory for this machine; try less --width, --depth or --hidden");
        return EXIT_FAILURE;
    }
    if (status != NLM_OK)
        return fail(status, &error);
    progress_begin(&line, request->name, request->quiet);
    status = learn(run, &line, &error);
    progress_end(&line);
    int result = EXIT_SUCCESS;
    if (status != NLM_OK) {
        message_error("train: %s", error.message);
        result = EXIT_FAILURE;
    } else if (nlm_run_stage(run) == NLM_LEARNING) {
        nlm_progress so_far;
        nlm_run_progress(run, &so_far);
        message_error("train: %s: stopped after %s %d; continue with the same command and --resume",
                      request->name, request->settings.game != NULL ? "exam" : "epoch", so_far.rounds);
        result = EXIT_SIGNAL + interrupt_seen();
    } else if (!request->quiet) {
        train_print_end(request, run);
    }
    nlm_run_free(run);
    return result;
}

/* ---- several seeds ---- */

typedef struct watcher {
    progress line;
    int seeds;
} watcher;

static bool look(void *context, const nlm_job_progress *jobs)
{
    watcher *watching = context;
    double sum = 0;
    int done = 0;
    for (int i = 0; i < watching->seeds; i++) {
        sum += jobs[i].fraction;
        done += jobs[i].finished;
    }
    progress_show(&watching->line, sum / watching->seeds, "%d of %d seeds done", done, watching->seeds);
    return interrupt_seen() == 0;
}

static int end_seeds(const train_request *request, const nlm_job *jobs)
{
    int result = EXIT_SUCCESS;
    for (int i = 0; i < request->seeds; i++) {
        if (jobs[i].status == NLM_OK)
            continue;
        message_error("train: seed %llu: %s", (unsigned long long)jobs[i].settings.seed,
                      jobs[i].error.message);
        result = EXIT_FAILURE;
    }
    train_print_table(request, jobs);
    if (interrupt_seen() == 0)
        return result;
    message_error("train: stopped; continue with the same command and --resume");
    return EXIT_SIGNAL + interrupt_seen();
}

static int train_jobs(const train_request *request, nlm_job *jobs)
{
    const nlm_run_files files = {.resume = request->resume, .force = request->force};
    watcher watching = {.seeds = request->seeds};
    const nlm_pool_options how = {.threads = request->options.threads, .look = look, .context = &watching};
    nlm_error error;
    nlm_status status = NLM_OK;
    for (int i = 0; i < request->seeds && status == NLM_OK; i++) {
        status = nlm_job_init(&jobs[i], &request->settings, &request->options, &files, request->output,
                              request->settings.seed + (uint64_t)i, &error);
        jobs[i].worlds = request->worlds;
    }
    if (status != NLM_OK)
        return fail(status, &error);
    progress_begin(&watching.line, request->name, request->quiet);
    status = nlm_run_pool(jobs, request->seeds, &how, &error);
    progress_end(&watching.line);
    return status == NLM_OK ? end_seeds(request, jobs) : fail(status, &error);
}

static int train_seeds(const train_request *request)
{
    nlm_error error;
    if (nlm_folder_make(request->output, &error) != NLM_OK) {
        message_error("train: %s; with --seeds, -o names a folder", error.message);
        return EXIT_FAILURE;
    }
    nlm_job *jobs = calloc((size_t)request->seeds, sizeof *jobs);
    if (jobs == NULL) {
        message_error("train: not enough memory");
        return EXIT_FAILURE;
    }
    const int status = train_jobs(request, jobs);
    for (int i = 0; i < request->seeds; i++)
        nlm_job_release(&jobs[i]);
    free(jobs);
    return status;
}

/* ---- the command ---- */

int command_train(int argc, char **argv)
{
    train_request request;
    int status;
    if (!train_read(argc, argv, &request, &status))
        return status;
    interrupt_catch();
    status = request.seeds > 0 ? train_seeds(&request) : train_one(&request);
    train_release(&request);
    return status;
}
