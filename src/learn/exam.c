/* Exams: instances of the recent lessons, the pools that they fill, and the consequences of the result.
 *
 * An exam goes in waves of at most EXAM_WAVE episodes, one per exam_step: fresh instances until enough
 * were asked, then the failures of the last exam once more.  Solved and failed instances fill two pools, from
 * which training draws afterwards.  Passing leads to the next lesson, after the last lesson to the final
 * exam, and from there to graduation.
 *
 * The threshold of lesson l is 1 - slack (last - l): the failure rate that is tolerated falls from lesson to
 * lesson and is 0 at the last one and in the final exam.  Blocks has lessons of 2 to 12 and slack 0.005: the
 * first lesson is passed with 95 % solved, that of 11 blocks with 99.5 %, that of 12 with all.
 *
 * An exam only plays.  It changes neither parameters nor moments; with averages it plays with them, and the
 * trained parameters wait in `average` until it has ended. */
#include <string.h>
#include "base/error.h"
#include "base/invariant.h"
#include "learn/from_rewards.h"

/* In a final exam with larger instances, one in eight is larger. */
enum { LARGER_EVERY = 8 };

/* ---- pools ---- */

/* Pools hold numbers and sizes of instances, never states: an instance is drawn again when it is played. */
nlm_status pool_add(struct pool *pool, struct instance instance, nlm_error *error)
{
    if (buffer_reserve(&pool->items, (size_t)pool->count + 1, sizeof instance, true))
        return error_no_memory(error);
    ((struct instance *)pool->items.data)[pool->count++] = instance;
    return NLM_OK;
}

/* Training takes instances in this order, from `next` on. */
void pool_shuffle(struct pool *pool, random_stream *random)
{
    struct instance *items = pool->items.data;
    for (int i = pool->count - 1; i > 0; i--) {
        int other = (int)random_below(random, (uint32_t)i + 1);
        struct instance item = items[i];
        items[i] = items[other];
        items[other] = item;
    }
    pool->next = 0;
    INVARIANT(pool->count >= 0 && (size_t)pool->count * sizeof *items <= pool->items.capacity);
}

/* ---- parts ---- */

/* The final exam asks more. */
static int exam_size(const struct rewards_run *s)
{
    return s->state.candidate ? s->run.settings.final_exam : s->run.settings.exam;
}

/* Fresh instances end when the exam's number was asked, when both pools are full, or when the final exam is
 * lost and the pool of solved ones is full (failures are then kept from before). */
static bool enough_asked(const struct rewards_run *s)
{
    const int full = s->run.settings.pool, solved = s->exam.solved_pool.count,
              failed = s->exam.failed_pool.count;
    /* one failure loses the final exam; further instances are asked only to fill the pools */
    const bool lost = s->state.candidate && s->run.settings.keep_failures && s->exam.solved < s->exam.asked;
    return s->exam.asked >= exam_size(s) || (solved >= full && (failed >= full || lost));
}

/* At most a pool full of the failures of the last exam. */
static int failures_to_repeat(const struct rewards_run *s)
{
    return s->failed.count < s->run.settings.pool ? s->failed.count : s->run.settings.pool;
}

/* Greedy where tests will be; in our final exam no move is made twice in a position. */
static nlm_status play_wave(struct rewards_run *s, int count, nlm_error *error)
{
    const bool greedy = s->state.candidate || s->run.settings.greedy_exams;
    /* the paper's agents repeat moves */
    const bool avoids_repeats =
        s->state.candidate && s->run.settings.greedy_exams && s->run.settings.no_repeat;
    nlm_status status = NLM_OK;
    for (int e = 0; e < count && !status; e++) {
        status = rewards_begin(s, e, s->wave[e], greedy, error);
        s->episode[e].avoids_repeats = s->episode[e].trace.no_repeat = avoids_repeats;
        s->episode[e].trace.penalty = 1;
    }
    return status ? status : rewards_play(s, count, error);
}

/* With optimal_exams an instance also has to be solved in the least number of moves, where that is known. */
static bool counts_as_solved(const struct rewards_run *s, const struct episode *episode)
{
    const int optimum = nlm_position_optimum(episode->start);
    const bool too_long = s->run.settings.optimal_exams && optimum >= 0 && episode_moves(episode) > optimum;
    return episode_solved(episode) && !too_long;
}

/* In a final exam with final_objects every eighth instance is larger; larger ones are not kept in pools,
 * since training has none of that size. */
static nlm_status ask_fresh(struct rewards_run *s, nlm_error *error)
{
    struct exam_running *exam = &s->exam;
    const int left = exam_size(s) - exam->asked, count = left < EXAM_WAVE ? left : EXAM_WAVE;
    /* numbers of this round: an exam depends on the settings and on the rounds before, on nothing else */
    random_stream random = rewards_round(s);
    const bool larger = s->state.candidate && s->run.settings.final_objects > 0;
    nlm_status status = NLM_OK;
    for (int e = 0; e < count && !status; e++) {
        status = rewards_fresh(s, &random, &s->wave[e], error);
        if (larger && e % LARGER_EVERY == LARGER_EVERY - 1)
            s->wave[e].objects = s->run.settings.final_objects;
    }
    if (!status)
        status = play_wave(s, count, error);
    for (int e = 0; e < count && !status; e++) {
        const struct episode *episode = &s->episode[e];
        const bool solved = counts_as_solved(s, episode);
        struct pool *pool = solved ? &exam->solved_pool : &exam->failed_pool;
        exam->asked++;
        exam->solved += solved;
        exam->moves += solved ? episode_moves(episode) : 0;
        if (pool->count < s->run.settings.pool && s->wave[e].objects <= s->run.settings.last_lesson)
            status = pool_add(pool, s->wave[e], error);
    }
    return status;
}

