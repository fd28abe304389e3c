/* Runs side by side, each followed by its tests.  The caller's thread only looks how far they are.
 *
 * Each thread takes the next job until none is left.  Jobs share nothing but this struct, so a run has the
 * same bits as one that runs alone.  A job belongs to the thread that took it until its state is
 * NLM_JOB_DONE or NLM_JOB_ELSEWHERE; the caller's thread sees copies of `progress` only.
 *
 * Two locks.  `lock` guards progress and ended_threads, and is held for a copy at most.  `ending` keeps the
 * caller's functions, look, found and ended, from running at the same time, and guards the claims.  Who has
 * `ending` may take `lock`, not the other way round.
 *
 * Stopping is a flag that threads look at between two steps and between two slices of a test: whatever was
 * learned up to the last round is in the job's checkpoint.
 *
 *     waiting ---> learning ---> testing ---> done    finished: both tests are complete
 *                      |            |
 *                      +------------+-------> done    finished: refused, there is no such run
 *                                                     failed: an error;   neither: stopped
 *
 * Where rules are wanted, a run that graduates finds them between learning and testing.
 *
 * Jobs of a shared pool are also done by other processes.  A thread begins a job only with its claim
 * (base/claim.h), and after it has seen that nobody has finished it.  A job that another process has is
 * `elsewhere` until the caller's thread sees it finished, or its holder dead: then it is waiting again.
 *
 *     waiting <--> elsewhere ---> done    finished: by another process
 *
 * A claim that is lost stops its job as a stop does; the job is then elsewhere. */
#include "nlm/run_pool.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base/claim.h"
#include "base/error.h"
#include "base/memory.h"
#include "learn/run.h"
#include "nlm/file.h"
#include "nlm/rules.h"
#include "nlm/tools.h"

enum { LOOK_MILLISECONDS = 100, WATCH_SECONDS = 2 };

/* What the threads share; it lives on the stack of nlm_run_pool. */
struct run_pool {
    const nlm_pool_options *options;
    nlm_job *jobs;
    int count;
    nlm_job_progress *progress; /* of every job, under the lock */
    claim *claims;              /* of every job, under `ending`; NULL: no other process is at work on them */
    atomic_bool *lost;          /* of every job: another process has it now */
    double beaten, watched;     /* when claims were last written and looked at, in the caller's thread */
    pthread_mutex_t lock, ending;
    int ended_threads, idle_threads; /* under the lock */
    atomic_bool stopped;
};

static bool must_stop(struct run_pool *pool, int index)
{
    return atomic_load(&pool->stopped) || atomic_load(&pool->lost[index]);
}

static void pause_for(long milliseconds)
{
    const struct timespec pause = {.tv_nsec = milliseconds * 1000000L};
    nanosleep(&pause, NULL);
}

/* ---- in the threads ---- */

/* A job that is done is finished (tested, or there can be no such run), failed, or, if neither, stopped. */
static void set_state(struct run_pool *pool, int index, nlm_job_state state)
{
    const nlm_job *job = &pool->jobs[index];
    pthread_mutex_lock(&pool->lock);
    nlm_job_progress *progress = &pool->progress[index];
    progress->state = state;
    progress->since = nlm_clock();
    if (state == NLM_JOB_DONE) {
        progress->fraction = 1;
        progress->finished = job->tested || job->refused || job->elsewhere;
        progress->failed = job->status && !job->refused;
    }
    pthread_mutex_unlock(&pool->lock);
}

static void show_progress(struct run_pool *pool, int index, const nlm_run *run)
{
    /* the text is made before the lock is taken: all threads wait for it */
    char line[NLM_PROGRESS_LINE];
    nlm_progress now;
    nlm_run_progress(run, &now);
    nlm_run_line(run, line);
    pthread_mutex_lock(&pool->lock);
    nlm_job_progress *progress = &pool->progress[index];
    /* the first step of a resumed run: speed is to be measured from here on */
    if (!*progress->line)
        progress->from = now.fraction;
    progress->fraction = now.fraction;
    memcpy(progress->line, line, sizeof line);
    pthread_mutex_unlock(&pool->lock);
}

