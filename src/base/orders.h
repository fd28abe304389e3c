/* The orders of a tuple's variables: permutations of 0..r-1, numbered lexicographically, with the tables that
 * turn reordering into look-ups.
 *
 * Notation: t_a is the tuple t in order a, t_a[k] = t[order[a][k]].  Then (t_a)_b = t_{times[a][b]}.
 *
 * A *code* names an ordered row of a table whose rows come in blocks of r! (an orbit: all orders of one
 * representative tuple): code = orbit << shift | order.  The row is orbit * r! + order. */
#ifndef BASE_ORDERS_H
#define BASE_ORDERS_H

#include <stddef.h>
#include <stdint.h>
#include "base/invariant.h"

#define ORDERS_MAX_ARITY 5
#define ORDERS_MAX 120 /* 5! */

struct orders {
    int arity;
    int count;    /* r! */
    int shift;    /* bits for an order inside a code */
    int32_t mask; /* (1 << shift) - 1 */
    uint8_t order[ORDERS_MAX][ORDERS_MAX_ARITY];
    uint8_t inverse[ORDERS_MAX];
    uint8_t times[ORDERS_MAX][ORDERS_MAX];  /* times[a][b] as above */
    uint8_t before[ORDERS_MAX][ORDERS_MAX]; /* before[b][a] = times[a][b]: for a fixed b, a table over a */
    /* t_b without its position k is (t without position order[b][k]) in order drop[b][k] of arity r-1. */
    uint8_t drop[ORDERS_MAX][ORDERS_MAX_ARITY];
    /* The order, of arity r, that turns the sorted tuple into the one whose last variable is the element at
     * sorted position q and whose others stay sorted. */
    uint8_t last[ORDERS_MAX_ARITY];
    /* Order p of arity r-1 with the last variable of arity r left in place. */
    uint8_t extend[ORDERS_MAX];
    /* Order q with t_q = (u_s, t[k]), where u is t without position k and s an order of arity r-1. */
    uint8_t drop_to_last[ORDERS_MAX_ARITY][ORDERS_MAX];
};

/* The lexicographic number of a permutation of 0..arity-1. */
int orders_number(const uint8_t *order, int arity);

/* Fill the tables of one arity, 0..ORDERS_MAX_ARITY. */
void orders_fill(struct orders *orders, int arity);

static inline size_t orders_row(const struct orders *orders, int32_t code)
{
    INVARIANT(code >= 0 && (code & orders->mask) < orders->count);
    return (size_t)(code >> orders->shift) * (size_t)orders->count + (size_t)(code & orders->mask);
}

/* The code of the same tuple in order b. */
static inline int32_t orders_then(const struct orders *orders, int32_t code, int b)
{
    INVARIANT(code >= 0 && (code & orders->mask) < orders->count && b >= 0 && b < orders->count);
    return (code & ~orders->mask) | orders->before[b][code & orders->mask];
}

#endif
