/* Graphs: generators, oracles and tasks.
 *
 * The graphs of Dong et al. are undirected: their generators add an edge as two facts, has_edge(x, y) and
 * has_edge(y, x), and each fact once.  Rich graphs also have one-way edges.  Those of Evans and Grefenstette
 * are directed.  Of them the oracles label the least model of
 *
 *     undirected_edge(X,Y) :- edge(X,Y).          undirected_edge(X,Y) :- edge(Y,X).
 *     adjacent_to_red(X) :- edge(X,Y), is_red(Y).          is_red(X) :- colour(X,Y), red(Y).
 *     two_children(X) :- edge(X,Y), has_other(X,Y).        has_other(X,Y) :- edge(X,Z), neq(Z,Y).
 *     same_colour_neighbour(X) :- edge(X,Y), alike(X,Y).   alike(X,Y) :- colour(X,Z), colour(Y,Z).
 *     connected(X,Y) :- edge(X,Y).                connected(X,Y) :- edge(X,Z), connected(Z,Y).
 *     cyclic(X) :- path(X,X).   path(X,Y) :- edge(X,Y).    path(X,Y) :- edge(X,Z), path(Z,Y).
 *
 * but for connected(X,X), which the original has. */
#include "task/graph.h"

#include <math.h>
#include "task/registry.h"
#include "world/world.h"

/* After has_edge, where nodes are coloured: unary predicates, one of them true of every node. */
enum { GRAPH_RED = GRAPH_EDGE + 1, GRAPH_COLOURS = 4 };

/* ---- undirected graphs ---- */

static nlm_status add_edge(nlm_world *world, int x, int y, nlm_error *error)
{
    const int there[] = {x, y}, back[] = {y, x};
    nlm_status status = nlm_world_add_fact(world, GRAPH_EDGE, there, 1, error);
    return status ? status : nlm_world_add_fact(world, GRAPH_EDGE, back, 1, error);
}

nlm_status graph_add_edges(nlm_world *world, random_stream *random, double p, nlm_error *error)
{
    int nodes = nlm_world_objects(world);
    for (int x = 0; x < nodes; x++)
        for (int y = x + 1; y < nodes; y++) {
            bool there = random_unit(random) < p;
            bool back = random_unit(random) < p;
            nlm_status status = there || back ? add_edge(world, x, y, error) : NLM_OK;
            if (status)
                return status;
        }
    return NLM_OK;
}

/* A node of a nearest graph.  Coordinates are whole numbers under 2^31, the unit square scaled: squared
 * distances are exact in 64 bits, so every build of the program links the same nodes. */
typedef struct point {
    uint32_t x, y;
} point;

/* Another node as seen from a node.  Equal distances are told apart by number. */
typedef struct neighbour {
    uint64_t distance;
    int node;
} neighbour;

static neighbour neighbour_from(const point *points, int from, int node)
{
    int64_t dx = (int64_t)points[from].x - points[node].x;
    int64_t dy = (int64_t)points[from].y - points[node].y;
    return (neighbour){(uint64_t)(dx * dx) + (uint64_t)(dy * dy), node};
}

static bool is_nearer(neighbour a, neighbour b)
{
    return a.distance < b.distance || (a.distance == b.distance && a.node < b.node);
}

/* The neighbour that has `rank` nearer ones (Hoare's selection, which reorders the array). */
static neighbour select_rank(neighbour *neighbours, int count, int rank)
{
    int first = 0, last = count - 1;
    while (first < last) {
        neighbour pivot = neighbours[first + (last - first) / 2];
        int low = first, high = last;
        while (low <= high) {
            while (is_nearer(neighbours[low], pivot))
                low++;
            while (is_nearer(pivot, neighbours[high]))
                high--;
            if (low <= high) {
                neighbour swapped = neighbours[low];
                neighbours[low++] = neighbours[high];
                neighbours[high--] = swapped;
            }
        }
        if (rank <= high)
            last = high;
        else if (rank >= low)
            first = low;
        else
            break;
    }
    return neighbours[rank];
}

