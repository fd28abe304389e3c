/* Games: the registry, and what all positions have in common. */
#include "task/game.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"

/* Random streams of instances start here, far from those of worlds and of weights. */
#define GAME_STREAMS 0x67616d6500000000u /* "game" */

#define INSTANCE_MOST_BYTES ((size_t)64 << 20)

static const struct game_rules *const GAMES[] = {&sort_rules, &path_rules, &blocks_rules};

int nlm_games(void)
{
    return (int)(sizeof GAMES / sizeof *GAMES);
}

const nlm_game *nlm_game_at(int index)
{
    return index >= 0 && index < nlm_games() ? &GAMES[index]->game : NULL;
}

static const struct game_rules *find_rules(const char *name)
{
    for (int index = 0; name && index < nlm_games(); index++)
        if (!strcmp(GAMES[index]->game.name, name))
            return GAMES[index];
    return NULL;
}

const nlm_game *nlm_game_find(const char *name)
{
    const struct game_rules *rules = find_rules(name);
    return rules ? &rules->game : NULL;
}

const char *nlm_move_text(const nlm_game *game, const int *move, char text[NLM_MOVE_TEXT])
{
    const struct game_rules *rules = find_rules(game->name);
    if (rules)
        rules->move_text(move, text);
    else
        snprintf(text, NLM_MOVE_TEXT, game->arity > 1 ? "%d, %d" : "%d", move[0],
                 game->arity > 1 ? move[1] : 0);
    return text;
}

/* ---- life ---- */

nlm_status nlm_position_new(const nlm_game *game, nlm_position **position, nlm_error *error)
{
    REQUIRE(position, error);
    *position = NULL;
    REQUIRE(game, error);
    const struct game_rules *rules = find_rules(game->name);
    if (!rules && !game->draw)
        return error_set(error, NLM_BAD_ARGUMENT, "there is no game '%s'", game->name ? game->name : "");
    nlm_status status = rules ? NLM_OK : own_game_check(game, error);
    if (status)
        return status;
    nlm_position *made = memory_new(1, sizeof *made);
    if (!made)
        return error_no_memory(error);
    if (!rules)
        own_game_rules(game, &made->own);
    made->rules = rules ? rules : &made->own;
    *position = made;
    return NLM_OK;
}

void nlm_position_free(nlm_position *position)
{
    if (!position)
        return;
    buffer_free(&position->state);
    nlm_world_free(position->world);
    free(position->text);
    memory_free(position);
}

static nlm_status check_objects(const struct game_rules *rules, int objects, nlm_error *error)
{
    if (objects >= rules->game.least_objects && objects <= rules->most_objects)
        return NLM_OK;
    return error_set(error, NLM_BAD_ARGUMENT, "%s: an instance has %d to %d objects, not %d",
                     rules->game.name, rules->game.least_objects, rules->most_objects, objects);
}

/* Room for so many objects; the position is nobody's until it begins. */
static nlm_status reserve(nlm_position *position, int objects, nlm_error *error)
{
    const struct game_rules *rules = position->rules;
    position->objects = 0;
    nlm_status status = NLM_OK;
    if (rules->game.draw)
        status = own_game_size(&rules->game, objects, &position->state_bytes, error);
    else
        position->state_bytes = rules->state_size(objects);
    if (!status && buffer_reserve(&position->state, position->state_bytes, 1, false))
        status = error_no_memory(error);
    if (status)
        return status;
    position->objects = objects;
    return NLM_OK;
}

static void begin(nlm_position *position)
{
    position->moves = 0;
    position->rules->begin(position);
}

/* All but the state and what is a position's own. */
static void copy_numbers(nlm_position *to, const nlm_position *from)
{
    to->objects = from->objects;
    to->state_bytes = from->state_bytes;
    to->moves = from->moves;
    to->limit = from->limit;
    to->optimum = from->optimum;
    to->solved = from->solved;
}

