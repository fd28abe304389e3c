/* Convolution as a product: the columns of a matrix are the windows of x,
 *
 *     columns[k, dr, dc][i, r, c] = x[k, i, r + dr, c + dc],    y = weight * columns
 *
 * A row of columns consists of pieces of rows of x, each one row of y long. */
#include "perception/convolution.h"

#include <string.h>
#include "perception/product.h"

enum { WINDOW = CONVOLUTION_WINDOW, TAPS = WINDOW * WINDOW };

size_t convolution_scratch(const struct convolution *c, int images)
{
    int out = convolution_side(c);
    return (size_t)(c->from * TAPS) * (size_t)(images * out * out);
}

/* Cut the windows out of one channel.  Inlined with constant sides, the copies are a few instructions. */
static inline __attribute__((always_inline)) void cut_channel(const float *x, int images, int side, int out,
                                                              float *columns)
{
    for (int tap = 0; tap < TAPS; tap++)
        for (int i = 0; i < images; i++) {
            const float *from = x + i * side * side + tap / WINDOW * side + tap % WINDOW;
            for (int r = 0; r < out; r++, columns += out, from += side)
                memcpy(columns, from, (size_t)out * sizeof *columns);
        }
}

/* Its transpose: every pixel gets the sum of all places that it was copied to. */
static inline __attribute__((always_inline)) void paste_channel(float *x, int images, int side, int out,
                                                                const float *columns)
{
    memset(x, 0, (size_t)(images * side * side) * sizeof *x);
    for (int tap = 0; tap < TAPS; tap++)
        for (int i = 0; i < images; i++) {
            float *to = x + i * side * side + tap / WINDOW * side + tap % WINDOW;
            for (int r = 0; r < out; r++, columns += out, to += side)
                for (int k = 0; k < out; k++)
                    to[k] += columns[k];
        }
}

static void cut(const struct convolution *c, int images, const float *x, float *columns)
{
    int out = convolution_side(c);
    for (int k = 0; k < c->from; k++) {
        if (c->side == 28)
            cut_channel(x, images, 28, 24, columns);
        else if (c->side == 12)
            cut_channel(x, images, 12, 8, columns);
        else
            cut_channel(x, images, c->side, out, columns);
        x += images * c->side * c->side;
        columns += TAPS * images * out * out;
    }
}

static void paste(const struct convolution *c, int images, float *x, const float *columns)
{
    int out = convolution_side(c);
    for (int k = 0; k < c->from; k++) {
        if (c->side == 12)
            paste_channel(x, images, 12, 8, columns);
        else
            paste_channel(x, images, c->side, out, columns);
        x += images * c->side * c->side;
        columns += TAPS * images * out * out;
    }
}

void convolution_forward(const struct convolution *c, int images, float *y, const float *x,
                         const float *weight, float *scratch)
{
    int out = convolution_side(c);
    cut(c, images, x, scratch);
    product_run((struct product){.rows = c->to, .inner = c->from * TAPS, .columns = images * out * out},
                weight, scratch, y);
}

void convolution_backward(const struct convolution *c, int images, float *dweight, float *dx, const float *dy,
                          const float *x, const float *weight, float *scratch)
{
    int out = convolution_side(c);
    struct product to_weight = {
        .rows = c->to,
        .inner = images * out * out,
        .columns = c->from * TAPS,
        .b_transposed = true,
        .add = true,
    };
    cut(c, images, x, scratch);
    product_run(to_weight, dy, scratch, dweight);
    if (!dx)
        return;
    struct product to_columns = {
        .rows = c->from * TAPS,
        .inner = c->to,
        .columns = images * out * out,
        .a_transposed = true,
    };
    product_run(to_columns, weight, dy, scratch);
    paste(c, images, dx, scratch);
}
