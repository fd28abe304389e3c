/* Number lines, after Evans and Grefenstette 2018: object k is the number k. */
#ifndef TASK_ILP_NUMBERS_H
#define TASK_ILP_NUMBERS_H

#include "base/random.h"
#include "nlm/world.h"

/* zero(x); succ(x, y): y is x + 1; plus2(x, y): y is x + 2; plus3(x, y): y is x + 3. */
enum {
    ILP_NUMBERS_ZERO,
    ILP_NUMBERS_SUCC,
    ILP_NUMBERS_PLAIN,
    ILP_NUMBERS_PLUS2 = ILP_NUMBERS_PLAIN,
    ILP_NUMBERS_PLUS3,
    ILP_NUMBERS_PREDICATES
};

/* All numbers below the number of objects: there is only one such world of each size.  Generators of zero and
 * succ alone, and of all four. */
nlm_status ilp_numbers_generate(nlm_world *world, random_stream *unused, nlm_error *error);
nlm_status ilp_numbers_generate_sums(nlm_world *world, random_stream *unused, nlm_error *error);
/* The greatest number. */
nlm_status ilp_numbers_depth(nlm_world *world, int *depth, nlm_error *error);

/* Label the true tuples of a target by the world's facts, with `unused` where there is one question only. */
/* y comes before x. */
nlm_status ilp_numbers_label_predecessor(nlm_world *world, const int *predicates, int unused, int target,
                                         nlm_error *error);
/* y is reached from x by counting on. */
nlm_status ilp_numbers_label_less(nlm_world *world, const int *predicates, int unused, int target,
                                  nlm_error *error);
/* x is a multiple of `divisor`: 2 and 3 by as many steps of succ, 5 by plus2 and plus3 in turn. */
nlm_status ilp_numbers_label_multiple(nlm_world *world, const int *predicates, int divisor, int target,
                                      nlm_error *error);

#endif
