/* What the weights of a machine read, predicate by predicate.
 *
 * The weights of a unit or head are a matrix: a row for each predicate that it computes, or logit.  The
 * predicates of all units are numbered, matrix by matrix; inputs have no number. */
#ifndef LEARN_WEIGHT_MAP_H
#define LEARN_WEIGHT_MAP_H

#include <stdbool.h>
#include "nlm/machine.h"

enum { WEIGHT_READS_INPUT = -1 };

struct weight_matrix {
    int rows, columns;
    int first; /* the predicate of its first row; -1 of a head */
    float *weights, *biases;
    const int *reads; /* by column: the predicate, or WEIGHT_READS_INPUT */
};

/* All matrices of a machine, which owns weights and biases: changing them through the map changes it. */
struct weight_map {
    int count, predicates;
    struct weight_matrix *matrix; /* units layer by layer, then heads */
    int *reads;                   /* of all matrices */
};

/* Of a machine without hidden layers; the map points into the machine. */
nlm_status weight_map_new(nlm_machine *machine, struct weight_map **map, nlm_error *error);
void weight_map_free(struct weight_map *map);

/* Weights that are not 0. */
size_t weight_map_left(const struct weight_map *map);
/* Which predicates some weight reads that is not 0. */
void weight_map_used(const struct weight_map *map, bool *used);

#endif
