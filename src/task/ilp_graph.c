/* Directed graphs: one way to draw edges, two colours, and what the six tasks ask.
 *
 * The oracles read the world's facts and nothing else.  What they label is the least model of
 *
 *     undirected_edge(X,Y) :- edge(X,Y).          undirected_edge(X,Y) :- edge(Y,X).
 *     adjacent_to_red(X) :- edge(X,Y), is_red(Y).          is_red(X) :- colour(X,Y), red(Y).
 *     two_children(X) :- edge(X,Y), has_other(X,Y).        has_other(X,Y) :- edge(X,Z), neq(Z,Y).
 *     same_colour_neighbour(X) :- edge(X,Y), alike(X,Y).   alike(X,Y) :- colour(X,Z), colour(Y,Z).
 *     connected(X,Y) :- edge(X,Y).                connected(X,Y) :- edge(X,Z), connected(Z,Y).
 *     cyclic(X) :- path(X,X).   path(X,Y) :- edge(X,Y).    path(X,Y) :- edge(X,Z), path(Z,Y).
 *
 * but for connected(X,X), which the original has. */
#include "task/ilp_graph.h"

#include <stdbool.h>
#include "task/relation.h"
#include "task/walk.h"
#include "world/world.h"

/* ---- generators ---- */

enum { COLOURS = 2 };

static int colours_among(int objects)
{
    return objects > COLOURS ? COLOURS : 0;
}

static nlm_status add_edges(nlm_world *world, int nodes, random_stream *random, nlm_error *error)
{
    double per_node = 0.5 + random_unit(random);
    double p = nodes > 1 ? per_node / (nodes - 1) : 0;
    nlm_status status = NLM_OK;
    for (int x = 0; x < nodes; x++)
        for (int y = 0; y < nodes && !status; y++) {
            const int tuple[] = {x, y};
            if (x != y && random_unit(random) < p)
                status = nlm_world_add_fact(world, ILP_GRAPH_EDGE, tuple, 1, error);
        }
    return status;
}

nlm_status ilp_graph_generate(nlm_world *world, random_stream *random, nlm_error *error)
{
    return add_edges(world, nlm_world_objects(world), random, error);
}

nlm_status ilp_graph_generate_neq(nlm_world *world, random_stream *random, nlm_error *error)
{
    int nodes = nlm_world_objects(world);
    nlm_status status = ilp_graph_generate(world, random, error);
    if (!status)
        status = world_expect_facts(world, ILP_GRAPH_NEQ, (size_t)nodes * (size_t)(nodes - 1), error);
    for (int x = 0; x < nodes; x++)
        for (int y = 0; y < nodes && !status; y++) {
            const int tuple[] = {x, y};
            if (x != y)
                status = nlm_world_add_fact(world, ILP_GRAPH_NEQ, tuple, 1, error);
        }
    return status;
}

nlm_status ilp_graph_add_coloured(nlm_world *world, int objects, nlm_error *error)
{
    static const char *const names[COLOURS] = {"red", "green"};
    int colours = colours_among(objects);
    nlm_status status = nlm_world_add_objects(world, "node", objects - colours, error);
    for (int colour = 0; colour < colours && !status; colour++)
        status = nlm_world_add_object(world, names[colour], NULL, error);
    return status;
}

nlm_status ilp_graph_generate_coloured(nlm_world *world, random_stream *random, nlm_error *error)
{
    int objects = nlm_world_objects(world), colours = colours_among(objects), nodes = objects - colours;
    nlm_status status = add_edges(world, nodes, random, error);
    for (int node = 0; node < nodes && colours > 0 && !status; node++) {
        const int tuple[] = {node, nodes + (int)random_below(random, COLOURS)};
        status = nlm_world_add_fact(world, ILP_GRAPH_COLOUR, tuple, 1, error);
    }
    return status;
}

nlm_status ilp_graph_generate_red(nlm_world *world, random_stream *random, nlm_error *error)
{
    int objects = nlm_world_objects(world), colours = colours_among(objects);
    nlm_status status = ilp_graph_generate_coloured(world, random, error);
    for (int colour = 0; colour < colours && !status; colour++) {
        const int object = objects - colours + colour;
        status = nlm_world_add_fact(world, ILP_GRAPH_RED + colour, &object, 1, error);
    }
    return status;
}

nlm_status ilp_graph_depth(nlm_world *world, int *depth, nlm_error *error)
{
    const int predicate = ILP_GRAPH_EDGE;
    return walk_longest(world, &predicate, 1, depth, error);
}

/* ---- oracles ---- */