nlm_status nlm_position_draw(nlm_position *position, uint64_t seed, uint64_t index, int objects, bool test,
                             nlm_error *error)
{
    REQUIRE(position, error);
    nlm_status status = check_objects(position->rules, objects, error);
    if (!status)
        status = reserve(position, objects, error);
    random_stream random;
    random_start(&random, seed, GAME_STREAMS + index);
    for (bool drawn = false; !drawn && !status;)
        status = position->rules->draw(position, &random, test, &drawn, error);
    if (!status)
        begin(position);
    else
        position->objects = 0;
    return status;
}

static bool is_same_game(const struct game_rules *a, const struct game_rules *b)
{
    return a == b || (a->game.draw && a->game.draw == b->game.draw && a->game.context == b->game.context &&
                      !strcmp(a->game.name, b->game.name));
}

nlm_status nlm_position_copy(nlm_position *to, const nlm_position *from, nlm_error *error)
{
    REQUIRE(to && from, error);
    if (!is_same_game(to->rules, from->rules))
        return error_set(error, NLM_BAD_ARGUMENT, "a position of %s is none of %s", from->rules->game.name,
                         to->rules->game.name);
    if (to == from)
        return NLM_OK;
    const size_t size = from->objects > 0 ? from->state_bytes : 0;
    if (buffer_reserve(&to->state, size, 1, false))
        return error_no_memory(error);
    if (size > 0)
        memcpy(to->state.data, from->state.data, size);
    copy_numbers(to, from);
    return NLM_OK;
}

/* ---- files ---- */

nlm_status game_read_int(const json_t *value, const char *what, int low, int high, const char *name,
                         int *number, nlm_error *error)
{
    if (!json_is_integer(value))
        return error_in_file(error, NLM_BAD_FILE, name, "%s is missing or no whole number", what);
    json_int_t read = json_integer_value(value);
    if (read < low || read > high)
        return error_in_file(error, NLM_BAD_FILE, name, "%s is %" JSON_INTEGER_FORMAT ", not in %d..%d", what,
                             read, low, high);
    *number = (int)read;
    return NLM_OK;
}

json_t *game_append(json_t *list, json_t *item)
{
    if (!json_array_append_new(list, item))
        return list;
    json_decref(list);
    return NULL;
}

static nlm_status check_task(const struct game_rules *rules, const json_t *instance, const char *name,
                             nlm_error *error)
{
    const json_t *task = json_object_get(instance, "task");
    if (task && !json_is_string(task))
        return error_in_file(error, NLM_BAD_FILE, name, "\"task\" is no text");
    const char *given = json_string_value(task);
    if (!given || !strcmp(given, rules->game.name))
        return NLM_OK;
    return find_rules(given) ? error_in_file(error, NLM_BAD_FILE, name, "an instance of %s, not of %s", given,
                                             rules->game.name)
                             : error_in_file(error, NLM_BAD_FILE, name,
                                             "an instance of an unknown task, not of %s", rules->game.name);
}

static nlm_status read_instance(nlm_position *position, const json_t *instance, const char *name,
                                nlm_error *error)
{
    const struct game_rules *rules = position->rules;
    int objects = 0;
    nlm_status status = check_task(rules, instance, name, error);
    if (!status)
        status = rules->read_size(instance, name, &objects, error);
    if (status)
        return status;
    if (objects < rules->game.least_objects || objects > rules->most_objects)
        return error_in_file(error, NLM_BAD_FILE, name, "an instance of %s has %d to %d objects",
                             rules->game.name, rules->game.least_objects, rules->most_objects);
    nlm_position *made; /* the old one stays until the new one is whole */
    status = nlm_position_new(&rules->game, &made, error);
    if (!status)
        status = reserve(made, objects, error);
    if (!status)
        status = rules->read(made, instance, name, error);
    if (!status)
        begin(made);
    if (!status && made->solved)
        status = error_in_file(error, NLM_BAD_FILE, name, "the instance is solved already");
    if (!status) {
        const buffer old = position->state;
        position->state = made->state;
        made->state = old;
        copy_numbers(position, made);
    }
    nlm_position_free(made);
    return status;
}

