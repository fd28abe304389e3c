/* LSTM cell: two matrix products make the gates, smooth.h does the rest (docs/maths.md, section 13). */
#include "baseline/lstm.h"

#include <string.h>
#include "perception/linear.h"
#include "perception/product.h"

/* gates = W r + U h + b, then the cell. */
void lstm_forward(const struct lstm *l, const struct smooth *smooth, int rows, struct lstm_state after,
                  float *gates, const float *input, struct lstm_state before, const float *values)
{
    struct linear from_input = {l->in, 4 * l->width};
    struct product from_state = {
        .rows = rows, .inner = l->width, .columns = 4 * l->width, .b_transposed = true, .add = true};
    struct smooth_cell cell = {rows, l->width, gates, after.cell, after.state, before.cell};
    linear_forward(&from_input, rows, gates, input, values + l->weight_input, values + l->bias);
    if (before.state)
        product_run(from_state, before.state, values + l->weight_hidden, gates);
    smooth->cell(&cell);
}

/* Gates first; from them gradients of both weights, the input and the state before. */
void lstm_backward(const struct lstm *l, const struct smooth *smooth, int rows, float *gradients,
                   struct lstm_state gradient, float *dinput, float *dgates, struct lstm_state after,
                   const float *gates, const float *input, struct lstm_state before, const float *values)
{
    struct linear from_input = {l->in, 4 * l->width};
    struct smooth_cell_back cell = {rows,        l->width,       gates,  after.cell,
                                    before.cell, gradient.state, dgates, gradient.cell};
    smooth->cell_back(&cell);
    linear_backward(&from_input, rows, gradients + l->weight_input, gradients + l->bias, dinput, dgates,
                    input, values + l->weight_input);
    /* no state before the first round: no gradient of its weights, and nobody to hand one on to */
    if (!before.state)
        return;
    struct product to_weight = {
        .rows = 4 * l->width, .inner = rows, .columns = l->width, .a_transposed = true, .add = true};
    struct product to_state = {.rows = rows, .inner = 4 * l->width, .columns = l->width};
    product_run(to_weight, dgates, before.state, gradients + l->weight_hidden);
    product_run(to_state, dgates, values + l->weight_hidden, gradient.state);
}
