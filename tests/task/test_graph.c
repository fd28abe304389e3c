/* Graphs: the oracles on graphs made by hand and against a second oracle (shortest paths by Floyd and
 * Warshall, degrees by counting), and the two generators: shape, density and how near the nearest are. */
#include "worlds.h"

#include "task/graph.h"

typedef struct graph_tables {
    int nodes;
    table edge, red;
    int distance[TABLE_SIZE][TABLE_SIZE];
} graph_tables;

enum { FAR = 1000 };

static void read_graph(const nlm_world *world, graph_tables *graph)
{
    int nodes = graph->nodes = nlm_world_objects(world);
    read_facts(world, "has_edge", 2, &graph->edge);
    memset(&graph->red, 0, sizeof graph->red);
    if (nlm_world_find_predicate(world, "red", 1) >= 0)
        read_facts(world, "red", 1, &graph->red);
    for (int x = 0; x < nodes; x++)
        for (int y = 0; y < nodes; y++)
            graph->distance[x][y] = x == y ? 0 : graph->edge.at[x][y] ? 1 : FAR;
    for (int via = 0; via < nodes; via++)
        for (int x = 0; x < nodes; x++)
            for (int y = 0; y < nodes; y++) {
                int length = graph->distance[x][via] + graph->distance[via][y];
                if (length < graph->distance[x][y])
                    graph->distance[x][y] = length;
            }
}

static int degree_of(const graph_tables *graph, int x)
{
    int degree = 0;
    for (int y = 0; y < graph->nodes; y++)
        degree += graph->edge.at[x][y];
    return degree;
}

/* ---- the second oracle ---- */

static bool is_adjacent_to_red(const graph_tables *graph, int x, int unused)
{
    (void)unused;
    for (int y = 0; y < graph->nodes; y++)
        if (graph->edge.at[x][y] && graph->red.at[y][0])
            return true;
    return false;
}

static bool is_within_4(const graph_tables *graph, int x, int y)
{
    return graph->distance[x][y] <= 4;
}

static bool is_within_6(const graph_tables *graph, int x, int y)
{
    return graph->distance[x][y] <= 6;
}

static bool has_1_edge(const graph_tables *graph, int x, int unused)
{
    (void)unused;
    return degree_of(graph, x) == 1;
}

static bool has_2_edges(const graph_tables *graph, int x, int unused)
{
    (void)unused;
    return degree_of(graph, x) == 2;
}

static const struct question {
    const char *task;
    int arity;
    bool (*holds)(const graph_tables *graph, int x, int y);
} QUESTIONS[] = {{"adjacent-to-red", 1, is_adjacent_to_red},
                 {"4-connectivity", 2, is_within_4},
                 {"6-connectivity", 2, is_within_6},
                 {"1-outdegree", 1, has_1_edge},
                 {"2-outdegree", 1, has_2_edges}};
enum { QUESTION_COUNT = sizeof QUESTIONS / sizeof *QUESTIONS };

static void compare_oracles(const nlm_world *world, const struct question *question)
{
    static graph_tables graph;
    static table labels, expected;
    read_graph(world, &graph);
    read_labels(world, question->task, &labels);
    memset(&expected, 0, sizeof expected);
    for (int x = 0; x < graph.nodes; x++)
        for (int y = 0; y < (question->arity == 2 ? graph.nodes : 1); y++)
            expected.at[x][y] = (question->arity == 1 || x != y) && question->holds(&graph, x, y);
    assert_same(question->task, graph.nodes, question->arity, &labels, &expected);
}

static void labels_follow_from_the_definitions(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 10, 50};
    nlm_world *world = new_world();
    for (int q = 0; q < QUESTION_COUNT * NLM_WORLD_KINDS; q++)
        for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++)
            for (int index = 0; index < 200; index++) {
                generate_kind(QUESTIONS[q % QUESTION_COUNT].task, (nlm_world_kind)(q / QUESTION_COUNT), 11,
                              (uint64_t)index, sizes[size], world);
                assert_int_equal(nlm_world_objects(world), sizes[size]);
                compare_oracles(world, &QUESTIONS[q % QUESTION_COUNT]);
            }
    nlm_world_free(world);
}

