/* For the tests of playing: small machines that score the moves of a game. */
#ifndef TESTS_LEARN_AGENTS_H
#define TESTS_LEARN_AGENTS_H

#include "task/positions.h"

static const char *const game_names[] = {"sort", "path", "blocks"};
enum { GAMES = COUNT(game_names), SORT = 0, PATH, BLOCKS };

/* How many moves a position has: tuples of different numbers. */
static inline int count_moves(const nlm_position *position)
{
    int choices = nlm_position_choices(position);
    return nlm_position_game(position)->arity == 1 ? choices : choices * (choices - 1);
}

static inline nlm_spec agent_spec(const nlm_game *game)
{
    return (nlm_spec){.depth = 2,
                      .breadth = 2,
                      .inputs = {game->inputs[0], game->inputs[1], game->inputs[2]},
                      .width = 4,
                      .residual = true,
                      .outputs = 1u << (game->twins ? 1 : game->arity)};
}

static inline nlm_machine *make_machine(const nlm_spec *spec, const nlm_head_spec *heads, int count)
{
    nlm_machine *machine;
    CHECK(nlm_machine_new(spec, heads, count, &machine, &check_error));
    return machine;
}

/* A machine that knows nothing; with a seed of 0, all of its scores are 0.  The gain makes it sure of what it
 * does not know. */
static inline nlm_machine *make_agent_machine(const nlm_game *game, uint64_t seed, float gain)
{
    const nlm_spec spec = agent_spec(game);
    const nlm_head_spec head = {"head", game->arity, 1, game->twins};
    nlm_machine *machine = make_machine(&spec, &head, 1);
    if (seed > 0)
        nlm_machine_initialise(machine, seed);
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        for (size_t i = 0; i < tensor.count; i++)
            tensor.values[i] *= gain;
    }
    return machine;
}

/* Sort: swaps what is in the wrong order, a[j] < a[i] and j > i.  An array of m numbers has at most
 * m (m - 1) / 2 such pairs, and a swap always leaves fewer. */
static inline nlm_machine *make_sorting_machine(void)
{
    const nlm_spec spec = {.depth = 1, .breadth = 2, .inputs = {0, 0, 6}, .width = 1, .outputs = 4};
    const nlm_head_spec head = {"head", 2, 1, false};
    nlm_machine *machine = make_machine(&spec, &head, 1);
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        if (!strcmp(tensor.name, "layer.0.arity.2.mlp.0.weight"))
            tensor.values[0] = tensor.values[5] = 20;
        else if (!strcmp(tensor.name, "layer.0.arity.2.mlp.0.bias"))
            tensor.values[0] = -30;
        else if (!strcmp(tensor.name, "head.weight"))
            tensor.values[0] = 10;
    }
    return machine;
}

static inline nlm_agent *make_agent(nlm_machine *machine, const nlm_game *game)
{
    nlm_agent *agent;
    CHECK(nlm_agent_new(machine, game, NULL, &agent, &check_error));
    return agent;
}

#endif
