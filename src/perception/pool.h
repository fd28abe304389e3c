/* One channel through normalisation, ReLU and max-pooling over squares of 2 x 2, in one visit:
 *
 *     y[i, r, c] = max(0, max over the square of scale * (x - center) + shift)
 *
 *     x [images, side, side]    y [images, side / 2, side / 2], the images `stride` floats apart
 *
 * `taken` has, for each y, which of its four x was the largest: 0..3, the first of equal ones. */
#ifndef PERCEPTION_POOL_H
#define PERCEPTION_POOL_H

#include <stddef.h>
#include <stdint.h>
#include "perception/norm.h"

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
