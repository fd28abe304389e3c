/* Path: rules on graphs made by hand, what a machine sees, distances against a search of its own, and how
 * instances are drawn. */
#include "positions.h"

/* Two ways from 0 to 3, one of them shorter; 5 and 6 are out of reach. */
#define DETOUR                                                                                               \
    "{\"nodes\": 7, \"edges\": [[0, 1], [1, 2], [3, 2], [0, 4], [4, 3], [5, 6]], \"start\": 0, "             \
    "\"target\": 3}"
#define LINE                                                                                                 \
    "{\"task\": \"path\", \"nodes\": 4, \"edges\": [[0, 1], [2, 1], [2, 3], [1, 2]], \"start\": 3, "         \
    "\"target\": 0}"

static void assert_at(const nlm_position *position, int start, int current, int target)
{
    assert_int_equal(nlm_path_start(position), start);
    assert_int_equal(nlm_path_current(position), current);
    assert_int_equal(nlm_path_target(position), target);
}

/* ---- rules ---- */

static void edges_lead_to_the_target(void **state)
{
    (void)state;
    nlm_position *position = position_of("path", LINE);
    assert_int_equal(nlm_position_objects(position), 4);
    assert_int_equal(nlm_position_choices(position), 4);
    assert_int_equal(nlm_position_limit(position), 3);
    assert_int_equal(nlm_position_optimum(position), 3);
    assert_at(position, 3, 3, 0);
    assert_true(move_legally(position, 2, -1) == STEP);
    assert_at(position, 3, 2, 0);
    assert_true(move_legally(position, 1, -1) == STEP);
    assert_true(move_legally(position, 0, -1) == SUCCESS);
    assert_at(position, 3, 0, 0);
    assert_true(nlm_position_solved(position) && nlm_position_over(position));
    assert_no_move(position, 1, 0, "over");
    nlm_position_free(position);
}

static void edges_are_undirected(void **state)
{
    (void)state;
    static const bool edges[4][4] = {{0, 1, 0, 0}, {1, 0, 1, 0}, {0, 1, 0, 1}, {0, 0, 1, 0}};
    nlm_position *position = position_of("path", LINE);
    for (int x = -1; x <= 4; x++)
        for (int y = -1; y <= 4; y++) {
            bool inside = x >= 0 && x < 4 && y >= 0 && y < 4;
            assert_int_equal(nlm_path_edge(position, x, y), inside && edges[x][y]);
        }
    nlm_position_free(position);
}

static void without_an_edge_one_stays(void **state)
{
    (void)state;
    nlm_position *position = position_of("path", LINE);
    move_in_vain(position, 0, 0); /* the target */
    assert_at(position, 3, 3, 0);
    move_in_vain(position, 3, 0); /* where one is */
    assert_false(nlm_position_over(position));
    assert_true(move_legally(position, 2, 0) == STEP);
    assert_true(nlm_position_over(position)); /* no move left */
    assert_false(nlm_position_solved(position));
    assert_no_move(position, 1, 0, "over");
    nlm_position_free(position);
}

static void only_neighbours_of_the_present_node_are_legal(void **state)
{
    (void)state;
    nlm_position *position = position_of("path", DETOUR);
    for (int node = -3; node < 10; node++)
        assert_int_equal(is_legal(position, node, 0), node == 1 || node == 4);
    move_legally(position, 4, 0);
    for (int node = -3; node < 10; node++)
        assert_int_equal(is_legal(position, node, 0), node == 0 || node == 3);
    nlm_position_free(position);
}

static void other_numbers_are_no_move(void **state)
{
    (void)state;
    nlm_position *position = position_of("path", DETOUR);
    assert_no_move(position, 7, 0, "no such move");
    assert_no_move(position, -1, 0, "no such move");
    assert_no_move(position, INT32_MAX, 0, "no such move");
    assert_no_move(position, INT32_MIN, 0, "no such move");
    nlm_position_free(position);
}

static void there_is_no_room_for_a_detour(void **state)
{
    (void)state;
    nlm_position *position = position_of("path", DETOUR);
    assert_int_equal(nlm_position_limit(position), 2);
    move_legally(position, 1, 0);
    move_legally(position, 2, 0);
    assert_true(nlm_position_over(position));
    assert_false(nlm_position_solved(position));
    read_text(position, DETOUR);
    move_legally(position, 4, 0);
    assert_true(move_legally(position, 3, 0) == SUCCESS);
    nlm_position_free(position);
}

static void one_edge_may_be_all(void **state)
{
    (void)state;
    nlm_position *position = position_of(
        "path", "{\"nodes\": 2, \"edges\": [[1, 0], [0, 1], [1, 0]], \"start\": 1, \"target\": 0}");
    assert_int_equal(nlm_position_limit(position), 1);
    assert_true(move_legally(position, 0, 0) == SUCCESS);
    nlm_position_free(position);
}

