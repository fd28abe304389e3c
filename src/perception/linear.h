/* Linear layer and its activations, for some images at a time:
 *
 *     y = x * weight^T + bias        x [images, in]    weight [out, in]    bias [out]    y [images, out] */
#ifndef PERCEPTION_LINEAR_H
#define PERCEPTION_LINEAR_H

#include <stddef.h>

struct linear {
    int in, out;
};

void linear_forward(const struct linear *l, int images, float *y, const float *x, const float *weight,
                    const float *bias);
/* Adds to dweight and dbias; overwrites dx, unless that is NULL: not wanted. */
void linear_backward(const struct linear *l, int images, float *dweight, float *dbias, float *dx,
                     const float *dy, const float *x, const float *weight);

/* y = max(0, y); its gradient, dy = dy where y > 0 and 0 elsewhere, in place. */
void relu_forward(float *y, size_t count);
void relu_backward(float *dy, const float *y, size_t count);

/* y = 1 / (1 + exp(-y)), in place; dx = dy * y * (1 - y). */
void sigmoid_forward(float *y, size_t count);
void sigmoid_backward(float *dx, const float *dy, const float *y, size_t count);

#endif
