/* Replays: the positions of an episode as they come. */
#include "report/replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "report/storage.h"

/* ---- the games ---- */

static int path_number(const nlm_position *position, int index)
{
    (void)index;
    return nlm_path_current(position);
}

static int blocks_number(const nlm_position *position, int index)
{
    return nlm_blocks_below(position, false, index + 1);
}

static nlm_status path_begin(nlm_replay *replay, const nlm_position *position, nlm_error *error)
{
    replay->start = nlm_path_start(position);
    replay->target = nlm_path_target(position);
    replay->edge_count = 0;
    for (int x = 0; x < replay->objects; x++)
        for (int y = x + 1; y < replay->objects; y++) {
            if (!nlm_path_edge(position, x, y))
                continue;
            const size_t used = 2 * (size_t)replay->edge_count++;
            if (storage_reserve(&replay->edges, used + 2, sizeof(int), true))
                return report_no_memory(error);
            ((int *)replay->edges.data)[used] = x;
            ((int *)replay->edges.data)[used + 1] = y;
        }
    free(replay->points);
    replay->points = storage_new((size_t)replay->objects, sizeof *replay->points);
    if (!replay->points)
        return report_no_memory(error);
    return replay_layout(replay->objects, replay->edges.data, replay->edge_count, replay->start,
                         replay->target, replay->points, error);
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
    int width; /* numbers of a position; 0: one for each object */
    int (*number)(const nlm_position *position, int index);
    /* What all positions of the episode have in common; NULL: nothing. */
    nlm_status (*begin)(nlm_replay *replay, const nlm_position *position, nlm_error *error);
} kept_games[] = {
    {"sort", 0, nlm_sort_value, NULL},
    {"path", 1, path_number, path_begin},
    {"blocks", 0, blocks_number, blocks_begin},
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

nlm_status nlm_replay_add(nlm_replay *replay, const nlm_position *position, const nlm_choice *choices,
                          int count, nlm_error *error)
{
    REQUIRE(replay && position, error);
    const struct kept_game *row = row_for(replay->game);
    const size_t before = (size_t)replay->positions;
    nlm_status status = check(replay, position, count, error);
    if (!status && before == 0) {
        replay->objects = nlm_position_objects(position);
        replay->limit = nlm_position_limit(position);
        replay->optimum = nlm_position_optimum(position);
        replay->width = row->width > 0 ? row->width : replay->objects;
        status = row->begin ? row->begin(replay, position, error) : NLM_OK;
    }
    if (status)
        return status;
    const size_t used = before > 0 ? ((const size_t *)replay->ends.data)[before - 1] : 0;
    const size_t width = (size_t)replay->width;
    if (storage_reserve(&replay->states, (before + 1) * width, sizeof(int), true) ||
        storage_reserve(&replay->ends, before + 1, sizeof(size_t), true) ||
        storage_reserve(&replay->choices, used + (size_t)count, sizeof(replay_choice), true))
        return report_no_memory(error);
    replay_choice *kept = (replay_choice *)replay->choices.data + used;
    for (int i = 0; i < count; i++) {
        kept[i] = (replay_choice){choices[i], nlm_position_legal(position, choices[i].move), -1};
        if (!isfinite(choices[i].probability))
            kept[i].choice.probability = 0;
    }
    for (int i = 0; i < replay->width; i++)
        ((int *)replay->states.data)[before * width + (size_t)i] = row->number(position, i);
    ((size_t *)replay->ends.data)[before] = used + (size_t)count;
    replay->positions++;
    replay->solved = nlm_position_solved(position);
    replay->over = nlm_position_over(position);
    return NLM_OK;
}

void nlm_replay_rule(nlm_replay *replay, int rule)
{
    int count = 0;
    if (replay && replay->positions > 0)
        replay_choices(replay, replay->positions - 1, &count);
    if (count > 0)
        ((replay_choice *)replay->choices.data + ((const size_t *)replay->ends.data)[replay->positions - 1] -
         count)
            ->rule = rule;
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
