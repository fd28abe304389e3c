/* Convolution with windows of 5 x 5, without margins and without bias (batch normalisation has it, norm.h):
 *
 *     y[o, i, r, c] = sum of weight[o, k, u, v] * x[k, i, r + u, c + v] over channels k, and u, v in 0..4
 *
 *     x      [from, images, side, side]
 *     weight [to, from, 5, 5]
 *     y      [to, images, side - 4, side - 4]
 *
 * Channels come before images, so that one product does all images and a channel is contiguous. */
#ifndef PERCEPTION_CONVOLUTION_H
#define PERCEPTION_CONVOLUTION_H

#include <stddef.h>

enum { CONVOLUTION_WINDOW = 5 };

struct convolution {
    int from, to; /* channels */
    int side;     /* of x */
};

/* Side of y. */
static inline int convolution_side(const struct convolution *c)
{
    return c->side - CONVOLUTION_WINDOW + 1;
}

/* Floats of scratch that forward and backward need. */
size_t convolution_scratch(const struct convolution *c, int images);

void convolution_forward(const struct convolution *c, int images, float *y, const float *x,
                         const float *weight, float *scratch);

/* Adds to dweight; overwrites dx, unless that is NULL: not wanted. */
void convolution_backward(const struct convolution *c, int images, float *dweight, float *dx, const float *dy,
                          const float *x, const float *weight, float *scratch);

#endif
