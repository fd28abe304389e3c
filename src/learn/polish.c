/* Polishing: a graduate learns to need fewer moves.
 *
 * Returns of learning hardly tell a solution in 13 moves from one in 14, and much from failures; once there
 * are hardly any failures left, moves can be compared alone.  An update plays several episodes of each of
 * some instances.  The advantage of all steps of an episode is
 *
 *     (mean moves of the instance's episodes - its own) / their standard deviation, at least -WORST
 *
 * where a failure counts as many moves as were allowed.  Instances have up to `polish_objects` objects, since
 * detours show in large ones.
 *
 *     `polish` episodes ---> final exam, passed in fewer moves than the graduate's ---> graduation
 *         ^                    |  not
 *         +--------------------+  a quarter more episodes, up to half as many more: then the graduate stays
 */
#include <math.h>
#include <string.h>
#include "learn/from_rewards.h"

/* Instances of an update; how far the smallest instances are below the last lesson. */
enum { GROUPS = 4, SMALLER = 4 };

#define WORST 3.0
#define LEAST_DEVIATION 0.5 /* of moves: one move more or less among eight episodes is 0.33 */

static size_t parameters_of(const struct rewards_run *s)
{
    return nlm_machine_parameters(s->run.machine);
}

/* During an exam the machine has the averaged parameters (rewards_exchange), which go on from here, and so do
 * their average and those of the graduate. */
void polish_begin(struct rewards_run *s)
{
    struct rewards_state *state = &s->state;
    state->polishing = true;
    state->polish_begun = state->episodes;
    state->polish_moves = state->exam.moves;
    state->exam_due = false;
    memcpy(s->graduate, s->run.machine->values, parameters_of(s) * sizeof *s->graduate);
    memcpy(s->average, s->run.machine->values, parameters_of(s) * sizeof *s->average);
    optimizer_reset(s->run.optimizer);
    state->rate = s->run.settings.polish_lr;
    state->entropy = s->run.settings.entropy;
    nlm_optimizer_set_rate(s->run.optimizer, state->rate);
}

struct instance polish_instance(struct rewards_run *s, random_stream *random)
{
    const nlm_settings *course = &s->run.settings;
    int least = course->last_lesson - SMALLER;
    if (least < course->first_lesson)
        least = course->first_lesson;
    return (struct instance){
        .number = s->state.next_instance++,
        .objects = least + (int)random_below(random, (uint32_t)(course->polish_objects - least + 1))};
}

int polish_batch(const struct rewards_run *s)
{
    const int rollouts = s->run.settings.rollouts, fit = s->episode_count / rollouts;
    return rollouts * (fit < GROUPS ? fit : GROUPS);
}

static double moves_of(const struct episode *episode)
{
    return episode_solved(episode) ? episode_moves(episode) : nlm_position_limit(episode->start);
}

void polish_advantages(struct episode *episodes, int count)
{
    double sum = 0, squares = 0;
    for (int e = 0; e < count; e++) {
        sum += moves_of(&episodes[e]);
        squares += moves_of(&episodes[e]) * moves_of(&episodes[e]);
    }
    const double mean = sum / count, deviation = sqrt(fmax(squares / count - mean * mean, 0));
    for (int e = 0; e < count; e++) {
        const double advantage =
            fmax((mean - moves_of(&episodes[e])) / fmax(deviation, LEAST_DEVIATION), -WORST);
        for (int t = 0; t < episode_moves(&episodes[e]); t++)
            episodes[e].advantages[t] = advantage;
    }
}

/* Exams are held after `polish` episodes and then after each quarter of that. */
bool polish_exam_is_due(const struct rewards_run *s)
{
    const long done = s->state.episodes - s->state.polish_begun, polish = s->run.settings.polish;
    const long since = s->running.episodes;
    return done >= polish && (done - since < polish || since >= polish / 4);
}

/* The machine has the parameters that were examined, and keeps them if the run ends here.  A graduate that
 * stays had all instances of its exam solved: that is what the run then reports. */
void polish_judge(struct rewards_run *s, bool passed)
{
    struct rewards_state *state = &s->state;
    state->exam_due = false;
    if (passed && state->exam.moves < state->polish_moves) {
        s->run.stage = NLM_GRADUATED;
    } else if (2 * (state->episodes - state->polish_begun) >= 3 * (long)s->run.settings.polish) {
        memcpy(s->run.machine->values, s->graduate, parameters_of(s) * sizeof *s->graduate);
        state->exam.passed = true;
        state->exam.asked = state->exam.solved = s->run.settings.final_exam;
        state->exam.success = 1;
        state->exam.moves = state->polish_moves;
        s->run.stage = NLM_GRADUATED;
    }
}
