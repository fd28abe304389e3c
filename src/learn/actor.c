/* Actor: looking at positions, choosing moves, and the gradient of what was chosen; and agents, which give
 * the most probable moves of one position.
 *
 * The machine's first head gives each move a score; the probability of a move is the softmax over all moves
 * of its world.  Moves are numbered as cells of a dense array: the cell of move (a, b) with n choices is
 * a n + b.  Cells that are no move, (a, a), have probability 0. */
#include "learn/actor.h"

#include <math.h>
#include <string.h>
#include "base/error.h"
#include "logic/policy.h"
#include "nlm/play.h"
#include "nlm/rules.h"
#include "task/game.h"

#define CLIP 0.2             /* an advantage is dropped once its move is so much more, or less, probable */
#define MOST_MOVES 0x100000u /* of an episode, as far as it has other names before each */

/* ---- life ---- */

/* Models come from files, so a machine may be any; without this check a pass would read other inputs. */
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

/* Buffers are taken when sizes are known, by the first position. */
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

/* Two positions: where it begins, for replaying, and where it is. */
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

/* Solved, out of moves, or stuck; the position knows the first two. */
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

/* The caller has set `start`, `greedy` and `avoids_repeats`.  Room for as many moves as the limit allows is
 * taken here, so that playing allocates nothing. */
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

/* ---- traces ---- */

void trace_release(struct trace *trace)
{
    buffer_free(&trace->steps);
    trace_forget(trace);
}

void trace_forget(struct trace *trace)
{
    trace->count = 0;
    trace->returned = false;
}

/* The most probable move, the first of several. */
static size_t most_probable_cell(const float *probabilities, size_t cells)
{
    size_t best = 0;
    for (size_t c = 1; c < cells; c++)
        if (probabilities[c] > probabilities[best])
            best = c;
    return best;
}

/* A move counts as its probability times penalty^(times that it was made).  The trace is searched only for
 * moves that are more probable than the best so far: few, even if there are thousands of cells.
 *
 * Equal keys are taken for equal positions.  Two different positions with one key would cost the agent one
 * move at worst, and keys have 64 bits. */
nlm_status trace_choose(struct trace *trace, const nlm_position *position, const float *probabilities,
                        size_t cells, size_t *cell)
{
    if (buffer_reserve(&trace->steps, (size_t)trace->count + 1, sizeof(struct trace_step), true))
        return NLM_NO_MEMORY;
    const uint64_t key = game_key(position);
    const float penalty = trace->penalty < 1 ? trace->penalty : 1;
    struct trace_step *steps = trace->steps.data;
    /* cells of probability 0 never win, so what is no move is never chosen */
    float most = 0;
    for (int s = 0; s < trace->count; s++)
        trace->returned |= steps[s].key == key;
    *cell = cells;
    for (size_t c = 0; c < cells; c++) {
        float counts = probabilities[c];
        bool made_here = false;
        /* the loop ends as soon as the penalties have made the move less probable than the best so far */
        for (int s = 0; s < trace->count && counts > most; s++)
            if (steps[s].cell == c) {
                made_here |= steps[s].key == key;
                counts *= penalty;
            }
        if (counts > most && !(made_here && trace->no_repeat)) {
            most = counts;
            *cell = c;
        }
    }
    /* every move was made here before: repeat the best, since a move has to be made */
    if (*cell == cells)
        *cell = most_probable_cell(probabilities, cells);
    steps[trace->count++] = (struct trace_step){key, *cell};
    return NLM_OK;
}

/* ---- playing ---- */

/* Thousands at most: 51^2 for 50 blocks and the ground. */
size_t actor_cells(const struct actor *actor, const nlm_position *position)
{
    size_t cells = 1;
    for (int k = 0; k < actor->game->arity; k++)
        cells *= (size_t)nlm_position_choices(position);
    return cells;
}

/* The inverse of the numbering above: the last number of a move varies fastest. */
void actor_move_of(const struct actor *actor, const nlm_position *position, size_t cell, int *move)
{
    const size_t choices = (size_t)nlm_position_choices(position);
    for (int k = actor->game->arity - 1; k >= 0; k--) {
        move[k] = (int)(cell % choices);
        cell /= choices;
    }
}

/* Whoever fills the batch with something else goes through here, so `holds_episodes` cannot be stale. */
nlm_batch *actor_clear(struct actor *actor)
{
    actor->holds_episodes = false;
    nlm_evaluator_clear(actor->evaluator);
    return nlm_evaluator_batch(actor->evaluator);
}

