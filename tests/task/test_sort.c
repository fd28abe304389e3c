/* Sort: rules on arrays made by hand, what a machine sees, the least number of swaps against a solver and a
 * search of all permutations, and how instances are drawn. */
#include "positions.h"

/* ---- rules ---- */

static void assert_array(const nlm_position *position, const int *numbers, int count)
{
    assert_int_equal(nlm_position_objects(position), count);
    for (int i = 0; i < count; i++)
        assert_int_equal(nlm_sort_value(position, i), numbers[i]);
}

static void swaps_put_an_array_in_order(void **state)
{
    (void)state;
    nlm_position *position = position_of("sort", "{\"task\": \"sort\", \"array\": [2, 0, 3, 1]}");
    assert_array(position, (const int[]){2, 0, 3, 1}, 4);
    assert_int_equal(nlm_position_choices(position), 4);
    assert_int_equal(nlm_position_limit(position), 8);
    assert_int_equal(nlm_position_optimum(position), 3);
    assert_int_equal(nlm_position_moves(position), 0);
    assert_false(nlm_position_solved(position) || nlm_position_over(position));
    assert_true(move_legally(position, 0, 1) == STEP);
    assert_array(position, (const int[]){0, 2, 3, 1}, 4);
    assert_true(move_legally(position, 3, 1) == STEP); /* in either order */
    assert_array(position, (const int[]){0, 1, 3, 2}, 4);
    move_in_vain(position, 2, 2);
    assert_true(move_legally(position, 2, 3) == SUCCESS);
    assert_array(position, (const int[]){0, 1, 2, 3}, 4);
    assert_true(nlm_position_solved(position) && nlm_position_over(position));
    assert_int_equal(nlm_position_moves(position), 4);
    assert_int_equal(nlm_position_optimum(position), 3); /* of the beginning, still */
    assert_no_move(position, 0, 1, "over");
    nlm_position_free(position);
}

static void every_swap_is_legal_but_with_itself(void **state)
{
    (void)state;
    nlm_position *position = position_of("sort", "{\"array\": [4, 3, 2, 1, 0]}");
    for (int i = -2; i < 8; i++)
        for (int j = -2; j < 8; j++)
            assert_int_equal(is_legal(position, i, j), i != j && i >= 0 && i < 5 && j >= 0 && j < 5);
    nlm_position_free(position);
}

static void other_numbers_are_no_move(void **state)
{
    (void)state;
    nlm_position *position = position_of("sort", "{\"array\": [1, 2, 0]}");
    assert_no_move(position, 3, 0, "no such move");
    assert_no_move(position, 0, 3, "no such move");
    assert_no_move(position, -1, 0, "no such move");
    assert_no_move(position, 0, INT32_MIN, "no such move");
    assert_no_move(position, INT32_MAX, 1, "no such move");
    nlm_position_free(position);
}

static void there_are_twice_as_many_moves_as_numbers(void **state)
{
    (void)state;
    nlm_position *position = position_of("sort", "{\"array\": [1, 0, 2]}");
    for (int m = 0; m < 5; m++) {
        assert_false(nlm_position_over(position));
        move_in_vain(position, m % 3, m % 3);
    }
    assert_true(move_legally(position, 0, 2) == STEP);
    assert_true(nlm_position_over(position));
    assert_false(nlm_position_solved(position));
    assert_no_move(position, 1, 0, "over");
    nlm_position_free(position);
    position = position_of("sort", "{\"array\": [1, 0]}"); /* solved by the last of all moves */
    for (int m = 0; m < 3; m++)
        move_in_vain(position, 1, 1);
    assert_true(move_legally(position, 1, 0) == SUCCESS);
    assert_true(nlm_position_solved(position));
    nlm_position_free(position);
}

static void values_are_asked_of_slots_only(void **state)
{
    (void)state;
    nlm_position *position = new_position("sort"), *other = new_position("blocks");
    assert_int_equal(nlm_sort_value(position, 0), -1);
    read_text(position, "{\"array\": [1, 0]}");
    draw(other, 1, 1, 4, false);
    assert_int_equal(nlm_sort_value(position, -1), -1);
    assert_int_equal(nlm_sort_value(position, 2), -1);
    assert_int_equal(nlm_sort_value(other, 0), -1);
    nlm_position_free(position);
    nlm_position_free(other);
}

/* ---- what a machine sees ---- */

static view define(const nlm_position *position)
{
    const int m = nlm_position_objects(position);
    view made = new_view(nlm_position_game(position), m);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            int here = nlm_sort_value(position, i), there = nlm_sort_value(position, j);
            const bool holds[6] = {there<here, there == here, there> here, j<i, j == i, j> i};
            for (int p = 0; p < 6 && i != j; p++)
                made.tensors[2][(i * m + j) * 6 + p] = holds[p] ? 1 : 0;
        }
    return made;
}

static void a_machine_sees_comparisons(void **state)
{
    (void)state;
    assert_seen_as_defined("sort", define, (const int[]){2, 7, 3, 12, 4}, 5);
}

/* ---- the least number of swaps ---- */

