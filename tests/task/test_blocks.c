/* Blocks: rules on towers made by hand, what a machine sees, a plain solver on thousands of instances, and
 * the distribution of what is drawn. */
#include "positions.h"

enum { MOST_BLOCKS = 50 };

/* Whether a block has nothing on it, in the operating world. */
static bool is_clear(const nlm_position *position, int block)
{
    for (int b = 1; b <= nlm_position_objects(position); b++)
        if (nlm_blocks_below(position, false, b) == block)
            return false;
    return true;
}

static void assert_below(const nlm_position *position, bool target, const int *below, int blocks)
{
    assert_int_equal(nlm_position_objects(position), blocks);
    for (int b = 1; b <= blocks; b++)
        assert_int_equal(nlm_blocks_below(position, target, b), below[b - 1]);
}

/* ---- rules ---- */

#define THREE "{\"task\": \"blocks\", \"start\": [[1, 2], [3]], \"target\": [[3, 2, 1]]}"

static void moves_rebuild_the_towers(void **state)
{
    (void)state;
    nlm_position *position = position_of("blocks", THREE);
    assert_int_equal(nlm_position_choices(position), 4);
    assert_int_equal(nlm_position_limit(position), 12);
    assert_int_equal(nlm_position_optimum(position), -1);
    assert_below(position, false, (const int[]){0, 1, 0}, 3);
    assert_below(position, true, (const int[]){2, 3, 0}, 3);
    assert_true(move_legally(position, 2, 0) == STEP);
    assert_below(position, false, (const int[]){0, 0, 0}, 3);
    assert_true(move_legally(position, 2, 3) == STEP);
    assert_below(position, false, (const int[]){0, 3, 0}, 3);
    assert_false(nlm_position_over(position));
    assert_true(move_legally(position, 1, 2) == SUCCESS);
    assert_below(position, false, (const int[]){2, 3, 0}, 3);
    assert_below(position, true, (const int[]){2, 3, 0}, 3);
    assert_true(nlm_position_solved(position) && nlm_position_over(position));
    assert_no_move(position, 1, 0, "over");
    nlm_position_free(position);
}

/* Whether a block and all below it are where they should be, told from the bottom. */
static bool stands_right(const nlm_position *position, int block)
{
    const int below = nlm_blocks_below(position, false, block);
    return below == nlm_blocks_below(position, true, block) && (below == 0 || stands_right(position, below));
}

static void unstack_everything_is_counted(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int moves;
    } cases[] = {
        {THREE, 3}, /* 2 down, then 2 and 1 up */
        {"{\"start\": [[1, 2, 3]], \"target\": [[1, 2], [3]]}", 1},
        {"{\"start\": [[1, 2, 3]], \"target\": [[1, 3, 2]]}", 4},
        {"{\"start\": [[1, 2], [3]], \"target\": [[1, 2, 3]]}", 1},
        {"{\"start\": [[2, 1]], \"target\": [[1, 2]]}", 2},
    };
    for (size_t c = 0; c < COUNT(cases); c++) {
        nlm_position *position = position_of("blocks", cases[c].text);
        assert_int_equal(nlm_position_baseline(position), cases[c].moves);
        nlm_position_free(position);
    }
    for (uint64_t i = 0; i < 200; i++) { /* carried out: down, then up where it can be */
        nlm_position *position = new_position("blocks");
        draw(position, 3, i, 2 + (int)(i % 20), true);
        const int blocks = nlm_position_objects(position), baseline = nlm_position_baseline(position);
        for (bool moved = true; moved;) {
            moved = false;
            for (int b = 1; b <= blocks; b++)
                if (!stands_right(position, b) && is_clear(position, b) &&
                    nlm_blocks_below(position, false, b) > 0) {
                    move_legally(position, b, 0);
                    moved = true;
                }
        }
        for (bool moved = true; moved && !nlm_position_solved(position);) {
            moved = false;
            for (int b = 1; b <= blocks && !nlm_position_solved(position); b++) {
                const int onto = nlm_blocks_below(position, true, b);
                if (onto > 0 && !stands_right(position, b) && stands_right(position, onto)) {
                    move_legally(position, b, onto);
                    moved = true;
                }
            }
        }
        assert_true(nlm_position_solved(position));
        assert_int_equal(nlm_position_moves(position), baseline);
        nlm_position_free(position);
    }
    nlm_position *sort = position_of("sort", "{\"array\": [2, 0, 1]}");
    assert_int_equal(nlm_position_baseline(sort), -1);
    nlm_position_free(sort);
}

