/* nlm train --seeds: runs of several seeds side by side, each followed by its tests, and one table. */
#include <stdio.h>
#include <stdlib.h>
#include "commands.h"
#include "crew.h"
#include "message.h"
#include "progress.h"
#include "train.h"

static void show_crew(void *context, crew *all)
{
    double sum = 0;
    int done = 0;
    pthread_mutex_lock(&all->lock);
    for (int i = 0; i < all->count; i++) {
        sum += all->runs[i].fraction;
        done += crew_finished(&all->runs[i]);
    }
    pthread_mutex_unlock(&all->lock);
    progress_show(context, sum / all->count, "%d of %d seeds done", done, all->count);
}

static void print_table(const train_request *request, const crew_run *runs)
{
    const subject *learned = &request->subject;
    int graduated = 0, flawless = 0, sizes[LEARNER_SIZES];
    learned->kind->sizes(learned, sizes);
    learned->kind->print_head(sizes);
    for (int i = 0; i < request->seeds; i++) {
        const crew_run *of = &runs[i];
        const uint64_t seed = subject_seed(&of->run.subject);
        if (!crew_finished(of)) {
            printf("%6llu  not finished\n", (unsigned long long)seed);
            continue;
        }
        learned->kind->print_row(seed, &of->result, of->scores);
        if (of->result.stage != NLM_GRADUATED)
            continue;
        graduated++;
        flawless += of->scores[0].first_failure < 0 && of->scores[1].first_failure < 0;
    }
    learned->kind->print_sum(learned, request->seeds, graduated, flawless, request->worlds);
}

static int end(const train_request *request, const crew_run *runs)
{
    int failed = 0;
    for (int i = 0; i < request->seeds; i++) {
        if (runs[i].status != NLM_OK) {
            message_error("train: seed %llu: %s", (unsigned long long)subject_seed(&runs[i].run.subject),
                          runs[i].error.message);
            failed++;
        }
    }
    print_table(request, runs);
    if (run_interrupted()) {
        message_error("train: stopped; the same command with --resume goes on");
        return EXIT_SIGNAL + run_interrupted();
    }
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* False after an error line. */
static bool prepare(const train_request *request, crew_run *runs)
{
    const run like = {.subject = request->subject,
                      .options = request->options,
                      .resume = request->resume,
                      .force = request->force};
    nlm_error error;
    for (int i = 0; i < request->seeds; i++) {
        const uint64_t seed = subject_seed(&request->subject) + (uint64_t)i;
        if (crew_place(&runs[i], &like, request->output, seed, &error) != NLM_OK) {
            message_error("train: %s", error.message);
            return false;
        }
    }
    return true;
}

static int train_and_test(const train_request *request, crew_run *runs)
{
    progress line;
    crew all = {.runs = runs,
                .count = request->seeds,
                .threads = request->options.threads,
                .worlds = request->worlds,
                .look = show_crew,
                .context = &line};
    if (!prepare(request, runs))
        return EXIT_FAILURE;
    progress_begin(&line, subject_name(&request->subject), request->quiet);
    const bool worked = crew_work(&all);
    progress_end(&line);
    if (worked)
        return end(request, runs);
    message_error("train: cannot start a thread");
    return EXIT_FAILURE;
}

int train_seeds(const train_request *request)
{
    nlm_error error;
    if (!crew_make_folder(request->output, &error)) {
        message_error("train: %s; with --seeds, -o names a folder", error.message);
        return EXIT_FAILURE;
    }
    crew_run *runs = calloc((size_t)request->seeds, sizeof *runs);
    if (runs == NULL) {
        message_error("train: not enough memory");
        return EXIT_FAILURE;
    }
    const int status = train_and_test(request, runs);
    for (int i = 0; i < request->seeds; i++)
        crew_release(&runs[i]);
    free(runs);
    return status;
}
