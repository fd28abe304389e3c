/* Actor: looking at positions, choosing moves, and the gradient of what was chosen. */
#include "learn/actor.h"

#include <math.h>
#include <string.h>
#include "base/error.h"

#define CLIP 0.2
#define MOST_MOVES 0x100000u /* of an episode, as far as it has other names before each */

/* ---- life ---- */

nlm_status actor_fits(const nlm_machine *machine, const nlm_game *game, nlm_error *error)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    for (int r = 0; r <= NLM_MAX_BREADTH; r++) {
        int reads = r <= spec->breadth ? spec->inputs[r] : 0;
        if (reads != game->inputs[r])
            return error_set(error, NLM_BAD_SHAPE,
                             "the machine reads %d predicates of arity %d, positions of %s have %d", reads, r,
                             game->name, game->inputs[r]);
    }
    const nlm_head_spec *head = nlm_machine_head(machine, 0);
    if (!head || head->arity != game->arity || head->twins != game->twins)
        return error_set(error, NLM_BAD_SHAPE, "the machine has no head that scores the moves of %s",
                         game->name);
    return NLM_OK;
}

nlm_status actor_init(struct actor *actor, nlm_machine *machine, const nlm_game *game,
                      const nlm_options *options, nlm_error *error)
{
    *actor = (struct actor){.machine = machine, .game = game};
    nlm_status status = nlm_evaluator_new(machine, options, &actor->evaluator, error);
    if (!status)
        status = nlm_position_new(game, &actor->replayed, error);
    if (status)
        actor_release(actor);
    return status;
}

void actor_release(struct actor *actor)
{
    nlm_position_free(actor->replayed);
    nlm_evaluator_free(actor->evaluator);
    buffer_free(&actor->probabilities);
    buffer_free(&actor->actions);
    buffer_free(&actor->action_advantages);
    buffer_free(&actor->action_probabilities);
    *actor = (struct actor){0};
}

nlm_status episode_init(struct episode *episode, const nlm_game *game, nlm_error *error)
{
    *episode = (struct episode){0};
    nlm_status status = nlm_position_new(game, &episode->start, error);
    if (!status)
        status = nlm_position_new(game, &episode->position, error);
    if (status)
        episode_release(episode);
    return status;
}

void episode_release(struct episode *episode)
{
    nlm_position_free(episode->start);
    nlm_position_free(episode->position);
    buffer_free(&episode->move_store);
    buffer_free(&episode->advantage_store);
    buffer_free(&episode->probability_store);
    trace_release(&episode->trace);
    *episode = (struct episode){0};
}

bool episode_over(const struct episode *episode)
{
    return episode->stuck || nlm_position_over(episode->position);
}

int episode_moves(const struct episode *episode)
{
    return nlm_position_moves(episode->position);
}

bool episode_solved(const struct episode *episode)
{
    return nlm_position_solved(episode->position);
}

nlm_status episode_begin(struct episode *episode, uint64_t seed, uint64_t stream, nlm_error *error)
{
    size_t limit = (size_t)nlm_position_limit(episode->start) + 1;
    if (buffer_reserve(&episode->move_store, limit, NLM_MAX_MOVE * sizeof(int), false) ||
        buffer_reserve(&episode->advantage_store, limit, sizeof(double), false) ||
        buffer_reserve(&episode->probability_store, limit, sizeof(float), false))
        return error_no_memory(error);
    episode->moves = episode->move_store.data;
    episode->advantages = episode->advantage_store.data;
    episode->probabilities = episode->probability_store.data;
    episode->stuck = false;
    trace_forget(&episode->trace);
    episode->stream = stream;
    random_start(&episode->random, seed, stream);
    return nlm_position_copy(episode->position, episode->start, error);
}

/* ---- playing ---- */

size_t actor_cells(const struct actor *actor, const nlm_position *position)
{
    size_t cells = 1;
    for (int k = 0; k < actor->game->arity; k++)
        cells *= (size_t)nlm_position_choices(position);
    return cells;
}

void actor_move_of(const struct actor *actor, const nlm_position *position, size_t cell, int *move)
{
    const size_t choices = (size_t)nlm_position_choices(position);
    for (int k = actor->game->arity - 1; k >= 0; k--) {
        move[k] = (int)(cell % choices);
        cell /= choices;
    }
}

