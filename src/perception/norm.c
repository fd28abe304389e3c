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

static struct norm_map make_map(const struct norm_channel *c, double center, double variance)
{
    double inverse = 1.0 / sqrt(variance + NORM_EPSILON);
    return (struct norm_map){
        .center = (float)center,
        .inverse = (float)inverse,
        .scale = (float)((double)*c->weight * inverse),
        .shift = *c->shift,
    };
}

struct norm_map norm_batch_map(const struct norm_channel *c, struct norm_moments moments)
{
    return make_map(c, moments.mean, fmax(moments.square, 0.0) / moments.count);
}

struct norm_map norm_running_map(const struct norm_channel *c)
{
    return make_map(c, (double)*c->running_mean - (double)*c->bias, (double)*c->running_variance);
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