/* The probabilities of one world of the batch, after a forward pass. */
static nlm_status find_probabilities(struct actor *actor, const nlm_position *position, int world,
                                     nlm_error *error)
{
    if (buffer_reserve(&actor->probabilities, actor_cells(actor, position), sizeof(float), false))
        return error_no_memory(error);
    return nlm_pass_probabilities(actor->evaluator->pass, world, 0, actor->probabilities.data, error);
}

/* One more position of an episode in the batch.  Models that give names give others before each move, or they
 * would learn by heart what to do in the few positions of a small game; and others again when they learn from
 * it, so that what was good under some names is made more probable under all (docs/maths.md, section 13).
 * The presentation is a function of the episode's stream and of the move's number, hence the same for any
 * number of threads. */
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

/* A batch of one position.  Names, of models that have them, are those of stream 0, as in tests. */
nlm_status actor_look(struct actor *actor, const nlm_position *position, nlm_error *error)
{
    actor_clear(actor);
    nlm_status status = present(actor, 0, position, error);
    if (!status)
        status = nlm_evaluator_run(actor->evaluator, false, error);
    return status ? status : find_probabilities(actor, position, 0, error);
}

/* One move of an episode whose position is a world of the batch.
 *
 * At random: the first cell at which the sum of probabilities exceeds a random number in [0, 1).  One random
 * number is used per move, and none if greedy.
 *
 * A greedy machine that makes an illegal move stays where it is and would make it again until the limit: the
 * episode is stuck, and ends here as not solved. */
static nlm_status make_move(struct actor *actor, struct episode *episode, int world, nlm_error *error)
{
    nlm_status status = find_probabilities(actor, episode->position, world, error);
    if (status)
        return status;
    const float *probabilities = actor->probabilities.data;
    const size_t cells = actor_cells(actor, episode->position);
    size_t cell = cells;
    /* drawn by going along the cells until the random number is used up */
    double left = episode->greedy ? 0 : random_unit(&episode->random);
    for (size_t c = 0; c < cells && !episode->greedy && cell == cells; c++) {
        left -= (double)probabilities[c];
        if (left < 0)
            cell = c;
    }
    if (episode->greedy && episode->avoids_repeats) {
        if (trace_choose(&episode->trace, episode->position, probabilities, cells, &cell))
            return error_no_memory(error);
    } else if (cell == cells) { /* greedy; or the sum of probabilities is 1 but for rounding */
        cell = most_probable_cell(probabilities, cells);
    }
    /* NaN fails this comparison too */
    if (!(probabilities[cell] > 0))
        return error_set(error, NLM_BAD_ARGUMENT,
                         "the scores of moves are not numbers: the weights are too large, perhaps from a "
                         "learning rate that is too high");
    /* remembered for learning: the move, and how probable it was (weight_advantages) */
    const int made = episode_moves(episode);
    int *move = episode->moves + (size_t)made * (size_t)actor->game->arity;
    actor_move_of(actor, episode->position, cell, move);
    episode->probabilities[made] = probabilities[cell];
    const bool steady = !nlm_machine_spec(actor->machine)->model; /* others have other names next time */
    episode->stuck =
        episode->greedy && !episode->avoids_repeats && steady && !nlm_position_legal(episode->position, move);
    return nlm_position_move(episode->position, move, NULL, error);
}

/* The worlds of the batch are the episodes that are not over, in order; both loops skip the same ones, since
 * an episode can only end by its own move. */
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

/* The positions of all episodes as the worlds of the batch.  A position before each move, none after the
 * last. ~stream gives other names than those under which the episode was played. */
static nlm_status replay_all(struct actor *actor, const struct episode *episodes, int count, nlm_error *error)
{
    const size_t arity = (size_t)actor->game->arity;
    nlm_status status = NLM_OK;
    actor_clear(actor);
    for (const struct episode *episode = episodes; episode < episodes + count && !status; episode++) {
        status = nlm_position_copy(actor->replayed, episode->start, error);
        for (int t = 0; t < episode_moves(episode) && !status; t++) {
            status = present(actor, ~episode->stream, actor->replayed, error);
            if (!status)
                status = nlm_position_move(actor->replayed, episode->moves + (size_t)t * arity, NULL, error);
        }
    }
    actor->holds_episodes = !status;
    return status;
}

/* The moves of all episodes, one after the other, as their positions are in the batch: step number t of the
 * arrays is world number t. */
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

