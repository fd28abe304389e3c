/* Replays: the positions of an episode as they come. */
#include "report/replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "report/storage.h"

/* ---- the games ---- */

static int sort_width(int objects)
{
    return objects;
}

static void sort_state(const nlm_position *position, int *state)
{
    for (int slot = 0; slot < nlm_position_objects(position); slot++)
        state[slot] = nlm_sort_value(position, slot);
}

static nlm_status sort_begin(nlm_replay *replay, const nlm_position *position, nlm_error *error)
{
    (void)replay;
    (void)position;
    (void)error;
    return NLM_OK;
}

static int path_width(int objects)
{
    (void)objects;
    return 1;
}

static void path_state(const nlm_position *position, int *state)
{
    *state = nlm_path_current(position);
}

static nlm_status note_edges(nlm_replay *replay, const nlm_position *position, nlm_error *error)
{
    replay->edge_count = 0;
    for (int x = 0; x < replay->objects; x++)
        for (int y = x + 1; y < replay->objects; y++) {
            if (!nlm_path_edge(position, x, y))
                continue;
            const size_t used = 2 * (size_t)replay->edge_count;
            if (storage_reserve(&replay->edges, used + 2, sizeof(int), true))
                return report_no_memory(error);
            int *edge = (int *)replay->edges.data + used;
            edge[0] = x;
            edge[1] = y;
            replay->edge_count++;
        }
    return NLM_OK;
}

static nlm_status path_begin(nlm_replay *replay, const nlm_position *position, nlm_error *error)
{
    replay->start = nlm_path_start(position);
    replay->target = nlm_path_target(position);
    nlm_status status = note_edges(replay, position, error);
    if (status)
        return status;
    free(replay->points);
    replay->points = storage_new((size_t)replay->objects, sizeof *replay->points);
    if (!replay->points)
        return report_no_memory(error);
    return replay_layout(replay->objects, replay->edges.data, replay->edge_count, replay->start,
                         replay->target, replay->points, error);
}

static void blocks_state(const nlm_position *position, int *state)
{
    for (int block = 1; block <= nlm_position_objects(position); block++)
        state[block - 1] = nlm_blocks_below(position, false, block);
}

static nlm_status blocks_begin(nlm_replay *replay, const nlm_position *position, nlm_error *error)
{
    free(replay->below);
    replay->below = storage_new((size_t)replay->objects, sizeof *replay->below);
    if (!replay->below)
        return report_no_memory(error);
    for (int block = 1; block <= replay->objects; block++)
        replay->below[block - 1] = nlm_blocks_below(position, true, block);
    return NLM_OK;
}

/* There is a row for every game of the library. */
static const struct kept_game {
    const char *name;
    int (*width)(int objects);
    void (*state)(const nlm_position *position, int *state);
    /* What all positions of the episode have in common. */
    nlm_status (*begin)(nlm_replay *replay, const nlm_position *position, nlm_error *error);
} kept_games[] = {
    {"sort", sort_width, sort_state, sort_begin},
    {"path", path_width, path_state, path_begin},
    {"blocks", sort_width, blocks_state, blocks_begin},
};

static const struct kept_game *row_for(const nlm_game *game)
{
    int i = 0;
    while (strcmp(kept_games[i].name, game->name) != 0)
        i++;
    return &kept_games[i];
}

/* ---- the episode ---- */

nlm_status nlm_replay_new(const nlm_game *game, const char *title, nlm_replay **replay, nlm_error *error)
{
    REQUIRE(game && title && replay, error);
    *replay = storage_new(1, sizeof **replay);
    char *copy = storage_copy(title);
    if (!*replay || !copy) {
        free(*replay);
        free(copy);
        *replay = NULL;
        return report_no_memory(error);
    }
    (*replay)->game = game;
    (*replay)->title = copy;
    return NLM_OK;
}

void nlm_replay_free(nlm_replay *replay)
{
    if (!replay)
        return;
    storage_free(&replay->states);
    storage_free(&replay->ends);
    storage_free(&replay->choices);
    storage_free(&replay->edges);
    free(replay->below);
    free(replay->points);
    free(replay->title);
    free(replay);
}

const int *replay_state(const nlm_replay *replay, int position)
{
    return (const int *)replay->states.data + (size_t)position * (size_t)replay->width;
}

const replay_choice *replay_choices(const nlm_replay *replay, int position, int *count)
{
    const size_t *ends = replay->ends.data;
    const size_t first = position > 0 ? ends[position - 1] : 0;
    *count = (int)(ends[position] - first);
    return (const replay_choice *)replay->choices.data + first;
}

