/* Sort: an array is put in order by swapping two slots at a time.
 *
 * Predicates of slots (i, j): a[j] < a[i], a[j] = a[i], a[j] > a[i], j < i, j = i, j > i.  A permutation
 * with c cycles needs objects - c swaps: one can join two cycles or split one, and m cycles are the aim. */
#include <stdio.h>
#include <string.h>
#include "task/scene.h"

enum { SORT_INPUTS = 6 };

static int *array(const nlm_position *position)
{
    return position->state.data;
}

static size_t state_size(int objects)
{
    return (size_t)objects * sizeof(int);
}

static bool in_order(const nlm_position *position)
{
    for (int i = 0; i < position->objects; i++)
        if (array(position)[i] != i)
            return false;
    return true;
}

static nlm_status draw(nlm_position *position, random_stream *random, bool test, bool *drawn,
                       nlm_error *error)
{
    (void)test;
    (void)error;
    int *a = array(position);
    for (int i = 0; i < position->objects; i++)
        a[i] = i;
    random_shuffle(random, a, position->objects);
    *drawn = !in_order(position);
    return NLM_OK;
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

static void begin(nlm_position *position)
{
    position->limit = 2 * position->objects;
    position->optimum = position->objects - count_cycles(array(position), position->objects);
    position->solved = in_order(position);
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
        return error_in_file(error, NLM_BAD_FILE, name, "an instance of sort has an \"array\" of numbers");
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
                status = error_in_file(error, NLM_BAD_FILE, name,
                                       "the array has %d twice; it must hold each of 0..%d once", number,
                                       count - 1);
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

/* ---- as text ----
 *
 * A bar for every slot, as high as its number.
 *
 *           ##
 *        ## ##
 *     ## ## ##
 *     value 1  0  2
 *     slot  0  1  2
 *           ^  ^
 *
 * Arrays that are too long for this have narrow bars, and their numbers in rows below; still longer ones have
 * the rows only. */

enum { LABEL = 6, MARKS = 3 }; /* columns of "value ", rows below the bars */

static bool is_moved(const int *move, int slot)
{
    return move && (move[0] == slot || move[1] == slot);
}

/* Bars of `bar` columns, one every `step`, in `height` rows; the largest number has them all. */
static void show_bars(const nlm_position *position, int height, int left, int step, int bar, nlm_sheet *sheet)
{
    static const char filled[] = "##########";
    const int count = nlm_position_objects(position);
    for (int slot = 0; slot < count; slot++) {
        const int rows = ((nlm_sort_value(position, slot) + 1) * height + count - 1) / count;
        for (int row = height - rows; row < height; row++)
            nlm_sheet_put(sheet, row, left + slot * step, "%.*s", bar, filled);
    }
}

static void show_labelled(const nlm_position *position, const int *move, int rows, int bar, nlm_sheet *sheet)
{
    const int count = nlm_position_objects(position);
    const int height = rows - MARKS < 1 ? 1 : rows - MARKS < count ? rows - MARKS : count;
    show_bars(position, height, LABEL, bar + 1, bar, sheet);
    nlm_sheet_put(sheet, height, 0, "value");
    nlm_sheet_put(sheet, height + 1, 0, "slot");
    nlm_sheet_put(sheet, height + 2, 0, "%s", "");
    for (int slot = 0; slot < count; slot++) {
        const int column = LABEL + slot * (bar + 1);
        nlm_sheet_put(sheet, height, column, "%d", nlm_sort_value(position, slot));
        nlm_sheet_put(sheet, height + 1, column, "%d", slot);
        if (is_moved(move, slot))
            nlm_sheet_put(sheet, height + 2, column, "^");
    }
}

/* "slots 20..39: 7 [3] 12 ...", the numbers to be swapped in brackets. */
static void show_rows(const nlm_position *position, const int *move, int digits, int in_row, nlm_sheet *sheet)
{
    const int count = nlm_position_objects(position);
    for (int first = 0; first < count; first += in_row) {
        const int row = sheet->rows, last = first + in_row < count ? first + in_row - 1 : count - 1;
        nlm_sheet_put(sheet, row, 0, "slots %*d..%*d:", digits, first, digits, last);
        for (int slot = first; slot <= last; slot++) {
            const bool moved = is_moved(move, slot);
            nlm_sheet_put(sheet, row, 10 + 2 * digits + (slot - first) * (digits + 2), "%c%*d%c",
                          moved ? '[' : ' ', digits, nlm_sort_value(position, slot), moved ? ']' : ' ');
        }
    }
}

static void show(nlm_scene *scene, const nlm_position *position, const int *move, int rows, nlm_sheet *sheet)
{
    const int count = scene->objects, digits = scene_digits(count - 1);
    const int bar = digits < 2 ? 2 : digits;
    if (LABEL + count * (bar + 1) - 1 <= sheet->width) {
        show_labelled(position, move, rows, bar, sheet);
        return;
    }
    const int fitting = (sheet->width - 10 - 2 * digits) / (digits + 2), in_row = fitting < 1 ? 1 : fitting;
    const int height = rows - (count + in_row - 1) / in_row;
    if (count <= sheet->width && height > 1)
        show_bars(position, height, 0, 1, 1, sheet);
    show_rows(position, move, digits, in_row, sheet);
}

static void move_text(const int *move, char text[NLM_MOVE_TEXT])
{
    snprintf(text, NLM_MOVE_TEXT, "swap slots %d and %d", move[0], move[1]);
}

/* ---- recipes ---- */

static const nlm_preset paper[] = {{"depth", "3"},          {"breadth", "2"},      {"residual", "1"},
                                   {"first_lesson", "4"},   {"last_lesson", "10"}, {"entropy", "0.01"},
                                   {"solved_share", "0.5"}, {"interval", "200"},   {"exam", "200"},
                                   {"final_exam", "400"},   {"pool", "20"},        {"episodes", "1000"},
                                   {"patience", "4000"},    {NULL, NULL}};

/* Most is learned from several tries at the same instance. */
static const nlm_preset best[] = {{"batch", "4"},           {"rollouts", "4"},      {"passes", "4"},
                                  {"greedy_rollouts", "1"}, {"optimal_exams", "1"}, {"lr", "0.01"},
                                  {"entropy", "0.005"},     {"interval", "100"},    {"final_exam", "2000"},
                                  {"keep_failures", "0"},   {"restart", "500"},     {NULL, NULL}};

/* A memory network learns to sort too, as the paper's did, but not in the machine's 1,000 episodes, nor
 * alone from each, nor in steps of 0.005. */
static const nlm_preset memnn[] = {{"depth", "1"},         {"lr", "0.002"},   {"batch", "16"},
                                   {"episodes", "300000"}, {"patience", "0"}, {NULL, NULL}};

static const nlm_recipe recipes[] = {
    {"paper", NULL, paper}, {"best", NULL, best}, {NULL, "memnn", memnn}, {NULL, NULL, NULL}};

static const char *const predicates[] = {"greater", "equal", "less", "after", "same", "before"};

const struct game_rules sort_rules = {
    .game = {.name = "sort",
             .description = "put an array in order by swapping two numbers at a time",
             .arity = 2,
             .inputs = {0, 0, SORT_INPUTS},
             .predicates = predicates,
             .least_objects = 2,
             .recipes = recipes,
             .moves_of_models = 50, /* the paper's networks took up to 20 */
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
    .changing = changing,
    .see = see,
    .show = show,
    .move_text = move_text,
};
