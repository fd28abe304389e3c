#include "learn/policy_choices.h"
#include <string.h>
#include "base/error.h"

nlm_status policy_choices_init(policy_choices *choices, struct policy_teacher *teacher, nlm_error *error)
{
    const nlm_game *game = teacher->game;
    *choices = (policy_choices){
        .teacher = teacher, .arity = game->arity, .inputs = {game->inputs[1], game->inputs[2]}};
    if (game->twins || game->arity < 1 || game->arity > 2 ||
        game->inputs[1] + game->inputs[2] > CHOICE_INPUTS)
        return error_set(error, NLM_BAD_ARGUMENT, "positions of %s are not read as sets of objects",
                         game->name);
    nlm_status status = nlm_world_new(&choices->world, error);
    if (!status)
        status = nlm_position_new(game, &choices->at, error);
    return status ? status : nlm_position_new(game, &choices->after, error);
}

void policy_choices_release(policy_choices *choices)
{
    for (int i = 0; i < CHOICE_INPUTS; i++)
        buffer_free(&choices->facts[i]);
    buffer_free(&choices->position);
    buffer_free(&choices->owner);
    buffer_free(&choices->good);
    buffer_free(&choices->bad);
    nlm_world_free(choices->world);
    nlm_position_free(choices->at);
    nlm_position_free(choices->after);
    *choices = (policy_choices){0};
}

/* ---- positions ---- */

/* Room for one more position of so many objects, with no facts and no moves yet. */
static nlm_status make_room(policy_choices *choices, int objects, nlm_error *error)
{
    const size_t position = (size_t)choices->positions, row = (size_t)choices->rows;
    const size_t words[2] = {position + 1, row + (size_t)objects};
    const size_t from[2] = {position, row};
    bool failed = buffer_reserve(&choices->position, position + 1, sizeof(choice_position), true) ||
                  buffer_reserve(&choices->owner, words[1], sizeof(int), true);
    buffer *list[CHOICE_INPUTS + 2] = {&choices->good, &choices->bad};
    for (int i = 0; i < choices->inputs[0] + choices->inputs[1]; i++)
        list[2 + i] = &choices->facts[i];
    for (int i = 0; i < 2 + choices->inputs[0] + choices->inputs[1] && !failed; i++) {
        const bool binary = i < 2 ? choices->arity == 2 : i - 2 >= choices->inputs[0];
        failed = buffer_reserve(list[i], words[binary], sizeof(uint64_t), true);
        if (!failed)
            memset((uint64_t *)list[i]->data + from[binary], 0,
                   (words[binary] - from[binary]) * sizeof(uint64_t));
    }
    return failed ? error_no_memory(error) : NLM_OK;
}

static nlm_status add_facts(policy_choices *choices, const nlm_position *position, nlm_error *error)
{
    const nlm_status status = nlm_position_world(position, choices->world, error);
    for (int i = 0; i < choices->inputs[0] + choices->inputs[1] && !status; i++) {
        const int *tuples, arity = i < choices->inputs[0] ? 1 : 2;
        const size_t count = nlm_world_facts(choices->world, i, &tuples, NULL);
        uint64_t *words = choices->facts[i].data;
        for (size_t f = 0; f < count; f++, tuples += arity)
            words[arity == 1 ? choices->positions : choices->rows + tuples[0]] |= (uint64_t)1
                                                                                  << tuples[arity - 1];
    }
    return status;
}

/* The moves that the teacher takes to the end after a move, or -1. */
static nlm_status moves_after(policy_choices *choices, const nlm_position *position, const int *move,
                              int *moves, nlm_error *error)
{
    enum { ROOM = 2 };
    nlm_position *after = choices->after;
    nlm_status status = nlm_position_copy(after, position, error);
    choices->asked++;
    nlm_position_allow(after, nlm_position_moves(position) + ROOM * nlm_position_objects(position));
    if (!status && move)
        status = nlm_position_move(after, move, NULL, error);
    return status ? status : policy_play_on(&choices->teacher->machine.player, after, moves, error);
}

static nlm_status add_moves(policy_choices *choices, const nlm_position *position, int best, nlm_error *error)
{
    const size_t cells = policy_cells(position), numbers = (size_t)nlm_position_choices(position);
    uint64_t *good = choices->good.data, *bad = choices->bad.data;
    nlm_status status = NLM_OK;
    for (size_t cell = 0; cell < cells && !status; cell++) {
        int move[NLM_MAX_MOVE], moves = -1;
        policy_move_of(position, cell, move);
        if (!policy_is_move(position, cell))
            continue;
        if (nlm_position_legal(position, move))
            status = moves_after(choices, position, move, &moves, error);
        const size_t word =
            choices->arity == 1 ? (size_t)choices->positions : (size_t)choices->rows + cell / numbers;
        *(moves >= 0 && moves <= best ? &good[word] : &bad[word]) |= (uint64_t)1 << cell % numbers;
    }
    return status;
}

static nlm_status add_position(policy_choices *choices, const nlm_position *position, nlm_error *error)
{
    int best = -1;
    nlm_status status = moves_after(choices, position, NULL, &best, error);
    if (status || best < 0)
        return status;
    const int objects = nlm_position_choices(position);
    status = make_room(choices, objects, error);
    if (!status)
        status = add_facts(choices, position, error);
    if (!status)
        status = add_moves(choices, position, best, error);
    if (status)
        return status;
    for (int x = 0; x < objects; x++)
        ((int *)choices->owner.data)[choices->rows + x] = choices->positions;
    ((choice_position *)choices->position.data)[choices->positions++] = (choice_position){
        .first = choices->rows,
        .objects = objects,
        .all = objects == CHOICE_OBJECTS ? ~(uint64_t)0 : ((uint64_t)1 << objects) - 1,
    };
    choices->rows += objects;
    return NLM_OK;
}

nlm_status policy_choices_add(policy_choices *choices, const struct policy_player *player,
                              struct policy_instance instance, nlm_error *error)
{
    nlm_position *at = choices->at;
    nlm_status status =
        nlm_position_draw(at, choices->teacher->seed, instance.index, instance.objects, false, error);
    if (status || nlm_position_choices(at) > CHOICE_OBJECTS)
        return status;
    if (instance.moves > 0)
        nlm_position_allow(at, instance.moves);
    for (bool legal = true; legal && !nlm_position_over(at) && !status;) {
        int move[NLM_MAX_MOVE];
        size_t cell = 0;
        status = add_position(choices, at, error);
        if (!status)
            status = player->choose(player->context, at, &cell, error);
        policy_move_of(at, cell, move);
        legal = nlm_position_legal(at, move);
        if (!status && legal)
            status = nlm_position_move(at, move, NULL, error);
    }
    return status;
}
