/* Graphs: two generators of undirected graphs, colours, and what the five graph tasks ask. */
#ifndef TASK_GRAPH_H
#define TASK_GRAPH_H

#include "base/random.h"
#include "nlm/world.h"

/* has_edge is binary; the colours are unary, one of them true of every node. */
enum { GRAPH_EDGE, GRAPH_RED, GRAPH_GREEN, GRAPH_BLUE, GRAPH_YELLOW, GRAPH_PREDICATES };
enum { GRAPH_COLOURS = 4 };

/* Edges among the objects of a world without facts, whose predicate 0 is has_edge.
 * edge: every ordered pair with probability p, then made symmetric.
 * nearest: nodes are points in the unit square; each draws a degree from 1..max(1, floor(nodes * p)) and
 * links to that many nearest nodes; then made symmetric. */
nlm_status graph_add_edges(nlm_world *world, random_stream *random, double p, nlm_error *error);
nlm_status graph_add_nearest(nlm_world *world, random_stream *random, double p, nlm_error *error);
/* A random colour for every node; predicates 1..4 are the colours. */
nlm_status graph_add_colours(nlm_world *world, random_stream *random, nlm_error *error);

/* The worlds of the tasks: p is drawn from [0, 0.3] for `edge` and from [0.1, 0.3] for `nearest`. */
nlm_status graph_generate_edge(nlm_world *world, random_stream *random, nlm_error *error);
nlm_status graph_generate_coloured(nlm_world *world, random_stream *random, nlm_error *error);
nlm_status graph_generate_nearest(nlm_world *world, random_stream *random, nlm_error *error);

/* The longest of all shortest paths, in edges; predicate 0 is has_edge. */
nlm_status graph_depth(nlm_world *world, int *depth, nlm_error *error);

/* Label the true tuples of a target by the world's facts; predicates[k] is the number of predicate k in the
 * world.  Edges are followed in their direction. */
/* An edge leads from x to a red node; `unused` makes the three alike. */
nlm_status graph_label_adjacent(nlm_world *world, const int *predicates, int unused, int target,
                                nlm_error *error);
/* A path of at most `length` edges leads from x to y. */
nlm_status graph_label_connected(nlm_world *world, const int *predicates, int length, int target,
                                 nlm_error *error);
/* Exactly `degree` edges leave x. */
nlm_status graph_label_degree(nlm_world *world, const int *predicates, int degree, int target,
                              nlm_error *error);

#endif
