/* Graphs: generators and oracles.
 *
 * The generators add an undirected edge as two facts, has_edge(x, y) and has_edge(y, x), and each fact once.
 * The oracles read the world's facts and nothing else, so that they label worlds written by hand as well. */
#include "task/graph.h"

#include <math.h>
#include <stdbool.h>
#include "task/relation.h"
#include "task/walk.h"
#include "world/world.h"

/* ---- generators ---- */

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

nlm_status graph_add_colours(nlm_world *world, random_stream *random, nlm_error *error)
{
    int nodes = nlm_world_objects(world);
    nlm_status status = NLM_OK;
    for (int node = 0; node < nodes && !status; node++) {
        int colour = GRAPH_RED + (int)random_below(random, GRAPH_COLOURS);
        status = nlm_world_add_fact(world, colour, &node, 1, error);
    }
    return status;
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

nlm_status graph_generate_coloured(nlm_world *world, random_stream *random, nlm_error *error)
{
    nlm_status status = graph_generate_edge(world, random, error);
    return status ? status : graph_add_colours(world, random, error);
}

nlm_status graph_generate_nearest(nlm_world *world, random_stream *random, nlm_error *error)
{
    return graph_add_nearest(world, random, draw_p(random, 0.1, 0.3), error);
}

/* ---- oracles ---- */

nlm_status graph_label_adjacent(nlm_world *world, const int *predicates, int unused, int target,
                                nlm_error *error)
{
    (void)unused;
    int nodes = nlm_world_objects(world);
    relation edges;
    int *red;
    nlm_status status = relations_read(world, &predicates[GRAPH_EDGE], 1, &edges, (size_t)nodes, &red, error);
    if (status)
        return status;
    relation_read_set(world, predicates[GRAPH_RED], red);
    for (int x = 0; x < nodes && !status; x++)
        for (int at = edges.starts[x]; at < edges.starts[x + 1]; at++)
            if (red[edges.items[at]]) {
                status = relation_label(world, target, x, error);
                break;
            }
    return status;
}

nlm_status graph_label_connected(nlm_world *world, const int *predicates, int length, int target,
                                 nlm_error *error)
{
    return walk_label_connected(world, predicates[GRAPH_EDGE], length, target, error);
}

nlm_status graph_label_degree(nlm_world *world, const int *predicates, int degree, int target,
                              nlm_error *error)
{
    int nodes = nlm_world_objects(world);
    relation edges;
    int *spare;
    nlm_status status = relations_read(world, &predicates[GRAPH_EDGE], 1, &edges, 0, &spare, error);
    for (int x = 0; x < nodes && !status; x++)
        if (edges.starts[x + 1] - edges.starts[x] == degree)
            status = relation_label(world, target, x, error);
    return status;
}

/* ---- depth ---- */

nlm_status graph_depth(nlm_world *world, int *depth, nlm_error *error)
{
    const int predicate = GRAPH_EDGE;
    return walk_longest(world, &predicate, 1, depth, error);
}