/* Failures of the last exam are tried again, and kept if they still fail. */
static nlm_status repeat_failures(struct rewards_run *s, nlm_error *error)
{
    struct exam_running *exam = &s->exam;
    const struct instance *items = s->failed.items.data;
    nlm_status status = NLM_OK;
    if (s->run.settings.keep_failures) { /* new ones come first; of these as many as there is room for */
        for (; exam->again < failures_to_repeat(s) && !status; exam->again++)
            if (exam->failed_pool.count < s->run.settings.pool)
                status = pool_add(&exam->failed_pool, items[exam->again], error);
        return status;
    }
    const int left = failures_to_repeat(s) - exam->again, count = left < EXAM_WAVE ? left : EXAM_WAVE;
    memcpy(s->wave, items + exam->again, (size_t)count * sizeof *s->wave);
    exam->again += count;
    status = play_wave(s, count, error);
    for (int e = 0; e < count && !status; e++)
        if (!counts_as_solved(s, &s->episode[e]))
            status = pool_add(&exam->failed_pool, s->wave[e], error);
    return status;
}

/* ---- results ---- */

/* The result of the exam, and means over the training since the last one. */
static void record(struct rewards_run *s, bool passed, double threshold)
{
    const struct exam_running *exam = &s->exam;
    const struct rewards_running *running = &s->running;
    nlm_exam *e = &s->state.exam;
    e->exam++;
    e->lesson = s->state.lesson;
    e->candidate = s->state.candidate;
    e->passed = passed;
    e->episodes = s->state.episodes;
    e->drawn = (long)s->state.next_instance;
    e->asked = exam->asked;
    e->solved = exam->solved;
    e->success = (double)exam->solved / exam->asked;
    e->threshold = threshold;
    e->moves = exam->solved ? (double)exam->moves / exam->solved : 0;
    e->train_success = running->episodes ? (double)running->solved / running->episodes : 0;
    e->loss = running->updates ? running->loss / running->updates : 0;
    e->entropy = running->updates ? running->entropy / running->updates : 0;
    /* the seconds of this last step are added by `step` in from_rewards.c */
    e->seconds = running->seconds;
    e->elapsed += running->seconds;
}

/* The rate is part of the state, so a run that is resumed has it. */
static void lower_rate(struct rewards_run *s, double decay)
{
    s->state.rate *= decay;
    nlm_optimizer_set_rate(s->run.optimizer, s->state.rate);
}

/* After a passed exam: the next lesson, after the last one the final exam, after that graduation, or
 * polishing before it. */
static void advance(struct rewards_run *s)
{
    struct rewards_state *state = &s->state;
    state->passed++;
    state->entropy *= s->run.settings.entropy_decay;
    lower_rate(s, s->run.settings.lr_decay);
    if (state->candidate && s->run.settings.polish > 0)
        polish_begin(s);
    else if (state->candidate)
        s->run.stage = NLM_GRADUATED;
    else if (state->lesson < s->run.settings.last_lesson)
        state->lesson++;
    else
        state->candidate = true;
}

/* Tolerated failure rate: slack for each lesson that is left, so the last lesson tolerates none.  While an
 * exam is going on, averaged parameters, if there are any, take the place of the trained ones
 * (rewards_exchange). */
static void end_exam(struct rewards_run *s)
{
    struct exam_running *exam = &s->exam;
    const double threshold = 1 - s->run.settings.slack * (s->run.settings.last_lesson - s->state.lesson);
    /* 1e-9: 0.95 * 20 may come out a little above 19 */
    const bool passed = (double)exam->solved >= threshold * exam->asked - 1e-9;
    random_stream random = rewards_round(s);
    /* training draws from the new pools; the old ones become room for the next exam */
    const struct pool solved = s->solved, failed = s->failed;
    s->solved = exam->solved_pool;
    s->failed = exam->failed_pool;
    exam->solved_pool = solved;
    exam->failed_pool = failed;
    pool_shuffle(&s->solved, &random);
    pool_shuffle(&s->failed, &random);
    record(s, passed, threshold);
    exam->going = false;
    /* a passed exam is followed by the next at once: an agent may be ready for several lessons */
    s->state.exam_due = passed;
    if (s->state.polishing)
        polish_judge(s, passed);
    else if (passed)
        advance(s);
    else if (s->state.candidate)
        lower_rate(s, s->run.settings.final_decay);
    if (s->run.stage != NLM_GRADUATED) /* the parameters that passed stay */
        rewards_exchange(s);
    s->running = (struct rewards_running){0};
    rewards_go_on(s);
}

/* One wave of fresh instances, or of repeated failures; the exam ends when both are done.  A wave that fails
 * may be tried again: it has other instances then, since their numbers are used up. */
nlm_status exam_step(struct rewards_run *s, bool *ended, nlm_error *error)
{
    struct exam_running *exam = &s->exam;
    *ended = false;
    /* first step of an exam */
    if (!exam->going) {
        exam->going = true;
        rewards_exchange(s);
        exam->asked = exam->solved = exam->again = 0;
        exam->moves = 0;
        exam->solved_pool.count = exam->failed_pool.count = 0;
    }
    nlm_status status = NLM_OK;
    if (!enough_asked(s))
        status = ask_fresh(s, error);
    else if (exam->again < failures_to_repeat(s))
        status = repeat_failures(s, error);
    if (!status && enough_asked(s) && exam->again >= failures_to_repeat(s)) {
        *ended = true;
        end_exam(s);
    }
    return status;
}
