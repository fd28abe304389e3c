/* LSTM cell: torch.nn.LSTMCell's, with one bias where that has two whose sum is all that counts.
 *
 *     gates = input * weight_input^T + state_before * weight_hidden^T + bias        i, f, g, o
 *
 * and from there as in smooth.h.  In the first round there is nothing before: cell and state are NULL. */
#ifndef BASELINE_LSTM_H
#define BASELINE_LSTM_H

#include "baseline/smooth.h"

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

#endif