static void nodes_are_asked_of_paths_only(void **state)
{
    (void)state;
    nlm_position *position = new_position("path"), *other = new_position("sort");
    draw(other, 1, 1, 4, false);
    for (int k = 0; k < 2; k++) {
        assert_at(k ? other : position, -1, -1, -1);
        assert_false(nlm_path_edge(k ? other : position, 0, 1));
    }
    nlm_position_free(position);
    nlm_position_free(other);
}

/* In the middle of an episode the present node is the start of what is written. */
static void what_is_left_of_a_path_is_an_instance(void **state)
{
    (void)state;
    nlm_position *position = position_of("path", LINE);
    move_legally(position, 2, 0);
    nlm_position *rest = position_of("path", written(position));
    assert_at(rest, 2, 2, 0);
    assert_int_equal(nlm_position_moves(rest), 0);
    assert_int_equal(nlm_position_limit(rest), 2);
    assert_at(position, 3, 2, 0);
    nlm_position_free(position);
    nlm_position_free(rest);
}

/* ---- what a machine sees ---- */

static view define(const nlm_position *position)
{
    const int m = nlm_position_objects(position);
    view made = new_view(nlm_position_game(position), m);
    for (int x = 0; x < m; x++) {
        made.tensors[1][x * 2] = x == nlm_path_current(position) ? 1 : 0;
        made.tensors[1][x * 2 + 1] = x == nlm_path_target(position) ? 1 : 0;
        for (int y = 0; y < m; y++) {
            if (x == y)
                continue;
            made.tensors[2][(x * m + y) * 2] = nlm_path_edge(position, x, y) ? 1 : 0;
            made.tensors[2][(x * m + y) * 2 + 1] = nlm_path_edge(position, y, x) ? 1 : 0;
        }
    }
    return made;
}

static void a_machine_sees_nodes_and_edges(void **state)
{
    (void)state;
    assert_seen_as_defined("path", define, (const int[]){2, 9, 3, 14, 7}, 5);
}

/* ---- distances ---- */

enum { MOST_NODES = 100 };

/* distance[x] of every node to the target, layer by layer; -1 where no path leads. */
static void search(const nlm_position *position, int *distance)
{
    const int m = nlm_position_objects(position);
    bool grown = true;
    for (int x = 0; x < m; x++)
        distance[x] = x == nlm_path_target(position) ? 0 : -1;
    for (int layer = 0; grown; layer++) {
        grown = false;
        for (int x = 0; x < m; x++)
            for (int y = 0; y < m && distance[x] == layer; y++)
                if (nlm_path_edge(position, x, y) && distance[y] < 0) {
                    distance[y] = layer + 1;
                    grown = true;
                }
    }
}

/* Every move goes to a node that is nearer; returns how many there were. */
static int follow_distances(nlm_position *position)
{
    int distance[MOST_NODES];
    search(position, distance);
    const int length = distance[nlm_path_start(position)];
    assert_true(length > 0);
    assert_int_equal(nlm_position_optimum(position), length);
    assert_int_equal(nlm_position_limit(position), length);
    for (int left = length; left > 0; left--) {
        int next = 0;
        assert_false(nlm_position_over(position));
        while (distance[next] != left - 1 || !nlm_path_edge(position, nlm_path_current(position), next))
            next++;
        move_legally(position, next, 0);
    }
    assert_true(nlm_position_solved(position));
    return length;
}

static void following_distances_solves(void **state)
{
    (void)state;
    nlm_position *position = new_position("path");
    for (int m = 2; m <= 20; m++)
        for (uint64_t index = 0; index < 200; index++) {
            draw(position, 9, index, m, m >= 5 && index % 2);
            follow_distances(position);
        }
    for (uint64_t index = 0; index < 50; index++) {
        draw(position, 9, index, 50, index % 2);
        follow_distances(position);
    }
    nlm_position_free(position);
}

/* Graphs that no generator would make: sparse, in pieces, or dense. */
static void distances_are_right_in_any_graph(void **state)
{
    (void)state;
    nlm_position *position = new_position("path");
    random_stream random;
    random_start(&random, 4, 0);
    int lengths = 0;
    for (int round = 0; round < 2000; round++) {
        int m = 2 + (int)random_below(&random, 12), edges = 1 + (int)random_below(&random, 20);
        char text[1024];
        size_t used = (size_t)snprintf(text, sizeof text, "{\"nodes\": %d, \"start\": 0, \"target\": %d", m,
                                       1 + (int)random_below(&random, (uint32_t)m - 1));
        for (int e = 0; e < edges; e++) {
            int x = (int)random_below(&random, (uint32_t)m);
            int y = (x + 1 + (int)random_below(&random, (uint32_t)m - 1)) % m;
            used += (size_t)snprintf(text + used, sizeof text - used, "%s[%d, %d]",
                                     e ? ", " : ", \"edges\": [", x, y);
        }
        snprintf(text + used, sizeof text - used, "]}");
        nlm_error error;
        if (nlm_position_read(position, text, strlen(text), "random", &error))
            assert_said(&error, NLM_BAD_FILE, "random: no path leads from node 0 to node ");
        else
            lengths |= 1 << follow_distances(position);
    }
    assert_int_equal(lengths & 0x7E, 0x7E); /* 1 to 6 edges, and perhaps more */
    nlm_position_free(position);
}