nlm_status ilp_graph_label_undirected(nlm_world *world, const int *predicates, int unused, int target,
                                      nlm_error *error)
{
    (void)unused;
    int nodes = nlm_world_objects(world);
    size_t reversed = (size_t)nodes + 1 + nlm_world_facts(world, predicates[ILP_GRAPH_EDGE], NULL, NULL);
    relation edges[2]; /* there and back */
    int *memory;
    nlm_status status = relations_read(world, &predicates[ILP_GRAPH_EDGE], 1, edges,
                                       2 * (size_t)nodes + reversed, &memory, error);
    if (status)
        return status;
    int *reached = memory, *seen = memory + nodes;
    relation_reverse(&edges[0], nodes, seen + nodes, &edges[1]);
    for (int x = 0; x < nodes && !status; x++) {
        int count = walk_step(edges, 3, &x, 1, reached, seen, x + 1);
        for (int i = 0; i < count && !status; i++)
            status = relation_label_pair(world, target, x, reached[i], error);
    }
    return status;
}

/* What the questions about one node and its neighbours need. */
typedef struct neighbourhood {
    relation edges, others; /* others: neq or colour */
    int *marked;            /* by object, zeros */
} neighbourhood;

static nlm_status read_neighbourhood(nlm_world *world, const int *predicates, neighbourhood *of,
                                     nlm_error *error)
{
    size_t objects = (size_t)nlm_world_objects(world);
    relation relations[2];
    nlm_status status = relations_read(world, predicates, 2, relations, objects, &of->marked, error);
    if (status)
        return status;
    of->edges = relations[0];
    of->others = relations[1];
    return NLM_OK;
}

/* Whether p(x, y) is true for a y that has the mark. */
static bool meets(const relation *facts, int x, const int *marked, int mark)
{
    for (int at = facts->starts[x]; at < facts->starts[x + 1]; at++)
        if (marked[facts->items[at]] == mark)
            return true;
    return false;
}

static void mark_all(const relation *facts, int x, int *marked, int mark)
{
    for (int at = facts->starts[x]; at < facts->starts[x + 1]; at++)
        marked[facts->items[at]] = mark;
}

/* Label x if one of its neighbours has one of the marked objects among its `others`. */
static nlm_status label_if_met(nlm_world *world, const neighbourhood *of, int x, int mark, int target,
                               nlm_error *error)
{
    for (int at = of->edges.starts[x]; at < of->edges.starts[x + 1]; at++)
        if (meets(&of->others, of->edges.items[at], of->marked, mark))
            return relation_label(world, target, x, error);
    return NLM_OK;
}

nlm_status ilp_graph_label_red(nlm_world *world, const int *predicates, int unused, int target,
                               nlm_error *error)
{
    (void)unused;
    neighbourhood of;
    nlm_status status = read_neighbourhood(world, predicates, &of, error);
    if (status)
        return status;
    relation_read_set(world, predicates[ILP_GRAPH_RED], of.marked);
    for (int x = 0; x < nlm_world_objects(world) && !status; x++)
        status = label_if_met(world, &of, x, 1, target, error);
    return status;
}

nlm_status ilp_graph_label_two(nlm_world *world, const int *predicates, int unused, int target,
                               nlm_error *error)
{
    (void)unused;
    neighbourhood of;
    nlm_status status = read_neighbourhood(world, predicates, &of, error);
    for (int x = 0; x < nlm_world_objects(world) && !status; x++) {
        mark_all(&of.edges, x, of.marked, x + 1);
        status = label_if_met(world, &of, x, x + 1, target, error);
    }
    return status;
}

nlm_status ilp_graph_label_same(nlm_world *world, const int *predicates, int unused, int target,
                                nlm_error *error)
{
    (void)unused;
    neighbourhood of;
    nlm_status status = read_neighbourhood(world, predicates, &of, error);
    for (int x = 0; x < nlm_world_objects(world) && !status; x++) {
        mark_all(&of.others, x, of.marked, x + 1);
        status = label_if_met(world, &of, x, x + 1, target, error);
    }
    return status;
}

nlm_status ilp_graph_label_connected(nlm_world *world, const int *predicates, int unused, int target,
                                     nlm_error *error)
{
    (void)unused;
    return walk_label_connected(world, predicates[ILP_GRAPH_EDGE], nlm_world_objects(world), target, error);
}

nlm_status ilp_graph_label_cyclic(nlm_world *world, const int *predicates, int unused, int target,
                                  nlm_error *error)
{
    (void)unused;
    int nodes = nlm_world_objects(world);
    relation edges;
    int *reached;
    nlm_status status =
        relations_read(world, &predicates[ILP_GRAPH_EDGE], 1, &edges, 3 * (size_t)nodes, &reached, error);
    if (status)
        return status;
    int *seen = reached + nodes, *marked = seen + nodes;
    for (int x = 0; x < nodes && !status; x++) {
        marked[x] = x + 1;
        int farthest, count = walk_reach(&edges, 1, x, nodes, reached, seen, &farthest);
        bool back = false;
        for (int i = 1; i < count && !back; i++)
            back = meets(&edges, reached[i], marked, x + 1);
        if (back)
            status = relation_label(world, target, x, error);
    }
    return status;
}