/* The farthest node that `node` links to, when it draws its degree from 1..most. */
static neighbour draw_farthest(const point *points, int nodes, int node, int most, neighbour *neighbours,
                               random_stream *random)
{
    int degree = 1 + (int)random_below(random, (uint32_t)most);
    int count = 0;
    for (int other = 0; other < nodes; other++)
        if (other != node)
            neighbours[count++] = neighbour_from(points, node, other);
    return select_rank(neighbours, count, (degree < count ? degree : count) - 1);
}

nlm_status graph_add_nearest(nlm_world *world, random_stream *random, double p, nlm_error *error)
{
    int nodes = nlm_world_objects(world);
    if (nodes < 2)
        return NLM_OK;
    size_t count = (size_t)nodes;
    void *block;
    nlm_status status = world_scratch(world, count * (2 * sizeof(neighbour) + sizeof(point)), &block, error);
    if (status)
        return status;
    neighbour *farthest = block;
    neighbour *neighbours = farthest + count;
    point *points = (point *)(neighbours + count);

    for (int node = 0; node < nodes; node++) {
        points[node].x = random_u32(random) >> 1;
        points[node].y = random_u32(random) >> 1;
    }
    int most = (int)floor(nodes * p);
    for (int node = 0; node < nodes; node++)
        farthest[node] = draw_farthest(points, nodes, node, most > 1 ? most : 1, neighbours, random);

    for (int x = 0; x < nodes; x++)
        for (int y = x + 1; y < nodes; y++) {
            bool there = !is_nearer(farthest[x], neighbour_from(points, x, y));
            bool back = !is_nearer(farthest[y], neighbour_from(points, y, x));
            status = there || back ? add_edge(world, x, y, error) : NLM_OK;
            if (status)
                return status;
        }
    return NLM_OK;
}

/* An explicit fma leaves the compiler nothing to contract: every build draws the same p. */
static double draw_p(random_stream *random, double low, double high)
{
    return fma(high - low, random_unit(random), low);
}

nlm_status graph_generate_edge(nlm_world *world, random_stream *random, nlm_error *error)
{
    return graph_add_edges(world, random, draw_p(random, 0, 0.3), error);
}

/* Each node has one colour or, with this probability, none. */
static nlm_status add_colours(nlm_world *world, random_stream *random, double none, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int node = 0; node < nlm_world_objects(world) && !status; node++) {
        int colour = GRAPH_RED + (int)random_below(random, GRAPH_COLOURS);
        if (none == 0 || random_unit(random) >= none)
            status = nlm_world_add_fact(world, colour, &node, 1, error);
    }
    return status;
}

static nlm_status generate_coloured(nlm_world *world, random_stream *random, nlm_error *error)
{
    nlm_status status = graph_generate_edge(world, random, error);
    return status ? status : add_colours(world, random, 0, error);
}

static nlm_status generate_nearest(nlm_world *world, random_stream *random, nlm_error *error)
{
    return graph_add_nearest(world, random, draw_p(random, 0.1, 0.3), error);
}

/* ---- rich graphs ----
 *
 * The nodes are shared out among parts, each of a shape of its own, and some parts are joined by an edge. One
 * graph in four is the paper's.  Coincidences of the paper's graphs, on which a rule may rest, and what
 * breaks them:
 *
 *     an edge leads both ways: the edges that leave x    one-way edges, in half of the graphs: all of them
 *     are those that arrive, paths lead back             or some
 *     a node is red or has another colour                nodes without a colour
 *     small graphs hang together, paths are short        parts that are not joined, long paths, cycles
 *     degrees in a graph are much the same               stars, complete parts, sparse and dense parts
 *     hardly any node of a large graph has 0, 1 or 2     nodes alone, paths, cycles, stars
 *     edges */

enum shape { STAR, PATH, CYCLE, COMPLETE, SPARSE, DENSE, SHAPES };
enum { MOST_COMPLETE = 5 };
enum direction { BOTH_WAYS, ONE_WAY, EITHER, DIRECTIONS };

