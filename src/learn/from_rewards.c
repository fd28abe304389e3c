/* Learning from rewards: episodes, updates, and when it is time for an exam.
 *
 * An update plays a batch of episodes, computes returns and advantages, and makes `passes` steps of Adam on
 * the gradient of docs/maths.md, section 8.  Everything random comes from numbered streams of the seed: one
 * per episode for its moves, one per update or part of an exam for the choice of instances.
 *
 * The course of a run:
 *
 *     updates until `interval` episodes are played ---> exam of the lesson
 *         ^                                               |  failed: more updates, from the new pools
 *         +-----------------------------------------------+
 *                                                         |  passed: at once the exam of the next lesson,
 *                                                         |  after the last lesson the final exam
 *                                                         v
 *                                       graduation, with `polish` after fewer moves were learned
 *
 * It ends without graduation when the budget of episodes or the patience is used up; with `restart` it begins
 * again with new weights in between. */
#include "learn/from_rewards.h"

#include <math.h>
#include <string.h>
#include "nlm/tools.h"
#include "base/error.h"
#include "base/invariant.h"
#include "learn/settings.h"
#include "machine/machine.h"
#include "task/game.h"

/* Random streams, far from each other and from those of weights, worlds and instances. */
#define EPISODE_STREAMS 0x6d6f766573000000u /* "moves" */
#define ROUND_STREAMS 0x726f756e64000000u   /* "round" */

/* Sizes of fresh instances: the present lesson's and those of the two before it. */
enum { RECENT_LESSONS = 3 };

/* ---- life ---- */

/* The machine has a head that scores moves and, with the auxiliary loss, one more of the same shape that
 * predicts which moves are legal.  It must admit the largest instances that it will ever play. */
static nlm_status make_machine(struct rewards_run *s, nlm_error *error)
{
    const nlm_settings *course = &s->run.settings;
    const nlm_head_spec head = {
        .name = "head", .arity = course->game->arity, .outputs = 1, .twins = course->game->twins};
    nlm_head_spec heads[] = {head, head};
    heads[1].name = "valid";
    const nlm_adam adam = {.rate = course->lr, .beta1 = 0.9, .beta2 = course->beta2, .epsilon = 1e-8};
    nlm_status status =
        nlm_machine_new(&course->spec, heads, course->validity > 0 ? 2 : 1, &s->run.machine, error);
    int most = course->final_objects > course->last_lesson ? course->final_objects : course->last_lesson;
    if (course->polish > 0 && course->polish_objects > most)
        most = course->polish_objects;
    if (!status)
        status = machine_admit(s->run.machine, game_machine_objects(course->game, most), error);
    if (!status)
        status = nlm_adam_new(s->run.machine, adam, &s->run.optimizer, error);
    if (status)
        return status;
    const size_t parameters = nlm_machine_parameters(s->run.machine);
    s->average = memory_new(parameters + 1, sizeof *s->average);
    s->graduate = course->polish > 0 ? memory_new(parameters + 1, sizeof *s->graduate) : NULL;
    return s->average && (s->graduate || course->polish == 0) ? NLM_OK : error_no_memory(error);
}

/* One player per thread, each with a pass of one thread: groups of episodes are large enough to keep a thread
 * busy, and need no waiting inside.  The learner has one batch and divides it among all threads. */
static nlm_status make_players(struct rewards_run *s, const nlm_options *options, nlm_error *error)
{
    const int players = options->threads > 1 ? options->threads : 1;
    nlm_options alone = *options;
    alone.threads = 1;
    s->player = memory_new((size_t)players, sizeof *s->player);
    if (!s->player)
        return error_no_memory(error);
    nlm_status status = actor_init(&s->learner, s->run.machine, s->run.settings.game, options, error);
    for (; s->players < players && !status; s->players++)
        status =
            actor_init(&s->player[s->players].actor, s->run.machine, s->run.settings.game, &alone, error);
    if (!status && team_new(players, &s->team))
        status = error_no_memory(error);
    return status;
}