static size_t choose(struct episode *episode, const float *probabilities, size_t cells)
{
    if (episode->greedy)
        return most_probable_cell(probabilities, cells);
    double left = random_unit(&episode->random);
    for (size_t c = 0; c < cells; c++) {
        left -= (double)probabilities[c];
        if (left < 0)
            return c;
    }
    return most_probable_cell(probabilities, cells); /* the sum is 1 but for rounding */
}

nlm_batch *actor_clear(struct actor *actor)
{
    actor->holds_episodes = false;
    nlm_evaluator_clear(actor->evaluator);
    return nlm_evaluator_batch(actor->evaluator);
}

static nlm_status find_probabilities(struct actor *actor, const nlm_position *position, int world,
                                     nlm_error *error)
{
    if (buffer_reserve(&actor->probabilities, actor_cells(actor, position), sizeof(float), false))
        return error_no_memory(error);
    return nlm_pass_probabilities(actor->evaluator->pass, world, 0, actor->probabilities.data, error);
}

/* One more position of an episode in the batch.  Models that give names give others before each move, or they
 * would learn by heart what to do in the few positions of a small game; and others again when they learn from
 * it, so that what was good under some names is made more probable under all. */
static nlm_status present(struct actor *actor, uint64_t stream, const nlm_position *position,
                          nlm_error *error)
{
    nlm_batch *batch = nlm_evaluator_batch(actor->evaluator);
    nlm_status status = nlm_batch_add_position(batch, position, error);
    if (!status)
        nlm_batch_present(batch, nlm_batch_worlds(batch) - 1,
                          stream * MOST_MOVES + (uint64_t)nlm_position_moves(position));
    return status;
}

nlm_status actor_look(struct actor *actor, const nlm_position *position, nlm_error *error)
{
    actor_clear(actor);
    nlm_status status = present(actor, 0, position, error);
    if (!status)
        status = nlm_evaluator_run(actor->evaluator, false, error);
    return status ? status : find_probabilities(actor, position, 0, error);
}

static nlm_status make_move(struct actor *actor, struct episode *episode, int world, nlm_error *error)
{
    nlm_status status = find_probabilities(actor, episode->position, world, error);
    if (status)
        return status;
    const float *probabilities = actor->probabilities.data;
    const size_t cells = actor_cells(actor, episode->position);
    size_t cell;
    if (!episode->greedy || !episode->wary)
        cell = choose(episode, probabilities, cells);
    else if (trace_choose(&episode->trace, episode->position, probabilities, cells, &cell))
        return error_no_memory(error);
    if (!(probabilities[cell] > 0))
        return error_set(error, NLM_BAD_ARGUMENT,
                         "the scores of moves are not numbers: the weights are too large, perhaps from a "
                         "learning rate that is too high");
    const int made = episode_moves(episode);
    int *move = episode->moves + (size_t)made * (size_t)actor->game->arity;
    actor_move_of(actor, episode->position, cell, move);
    episode->probabilities[made] = probabilities[cell];
    const bool steady = !nlm_machine_spec(actor->machine)->model; /* others have other names next time */
    episode->stuck =
        episode->greedy && !episode->wary && steady && !nlm_position_legal(episode->position, move);
    return nlm_position_move(episode->position, move, NULL, error);
}

nlm_status actor_play(struct actor *actor, struct episode *episodes, int count, nlm_error *error)
{
    for (;;) {
        nlm_status status = NLM_OK;
        actor_clear(actor);
        for (int e = 0; e < count && !status; e++)
            if (!episode_over(&episodes[e]))
                status = present(actor, episodes[e].stream, episodes[e].position, error);
        if (status || nlm_batch_worlds(actor->evaluator->batch) == 0)
            return status;
        status = nlm_evaluator_run(actor->evaluator, false, error);
        for (int e = 0, world = 0; e < count && !status; e++)
            if (!episode_over(&episodes[e]))
                status = make_move(actor, &episodes[e], world++, error);
        if (status)
            return status;
    }
}

/* ---- learning ---- */

/* Put the positions of an episode into the batch. */
static nlm_status replay(struct actor *actor, const struct episode *episode, nlm_error *error)
{
    const size_t arity = (size_t)actor->game->arity;
    nlm_status status = nlm_position_copy(actor->replayed, episode->start, error);
    for (int t = 0; t < episode_moves(episode) && !status; t++) {
        status = present(actor, ~episode->stream, actor->replayed, error);
        if (!status)
            status = nlm_position_move(actor->replayed, episode->moves + (size_t)t * arity, NULL, error);
    }
    return status;
}