/* Whether nodes i < j of a part are linked. */
static bool are_linked(enum shape shape, int nodes, int i, int j, double p, random_stream *random)
{
    switch (shape) {
    case STAR:
        return i == 0;
    case PATH:
        return j == i + 1;
    case CYCLE:
        return j == i + 1 || (i == 0 && j == nodes - 1);
    case COMPLETE:
        return j < MOST_COMPLETE;
    default: /* sparse or dense */
        return random_unit(random) < p;
    }
}

static nlm_status add_link(nlm_world *world, enum direction direction, int x, int y, random_stream *random,
                           nlm_error *error)
{
    const int there[] = {x, y}, back[] = {y, x};
    if (direction == BOTH_WAYS || (direction == EITHER && random_below(random, 2)))
        return add_edge(world, x, y, error);
    const bool turned = direction == EITHER && random_below(random, 2);
    return nlm_world_add_fact(world, GRAPH_EDGE, turned ? back : there, 1, error);
}

/* One-way paths and cycles lead along, those and stars all one way or all the other. */
static nlm_status add_part(nlm_world *world, const int *nodes, int count, enum direction direction,
                           random_stream *random, nlm_error *error)
{
    const uint32_t drawn = random_below(random, SHAPES + 1); /* paths twice */
    const enum shape shape = drawn < SHAPES ? (enum shape)drawn : PATH;
    const double p = shape == SPARSE ? draw_p(random, 0, 3.0 / count) : draw_p(random, 0.1, 0.6);
    const bool turned = random_below(random, 2);
    nlm_status status = NLM_OK;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count && !status; j++) {
            if (!are_linked(shape, count, i, j, p, random))
                continue;
            const bool closes = shape == CYCLE && j > i + 1;
            const int x = nodes[turned != closes ? j : i], y = nodes[turned != closes ? i : j];
            status = add_link(world, direction, x, y, random, error);
        }
    return status;
}

/* One part in four has all nodes that are left, two have at most six. */
static nlm_status add_parts(nlm_world *world, random_stream *random, nlm_error *error)
{
    const int nodes = nlm_world_objects(world);
    void *block;
    nlm_status status = world_scratch(world, (size_t)nodes * sizeof(int), &block, error);
    if (status)
        return status;
    int *order = block;
    for (int node = 0; node < nodes; node++)
        order[node] = node;
    random_shuffle(random, order, nodes);
    /* both ways in two graphs of four */
    const uint32_t drawn = random_below(random, DIRECTIONS + 1);
    const enum direction direction = drawn < DIRECTIONS ? (enum direction)drawn : BOTH_WAYS;
    const bool joined = random_below(random, 2);
    for (int first = 0, count; first < nodes && !status; first += count) {
        const int left = nodes - first, size = (int)random_below(random, 4);
        const int most = size < 2 && left > 6 ? 6 : left;
        count = size == 3 ? left : 1 + (int)random_below(random, (uint32_t)most);
        status = add_part(world, order + first, count, direction, random, error);
        if (!status && joined && first > 0)
            status = add_link(world, direction, order[first - 1], order[first], random, error);
    }
    return status;
}

static nlm_status generate_rich_edge(nlm_world *world, random_stream *random, nlm_error *error)
{
    return random_below(random, 4) ? add_parts(world, random, error)
                                   : graph_generate_edge(world, random, error);
}

static nlm_status generate_rich_nearest(nlm_world *world, random_stream *random, nlm_error *error)
{
    return random_below(random, 4) ? add_parts(world, random, error) : generate_nearest(world, random, error);
}

static nlm_status generate_rich_coloured(nlm_world *world, random_stream *random, nlm_error *error)
{
    nlm_status status = generate_rich_edge(world, random, error);
    return status ? status : add_colours(world, random, random_below(random, 2) ? 0.3 : 0, error);
}

/* ---- oracles ---- */

/* An edge leads from x to a red node. */
static nlm_status label_adjacent(oracle *o)
{
    nlm_status status = NLM_OK;
    for (int x = 0; x < o->objects && !status; x++)
        if (relation_meets(&o->facts[GRAPH_EDGE], x, o->facts[GRAPH_RED].items, 1))
            status = oracle_label(o, x, 0);
    return status;
}

