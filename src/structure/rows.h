/* Rows of ordered tuples, laid out for loops over the last variable.
 *
 * For a partition of (r+1)-tuples and an ordered r-tuple t: an array over all objects z that holds the row of
 * (t, z).  Objects inside t have the hole's row, one past the last.
 *
 * Small worlds get one dense array of all ordered tuples, filled in one sweep over the sorted ones and kept
 * with the partition.  For large worlds that array would not fit the cache; there the rows of one t are found
 * when asked for. */
#ifndef STRUCTURE_ROWS_H
#define STRUCTURE_ROWS_H

#include "structure/structure.h"

/* Where to find the rows of (t, z).  The hole is one row past the last, orbits * (r+1)!, and never computed:
 * users skip it, or give it a value that changes no maximum or minimum. */
struct rows {
    const struct tuples *tuples;
    const struct orders *orders, *up; /* of arity r and r+1 */
    const struct partition *part;     /* of the (r+1)-tuples */
    int32_t hole;
};

/* Make the dense array of a partition, if its worlds are small or `always` is set. */
nlm_status rows_make_dense(struct nlm_structure *structure, const struct partition *part, bool always);

/* Rows of a partition; `orders` are those of arity 0, 1, ... */
struct rows rows_of_partition(const struct tuples *tuples, const struct orders *orders,
                              const struct partition *part);

/* Words of scratch for rows_of. */
size_t rows_scratch(const struct rows *rows);

/* The rows of sorted tuple t in its first `count` orders: out[p][z]. */
void rows_of(const struct rows *rows, int world, const int *t, int count, int32_t *scratch,
             const int32_t **out);

/* The rows of any ordered tuple; only if they are dense. */
static inline const int32_t *rows_at(const struct rows *rows, int world, const int *t)
{
    size_t objects = (size_t)tuples_objects(rows->tuples, world), place = 0;
    INVARIANT(rows->part->dense);
    for (int k = 0; k < rows->orders->arity; k++)
        place = place * objects + (size_t)t[k];
    return rows->part->dense + rows->part->dense_worlds[world] + place * objects;
}

#endif
