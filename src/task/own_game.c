/* Games of a program's own: rules that call the functions of its table.
 *
 * A state is an array of ints.  What a machine sees is asked for as dense numbers, by tuple, and given to the
 * batch as tensors. */
#include <stdio.h>
#include <string.h>
#include "task/scene.h"

enum { MOST_OBJECTS = 10000, MOST_STATE = 1 << 24, MOST_DRAWS = 1000, MOST_PREDICATES = 64 };

static const nlm_game *game_of(const nlm_position *position)
{
    return &position->rules->game;
}

static int *state_of(const nlm_position *position)
{
    return position->state.data;
}

static size_t ints_of(const nlm_position *position)
{
    return position->state_bytes / sizeof(int);
}

bool game_is_known(const nlm_game *game)
{
    return game && (game->draw || nlm_game_find(game->name));
}

nlm_status own_game_check(const nlm_game *game, nlm_error *error)
{
    int predicates = 0;
    if (!game->name || !*game->name)
        return error_set(error, NLM_BAD_ARGUMENT, "a game needs a name");
    if (nlm_game_find(game->name))
        return error_set(error, NLM_BAD_ARGUMENT, "game %.60s: the library has one of this name", game->name);
    if (!game->state_size || !game->draw || !game->move || !game->solved || !game->see)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "game %.60s: state_size, draw, move, solved and see are needed", game->name);
    if (game->arity < 1 || game->arity > NLM_MAX_MOVE || game->twins || game->tells_legal)
        return error_set(error, NLM_BAD_ARGUMENT, "game %.60s: a move has 1 or %d numbers, and no twins",
                         game->name, NLM_MAX_MOVE);
    if (game->least_objects < game->arity || game->test_objects[0] < game->least_objects ||
        game->test_objects[1] < game->least_objects)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "game %.60s: least_objects is at least the arity, and test_objects are no fewer",
                         game->name);
    for (int r = 0; r <= NLM_MAX_BREADTH; r++) {
        if (game->inputs[r] < 0 || (game->inputs[r] > 0 && r != 1 && r != 2))
            return error_set(error, NLM_BAD_ARGUMENT,
                             "game %.60s: a machine sees predicates of arity 1 and 2", game->name);
        predicates += game->inputs[r];
    }
    if (predicates == 0 || predicates > MOST_PREDICATES || !game->predicates)
        return error_set(error, NLM_BAD_ARGUMENT, "game %.60s: a machine sees 1 to %d predicates, with names",
                         game->name, MOST_PREDICATES);
    return NLM_OK;
}

/* ---- rules ---- */

nlm_status own_game_size(const nlm_game *game, int objects, size_t *bytes, nlm_error *error)
{
    const int ints = game->state_size(game, objects);
    *bytes = (size_t)ints * sizeof(int);
    return ints > 0 && ints <= MOST_STATE
               ? NLM_OK
               : error_set(error, NLM_BAD_ARGUMENT,
                           "game %.60s: a state of %d ints for %d objects, not 1 to %d", game->name, ints,
                           objects, MOST_STATE);
}

static nlm_status draw(nlm_position *position, random_stream *random, bool test, bool *drawn,
                       nlm_error *error)
{
    const nlm_game *game = game_of(position);
    nlm_random given = {*random};
    *drawn = false;
    for (int draws = 0; draws < MOST_DRAWS && !*drawn; draws++) {
        memset(state_of(position), 0, position->state_bytes);
        *drawn = game->draw(game, state_of(position), position->objects, &given, test) &&
                 !game->solved(game, state_of(position), position->objects);
    }
    *random = given.stream;
    return *drawn ? NLM_OK
                  : error_set(error, NLM_BAD_ARGUMENT, "game %.60s: %d draws gave no instance of %d objects",
                              game->name, MOST_DRAWS, position->objects);
}

static void begin(nlm_position *position)
{
    const nlm_game *game = game_of(position);
    const int limit =
        game->limit ? game->limit(game, state_of(position), position->objects) : 2 * position->objects;
    position->limit = limit > 1 ? limit : 1;
    position->optimum = game->optimum ? game->optimum(game, state_of(position), position->objects) : -1;
    position->solved = game->solved(game, state_of(position), position->objects);
}