static nlm_status begin(nlm_replay *replay, const nlm_position *position, nlm_error *error)
{
    replay->objects = nlm_position_objects(position);
    replay->limit = nlm_position_limit(position);
    replay->optimum = nlm_position_optimum(position);
    replay->width = row_for(replay->game)->width(replay->objects);
    return row_for(replay->game)->begin(replay, position, error);
}

/* A position that follows on those before; the first has none to follow. */
static nlm_status check(const nlm_replay *replay, const nlm_position *position, int count, nlm_error *error)
{
    int before = 1;
    if (nlm_position_game(position) != replay->game)
        return report_fail(error, NLM_BAD_ARGUMENT, "replay: a position of %s, not of %s",
                           nlm_position_game(position)->name, replay->game->name);
    if (count < 0 || nlm_position_objects(position) == 0)
        return report_fail(error, NLM_BAD_ARGUMENT, "replay: a position without an instance, or %d choices",
                           count);
    if (replay->positions == 0)
        return NLM_OK;
    if (nlm_position_objects(position) != replay->objects)
        return report_fail(error, NLM_BAD_ARGUMENT, "replay: a position of %d objects after one of %d",
                           nlm_position_objects(position), replay->objects);
    replay_choices(replay, replay->positions - 1, &before);
    if (before == 0)
        return report_fail(error, NLM_BAD_ARGUMENT,
                           "replay: a position after the last, which had no choices");
    return NLM_OK;
}

static nlm_status reserve(nlm_replay *replay, size_t used, int count, nlm_error *error)
{
    const size_t positions = (size_t)replay->positions + 1;
    if (storage_reserve(&replay->states, positions * (size_t)replay->width, sizeof(int), true) ||
        storage_reserve(&replay->ends, positions, sizeof(size_t), true) ||
        storage_reserve(&replay->choices, used + (size_t)count, sizeof(replay_choice), true))
        return report_no_memory(error);
    return NLM_OK;
}

nlm_status nlm_replay_add(nlm_replay *replay, const nlm_position *position, const nlm_choice *choices,
                          int count, nlm_error *error)
{
    REQUIRE(replay && position, error);
    nlm_status status = check(replay, position, count, error);
    if (!status && replay->positions == 0)
        status = begin(replay, position, error);
    const size_t used =
        replay->positions > 0 ? ((const size_t *)replay->ends.data)[replay->positions - 1] : 0;
    if (!status)
        status = reserve(replay, used, count, error);
    if (status)
        return status;
    replay_choice *kept = (replay_choice *)replay->choices.data + used;
    for (int i = 0; i < count; i++) {
        kept[i] = (replay_choice){choices[i], nlm_position_legal(position, choices[i].move)};
        if (!isfinite(choices[i].probability))
            kept[i].choice.probability = 0;
    }
    ((size_t *)replay->ends.data)[replay->positions] = used + (size_t)count;
    replay->positions++;
    replay->solved = nlm_position_solved(position);
    replay->over = nlm_position_over(position);
    row_for(replay->game)
        ->state(position,
                (int *)replay->states.data + (size_t)(replay->positions - 1) * (size_t)replay->width);
    return NLM_OK;
}

/* ---- the end ---- */

const char *replay_outcome(const nlm_replay *replay, char words[REPLAY_WORDS])
{
    const int moves = replay->positions - 1;
    const char *s = moves == 1 ? "" : "s";
    if (!replay->over)
        snprintf(words, REPLAY_WORDS, "stopped after %d move%s", moves, s);
    else if (!replay->solved)
        snprintf(words, REPLAY_WORDS, "not solved within %d move%s", replay->limit,
                 replay->limit == 1 ? "" : "s");
    else if (replay->optimum >= 0)
        snprintf(words, REPLAY_WORDS, "solved in %d move%s (limit %d, optimum %d)", moves, s, replay->limit,
                 replay->optimum);
    else
        snprintf(words, REPLAY_WORDS, "solved in %d move%s (limit %d)", moves, s, replay->limit);
    return words;
}

nlm_status nlm_replay_save(const nlm_replay *replay, const char *path, nlm_error *error)
{
    REQUIRE(replay && path, error);
    static const asset *const scripts[] = {&asset_pictures, &asset_replay, NULL};
    page p = {0};
    if (replay->positions == 0)
        return report_fail(error, NLM_BAD_ARGUMENT, "replay: there is no position to show");
    page_begin(&p, replay->title, scripts);
    replay_put(replay, &p);
    page_end(&p);
    const nlm_status status = page_save(&p, path, error);
    page_release(&p);
    return status;
}
