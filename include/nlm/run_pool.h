/* Runs side by side, each followed by its tests.
 *
 *     for (...)
 *         nlm_job_init(&jobs[i], &settings, &options, folder, seed, &error);
 *     nlm_run_pool(jobs, count, &how, &error);
 *     for (...)
 *         nlm_job_release(&jobs[i]);
 *
 * Each thread takes the next job until none is left; a run itself has one thread.  FOLDER/seed-N.nlm is the
 * model of seed N, FOLDER/seed-N.jsonl its log, FOLDER/seed-N.json the place of its result (nlm_result_save);
 * an earlier result is removed when the run begins to learn.
 *
 * Several processes, also on several machines, can have pools of the same jobs in one folder (`shared` of
 * nlm_run_files).  FOLDER/seed-N.nlm.claim-1 then tells who is at work on a job; the others leave it alone
 * until it is finished, or take it up where it was left when its process has died.  A pool ends when all of
 * its jobs are finished, by whom ever. */
#ifndef NLM_RUN_POOL_H
#define NLM_RUN_POOL_H

#include "nlm/run.h"
#include "nlm/test.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum nlm_job_state {
    NLM_JOB_WAITING,
    NLM_JOB_LEARNING,
    NLM_JOB_FINDING_RULES, /* it has graduated, and its program is looked for */
    NLM_JOB_TESTING,
    NLM_JOB_DONE,
    NLM_JOB_ELSEWHERE /* another process does it */
} nlm_job_state;

/* What came of the search for the program of a run that has graduated (`rules` of nlm_run_files). */
enum { NLM_NO_PROGRAM_TEXT = 200 };
typedef struct nlm_job_program {
    bool sought; /* else nothing below */
    bool found;
    char reason[NLM_NO_PROGRAM_TEXT];  /* why there is none */
    int literals;                      /* heads included */
    bool proved;                       /* the model computes the program in every world */
    double seconds, processor_seconds; /* of the search; -1: not known, it was made by an earlier command */
} nlm_job_program;

/* How far a job is; of one that another process does, as that process tells it. */
enum { NLM_JOB_HOLDER = 96 };
typedef struct nlm_job_progress {
    nlm_job_state state;
    double since;    /* when the state began, as nlm_clock has it */
    double from;     /* the fraction that was done when it began; 1: nothing was left to learn */
    double fraction; /* of the budget */
    char line[NLM_PROGRESS_LINE];
    bool finished;               /* done, with all tests */
    bool failed;                 /* done, and neither finished, refused nor stopped */
    char holder[NLM_JOB_HOLDER]; /* who does it elsewhere: "node7, process 4711"; or "" */
} nlm_job_progress;

typedef struct nlm_job {
    nlm_settings settings;
    nlm_options options;
    nlm_run_files files; /* their paths belong to the job */
    char *result;        /* so does this one */
    int worlds;          /* or instances, of each of its tests */

    /* when it is done, or was stopped */
    nlm_status status;
    nlm_error error;
    bool refused;   /* there can be no such run; more memory would not help */
    bool tested;    /* to the end, at both sizes, on all kinds of worlds */
    bool elsewhere; /* another process has done it, and nothing below is known */
    nlm_progress progress;
    nlm_score scores[NLM_RUN_SIZES]; /* of a task: on the paper's worlds */
    nlm_score rich[NLM_RUN_SIZES];   /* of a task by the machine: on rich worlds; none was asked where there
                                        are none */
    double test_seconds;
    nlm_job_program program;
} nlm_job;

typedef struct nlm_pool_options {
    int threads; /* at most this many runs at a time */
    /* Ten times a second in the caller's thread, with the progress of every job; false stops all jobs. */
    bool (*look)(void *context, const nlm_job_progress *progress);
    /* In the thread of a job that is done or was stopped; never two at a time, nor at the time of a look.
     * NULL will do. */
    void (*ended)(void *context, nlm_job *job);
    /* Of jobs that are shared: whether another process has finished this one.  In any thread, never at the
     * time of the others. */
    bool (*found)(void *context, nlm_job *job);
    bool silent; /* nobody wants to know what other processes do until there is nothing else to do */
    void *context;
} nlm_pool_options;

/* A run like these settings, but with this seed, with one thread and with its files in the folder; what
 * nlm_run_check_files refuses leaves nothing behind. */
nlm_status nlm_job_init(nlm_job *job, const nlm_settings *settings, const nlm_options *options,
                        const nlm_run_files *files, const char *folder, uint64_t seed, nlm_error *error);
/* Of a job that was made, or of one that is all zero. */
void nlm_job_release(nlm_job *job);
/* Until all are done, or stopped.  Fails only if not even one thread can be started, or without memory; how a
 * job went is in the job. */
nlm_status nlm_run_pool(nlm_job *jobs, int count, const nlm_pool_options *options, nlm_error *error);

#ifdef __cplusplus
}
#endif
#endif