/* Exactly `parameter` edges leave x. */
static nlm_status label_degree(oracle *o)
{
    const int *starts = o->facts[GRAPH_EDGE].starts;
    nlm_status status = NLM_OK;
    for (int x = 0; x < o->objects && !status; x++)
        if (starts[x + 1] - starts[x] == o->parameter)
            status = oracle_label(o, x, 0);
    return status;
}

/* ---- directed graphs ---- */

/* edge(x, y).  Then either neq(x, y): they are two; or colour(x, y): the colour of node x is y, where colours
 * are objects, perhaps with red(y) and green(y) to tell which is which. */
enum { NODE_EDGE, NODE_NEQ = 1, NODE_COLOUR = 1, NODE_RED };

/* Of three objects or more the last two are the colours of a coloured graph. */
enum { COLOURS = 2 };

static nlm_status add_coloured_objects(nlm_world *world, int objects, nlm_error *error)
{
    static const char *const names[COLOURS] = {"red", "green"};
    int colours = objects > COLOURS ? COLOURS : 0;
    nlm_status status = nlm_world_add_objects(world, "node", objects - colours, error);
    for (int colour = 0; colour < colours && !status; colour++)
        status = nlm_world_add_object(world, names[colour], NULL, error);
    return status;
}

/* Edges are drawn independently, from 0.5 to 1.5 per node on average. */
static nlm_status generate_directed(nlm_world *world, random_stream *random, nlm_error *error)
{
    double per_node = 0.5 + random_unit(random);
    int nodes = nlm_world_objects(world), colours = 0;
    if (nlm_world_find_predicate(world, "colour", 2) >= 0 && nodes > COLOURS) {
        colours = COLOURS;
        nodes -= colours;
    }
    const double p = nodes > 1 ? per_node / (nodes - 1) : 0;
    nlm_status status = NLM_OK;
    for (int x = 0; x < nodes; x++)
        for (int y = 0; y < nodes && !status; y++) {
            const int tuple[] = {x, y};
            if (x != y && random_unit(random) < p)
                status = nlm_world_add_fact(world, NODE_EDGE, tuple, 1, error);
        }
    for (int node = 0; node < nodes && colours > 0 && !status; node++) {
        const int tuple[] = {node, nodes + (int)random_below(random, COLOURS)};
        status = nlm_world_add_fact(world, NODE_COLOUR, tuple, 1, error);
    }
    for (int colour = 0; colour < colours && NODE_RED < nlm_world_predicates(world) && !status; colour++) {
        const int object = nodes + colour;
        status = nlm_world_add_fact(world, NODE_RED + colour, &object, 1, error);
    }
    return status;
}

static nlm_status generate_neq(nlm_world *world, random_stream *random, nlm_error *error)
{
    int nodes = nlm_world_objects(world);
    nlm_status status = generate_directed(world, random, error);
    if (!status)
        status = world_expect_facts(world, NODE_NEQ, (size_t)nodes * (size_t)(nodes - 1), error);
    for (int x = 0; x < nodes; x++)
        for (int y = 0; y < nodes && !status; y++) {
            const int tuple[] = {x, y};
            if (x != y)
                status = nlm_world_add_fact(world, NODE_NEQ, tuple, 1, error);
        }
    return status;
}

/* An edge leads from x to a node that has, by neq or colour, one of the objects looked for: the neighbours of
 * x (then there are two of them), the colours of x, or what is red.  `parameter` is their predicate. */
static nlm_status label_met(oracle *o)
{
    const relation *edges = &o->facts[NODE_EDGE], *sought = &o->facts[o->parameter];
    nlm_status status = NLM_OK;
    for (int x = 0; x < o->objects && !status; x++) {
        const bool of_x = sought->starts;
        bool met = false;
        for (int at = of_x ? sought->starts[x] : 0; of_x && at < sought->starts[x + 1]; at++)
            o->spare[sought->items[at]] = x + 1;
        for (int at = edges->starts[x]; at < edges->starts[x + 1] && !met; at++)
            met = relation_meets(&o->facts[NODE_COLOUR], edges->items[at], of_x ? o->spare : sought->items,
                                 of_x ? x + 1 : 1);
        if (met)
            status = oracle_label(o, x, 0);
    }
    return status;
}

