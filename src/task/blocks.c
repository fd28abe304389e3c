/* Blocks: the operating world is made like the target world, moving one clear block at a time.
 *
 * A machine sees both worlds, 2 (m + 1) objects: the ground and the blocks of the operating world, then of
 * the target.  Each has four properties: world, id, x, y; the ground is at (0, 0), a block on the ground at
 * (its id, 1), any other one step above what it stands on.  Predicates of (i, j), the first compared with the
 * second: < of the four properties, then =, then >. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "task/scene.h"

enum { OPERATING, TARGET, WORLDS };
enum { PROPERTIES = 4, BLOCKS_INPUTS = 3 * PROPERTIES };

/* Four rows of objects + 1 numbers per world, indexed by id, and two rows to work with.  above: 0 for a clear
 * block, unused for the ground. */
enum row { BELOW, ABOVE, X, Y, ROWS };
enum { SPARE = WORLDS * ROWS, ALL_ROWS = SPARE + 2 };

static int *row(const nlm_position *position, int world, int row)
{
    return (int *)position->state.data +
           ((size_t)world * ROWS + (size_t)row) * ((size_t)position->objects + 1);
}

static size_t state_size(int objects)
{
    return (size_t)ALL_ROWS * ((size_t)objects + 1) * sizeof(int);
}

/* ---- worlds ---- */

static void clear_world(nlm_position *position, int world)
{
    memset(row(position, world, 0), 0, (size_t)ROWS * ((size_t)position->objects + 1) * sizeof(int));
}

static void put(nlm_position *position, int world, int block, int onto)
{
    int *x = row(position, world, X), *y = row(position, world, Y);
    row(position, world, BELOW)[block] = onto;
    row(position, world, ABOVE)[onto] = block;
    x[block] = onto > 0 ? x[onto] : block;
    y[block] = y[onto] + 1;
}

static bool worlds_agree(const nlm_position *position)
{
    return !memcmp(row(position, OPERATING, BELOW), row(position, TARGET, BELOW),
                   ((size_t)position->objects + 1) * sizeof(int));
}

/* One block after the other goes onto the ground or a clear block, all equally likely; ids are random. */
static void draw_world(nlm_position *position, int world, random_stream *random)
{
    int count = position->objects, clears = 0;
    int *ids = row(position, 0, SPARE), *clear = row(position, 0, SPARE + 1);
    for (int i = 0; i < count; i++)
        ids[i] = i + 1;
    random_shuffle(random, ids, count);
    clear_world(position, world);
    for (int i = 0; i < count; i++) {
        int place = (int)random_below(random, (uint32_t)clears + 1); /* the last is the ground */
        put(position, world, ids[i], place < clears ? clear[place] : 0);
        clear[place] = ids[i];
        clears += place == clears;
    }
}

static nlm_status draw(nlm_position *position, random_stream *random, bool test, bool *drawn,
                       nlm_error *error)
{
    (void)test;
    (void)error;
    draw_world(position, OPERATING, random);
    draw_world(position, TARGET, random);
    *drawn = !worlds_agree(position);
    return NLM_OK;
}

static void begin(nlm_position *position)
{
    position->limit = 4 * position->objects;
    position->optimum = -1;
    position->solved = worlds_agree(position);
}

/* Whether a block and all below it stand as in the target. */
static bool in_place(const nlm_position *position, int block)
{
    const int *now = row(position, OPERATING, BELOW), *wanted = row(position, TARGET, BELOW);
    while (block > 0 && now[block] == wanted[block])
        block = now[block];
    return block == 0;
}

/* Unstack everything: each block that is not in place goes onto the ground unless it is there, then onto what
 * it stands on in the target unless that is the ground. */
static int unstack_everything(const nlm_position *position)
{
    int moves = 0;
    for (int block = 1; block <= position->objects; block++)
        if (!in_place(position, block))
            moves +=
                (row(position, OPERATING, BELOW)[block] != 0) + (row(position, TARGET, BELOW)[block] != 0);
    return moves;
}

static int tallest(const nlm_position *position)
{
    int most = 0;
    for (int world = 0; world < WORLDS; world++)
        for (int block = 1; block <= position->objects; block++)
            most = row(position, world, Y)[block] > most ? row(position, world, Y)[block] : most;
    return most;
}

/* ---- moves ---- */