static void only_clear_blocks_are_moved_onto_clear_ones(void **state)
{
    (void)state;
    nlm_position *position = position_of("blocks", THREE);
    move_in_vain(position, 1, 3); /* 2 is on it */
    move_in_vain(position, 1, 0);
    move_in_vain(position, 3, 1);
    move_in_vain(position, 2, 1); /* where it is */
    move_in_vain(position, 2, 2);
    move_in_vain(position, 0, 2); /* the ground */
    move_in_vain(position, 0, 0);
    assert_int_equal(nlm_position_moves(position), 7);
    assert_true(move_legally(position, 3, 2) == STEP);
    move_in_vain(position, 2, 0);
    nlm_position_free(position);
}

/* The paper's rule: what is clear may be placed on the ground, also from the ground. */
static void a_block_on_the_ground_may_be_put_there(void **state)
{
    (void)state;
    nlm_position *position = position_of("blocks", THREE);
    char *before = strdup(written(position));
    assert_true(move_legally(position, 3, 0) == STEP);
    assert_string_equal(written(position), before);
    free(before);
    nlm_position_free(position);
}

static void legal_moves_follow_from_the_rule(void **state)
{
    (void)state;
    nlm_position *position = new_position("blocks");
    random_stream random;
    random_start(&random, 8, 0);
    for (uint64_t index = 0; index < 100; index++) {
        const int m = 2 + (int)index % 9;
        draw(position, 5, index, m, false);
        for (; !nlm_position_over(position); move_at_random(position, &random))
            for (int i = -1; i <= m + 1; i++)
                for (int j = -1; j <= m + 1; j++)
                    assert_int_equal(is_legal(position, i, j), i >= 1 && i <= m && j >= 0 && j <= m &&
                                                                   i != j && is_clear(position, i) &&
                                                                   (j == 0 || is_clear(position, j)));
    }
    nlm_position_free(position);
}

/* Against worlds that are kept beside the position, move by move. */
static void a_move_changes_what_is_under_one_block(void **state)
{
    (void)state;
    nlm_position *position = new_position("blocks");
    random_stream random;
    random_start(&random, 9, 0);
    for (uint64_t index = 0; index < 300; index++) {
        const int m = 2 + (int)index % 9;
        int below[MOST_BLOCKS], target[MOST_BLOCKS];
        draw(position, 6, index, m, false);
        for (int b = 1; b <= m; b++) {
            below[b - 1] = nlm_blocks_below(position, false, b);
            target[b - 1] = nlm_blocks_below(position, true, b);
        }
        while (!nlm_position_over(position)) {
            int i = (int)random_below(&random, (uint32_t)m + 1),
                j = (int)random_below(&random, (uint32_t)m + 1);
            if (is_legal(position, i, j))
                below[i - 1] = j;
            move(position, i, j);
            assert_below(position, false, below, m);
            assert_below(position, true, target, m);
            assert_int_equal(nlm_position_solved(position), !memcmp(below, target, (size_t)m * sizeof(int)));
        }
    }
    nlm_position_free(position);
}