static bool legal(const nlm_position *position, const int *move)
{
    const nlm_game *game = game_of(position);
    return !game->legal || game->legal(game, state_of(position), position->objects, move);
}

static void make_move(nlm_position *position, const int *move)
{
    const nlm_game *game = game_of(position);
    game->move(game, state_of(position), position->objects, move);
    position->solved = game->solved(game, state_of(position), position->objects);
}

static size_t changing(const nlm_position *position, const void **bytes)
{
    *bytes = state_of(position);
    return position->state_bytes;
}

/* ---- files ---- */

static nlm_status read_size(const json_t *instance, const char *name, int *objects, nlm_error *error)
{
    return game_read_int(json_object_get(instance, "objects"), "\"objects\"", 1, MOST_OBJECTS, name, objects,
                         error);
}

static nlm_status read_state(nlm_position *position, const json_t *instance, const char *name,
                             nlm_error *error)
{
    const json_t *numbers = json_object_get(instance, "state");
    nlm_status status = NLM_OK;
    if (!json_is_array(numbers) || json_array_size(numbers) != ints_of(position))
        return error_in_file(error, NLM_BAD_FILE, name, "an instance has a \"state\" of %zu numbers",
                             ints_of(position));
    for (size_t i = 0; i < ints_of(position) && !status; i++)
        status = game_read_int(json_array_get(numbers, i), "a number of the state", INT32_MIN, INT32_MAX,
                               name, &state_of(position)[i], error);
    return status;
}

static json_t *write_state(const nlm_position *position)
{
    json_t *numbers = json_array();
    for (size_t i = 0; i < ints_of(position); i++)
        numbers = game_append(numbers, json_integer(state_of(position)[i]));
    return json_pack("{s:s, s:i, s:o}", "task", game_of(position)->name, "objects", position->objects,
                     "state", numbers);
}

/* ---- as text ---- */

static void show(nlm_scene *scene, const nlm_position *position, const int *move, int rows, nlm_sheet *sheet)
{
    enum { IN_ROW = 16 };
    (void)scene;
    (void)move;
    (void)rows;
    for (int i = 0; i < (int)ints_of(position); i++)
        nlm_sheet_put(sheet, i / IN_ROW, i % IN_ROW * 5, "%4d", state_of(position)[i]);
}

static void move_text(const int *move, char text[NLM_MOVE_TEXT])
{
    snprintf(text, NLM_MOVE_TEXT, "%d", move[0]);
}

/* ---- machines ---- */

/* Memory for dense numbers of arities 1 and 2, which the batch copies. */
nlm_status own_game_add(nlm_batch *batch, const nlm_position *position, nlm_error *error)
{
    const nlm_game *game = game_of(position);
    const size_t objects = (size_t)position->objects;
    const size_t ones = objects * (size_t)game->inputs[1], twos = objects * objects * (size_t)game->inputs[2];
    float *numbers = memory_new(ones + twos, sizeof *numbers);
    if (!numbers)
        return error_no_memory(error);
    float *values[NLM_MAX_BREADTH + 1] = {[1] = numbers, [2] = numbers + ones};
    const float *seen[NLM_MAX_BREADTH + 1] = {
        [1] = ones > 0 ? numbers : NULL, [2] = twos > 0 ? numbers + ones : NULL};
    game->see(game, state_of(position), position->objects, values);
    const nlm_status status = nlm_batch_add_tensors(batch, position->objects, seen, error);
    memory_free(numbers);
    return status;
}

void own_game_rules(const nlm_game *game, struct game_rules *rules)
{
    *rules = (struct game_rules){.game = *game,
                                 .most_objects = MOST_OBJECTS,
                                 .draw = draw,
                                 .read_size = read_size,
                                 .read = read_state,
                                 .write = write_state,
                                 .begin = begin,
                                 .legal = legal,
                                 .move = make_move,
                                 .changing = changing,
                                 .show = show,
                                 .move_text = move_text};
}