/* Of this thread: a run of a pool has no other. */
static double processor_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Until it ends or is stopped; the search for its program is measured. */
static void step_to_end(struct run_pool *pool, int index, nlm_run *run)
{
    nlm_job *job = &pool->jobs[index];
    bool searching = false;
    double begun = 0, processor_begun = 0;
    while (!job->status && run->stage == NLM_LEARNING && !must_stop(pool, index)) {
        if (run->search && !searching) {
            searching = true;
            begun = nlm_clock();
            processor_begun = processor_clock();
            set_state(pool, index, NLM_JOB_FINDING_RULES);
        }
        job->status = nlm_run_step(run, NULL, &job->error);
        show_progress(pool, index, run);
    }
    job->program =
        (nlm_job_program){.sought = run->stage == NLM_GRADUATED && job->files.rules,
                          .seconds = searching ? nlm_clock() - begun : -1,
                          .processor_seconds = searching ? processor_clock() - processor_begun : -1};
    snprintf(job->program.reason, sizeof job->program.reason, "%s", nlm_run_no_rules(run));
}

/* Refusals of settings are told apart from failures by their status (blame_file in run_output.c): a caller
 * records the former as a result, the latter can be tried again. */
static void learn(struct run_pool *pool, int index)
{
    nlm_job *job = &pool->jobs[index];
    nlm_run *run;
    job->status = nlm_run_open(&job->settings, &job->options, &job->files, &run, &job->error);
    job->refused = job->status == NLM_BAD_ARGUMENT || job->status == NLM_BAD_SHAPE;
    if (job->status)
        return;
    nlm_file_tidy(job->result);
    /* a result of an earlier run must not be taken for that of this one */
    if (run->stage == NLM_LEARNING && unlink(job->result) && errno != ENOENT)
        job->status =
            error_set(&job->error, NLM_IO_ERROR, "%.300s: cannot remove: %s", job->result, strerror(errno));
    if (run->stage != NLM_LEARNING) { /* all of it was done before */
        pthread_mutex_lock(&pool->lock);
        pool->progress[index].from = 1;
        pthread_mutex_unlock(&pool->lock);
    }
    step_to_end(pool, index, run);
    nlm_run_progress(run, &job->progress);
    nlm_run_free(run);
}

typedef struct tested_job {
    struct run_pool *pool;
    int index;
} tested_job;

static bool may_go_on(void *context, const nlm_score *so_far)
{
    const tested_job *of = context;
    (void)so_far;
    return !must_stop(of->pool, of->index);
}

/* Other models learn from the paper's worlds, to be compared as in the paper, and take long in tests. */
static bool has_rich_tests(const nlm_settings *settings)
{
    return settings->task && !settings->spec.model && nlm_task_has_worlds(settings->task, NLM_WORLDS_RICH);
}

/* The size of the model's program, and its proof. */
static nlm_status measure_program(nlm_job *job, nlm_machine *machine)
{
    nlm_program *program = NULL;
    nlm_proof *proof = NULL;
    job->program.found = job->program.sought && nlm_machine_has_program(machine);
    if (!job->program.found)
        return NLM_OK;
    nlm_status status = nlm_program_in(machine, job->files.model, &program, &job->error);
    if (!status)
        status = nlm_prove_model(machine, job->files.model, &proof, &job->error);
    if (!status) {
        job->program.literals = nlm_program_measure(program).literals;
        job->program.proved = proof->verdict == NLM_PROVED;
    }
    nlm_proof_free(proof);
    nlm_program_free(program);
    return status;
}

/* The model is read from its file: what is tested is what a user will load, and the run's memory has been
 * released.  Both sizes of each kind, in turn; a test that was stopped does not count. */
static void test(struct run_pool *pool, int index)
{
    nlm_job *job = &pool->jobs[index];
    tested_job tested = {pool, index};
    const double begun = nlm_clock();
    nlm_machine *machine;
    job->status = nlm_machine_load(job->files.model, &machine, &job->error);
    if (!job->status)
        job->status = measure_program(job, machine);
    for (int number = 0; number < NLM_WORLD_KINDS * NLM_RUN_SIZES && !job->status; number++) {
        const nlm_world_kind kind = (nlm_world_kind)(number / NLM_RUN_SIZES);
        const int size = number % NLM_RUN_SIZES;
        if (kind == NLM_WORLDS_RICH && !has_rich_tests(&job->settings))
            break;
        nlm_test *going;
        job->status =
            nlm_test_of_run(machine, &job->settings, kind, size, &job->options, &going, &job->error);
        if (!job->status)
            job->status = nlm_test_run(going, job->worlds, may_go_on, &tested, &job->error);
        if (!job->status)
            (kind == NLM_WORLDS_RICH ? job->rich : job->scores)[size] = nlm_test_score(going);
        nlm_test_free(going);
    }
    nlm_machine_free(machine);
    /* nlm_test_run ends with NLM_OK when it is stopped: its score is then of a part */
    job->tested = !job->status && !must_stop(pool, index);
    job->test_seconds = nlm_clock() - begun;
}

