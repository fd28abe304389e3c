/* Lists, after Evans and Grefenstette 2018: nodes that follow each other, each with a value. */
#ifndef TASK_ILP_LISTS_H
#define TASK_ILP_LISTS_H

#include "base/random.h"
#include "nlm/world.h"

/* cons(x, y): the node after x is y; value(x, y): the value of node x is y.  Where lists are measured also
 * zero(x); succ(x, y): y is x + 1. */
enum {
    ILP_LISTS_CONS,
    ILP_LISTS_VALUE,
    ILP_LISTS_PLAIN,
    ILP_LISTS_ZERO = ILP_LISTS_PLAIN,
    ILP_LISTS_SUCC,
    ILP_LISTS_PREDICATES
};

/* Two lists of random values, and of random lengths that are not too unequal.
 *
 * Plain: the empty list, nil, in which both end; a quarter of the objects are values, the rest nodes.
 * To be measured: half of the objects are numbers and half are nodes, but for nil, which is a zero like the
 * number 0; values are numbers from 1 to 3. */
nlm_status ilp_lists_add_objects(nlm_world *world, int objects, nlm_error *error);
nlm_status ilp_lists_generate(nlm_world *world, random_stream *random, nlm_error *error);
nlm_status ilp_lists_add_measured(nlm_world *world, int objects, nlm_error *error);
nlm_status ilp_lists_generate_measured(nlm_world *world, random_stream *random, nlm_error *error);
/* The length of the longest list, if it ends. */
nlm_status ilp_lists_depth(nlm_world *world, int *depth, nlm_error *error);

/* Label the true tuples of a target by the world's facts; `unused` makes them like other oracles. */
/* x is a value in the list that begins with node y. */
nlm_status ilp_lists_label_member(nlm_world *world, const int *predicates, int unused, int target,
                                  nlm_error *error);
/* The list that begins with x, a node or nil, has y nodes. */
nlm_status ilp_lists_label_length(nlm_world *world, const int *predicates, int unused, int target,
                                  nlm_error *error);

#endif