nlm_status nlm_position_read(nlm_position *position, const char *text, size_t length, const char *name,
                             nlm_error *error)
{
    REQUIRE(position && text && name, error);
    json_error_t cause;
    json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES, &cause);
    if (!json && !cause.text[0]) /* that is how Jansson reports that it got no memory */
        return error_no_memory(error);
    if (!json)
        return error_in_file(error, NLM_BAD_FILE, name, "line %d: %s", cause.line, cause.text);
    const json_t *inside = json_object_get(json, "instance"); /* of an episode that nlm play wrote */
    nlm_status status = json_is_object(json)
                            ? read_instance(position, inside ? inside : json, name, error)
                            : error_in_file(error, NLM_BAD_FILE, name, "an instance is a JSON object");
    json_decref(json);
    return status;
}

nlm_status nlm_position_read_file(nlm_position *position, const char *path, nlm_error *error)
{
    REQUIRE(position && path, error);
    const bool standard = !strcmp(path, "-");
    buffer text = {0};
    size_t length;
    nlm_status status =
        file_read_input(standard ? "/dev/stdin" : path, INSTANCE_MOST_BYTES, &text, &length, error);
    if (!status)
        status = nlm_position_read(position, text.data, length, standard ? "standard input" : path, error);
    buffer_free(&text);
    return status;
}

nlm_status nlm_position_write(nlm_position *position, const char **text, nlm_error *error)
{
    REQUIRE(text, error);
    *text = NULL;
    REQUIRE(position, error);
    if (position->objects == 0)
        return error_set(error, NLM_BAD_ARGUMENT, "the position has no instance yet");
    free(position->text);
    json_t *json = position->rules->write(position);
    position->text = json ? json_dumps(json, 0) : NULL;
    json_decref(json);
    *text = position->text;
    return *text ? NLM_OK : error_no_memory(error);
}

/* ---- play ---- */

const nlm_game *nlm_position_game(const nlm_position *position)
{
    return &position->rules->game;
}

int nlm_position_objects(const nlm_position *position)
{
    return position->objects;
}

int nlm_position_choices(const nlm_position *position)
{
    return position->rules->game.twins ? position->objects + 1 : position->objects;
}

static bool is_move(const nlm_position *position, const int *move)
{
    for (int k = 0; k < position->rules->game.arity; k++)
        if (move[k] < 0 || move[k] >= nlm_position_choices(position))
            return false;
    return position->objects > 0;
}

bool nlm_position_legal(const nlm_position *position, const int *move)
{
    return is_move(position, move) && position->rules->legal(position, move);
}

nlm_status nlm_position_move(nlm_position *position, const int *move, double *reward, nlm_error *error)
{
    REQUIRE(position && move, error);
    if (!is_move(position, move))
        return error_set(error, NLM_BAD_ARGUMENT, "%s: no such move", position->rules->game.name);
    if (nlm_position_over(position))
        return error_set(error, NLM_BAD_ARGUMENT, "%s: the episode is over", position->rules->game.name);
    position->moves++;
    if (position->rules->legal(position, move))
        position->rules->move(position, move);
    if (reward)
        *reward = position->solved ? NLM_REWARD_SOLVED : NLM_REWARD_STEP;
    return NLM_OK;
}

bool nlm_position_solved(const nlm_position *position)
{
    return position->solved;
}

bool nlm_position_over(const nlm_position *position)
{
    return position->solved || position->moves >= position->limit;
}

int nlm_position_moves(const nlm_position *position)
{
    return position->moves;
}

int nlm_position_limit(const nlm_position *position)
{
    return position->limit;
}

void nlm_position_allow(nlm_position *position, int moves)
{
    position->limit = moves > 1 ? moves : 1;
}

int nlm_position_optimum(const nlm_position *position)
{
    return position->optimum;
}

int nlm_position_baseline(const nlm_position *position)
{
    return position->rules->baseline ? position->rules->baseline(position) : -1;
}

/* FNV-1a. */
uint64_t game_key(const nlm_position *position)
{
    const void *bytes;
    const size_t count = position->rules->changing(position, &bytes);
    uint64_t key = 14695981039346656037u;
    for (size_t b = 0; b < count; b++)
        key = (key ^ ((const unsigned char *)bytes)[b]) * 1099511628211u;
    return key;
}