static bool legal(const nlm_position *position, const int *move)
{
    const int *above = row(position, OPERATING, ABOVE);
    return move[0] != move[1] && move[0] > 0 && above[move[0]] == 0 && (move[1] == 0 || above[move[1]] == 0);
}

static void move_block(nlm_position *position, const int *move)
{
    int *above = row(position, OPERATING, ABOVE);
    above[row(position, OPERATING, BELOW)[move[0]]] = 0;
    put(position, OPERATING, move[0], move[1]);
    position->solved = worlds_agree(position);
}

/* ---- packed: what each block stands on, in both worlds ---- */

static int packed_size(int objects)
{
    return WORLDS * objects;
}

static void pack(const nlm_position *position, float *packed)
{
    for (int world = 0; world < WORLDS; world++)
        for (int block = 1; block <= position->objects; block++)
            *packed++ = (float)row(position, world, BELOW)[block];
}

/* Lowest blocks first; what never comes to stand on something is no tower. */
static bool unpack_world(nlm_position *position, int world, const float *below)
{
    int *left = row(position, 0, SPARE), lefts = position->objects;
    const int *above = row(position, world, ABOVE), *y = row(position, world, Y);
    clear_world(position, world);
    for (int b = 0; b < lefts; b++)
        left[b] = b + 1;
    for (int before = lefts + 1; lefts < before && lefts > 0;) {
        int still = 0;
        before = lefts;
        for (int k = 0; k < lefts; k++) {
            const float onto = below[left[k] - 1];
            if (!(onto >= 0 && onto <= (float)position->objects) || onto != floorf(onto))
                return false;
            const int block = (int)onto;
            if (block == 0 || (y[block] > 0 && above[block] == 0 && block != left[k]))
                put(position, world, left[k], block);
            else
                left[still++] = left[k];
        }
        lefts = still;
    }
    return lefts == 0;
}

static bool unpack(nlm_position *position, const float *packed)
{
    return unpack_world(position, OPERATING, packed) &&
           unpack_world(position, TARGET, packed + position->objects);
}

/* ---- what a machine sees ---- */

static void see(const nlm_position *position, float *const *values)
{
    const int count = position->objects + 1;
    float *to = values[2];
    for (int second = 1; second < 2 * count; second++) {
        const int j[PROPERTIES] = {second >= count, second % count,
                                   row(position, second >= count, X)[second % count],
                                   row(position, second >= count, Y)[second % count]};
        for (int first = 0; first < second; first++, to += 2 * BLOCKS_INPUTS) {
            const int world = first >= count, id = world ? first - count : first;
            const int i[PROPERTIES] = {world, id, row(position, world, X)[id], row(position, world, Y)[id]};
            for (int p = 0; p < PROPERTIES; p++) {
                to[p] = to[BLOCKS_INPUTS + 2 * PROPERTIES + p] = i[p] < j[p];
                to[PROPERTIES + p] = to[BLOCKS_INPUTS + PROPERTIES + p] = i[p] == j[p];
                to[2 * PROPERTIES + p] = to[BLOCKS_INPUTS + p] = i[p] > j[p];
            }
        }
    }
}

int nlm_blocks_below(const nlm_position *position, bool target, int block)
{
    bool good = position->rules == &blocks_rules && block >= 1 && block <= position->objects;
    return good ? row(position, target, BELOW)[block] : -1;
}

/* ---- files ---- */

static const char *const world_names[WORLDS] = {"start", "target"};

static nlm_status read_size(const json_t *instance, const char *name, int *objects, nlm_error *error)
{
    size_t blocks = 0;
    for (int world = 0; world < WORLDS; world++) {
        const json_t *towers = json_object_get(instance, world_names[world]);
        size_t here = 0;
        if (!json_is_array(towers))
            return error_in_file(error, NLM_BAD_FILE, name,
                                 "an instance of blocks has \"start\" and \"target\", lists of towers");
        for (size_t t = 0; t < json_array_size(towers); t++)
            here += json_array_size(json_array_get(towers, t));
        if (world && here != blocks)
            return error_in_file(error, NLM_BAD_FILE, name, "\"start\" has %zu blocks, \"target\" has %zu",
                                 blocks, here);
        blocks = here;
    }
    *objects = blocks > (size_t)blocks_rules.most_objects ? blocks_rules.most_objects + 1 : (int)blocks;
    return NLM_OK;
}

