/* Teams on POSIX threads.
 *
 * Each member has a share of a job's parts, its ticket: the job's number, the next part and the end of the
 * share, in one word.  A part is taken by raising the ticket; whoever has finished its own share takes from
 * the others.  Shares are cut alike for every job, so a member mostly meets again the data that it wrote
 * before.
 *
 * The other fields of a job change only when all its parts are done, so a member whose raise succeeds has
 * read the fields of the very job it raised. */
#include "base/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/invariant.h"
#include "base/memory.h"

enum {
    WATCH_ROUNDS = 4000, /* before an idle member sleeps: some 100 microseconds */
    YIELD_ROUNDS = 2000, /* before the caller, waiting for the last parts, offers its processor */
    PART_BITS = 20       /* of a ticket, for the next part and for the end */
};

#define MOST_PARTS (((uint64_t)1 << PART_BITS) - 1)

/* Of its own cache line: members raise their tickets all the time. */
struct __attribute__((aligned(MEMORY_ALIGNMENT))) member {
    _Atomic uint64_t ticket;
    struct team *team;
    pthread_t thread; /* member 0 is the caller and has none */
    int number;
};

struct team {
    int threads;
    struct member *members;
    _Atomic uint32_t job; /* number of the newest job */
    _Atomic(team_part) run;
    _Atomic(void *) context;
    _Atomic int sleepers;
    _Atomic bool stop;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    _Atomic int done
        __attribute__((aligned(MEMORY_ALIGNMENT))); /* parts; away from what idle members watch */
};

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Take parts of one share until none is left. */
static void take_share(struct team *team, struct member *share, int thread)
{
    for (;;) {
        uint64_t ticket = atomic_load(&share->ticket);
        team_part run = atomic_load(&team->run);
        void *context = atomic_load(&team->context);
        uint64_t part = ticket & MOST_PARTS;
        if (part >= (ticket >> PART_BITS & MOST_PARTS))
            return;
        if (!atomic_compare_exchange_weak(&share->ticket, &ticket, ticket + 1))
            continue;
        run(context, (int)part, thread);
        atomic_fetch_add(&team->done, 1);
    }
}

/* The own share first, then those of the others. */
static void work(struct team *team, int thread)
{
    for (int m = 0; m < team->threads; m++)
        take_share(team, &team->members[(thread + m) % team->threads], thread);
}

/* Wait for a job other than `seen`. */
static void watch(struct team *team, uint32_t seen)
{
    for (int round = 0; round < WATCH_ROUNDS; round++) {
        if (atomic_load(&team->job) != seen || atomic_load(&team->stop))
            return;
        pause_briefly();
    }
    pthread_mutex_lock(&team->mutex);
    atomic_fetch_add(&team->sleepers, 1);
    while (atomic_load(&team->job) == seen && !atomic_load(&team->stop))
        pthread_cond_wait(&team->wake, &team->mutex);
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->mutex);
}

static void *member_main(void *argument)
{
    struct member *member = argument;
    struct team *team = member->team;
    uint32_t seen = 0;
    for (;;) {
        watch(team, seen);
        if (atomic_load(&team->stop))
            return NULL;
        seen = atomic_load(&team->job);
        work(team, member->number);
    }
}

static void wake_sleepers(struct team *team)
{
    if (atomic_load(&team->sleepers) == 0)
        return;
    pthread_mutex_lock(&team->mutex);
    pthread_cond_broadcast(&team->wake);
    pthread_mutex_unlock(&team->mutex);
}

/* Ends members 1 .. started-1 and frees the team. */
static void stop_members(struct team *team, int started)
{
    pthread_mutex_lock(&team->mutex);
    atomic_store(&team->stop, true);
    pthread_cond_broadcast(&team->wake);
    pthread_mutex_unlock(&team->mutex);
    for (int m = 1; m < started; m++)
        pthread_join(team->members[m].thread, NULL);
    pthread_cond_destroy(&team->wake);
    pthread_mutex_destroy(&team->mutex);
    memory_free(team->members);
    memory_free(team);
}

nlm_status team_new(int threads, struct team **made)
{
    *made = NULL;
    if (threads < 2)
        return NLM_OK;
    struct team *team = memory_new(1, sizeof *team);
    struct member *members = memory_new((size_t)threads, sizeof *members);
    if (!team || !members) {
        memory_free(team);
        memory_free(members);
        return NLM_NO_MEMORY;
    }
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->wake, NULL);
    team->members = members;
    team->threads = threads;
    int started = 1;
    for (; started < threads; started++) {
        members[started].team = team;
        members[started].number = started;
        if (pthread_create(&members[started].thread, NULL, member_main, &members[started]))
            break;
    }
    if (started < threads) {
        stop_members(team, started);
        return NLM_NO_MEMORY;
    }
    *made = team;
    return NLM_OK;
}

void team_free(struct team *team)
{
    if (team)
        stop_members(team, team->threads);
}

int team_threads(const struct team *team)
{
    return team ? team->threads : 1;
}

void team_run(struct team *team, int parts, team_part run, void *context)
{
    if (!team || parts <= 1 || (uint64_t)parts > MOST_PARTS) {
        for (int part = 0; part < parts; part++)
            run(context, part, 0);
        return;
    }
    for (int m = 0; m < team->threads; m++) /* one caller at a time: no part of the last job is left */
        INVARIANT((atomic_load(&team->members[m].ticket) & MOST_PARTS) >=
                  (atomic_load(&team->members[m].ticket) >> PART_BITS & MOST_PARTS));
    atomic_store(&team->run, run);
    atomic_store(&team->context, context);
    atomic_store(&team->done, 0);
    uint32_t number = atomic_load(&team->job) + 1;
    for (int m = 0; m < team->threads; m++) {
        uint64_t next = (uint64_t)parts * (uint64_t)m / (uint64_t)team->threads;
        uint64_t end = (uint64_t)parts * (uint64_t)(m + 1) / (uint64_t)team->threads;
        atomic_store(&team->members[m].ticket, (uint64_t)number << 2 * PART_BITS | end << PART_BITS | next);
    }
    atomic_store(&team->job, number);
    wake_sleepers(team);
    work(team, 0);
    for (int round = 0; atomic_load(&team->done) < parts; round++) {
        if (round < YIELD_ROUNDS)
            pause_briefly();
        else
            sched_yield();
    }
}