/* Nothing of an attempt that was stopped stays. */
static void forget_attempt(nlm_job *job)
{
    job->status = NLM_OK;
    job->refused = job->tested = job->elsewhere = false;
    job->progress = (nlm_progress){0};
    memset(job->scores, 0, sizeof job->scores);
    memset(job->rich, 0, sizeof job->rich);
    job->program = (nlm_job_program){0};
}

static void set_elsewhere(struct run_pool *pool, int index)
{
    forget_attempt(&pool->jobs[index]);
    set_state(pool, index, NLM_JOB_ELSEWHERE);
}

/* It has no status: how it went is the business of who did it. */
static void set_found(struct run_pool *pool, int index)
{
    forget_attempt(&pool->jobs[index]);
    pool->jobs[index].elsewhere = true;
    set_state(pool, index, NLM_JOB_DONE);
}

/* Whether the job is for this thread to do.  Another process may have finished it between the last look and
 * the claim, so that is asked while the claim is held. */
static bool may_begin(struct run_pool *pool, int index)
{
    nlm_job *job = &pool->jobs[index];
    claim_state state;
    if (!pool->claims)
        return true;
    claim *mine = &pool->claims[index];
    pthread_mutex_lock(&pool->ending);
    atomic_store(&pool->lost[index], false);
    job->status = claim_take(mine, nlm_clock(), &state, &job->error);
    bool mine_to_do = !job->status && state == CLAIM_MINE;
    if (job->status) {
        set_state(pool, index, NLM_JOB_DONE);
        if (pool->options->ended)
            pool->options->ended(pool->options->context, job);
    } else if (!mine_to_do) {
        set_elsewhere(pool, index);
    } else if (pool->options->found && pool->options->found(pool->options->context, job)) {
        mine_to_do = false;
        set_found(pool, index);
        claim_end(mine, true);
    }
    pthread_mutex_unlock(&pool->ending);
    return mine_to_do;
}

/* The first job that waits is this thread's from here on; or count, and whether other processes still have
 * some. */
static int next_waiting(struct run_pool *pool, bool *others)
{
    *others = false;
    for (int i = 0; i < pool->count; i++) {
        nlm_job_progress *progress = &pool->progress[i];
        if (progress->state == NLM_JOB_WAITING) {
            progress->state = NLM_JOB_LEARNING;
            progress->since = nlm_clock();
            progress->line[0] = progress->holder[0] = '\0';
            return i;
        }
        *others |= progress->state == NLM_JOB_ELSEWHERE;
    }
    return pool->count;
}

/* The next job of this thread, or count when nothing is left, or all is stopped.  A thread that finds none
 * counts itself as ended under the lock under which jobs are given out, so the caller's thread cannot miss
 * the last. */
static int take_job(struct run_pool *pool)
{
    for (;;) {
        bool others;
        pthread_mutex_lock(&pool->lock);
        /* no more jobs after a stop */
        const bool stopped = atomic_load(&pool->stopped);
        const int index = stopped ? pool->count : next_waiting(pool, &others);
        const bool wait = index == pool->count && !stopped && others;
        pool->idle_threads += wait;
        pool->ended_threads += index == pool->count && !wait;
        pthread_mutex_unlock(&pool->lock);
        if (index == pool->count && !wait)
            return pool->count;
        if (index < pool->count && may_begin(pool, index))
            return index;
        if (wait) {
            pause_for(LOOK_MILLISECONDS);
            pthread_mutex_lock(&pool->lock);
            pool->idle_threads--;
            pthread_mutex_unlock(&pool->lock);
        }
    }
}

/* The caller learns of it before the claim ends: who takes the claim next finds the result. */
static void end_job(struct run_pool *pool, int index)
{
    nlm_job *job = &pool->jobs[index];
    if (atomic_load(&pool->lost[index])) {
        set_elsewhere(pool, index);
        return;
    }
    set_state(pool, index, NLM_JOB_DONE);
    pthread_mutex_lock(&pool->ending);
    if (pool->options->ended)
        pool->options->ended(pool->options->context, job);
    if (pool->claims)
        claim_end(&pool->claims[index], (job->tested || job->refused) && (job->refused || !job->status));
    pthread_mutex_unlock(&pool->ending);
}