/* Weight the advantages of moves by how probable they are now, relative to when they were made: the gradient
 * then estimates that of the present policy.  Clipped as in proximal policy optimisation (docs/maths.md,
 * section 8): a move that has already changed by more than CLIP in the direction of its advantage gets 0. */
static nlm_status weight_advantages(struct actor *actor, int steps, nlm_error *error)
{
    const float *before = actor->action_probabilities.data;
    double *advantages = actor->action_advantages.data;
    for (int t = 0; t < steps; t++) {
        /* the positions themselves are gone; the batch knows the size of each world */
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
        size_t cell = 0;
        for (int k = 0; k < actor->game->arity; k++)
            cell = cell * choices + (size_t)move[k];
        /* a move had a probability above 0 when it was made, but it may be below what a float resolves now */
        const double ratio = (double)now[cell] / fmax((double)before[t], 1e-20);
        const bool too_far = advantages[t] > 0 ? ratio > 1 + CLIP : ratio < 1 - CLIP;
        advantages[t] *= too_far ? 0 : ratio;
    }
    return NLM_OK;
}

/* The gradient of docs/maths.md, section 8: with n steps in all episodes, advantages A(t), entropy H,
 *
 *     -1/n sum over t of  A(t) log p(move t) + beta H(t)
 *
 * nlm_pass_policy adds over worlds, one world per step, so advantages and beta are divided by n here.
 * Advantages are gathered anew each time, since weighting and dividing change them. */
nlm_status actor_learn(struct actor *actor, const struct episode *episodes, int count, double beta,
                       bool again, nlm_policy_result *result, nlm_error *error)
{
    int steps = 0;
    nlm_status status = gather_moves(actor, episodes, count, &steps, error);
    /* the structure of the first pass serves the later ones, unless something else was in the batch since */
    if (!status && !(again && actor->holds_episodes))
        status = replay_all(actor, episodes, count, error);
    if (!status)
        status = nlm_evaluator_run(actor->evaluator, true, error);
    if (!status && again)
        status = weight_advantages(actor, steps, error);
    double *advantages = actor->action_advantages.data;
    for (int t = 0; t < steps; t++)
        advantages[t] /= steps;
    if (!status)
        status = nlm_pass_policy(actor->evaluator->pass, 0, actor->actions.data, advantages, beta / steps,
                                 result, error);
    if (status)
        return status;
    nlm_machine_zero_gradients(actor->machine);
    return nlm_pass_backward(actor->evaluator->pass, error);
}

/* ---- agents ---- */

/* An actor with the rules that its model works by, and the trace of one episode. */
struct nlm_agent {
    struct actor actor;
    nlm_settings settings; /* how it works */
    struct trace trace;    /* of the episode that nlm_agent_next is asked about */
    bool has_rules;        /* the machine is a program ... */
    double score;          /* ... and this is the score of its last move */
    buffer scores;
};

int nlm_agent_moves(const nlm_spec *spec, const nlm_game *game)
{
    return spec->model ? game->moves_of_models : 0;
}

/* The rules against repeated moves come from the model's file (nlm_settings_at_work); nlm_agent_use replaces
 * them. */
nlm_status nlm_agent_new(nlm_machine *machine, const nlm_game *game, const nlm_options *options,
                         nlm_agent **agent, nlm_error *error)
{
    REQUIRE(agent, error);
    *agent = NULL;
    REQUIRE(machine && game, error);
    nlm_status status = actor_fits(machine, game, error);
    if (status)
        return status;
    nlm_agent *made = memory_new(1, sizeof *made);
    if (!made)
        return error_no_memory(error);
    const nlm_options plain = {.threads = 1};
    status = nlm_settings_at_work(machine, game, &made->settings, error);
    if (!status)
        status = actor_init(&made->actor, machine, game, options ? options : &plain, error);
    made->has_rules = nlm_machine_has_program(machine);
    if (status)
        memory_free(made);
    else
        *agent = made;
    return status;
}

void nlm_agent_free(nlm_agent *agent)
{
    if (!agent)
        return;
    buffer_free(&agent->scores);
    actor_release(&agent->actor);
    trace_release(&agent->trace);
    memory_free(agent);
}

void nlm_agent_use(nlm_agent *agent, const nlm_settings *settings)
{
    agent->settings = *settings;
}

/* The `most` most probable moves, `skipped` left out, in falling order: each cell is inserted into a short
 * sorted list.  Of equals the first cell stays before the later ones. */