int game_depth(const nlm_position *position)
{
    return position->rules->depth ? position->rules->depth(position) : 0;
}

/* ---- packed states ---- */

int game_packed_size(const nlm_position *position, int objects)
{
    return position->rules->packed_size ? position->rules->packed_size(objects) : 0;
}

void game_pack(const nlm_position *position, float *packed)
{
    position->rules->pack(position, packed);
}

nlm_status game_unpack(nlm_position *position, int objects, const float *packed, nlm_error *error)
{
    nlm_status status = reserve(position, objects, error);
    if (status)
        return status;
    if (position->rules->unpack(position, packed)) {
        begin(position);
        return NLM_OK;
    }
    position->objects = 0;
    return error_set(error, NLM_BAD_FILE, "numbers that are no state of %s", position->rules->game.name);
}

/* ---- machines ---- */

int game_machine_objects(const nlm_game *game, int objects)
{
    return game->twins ? 2 * (objects + 1) : objects;
}

nlm_status nlm_batch_add_position(nlm_batch *batch, const nlm_position *position, nlm_error *error)
{
    REQUIRE(batch && position, error);
    const struct game_rules *rules = position->rules;
    for (int r = 0; r <= NLM_MAX_BREADTH; r++) {
        int reads = r <= batch->breadth ? batch->inputs[r] : 0;
        if (reads != rules->game.inputs[r])
            return error_set(error, NLM_BAD_SHAPE,
                             "the machine reads %d predicates of arity %d, positions of %s have %d", reads, r,
                             rules->game.name, rules->game.inputs[r]);
    }
    if (position->objects == 0)
        return error_set(error, NLM_BAD_ARGUMENT, "the position has no instance yet");
    if (rules->game.draw)
        return own_game_add(batch, position, error);
    float *values[NLM_MAX_BREADTH + 1];
    nlm_status status =
        batch_add_values(batch, game_machine_objects(&rules->game, position->objects), values, error);
    if (!status)
        rules->see(position, values);
    return status;
}

/* ---- worlds ---- */

/* Values of a world as facts: those of arity r are [tuple][r!][inputs[r]] (world/batch.h). */
static nlm_status add_facts(const nlm_batch *batch, int objects, nlm_world *world, nlm_error *error)
{
    nlm_status status = NLM_OK;
    const float *unary = batch->values[1].data, *binary = batch->values[2].data;
    const int ones = batch->inputs[1], pairs = batch->breadth > 1 ? batch->inputs[2] : 0;
    for (int y = 0; y < objects; y++) {
        for (int k = 0; k < ones && !status; k++)
            if (*unary++ > 0)
                status = nlm_world_add_fact(world, k, &y, 1, error);
        for (int x = 0; x < y; x++)
            for (int k = 0; k < 2 * pairs && !status; k++) {
                const int tuple[2] = {k < pairs ? x : y, k < pairs ? y : x};
                if (*binary++ > 0)
                    status = nlm_world_add_fact(world, ones + k % pairs, tuple, 1, error);
            }
    }
    return status;
}

/* No game has predicates of other arities than 1 and 2. */
nlm_status nlm_position_world(const nlm_position *position, nlm_world *world, nlm_error *error)
{
    REQUIRE(position && world, error);
    const nlm_game *game = &position->rules->game;
    nlm_batch *batch = NULL;
    char name[16];
    int number = 0;
    nlm_status status = nlm_batch_new(game->inputs, 2, &batch, error);
    if (!status)
        status = nlm_batch_add_position(batch, position, error);
    nlm_world_clear(world);
    const int objects = status ? 0 : nlm_batch_objects(batch, 0);
    for (int i = 0; i < objects && !status; i++) {
        snprintf(name, sizeof name, "%d", i);
        status = nlm_world_add_object(world, name, NULL, error);
    }
    for (int r = 1; r <= 2; r++)
        for (int k = 0; k < game->inputs[r] && !status; k++)
            status = nlm_world_add_predicate(world, game->predicates[number++], r, NULL, error);
    if (!status)
        status = add_facts(batch, objects, world, error);
    nlm_batch_free(batch);
    return status;
}
