/* LeNet: an image of 28 x 28 pixels becomes ten numbers in [0, 1], the unary predicates of its object.
 *
 *     convolution 5 x 5, 1 -> 10; batch normalisation; ReLU; max-pooling 2
 *     convolution 5 x 5, 10 -> 20; batch normalisation; ReLU; max-pooling 2
 *     linear 320 -> 50; ReLU; linear 50 -> 10; sigmoid
 *
 * All its numbers are one array: first the parameters, which are learned and have gradients in a parallel
 * array, then the running averages of batch normalisation, which only follow.  A tensor is a window into it,
 * with the name and shape that PyTorch would give it. */
#ifndef PERCEPTION_LENET_H
#define PERCEPTION_LENET_H

#include <stdint.h>
#include "perception/sense.h"

enum { LENET_SIDE = 28, LENET_PIXELS = LENET_SIDE * LENET_SIDE, LENET_OUTPUTS = 10 };

enum lenet_tensor_number {
    CONV1_WEIGHT,
    CONV1_BIAS,
    NORM1_WEIGHT,
    NORM1_BIAS,
    CONV2_WEIGHT,
    CONV2_BIAS,
    NORM2_WEIGHT,
    NORM2_BIAS,
    LINEAR1_WEIGHT,
    LINEAR1_BIAS,
    LINEAR2_WEIGHT,
    LINEAR2_BIAS,
    LENET_LEARNED, /* so many tensors are parameters; those after them are running averages */
    NORM1_MEAN = LENET_LEARNED,
    NORM1_VARIANCE,
    NORM2_MEAN,
    NORM2_VARIANCE,
    LENET_TENSORS
};

extern const struct sense_tensor lenet_tensors[LENET_TENSORS];

struct lenet {
    size_t offset[LENET_TENSORS + 1]; /* of each tensor in `values`; the last is the number of all values */
    size_t parameters;                /* = offset[LENET_LEARNED] */
    float *values;
    float *gradients; /* of the parameters; passes add to it */
};

/* Fill in the offsets, for one that gets its values and gradients from elsewhere. */
void lenet_lay_out(struct lenet *lenet);

/* ---- passes ----
 *
 * Images through a LeNet, forwards and backwards.
 *
 * A pass keeps its memory: a step whose number of images has been seen allocates nothing.  Images are shared
 * out among the threads of a team in parts of LENET_PART, and what the parts give is added in their order:
 * the same bits for any number of threads.  Passes of one LeNet may run side by side in tests. */
enum { LENET_PART = 8, LENET_MOST_IMAGES = 1 << 20 };

struct lenet_pass;

nlm_status lenet_pass_new(struct lenet_pass **pass, nlm_error *error);
void lenet_pass_free(struct lenet_pass *pass);

/* The team may be NULL, and is used by backward too.  Outputs of 1..LENET_MOST_IMAGES images, [count, 28,
 * 28].  In training batch normalisation takes the moments of these images, and the running averages of the
 * LeNet follow; otherwise it takes the running averages, and the LeNet stays as it is.  The images are read
 * again by backward. */
nlm_status lenet_forward(struct lenet_pass *pass, struct lenet *lenet, struct team *team, const float *images,
                         int count, bool training, nlm_error *error);
/* [count, 10], until the next forward. */
const float *lenet_outputs(const struct lenet_pass *pass);

/* Gradients of the last forward, for the gradient [count, 10] of its outputs: those of the parameters are
 * added to the LeNet's, those of the images overwrite dimages [count, 28, 28] unless that is NULL. */
nlm_status lenet_backward(struct lenet_pass *pass, const float *doutputs, float *dimages, nlm_error *error);

#endif
