/* Pairs of clauses of differentiable ILP: b, the mean of max(F_j, F_k) weighed by the pairs' probabilities.
 *
 * In one world many clauses conclude the same, most often nothing.  Rows of consequences that are equal are
 * of one kind, and kinds are compared instead of rows: probabilities of pairs are added up by kinds first,
 * and the gradient of a pair's probability is that of its kinds. */
#ifndef BASELINE_DILP_PAIRS_H
#define BASELINE_DILP_PAIRS_H

#include <stdint.h>
#include "base/memory.h"

/* Rows of consequences are padded with zeros to a multiple of this. */
enum { DILP_LANES = 8 };

/* The consequences of the clauses of one template, a row for each clause.
 *     kind[example[k]] = k,  values of row r = values of row example[kind[r]] */
struct dilp_rows {
    size_t count;
    float *values;    /* count x width */
    float *gradients; /* the same, or NULL if nobody asks for them */
    size_t *kinds;    /* how many there are */
    int *kind;        /* of each row */
    int *example;     /* of each kind: its first row */
};

/* Both templates of a definition.  A definition with one template has a second with a single row of zeros, so
 * that max(F, 0) = F. */
struct dilp_pairs {
    size_t width; /* of rows: atoms of the head */
    struct dilp_rows rows[2];
    const float *probability; /* of pairs of rows */
};

/* Scratch of both directions; one serves any number of definitions. */
struct dilp_room {
    buffer hash;         /* uint64_t per row */
    buffer by_kind;      /* float per kind of the first and row of the second, or the other way round */
    buffer probability;  /* float per pair of kinds */
    buffer dprobability; /* double per pair of kinds */
};

void dilp_room_free(struct dilp_room *room);
/* Room for definitions of up to `rows` rows and `pairs` pairs of rows. */
nlm_status dilp_room_reserve(struct dilp_room *room, size_t rows, size_t pairs, bool training);

/* To be called when the values have changed. */
void dilp_rows_compare(struct dilp_rows *rows, size_t width, struct dilp_room *room);

/* sum[x], `width` of them. */
void dilp_pairs_forward(float *sum, const struct dilp_pairs *pairs, struct dilp_room *room);
/* Adds to the gradients of rows and, for each pair of rows, to dprobability. */
void dilp_pairs_backward(double *dprobability, const float *dsum, const struct dilp_pairs *pairs,
                         struct dilp_room *room);

#endif