/* A tower is a list of blocks, the lowest first. */
static nlm_status read_tower(nlm_position *position, int world, const json_t *tower, const char *name,
                             nlm_error *error)
{
    int onto = 0;
    if (!json_is_array(tower))
        return error_in_file(error, NLM_BAD_FILE, name, "a tower in \"%s\" is no list of blocks",
                             world_names[world]);
    for (size_t b = 0; b < json_array_size(tower); b++) {
        int block = 0;
        nlm_status status =
            game_read_int(json_array_get(tower, b), "a block", 1, position->objects, name, &block, error);
        if (status)
            return status;
        if (row(position, world, Y)[block] > 0)
            return error_in_file(error, NLM_BAD_FILE, name, "block %d stands in two places of \"%s\"", block,
                                 world_names[world]);
        put(position, world, block, onto);
        onto = block;
    }
    return NLM_OK;
}

static nlm_status read_worlds(nlm_position *position, const json_t *instance, const char *name,
                              nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int world = 0; world < WORLDS; world++) {
        const json_t *towers = json_object_get(instance, world_names[world]);
        clear_world(position, world);
        for (size_t t = 0; t < json_array_size(towers) && !status; t++)
            status = read_tower(position, world, json_array_get(towers, t), name, error);
    }
    return status;
}

static json_t *write_world(const nlm_position *position, int world)
{
    const int *below = row(position, world, BELOW), *above = row(position, world, ABOVE);
    json_t *towers = json_array();
    for (int bottom = 1; bottom <= position->objects; bottom++) {
        if (below[bottom] != 0)
            continue;
        json_t *tower = json_array();
        for (int block = bottom; block > 0; block = above[block])
            tower = game_append(tower, json_integer(block));
        towers = game_append(towers, tower);
    }
    return towers;
}

static json_t *write_worlds(const nlm_position *position)
{
    return json_pack("{s:s, s:o, s:o}", "task", "blocks", world_names[OPERATING],
                     write_world(position, OPERATING), world_names[TARGET], write_world(position, TARGET));
}

static size_t changing(const nlm_position *position, const void **bytes)
{
    *bytes = row(position, OPERATING, BELOW);
    return ((size_t)position->objects + 1) * sizeof(int);
}

/* ---- as text ----
 *
 * The towers of the operating world, and beside them, or below, those of the target.
 *
 *     now: 1 of 3 in place      target
 *
 *                               [3]
 *         (3)                   [2]
 *     [1] (2)                   [1]
 *     -------                   ---
 *
 * A block in brackets is in place: it and all below it stand as in the target.  A tower keeps its place as
 * long as its lowest block stands; a new one takes the first place that is free.  Where a row of towers is
 * too wide, it goes on in a row below. */

enum { GAP = 4, TITLE = 48, HALF_LEAST = 4 };

/* One of the two worlds, in the scene's spare rows. */
struct towers {
    const nlm_position *position;
    bool target;
    int digits; /* of the largest number */
    int cell;   /* columns from tower to tower: the digits, brackets, and a space if there is room */
    int places; /* some may be empty */
    int *above; /* of each block, 0 for none */
    int *at;    /* the lowest block of the tower at each place, 0 for none */
};

/* ---- where towers stand ---- */

/* Keep the places of towers that still stand; others get the first that is free. */
static void update_places(nlm_scene *scene, const nlm_position *position)
{
    int *place = scene->notes, *taken = scene->spare;
    const bool first = scene->count == 0;
    memset(taken, 0, ((size_t)scene->objects + 1) * sizeof *taken);
    for (int block = 1; block <= scene->objects; block++) {
        const bool lowest = nlm_blocks_below(position, false, block) == 0;
        if (first || !lowest)
            place[block] = -1;
        if (place[block] >= 0)
            taken[place[block]] = 1;
    }
    scene->count = 1;
    for (int block = 1, free = 0; block <= scene->objects; block++) {
        if (nlm_blocks_below(position, false, block) != 0)
            continue;
        while (place[block] < 0 && taken[free])
            free++;
        if (place[block] < 0)
            place[block] = free++;
        if (place[block] >= scene->count)
            scene->count = place[block] + 1;
    }
}

