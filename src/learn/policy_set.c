/* Playing the instances of a set.
 *
 * Invariant: a way that is kept was played by some player and solved its instance in the allowed number of
 * moves.  A player that chooses the same along it solves the instance too; one that differs first in position
 * t has made the same moves up to there. */
#include "learn/policy_set.h"
#include <string.h>
#include "base/error.h"

/* ---- moves ---- */

size_t policy_cells(const nlm_position *position)
{
    const size_t choices = (size_t)nlm_position_choices(position);
    return nlm_position_game(position)->arity > 1 ? choices * choices : choices;
}

void policy_move_of(const nlm_position *position, size_t cell, int *move)
{
    const size_t choices = (size_t)nlm_position_choices(position);
    for (int k = nlm_position_game(position)->arity - 1; k >= 0; k--) {
        move[k] = (int)(cell % choices);
        cell /= choices;
    }
}

/* *legal is false, and the position stays, for a move that would change nothing: the player would make it
 * again for ever. */
static nlm_status make_move(nlm_position *position, size_t cell, bool *legal, nlm_error *error)
{
    int move[NLM_MAX_MOVE];
    policy_move_of(position, cell, move);
    *legal = nlm_position_legal(position, move);
    return *legal ? nlm_position_move(position, move, NULL, error) : NLM_OK;
}

nlm_status policy_play_on(const struct policy_player *player, nlm_position *position, int *moves,
                          nlm_error *error)
{
    bool legal = true;
    nlm_status status = NLM_OK;
    while (!status && legal && !nlm_position_over(position)) {
        size_t cell = 0;
        status = player->choose(player->context, position, &cell, error);
        if (!status)
            status = make_move(position, cell, &legal, error);
    }
    *moves = !status && nlm_position_solved(position) ? nlm_position_moves(position) : -1;
    return status;
}

nlm_status policy_play(const struct policy_player *player, nlm_position *position, uint64_t seed,
                       struct policy_instance instance, int most, int *moves, nlm_error *error)
{
    *moves = -1;
    const nlm_status status =
        nlm_position_draw(position, seed, instance.index, instance.objects, false, error);
    if (!status && most > 0)
        nlm_position_allow(position, most);
    return status ? status : policy_play_on(player, position, moves, error);
}

/* ---- life ---- */

nlm_status policy_set_init(struct policy_set *set, const nlm_game *game, uint64_t seed, nlm_error *error)
{
    *set = (struct policy_set){.game = game, .seed = seed};
    nlm_status status = nlm_position_new(game, &set->position, error);
    return status ? status : nlm_position_new(game, &set->start, error);
}

/* The way of a case, which has none afterwards. */
static void forget_way(struct policy_case *of)
{
    for (int t = 0; t < of->length && of->positions; t++)
        nlm_position_free(of->positions[t]);
    memory_free(of->positions);
    memory_free(of->cells);
    of->positions = NULL;
    of->cells = NULL;
    of->length = 0;
}

void policy_set_release(struct policy_set *set)
{
    for (int i = 0; i < set->count; i++)
        forget_way(policy_set_at(set, i));
    buffer_free(&set->cases);
    buffer_free(&set->order);
    buffer_free(&set->cells);
    buffer_free(&set->changed);
    nlm_position_free(set->position);
    nlm_position_free(set->start);
    *set = (struct policy_set){0};
}

nlm_status policy_set_add(struct policy_set *set, struct policy_instance instance, nlm_error *error)
{
    if (buffer_reserve(&set->cases, (size_t)set->count + 1, sizeof(struct policy_case), true) ||
        buffer_reserve(&set->order, (size_t)set->count + 1, sizeof(int), true))
        return error_no_memory(error);
    int *order = set->order.data;
    memmove(order + 1, order, (size_t)set->count * sizeof *order);
    order[0] = set->count;
    *policy_set_at(set, set->count++) = (struct policy_case){.instance = instance};
    return NLM_OK;
}

/* ---- ways ---- */

