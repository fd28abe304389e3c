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

/* All values are 0 until they are initialised or filled. */
nlm_status lenet_new(struct lenet **lenet, nlm_error *error);
void lenet_free(struct lenet *lenet);

/* First values as PyTorch's defaults: a function of the seed. */
void lenet_initialise(struct lenet *lenet, uint64_t seed);
void lenet_clear_gradients(struct lenet *lenet);

#endif