/* New weights and the first lesson: at the beginning of a run, and at each restart.  Counters of instances,
 * episodes and rounds go on, so new weights also meet new instances. */
static void begin_lessons(struct rewards_run *s)
{
    struct rewards_state *state = &s->state;
    /* restarts are counted over the whole run, so each has weights of its own */
    const uint64_t seed = s->run.settings.seed + (uint64_t)state->exam.restarts * RESTART_SEEDS;
    machine_initialise_with(s->run.machine, seed, s->run.settings.gain);
    memcpy(s->average, s->run.machine->values, nlm_machine_parameters(s->run.machine) * sizeof(float));
    optimizer_reset(s->run.optimizer);
    nlm_optimizer_set_rate(s->run.optimizer, s->run.settings.lr);
    state->begun = state->episodes;
    state->passed = 0;
    state->candidate = state->polishing = false;
    state->lesson = s->run.settings.first_lesson;
    /* both fell from lesson to lesson, and begin again */
    state->rate = s->run.settings.lr;
    state->entropy = s->run.settings.entropy;
    s->solved.count = s->failed.count = 0;
    /* empty: remembered moves are those of agents that are gone */
    s->validity.objects = 0;
}

/* All episodes are allocated here, enough for a batch and for a wave of an exam; counters tell `release` how
 * far a failed init came. */
static nlm_status init(nlm_run *run, const nlm_options *options, nlm_error *error)
{
    struct rewards_run *s = (struct rewards_run *)run;
    nlm_status status = make_machine(s, error);
    if (!status)
        status = make_players(s, options, error);
    /* slots of `episode`, shared by updates and exams */
    const int episodes = run->settings.batch > EXAM_WAVE ? run->settings.batch : EXAM_WAVE;
    if (!status && !(s->episode = memory_new((size_t)episodes, sizeof *s->episode)))
        status = error_no_memory(error);
    for (; s->episode_count < episodes && !status; s->episode_count++)
        status = episode_init(&s->episode[s->episode_count], run->settings.game, error);
    if (!status)
        status = validity_init(&s->validity, run->settings.game, error);
    if (!status)
        begin_lessons(s);
    return status;
}

/* The team first: its threads use the players.  All counts are those of what was really made. */
static void release(nlm_run *run)
{
    struct rewards_run *s = (struct rewards_run *)run;
    team_free(s->team);
    actor_release(&s->learner);
    for (int p = 0; p < s->players; p++)
        actor_release(&s->player[p].actor);
    for (int e = 0; e < s->episode_count; e++)
        episode_release(&s->episode[e]);
    memory_free(s->player);
    memory_free(s->episode);
    validity_release(&s->validity);
    buffer_free(&s->solved.items);
    buffer_free(&s->failed.items);
    buffer_free(&s->exam.solved_pool.items);
    buffer_free(&s->exam.failed_pool.items);
    memory_free(s->average);
    memory_free(s->graduate);
}

/* ---- instances and episodes ---- */

random_stream rewards_round(struct rewards_run *s)
{
    random_stream random;
    random_start(&random, s->run.settings.seed, ROUND_STREAMS + s->state.next_round++);
    return random;
}

/* An instance that nobody has played, of one of the recent lessons.  Only its number and its size are chosen;
 * half of them, with `deepest`, as the deepest of several, which takes drawing all of these. */
