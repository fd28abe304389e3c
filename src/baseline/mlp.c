/* Linear layers with ReLU between them, on blocks of rows.
 *
 * Outputs of all layers are kept one after the other, since backward needs them: relu' is read off the
 * output. */
#include "baseline/mlp.h"

#include "perception/linear.h"
#include "perception/product.h"

size_t mlp_floats(const struct mlp *m)
{
    size_t floats = 0;
    for (int l = 0; l < m->layers; l++)
        floats += (size_t)m->size[l + 1];
    return floats;
}

float *mlp_output(const struct mlp *m, int rows, float *y)
{
    return y + (size_t)rows * (mlp_floats(m) - (size_t)m->size[m->layers]);
}

static struct linear layer_of(const struct mlp *m, int l)
{
    return (struct linear){m->size[l], m->size[l + 1]};
}

/* x becomes the output of each layer in turn; y moves on to the place of the next. */
void mlp_forward(const struct mlp *m, int rows, float *y, const float *x, const float *values)
{
    for (int l = 0; l < m->layers; l++) {
        struct linear layer = layer_of(m, l);
        size_t count = (size_t)rows * (size_t)layer.out;
        linear_forward(&layer, rows, y, x, values + m->weight[l], values + m->bias[l]);
        if (l < m->layers - 1)
            relu_forward(y, count);
        x = y;
        y += count;
    }
}

/* The first layer: its input needs no gradient. */
static void first_backward(const struct mlp *m, int rows, float *gradients, const float *dy, const float *x)
{
    struct linear layer = layer_of(m, 0);
    struct product to_weight = {
        .rows = layer.out, .inner = rows, .columns = layer.in, .a_transposed = true, .add = true};
    float *dbias = gradients + m->bias[0];
    product_run(to_weight, dy, x, gradients + m->weight[0]);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < layer.out; k++)
            dbias[k] += dy[i * layer.out + k];
}

/* `at` is where the output of layer l begins in y and dy. */
void mlp_backward(const struct mlp *m, int rows, float *gradients, float *dy, const float *y, const float *x,
                  const float *values)
{
    size_t at = (size_t)rows * (mlp_floats(m) - (size_t)m->size[m->layers]);
    for (int l = m->layers - 1; l > 0; l--) {
        struct linear layer = layer_of(m, l);
        size_t count = (size_t)rows * (size_t)layer.in, before = at - count;
        linear_backward(&layer, rows, gradients + m->weight[l], gradients + m->bias[l], dy + before, dy + at,
                        y + before, values + m->weight[l]);
        relu_backward(dy + before, y + before, count);
        at = before;
    }
    first_backward(m, rows, gradients, dy, x);
}