static struct towers look_at(const nlm_scene *scene, const nlm_position *position, bool target, int cell)
{
    struct towers seen = {.position = position,
                          .target = target,
                          .digits = scene_digits(scene->objects),
                          .cell = cell,
                          .above = scene->spare,
                          .at = scene->spare + scene->objects + 1};
    const size_t size = ((size_t)scene->objects + 1) * sizeof *seen.above;
    memset(seen.above, 0, size);
    memset(seen.at, 0, size);
    for (int block = 1; block <= scene->objects; block++) {
        const int below = nlm_blocks_below(position, target, block);
        if (below > 0)
            seen.above[below] = block;
        else
            seen.at[target ? seen.places++ : scene->notes[block]] = block;
    }
    if (!target)
        seen.places = scene->count;
    return seen;
}

/* ---- one world ---- */

/* Blocks of the highest tower among some places. */
static int highest(const struct towers *seen, int first, int count)
{
    int height = 0;
    for (int place = first; place < first + count && place < seen->places; place++) {
        int here = 0;
        for (int block = seen->at[place]; block > 0; block = seen->above[block])
            here++;
        height = here > height ? here : height;
    }
    return height;
}

/* Rows of the whole world with so many towers side by side: blocks and ground. */
static int world_rows(const struct towers *seen, int abreast)
{
    int rows = 0;
    for (int first = 0; first < seen->places; first += abreast) {
        const int height = highest(seen, first, abreast);
        rows += height > 0 ? height + 1 : 0;
    }
    return rows;
}

/* Columns of so many towers side by side. */
static int row_width(int towers, int cell, int digits)
{
    return (towers - 1) * cell + digits + 2;
}

/* From the ground, which is at `row`, upwards. */
static void show_tower(const struct towers *seen, int place, int row, int column, nlm_sheet *sheet)
{
    bool right = true;
    for (int block = seen->at[place]; block > 0; block = seen->above[block]) {
        right = right && nlm_blocks_below(seen->position, !seen->target, block) ==
                             nlm_blocks_below(seen->position, seen->target, block);
        const bool solid = right || seen->target;
        nlm_sheet_put(sheet, --row, column, "%c%*d%c", solid ? '[' : '(', seen->digits, block,
                      solid ? ']' : ')');
    }
}

/* Returns the row after the last. */
static int show_world(const struct towers *seen, int abreast, int row, int left, nlm_sheet *sheet)
{
    for (int first = 0; first < seen->places; first += abreast) {
        const int height = highest(seen, first, abreast);
        const int last = first + abreast < seen->places ? first + abreast : seen->places;
        if (height == 0)
            continue;
        row += height;
        for (int place = first; place < last; place++)
            show_tower(seen, place, row, left + (place - first) * seen->cell, sheet);
        for (int column = 0; column < row_width(last - first, seen->cell, seen->digits); column++)
            nlm_sheet_put(sheet, row, left + column, "-");
        row++;
    }
    return row;
}

/* ---- both ---- */

