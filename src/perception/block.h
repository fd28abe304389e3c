/* A block of LeNet: convolution, batch normalisation, ReLU and max-pooling over squares of 2 x 2.
 *
 *     x -> convolution -> maps -> normalisation, ReLU, pooling -> features
 *
 * Images come in parts.  A part of n images has its own place in every array, laid out [channel, n, side,
 * side]; the features that a linear layer will read are [n, channel, side, side].  Normalisation needs all
 * images of a batch, so forward and backward are two steps on parts with a step on all of them in between. */
#ifndef PERCEPTION_BLOCK_H
#define PERCEPTION_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include "perception/convolution.h"
#include "perception/norm.h"

enum { BLOCK_MOST_CHANNELS = 20 };

/* Weights of a convolution, and the channels of its normalisation; the same again for gradients. */
struct block_tensors {
    float *weight; /* [to, from, 5, 5] */
    float *bias, *norm_weight, *norm_bias;
    float *running_mean, *running_variance; /* NULL for gradients */
};

/* What one part of the images tells about the channels. */
struct block_findings {
    struct norm_moments moments[BLOCK_MOST_CHANNELS];
    struct norm_sums sums[BLOCK_MOST_CHANNELS];
};

struct block {
    struct convolution conv;
    bool to_linear; /* features are [n, channel, side, side] */
    struct block_tensors values;
    const float *x;
    float *maps, *features;
    uint8_t *taken;                  /* as many as features, laid out [channel, n, side, side] */
    float *dfeatures, *dx;           /* dx NULL: not wanted */
    struct block_findings *findings; /* one per part */
    struct norm_map map[BLOCK_MOST_CHANNELS];
    struct norm_back back[BLOCK_MOST_CHANNELS];
    double measured; /* numbers per channel whose moments are in `map`; 0: running averages are */
};

struct block_part {
    int number;
    size_t first; /* image */
    int images;
};

/* Floats per image. */
size_t block_map_floats(const struct block *b);
size_t block_feature_floats(const struct block *b);

/* maps, and their moments. */
void block_convolve(struct block *b, struct block_part part, float *columns);
/* How to normalise: by the moments of so many parts, which the running averages follow, or with 0 parts by
 * the latter. */
void block_normalise(struct block *b, int parts);
/* features */
void block_pool(struct block *b, struct block_part part);

/* dfeatures lose what ReLU held back, and are summed up. */
void block_sum(struct block *b, struct block_part part);
/* Gradients of the normalisation are added to. */
void block_merge_sums(struct block *b, int parts, const struct block_tensors *gradients);
/* Adds to the gradient of the weight; dx is overwritten.  dmaps is scratch for the maps of a part. */
void block_backward(struct block *b, struct block_part part, float *dweight, float *dmaps, float *columns);

#endif
