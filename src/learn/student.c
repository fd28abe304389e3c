/* A run of a course: episodes, updates, and when it is time for an exam. */
#include "learn/student.h"

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

#define RESTART_SEEDS 0x9e3779b97f4a7c15u /* apart from each other and from what people choose */

enum { RECENT_LESSONS = 3 };

/* ---- life ---- */

static nlm_status make_machine(nlm_student *s, nlm_error *error)
{
    const nlm_settings *course = &s->settings;
    const nlm_head_spec head = {
        .name = "head", .arity = course->game->arity, .outputs = 1, .twins = course->game->twins};
    nlm_head_spec heads[] = {head, head};
    heads[1].name = "valid";
    const nlm_adam adam = {.rate = course->lr, .beta1 = 0.9, .beta2 = course->beta2, .epsilon = 1e-8};
    nlm_status status =
        nlm_machine_new(&course->spec, heads, course->validity > 0 ? 2 : 1, &s->machine, error);
    const int most =
        course->final_objects > course->last_lesson ? course->final_objects : course->last_lesson;
    if (!status)
        status = machine_admit(s->machine, game_machine_objects(course->game, most), error);
    if (!status)
        status = nlm_adam_new(s->machine, adam, &s->optimizer, error);
    if (status)
        return status;
    s->average = memory_new(nlm_machine_parameters(s->machine) + 1, sizeof *s->average);
    return s->average ? NLM_OK : error_no_memory(error);
}

static nlm_status make_players(nlm_student *s, const nlm_options *options, nlm_error *error)
{
    const int players = options->threads > 1 ? options->threads : 1;
    nlm_options alone = *options;
    alone.threads = 1;
    s->player = memory_new((size_t)players, sizeof *s->player);
    if (!s->player)
        return error_no_memory(error);
    nlm_status status = actor_init(&s->learner, s->machine, s->settings.game, options, error);
    for (; s->players < players && !status; s->players++)
        status = actor_init(&s->player[s->players].actor, s->machine, s->settings.game, &alone, error);
    if (!status && team_new(players, &s->team))
        status = error_no_memory(error);
    return status;
}

static nlm_status make_episodes(nlm_student *s, nlm_error *error)
{
    const int count = s->settings.batch > STUDENT_WAVE ? s->settings.batch : STUDENT_WAVE;
    s->episode = memory_new((size_t)count, sizeof *s->episode);
    if (!s->episode)
        return error_no_memory(error);
    nlm_status status = NLM_OK;
    for (; s->episode_count < count && !status; s->episode_count++)
        status = episode_init(&s->episode[s->episode_count], s->settings.game, error);
    return status;
}

/* New weights and the first lesson. */
static void begin_lessons(nlm_student *s)
{
    struct student_state *state = &s->state;
    const uint64_t seed = s->settings.seed + (uint64_t)state->exam.restarts * RESTART_SEEDS;
    machine_initialise_with(s->machine, seed, s->settings.gain);
    memcpy(s->average, s->machine->values, nlm_machine_parameters(s->machine) * sizeof(float));
    optimizer_reset(s->optimizer);
    nlm_optimizer_set_rate(s->optimizer, s->settings.lr);
    state->begun = state->episodes;
    state->passed = 0;
    state->candidate = false;
    state->lesson = s->settings.first_lesson;
    state->rate = s->settings.lr;
    state->entropy = s->settings.entropy;
    s->solved.count = s->failed.count = 0;
    s->validity.objects = 0;
}

nlm_status nlm_student_new(const nlm_settings *course, const nlm_options *options, nlm_student **student,
                           nlm_error *error)
{
    *student = NULL;
    const nlm_options plain = {.threads = 1};
    nlm_status status = settings_check_game(course, error);
    if (status)
        return status;
    nlm_student *made = memory_new(1, sizeof *made);
    if (!made)
        return error_no_memory(error);
    made->settings = *course;
    status = make_machine(made, error);
    if (!status)
        status = make_players(made, options ? options : &plain, error);
    if (!status)
        status = make_episodes(made, error);
    if (!status)
        status = validity_init(&made->validity, course->game, error);
    if (status) {
        nlm_student_free(made);
        return status;
    }
    begin_lessons(made);
    *student = made;
    return NLM_OK;
}

void nlm_student_free(nlm_student *s)
{
    if (!s)
        return;
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
    nlm_optimizer_free(s->optimizer);
    nlm_machine_free(s->machine);
    memory_free(s);
}

/* ---- instances and episodes ---- */

random_stream student_round(nlm_student *s)
{
    random_stream random;
    random_start(&random, s->settings.seed, ROUND_STREAMS + s->state.next_round++);
    return random;
}

