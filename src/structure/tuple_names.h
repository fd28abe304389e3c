/* Names of tuples: numbers by which tuples of different worlds are told apart as a machine does.
 *
 * A machine gives equal values to tuples that agree in all that it reads about them (their class).  A name is
 * a hash of all that: tuples with one name have one value, whatever the weights are and whichever worlds they
 * are of, unless two hashes of 64 bits are equal by chance.  Tuples with different names may have equal
 * values all the same.
 *
 *     name(0, t) = hash of the input values of t in all its orders
 *     name(i, t) = hash of name(i-1, t), of name(i-1, u) for each sub-tuple u of t that leaves one object
 * out, and of the set of name(i-1, (t, z)) over all other objects z
 *
 * of which each takes part that a unit (i, r) of the plan reads. */
#ifndef STRUCTURE_TUPLE_NAMES_H
#define STRUCTURE_TUPLE_NAMES_H

#include "plan/plan.h"
#include "world/batch.h"

typedef struct tuple_names tuple_names;

/* For the machines of a plan without a sense, which is copied. */
nlm_status tuple_names_new(const struct plan *plan, tuple_names **made, nlm_error *error);
void tuple_names_free(tuple_names *names);
/* Bytes that a world of so many objects takes. */
double tuple_names_memory(const struct plan *plan, int objects);
/* The names of the batch's first world. */
nlm_status tuple_names_ask(tuple_names *names, const nlm_batch *batch, nlm_error *error);
/* Those of the last layer, by the tuple's number (nlm_tuple_number).  Numbers that repeat an object have no
 * meaning. */
const uint64_t *tuple_names_at(const tuple_names *names, int arity);

#endif