/* Cells of a way that was just played become that of a case. */
static nlm_status keep_way(struct policy_set *set, struct policy_case *of, const size_t *cells, int length,
                           nlm_error *error)
{
    const struct policy_instance instance = of->instance;
    forget_way(of);
    of->version++;
    of->positions = memory_new((size_t)length, sizeof(nlm_position *));
    of->cells = memory_new((size_t)length, sizeof *of->cells);
    if (!of->positions || !of->cells)
        return error_no_memory(error);
    memcpy(of->cells, cells, (size_t)length * sizeof *cells);
    nlm_status status =
        nlm_position_draw(set->start, set->seed, instance.index, instance.objects, false, error);
    for (int t = 0; t < length && !status; t++) {
        bool legal;
        of->length = t + 1;
        status = nlm_position_new(set->game, &of->positions[t], error);
        if (!status)
            status = nlm_position_copy(of->positions[t], set->start, error);
        if (!status)
            status = make_move(set->start, cells[t], &legal, error);
    }
    return status;
}

/* Way after way in one list: slot, length, cells. */
static nlm_status note_change(struct policy_set *set, int slot, const size_t *cells, int length,
                              nlm_error *error)
{
    const size_t used = (size_t)set->changed_count;
    if (buffer_reserve(&set->changed, used + 2 + (size_t)length, sizeof *cells, true))
        return error_no_memory(error);
    size_t *list = (size_t *)set->changed.data + used;
    list[0] = (size_t)slot;
    list[1] = (size_t)length;
    memcpy(list + 2, cells, (size_t)length * sizeof *cells);
    set->changed_count += 2 + length;
    return NLM_OK;
}

static nlm_status keep_changes(struct policy_set *set, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int i = 0; i < set->changed_count && !status;) {
        const size_t *list = (const size_t *)set->changed.data + i;
        const int length = (int)list[1];
        status = keep_way(set, policy_set_at(set, (int)list[0]), list + 2, length, error);
        i += 2 + length;
    }
    return status;
}

/* ---- tests ---- */

/* Where the player leaves the way of a case: *at is the number of the position, the way's length if nowhere,
 * and *cell its choice there. */
static nlm_status follow(struct policy_set *set, const struct policy_player *player, int slot, int *at,
                         size_t *cell, nlm_error *error)
{
    const struct policy_case *of = policy_set_at(set, slot);
    *at = 0;
    if (of->length == 0)
        return NLM_OK;
    size_t *cells = set->cells.data;
    const nlm_status status =
        player->follow(player->context, slot, of->version, of->positions, of->length, cells, error);
    while (!status && *at < of->length && cells[*at] == of->cells[*at])
        ++*at;
    if (!status && *at < of->length)
        *cell = cells[*at];
    set->moves += of->length;
    return status;
}

/* One instance; set->cells has the moves of another way that solved it. */
static nlm_status test_case(struct policy_set *set, const struct policy_player *player, int slot, bool *right,
                            nlm_error *error)
{
    const struct policy_case *of = policy_set_at(set, slot);
    const struct policy_instance instance = of->instance;
    const bool first = of->length == 0;
    int at = 0;
    size_t cell = 0;
    bool legal = true;
    *right = true;
    if (buffer_reserve(&set->cells, (size_t)instance.moves + 1, sizeof(size_t), false))
        return error_no_memory(error);
    nlm_status status = follow(set, player, slot, &at, &cell, error);
    if (status || (!first && at == of->length))
        return status;
    nlm_position *position = set->position;
    size_t *cells = set->cells.data;
    if (!first)
        memcpy(cells, of->cells, (size_t)at * sizeof *cells);
    if (first)
        status = nlm_position_draw(position, set->seed, instance.index, instance.objects, false, error);
    else
        status = nlm_position_copy(position, of->positions[at], error);
    nlm_position_allow(position, instance.moves);
    if (!status && first)
        status = player->choose(player->context, position, &cell, error);
    while (!status) {
        cells[at++] = cell;
        set->moves++;
        status = make_move(position, cell, &legal, error);
        if (status || !legal || nlm_position_over(position))
            break;
        status = player->choose(player->context, position, &cell, error);
    }
    *right = !status && legal && nlm_position_solved(position);
    return *right ? note_change(set, slot, cells, at, error) : status;
}

nlm_status policy_set_test(struct policy_set *set, const struct policy_player *player, bool *right,
                           nlm_error *error)
{
    int *order = set->order.data;
    nlm_status status = NLM_OK;
    *right = true;
    set->changed_count = 0;
    for (int i = 0; i < set->count && *right && !status; i++) {
        const int slot = order[i];
        status = test_case(set, player, slot, right, error);
        if (!*right) {
            memmove(order + 1, order, (size_t)i * sizeof *order);
            order[0] = slot;
        }
    }
    return *right && !status ? keep_changes(set, error) : status;
}
