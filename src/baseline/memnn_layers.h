/* Layers of the memory network: MLPs, an LSTM cell, attention.  Values and gradients are arrays of all
 * parameters, of which the layers know their places. */
#ifndef BASELINE_MEMNN_LAYERS_H
#define BASELINE_MEMNN_LAYERS_H

#include "baseline/smooth.h"
#include "nlm/spec.h"

/* ---- MLP ----
 *
 * Linear layers with ReLU between them, on some rows at a time.
 *
 *     y[0] = x,  y[l + 1] = relu(y[l] * weight[l]^T + bias[l]), the last without relu */

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

/* ---- LSTM ----
 *
 * LSTM cell: torch.nn.LSTMCell's, with one bias where that has two whose sum is all that counts.
 *
 *     gates = input * weight_input^T + state_before * weight_hidden^T + bias        i, f, g, o
 *
 * and from there as in smooth.h.  In the first round there is nothing before: cell and state are NULL. */

/* Sizes, and places of the tensors among the parameters. */
struct lstm {
    int in, width;
    size_t weight_input;  /* place of [4 * width, in] among the parameters */
    size_t weight_hidden; /* [4 * width, width] */
    size_t bias;          /* [4 * width] */
};

/* The state that a round hands on to the next one: the cell's memory and its output. */
struct lstm_state {
    float *cell, *state; /* [rows, width] */
};

/* gates [rows, 4 * width] are kept for the way back.  `after` may be `before`. */
void lstm_forward(const struct lstm *lstm, const struct smooth *smooth, int rows, struct lstm_state after,
                  float *gates, const float *input, struct lstm_state before, const float *values);

/* The gradients of after become those of before (in the first round those of the state stay as they are, and
 * those of the cell mean nothing); dinput is overwritten, dgates [rows, 4 * width] is scratch. */
void lstm_backward(const struct lstm *lstm, const struct smooth *smooth, int rows, float *gradients,
                   struct lstm_state gradient, float *dinput, float *dgates, struct lstm_state after,
                   const float *gates, const float *input, struct lstm_state before, const float *values);

/* ---- attention ----
 *
 * Attention: every query looks at all keys, and reads the values in proportion.
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