static int count_in_place(const struct towers *seen)
{
    int count = 0;
    for (int place = 0; place < seen->places; place++) {
        bool right = true;
        for (int block = seen->at[place]; block > 0 && right; block = seen->above[block]) {
            right = nlm_blocks_below(seen->position, true, block) ==
                    nlm_blocks_below(seen->position, false, block);
            count += right;
        }
    }
    return count;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Both in the same rows, `left` is where the target begins, with so many towers side by side in each. */
static void show_beside(const nlm_scene *scene, const nlm_position *position, int cell, int left, int abreast,
                        nlm_sheet *sheet)
{
    struct towers seen = look_at(scene, position, true, cell);
    const int target_rows = world_rows(&seen, abreast);
    seen = look_at(scene, position, false, cell);
    const int now_rows = world_rows(&seen, abreast), most = larger(now_rows, target_rows);
    show_world(&seen, abreast, 1 + most - now_rows, 0, sheet);
    nlm_sheet_put(sheet, 0, left, "target");
    seen = look_at(scene, position, true, cell);
    show_world(&seen, abreast, 1 + most - target_rows, left, sheet);
}

static void show_below(const nlm_scene *scene, const nlm_position *position, int cell, int abreast,
                       nlm_sheet *sheet)
{
    struct towers seen = look_at(scene, position, false, cell);
    const int end = show_world(&seen, abreast, 1, 0, sheet);
    seen = look_at(scene, position, true, cell);
    nlm_sheet_put(sheet, end + 1, 0, "target");
    show_world(&seen, abreast, end + 2, 0, sheet);
}

/* Beside each other, each world in one row of towers; else in as many as fit into half the width; else, where
 * that is too narrow, below each other. */
static void show(nlm_scene *scene, const nlm_position *position, const int *move, int rows, nlm_sheet *sheet)
{
    (void)move;
    (void)rows;
    char title[TITLE];
    update_places(scene, position);
    const int digits = scene_digits(scene->objects), narrow = digits + 2;
    const int target_places = look_at(scene, position, true, narrow).places;
    const struct towers now = look_at(scene, position, false, narrow);
    snprintf(title, sizeof title, "now: %d of %d in place", count_in_place(&now), scene->objects);
    nlm_sheet_put(sheet, 0, 0, "%s", title);
    scene->widest = larger(scene->widest, now.places);
    for (int cell = narrow + 1; cell >= narrow; cell--) {
        const int left = larger(row_width(scene->widest, cell, digits), (int)strlen(title)) + GAP;
        if (left + row_width(target_places, cell, digits) <= sheet->width) {
            show_beside(scene, position, cell, left, scene->objects, sheet);
            return;
        }
    }
    const int half = (sheet->width - GAP) / 2;
    if (half >= (int)strlen(title) && half >= HALF_LEAST * narrow)
        show_beside(scene, position, narrow, half + GAP, half / narrow, sheet);
    else
        show_below(scene, position, narrow, larger(sheet->width / narrow, 1), sheet);
}

static void move_text(const int *move, char text[NLM_MOVE_TEXT])
{
    char names[2][16] = {"the ground", "the ground"};
    for (int k = 0; k < 2; k++)
        if (move[k] > 0)
            snprintf(names[k], sizeof names[k], "%d", move[k]);
    snprintf(text, NLM_MOVE_TEXT, "move %s onto %s", names[0], names[1]);
}

/* ---- recipes ---- */

static const nlm_preset paper[] = {{"depth", "7"},          {"breadth", "2"},      {"residual", "1"},
                                   {"first_lesson", "2"},   {"last_lesson", "12"}, {"entropy", "0.2"},
                                   {"solved_share", "0.6"}, {"interval", "1000"},  {"exam", "3000"},
                                   {"final_exam", "6000"},  {"pool", "300"},       {"episodes", "50000"},
                                   {"patience", "5000"},    {"validity", "0.1"},   {NULL, NULL}};

/* Most is learned from several tries at the same instance. */
static const nlm_preset best[] = {{"batch", "8"},
                                  {"rollouts", "8"},
                                  {"passes", "3"},
                                  {"greedy_rollouts", "1"},
                                  {"entropy", "0.01"},
                                  {"interval", "400"},
                                  {"exam", "1000"},
                                  {"final_exam", "8000"},
                                  {"final_objects", "24"},
                                  {"average", "0.9995"},
                                  {"polish", "25600"},
                                  {"polish_objects", "20"},
                                  {NULL, NULL}};

static const nlm_recipe recipes[] = {{"paper", NULL, paper}, {"best", NULL, best}, {NULL, NULL, NULL}};

static const char *const predicates[] = {"world_less",    "id_less",    "x_less",    "y_less",
                                         "world_same",    "id_same",    "x_same",    "y_same",
                                         "world_greater", "id_greater", "x_greater", "y_greater"};

const struct game_rules blocks_rules = {
    .game = {.name = "blocks",
             .description = "rebuild towers of blocks like a given target, one clear block at a time",
             .arity = 2,
             .twins = true,
             .inputs = {0, 0, BLOCKS_INPUTS},
             .predicates = predicates,
             .least_objects = 2,
             .tells_legal = true,
             .recipes = recipes,
             .baseline = "unstack-everything",
             .baseline_text = "every block that is not in place goes onto the ground, then each to its place",
             .moves_of_models = 4, /* as the paper allows in blocks */
             .test_objects = {10, 50},
             .test_moves = {12, 84},
             .graduation = 0.4},
    .most_objects = 1000,
    .state_size = state_size,
    .draw = draw,
    .read_size = read_size,
    .read = read_worlds,
    .write = write_worlds,
    .begin = begin,
    .baseline = unstack_everything,
    .legal = legal,
    .move = move_block,
    .depth = tallest,
    .changing = changing,
    .packed_size = packed_size,
    .pack = pack,
    .unpack = unpack,
    .see = see,
    .show = show,
    .move_text = move_text,
};