/* One thread. */
static void *work(void *context)
{
    struct run_pool *pool = context;
    for (;;) {
        const int index = take_job(pool);
        if (index == pool->count)
            return NULL;
        nlm_job *job = &pool->jobs[index];
        set_state(pool, index, NLM_JOB_LEARNING);
        learn(pool, index);
        /* a run that was stopped is not tested: its model is not written yet */
        if (!job->status && job->progress.stage != NLM_LEARNING) {
            set_state(pool, index, NLM_JOB_TESTING);
            test(pool, index);
        }
        end_job(pool, index);
    }
}

/* ---- in the caller's thread ---- */

/* Claims of this process are written anew; one that was lost stops its job. */
static void beat(struct run_pool *pool, const nlm_job_progress *seen)
{
    for (int i = 0; i < pool->count; i++) {
        pthread_mutex_lock(&pool->ending);
        const char *line = seen[i].state == NLM_JOB_TESTING ? "testing" : seen[i].line;
        if (pool->claims[i].mine && !claim_beat(&pool->claims[i], seen[i].fraction, line))
            atomic_store(&pool->lost[i], true);
        pthread_mutex_unlock(&pool->ending);
    }
}

/* What became of a job that this process does not do. */
static void watch_job(struct run_pool *pool, int index)
{
    claim *of = &pool->claims[index];
    const bool found =
        pool->options->found && pool->options->found(pool->options->context, &pool->jobs[index]);
    const claim_state state = found ? CLAIM_FREE : claim_look(of, nlm_clock());
    pthread_mutex_lock(&pool->lock);
    nlm_job_progress *progress = &pool->progress[index];
    const bool waits = progress->state == NLM_JOB_WAITING || progress->state == NLM_JOB_ELSEWHERE;
    if (waits && !found) { /* else a thread has just taken it, and asks for itself */
        const bool begins = progress->state == NLM_JOB_WAITING;
        progress->state = state == CLAIM_HELD ? NLM_JOB_ELSEWHERE : NLM_JOB_WAITING;
        progress->fraction = state == CLAIM_HELD ? fmax(of->fraction, 0) : progress->fraction;
        progress->from = begins ? progress->fraction : progress->from;
        snprintf(progress->line, sizeof progress->line, "%.*s", NLM_PROGRESS_LINE - 1,
                 state == CLAIM_HELD ? of->note : "");
        snprintf(progress->holder, sizeof progress->holder, "%s", of->holder);
    }
    pthread_mutex_unlock(&pool->lock);
    if (waits && found)
        set_found(pool, index);
}

static void watch(struct run_pool *pool, const nlm_job_progress *seen)
{
    for (int i = 0; i < pool->count; i++) {
        if (seen[i].state != NLM_JOB_WAITING && seen[i].state != NLM_JOB_ELSEWHERE)
            continue;
        pthread_mutex_lock(&pool->ending);
        watch_job(pool, i);
        pthread_mutex_unlock(&pool->ending);
    }
}

/* What is shared with other processes, at its times.  Who shows no progress looks after others only when a
 * thread has nothing to do. */
static void tend_claims(struct run_pool *pool, const nlm_job_progress *seen, bool idle)
{
    const double now = nlm_clock();
    if (now - pool->beaten >= CLAIM_BEAT) {
        beat(pool, seen);
        pool->beaten = now;
    }
    if (now - pool->watched >= WATCH_SECONDS && (idle || !pool->options->silent)) {
        watch(pool, seen);
        pool->watched = now;
    }
}

/* `seen` is a copy, so that runs do not wait for a slow terminal when they report a step. */
static void look_until_all_ended(struct run_pool *pool, int started, nlm_job_progress *seen)
{
    for (bool going = true; going;) {
        pause_for(LOOK_MILLISECONDS);
        pthread_mutex_lock(&pool->lock);
        /* both in one hold of the lock: the last look sees all jobs done */
        memcpy(seen, pool->progress, (size_t)pool->count * sizeof *seen);
        going = pool->ended_threads < started;
        const bool idle = pool->idle_threads > 0;
        pthread_mutex_unlock(&pool->lock);
        if (pool->claims && going)
            tend_claims(pool, seen, idle);
        pthread_mutex_lock(&pool->ending);
        if (!pool->options->look(pool->options->context, seen))
            atomic_store(&pool->stopped, true);
        pthread_mutex_unlock(&pool->ending);
    }
}

