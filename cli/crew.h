/* Runs side by side, each followed by its tests.
 *
 *     crew all = {.runs = runs, .count = n, .threads = 2, .worlds = 1000, .look = look, ...};
 *     for (...)
 *         crew_place(&runs[i], &like, folder, seed, &error);
 *     crew_work(&all);
 *     for (...)
 *         crew_release(&runs[i]);
 *
 * Each thread takes the next run until none is left; a run itself has one thread.  FOLDER/seed-N.nlm is the
 * model of seed N, FOLDER/seed-N.jsonl its metrics. */
#ifndef CLI_CREW_H
#define CLI_CREW_H

#include <pthread.h>
#include <stdbool.h>
#include "run.h"

typedef enum crew_state { CREW_WAITING, CREW_TRAINING, CREW_TESTING, CREW_DONE } crew_state;

typedef struct crew_run {
    struct crew *crew;
    run run;
    char *model, *log; /* paths */
    int worlds;        /* or instances, of each of its tests; 0: as many as the crew says */

    /* when it is done, or was stopped */
    nlm_status status;
    nlm_error error;
    report result;
    nlm_score scores[LEARNER_SIZES];
    bool tested; /* to the end */
    double test_seconds;

    /* how far it is, under the crew's lock */
    crew_state state;
    double since;    /* when the state began, as nlm_clock has it */
    double from;     /* the fraction that was done when it began; 1: nothing was left to train */
    double fraction; /* of the budget */
    char facts[LEARNER_FACTS_SIZE];
} crew_run;

typedef struct crew {
    crew_run *runs; /* in the order in which they begin */
    int count;
    int threads; /* at most so many runs at a time */
    int worlds;  /* or instances, of each test of runs that do not say themselves */
    /* In the thread of a run that is done or was stopped; never two at a time.  May be NULL. */
    void (*ended)(void *context, crew_run *of);
    /* In the main thread, ten times a second; it takes the lock for as long as it reads. */
    void (*look)(void *context, struct crew *all);
    void *context;

    /* of crew_work */
    pthread_mutex_t lock, ending;
    int next; /* run that nobody has taken */
    int ended_threads;
} crew;

/* A folder that is there, or is made; false with a cause. */
bool crew_make_folder(const char *path, nlm_error *error);
/* A run like another, but with this seed, with one thread and with its files in the folder; refused by
 * run_check, or without memory, it leaves nothing behind. */
nlm_status crew_place(crew_run *of, const run *like, const char *folder, uint64_t seed, nlm_error *error);
/* Of a run that was placed, or of one that is all zero. */
void crew_release(crew_run *of);
/* Until all are done, or run_interrupted; false when not even one thread could be started. */
bool crew_work(crew *all);
/* Whether both tests were held to their end. */
bool crew_finished(const crew_run *of);

#endif