nlm_status rewards_fresh(struct rewards_run *s, random_stream *random, struct instance *instance,
                         nlm_error *error)
{
    /* the last three sizes, equally often: what was learned in the lessons before is not forgotten */
    const int lessons = s->state.lesson - s->run.settings.first_lesson + 1;
    const int recent = lessons < RECENT_LESSONS ? lessons : RECENT_LESSONS;
    instance->objects = s->state.lesson - (int)random_below(random, (uint32_t)recent);
    if (s->run.settings.deepest <= 0 || random_below(random, 2) != 0) {
        instance->number = s->state.next_instance++;
        return NLM_OK;
    }
    /* the deepest of several instances of this size, the first of them if there are more; learner.replayed is
     * free here, as it is used inside actor_learn and validity_remember only */
    nlm_status status = NLM_OK;
    for (int candidate = 0, deepest = -1; candidate < s->run.settings.deepest && !status; candidate++) {
        const uint64_t number = s->state.next_instance++;
        nlm_position *position = s->learner.replayed;
        status = nlm_position_draw(position, s->run.settings.seed, number, instance->objects, false, error);
        if (!status && game_depth(position) > deepest) {
            deepest = game_depth(position);
            instance->number = number;
        }
    }
    return status;
}

/* The instance of the next episode: from the pools of the last exam, each gone through in a random order
 * before any of its instances comes again.  Failed ones are where there is something to learn; solved ones
 * keep what was learned.  Before the first exam there are no pools. */
static nlm_status choose_instance(struct rewards_run *s, random_stream *random, struct instance *instance,
                                  nlm_error *error)
{
    if (s->solved.count + s->failed.count == 0)
        return rewards_fresh(s, random, instance, error);
    /* a random number is drawn only where there is a choice */
    const bool solved =
        s->failed.count == 0 || (s->solved.count > 0 && random_unit(random) < s->run.settings.solved_share);
    struct pool *pool = solved ? &s->solved : &s->failed;
    if (pool->next >= pool->count)
        pool_shuffle(pool, random);
    INVARIANT(pool->next < pool->count);
    *instance = ((const struct instance *)pool->items.data)[pool->next++];
    return NLM_OK;
}

/* The position is drawn from the number; the episode gets the next stream of random numbers, and only moves
 * of its own use it.  Exams set `avoids_repeats` afterwards. */
nlm_status rewards_begin(struct rewards_run *s, int slot, struct instance instance, bool greedy,
                         nlm_error *error)
{
    struct episode *episode = &s->episode[slot];
    episode->greedy = greedy;
    episode->avoids_repeats = false;
    nlm_status status = nlm_position_draw(episode->start, s->run.settings.seed, instance.number,
                                          instance.objects, false, error);
    return status ? status
                  : episode_begin(episode, s->run.settings.seed, EPISODE_STREAMS + s->state.next_episode++,
                                  error);
}

/* A part is a fixed group of slots, whatever the number of threads.  After an error a player does nothing
 * more; the others end their parts. */
static void play_part(void *context, int part, int thread)
{
    struct rewards_run *s = context;
    struct player *player = &s->player[thread];
    const int first = part * EPISODE_GROUP, left = s->playing - first;
    if (!player->status)
        player->status = actor_play(&player->actor, s->episode + first,
                                    left < EPISODE_GROUP ? left : EPISODE_GROUP, &player->error);
}

/* The error that is reported is that of the first player that has one. */
nlm_status rewards_play(struct rewards_run *s, int count, nlm_error *error)
{
    s->playing = count;
    for (int p = 0; p < s->players; p++)
        s->player[p].status = NLM_OK;
    team_run(s->team, (count + EPISODE_GROUP - 1) / EPISODE_GROUP, play_part, s);
    for (int p = 0; p < s->players; p++)
        if (s->player[p].status) {
            if (error)
                *error = s->player[p].error;
            return s->player[p].status;
        }
    return NLM_OK;
}

/* ---- updates ---- */

/* Advantages begin as returns, R(t) = reward(t) + discount R(t + 1), computed from the end.  The reward is 1
 * for the last step of a solved episode and -0.01 for every other. */
static void set_returns(struct episode *episode, double discount)
{
    double sum = 0;
    for (int t = episode_moves(episode) - 1; t >= 0; t--) {
        const bool solves = t == episode_moves(episode) - 1 && episode_solved(episode);
        sum = sum * discount + (solves ? NLM_REWARD_SOLVED : NLM_REWARD_STEP);
        episode->advantages[t] = sum;
    }
}

