/* The truth of a program's formulas about single tuples of one world, of any size.
 *
 * Where tables of bits (truth.h) would have a bit for each of 10^9 triples, a formula is asked about one
 * tuple at a time, and `exists Z` tries only objects that a fact allows: in parent(X, Z), parent(Z, Y) the
 * parents of X.  Answers about parts with one or two variables are kept.  So programs whose quantified
 * variables stand in facts take time in the number of tuples asked, and others are right too, only slower. */
#ifndef LOGIC_TUPLE_TRUTH_H
#define LOGIC_TUPLE_TRUTH_H

#include "logic/program.h"

typedef struct tuple_truth tuple_truth;

enum { TUPLE_TRUTH_OBJECTS = 200 }; /* worlds of so many are better asked tuple by tuple */

/* Inputs are found by name and arity, or are false everywhere.  Program and world must outlive it, and the
 * program's store must not change; the world's facts are copied. */
nlm_status tuple_truth_new(const nlm_program *program, const nlm_world *world, tuple_truth **made,
                           nlm_error *error);
void tuple_truth_free(tuple_truth *of);

/* f, whose free variables are among 0, 1, ..., where variable i is tuple[i]. */
nlm_status tuple_truth_ask(tuple_truth *of, formula f, const int *tuple, bool *holds, nlm_error *error);
/* f for every tuple of different objects, 1 or 0, [objects]^arity by number; 0 for all others. */
nlm_status tuple_truth_values(tuple_truth *of, formula f, int arity, signed char *values, nlm_error *error);

#endif
