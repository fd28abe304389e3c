/* How deep worlds are, against the definitions: the longest line of ancestors by plain recursion, the longest
 * of all shortest paths by powers of the adjacency. */
#include "task/task.h"
#include "worlds.h"

/* Generations before x. */
static int ancestors(const table *father, const table *mother, int people, int x)
{
    int longest = 0;
    for (int y = 0; y < people; y++) {
        if (!father->at[x][y] && !mother->at[x][y])
            continue;
        int line = 1 + ancestors(father, mother, people, y);
        longest = line > longest ? line : longest;
    }
    return longest;
}

static int family_depth_by_definition(const nlm_world *world)
{
    static table father, mother;
    read_facts(world, "father", 2, &father);
    read_facts(world, "mother", 2, &mother);
    int depth = 0, people = nlm_world_objects(world);
    for (int x = 0; x < people; x++) {
        int line = ancestors(&father, &mother, people, x);
        depth = line > depth ? line : depth;
    }
    return depth;
}

/* reached becomes what one edge more reaches; whether that is more than before. */
static bool one_edge_more(const table *edges, table *reached, int nodes)
{
    static table before;
    before = *reached;
    bool more = false;
    for (int x = 0; x < nodes; x++)
        for (int y = 0; y < nodes; y++)
            for (int z = 0; z < nodes && !reached->at[x][y]; z++)
                if (before.at[x][z] && edges->at[z][y])
                    more = reached->at[x][y] = true;
    return more;
}

static int graph_depth_by_definition(const nlm_world *world)
{
    static table edges, reached;
    int depth = 0, nodes = nlm_world_objects(world);
    read_facts(world, "has_edge", 2, &edges);
    memset(&reached, 0, sizeof reached);
    for (int x = 0; x < nodes; x++)
        reached.at[x][x] = true;
    while (one_edge_more(&edges, &reached, nodes))
        depth++;
    return depth;
}

/* On many worlds of several sizes; the depths must differ among them, or the test would say little. */
static void check(const char *task, int (*by_definition)(const nlm_world *world))
{
    static const int sizes[] = {1, 2, 7, 20, 40};
    nlm_world *world = new_world();
    int least = 1000, most = 0;
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++)
        for (uint64_t index = 0; index < 50; index++) {
            int depth;
            generate(task, 3, index, sizes[size], world);
            assert_int_equal(task_depth(task_called(task), world, &depth, NULL), NLM_OK);
            assert_int_equal(depth, by_definition(world));
            least = depth < least ? depth : least;
            most = depth > most ? depth : most;
        }
    nlm_world_free(world);
    assert_int_equal(least, 0);
    assert_true(most >= 4);
}

static void generations_of_families(void **state)
{
    (void)state;
    check("uncle", family_depth_by_definition);
}

static void paths_of_graphs(void **state)
{
    (void)state;
    check("4-connectivity", graph_depth_by_definition);
    check("6-connectivity", graph_depth_by_definition);
    check("adjacent-to-red", graph_depth_by_definition);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generations_of_families),
        cmocka_unit_test(paths_of_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
