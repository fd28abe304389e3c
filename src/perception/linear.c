/* Linear layer and its activations. */
#include "perception/linear.h"

#include <math.h>
#include <string.h>
#include "perception/product.h"

void linear_forward(const struct linear *l, int images, float *y, const float *x, const float *weight,
                    const float *bias)
{
    struct product shape = {
        .rows = images, .inner = l->in, .columns = l->out, .b_transposed = true, .add = true};
    for (int i = 0; i < images; i++)
        memcpy(y + i * l->out, bias, (size_t)l->out * sizeof *y);
    product_run(shape, x, weight, y);
}

void linear_backward(const struct linear *l, int images, float *dweight, float *dbias, float *dx,
                     const float *dy, const float *x, const float *weight)
{
    struct product to_weight = {
        .rows = l->out, .inner = images, .columns = l->in, .a_transposed = true, .add = true};
    struct product to_x = {.rows = images, .inner = l->out, .columns = l->in};
    product_run(to_weight, dy, x, dweight);
    if (dx)
        product_run(to_x, dy, weight, dx);
    for (int i = 0; i < images; i++)
        for (int k = 0; k < l->out; k++)
            dbias[k] += dy[i * l->out + k];
}

void relu_forward(float *y, size_t count)
{
    for (size_t i = 0; i < count; i++)
        y[i] = y[i] > 0.0f ? y[i] : 0.0f;
}

void relu_backward(float *dy, const float *y, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dy[i] = y[i] > 0.0f ? dy[i] : 0.0f;
}

void sigmoid_forward(float *y, size_t count)
{
    for (size_t i = 0; i < count; i++)
        y[i] = 1.0f / (1.0f + expf(-y[i]));
}

void sigmoid_backward(float *dx, const float *dy, const float *y, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dx[i] = dy[i] * y[i] * (1.0f - y[i]);
}
