/* Graphs: generators of undirected graphs. */
#ifndef TASK_GRAPH_H
#define TASK_GRAPH_H

#include "base/random.h"
#include "nlm/world.h"

/* The predicate has_edge, binary. */
enum { GRAPH_EDGE };

/* Edges among the objects of a world without facts, whose predicate 0 is has_edge.
 * edge: every ordered pair with probability p, then made symmetric.
 * nearest: nodes are points in the unit square; each draws a degree from 1..max(1, floor(nodes * p)) and
 * links to that many nearest nodes; then made symmetric. */
nlm_status graph_add_edges(nlm_world *world, random_stream *random, double p, nlm_error *error);
nlm_status graph_add_nearest(nlm_world *world, random_stream *random, double p, nlm_error *error);

/* Edges with a p that is drawn from [0, 0.3]. */
nlm_status graph_generate_edge(nlm_world *world, random_stream *random, nlm_error *error);

#endif
