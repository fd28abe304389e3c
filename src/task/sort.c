/* Sort: an array is put in order by swapping two slots at a time.
 *
 * Predicates of slots (i, j): a[j] < a[i], a[j] = a[i], a[j] > a[i], j < i, j = i, j > i.  A permutation
 * with c cycles needs objects - c swaps: one can join two cycles or split one, and m cycles are the aim. */
#include <string.h>
#include "task/game.h"

enum { SORT_INPUTS = 6 };

static int *array(const nlm_position *position)
{
    return position->state.data;
}

static size_t state_size(int objects)
{
    return (size_t)objects * sizeof(int);
}

static nlm_status draw(nlm_position *position, random_stream *random, bool test, bool *drawn,
                       nlm_error *error)
{
    (void)test;
    (void)error;
    int *a = array(position);
    *drawn = false;
    for (int i = 0; i < position->objects; i++)
        a[i] = i;
    random_shuffle(random, a, position->objects);
    for (int i = 0; i < position->objects; i++)
        *drawn |= a[i] != i;
    return NLM_OK;
}

static bool in_order(const nlm_position *position)
{
    for (int i = 0; i < position->objects; i++)
        if (array(position)[i] != i)
            return false;
    return true;
}

/* Numbers that were visited are marked by their complement, which is negative. */
static int count_cycles(int *a, int count)
{
    int cycles = 0;
    for (int first = 0; first < count; first++) {
        cycles += a[first] >= 0;
        for (int i = first; a[i] >= 0;) {
            int next = a[i];
            a[i] = ~a[i];
            i = next;
        }
    }
    for (int i = 0; i < count; i++)
        a[i] = ~a[i];
    return cycles;
}

static nlm_status begin(nlm_position *position, nlm_error *error)
{
    (void)error;
    position->limit = 2 * position->objects;
    position->optimum = position->objects - count_cycles(array(position), position->objects);
    position->solved = in_order(position);
    return NLM_OK;
}

static bool legal(const nlm_position *position, const int *move)
{
    (void)position;
    return move[0] != move[1];
}

static void swap(nlm_position *position, const int *move)
{
    int *a = array(position), number = a[move[0]];
    a[move[0]] = a[move[1]];
    a[move[1]] = number;
    position->solved = in_order(position);
}

static int machine_objects(int objects)
{
    return objects;
}

static void compare(float *to, int first, int second)
{
    to[0] = second < first;
    to[1] = second == first;
    to[2] = second > first;
}

static void see(const nlm_position *position, float *const *values)
{
    const int *a = array(position);
    float *to = values[2];
    for (int j = 1; j < position->objects; j++)
        for (int i = 0; i < j; i++, to += 2 * SORT_INPUTS) {
            compare(to, a[i], a[j]);
            compare(to + 3, i, j);
            compare(to + SORT_INPUTS, a[j], a[i]);
            compare(to + SORT_INPUTS + 3, j, i);
        }
}

/* ---- files ---- */

static nlm_status read_size(const json_t *instance, const char *name, int *objects, nlm_error *error)
{
    const json_t *numbers = json_object_get(instance, "array");
    if (!json_is_array(numbers))
        return game_refuse(error, name, "an instance of sort has an \"array\" of numbers");
    *objects = json_array_size(numbers) > (size_t)sort_rules.most_objects ? sort_rules.most_objects + 1
                                                                          : (int)json_array_size(numbers);
    return NLM_OK;
}

static nlm_status read_array(nlm_position *position, const json_t *instance, const char *name,
                             nlm_error *error)
{
    const json_t *numbers = json_object_get(instance, "array");
    int *a = array(position), count = position->objects;
    memset(a, -1, state_size(count));
    nlm_status status = NLM_OK;
    for (int i = 0; i < count && !status; i++) {
        int number = 0;
        status = game_read_int(json_array_get(numbers, (size_t)i), "a number of the array", 0, count - 1,
                               name, &number, error);
        for (int k = 0; k < i && !status; k++)
            if (a[k] == number)
                status = game_refuse(error, name, "the array has %d twice; it must hold each of 0..%d once",
                                     number, count - 1);
        a[i] = number;
    }
    return status;
}

static json_t *write_array(const nlm_position *position)
{
    json_t *numbers = json_array();
    for (int i = 0; i < position->objects; i++)
        numbers = game_append(numbers, json_integer(array(position)[i]));
    return json_pack("{s:s, s:o}", "task", "sort", "array", numbers);
}

int nlm_sort_value(const nlm_position *position, int slot)
{
    bool good = position->rules == &sort_rules && slot >= 0 && slot < position->objects;
    return good ? array(position)[slot] : -1;
}

static size_t changing(const nlm_position *position, const void **bytes)
{
    *bytes = array(position);
    return state_size(position->objects);
}

const struct game_rules sort_rules = {
    .game = {.name = "sort",
             .description = "put an array in order by swapping two numbers at a time",
             .arity = 2,
             .inputs = {0, 0, SORT_INPUTS},
             .least_objects = 2,
             .depth = 3,
             .breadth = 2,
             .residual = true,
             .first_lesson = 4,
             .last_lesson = 10,
             .entropy = 0.01,
             .solved_share = 0.5,
             .interval = 200,
             .exam = 200,
             .pool = 20,
             .episodes = 1000,
             .patience = 4000,
             .test_objects = {10, 50},
             .test_moves = {8, 45},
             .graduation = 1.0},
    .most_objects = 2000,
    .state_size = state_size,
    .draw = draw,
    .read_size = read_size,
    .read = read_array,
    .write = write_array,
    .begin = begin,
    .legal = legal,
    .move = swap,
    .machine_objects = machine_objects,
    .changing = changing,
    .see = see,
};
