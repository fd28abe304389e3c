/* Directed graphs, after Evans and Grefenstette 2018.  No edge leads from a node to itself. */
#ifndef TASK_ILP_GRAPH_H
#define TASK_ILP_GRAPH_H

#include "base/random.h"
#include "nlm/world.h"

/* edge(x, y).  Then either neq(x, y): they are two; or colour(x, y): the colour of node x is y, where colours
 * are objects, perhaps with red(y) and green(y) to tell which is which. */
enum { ILP_GRAPH_EDGE, ILP_GRAPH_NEQ = 1, ILP_GRAPH_COLOUR = 1, ILP_GRAPH_RED, ILP_GRAPH_GREEN };
enum { ILP_GRAPH_PREDICATES = ILP_GRAPH_GREEN + 1 };

/* Edges are drawn independently, from 0.5 to 1.5 per node on average.  Of three objects or more the last two
 * are the colours of a coloured graph. */
nlm_status ilp_graph_generate(nlm_world *world, random_stream *random, nlm_error *error);
nlm_status ilp_graph_generate_neq(nlm_world *world, random_stream *random, nlm_error *error);
nlm_status ilp_graph_add_coloured(nlm_world *world, int objects, nlm_error *error);
nlm_status ilp_graph_generate_coloured(nlm_world *world, random_stream *random, nlm_error *error);
nlm_status ilp_graph_generate_red(nlm_world *world, random_stream *random, nlm_error *error);
/* The longest of all shortest paths. */
nlm_status ilp_graph_depth(nlm_world *world, int *depth, nlm_error *error);

/* Label the true tuples of a target by the world's facts; `unused` makes them like other oracles. */
/* An edge leads from x to y or from y to x. */
nlm_status ilp_graph_label_undirected(nlm_world *world, const int *predicates, int unused, int target,
                                      nlm_error *error);
/* An edge leads from x to a node whose colour is red. */
nlm_status ilp_graph_label_red(nlm_world *world, const int *predicates, int unused, int target,
                               nlm_error *error);
/* Edges lead from x to two nodes. */
nlm_status ilp_graph_label_two(nlm_world *world, const int *predicates, int unused, int target,
                               nlm_error *error);
/* An edge leads from x to a node of x's colour. */
nlm_status ilp_graph_label_same(nlm_world *world, const int *predicates, int unused, int target,
                                nlm_error *error);
/* A path leads from x to y.  From x to x there is no label. */
nlm_status ilp_graph_label_connected(nlm_world *world, const int *predicates, int unused, int target,
                                     nlm_error *error);
/* A path leads from x back to x. */
nlm_status ilp_graph_label_cyclic(nlm_world *world, const int *predicates, int unused, int target,
                                  nlm_error *error);

#endif