static void other_numbers_are_no_move(void **state)
{
    (void)state;
    nlm_position *position = position_of("blocks", THREE);
    assert_no_move(position, 4, 0, "no such move");
    assert_no_move(position, 3, 4, "no such move");
    assert_no_move(position, -1, 0, "no such move");
    assert_no_move(position, 3, INT32_MIN, "no such move");
    assert_no_move(position, INT32_MAX, 0, "no such move");
    nlm_position_free(position);
}

static void there_are_four_moves_for_every_block(void **state)
{
    (void)state;
    nlm_position *position = position_of("blocks", "{\"start\": [[2, 1]], \"target\": [[2], [1]]}");
    for (int m = 0; m < 8; m++) {
        assert_false(nlm_position_over(position));
        move_in_vain(position, 2, 0);
    }
    assert_true(nlm_position_over(position));
    assert_no_move(position, 1, 0, "over");
    nlm_position_free(position);
}

static void blocks_are_asked_of_their_game_only(void **state)
{
    (void)state;
    nlm_position *position = new_position("blocks"), *other = new_position("path");
    assert_int_equal(nlm_blocks_below(position, false, 1), -1);
    read_text(position, THREE);
    draw(other, 1, 1, 5, false);
    for (int target = 0; target < 2; target++) {
        assert_int_equal(nlm_blocks_below(position, target, 0), -1);
        assert_int_equal(nlm_blocks_below(position, target, -1), -1);
        assert_int_equal(nlm_blocks_below(position, target, 4), -1);
        assert_int_equal(nlm_blocks_below(other, target, 1), -1);
    }
    nlm_position_free(position);
    nlm_position_free(other);
}

static void towers_may_come_in_any_order(void **state)
{
    (void)state;
    nlm_position *position =
        position_of("blocks", "{\"target\": [[], [4], [2, 1], [3]], \"start\": [[3], [4, 1, 2], []]}");
    assert_below(position, false, (const int[]){4, 1, 0, 0}, 4);
    assert_below(position, true, (const int[]){2, 0, 0, 0}, 4);
    nlm_position_free(position);
}

/* ---- what a machine sees ---- */

/* The four properties of an object: 0..m are the operating world, the others the target. */
static void find_properties(const nlm_position *position, int object, int *properties)
{
    const int m = nlm_position_objects(position), id = object % (m + 1);
    const bool target = object > m;
    int x = 0, y = 0;
    for (int b = id; b > 0; b = nlm_blocks_below(position, target, b), y++)
        x = b;
    memcpy(properties, (const int[4]){target, id, x, y}, 4 * sizeof(int));
}

static view define(const nlm_position *position)
{
    const int count = 2 * (nlm_position_objects(position) + 1);
    view made = new_view(nlm_position_game(position), count);
    for (int x = 0; x < count; x++)
        for (int y = 0; y < count; y++) {
            int a[4], b[4];
            float *pair = made.tensors[2] + (x * count + y) * 12;
            find_properties(position, x, a);
            find_properties(position, y, b);
            for (int p = 0; p < 4 && x != y; p++) {
                pair[p] = a[p] < b[p] ? 1 : 0;
                pair[4 + p] = a[p] == b[p] ? 1 : 0;
                pair[8 + p] = a[p] > b[p] ? 1 : 0;
            }
        }
    return made;
}

static void a_machine_sees_both_worlds(void **state)
{
    (void)state;
    assert_seen_as_defined("blocks", define, (const int[]){2, 6, 3, 10, 4}, 5);
}

static void there_are_two_objects_for_every_block_and_the_ground(void **state)
{
    (void)state;
    nlm_position *position = position_of("blocks", THREE);
    nlm_batch *batch;
    CHECK(nlm_batch_new(game_called("blocks")->inputs, 2, &batch, &check_error));
    CHECK(nlm_batch_add_position(batch, position, &check_error));
    assert_int_equal(nlm_batch_objects(batch, 0), 8);
    nlm_batch_free(batch);
    nlm_position_free(position);
}

/* ---- a plain solver ---- */

