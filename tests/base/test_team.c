/* Teams: every part of every job is run once, by a member of the team, before team_run returns. */
#include "test.h"
#include <stdatomic.h>
#include <time.h>
#include "base/team.h"

enum { MOST_PARTS = 200 };

struct job {
    int threads;
    _Atomic int runs[MOST_PARTS];
    _Atomic int strangers; /* parts run by a thread number that the team does not have */
};

static void count_run(void *context, int part, int thread)
{
    struct job *job = context;
    atomic_fetch_add(&job->runs[part], 1);
    if (thread < 0 || thread >= job->threads)
        atomic_fetch_add(&job->strangers, 1);
}

static void check_jobs(struct team *team, int jobs)
{
    static struct job job;
    for (int j = 0; j < jobs; j++) {
        int parts = j % (MOST_PARTS + 1);
        memset(&job, 0, sizeof job);
        job.threads = team_threads(team);
        team_run(team, parts, count_run, &job);
        for (int p = 0; p < MOST_PARTS; p++)
            assert_int_equal(job.runs[p], p < parts ? 1 : 0);
        assert_int_equal(job.strangers, 0);
    }
}

static void every_part_is_run_once(void **state)
{
    (void)state;
    for (int threads = 0; threads <= 5; threads++) {
        struct team *team;
        assert_int_equal(team_new(threads, &team), NLM_OK);
        assert_int_equal(team_threads(team), threads < 2 ? 1 : threads);
        check_jobs(team, 2000);
        team_free(team);
    }
}

static void sleeping_members_wake_up(void **state)
{
    (void)state;
    struct team *team;
    assert_int_equal(team_new(3, &team), NLM_OK);
    for (int round = 0; round < 5; round++) {
        struct timespec nap = {.tv_nsec = 20 * 1000 * 1000}; /* far longer than members watch */
        nanosleep(&nap, NULL);
        check_jobs(team, 50);
    }
    team_free(team);
}

/* A job whose parts need each other ends only if different members run them. */
static void meet(void *context, int part, int thread)
{
    (void)thread;
    _Atomic int *present = context;
    atomic_fetch_or(present, 1 << part);
    while (atomic_load(present) != 3) {
        struct timespec nap = {.tv_nsec = 1000};
        nanosleep(&nap, NULL);
    }
}

static void parts_run_side_by_side(void **state)
{
    (void)state;
    struct team *team;
    assert_int_equal(team_new(2, &team), NLM_OK);
    for (int round = 0; round < 100; round++) {
        _Atomic int present = 0;
        team_run(team, 2, meet, &present);
        assert_int_equal(present, 3);
    }
    team_free(team);
}

static void a_team_without_jobs_can_be_freed(void **state)
{
    (void)state;
    struct team *team;
    assert_int_equal(team_new(4, &team), NLM_OK);
    team_free(team);
    team_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_is_run_once),
        cmocka_unit_test(sleeping_members_wake_up),
        cmocka_unit_test(parts_run_side_by_side),
        cmocka_unit_test(a_team_without_jobs_can_be_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
