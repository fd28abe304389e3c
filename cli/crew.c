/* Runs side by side, each followed by its tests.  The main thread only looks how far they are. */
#include "crew.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include "message.h"
#include "nlm/tools.h"

enum { PATH_SIZE = 4096, LOOK_MILLISECONDS = 100 };

/* ---- in the threads ---- */

static void set_state(crew_run *of, crew_state state)
{
    pthread_mutex_lock(&of->crew->lock);
    of->state = state;
    of->since = nlm_clock();
    if (state == CREW_DONE)
        of->fraction = 1;
    pthread_mutex_unlock(&of->crew->lock);
}

static void watch(void *context, const learner *going)
{
    crew_run *of = context;
    char facts[LEARNER_FACTS_SIZE];
    const double fraction = going->kind->fraction(going);
    going->kind->facts(going, facts);
    pthread_mutex_lock(&of->crew->lock);
    if (of->facts[0] == '\0')
        of->from = fraction;
    of->fraction = fraction;
    memcpy(of->facts, facts, sizeof facts);
    pthread_mutex_unlock(&of->crew->lock);
}

static nlm_status test_model(crew_run *of)
{
    const subject *learned = &of->run.subject;
    const double begun = nlm_clock();
    nlm_machine *machine;
    const int worlds = of->worlds > 0 ? of->worlds : of->crew->worlds;
    int sizes[LEARNER_SIZES];
    learned->kind->sizes(learned, sizes);
    nlm_status status = nlm_machine_load(of->model, &machine, &of->error);
    for (int size = 0; size < LEARNER_SIZES && status == NLM_OK; size++)
        status = learned->kind->test(machine, learned, sizes[size], worlds, &of->run.options, run_interrupted,
                                     &of->scores[size], &of->error);
    of->tested = status == NLM_OK && run_interrupted() == 0;
    nlm_machine_free(machine);
    of->test_seconds = nlm_clock() - begun;
    return status;
}

/* Where nothing was left to train, all of it was done before. */
static void count_what_was_trained(crew_run *of)
{
    pthread_mutex_lock(&of->crew->lock);
    if (of->status == NLM_OK && of->result.stage != NLM_LEARNING && of->facts[0] == '\0')
        of->from = 1;
    pthread_mutex_unlock(&of->crew->lock);
}

static void train_and_test(crew_run *of)
{
    set_state(of, CREW_TRAINING);
    of->status = run_train(&of->run, &of->result, &of->error);
    count_what_was_trained(of);
    if (of->status == NLM_OK && of->result.stage != NLM_LEARNING) {
        set_state(of, CREW_TESTING);
        of->status = test_model(of);
    }
    set_state(of, CREW_DONE);
}

static void *work(void *context)
{
    crew *all = context;
    for (;;) {
        pthread_mutex_lock(&all->lock);
        const int index = run_interrupted() ? all->count : all->next++;
        all->ended_threads += index >= all->count;
        pthread_mutex_unlock(&all->lock);
        if (index >= all->count)
            return NULL;
        train_and_test(&all->runs[index]);
        pthread_mutex_lock(&all->ending);
        if (all->ended != NULL)
            all->ended(all->context, &all->runs[index]);
        pthread_mutex_unlock(&all->ending);
    }
}

/* ---- in the main thread ---- */

bool crew_work(crew *all)
{
    const int wanted = all->threads < all->count ? all->threads : all->count;
    pthread_t *threads = calloc((size_t)wanted + 1, sizeof *threads);
    int started = 0;
    all->next = all->ended_threads = 0;
    pthread_mutex_init(&all->lock, NULL);
    pthread_mutex_init(&all->ending, NULL);
    for (int i = 0; i < all->count; i++)
        all->runs[i].crew = all;
    while (threads != NULL && started < wanted && pthread_create(&threads[started], NULL, work, all) == 0)
        started++;
    for (bool going = started > 0; going;) {
        const struct timespec pause = {.tv_nsec = LOOK_MILLISECONDS * 1000000L};
        nanosleep(&pause, NULL);
        all->look(all->context, all);
        pthread_mutex_lock(&all->lock);
        going = all->ended_threads < started;
        pthread_mutex_unlock(&all->lock);
    }
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    pthread_mutex_destroy(&all->lock);
    pthread_mutex_destroy(&all->ending);
    return started > 0 || all->count == 0;
}

bool crew_finished(const crew_run *of)
{
    return of->state == CREW_DONE && of->status == NLM_OK && of->tested;
}

/* ---- before the beginning ---- */

bool crew_make_folder(const char *path, nlm_error *error)
{
    struct stat status;
    if (mkdir(path, 0777) == 0)
        return true;
    const int cause = errno; /* on a disk that can only be read any, even if the folder is there */
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return true;
    if (cause == EEXIST)
        message_fill(error, NLM_IO_ERROR, "%.300s: is not a folder", path);
    else
        message_fill(error, NLM_IO_ERROR, "%.300s: cannot make the folder: %s", path, strerror(cause));
    return false;
}

static nlm_status set_paths(crew_run *of, const char *folder, unsigned long long seed, nlm_error *error)
{
    char model[PATH_SIZE], log[PATH_SIZE];
    if (snprintf(model, PATH_SIZE, "%s/seed-%llu.nlm", folder, seed) >= PATH_SIZE ||
        snprintf(log, PATH_SIZE, "%s/seed-%llu.jsonl", folder, seed) >= PATH_SIZE)
        return message_fill(error, NLM_BAD_ARGUMENT, "%.60s...: the name is too long", folder);
    of->model = strdup(model);
    of->log = strdup(log);
    return of->model != NULL && of->log != NULL ? NLM_OK
                                                : message_fill(error, NLM_NO_MEMORY, "not enough memory");
}

nlm_status crew_place(crew_run *of, const run *like, const char *folder, uint64_t seed, nlm_error *error)
{
    *of = (crew_run){.run = *like};
    nlm_status status = set_paths(of, folder, seed, error);
    of->run.model = of->model;
    of->run.log = of->log;
    of->run.watch = watch;
    of->run.context = of;
    of->run.options.threads = 1;
    subject_set_seed(&of->run.subject, seed);
    if (status == NLM_OK)
        status = run_check(&of->run, error);
    if (status != NLM_OK)
        crew_release(of);
    return status;
}

void crew_release(crew_run *of)
{
    free(of->model);
    free(of->log);
    of->model = of->log = NULL;
}
