/* Layers of the memory network (docs/maths.md, section 13).
 *
 * MLPs keep the outputs of all layers one after the other, since backward needs them: relu' is read off the
 * output.  An LSTM's gates are two matrix products, smooth.h does the rest.
 *
 * Attention takes a tile of slots at a time.
 *
 * Forward is the online softmax: with the largest score so far (peak), the sum of exp(score - peak) and the
 * weighted sum of values, a tile with a larger score first scales both sums by exp(old peak - new peak).  So
 * scores of a tile are never needed twice and no row of all scores is kept. */
#include "baseline/memnn_layers.h"

#include <math.h>
#include <string.h>
#include "kernel/kernel.h"
#include "perception/linear.h"
#include "perception/product.h"

/* Which table of smooth functions goes with which kernels. */
const struct smooth *smooth_choose(nlm_kernel kernel)
{
    static const struct smooth *const tables[KERNELS] = {KERNEL_VARIANTS(&smooth_)};
    return nlm_kernel_available(kernel) ? tables[kernel_resolve(kernel)] : NULL;
}

/* ---- MLP ---- */

/* Outputs of all layers, hidden ones included; the input is the caller's. */
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

/* x becomes the output of each layer in turn; y moves on to the place of the next. */
void mlp_forward(const struct mlp *m, int rows, float *y, const float *x, const float *values)
{
    for (int l = 0; l < m->layers; l++) {
        struct linear layer = {m->size[l], m->size[l + 1]};
        size_t count = (size_t)rows * (size_t)layer.out;
        linear_forward(&layer, rows, y, x, values + m->weight[l], values + m->bias[l]);
        if (l < m->layers - 1)
            relu_forward(y, count);
        x = y;
        y += count;
    }
}

/* From the last layer to the first: gradients of weight and bias, then of the layer's input, through ReLU.
 * `at` is where the output of layer l begins in y and dy. */
void mlp_backward(const struct mlp *m, int rows, float *gradients, float *dy, const float *y, const float *x,
                  const float *values)
{
    size_t at = (size_t)rows * (mlp_floats(m) - (size_t)m->size[m->layers]);
    for (int l = m->layers - 1; l > 0; l--) {
        struct linear layer = {m->size[l], m->size[l + 1]};
        size_t count = (size_t)rows * (size_t)layer.in, before = at - count;
        linear_backward(&layer, rows, gradients + m->weight[l], gradients + m->bias[l], dy + before, dy + at,
                        y + before, values + m->weight[l]);
        relu_backward(dy + before, y + before, count);
        at = before;
    }
    struct linear first = {m->size[0], m->size[1]}; /* its input needs no gradient */
    linear_backward(&first, rows, gradients + m->weight[0], gradients + m->bias[0], NULL, dy, x,
                    values + m->weight[0]);
}

/* ---- LSTM ---- */

/* gates = W r + U h + b, then the cell.  In the first round h and c are 0, so their products are left out. */
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

/* ---- attention ---- */

/* TOGETHER: rows whose scores are still in the first cache when they are used. */
enum { KEY = ATTENTION_KEY, VALUE = ATTENTION_VALUE, SLOTS = ATTENTION_SLOTS, TOGETHER = 12 };

size_t attention_padded(size_t slots)
{
    return (slots + SLOTS - 1) / SLOTS * SLOTS;
}

/* Slot s is column s % SLOTS of tile s / SLOTS. */
void attention_put_columns(float *columns, const float *rows, int size, size_t first, size_t count)
{
    for (size_t s = first; s < first + count; s++, rows += size) {
        float *column = columns + s / SLOTS * SLOTS * (size_t)size + s % SLOTS;
        for (int k = 0; k < size; k++)
            column[k * SLOTS] = rows[k];
    }
}

size_t attention_scratch(void)
{
    return TOGETHER * SLOTS;
}

