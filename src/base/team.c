/* Teams on POSIX threads.
 *
 * A job is published by its ticket: the job's number, how many parts it has, and the next one to be taken, in
 * one word. Members take a part by raising the ticket.  The other fields of a job change only when all its
 * parts are done, so a member whose raise succeeds has read the fields of the very job it raised. */
#include "base/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/memory.h"

enum {
    WATCH_ROUNDS = 4000, /* before an idle member sleeps: some 100 microseconds */
    YIELD_ROUNDS = 2000, /* before the caller, waiting for the last parts, offers its processor */
    PART_BITS = 20       /* of a ticket, for the next part and for their number */
};

#define MOST_PARTS (((uint64_t)1 << PART_BITS) - 1)

struct member {
    struct team *team;
    pthread_t thread;
    int number;
};

struct team {
    int threads;
    struct member *members; /* threads - 1 of them, numbered from 1 */
    _Atomic uint64_t ticket;
    _Atomic(team_part) run;
    _Atomic(void *) context;
    _Atomic int done;
    _Atomic int sleepers;
    _Atomic bool stop;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
};

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Take parts of the current job until none is left. */
static void work(struct team *team, int thread)
{
    for (;;) {
        uint64_t ticket = atomic_load(&team->ticket);
        team_part run = atomic_load(&team->run);
        void *context = atomic_load(&team->context);
        uint64_t part = ticket & MOST_PARTS;
        if (part >= (ticket >> PART_BITS & MOST_PARTS))
            return;
        if (!atomic_compare_exchange_weak(&team->ticket, &ticket, ticket + 1))
            continue;
        run(context, (int)part, thread);
        atomic_fetch_add(&team->done, 1);
    }
}

static uint32_t job_number(struct team *team)
{
    return (uint32_t)(atomic_load(&team->ticket) >> 2 * PART_BITS);
}

/* Wait for a job other than `seen`. */
static void watch(struct team *team, uint32_t seen)
{
    for (int round = 0; round < WATCH_ROUNDS; round++) {
        if (job_number(team) != seen || atomic_load(&team->stop))
            return;
        pause_briefly();
    }
    pthread_mutex_lock(&team->mutex);
    atomic_fetch_add(&team->sleepers, 1);
    while (job_number(team) == seen && !atomic_load(&team->stop))
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
        seen = job_number(team);
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

nlm_status team_new(int threads, struct team **made)
{
    *made = NULL;
    if (threads < 2)
        return NLM_OK;
    struct team *team = memory_new(1, sizeof *team);
    if (!team)
        return NLM_NO_MEMORY;
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->wake, NULL);
    team->threads = 1;
    team->members = memory_new((size_t)threads - 1, sizeof *team->members);
    for (; team->members && team->threads < threads; team->threads++) {
        struct member *member = &team->members[team->threads - 1];
        *member = (struct member){.team = team, .number = team->threads};
        if (pthread_create(&member->thread, NULL, member_main, member))
            break;
    }
    if (team->threads < threads) {
        team_free(team);
        return NLM_NO_MEMORY;
    }
    *made = team;
    return NLM_OK;
}

void team_free(struct team *team)
{
    if (!team)
        return;
    pthread_mutex_lock(&team->mutex);
    atomic_store(&team->stop, true);
    pthread_cond_broadcast(&team->wake);
    pthread_mutex_unlock(&team->mutex);
    for (int m = 0; m < team->threads - 1; m++)
        pthread_join(team->members[m].thread, NULL);
    pthread_cond_destroy(&team->wake);
    pthread_mutex_destroy(&team->mutex);
    memory_free(team->members);
    memory_free(team);
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
    atomic_store(&team->run, run);
    atomic_store(&team->context, context);
    atomic_store(&team->done, 0);
    uint64_t number = (uint64_t)job_number(team) + 1;
    atomic_store(&team->ticket, number << 2 * PART_BITS | (uint64_t)parts << PART_BITS);
    wake_sleepers(team);
    work(team, 0);
    for (int round = 0; atomic_load(&team->done) < parts; round++) {
        if (round < YIELD_ROUNDS)
            pause_briefly();
        else
            sched_yield();
    }
}
