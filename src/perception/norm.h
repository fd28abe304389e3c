/* Batch normalisation of the numbers of one channel, all images and pixels alike:
 *
 *     y = weight * (x + bias - mean) / sqrt(variance + epsilon) + shift
 *
 * The mean and variance are those of x + bias in the batch (training) or running averages (test).  `bias`
 * belongs to the convolution before: in training it cancels out, and here it costs nothing.
 *
 * As an affine map y = scale * (x - center) + shift it is applied together with the pooling.
 * Images are measured in parts, and the parts merged in their order: the bits do not depend on threads. */
#ifndef PERCEPTION_NORM_H
#define PERCEPTION_NORM_H

#include <stddef.h>
#include <stdint.h>

#define NORM_EPSILON 1e-5
#define NORM_MOMENTUM 0.1 /* share of a batch in the running averages */

/* Parameters of a channel, and its running averages. */
struct norm_channel {
    float *bias, *weight, *shift;
    float *running_mean, *running_variance;
};

struct norm_moments {
    double count, mean, square; /* square: sum of squared deviations from the mean */
};

struct norm_map {
    float center, inverse; /* inverse = 1 / sqrt(variance + epsilon) */
    float scale, shift;    /* scale = weight * inverse */
};

struct norm_moments norm_measure(const float *x, size_t count);
struct norm_moments norm_merge(struct norm_moments a, struct norm_moments b);

/* The map for numbers x with this mean and variance: of a batch, or by the running averages. */
struct norm_map norm_map_of(const struct norm_channel *c, double mean, double variance);
/* Let the running averages follow a batch; their variance is the unbiased one. */
void norm_follow(const struct norm_channel *c, struct norm_moments moments);

/* With g the gradient of y, n the count of the batch, and the sums
 *     dy = sum of g,    dyx = sum of g * (x - center)
 * the gradients are
 *     dshift = dy,    dweight = inverse * dyx
 *     test:      dbias = scale * dy,    dx = scale * g
 *     training:  dbias = 0,             dx = scale * (g - dy / n - (x - center) * inverse^2 * dyx / n)
 * that is dx = scale * g + level + slope * (x - center). */
struct norm_sums {
    double dy, dyx;
};

struct norm_back {
    float level, slope; /* 0 in tests */
};

/* `gradients` points into the gradients as the channel does into the parameters; its running averages are not
 * looked at.  count is 0 in tests. */
struct norm_back norm_backward(const struct norm_map *map, struct norm_sums sums, double count,
                               const struct norm_channel *gradients);

/* ---- pooling ----
 *
 * One channel through normalisation, ReLU and max-pooling over squares of 2 x 2, in one visit:
 *
 *     y[i, r, c] = max(0, max over the square of scale * (x - center) + shift)
 *
 *     x [images, side, side]    y [images, side / 2, side / 2], the images `stride` floats apart
 *
 * `taken` has, for each y, which of its four x was the largest: 0..3, the first of equal ones. */
struct pool {
    int images;
    int side; /* of x, even */
    size_t stride;
};

void pool_forward(const struct pool *p, const struct norm_map *map, float *y, uint8_t *taken, const float *x);

/* Backward is in two steps, since batch normalisation needs sums over all images in between.
 * First: dy becomes 0 where y is 0, and is summed up. */
struct norm_sums pool_sum(const struct pool *p, const struct norm_map *map, float *dy, const float *y,
                          const uint8_t *taken, const float *x);
/* Then: dx, overwritten. */
void pool_backward(const struct pool *p, const struct norm_map *map, const struct norm_back *back, float *dx,
                   const float *dy, const uint8_t *taken, const float *x);

#endif