size_t attention_back_scratch(int rows)
{
    return 2 * (size_t)rows * SLOTS;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Scores of one more tile become exp(score - peak); the sum so far is scaled if there is a new peak.  The
 * first tile finds peak = -infinity and sums of 0: exp(-infinity) = 0 scales them to 0 again. */
static void add_tile(const struct attention *a, int slots, float *score, float *read, float *peak, float *sum)
{
    float high = a->smooth->largest(score, (size_t)slots, *peak);
    if (high > *peak) {
        float scale = expf(*peak - high);
        *sum *= scale;
        for (int k = 0; k < VALUE; k++)
            read[k] *= scale;
        *peak = high;
    }
    *sum += a->smooth->exponentials(score, (size_t)slots, *peak);
}

/* `share` holds the sum of exponentials until the end, then its inverse. */
void attention_forward(const struct attention *a, int rows, float *read, float *peak, float *share,
                       const float *query, float *scratch)
{
    memset(read, 0, (size_t)rows * VALUE * sizeof *read);
    for (int r = 0; r < rows; r++) {
        peak[r] = -INFINITY;
        share[r] = 0.0f;
    }
    /* a tile of slots stays in the cache while all rows visit it */
    for (int first = 0; first < a->slots; first += SLOTS)
        for (int r = 0; r < rows; r += TOGETHER) {
            int slots = smaller(a->slots - first, SLOTS), some = smaller(rows - r, TOGETHER);
            a->smooth->scores(scratch, query + r * KEY, a->key_columns + first * KEY, some, KEY,
                              (size_t)slots, SLOTS);
            for (int i = 0; i < some; i++)
                add_tile(a, slots, scratch + i * slots, read + (r + i) * VALUE, &peak[r + i], &share[r + i]);
            a->smooth->reads(read + r * VALUE, scratch, a->values + first * VALUE, some, (size_t)slots,
                             VALUE);
        }
    for (int r = 0; a->slots && r < rows; r++) {
        share[r] = 1.0f / share[r];
        for (int k = 0; k < VALUE; k++)
            read[r * VALUE + k] *= share[r];
    }
}

/* The mean of da under the attention, without visiting the slots: sum over s of a(s) (value(s) . dread) is
 * read . dread, since read is the sum of a(s) value(s). */
static float dot(const float *x, const float *y, int count)
{
    float sum = 0.0f;
    for (int i = 0; i < count; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Attention and gradients of the scores, for some rows and the slots of one tile. */
struct tile {
    int first, slots;
    float *attention, *dscores; /* [rows, slots] */
};

/* With da = V dread:  dscore = a (da - sum over slots of a da), and that sum is dread . read. */
static void tile_back(const struct attention *a, struct tile t, int rows, float *dquery, const float *dread,
                      const float *read, const float *peak, const float *share, const float *query)
{
    size_t slots = (size_t)t.slots;
    a->smooth->scores(t.attention, query, a->key_columns + t.first * KEY, rows, KEY, slots, SLOTS);
    a->smooth->scores(t.dscores, dread, a->value_columns + t.first * VALUE, rows, VALUE, slots, SLOTS);
    for (int r = 0; r < rows; r++)
        a->smooth->attention_back(t.attention + r * t.slots, t.dscores + r * t.slots, slots, peak[r],
                                  share[r], dot(dread + r * VALUE, read + r * VALUE, VALUE));
    a->smooth->reads(dquery, t.dscores, a->keys + t.first * KEY, rows, slots, KEY);
}

/* Tile by tile; within a tile first all scores and their gradients, then dkeys and dvalues by one product
 * each. */
void attention_backward(const struct attention *a, int rows, float *dkeys, float *dvalues, float *dquery,
                        const float *dread, const float *read, const float *peak, const float *share,
                        const float *query, float *scratch)
{
    memset(dquery, 0, (size_t)rows * KEY * sizeof *dquery);
    for (int first = 0; first < a->slots; first += SLOTS) {
        int slots = smaller(a->slots - first, SLOTS);
        struct tile t = {first, slots, scratch, scratch + (size_t)rows * (size_t)slots};
        struct product to_key = {
            .rows = slots, .inner = rows, .columns = KEY, .a_transposed = true, .add = true};
        struct product to_value = {
            .rows = slots, .inner = rows, .columns = VALUE, .a_transposed = true, .add = true};
        for (int r = 0; r < rows; r += TOGETHER) {
            struct tile some = {first, slots, t.attention + r * slots, t.dscores + r * slots};
            tile_back(a, some, smaller(rows - r, TOGETHER), dquery + r * KEY, dread + r * VALUE,
                      read + r * VALUE, peak + r, share + r, query + r * KEY);
        }
        /* over all rows of the block at once: dK += dscores^T Q, dV += attention^T dread */
        product_run(to_key, t.dscores, query, dkeys + first * KEY);
        product_run(to_value, t.attention, dread, dvalues + first * VALUE);
    }
}
