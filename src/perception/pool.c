/* Normalisation, ReLU and max-pooling in one visit. */
#include "perception/pool.h"

/* Where tap 0..3 of a square lies, from its first x. */
static inline int tap_offset(uint8_t tap, int side)
{
    return (tap >> 1) * side + (tap & 1);
}

/* One row of squares; `x` is the upper of its two rows of x. */
static void pool_row(const struct norm_map *map, int squares, float *restrict y, uint8_t *restrict taken,
                     const float *restrict x, int side)
{
    const float center = map->center, scale = map->scale, shift = map->shift;
    for (int c = 0; c < squares; c++) {
        float v0 = scale * (x[2 * c] - center), v1 = scale * (x[2 * c + 1] - center);
        float v2 = scale * (x[side + 2 * c] - center), v3 = scale * (x[side + 2 * c + 1] - center);
        float upper = v1 > v0 ? v1 : v0, lower = v3 > v2 ? v3 : v2;
        int upper_tap = v1 > v0, lower_tap = v3 > v2, is_lower = lower > upper;
        float best = (lower > upper ? lower : upper) + shift;
        y[c] = best > 0.0f ? best : 0.0f;
        /* is_lower ? 2 + lower_tap : upper_tap, without jumps, which nobody can foresee here */
        taken[c] = (uint8_t)(2 * is_lower + (upper_tap ^ ((upper_tap ^ lower_tap) & -is_lower)));
    }
}

void pool_forward(const struct pool *p, const struct norm_map *map, float *y, uint8_t *taken, const float *x)
{
    int half = p->side / 2;
    for (int i = 0; i < p->images; i++, y += p->stride)
        for (int r = 0; r < half; r++, x += 2 * p->side, taken += half)
            pool_row(map, half, y + r * half, taken, x, p->side);
}

struct norm_sums pool_sum(const struct pool *p, const struct norm_map *map, float *dy, const float *y,
                          const uint8_t *taken, const float *x)
{
    int half = p->side / 2;
    struct norm_sums sums = {0};
    for (int i = 0; i < p->images; i++, y += p->stride, dy += p->stride)
        for (int r = 0; r < half; r++, x += 2 * p->side, taken += half)
            for (int c = 0; c < half; c++) {
                float *g = &dy[r * half + c];
                *g = y[r * half + c] > 0.0f ? *g : 0.0f;
                sums.dy += (double)*g;
                sums.dyx += (double)(*g * (x[2 * c + tap_offset(taken[c], p->side)] - map->center));
            }
    return sums;
}

void pool_backward(const struct pool *p, const struct norm_map *map, const struct norm_back *back, float *dx,
                   const float *dy, const uint8_t *taken, const float *x)
{
    int half = p->side / 2, pixels = p->side * p->side;
    for (int i = 0; i < p->images; i++, x += pixels, dx += pixels, dy += p->stride) {
        for (int k = 0; k < pixels; k++)
            dx[k] = back->level + back->slope * (x[k] - map->center);
        for (int r = 0; r < half; r++, taken += half)
            for (int c = 0; c < half; c++)
                dx[2 * r * p->side + 2 * c + tap_offset(taken[c], p->side)] += map->scale * dy[r * half + c];
    }
}
