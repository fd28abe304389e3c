/* For the tests of exams: an exam taken part by part, and what its result must be. */
#ifndef TESTS_LEARN_EXAMS_H
#define TESTS_LEARN_EXAMS_H

#include "learn/courses.h"

/* Of episodes just played. */
static inline bool counts_as_solved(const nlm_run *s, int slot)
{
    const nlm_position *start = rewards_of(s)->episode[slot].start,
                       *end = rewards_of(s)->episode[slot].position;
    return nlm_position_solved(end) &&
           !(s->settings.optimal_exams && nlm_position_moves(end) > nlm_position_optimum(start));
}

/* All parts of an exam but those that try failures again: what its result must be. */
typedef struct tally {
    int asked, solved, moves;
    int objects[16]; /* how often */
    bool ended;
} tally;

static inline tally take_exam(nlm_run *s, bool greedy)
{
    tally all = {0};
    const int most = rewards_of(s)->state.candidate ? s->settings.final_exam : s->settings.exam;
    const uint64_t first = rewards_of(s)->state.next_instance;
    while (!all.ended && all.asked < most) {
        all.ended = step(s);
        const int left = most - all.asked, count = left < EXAM_WAVE ? left : EXAM_WAVE;
        for (int e = 0; e < count; e++) {
            const bool solved = counts_as_solved(s, e);
            assert_int_equal(rewards_of(s)->episode[e].greedy, greedy);
            assert_int_equal(rewards_of(s)->wave[e].number, first + (uint64_t)(all.asked + e));
            assert_int_equal(rewards_of(s)->wave[e].objects,
                             nlm_position_objects(rewards_of(s)->episode[e].start));
            all.objects[rewards_of(s)->wave[e].objects]++;
            all.solved += solved;
            all.moves += solved ? episode_moves(&rewards_of(s)->episode[e]) : 0;
        }
        all.asked += count;
        if (!all.ended)
            assert_int_equal(asked_of(s), all.asked);
        const int full = s->settings.pool;
        const bool lost =
            rewards_of(s)->state.candidate && s->settings.keep_failures && all.solved < all.asked;
        if (rewards_of(s)->exam.solved_pool.count == full &&
            (rewards_of(s)->exam.failed_pool.count == full || lost))
            break;
    }
    return all;
}

static inline void assert_result(nlm_run *s, const tally *all)
{
    const nlm_exam *exam = all->ended ? exam_of(s) : run_exam(s);
    assert_int_equal(exam->asked, all->asked);
    assert_int_equal(exam->solved, all->solved);
    assert_near(exam->success, (double)all->solved / all->asked, 1e-12);
    assert_near(exam->moves, all->solved ? (double)all->moves / all->solved : 0, 1e-12);
}

static inline void learn_until_exam(nlm_run *s)
{
    const int exam = exam_of(s)->exam;
    while (!rewards_of(s)->state.exam_due && rewards_of(s)->running.episodes < s->settings.interval)
        assert_false(step(s));
    assert_int_equal(exam_of(s)->exam, exam);
}

#endif