/* The deepest of several instances of a size, the first of them if there are more. */
static nlm_status find_deepest(nlm_student *s, struct instance *instance, nlm_error *error)
{
    int deepest = -1;
    for (int candidate = 0; candidate < s->settings.deepest; candidate++) {
        const uint64_t number = s->state.next_instance++;
        nlm_position *position = s->learner.replayed;
        nlm_status status =
            nlm_position_draw(position, s->settings.seed, number, instance->objects, false, error);
        if (status)
            return status;
        if (game_depth(position) <= deepest)
            continue;
        deepest = game_depth(position);
        instance->number = number;
    }
    return NLM_OK;
}

nlm_status student_fresh(nlm_student *s, random_stream *random, struct instance *instance, nlm_error *error)
{
    const int lessons = s->state.lesson - s->settings.first_lesson + 1;
    const int recent = lessons < RECENT_LESSONS ? lessons : RECENT_LESSONS;
    instance->objects = s->state.lesson - (int)random_below(random, (uint32_t)recent);
    if (s->settings.deepest > 0 && random_below(random, 2) == 0)
        return find_deepest(s, instance, error);
    instance->number = s->state.next_instance++;
    return NLM_OK;
}

static struct instance take(struct pool *pool, random_stream *random)
{
    if (pool->next >= pool->count)
        pool_shuffle(pool, random);
    INVARIANT(pool->next < pool->count);
    return ((const struct instance *)pool->items.data)[pool->next++];
}

/* Before the first exam there are no pools. */
static nlm_status choose_instance(nlm_student *s, random_stream *random, struct instance *instance,
                                  nlm_error *error)
{
    if (s->solved.count + s->failed.count == 0)
        return student_fresh(s, random, instance, error);
    const bool solved =
        s->failed.count == 0 || (s->solved.count > 0 && random_unit(random) < s->settings.solved_share);
    *instance = take(solved ? &s->solved : &s->failed, random);
    return NLM_OK;
}

nlm_status student_begin(nlm_student *s, int slot, struct instance instance, bool greedy, nlm_error *error)
{
    struct episode *episode = &s->episode[slot];
    episode->greedy = greedy;
    episode->wary = false;
    nlm_status status =
        nlm_position_draw(episode->start, s->settings.seed, instance.number, instance.objects, false, error);
    return status
               ? status
               : episode_begin(episode, s->settings.seed, EPISODE_STREAMS + s->state.next_episode++, error);
}

static void play_part(void *context, int part, int thread)
{
    nlm_student *s = context;
    struct player *player = &s->player[thread];
    const int first = part * STUDENT_GROUP, left = s->playing - first;
    if (!player->status)
        player->status = actor_play(&player->actor, s->episode + first,
                                    left < STUDENT_GROUP ? left : STUDENT_GROUP, &player->error);
}

nlm_status student_play(nlm_student *s, int count, nlm_error *error)
{
    s->playing = count;
    for (int p = 0; p < s->players; p++)
        s->player[p].status = NLM_OK;
    team_run(s->team, (count + STUDENT_GROUP - 1) / STUDENT_GROUP, play_part, s);
    for (int p = 0; p < s->players; p++)
        if (s->player[p].status) {
            if (error)
                *error = s->player[p].error;
            return s->player[p].status;
        }
    return NLM_OK;
}

/* ---- updates ---- */

/* The reward is 1 for the last step of a solved episode and -0.01 for every other. */
static void set_returns(const nlm_student *s, struct episode *episode)
{
    double sum = 0;
    for (int t = episode_moves(episode) - 1; t >= 0; t--) {
        const bool solves = t == episode_moves(episode) - 1 && episode_solved(episode);
        sum = sum * s->settings.discount + (solves ? NLM_REWARD_SOLVED : NLM_REWARD_STEP);
        episode->advantages[t] = sum;
    }
}

/* The mean return of all steps of episodes with the same instance is their baseline. */
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

static nlm_status play_batch(nlm_student *s, random_stream *random, nlm_error *error)
{
    const int batch = s->settings.batch, rollouts = s->settings.rollouts;
    struct instance instance = {0};
    nlm_status status = NLM_OK;
    for (int e = 0; e < batch && !status; e++) {
        if (rollouts == 0 || e % rollouts == 0)
            status = choose_instance(s, random, &instance, error);
        const bool greedy = rollouts > 0 && e % rollouts < s->settings.greedy_rollouts;
        if (!status)
            status = student_begin(s, e, instance, greedy, error);
    }
    if (!status)
        status = student_play(s, batch, error);
    for (int e = 0; e < batch && !status; e++)
        set_returns(s, &s->episode[e]);
    for (int e = 0; rollouts > 0 && e < batch && !status; e += rollouts)
        subtract_baseline(s->episode + e, rollouts);
    return status;
}