/* Directed graphs, nodes of several colours or none. */
static void labels_follow_from_senseless_facts_too(void **state)
{
    (void)state;
    static const char *const colours[] = {"yellow", "red", "blue", "green"};
    nlm_world *world = new_world();
    random_stream random;
    random_start(&random, 6, 0);
    for (int i = 0; i < 200; i++) {
        nlm_world_clear(world);
        assert_int_equal(nlm_world_add_objects(world, "n", 1 + i % 30, NULL), NLM_OK);
        for (int colour = 0; colour < 4; colour++)
            add_nonsense(world, &random, colours[colour], 1);
        add_nonsense(world, &random, "has_edge", 2);
        for (int q = 0; q < QUESTION_COUNT; q++) {
            assert_int_equal(nlm_task_label(task_called(QUESTIONS[q].task), world, NULL), NLM_OK);
            compare_oracles(world, &QUESTIONS[q]);
        }
    }
    nlm_world_free(world);
}

/* ---- graphs made by hand ---- */

static nlm_world *new_graph(int nodes)
{
    static const char *const colours[] = {"red", "green", "blue", "yellow"};
    nlm_world *world = new_world();
    assert_int_equal(nlm_world_add_objects(world, "n", nodes, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_predicate(world, "has_edge", 2, NULL, NULL), NLM_OK);
    for (int colour = 0; colour < 4; colour++)
        assert_int_equal(nlm_world_add_predicate(world, colours[colour], 1, NULL, NULL), NLM_OK);
    return world;
}

static void link_nodes(nlm_world *world, int x, int y)
{
    const int there[] = {x, y}, back[] = {y, x};
    assert_int_equal(nlm_world_add_fact(world, 0, there, 1, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_fact(world, 0, back, 1, NULL), NLM_OK);
}

static const table *label_graph(nlm_world *world, const char *task)
{
    static table labels;
    assert_int_equal(nlm_task_label(task_called(task), world, NULL), NLM_OK);
    read_labels(world, task, &labels);
    return &labels;
}

static void a_path_connects_as_far_as_asked(void **state)
{
    (void)state;
    enum { NODES = 10 };
    nlm_world *world = new_graph(NODES + 1); /* the last one stands alone */
    for (int x = 0; x + 1 < NODES; x++)
        link_nodes(world, x, x + 1);
    static const char *const tasks[] = {"4-connectivity", "6-connectivity"};
    for (int k = 0; k < 2; k++) {
        const table *labels = label_graph(world, tasks[k]);
        for (int x = 0; x <= NODES; x++)
            for (int y = 0; y <= NODES; y++) {
                int distance = x < y ? y - x : x - y;
                bool apart = x == NODES || y == NODES || distance == 0 || distance > 4 + 2 * k;
                assert_int_equal(labels->at[x][y], !apart);
            }
    }
    nlm_world_free(world);
}

static void a_degree_is_exact(void **state)
{
    (void)state;
    nlm_world *world = new_graph(6);
    link_nodes(world, 0, 1);
    link_nodes(world, 1, 2);
    link_nodes(world, 1, 3);
    link_nodes(world, 3, 4);
    link_nodes(world, 3, 4); /* an edge said twice is one edge */
    const bool once[] = {true, false, true, false, true, false};
    const bool twice[] = {false, false, false, true, false, false};
    const table *labels = label_graph(world, "1-outdegree");
    for (int x = 0; x < 6; x++)
        assert_int_equal(labels->at[x][0], once[x]);
    labels = label_graph(world, "2-outdegree");
    for (int x = 0; x < 6; x++)
        assert_int_equal(labels->at[x][0], twice[x]);
    nlm_world_free(world);
}

/* A red node is not next to red by being red; a node without edges never is. */
static void red_must_be_at_the_other_end(void **state)
{
    (void)state;
    nlm_world *world = new_graph(7);
    static const char *const colours[] = {"red", "green", "red", "red", "blue", "red", "yellow"};
    for (int x = 0; x < 7; x++)
        assert_int_equal(
            nlm_world_add_fact(world, nlm_world_find_predicate(world, colours[x], 1), &x, 1, NULL), NLM_OK);
    link_nodes(world, 0, 1); /* red - green */
    link_nodes(world, 2, 3); /* red - red */
    link_nodes(world, 4, 6); /* blue - yellow; 5 is red and alone */
    const bool expected[] = {false, true, true, true, false, false, false};
    const table *labels = label_graph(world, "adjacent-to-red");
    for (int x = 0; x < 7; x++)
        assert_int_equal(labels->at[x][0], expected[x]);
    nlm_world_free(world);
}

static void edges_are_followed_in_their_direction(void **state)
{
    (void)state;
    nlm_world *world = new_graph(3);
    const int edges[][2] = {{0, 1}, {1, 2}};
    const int red = 2;
    for (int k = 0; k < 2; k++)
        assert_int_equal(nlm_world_add_fact(world, 0, edges[k], 1, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_fact(world, 1, &red, 1, NULL), NLM_OK);
    const table *labels = label_graph(world, "4-connectivity");
    assert_true(labels->at[0][1] && labels->at[0][2] && labels->at[1][2]);
    assert_false(labels->at[1][0] || labels->at[2][0] || labels->at[2][1]);
    labels = label_graph(world, "1-outdegree");
    assert_true(labels->at[0][0] && labels->at[1][0] && !labels->at[2][0]);
    labels = label_graph(world, "adjacent-to-red");
    assert_true(!labels->at[0][0] && labels->at[1][0] && !labels->at[2][0]);
    nlm_world_free(world);
}

/* ---- the generators ---- */

static void graphs_are_undirected_and_their_facts_unique(void **state)
{
    (void)state;
    static graph_tables graph;
    nlm_world *world = new_world();
    static const int sizes[] = {1, 2, 10, 50};
    for (int q = 0; q < QUESTION_COUNT; q++)
        for (int index = 0; index < 100; index++) {
            generate(QUESTIONS[q].task, 2, (uint64_t)index, sizes[index % 4], world);
            read_graph(world, &graph);
            size_t edges = 0;
            for (int x = 0; x < graph.nodes; x++) {
                assert_false(graph.edge.at[x][x]);
                for (int y = 0; y < graph.nodes; y++)
                    assert_int_equal(graph.edge.at[x][y], graph.edge.at[y][x]);
                edges += (size_t)degree_of(&graph, x);
            }
            assert_int_equal(nlm_world_facts(world, 0, NULL, NULL), edges);
        }
    nlm_world_free(world);
}

/* What the paper's graphs lack, or have in small ones alone: so many nodes or pairs are found. */
enum { ONE_WAY, ISOLATED, APART, LONG_WAY, DEGREE_1, DEGREE_2, DEGREE_3, HUB, CASES };

static void count_cases(const graph_tables *graph, int found[CASES])
{
    for (int x = 0; x < graph->nodes; x++) {
        const int degree = degree_of(graph, x);
        bool arrives = false;
        for (int y = 0; y < graph->nodes; y++) {
            arrives = arrives || graph->edge.at[y][x];
            found[ONE_WAY] += graph->edge.at[x][y] && !graph->edge.at[y][x];
            found[APART] += graph->distance[x][y] >= FAR;
            found[LONG_WAY] += graph->distance[x][y] > 6 && graph->distance[x][y] < FAR;
        }
        found[ISOLATED] += degree == 0 && !arrives;
        found[DEGREE_1] += degree == 1;
        found[DEGREE_2] += degree == 2;
        found[DEGREE_3] += degree == 3;
        found[HUB] += degree > 4;
    }
}

/* Rich graphs have all of it at either size, each edge once, and both kinds of edges. */
static void rich_graphs_leave_no_choice(void **state)
{
    (void)state;
    static graph_tables graph;
    nlm_world *world = new_world();
    static const int sizes[] = {1, 2, 10, 50};
    for (int q = 0; q < QUESTION_COUNT; q++)
        for (int size = 0; size < 4; size++) {
            int found[CASES] = {0}, both_ways = 0, facts = 0;
            for (int index = 0; index < 200; index++) {
                generate_kind(QUESTIONS[q].task, NLM_WORLDS_RICH, 2, (uint64_t)index, sizes[size], world);
                read_graph(world, &graph);
                int before = found[ONE_WAY], edges = 0;
                count_cases(&graph, found);
                for (int x = 0; x < graph.nodes; x++) {
                    assert_false(graph.edge.at[x][x]);
                    edges += degree_of(&graph, x);
                }
                assert_int_equal(nlm_world_facts(world, 0, NULL, NULL), edges);
                both_ways += found[ONE_WAY] == before;
                facts += edges;
            }
            for (int k = 0; k < CASES && sizes[size] >= 10; k++)
                assert_in_range(found[k], 20, 1000000);
            assert_in_range(both_ways, 80, 200);
            assert_true(sizes[size] == 1 || (facts > 0 && found[ONE_WAY] < facts / 2));
        }
    nlm_world_free(world);
}

typedef nlm_status generator(nlm_world *world, random_stream *random, double p, nlm_error *error);

static void generate_graph(nlm_world *world, generator *add, int nodes, double p, random_stream *random)
{
    nlm_world_clear(world);
    assert_int_equal(nlm_world_add_objects(world, "n", nodes, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_predicate(world, "has_edge", 2, NULL, NULL), NLM_OK);
    assert_int_equal(add(world, random, p, NULL), NLM_OK);
}

/* Edges of `worlds` graphs together. */
static int count_edges(generator *add, int nodes, double p, int worlds)
{
    nlm_world *world = new_world();
    random_stream random;
    random_start(&random, 9, 0);
    size_t facts = 0;
    for (int i = 0; i < worlds; i++) {
        generate_graph(world, add, nodes, p, &random);
        facts += nlm_world_facts(world, 0, NULL, NULL);
    }
    nlm_world_free(world);
    return (int)(facts / 2);
}

/* A pair is linked unless neither order was drawn: 1 - (1 - p)^2. */
static void edge_graphs_have_the_density_of_p(void **state)
{
    (void)state;
    const int pairs = 50 * 49 / 2;
    assert_int_equal(count_edges(graph_add_edges, 50, 0, 10), 0);
    assert_int_equal(count_edges(graph_add_edges, 50, 1, 10), 10 * pairs);
    assert_in_range(count_edges(graph_add_edges, 50, 0.2, 100), pairs * 35, pairs * 37);
    assert_int_equal(count_edges(graph_add_edges, 1, 1, 10), 0);
}

/* Nearest neighbours one each: no cycles, and as many pairs are mutual as in a plane, 0.31 per node; so 0.69
 * edges per node.  Random neighbours instead would give nearly 1. */
static void the_nearest_are_near(void **state)
{
    (void)state;
    assert_in_range(count_edges(graph_add_nearest, 1000, 0.001, 20), 20 * 680, 20 * 700);
}

/* Three nodes with degrees from 1..2: the longest edge is there if one of its ends draws 2, which is 3/4; the
 * other two always are. */
static void degrees_are_uniform_up_to_the_largest(void **state)
{
    (void)state;
    assert_in_range(count_edges(graph_add_nearest, 3, 0.7, 4000), 8000 + 2900, 8000 + 3100);
    assert_int_equal(count_edges(graph_add_nearest, 3, 0.6, 1000), 2000);
    /* Degrees 1..50 of 50 nodes would ask for more neighbours than there are. */
    assert_true(count_edges(graph_add_nearest, 50, 1, 20) < 20 * 50 * 49 / 2);
}

static void every_node_of_a_nearest_graph_has_an_edge(void **state)
{
    (void)state;
    static graph_tables graph;
    nlm_world *world = new_world();
    static const int sizes[] = {2, 3, 10, 50, 100};
    random_stream random;
    random_start(&random, 1, 1);
    for (int i = 0; i < 250; i++) {
        int nodes = sizes[i % 5];
        double p = 0.1 + 0.001 * (i % 200);
        int most = (int)(nodes * p) > 1 ? (int)(nodes * p) : 1;
        generate_graph(world, graph_add_nearest, nodes, p, &random);
        read_graph(world, &graph);
        int edges = 0;
        for (int x = 0; x < nodes; x++) {
            assert_true(degree_of(&graph, x) >= 1);
            edges += degree_of(&graph, x);
        }
        assert_true(edges / 2 <= nodes * most);
    }
    generate_graph(world, graph_add_nearest, 1, 0.3, &random);
    assert_int_equal(nlm_world_facts(world, 0, NULL, NULL), 0);
    nlm_world_free(world);
}

/* In rich graphs some have none. */
static void count_colours(nlm_world_kind kind, int least, int low, int high)
{
    nlm_world *world = new_world();
    int uses[4] = {0};
    for (int index = 0; index < 200; index++) {
        generate_kind("adjacent-to-red", kind, 4, (uint64_t)index, 50, world);
        int colours_of[50] = {0};
        for (int colour = 0; colour < 4; colour++) {
            const int *nodes;
            size_t count = nlm_world_facts(world, 1 + colour, &nodes, NULL);
            for (size_t i = 0; i < count; i++)
                colours_of[nodes[i]]++;
            uses[colour] += (int)count;
        }
        for (int x = 0; x < 50; x++)
            assert_in_range(colours_of[x], least, 1);
    }
    for (int colour = 0; colour < 4; colour++)
        assert_in_range(uses[colour], low, high);
    nlm_world_free(world);
}

static void every_node_has_one_of_four_colours(void **state)
{
    (void)state;
    count_colours(NLM_WORLDS_PAPER, 1, 2350, 2650);
    count_colours(NLM_WORLDS_RICH, 0, 1950, 2300);
}

/* Edges per 1,000 pairs of the tasks' own graphs, and true tuples per 1,000.  For `edge` the mean of
 * 1 - (1 - p)^2 over p in [0, 0.3] is 0.27; a node of 10 has degree 1 with probability
 * mean of 9 d (1 - d)^8, d = 1 - (1 - p)^2, which is 0.183, and degree 2 with 0.186. */
static void graphs_and_truths_are_as_frequent_as_they_should_be(void **state)
{
    (void)state;
    static const struct {
        const char *task;
        int nodes;
        size_t edges_low, edges_high, labels_low, labels_high;
    } known[] = {{"adjacent-to-red", 10, 262, 278, 400, 460}, {"4-connectivity", 10, 262, 278, 650, 720},
                 {"6-connectivity", 10, 180, 210, 460, 540},  {"6-connectivity", 50, 135, 165, 900, 960},
                 {"1-outdegree", 10, 262, 278, 175, 191},     {"2-outdegree", 10, 262, 278, 178, 194}};
    enum { WORLDS = 4000 };
    nlm_world *world = new_world();
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        uint64_t edges = 0, labels = 0;
        for (int index = 0; index < WORLDS; index++) {
            generate(known[k].task, 31, (uint64_t)index, known[k].nodes, world);
            edges += nlm_world_facts(world, 0, NULL, NULL);
            labels += nlm_world_labels(world, 0, NULL, NULL, NULL);
        }
        size_t nodes = (size_t)known[k].nodes, pairs = nodes * (nodes - 1);
        size_t tuples = task_called(known[k].task)->arity == 1 ? nodes : pairs;
        assert_in_range(edges * 1000 / (WORLDS * pairs), known[k].edges_low, known[k].edges_high);
        assert_in_range(labels * 1000 / (WORLDS * tuples), known[k].labels_low, known[k].labels_high);
    }
    nlm_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_follow_from_the_definitions),
        cmocka_unit_test(labels_follow_from_senseless_facts_too),
        cmocka_unit_test(a_path_connects_as_far_as_asked),
        cmocka_unit_test(a_degree_is_exact),
        cmocka_unit_test(red_must_be_at_the_other_end),
        cmocka_unit_test(edges_are_followed_in_their_direction),
        cmocka_unit_test(graphs_are_undirected_and_their_facts_unique),
        cmocka_unit_test(rich_graphs_leave_no_choice),
        cmocka_unit_test(edge_graphs_have_the_density_of_p),
        cmocka_unit_test(the_nearest_are_near),
        cmocka_unit_test(degrees_are_uniform_up_to_the_largest),
        cmocka_unit_test(every_node_of_a_nearest_graph_has_an_edge),
        cmocka_unit_test(every_node_has_one_of_four_colours),
        cmocka_unit_test(graphs_and_truths_are_as_frequent_as_they_should_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