/* The mean return of all steps of episodes with the same instance is their baseline.  It tells what is good
 * for this instance from what is merely easy.  An episode has at least one move, so steps > 0.
 *
 * Example, discount 1: of two rollouts one solves in 2 moves, with returns 0.99 and 1, the other fails after
 * 4, with -0.04, -0.03, -0.02, -0.01.  The mean of the six is 0.315: moves of the first are reinforced by
 * 0.675 and 0.685, those of the second weakened by 0.325 to 0.355. */
static void subtract_baseline(struct episode *episodes, int count)
{
    double sum = 0;
    int steps = 0;
    for (int e = 0; e < count; e++)
        for (int t = 0; t < episode_moves(&episodes[e]); t++, steps++)
            sum += episodes[e].advantages[t];
    for (int e = 0; e < count; e++)
        for (int t = 0; t < episode_moves(&episodes[e]); t++)
            episodes[e].advantages[t] -= sum / steps;
}

/* Episodes of an update. */
static int batch_of(const struct rewards_run *s)
{
    return s->state.polishing ? polish_batch(s) : s->run.settings.batch;
}

/* With rollouts, each `rollouts` consecutive episodes have the same instance, the first few of them greedy;
 * settings_check_game makes sure that they divide the batch. */
static nlm_status play_batch(struct rewards_run *s, random_stream *random, nlm_error *error)
{
    const int batch = batch_of(s), rollouts = s->run.settings.rollouts;
    struct instance instance = {0};
    nlm_status status = NLM_OK;
    for (int e = 0; e < batch && !status; e++) {
        if (s->state.polishing && e % rollouts == 0)
            instance = polish_instance(s, random);
        else if (rollouts == 0 || e % rollouts == 0)
            status = choose_instance(s, random, &instance, error);
        const bool greedy = rollouts > 0 && e % rollouts < s->run.settings.greedy_rollouts;
        if (!status)
            status = rewards_begin(s, e, instance, greedy, error);
    }
    if (!status)
        status = rewards_play(s, batch, error);
    for (int e = 0; e < batch && !status; e++)
        set_returns(&s->episode[e], s->run.settings.discount);
    /* without rollouts the paper's REINFORCE: no baseline */
    for (int e = 0; rollouts > 0 && e < batch && !status; e += rollouts)
        if (s->state.polishing)
            polish_advantages(s->episode + e, rollouts);
        else
            subtract_baseline(s->episode + e, rollouts);
    return status;
}

void rewards_exchange(struct rewards_run *s)
{
    float *values = s->run.machine->values;
    for (size_t i = 0; s->run.settings.average > 0 && i < nlm_machine_parameters(s->run.machine); i++) {
        const float value = values[i];
        values[i] = s->average[i];
        s->average[i] = value;
    }
}

/* One step of Adam.  actor_learn replaces the gradients, validity_learn adds to them.  The latter needs the
 * actor's batch for its own pairs, so with it the episodes are replayed in each pass. */
static nlm_status learn_pass(struct rewards_run *s, random_stream *random, int pass,
                             nlm_policy_result *result, nlm_error *error)
{
    nlm_status status =
        actor_learn(&s->learner, s->episode, batch_of(s), s->state.entropy, pass > 0, result, error);
    if (!status && s->run.settings.validity > 0)
        status = validity_learn(&s->validity, &s->learner, random, s->run.settings.validity,
                                s->state.next_round, error);
    if (status)
        return status;
    /* before the step: the weights are still those of the last good update, and the checkpoint is sound */
    if (!isfinite(result->loss))
        return error_set(error, NLM_BAD_ARGUMENT,
                         "the loss after %ld episodes is not a number: the learning rate %g is too high",
                         s->state.episodes, s->run.settings.lr);
    nlm_optimizer_step(s->run.optimizer);
    /* the first averages are of few weights, so that the initial ones are soon forgotten */
    const double steps = (double)s->run.optimizer->steps;
    const float share = (float)(1 - fmin(s->run.settings.average, steps / (steps + 10)));
    for (size_t i = 0; i < nlm_machine_parameters(s->run.machine); i++)
        s->average[i] += share * (s->run.machine->values[i] - s->average[i]);
    return NLM_OK;
}

