/* Batch normalisation: moments and coefficients in double, since a batch has thousands of numbers. */
#include "perception/norm.h"

#include <math.h>

/* So many sums side by side: the compiler has vectors for them, and none gets long. */
enum { LANES = 16 };

static double add_lanes(const float *lanes)
{
    double sum = 0.0;
    for (int k = 0; k < LANES; k++)
        sum += (double)lanes[k];
    return sum;
}

/* Sum of (x - pivot)^power, power 1 or 2. */
static inline __attribute__((always_inline)) double sum_powers(const float *x, size_t count, float pivot,
                                                               int power)
{
    float lanes[LANES] = {0};
    size_t whole = count / LANES * LANES;
    for (size_t i = 0; i < whole; i += LANES)
        for (int k = 0; k < LANES; k++) {
            float d = x[i + (size_t)k] - pivot;
            lanes[k] += power == 1 ? d : d * d;
        }
    for (size_t i = whole; i < count; i++) {
        float d = x[i] - pivot;
        lanes[i - whole] += power == 1 ? d : d * d;
    }
    return add_lanes(lanes);
}

struct norm_moments norm_measure(const float *x, size_t count)
{
    if (count == 0)
        return (struct norm_moments){0};
    struct norm_moments m = {.count = (double)count};
    float pivot = x[0];
    m.mean = (double)pivot + sum_powers(x, count, pivot, 1) / m.count;
    pivot = (float)m.mean;
    double missed = m.mean - (double)pivot;
    m.square = sum_powers(x, count, pivot, 2) - m.count * missed * missed;
    return m;
}

struct norm_moments norm_merge(struct norm_moments a, struct norm_moments b)
{
    if (a.count == 0.0 || b.count == 0.0)
        return a.count == 0.0 ? b : a;
    double count = a.count + b.count, apart = b.mean - a.mean;
    return (struct norm_moments){
        .count = count,
        .mean = a.mean + apart * b.count / count,
        .square = a.square + b.square + apart * apart * a.count * b.count / count,
    };
}

struct norm_map norm_map_of(const struct norm_channel *c, double center, double variance)
{
    double inverse = 1.0 / sqrt(variance + NORM_EPSILON);
    return (struct norm_map){
        .center = (float)center,
        .inverse = (float)inverse,
        .scale = (float)((double)*c->weight * inverse),
        .shift = *c->shift,
    };
}

static void follow(float *running, double value)
{
    *running = (float)((1.0 - NORM_MOMENTUM) * (double)*running + NORM_MOMENTUM * value);
}

void norm_follow(const struct norm_channel *c, struct norm_moments moments)
{
    follow(c->running_mean, moments.mean + (double)*c->bias);
    follow(c->running_variance, fmax(moments.square, 0.0) / fmax(moments.count - 1.0, 1.0));
}

struct norm_back norm_backward(const struct norm_map *map, struct norm_sums sums, double count,
                               const struct norm_channel *gradients)
{
    double scale = (double)map->scale, inverse = (double)map->inverse;
    *gradients->shift += (float)sums.dy;
    *gradients->weight += (float)(inverse * sums.dyx);
    if (count == 0.0) {
        *gradients->bias += (float)(scale * sums.dy);
        return (struct norm_back){0};
    }
    return (struct norm_back){
        .level = (float)(-scale * sums.dy / count),
        .slope = (float)(-scale * inverse * inverse * sums.dyx / count),
    };
}

/* ---- normalisation, ReLU and max-pooling in one visit ---- */

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
