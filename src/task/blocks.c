/* Blocks: the operating world is made like the target world, moving one clear block at a time.
 *
 * A machine sees both worlds, 2 (m + 1) objects: the ground and the blocks of the operating world, then of
 * the target.  Each has four properties: world, id, x, y; the ground is at (0, 0), a block on the ground at
 * (its id, 1), any other one step above what it stands on.  Predicates of (i, j), the first compared with the
 * second: < of the four properties, then =, then >. */
#include <math.h>
#include <string.h>
#include "task/game.h"

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

static bool is_clear(const nlm_position *position, int block)
{
    return row(position, OPERATING, ABOVE)[block] == 0;
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

static nlm_status begin(nlm_position *position, nlm_error *error)
{
    (void)error;
    position->limit = 4 * position->objects;
    position->optimum = -1;
    position->solved = worlds_agree(position);
    return NLM_OK;
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
    return move[0] != move[1] && move[0] > 0 && is_clear(position, move[0]) &&
           (move[1] == 0 || is_clear(position, move[1]));
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

static int machine_objects(int objects)
{
    return 2 * (objects + 1);
}

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
            return game_refuse(error, name,
                               "an instance of blocks has \"start\" and \"target\", lists of towers");
        for (size_t t = 0; t < json_array_size(towers); t++)
            here += json_array_size(json_array_get(towers, t));
        if (world && here != blocks)
            return game_refuse(error, name, "\"start\" has %zu blocks, \"target\" has %zu", blocks, here);
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
        return game_refuse(error, name, "a tower in \"%s\" is no list of blocks", world_names[world]);
    for (size_t b = 0; b < json_array_size(tower); b++) {
        int block = 0;
        nlm_status status =
            game_read_int(json_array_get(tower, b), "a block", 1, position->objects, name, &block, error);
        if (status)
            return status;
        if (row(position, world, Y)[block] > 0)
            return game_refuse(error, name, "block %d stands in two places of \"%s\"", block,
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

const struct game_rules blocks_rules = {
    .game = {.name = "blocks",
             .description = "rebuild towers of blocks like a given target, one clear block at a time",
             .arity = 2,
             .twins = true,
             .inputs = {0, 0, BLOCKS_INPUTS},
             .least_objects = 2,
             .depth = 7,
             .breadth = 2,
             .residual = true,
             .first_lesson = 2,
             .last_lesson = 12,
             .entropy = 0.2,
             .solved_share = 0.6,
             .interval = 1000,
             .exam = 3000,
             .pool = 300,
             .episodes = 50000,
             .patience = 5000,
             .validity = 0.1,
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
    .legal = legal,
    .move = move_block,
    .machine_objects = machine_objects,
    .depth = tallest,
    .changing = changing,
    .packed_size = packed_size,
    .pack = pack,
    .unpack = unpack,
    .see = see,
};
