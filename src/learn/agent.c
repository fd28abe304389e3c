/* Agents: the most probable moves of one position. */
#include "base/error.h"
#include "learn/actor.h"
#include "nlm/play.h"

struct nlm_agent {
    struct actor actor;
    nlm_settings settings; /* how it works */
    struct trace trace;    /* of the episode that nlm_agent_next is asked about */
};

int nlm_agent_moves(const nlm_spec *spec, const nlm_game *game)
{
    return spec->model ? game->moves_of_models : 0;
}

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
    actor_release(&agent->actor);
    trace_release(&agent->trace);
    memory_free(agent);
}

void nlm_agent_use(nlm_agent *agent, const nlm_settings *settings)
{
    agent->settings = *settings;
}

/* Put a move in its place among the best so far. */
static void insert(const struct actor *actor, const nlm_position *position, size_t cell, float probability,
                   nlm_choice *choices, int most, int *count)
{
    int place = *count;
    while (place > 0 && choices[place - 1].probability < (double)probability)
        place--;
    if (place >= most)
        return;
    *count += *count < most;
    for (int k = *count - 1; k > place; k--)
        choices[k] = choices[k - 1];
    choices[place] = (nlm_choice){.probability = (double)probability};
    actor_move_of(actor, position, cell, choices[place].move);
}

/* The most probable moves after those that are there already, `skipped` left out. */
static void add_choices(const struct actor *actor, const nlm_position *position, size_t skipped,
                        nlm_choice *choices, int most, int *count)
{
    const float *probabilities = actor->probabilities.data;
    const size_t cells = actor_cells(actor, position);
    for (size_t cell = 0; cell < cells; cell++) {
        int move[NLM_MAX_MOVE];
        actor_move_of(actor, position, cell, move);
        if (cell != skipped && (actor->game->arity == 1 || move[0] != move[1]))
            insert(actor, position, cell, probabilities[cell], choices, most, count);
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

nlm_status nlm_agent_next(nlm_agent *agent, const nlm_position *position, nlm_choice *choices, int most,
                          int *count, nlm_error *error)
{
    REQUIRE(agent && position && choices && count, error);
    const struct actor *actor = &agent->actor;
    *count = 0;
    nlm_status status = look(agent, position, error);
    if (status || most < 1)
        return status;
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
    return NLM_OK;
}