/* One batch of episodes, remembered once, then `passes` steps from it.  Returns and baselines are those of
 * the agent that played; the later steps weight them by how probable the moves still are (actor_learn). */
static nlm_status update(struct rewards_run *s, nlm_error *error)
{
    const int batch = batch_of(s), passes = s->state.polishing ? 1 : s->run.settings.passes;
    struct rewards_running *running = &s->running;
    random_stream random = rewards_round(s);
    nlm_status status = play_batch(s, &random, error);
    for (int e = 0; s->run.settings.validity > 0 && e < batch && !status; e++)
        status = validity_remember(&s->validity, &s->learner, &s->episode[e], error);
    for (int pass = 0; pass < passes && !status; pass++) {
        nlm_policy_result result = {0};
        status = learn_pass(s, &random, pass, &result, error);
        running->updates++;
        running->loss += result.loss;
        running->entropy += result.entropy;
    }
    if (status)
        return status;
    for (int e = 0; e < batch; e++)
        running->solved += episode_solved(&s->episode[e]);
    running->episodes += batch;
    s->state.episodes += batch;
    return NLM_OK;
}

/* ---- steps ---- */

/* Budget, patience, restart, in this order.  `tried` are the episodes with the present weights; patience
 * grows by one share with each exam passed. */
void rewards_go_on(struct rewards_run *s)
{
    struct rewards_state *state = &s->state;
    if (s->run.stage == NLM_GRADUATED || state->polishing)
        return;
    /* An exam that is due at once, after one that was passed, is still held when the budget is used up: what
     * was learned may be enough for the next lesson, or for graduation. */
    const bool out_of_budget = state->episodes >= s->run.settings.episodes;
    const long patience = s->run.settings.patience, tried = state->episodes - state->begun;
    const bool over = out_of_budget || (patience > 0 && tried >= patience * (state->passed + 1));
    s->run.stage = over && !state->exam_due ? NLM_EXHAUSTED : NLM_LEARNING;
    const bool in_vain = s->run.settings.restart > 0 && tried >= s->run.settings.restart;
    if (s->run.stage == NLM_LEARNING && !state->exam_due && in_vain) {
        state->exam.restarts++;
        begin_lessons(s);
    }
}

/* After `interval` episodes, at once after an exam that was passed, and when the budget is used up. */
static bool lesson_exam_is_due(const struct rewards_run *s)
{
    return s->state.exam_due || s->running.episodes >= s->run.settings.interval ||
           s->state.episodes >= s->run.settings.episodes;
}

/* Time spent in the last part of an exam belongs to the result that has just been recorded. */
static nlm_status step(nlm_run *run, bool *exam_ended, nlm_error *error)
{
    struct rewards_run *s = (struct rewards_run *)run;
    const double start = nlm_clock();
    const bool exam_is_due =
        s->exam.going || (s->state.polishing ? polish_exam_is_due(s) : lesson_exam_is_due(s));
    nlm_status status = exam_is_due ? exam_step(s, exam_ended, error) : update(s, error);
    const double seconds = nlm_clock() - start;
    if (*exam_ended) {
        s->state.exam.seconds += seconds;
        s->state.exam.elapsed += seconds;
    } else {
        s->running.seconds += seconds;
    }
    return status;
}

/* ---- progress ---- */