/* ---- drawing ---- */

static void distances_are_equally_likely(void **state)
{
    (void)state;
    nlm_position *position = new_position("path");
    for (int m = 3; m <= 12; m++) {
        int counts[6] = {0}, most = m - 1 < 5 ? m - 1 : 5;
        for (uint64_t index = 0; index < 1000; index++) {
            draw(position, 31, index, m, false);
            assert_in_range(nlm_position_limit(position), 1, most);
            counts[nlm_position_limit(position)]++;
        }
        assert_uniform("distances", counts + 1, most);
    }
    nlm_position_free(position);
}

static void tests_are_four_edges_long(void **state)
{
    (void)state;
    static const int sizes[] = {5, 6, 7, 10, 12, 30, 50, 100};
    nlm_position *position = new_position("path");
    for (size_t s = 0; s < COUNT(sizes); s++)
        for (uint64_t index = 0; index < 20; index++) {
            draw(position, 32, index, sizes[s], true);
            assert_int_equal(nlm_position_limit(position), 4);
        }
    for (int m = 2; m < 5; m++) {
        nlm_error error;
        assert_int_equal(nlm_position_draw(position, 1, 1, m, true, &error), NLM_BAD_ARGUMENT);
        assert_said(&error, NLM_BAD_ARGUMENT, "path: tests have paths of 4 edges");
    }
    nlm_position_free(position);
}

/* Points are drawn alike, so a start and a target are any two nodes. */
static void all_pairs_of_ends_are_equally_likely(void **state)
{
    (void)state;
    enum { M = 4 };
    int counts[M * (M - 1)] = {0};
    nlm_position *position = new_position("path");
    for (uint64_t index = 0; index < 6000; index++) {
        draw(position, 33, index, M, false);
        int start = nlm_path_start(position), target = nlm_path_target(position);
        assert_int_equal(nlm_path_current(position), start);
        assert_int_not_equal(start, target);
        counts[start * (M - 1) + target - (target > start)]++;
    }
    assert_uniform("starts and targets", counts, M * (M - 1));
    nlm_position_free(position);
}

/* Each node links to at least one, and to at most 0.3 m others of its own accord: so half the sum of degrees,
 * the number of edges, is between m / 2 and 0.3 m m. */
static void graphs_are_those_of_near_neighbours(void **state)
{
    (void)state;
    nlm_position *position = new_position("path");
    for (int m = 4; m <= 50; m += 23)
        for (uint64_t index = 0; index < 50; index++) {
            int sum = 0;
            draw(position, 34, index, m, false);
            for (int x = 0; x < m; x++) {
                int degree = 0;
                assert_false(nlm_path_edge(position, x, x));
                for (int y = 0; y < m; y++) {
                    degree += nlm_path_edge(position, x, y);
                    assert_int_equal(nlm_path_edge(position, x, y), nlm_path_edge(position, y, x));
                }
                assert_true(degree >= 1);
                sum += degree;
            }
            assert_true(sum <= 2 * m * (m * 3 / 10 > 1 ? m * 3 / 10 : 1));
        }
    nlm_position_free(position);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_lead_to_the_target),
        cmocka_unit_test(edges_are_undirected),
        cmocka_unit_test(without_an_edge_one_stays),
        cmocka_unit_test(only_neighbours_of_the_present_node_are_legal),
        cmocka_unit_test(other_numbers_are_no_move),
        cmocka_unit_test(there_is_no_room_for_a_detour),
        cmocka_unit_test(one_edge_may_be_all),
        cmocka_unit_test(nodes_are_asked_of_paths_only),
        cmocka_unit_test(what_is_left_of_a_path_is_an_instance),
        cmocka_unit_test(a_machine_sees_nodes_and_edges),
        cmocka_unit_test(following_distances_solves),
        cmocka_unit_test(distances_are_right_in_any_graph),
        cmocka_unit_test(distances_are_equally_likely),
        cmocka_unit_test(tests_are_four_edges_long),
        cmocka_unit_test(all_pairs_of_ends_are_equally_likely),
        cmocka_unit_test(graphs_are_those_of_near_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
