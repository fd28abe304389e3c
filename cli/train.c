/* nlm train: a machine for a task, a game or a user's facts, from nothing to graduation. */
#include "train.h"

#include <stdio.h>
#include <stdlib.h>
#include "commands.h"
#include "message.h"
#include "progress.h"
#include "run.h"

/* ---- one run ---- */

typedef struct watcher {
    progress line;
    bool begun;
} watcher;

static void watch(void *context, const learner *of)
{
    watcher *watching = context;
    char facts[LEARNER_FACTS_SIZE];
    if (!watching->begun) {
        watching->begun = true;
        progress_resume(&watching->line, of->kind->fraction(of));
    }
    if (!progress_due(&watching->line))
        return;
    of->kind->facts(of, facts);
    progress_show(&watching->line, of->kind->fraction(of), "%s", facts);
}

static int say_interrupted(const train_request *request, const report *result)
{
    message_error("train: %s: stopped after %s %d; the same command with --resume goes on",
                  subject_name(&request->subject), request->subject.kind->round, result->rounds);
    return EXIT_SIGNAL + run_interrupted();
}

/* What is in the model of a run that did not graduate. */
static void print_kept(const char *model, const report *result)
{
    if (result->kept > 0 && result->kept < result->rounds)
        printf("%s has the machine of epoch %d, the best of them\n", model, result->kept);
    else
        printf("%s has the machine as it is\n", model);
}

int train_one(const train_request *request)
{
    watcher watching = {0};
    const run one = {.subject = request->subject,
                     .options = request->options,
                     .model = request->output,
                     .log = request->log,
                     .resume = request->resume,
                     .force = request->force,
                     .watch = watch,
                     .context = &watching};
    report result;
    nlm_error error;
    nlm_status status = run_check(&one, &error);
    progress_begin(&watching.line, subject_name(&request->subject), request->quiet);
    if (status == NLM_OK)
        status = run_train(&one, &result, &error);
    progress_end(&watching.line);
    if (status != NLM_OK) {
        message_error("train: %s", error.message);
        return EXIT_FAILURE;
    }
    if (result.stage == NLM_LEARNING)
        return say_interrupted(request, &result);
    if (request->quiet)
        return EXIT_SUCCESS;
    if (result.stage == NLM_GRADUATED || !subject_has_goal(&request->subject)) {
        request->subject.kind->say_graduated(&request->subject, request->output, &result);
    } else {
        request->subject.kind->say_exhausted(&request->subject, &result);
        print_kept(request->output, &result);
    }
    return EXIT_SUCCESS;
}

/* ---- the command ---- */

/* The exit status of a training that cannot even begin, after its error line. */
static int check_settings(const train_request *request)
{
    learner made;
    nlm_error error;
    const nlm_status status = request->subject.kind->begin(&request->subject, NULL, &made, &error);
    learner_end(&made);
    if (status == NLM_NO_MEMORY)
        message_error("train: not enough memory for this machine; try less --width, --depth or --hidden");
    else if (status != NLM_OK)
        message_error("train: %s", error.message);
    return status == NLM_OK ? EXIT_SUCCESS : status == NLM_NO_MEMORY ? EXIT_FAILURE : EXIT_USAGE;
}

int command_train(int argc, char **argv)
{
    train_request request;
    int status;
    if (train_read(argc, argv, &request, &status))
        status = check_settings(&request);
    else
        return status;
    if (status == EXIT_SUCCESS) {
        run_catch_signals();
        status = request.seeds > 0 ? train_seeds(&request) : train_one(&request);
    }
    train_release(&request);
    return status;
}