static nlm_status replay_all(struct actor *actor, const struct episode *episodes, int count, nlm_error *error)
{
    nlm_status status = NLM_OK;
    actor_clear(actor);
    for (int e = 0; e < count && !status; e++)
        status = replay(actor, &episodes[e], error);
    actor->holds_episodes = !status;
    return status;
}

/* The moves of all episodes, one after the other, as their positions are in the batch. */
static nlm_status gather_moves(struct actor *actor, const struct episode *episodes, int count, int *steps,
                               nlm_error *error)
{
    const size_t arity = (size_t)actor->game->arity;
    size_t all = 0;
    for (int e = 0; e < count; e++)
        all += (size_t)episode_moves(&episodes[e]);
    if (buffer_reserve(&actor->actions, all, NLM_MAX_MOVE * sizeof(int), false) ||
        buffer_reserve(&actor->action_advantages, all, sizeof(double), false) ||
        buffer_reserve(&actor->action_probabilities, all, sizeof(float), false))
        return error_no_memory(error);
    *steps = 0;
    for (int e = 0; e < count; e++)
        for (int t = 0; t < episode_moves(&episodes[e]); t++, (*steps)++) {
            memcpy((int *)actor->actions.data + (size_t)*steps * arity, episodes[e].moves + (size_t)t * arity,
                   arity * sizeof(int));
            ((double *)actor->action_advantages.data)[*steps] = episodes[e].advantages[t];
            ((float *)actor->action_probabilities.data)[*steps] = episodes[e].probabilities[t];
        }
    return NLM_OK;
}

static size_t move_cell(const struct actor *actor, size_t choices, const int *move)
{
    size_t cell = 0;
    for (int k = 0; k < actor->game->arity; k++)
        cell = cell * choices + (size_t)move[k];
    return cell;
}

/* Weight the advantages of moves by how probable they are now. */
static nlm_status weight_advantages(struct actor *actor, int steps, nlm_error *error)
{
    const float *before = actor->action_probabilities.data;
    double *advantages = actor->action_advantages.data;
    for (int t = 0; t < steps; t++) {
        const int objects = nlm_batch_objects(actor->evaluator->batch, t);
        const size_t choices = (size_t)(actor->game->twins ? objects / 2 : objects);
        const int *move = (const int *)actor->actions.data + (size_t)t * (size_t)actor->game->arity;
        if (buffer_reserve(&actor->probabilities, choices * choices, sizeof(float), false))
            return error_no_memory(error);
        const float *now = actor->probabilities.data;
        nlm_status status =
            nlm_pass_probabilities(actor->evaluator->pass, t, 0, actor->probabilities.data, error);
        if (status)
            return status;
        const double ratio = (double)now[move_cell(actor, choices, move)] / fmax((double)before[t], 1e-20);
        const bool too_far = advantages[t] > 0 ? ratio > 1 + CLIP : ratio < 1 - CLIP;
        advantages[t] *= too_far ? 0 : ratio;
    }
    return NLM_OK;
}

nlm_status actor_learn(struct actor *actor, const struct episode *episodes, int count, double beta,
                       bool again, struct actor_result *result, nlm_error *error)
{
    int steps = 0;
    nlm_status status = gather_moves(actor, episodes, count, &steps, error);
    if (!status && !(again && actor->holds_episodes))
        status = replay_all(actor, episodes, count, error);
    if (!status)
        status = nlm_evaluator_run(actor->evaluator, true, error);
    if (!status && again)
        status = weight_advantages(actor, steps, error);
    double *advantages = actor->action_advantages.data;
    for (int t = 0; t < steps; t++)
        advantages[t] /= steps;
    nlm_policy_result policy;
    if (!status)
        status = nlm_pass_policy(actor->evaluator->pass, 0, actor->actions.data, advantages, beta / steps,
                                 &policy, error);
    if (status)
        return status;
    *result = (struct actor_result){.loss = policy.loss, .entropy = policy.entropy};
    nlm_machine_zero_gradients(actor->machine);
    return nlm_pass_backward(actor->evaluator->pass, error);
}