/* Every swap brings a number home. */
static void follow_cycles(nlm_position *position)
{
    const int m = nlm_position_objects(position);
    for (int i = 0; i < m; i++)
        while (nlm_sort_value(position, i) != i)
            move_legally(position, i, nlm_sort_value(position, i));
    assert_true(nlm_position_solved(position));
    assert_int_equal(nlm_position_moves(position), nlm_position_optimum(position));
    assert_true(nlm_position_optimum(position) < m && nlm_position_limit(position) == 2 * m);
}

static void following_cycles_takes_as_many_swaps_as_needed(void **state)
{
    (void)state;
    nlm_position *position = new_position("sort");
    for (int m = 2; m <= 20; m++)
        for (uint64_t index = 0; index < 200; index++) {
            draw(position, 9, index, m, index % 2);
            follow_cycles(position);
        }
    for (uint64_t index = 0; index < 100; index++) {
        draw(position, 9, index, 50, true);
        follow_cycles(position);
    }
    nlm_position_free(position);
}

enum { MOST = 5, CODES = 3125 }; /* a permutation as a number of MOST digits to the base MOST */

static int code_of(const int *a, int m)
{
    int code = 0;
    for (int i = 0; i < m; i++)
        code = code * MOST + a[i];
    return code;
}

static void decode(int code, int m, int *a)
{
    for (int i = m - 1; i >= 0; i--, code /= MOST)
        a[i] = code % MOST;
}

/* distance[code] of all permutations from the one in order, by breadth-first search; others are -1. */
static int search(int m, int *distance)
{
    static int queue[CODES];
    int a[MOST] = {0, 1, 2, 3, 4}, count = 0;
    for (int code = 0; code < CODES; code++)
        distance[code] = -1;
    queue[count++] = code_of(a, m);
    distance[queue[0]] = 0;
    for (int done = 0; done < count; done++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < i; j++) {
                decode(queue[done], m, a);
                int number = a[i];
                a[i] = a[j];
                a[j] = number;
                int code = code_of(a, m);
                if (distance[code] < 0) {
                    distance[code] = distance[queue[done]] + 1;
                    queue[count++] = code;
                }
            }
    return count;
}

static void a_search_of_all_permutations_finds_the_same_optimum(void **state)
{
    (void)state;
    static const int factorial[] = {1, 1, 2, 6, 24, 120};
    static int distance[CODES];
    nlm_position *position = new_position("sort");
    for (int m = 2; m <= MOST; m++) {
        assert_int_equal(search(m, distance), factorial[m]);
        for (int code = 0; code < CODES; code++) {
            int a[MOST];
            char text[64] = "{\"array\": [";
            if (distance[code] < 1)
                continue;
            decode(code, m, a);
            for (int i = 0; i < m; i++)
                snprintf(text + strlen(text), sizeof text - strlen(text), "%d%s", a[i],
                         i < m - 1 ? ", " : "]}");
            read_text(position, text);
            assert_int_equal(nlm_position_optimum(position), distance[code]);
            follow_cycles(position);
        }
    }
    nlm_position_free(position);
}

/* ---- drawing ---- */

/* Where a permutation stands among all, in lexicographic order. */
static int rank_of(const nlm_position *position)
{
    const int m = nlm_position_objects(position);
    int rank = 0;
    for (int i = 0; i < m; i++) {
        int smaller = 0;
        for (int j = i + 1; j < m; j++)
            smaller += nlm_sort_value(position, j) < nlm_sort_value(position, i);
        rank = rank * (m - i) + smaller;
    }
    return rank;
}

static void permutations_are_equally_likely(void **state)
{
    (void)state;
    static const int others[] = {0, 0, 1, 5, 23};
    nlm_position *position = new_position("sort");
    for (int test = 0; test < 2; test++)
        for (int m = 3; m <= 4; m++) {
            int counts[24] = {0};
            for (uint64_t index = 0; index < 6000; index++) {
                draw(position, 21, index, m, test);
                counts[rank_of(position)]++;
            }
            assert_int_equal(counts[0], 0); /* in order already */
            assert_uniform("permutations", counts + 1, others[m]);
        }
    nlm_position_free(position);
}

static void large_arrays_are_shuffled_everywhere(void **state)
{
    (void)state;
    enum { M = 20, DRAWS = 4000 };
    static int counts[M][M];
    nlm_position *position = new_position("sort");
    for (uint64_t index = 0; index < DRAWS; index++) {
        bool met[M] = {false};
        draw(position, 22, index, M, false);
        for (int i = 0; i < M; i++) {
            int number = nlm_sort_value(position, i);
            assert_in_range(number, 0, M - 1);
            assert_false(met[number]);
            met[number] = true;
            counts[i][number]++;
        }
    }
    for (int i = 0; i < M; i++)
        assert_uniform("numbers in a slot", counts[i], M);
    nlm_position_free(position);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swaps_put_an_array_in_order),
        cmocka_unit_test(every_swap_is_legal_but_with_itself),
        cmocka_unit_test(other_numbers_are_no_move),
        cmocka_unit_test(there_are_twice_as_many_moves_as_numbers),
        cmocka_unit_test(values_are_asked_of_slots_only),
        cmocka_unit_test(a_machine_sees_comparisons),
        cmocka_unit_test(following_cycles_takes_as_many_swaps_as_needed),
        cmocka_unit_test(a_search_of_all_permutations_finds_the_same_optimum),
        cmocka_unit_test(permutations_are_equally_likely),
        cmocka_unit_test(large_arrays_are_shuffled_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
