/* The range of a reduction: all (t, z) for one sorted r-tuple t and every object z outside it.
 *
 * For z between t[q-1] and t[q] the sorted (r+1)-tuple has z at position q, and its index is a constant plus
 * C(z, q+1): one table look-up per z. */
#ifndef STRUCTURE_RANGE_WALK_H
#define STRUCTURE_RANGE_WALK_H

#include "base/orders.h"
#include "world/tuples.h"

/* The z's with the same position q. */
struct range_segment {
    int from, to;         /* z in from..to-1 */
    size_t base;          /* index of the sorted (r+1)-tuple = base + choose[z] */
    const size_t *choose; /* C(., q+1) */
};

static inline struct range_segment range_segment_at(const struct tuples *tuples, int world, const int *t,
                                                    int arity, int q)
{
    struct range_segment segment = {
        .from = q > 0 ? t[q - 1] + 1 : 0,
        .to = q < arity ? t[q] : tuples_objects(tuples, world),
        .base = tuples_offset(tuples, world, arity + 1),
        .choose = tuples_choose(tuples, q + 1),
    };
    for (int k = 0; k < arity; k++)
        segment.base += tuples_choose(tuples, k + (k < q ? 1 : 2))[t[k]];
    return segment;
}

/* Codes of all (t, z), z ascending; `up` are the orders of arity r+1.  Returns how many: objects - arity. */
static inline size_t range_codes(const struct tuples *tuples, int world, const int *t, int arity,
                                 const int32_t *codes, const struct orders *up, int32_t *out)
{
    size_t count = 0;
    for (int q = 0; q <= arity; q++) {
        struct range_segment segment = range_segment_at(tuples, world, t, arity, q);
        const uint8_t *before = up->before[up->last[q]];
        int32_t mask = up->mask;
        for (int z = segment.from; z < segment.to; z++) {
            int32_t code = codes[segment.base + segment.choose[z]];
            out[count++] = (code & ~mask) | before[code & mask];
        }
    }
    return count;
}

#endif