/* It and everything below it stand as in the target. */
static bool is_well_placed(const nlm_position *position, int block)
{
    for (int b = block; b > 0; b = nlm_blocks_below(position, false, b))
        if (nlm_blocks_below(position, false, b) != nlm_blocks_below(position, true, b))
            return false;
    return true;
}

/* Misplaced blocks onto the ground, from the top. */
static void unstack(nlm_position *position)
{
    const int m = nlm_position_objects(position);
    for (bool moved = true; moved;) {
        moved = false;
        for (int b = 1; b <= m; b++)
            if (!is_well_placed(position, b) && nlm_blocks_below(position, false, b) > 0 &&
                is_clear(position, b)) {
                move_legally(position, b, 0);
                moved = true;
            }
    }
}

/* Each onto what it stands on in the target, once that is in place. */
static void build(nlm_position *position)
{
    const int m = nlm_position_objects(position);
    for (bool moved = true; moved;) {
        moved = false;
        for (int b = 1; b <= m; b++)
            if (!is_well_placed(position, b) &&
                is_well_placed(position, nlm_blocks_below(position, true, b))) {
                move_legally(position, b, nlm_blocks_below(position, true, b));
                moved = true;
            }
    }
}

static void solve(nlm_position *position)
{
    const int m = nlm_position_objects(position);
    assert_false(nlm_position_solved(position));
    assert_int_equal(nlm_position_limit(position), 4 * m);
    unstack(position);
    if (!nlm_position_solved(position))
        build(position);
    assert_true(nlm_position_solved(position));
    assert_true(nlm_position_moves(position) > 0 && nlm_position_moves(position) <= 2 * m);
}

static void unstacking_and_building_solves(void **state)
{
    (void)state;
    nlm_position *position = new_position("blocks");
    for (int m = 2; m <= 20; m++)
        for (uint64_t index = 0; index < 200; index++) {
            draw(position, 9, index, m, index % 2);
            solve(position);
        }
    for (uint64_t index = 0; index < 50; index++) {
        draw(position, 9, index, MOST_BLOCKS, true);
        solve(position);
    }
    nlm_position_free(position);
}

/* ---- drawing ---- */

enum { BLOCKS = 3, CODES = 64, CONFIGURATIONS = 13 }; /* what is under each of three blocks, to the base 4 */

/* Add the probability of what may come of putting the k-th block, when those before it are in place. */
static void place(const int *ids, int k, const int *below, double probability, double *distribution)
{
    int next[BLOCKS + 1], spots[BLOCKS + 1] = {0}, count = 1; /* the ground */
    if (k == BLOCKS) {
        distribution[below[1] * 16 + below[2] * 4 + below[3]] += probability;
        return;
    }
    for (int i = 0; i < k; i++) {
        bool clear = true;
        for (int j = 0; j < k; j++)
            clear &= below[ids[j]] != ids[i];
        if (clear)
            spots[count++] = ids[i];
    }
    for (int s = 0; s < count; s++) {
        memcpy(next, below, sizeof next);
        next[ids[k]] = spots[s];
        place(ids, k + 1, next, probability / count, distribution);
    }
}

/* Each block in turn goes onto the ground or a clear block, all equally likely; the ids are shuffled. */
static void define_distribution(double *distribution)
{
    static const int orders[6][BLOCKS] = {{1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1}};
    const int nothing[BLOCKS + 1] = {0};
    for (int code = 0; code < CODES; code++)
        distribution[code] = 0;
    for (int o = 0; o < 6; o++)
        place(orders[o], 0, nothing, 1.0 / 6, distribution);
}

static int code_of(const nlm_position *position, bool target)
{
    int code = 0;
    for (int b = 1; b <= BLOCKS; b++)
        code = code * 4 + nlm_blocks_below(position, target, b);
    return code;
}