/* The fraction counts episodes; exams take time too, but nobody knows how many there will be. */
static void progress(const nlm_run *run, nlm_progress *progress)
{
    const struct rewards_run *s = (const struct rewards_run *)run;
    progress->rounds = progress->kept = s->state.exam.exam;
    const long budget =
        s->state.polishing ? s->state.polish_begun + run->settings.polish : run->settings.episodes;
    progress->fraction = fmin((double)s->state.episodes / (double)budget, 1);
    progress->elapsed = s->state.exam.elapsed;
    progress->exam = s->state.exam;
    progress->steps = s->running.updates;
    progress->asked = s->exam.going ? s->exam.asked : 0;
    progress->lesson = s->state.lesson;
    progress->candidate = s->state.candidate;
    progress->episodes = s->state.episodes;
}

/* "exam of lesson 7: 1,200 of 3,000", or
 * "lesson 7/12  12,000/50,000 episodes  exam 13: 97.20 % of 98.00 %  success 91.00 %  moves 8.1" */
static void line(const nlm_run *run, const nlm_progress *progress, char text[NLM_PROGRESS_LINE])
{
    const nlm_settings *settings = &run->settings;
    const nlm_exam *exam = &progress->exam;
    char done[NLM_NUMBER_TEXT], all[NLM_NUMBER_TEXT], share[NLM_NUMBER_TEXT], enough[NLM_NUMBER_TEXT];
    if (progress->asked > 0) {
        snprintf(enough, sizeof enough, "exam of lesson %d", progress->lesson);
        snprintf(text, NLM_PROGRESS_LINE, "%s: %s of %s", progress->candidate ? "final exam" : enough,
                 nlm_count_text((size_t)progress->asked, done),
                 nlm_count_text((size_t)(progress->candidate ? settings->final_exam : settings->exam), all));
        return;
    }
    const struct rewards_state *state = &((const struct rewards_run *)run)->state;
    if (state->polishing) {
        snprintf(text, NLM_PROGRESS_LINE, "fewer moves: %s of %s episodes  before %.1f moves",
                 nlm_count_text((size_t)(progress->episodes - state->polish_begun), done),
                 nlm_count_text((size_t)settings->polish, all), state->polish_moves);
        return;
    }
    int used = snprintf(text, NLM_PROGRESS_LINE, "lesson %d/%d  %s/%s episodes", progress->lesson,
                        settings->last_lesson, nlm_count_text((size_t)progress->episodes, done),
                        nlm_count_text((size_t)settings->episodes, all));
    if (exam->asked > 0) /* not at the beginning, nor when just taken up again */
        used += snprintf(text + used, NLM_PROGRESS_LINE - (size_t)used, "  exam %d: %s of %s", exam->exam,
                         nlm_percent_text(exam->success, share), nlm_percent_text(exam->threshold, enough));
    if (exam->train_success > 0) /* not when it follows another exam at once */
        used += snprintf(text + used, NLM_PROGRESS_LINE - (size_t)used, "  success %s",
                         nlm_percent_text(exam->train_success, share));
    if (exam->asked > 0)
        used += snprintf(text + used, NLM_PROGRESS_LINE - (size_t)used, "  moves %.1f", exam->moves);
    if (exam->restarts > 0)
        snprintf(text + used, NLM_PROGRESS_LINE - (size_t)used, "  %d restart%s", exam->restarts,
                 exam->restarts == 1 ? "" : "s");
}

/* A model has the agent that exams see; a graduate's machine is that already. */
static void exchange(nlm_run *run)
{
    struct rewards_run *s = (struct rewards_run *)run;
    if (run->stage != NLM_GRADUATED && !s->exam.going)
        rewards_exchange(s);
}

const struct run_type run_from_rewards = {
    .round = "exam",
    .file_state = "course checkpoint 1",
    .size = sizeof(struct rewards_run),
    .check = settings_check_game,
    .init = init,
    .release = release,
    .step = step,
    .progress = progress,
    .line = line,
    .describe = rewards_describe,
    .save = rewards_save,
    .read = rewards_read,
    .exchange = exchange,
    .recall = rewards_recall,
};