static nlm_status remember_batch(nlm_student *s, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int e = 0; s->settings.validity > 0 && e < s->settings.batch && !status; e++)
        status = validity_remember(&s->validity, &s->learner, &s->episode[e], error);
    return status;
}

/* The first averages are of few weights, so that the initial ones are soon forgotten. */
static void follow(nlm_student *s)
{
    const double steps = (double)s->optimizer->steps;
    const float share = (float)(1 - fmin(s->settings.average, steps / (steps + 10)));
    const float *values = s->machine->values;
    for (size_t i = 0; i < nlm_machine_parameters(s->machine); i++)
        s->average[i] += share * (values[i] - s->average[i]);
}

void student_exchange(nlm_student *s)
{
    float *values = s->machine->values;
    for (size_t i = 0; s->settings.average > 0 && i < nlm_machine_parameters(s->machine); i++) {
        const float value = values[i];
        values[i] = s->average[i];
        s->average[i] = value;
    }
}

static nlm_status learn_pass(nlm_student *s, random_stream *random, int pass, struct actor_result *result,
                             nlm_error *error)
{
    nlm_status status =
        actor_learn(&s->learner, s->episode, s->settings.batch, s->state.entropy, pass > 0, result, error);
    if (!status && s->settings.validity > 0)
        status = validity_learn(&s->validity, &s->learner, random, s->settings.validity, s->state.next_round,
                                error);
    if (status)
        return status;
    if (!isfinite(result->loss))
        return error_set(error, NLM_BAD_ARGUMENT,
                         "the loss after %ld episodes is not a number: the learning rate %g is too high",
                         s->state.episodes, s->settings.lr);
    nlm_optimizer_step(s->optimizer);
    follow(s);
    return NLM_OK;
}

static nlm_status update(nlm_student *s, nlm_error *error)
{
    const int batch = s->settings.batch;
    struct student_running *running = &s->running;
    random_stream random = student_round(s);
    nlm_status status = play_batch(s, &random, error);
    if (!status)
        status = remember_batch(s, error);
    for (int pass = 0; pass < s->settings.passes && !status; pass++) {
        struct actor_result result = {0};
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

static bool patience_is_over(const nlm_student *s)
{
    const long patience = s->settings.patience;
    return patience > 0 && s->state.episodes - s->state.begun >= patience * (s->state.passed + 1);
}

void student_go_on(nlm_student *s)
{
    struct student_state *state = &s->state;
    if (state->stage == NLM_GRADUATED)
        return;
    const bool out_of_budget = state->episodes >= s->settings.episodes;
    const bool over = out_of_budget || patience_is_over(s);
    state->stage = over && !state->exam_due ? NLM_EXHAUSTED : NLM_LEARNING;
    const bool in_vain = s->settings.restart > 0 && state->episodes - state->begun >= s->settings.restart;
    if (state->stage == NLM_LEARNING && !state->exam_due && in_vain) {
        state->exam.restarts++;
        begin_lessons(s);
    }
}

static bool exam_is_due(const nlm_student *s)
{
    return s->state.exam_due || s->exam.going || s->running.episodes >= s->settings.interval ||
           s->state.episodes >= s->settings.episodes;
}

nlm_status nlm_student_step(nlm_student *s, bool *exam_ended, nlm_error *error)
{
    bool ended = false;
    if (s->state.stage != NLM_LEARNING)
        return error_set(error, NLM_BAD_ARGUMENT, "the run has ended");
    const double start = nlm_clock();
    nlm_status status = exam_is_due(s) ? exam_step(s, &ended, error) : update(s, error);
    const double seconds = nlm_clock() - start;
    if (ended) {
        s->state.exam.seconds += seconds;
        s->state.exam.elapsed += seconds;
    } else
        s->running.seconds += seconds;
    if (exam_ended)
        *exam_ended = ended;
    return status;
}

/* ---- what it shows ---- */

nlm_stage nlm_student_stage(const nlm_student *s)
{
    return s->state.stage;
}

const nlm_settings *nlm_student_settings(const nlm_student *s)
{
    return &s->settings;
}

const nlm_exam *nlm_student_exam(const nlm_student *s)
{
    return &s->state.exam;
}

int nlm_student_lesson(const nlm_student *s)
{
    return s->state.lesson;
}

bool nlm_student_candidate(const nlm_student *s)
{
    return s->state.candidate;
}

long nlm_student_episodes(const nlm_student *s)
{
    return s->state.episodes;
}

int nlm_student_asked(const nlm_student *s)
{
    return s->exam.going ? s->exam.asked : 0;
}

nlm_machine *nlm_student_machine(nlm_student *s)
{
    return s->machine;
}
