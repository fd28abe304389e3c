/* Linear layers with ReLU between them, on some rows at a time.
 *
 *     y[0] = x,  y[l + 1] = relu(y[l] * weight[l]^T + bias[l]), the last without relu
 *
 * Values and gradients are arrays of all parameters, of which the layers know their places. */
#ifndef BASELINE_MLP_H
#define BASELINE_MLP_H

#include <stddef.h>
#include "nlm/spec.h"

/* Sizes, and places of the tensors among the parameters. */
struct mlp {
    int layers;                        /* at least 1 */
    int size[NLM_MAX_HIDDEN + 2];      /* numbers that go into each layer, and out of the last */
    size_t weight[NLM_MAX_HIDDEN + 1]; /* place of [size[l + 1], size[l]] */
    size_t bias[NLM_MAX_HIDDEN + 1];   /* place of [size[l + 1]] */
};

/* Floats per row of all outputs, which are kept one after the other: [rows, size[1]], ... */
size_t mlp_floats(const struct mlp *mlp);
/* The output of the last layer among them. */
float *mlp_output(const struct mlp *mlp, int rows, float *y);

void mlp_forward(const struct mlp *mlp, int rows, float *y, const float *x, const float *values);
/* Adds to the gradients of the parameters.  dy is laid out as y; its last part is the gradient of the output,
 * the others are overwritten. */
void mlp_backward(const struct mlp *mlp, int rows, float *gradients, float *dy, const float *y,
                  const float *x, const float *values);

#endif