/* The two worlds are drawn independently of each other, until they differ. */
static void worlds_are_distributed_as_defined(void **state)
{
    (void)state;
    static double one[CODES], both[CODES * CODES];
    static int counts[CODES * CODES];
    double equal = 0;
    int configurations = 0, cells = 0;
    nlm_position *position = new_position("blocks");
    define_distribution(one);
    for (int a = 0; a < CODES; a++) {
        equal += one[a] * one[a];
        configurations += one[a] > 0;
    }
    assert_int_equal(configurations, CONFIGURATIONS);
    for (uint64_t index = 0; index < 50000; index++) {
        draw(position, 41, index, BLOCKS, index % 2);
        counts[code_of(position, false) * CODES + code_of(position, true)]++;
    }
    for (int pair = 0; pair < CODES * CODES; pair++) {
        int a = pair / CODES, b = pair % CODES;
        double probability = a == b ? 0 : one[a] * one[b] / (1 - equal);
        if (probability == 0) {
            assert_int_equal(counts[pair], 0);
            continue;
        }
        assert_true(counts[pair] > 0);
        both[cells] = probability;
        counts[cells++] = counts[pair];
    }
    assert_int_equal(cells, CONFIGURATIONS * (CONFIGURATIONS - 1));
    assert_frequencies("two worlds of three blocks", counts, both, cells);
    nlm_position_free(position);
}

/* All pairs of worlds of three blocks that differ, in the order of their first appearance. */
static void all_small_instances_are_solved(void **state)
{
    (void)state;
    static bool met[CODES * CODES];
    int instances = 0;
    nlm_position *position = new_position("blocks");
    for (uint64_t index = 0; instances < CONFIGURATIONS * (CONFIGURATIONS - 1); index++) {
        assert_true(index < 50000);
        draw(position, 42, index, BLOCKS, false);
        int pair = code_of(position, false) * CODES + code_of(position, true);
        if (met[pair])
            continue;
        met[pair] = true;
        instances++;
        solve(position);
    }
    nlm_position_free(position);
}

/* Towers are sound: from every block one comes down to the ground, and no two blocks stand on one. */
static void drawn_worlds_are_towers(void **state)
{
    (void)state;
    nlm_position *position = new_position("blocks");
    for (uint64_t index = 0; index < 500; index++) {
        const int m = index % 10 ? 2 + (int)index % 19 : MOST_BLOCKS;
        draw(position, 43, index, m, false);
        for (int target = 0; target < 2; target++) {
            int above[MOST_BLOCKS + 1] = {0};
            for (int b = 1; b <= m; b++) {
                int height = 0;
                for (int c = b; c > 0; c = nlm_blocks_below(position, target, c))
                    assert_true(++height <= m);
                assert_int_equal(above[nlm_blocks_below(position, target, b)], 0);
                if (nlm_blocks_below(position, target, b) > 0)
                    above[nlm_blocks_below(position, target, b)] = b;
            }
        }
    }
    nlm_position_free(position);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_rebuild_the_towers),
        cmocka_unit_test(unstack_everything_is_counted),
        cmocka_unit_test(only_clear_blocks_are_moved_onto_clear_ones),
        cmocka_unit_test(a_block_on_the_ground_may_be_put_there),
        cmocka_unit_test(legal_moves_follow_from_the_rule),
        cmocka_unit_test(a_move_changes_what_is_under_one_block),
        cmocka_unit_test(other_numbers_are_no_move),
        cmocka_unit_test(there_are_four_moves_for_every_block),
        cmocka_unit_test(blocks_are_asked_of_their_game_only),
        cmocka_unit_test(towers_may_come_in_any_order),
        cmocka_unit_test(a_machine_sees_both_worlds),
        cmocka_unit_test(there_are_two_objects_for_every_block_and_the_ground),
        cmocka_unit_test(unstacking_and_building_solves),
        cmocka_unit_test(worlds_are_distributed_as_defined),
        cmocka_unit_test(all_small_instances_are_solved),
        cmocka_unit_test(drawn_worlds_are_towers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