/* A path leads from x back to x. */
static nlm_status label_cyclic(oracle *o)
{
    const relation *edges = &o->facts[NODE_EDGE];
    int *reached = o->spare, *seen = o->spare + o->objects;
    nlm_status status = NLM_OK;
    for (int x = 0; x < o->objects && !status; x++) {
        int farthest, count = walk_reach(edges, 1, x, o->objects, reached, seen, &farthest);
        bool back = false;
        for (int i = 1; i < count && !back; i++)
            back = relation_holds(edges, reached[i], x);
        if (back)
            status = oracle_label(o, x, 0);
    }
    return status;
}

/* ---- tasks ---- */

/* Prefix of objects or how they are added; most objects; draws; pairs; predicates to walk along; depth;
 * generators of both kinds of worlds; predicates. */
/* clang-format off */
static const task_kind COLOURED_GRAPH = {
    "node", NULL, MAX_NODES, 0, false, 1, NULL, generate_coloured, generate_rich_coloured, 1 + GRAPH_COLOURS,
    {{"has_edge", 2}, {"red", 1}, {"green", 1}, {"blue", 1}, {"yellow", 1}}};
static const task_kind EDGE_GRAPH = {
    "node", NULL, MAX_NODES, 0, false, 1, NULL, graph_generate_edge, generate_rich_edge, 1,
    {{"has_edge", 2}}};
static const task_kind DIGIT_GRAPH = {
    "node", NULL, MAX_NODES, 0, false, 1, NULL, graph_generate_edge, NULL, 2,
    {{"has_edge", 2}, {"zero", 1}}};
static const task_kind NEAREST_GRAPH = {
    "node", NULL, MAX_NODES, 0, false, 1, NULL, generate_nearest, generate_rich_nearest, 1,
    {{"has_edge", 2}}};
static const task_kind DIRECTED_GRAPH = {
    "node", NULL, MAX_NODES, DRAWS, false, 1, NULL, generate_directed, NULL, 1,
    {{"edge", 2}}};
static const task_kind NEQ_GRAPH = {
    "node", NULL, MAX_NODES, DRAWS, false, 1, NULL, generate_neq, NULL, 2,
    {{"edge", 2}, {"neq", 2}}};
static const task_kind TWO_COLOURED_GRAPH = {
    NULL, add_coloured_objects, MAX_NODES, DRAWS, false, 1, NULL, generate_directed, NULL, 2,
    {{"edge", 2}, {"colour", 2}}};
static const task_kind RED_GRAPH = {
    NULL, add_coloured_objects, MAX_NODES, DRAWS, false, 1, NULL, generate_directed, NULL, 4,
    {{"edge", 2}, {"colour", 2}, {"red", 1}, {"green", 1}}};
/* clang-format on */

/* Handwriting is never learned to the last digit: what is left is noise. */
static const nlm_preset OF_PICTURES[] = {
    {"positives", "3"}, {"patience", "4"}, {"shift", "1"}, {"lr_decay", "0.97"}, {NULL, NULL}};
/* Of rich graphs, with their one-way edges, this takes 18 to 25 epochs, where a fifth of the budget is 10. */
static const nlm_preset OF_PATHS[] = {{"beta2", "0.99"}, {"exam", "10000"}, {"positives", "3"},
                                      {"deep", "2"},     {"replay", "1"},   {"patience", "30"},
                                      {NULL, NULL}};
static const nlm_recipe FOLLOWING[] = {{"best", NULL, OF_PATHS}, {NULL, NULL, NULL}};
static const nlm_recipe READING[] = {{"best", NULL, OF_PICTURES}, {NULL, NULL, NULL}};

/* Name, question, target and its arity, inputs, sizes; the paper's depth, breadth, residual, threshold,
 * budget and share of graduated runs, our gain, width, sense, gallery, shift, origin, solved, recipes; kind,
 * oracle and its parameter. */
