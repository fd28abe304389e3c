/* Attention: every query looks at all keys, and reads the values in proportion.
 *
 *     a(q, s) = exp(query(q) . key(s)) / sum over s' of exp(query(q) . key(s'))
 *     read(q) = sum over s of a(q, s) * value(s)                     0 if there are no slots
 *
 * The attention itself is never kept.  Slots are taken in tiles of ATTENTION_SLOTS, with the largest score so
 * far, the sum so far and the read so far scaled to it; the way back computes the scores again, and has the
 * attention from the largest (peak) and the inverse of the sum (share).
 *
 * Scores are made from columns: tile after tile, [ATTENTION_KEY, ATTENTION_SLOTS] each, which the last tile
 * need not fill; and so are their gradients from columns of values. */
#ifndef BASELINE_ATTENTION_H
#define BASELINE_ATTENTION_H

#include "baseline/smooth.h"

/* Numbers of a key and of a value, and slots per tile: 192 columns of 16 keys are 12 KB, well within the
 * first cache. */
enum { ATTENTION_KEY = 16, ATTENTION_VALUE = 32, ATTENTION_SLOTS = 192 };

/* The memory of one world: a key and a value for each slot, as rows and as columns.  Columns have room for
 * full tiles. */
struct attention {
    const struct smooth *smooth;
    int slots;
    const float *key_columns, *values; /* values [slots, ATTENTION_VALUE] */
    const float *keys, *value_columns; /* for the way back; keys [slots, ATTENTION_KEY] */
};

/* Slots of full tiles. */
size_t attention_padded(size_t slots);
/* Rows of keys or values, `size` numbers each, from slot `first` on, into columns. */
void attention_put_columns(float *columns, const float *rows, int size, size_t first, size_t count);

/* Floats of scratch: per call, and for backward by the number of rows. */
size_t attention_scratch(void);
size_t attention_back_scratch(int rows);

/* read [rows, ATTENTION_VALUE]    peak, share [rows]    query [rows, ATTENTION_KEY] */
void attention_forward(const struct attention *attention, int rows, float *read, float *peak, float *share,
                       const float *query, float *scratch);
/* Adds to dkeys and dvalues, overwrites dquery. */
void attention_backward(const struct attention *attention, int rows, float *dkeys, float *dvalues,
                        float *dquery, const float *dread, const float *read, const float *peak,
                        const float *share, const float *query, float *scratch);

#endif
