/* The inner loops of the memory network: scores, softmax and the gates of an LSTM, one table per instruction
 * set.
 *
 * smooth.c is compiled once for each, as the vector kernels are.  Numbers that are not finite go through: a
 * NaN among the scores or gates is a NaN in the result. */
#ifndef BASELINE_SMOOTH_H
#define BASELINE_SMOOTH_H

#include <stddef.h>
#include "nlm/options.h"

/* An LSTM cell on `rows` rows; gates [rows, 4, width] are i, f, g, o, in PyTorch's order:
 *     cell = sigmoid(f) * cell_before + sigmoid(i) * tanh(g)
 *     state = sigmoid(o) * tanh(cell)                                   [rows, width]
 * The gates are overwritten by their sigmoid or tanh.  cell_before is NULL for 0, and may be
 * the cell itself. */
struct smooth_cell {
    int rows, width;
    float *gates, *cell, *state;
    const float *cell_before;
};

/* Its gradient: dgates is that of the gates before sigmoid and tanh; dcell is that of the cell but for what
 * the state adds, and becomes that of cell_before. */
struct smooth_cell_back {
    int rows, width;
    const float *gates, *cell, *cell_before;
    const float *dstate;
    float *dgates, *dcell;
};

/* One table per instruction set. */
struct smooth {
    /* y[r, c] = sum over k of x[r, k] * columns[k, c], for x [rows, inner] and the first `count` columns; y
     * has no gaps, rows of columns are `stride` apart and can be read up to a multiple of eight. */
    void (*scores)(float *y, const float *x, const float *columns, int rows, int inner, size_t count,
                   size_t stride);
    /* y[r, c] += sum over s of x[r, s] * z[s, c], for x [rows, inner]; columns are a multiple of 16 */
    void (*reads)(float *y, const float *x, const float *z, int rows, size_t inner, int columns);
    float (*largest)(const float *x, size_t count, float least);
    /* x = exp(x - peak), peak being no smaller than any x; the sum of them. */
    float (*exponentials)(float *x, size_t count, float peak);
    /* Of a row of scores x with its peak and share = 1 / sum: x becomes the attention a, and da, its
     * gradient, that of the scores: a * (da - mean), where mean is the sum of all a * da. */
    void (*attention_back)(float *x, float *da, size_t count, float peak, float share, float mean);
    void (*cell)(const struct smooth_cell *job);
    void (*cell_back)(const struct smooth_cell_back *job);
};

extern const struct smooth smooth_generic;
#ifdef NLM_X86
extern const struct smooth smooth_avx2, smooth_avx512;
#endif

/* That of a choice of kernels, of which it must have vectors; NULL if this processor or build cannot run it.
 */
const struct smooth *smooth_choose(nlm_kernel kernel);

#endif