/* clang-format off */
const task_entry graph_tasks[GRAPH_TASKS] = {
    {{"adjacent-to-red", "an edge leads from x to a red node",
      "adjacent_to_red", 1, {0, 4, 1}, 10, 50, 4, 3, false, 1e-5, 100000, 0.9, 3, 8, NULL, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL}, &COLOURED_GRAPH, label_adjacent, 0},
    {{"4-connectivity", "a path of at most 4 edges leads from x to y",
      "connectivity4", 2, {0, 0, 1}, 10, 50, 4, 3, false, 1e-5, 50000, 1.0, 3, 8, NULL, NULL, 0, NULL, 0, FOLLOWING, NULL, NULL, NULL, NULL}, &EDGE_GRAPH, oracle_label_connected, 4},
    {{"6-connectivity", "a path of at most 6 edges leads from x to y",
      "connectivity6", 2, {0, 0, 1}, 10, 50, 8, 3, true, 1e-6, 50000, 0.6, 3, 8, NULL, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL}, &NEAREST_GRAPH, oracle_label_connected, 6},
    {{"1-outdegree", "exactly 1 edge leaves x",
      "outdegree1", 1, {0, 0, 1}, 10, 50, 4, 3, false, 1e-5, 50000, 1.0, 3, 8, NULL, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL}, &EDGE_GRAPH, label_degree, 1},
    {{"2-outdegree", "exactly 2 edges leave x",
      "outdegree2", 1, {0, 0, 1}, 10, 50, 5, 4, true, 1e-5, 100000, 1.0, 3, 8, NULL, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL}, &EDGE_GRAPH, label_degree, 2},
    {{"adjacent-to-zero", "an edge leads from x to a node that shows a 0",
      "adjacent_to_zero", 1, {0, 10, 1}, 10, 50, 2, 2, true, 0, 100000, 0, 3, 16, "lenet", NULL, 0, NULL, 0, READING, NULL, NULL, NULL, NULL},
     &DIGIT_GRAPH, label_adjacent, 0},
};
/* clang-format on */

/* As in graph.c; depth to budget are our own, and `solved` is the share of runs that solved it. */
/* clang-format off */
const task_entry ilp_graph_tasks[ILP_GRAPH_TASKS] = {
    {{"ilp-undirected-edge", "an edge leads from x to y or from y to x",
      "undirected_edge", 2, {0, 0, 1}, 5, 10, 4, 3, false, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 1, NULL, NULL, NULL, NULL, NULL},
     &DIRECTED_GRAPH, oracle_label_linked, 1},
    {{"ilp-adjacent-to-red", "an edge leads from x to a node whose colour is red",
      "adjacent_to_red", 1, {0, 2, 2}, 7, 14, 4, 3, false, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 0.505, NULL, NULL, NULL, NULL, NULL},
     &RED_GRAPH, label_met, NODE_RED},
    {{"ilp-two-children", "edges lead from x to two nodes or more",
      "two_children", 1, {0, 0, 2}, 5, 10, 4, 3, false, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 0.95, NULL, NULL, NULL, NULL, NULL},
     &NEQ_GRAPH, label_met, NODE_EDGE},
    {{"ilp-graph-colouring", "an edge leads from x to a node of the same colour",
      "same_colour_neighbour", 1, {0, 0, 2}, 7, 14, 4, 3, false, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 0.945, NULL, NULL, NULL, NULL, NULL},
     &TWO_COLOURED_GRAPH, label_met, NODE_COLOUR},
    {{"ilp-connectedness", "a path leads from x to y",
      "connected", 2, {0, 0, 1}, 5, 10, 8, 3, true, 1e-5, 50000, 0, 3, 8, NULL, NULL, 0, "ilp", 1, NULL, NULL, NULL, NULL, NULL},
     &DIRECTED_GRAPH, oracle_label_connected, 0},
    {{"ilp-cyclic", "a path leads from x back to x",
      "cyclic", 1, {0, 0, 1}, 6, 12, 7, 3, false, 1e-5, 100000, 0, 10, 8, NULL, NULL, 0, "ilp", 1, NULL, NULL, NULL, NULL, NULL},
     &DIRECTED_GRAPH, label_cyclic, 0},
};
/* clang-format on */