/* Of all jobs, or none if the first is not shared. */
static nlm_status make_claims(struct run_pool *pool, nlm_error *error)
{
    if (pool->count == 0 || !pool->jobs[0].files.shared)
        return NLM_OK;
    pool->claims = memory_new((size_t)pool->count, sizeof *pool->claims);
    nlm_status status = pool->claims ? NLM_OK : error_no_memory(error);
    for (int i = 0; i < pool->count && !status; i++)
        status = claim_init(&pool->claims[i], pool->jobs[i].files.model, error);
    return status;
}

static void release_claims(struct run_pool *pool)
{
    for (int i = 0; pool->claims && i < pool->count; i++) {
        claim_end(&pool->claims[i], false); /* of a job that no thread could be started for */
        claim_release(&pool->claims[i]);
    }
    memory_free(pool->claims);
}

/* With fewer threads than wanted the jobs still get done; only none at all is an error.  The second half of
 * `progress` is the caller's copy. */
nlm_status nlm_run_pool(nlm_job *jobs, int count, const nlm_pool_options *options, nlm_error *error)
{
    struct run_pool pool = {.options = options, .jobs = jobs, .count = count};
    const int wanted = options->threads < count ? options->threads : count;
    pthread_t *threads = memory_new((size_t)wanted + 1, sizeof *threads);
    pool.progress = memory_new((size_t)count + 1, 2 * sizeof *pool.progress);
    pool.lost = memory_new((size_t)count + 1, sizeof *pool.lost);
    nlm_status status = threads && pool.progress && pool.lost ? NLM_OK : error_no_memory(error);
    if (!status)
        status = make_claims(&pool, error);
    int started = 0;
    pthread_mutex_init(&pool.lock, NULL);
    pthread_mutex_init(&pool.ending, NULL);
    while (!status && started < wanted && !pthread_create(&threads[started], NULL, work, &pool))
        started++;
    if (started > 0)
        look_until_all_ended(&pool, started, pool.progress + count);
    else if (!status && count > 0)
        status = error_set(error, NLM_NO_MEMORY, "cannot start a thread");
    for (int t = 0; t < started; t++)
        pthread_join(threads[t], NULL);
    pthread_mutex_destroy(&pool.lock);
    pthread_mutex_destroy(&pool.ending);
    release_claims(&pool);
    memory_free(pool.lost);
    memory_free(pool.progress);
    memory_free(threads);
    return status;
}

/* ---- jobs ---- */

/* Whether another process is at work on the job: its files change, and are checked when they are opened. */
static bool is_held(const nlm_job *job)
{
    claim of;
    if (!job->files.shared || !job->files.model || claim_init(&of, job->files.model, NULL))
        return false;
    const claim_state state = claim_look(&of, 0);
    claim_release(&of);
    return state == CLAIM_HELD;
}

/* The job owns its paths.  A run of a pool has one thread: seeds in parallel use the processors better than
 * the parts of one small run (docs/experiments.md: two threads make a training step 1.5 times as fast). */
nlm_status nlm_job_init(nlm_job *job, const nlm_settings *settings, const nlm_options *options,
                        const nlm_run_files *files, const char *folder, uint64_t seed, nlm_error *error)
{
    REQUIRE(job && settings && files, error);
    static const char *const endings[] = {"nlm", "jsonl", "json"};
    enum {
        FILES = sizeof endings / sizeof *endings,
        NAME_SIZE = 40
    }; /* "/seed-18446744073709551615.jsonl" */
    const size_t size = strlen(folder) + NAME_SIZE;
    char *path[FILES];
    nlm_status status = NLM_OK;
    for (int i = 0; i < FILES; i++) {
        path[i] = memory_new(size, 1);
        if (path[i])
            snprintf(path[i], size, "%s/seed-%llu.%s", folder, (unsigned long long)seed, endings[i]);
        else
            status = error_no_memory(error);
    }
    *job = (nlm_job){.settings = *settings, .options = *options, .files = *files};
    job->settings.seed = seed;
    job->options.threads = 1;
    job->files.model = path[0];
    job->files.log = path[1];
    job->result = path[2];
    if (!status)
        status = nlm_run_check_files(&job->settings, &job->files, error);
    if (status && is_held(job))
        status = NLM_OK;
    if (status)
        nlm_job_release(job);
    return status;
}

void nlm_job_release(nlm_job *job)
{
    memory_free((char *)job->files.model);
    memory_free((char *)job->files.log);
    memory_free(job->result);
    *job = (nlm_job){0};
}