static void add_choices(const struct actor *actor, const nlm_position *position, size_t skipped,
                        nlm_choice *choices, int most, int *count)
{
    const float *probabilities = actor->probabilities.data;
    const size_t cells = actor_cells(actor, position);
    for (size_t cell = 0; cell < cells; cell++) {
        nlm_choice choice = {.probability = (double)probabilities[cell]};
        actor_move_of(actor, position, cell, choice.move);
        if (cell == skipped || (actor->game->arity > 1 && choice.move[0] == choice.move[1]))
            continue;
        int place = *count;
        while (place > 0 && choices[place - 1].probability < choice.probability)
            place--;
        if (place >= most)
            continue;
        *count += *count < most;
        for (int k = *count - 1; k > place; k--)
            choices[k] = choices[k - 1];
        choices[place] = choice;
    }
}

static nlm_status look(nlm_agent *agent, const nlm_position *position, nlm_error *error)
{
    const struct actor *actor = &agent->actor;
    if (nlm_position_game(position) != actor->game)
        return error_set(error, NLM_BAD_ARGUMENT, "an agent for %s cannot play %s", actor->game->name,
                         nlm_position_game(position)->name);
    return actor_look(&agent->actor, position, error);
}

/* Probabilities alone: nothing is remembered, and no rule applies. */
nlm_status nlm_agent_choices(nlm_agent *agent, const nlm_position *position, nlm_choice *choices, int most,
                             int *count, nlm_error *error)
{
    REQUIRE(agent && position && choices && count, error);
    *count = 0;
    nlm_status status = look(agent, position, error);
    if (!status)
        add_choices(&agent->actor, position, SIZE_MAX, choices, most, count);
    return status;
}

/* The score of a move in the position that was looked at last. */
static nlm_status find_score(nlm_agent *agent, const nlm_position *position, size_t cell, nlm_error *error)
{
    if (buffer_reserve(&agent->scores, actor_cells(&agent->actor, position), sizeof(float), false))
        return error_no_memory(error);
    float *scores = agent->scores.data;
    const nlm_status status = nlm_pass_logits(agent->actor.evaluator->pass, 0, 0, scores, error);
    agent->score = status ? 0 : (double)scores[cell];
    return status;
}

int nlm_agent_rule(const nlm_agent *agent)
{
    return agent->has_rules ? policy_rule_of_score(agent->actor.machine, agent->score) : -1;
}

/* As in tests: choices[0] is the move that the rules against repetition allow, and is remembered; the others
 * are the most probable besides it, for people to see what else the agent considered. */
nlm_status nlm_agent_next(nlm_agent *agent, const nlm_position *position, nlm_choice *choices, int most,
                          int *count, nlm_error *error)
{
    REQUIRE(agent && position && choices && count, error);
    const struct actor *actor = &agent->actor;
    *count = 0;
    nlm_status status = look(agent, position, error);
    if (status || most < 1)
        return status;
    /* a position without moves begins another episode */
    if (nlm_position_moves(position) == 0)
        trace_forget(&agent->trace);
    agent->trace.no_repeat = agent->settings.no_repeat;
    agent->trace.penalty = (float)agent->settings.repeat_penalty;
    size_t cell;
    const float *probabilities = actor->probabilities.data;
    if (trace_choose(&agent->trace, position, probabilities, actor_cells(actor, position), &cell))
        return error_no_memory(error);
    choices[0] = (nlm_choice){.probability = (double)probabilities[cell]};
    actor_move_of(actor, position, cell, choices[0].move);
    add_choices(actor, position, cell, choices + 1, most - 1, count);
    ++*count;
    return agent->has_rules ? find_score(agent, position, cell, error) : NLM_OK;
}

nlm_status nlm_agent_plan(nlm_agent *agent, const nlm_pddl *pddl, nlm_position *position,
                          nlm_pddl_plan **plan, nlm_error *error)
{
    REQUIRE(plan, error);
    *plan = NULL;
    REQUIRE(agent && pddl && position, error);
    nlm_pddl_plan *made;
    nlm_status status = nlm_pddl_plan_new(pddl, &made, error);
    while (!status && !nlm_position_over(position) && !nlm_pddl_plan_done(made)) {
        nlm_choice choice;
        int count;
        status = nlm_agent_next(agent, position, &choice, 1, &count, error);
        if (!status)
            status = nlm_pddl_plan_move(made, position, choice.move, error);
        if (!status)
            status = nlm_position_move(position, choice.move, NULL, error);
    }
    if (status)
        nlm_pddl_plan_free(made);
    else
        *plan = made;
    return status;
}
