/* nlm train --seeds: runs of several seeds side by side, each followed by its tests, and one table.
 *
 * Each thread takes the next seed until none is left; a run itself has one thread.  The main thread only
 * shows how far they are.  FOLDER/seed-N.nlm is the model of seed N, FOLDER/seed-N.jsonl its metrics. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include "commands.h"
#include "message.h"
#include "progress.h"
#include "run.h"
#include "train.h"

enum { PATH_SIZE = 4096, LOOK_MILLISECONDS = 100 };

typedef struct seed_run {
    struct crew *crew;
    run run;
    char model[PATH_SIZE], log[PATH_SIZE];
    nlm_status status;
    nlm_error error;
    report result;
    mark marks[LEARNER_SIZES];
    /* for the progress, under the crew's lock */
    double fraction;
    bool done;
} seed_run;

typedef struct crew {
    const train_request *request;
    seed_run *runs;
    int next;  /* seed that nobody has taken */
    int ended; /* threads */
    pthread_mutex_t lock;
} crew;

/* ---- in the threads ---- */

static void set_fraction(seed_run *of, double fraction)
{
    pthread_mutex_lock(&of->crew->lock);
    of->fraction = fraction;
    pthread_mutex_unlock(&of->crew->lock);
}

static void watch(void *context, const learner *of)
{
    set_fraction(context, of->kind->fraction(of));
}

static nlm_status test_model(seed_run *of)
{
    const subject *learned = &of->run.subject;
    nlm_machine *machine;
    int sizes[LEARNER_SIZES];
    learned->kind->sizes(learned, sizes);
    nlm_status status = nlm_machine_load(of->model, &machine, &of->error);
    for (int size = 0; size < LEARNER_SIZES && status == NLM_OK; size++)
        status = learned->kind->test(machine, learned, sizes[size], of->crew->request->worlds,
                                     &of->run.options, run_interrupted, &of->marks[size], &of->error);
    nlm_machine_free(machine);
    return status;
}

static void *work(void *context)
{
    crew *all = context;
    for (;;) {
        pthread_mutex_lock(&all->lock);
        const int index = run_interrupted() ? all->request->seeds : all->next++;
        all->ended += index >= all->request->seeds;
        pthread_mutex_unlock(&all->lock);
        if (index >= all->request->seeds)
            return NULL;
        seed_run *of = &all->runs[index];
        of->status = run_train(&of->run, &of->result, &of->error);
        if (of->status == NLM_OK && of->result.stage != NLM_LEARNING)
            of->status = test_model(of);
        pthread_mutex_lock(&all->lock);
        of->fraction = 1;
        of->done = true;
        pthread_mutex_unlock(&all->lock);
    }
}

/* ---- in the main thread ---- */

static void show_crew(progress *line, crew *all)
{
    pthread_mutex_lock(&all->lock);
    double sum = 0;
    int done = 0;
    for (int i = 0; i < all->request->seeds; i++) {
        sum += all->runs[i].fraction;
        done += all->runs[i].done;
    }
    pthread_mutex_unlock(&all->lock);
    progress_show(line, sum / all->request->seeds, "%d of %d seeds done", done, all->request->seeds);
}

/* Start the threads, wait for them; false when not even one could be started. */
static bool run_crew(crew *all)
{
    const train_request *request = all->request;
    const int wanted = request->options.threads < request->seeds ? request->options.threads : request->seeds;
    pthread_t *threads = calloc((size_t)wanted, sizeof *threads);
    int started = 0;
    while (threads != NULL && started < wanted && pthread_create(&threads[started], NULL, work, all) == 0)
        started++;
    progress line;
    progress_begin(&line, subject_name(&request->subject), request->quiet);
    for (bool going = started > 0; going;) {
        const struct timespec pause = {.tv_nsec = LOOK_MILLISECONDS * 1000000L};
        nanosleep(&pause, NULL);
        show_crew(&line, all);
        pthread_mutex_lock(&all->lock);
        going = all->ended < started;
        pthread_mutex_unlock(&all->lock);
    }
    progress_end(&line);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    return started > 0;
}

static void print_table(const crew *all)
{
    const train_request *request = all->request;
    const subject *learned = &request->subject;
    int graduated = 0, flawless = 0, sizes[LEARNER_SIZES];
    learned->kind->sizes(learned, sizes);
    learned->kind->print_head(sizes);
    for (int i = 0; i < request->seeds; i++) {
        const seed_run *of = &all->runs[i];
        const uint64_t seed = subject_seed(&of->run.subject);
        if (!of->done || of->status != NLM_OK || !of->marks[LEARNER_SIZES - 1].whole) {
            printf("%6llu  not finished\n", (unsigned long long)seed);
            continue;
        }
        learned->kind->print_row(seed, &of->result, of->marks);
        if (of->result.stage != NLM_GRADUATED)
            continue;
        graduated++;
        flawless += of->marks[0].flawless && of->marks[1].flawless;
    }
    learned->kind->print_sum(learned, request->seeds, graduated, flawless, request->worlds);
}

/* ---- beginning and end ---- */

static bool make_folder(const char *path)
{
    struct stat status;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &status) == 0 && S_ISDIR(status.st_mode)))
        return true;
    message_error("train: %s: cannot make the folder: %s", path, strerror(errno));
    return false;
}

static bool prepare(crew *all, int index)
{
    const train_request *request = all->request;
    seed_run *of = &all->runs[index];
    const unsigned long long seed = subject_seed(&request->subject) + (uint64_t)index;
    if (snprintf(of->model, PATH_SIZE, "%s/seed-%llu.nlm", request->output, seed) >= PATH_SIZE ||
        snprintf(of->log, PATH_SIZE, "%s/seed-%llu.jsonl", request->output, seed) >= PATH_SIZE) {
        message_error("train: %.60s...: the name is too long", request->output);
        return false;
    }
    of->crew = all;
    of->run = (run){.subject = request->subject,
                    .options = request->options,
                    .model = of->model,
                    .log = of->log,
                    .resume = request->resume,
                    .force = request->force,
                    .watch = watch,
                    .context = of};
    subject_set_seed(&of->run.subject, seed);
    of->run.options.threads = 1;
    if (run_check(&of->run, &of->error) == NLM_OK)
        return true;
    message_error("train: %s", of->error.message);
    return false;
}

static int end(const crew *all)
{
    int failed = 0;
    for (int i = 0; i < all->request->seeds; i++) {
        if (all->runs[i].status != NLM_OK) {
            message_error("train: seed %llu: %s", (unsigned long long)subject_seed(&all->runs[i].run.subject),
                          all->runs[i].error.message);
            failed++;
        }
    }
    print_table(all);
    if (run_interrupted()) {
        message_error("train: stopped; the same command with --resume goes on");
        return EXIT_SIGNAL + run_interrupted();
    }
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int train_seeds(const train_request *request)
{
    crew all = {.request = request, .lock = PTHREAD_MUTEX_INITIALIZER};
    if (!make_folder(request->output))
        return EXIT_FAILURE;
    all.runs = calloc((size_t)request->seeds, sizeof *all.runs);
    bool ready = all.runs != NULL;
    if (!ready)
        message_error("train: not enough memory");
    for (int i = 0; i < request->seeds && ready; i++)
        ready = prepare(&all, i);
    if (ready && !run_crew(&all)) {
        message_error("train: cannot start a thread");
        ready = false;
    }
    const int status = ready ? end(&all) : EXIT_FAILURE;
    free(all.runs);
    return status;
}
