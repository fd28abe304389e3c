/* The arithmetic of the machine: one table of kernels per instruction set.
 *
 * reference.c defines every kernel in plain C; vector.c does the same on vectors of KERNEL_LANES floats and
 * is compiled once per instruction set.  A kernel works on a range of rows or orbits, so that callers can
 * share it out; kernels of different ranges write to different places unless said otherwise.
 *
 * Tables are row-major.  Row strides and column counts are multiples of KERNEL_LANES; padding columns hold
 * finite numbers that meet zero weights.  Rows come in orbits of r! (base/orders.h). */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/orders.h"
#include "nlm/options.h"

#define KERNEL_LANES 8

static inline int kernel_pad(int columns)
{
    return (columns + KERNEL_LANES - 1) / KERNEL_LANES * KERNEL_LANES;
}

enum kernel_activation { KERNEL_LINEAR, KERNEL_RELU, KERNEL_SIGMOID };

/* y[o, a] (+)= sum over orders g of v[o, a then g] * w[g]        o: orbit, a: order of the row
 *     v [orbits * orders, v_stride], the first `channels` columns are read
 *     w [orders, channels, columns]
 *     y [orbits * orders, columns] */
struct kernel_product {
    const struct orders *orders;
    int channels, columns, v_stride;
    bool add; /* to y, or overwrite it */
    const float *v, *w;
    float *y;
};

/* dw[g] += sum over rows of v[o, a then g]^T * dy[o, a]          dw [orders, channels, columns] */
struct kernel_outer {
    const struct orders *orders;
    int channels, columns, v_stride;
    const float *v, *dy;
    float *dw;
};

/* What the rows of a unit read, for arity r, orbit o, order b:
 *     pre[o, b] = bias + own_table[own[o] then b] + range_table[range[o] then b]
 *               + sum over k of sub_table[sub[o][order[b][k]] then drop[b][k], part k]
 * A table that is NULL is left out.  own or range NULL: the code of orbit o is o itself in order 0.
 *     own_table, range_table [rows, width]    sub_table [rows, r, width] */
struct kernel_links {
    const struct orders *orders, *below; /* of arity r and r-1 (below unused if r = 0) */
    const int32_t *own, *sub, *range;
    int width;
};

struct kernel_gather {
    struct kernel_links links;
    const float *own_table, *sub_table, *range_table;
    const float *bias; /* width */
    enum kernel_activation activation;
    float *out; /* activation(pre), [orbits * orders, width] */
};

/* The transpose: every table row gets the gradients of the rows that read it.  Ranges may collide. */
struct kernel_scatter {
    struct kernel_links links;
    const float *gradient; /* of pre, [orbits * orders, width] */
    float *own_table, *sub_table, *range_table;
};

/* Rows through a map of codes: forward y[o, b] = x[map[o] then b]; backward x[...] += y[o, b]. */
struct kernel_map {
    const struct orders *orders;
    const int32_t *map;
    int columns;
    float *x, *y;
};

/* exists and forall over ranges: for orbit s of ranges of arity r and its order p, over the elements e of s
 *     out[s, p] = (max over e of values[e then p], min over e of ...)      [rows, 2 * width]
 * where p leaves the last variable of e in place.  An empty range has max 0 and min 1.
 *     arg: the row of values that was taken, -1 if none; NULL if not wanted */
struct kernel_reduce {
    const struct orders *orders, *up; /* of arity r and r+1 */
    const int32_t *start, *elements;
    int width;
    const float *values;
    float *out;
    int32_t *arg;
};

/* values[arg] += out, column by column.  Ranges of s may collide. */
struct kernel_reduce_back {
    size_t rows; /* of the range table */
    int width;
    const float *out;
    const int32_t *arg;
    float *values;
};

/* A reduction over rows that are never stored: object z, from..to-1 in each segment (none is empty), has
 *     pre[z] = bias + fixed + sum over terms t of table[t][row[t][z]]
 *     out = (sigmoid(max pre), sigmoid(min pre))                            2 * width
 *     arg: per term the rows of the z that was taken, -1 if there is none   [terms, 2 * width] */
enum { KERNEL_MOST_TERMS = ORDERS_MAX_ARITY + 2 };
struct kernel_stream {
    int segments, terms, width;
    int from[ORDERS_MAX_ARITY + 1], to[ORDERS_MAX_ARITY + 1];
    const float *bias, *fixed; /* width; fixed may be NULL */
    const float *table[KERNEL_MOST_TERMS];
    size_t stride[KERNEL_MOST_TERMS];
    const int32_t *row[KERNEL_MOST_TERMS];
    float *out;
    int32_t *arg; /* or NULL */
};

/* Its transpose: the gradient of out into tables, fixed row and bias. */
struct kernel_stream_back {
    int terms, width;
    const float *out, *gradient;
    const int32_t *arg;
    float *bias, *fixed;
    float *table[KERNEL_MOST_TERMS];
    size_t stride[KERNEL_MOST_TERMS];
};

struct kernel_adam {
    float rate, beta1, beta2, epsilon;
    float correction1, correction2; /* 1 / (1 - beta^t) */
};

struct kernel_table {
    const char *name;
    void (*product)(const struct kernel_product *job, size_t first_orbit, size_t last_orbit);
    void (*outer)(const struct kernel_outer *job, size_t first_orbit, size_t last_orbit);
    void (*gather)(const struct kernel_gather *job, size_t first_orbit, size_t last_orbit);
    void (*scatter)(const struct kernel_scatter *job, size_t first_orbit, size_t last_orbit);
    void (*map)(const struct kernel_map *job, size_t first_orbit, size_t last_orbit);
    void (*map_back)(const struct kernel_map *job, size_t first_orbit, size_t last_orbit);
    void (*reduce)(const struct kernel_reduce *job, size_t first_orbit, size_t last_orbit);
    void (*reduce_back)(const struct kernel_reduce_back *job);
    void (*stream)(const struct kernel_stream *job);
    void (*stream_back)(const struct kernel_stream_back *job);
    /* x = activation(x + bias), n rows */
    void (*activate)(float *x, const float *bias, int width, enum kernel_activation activation, size_t rows);
    /* gradient of x from that of y = activation(x), in place; sums its columns into bias_gradient */
    void (*activate_back)(float *gradient, const float *y, float *bias_gradient, int width,
                          enum kernel_activation activation, size_t rows);
    /* of logit x: softplus = log(1 + exp(-|x|)) and probability = 1 / (1 + exp(-x)); may be in place */
    void (*logistic)(const float *x, float *softplus, float *probability, size_t count);
    /* to[i] = from[map[i]] */
    void (*pick)(float *to, const float *from, const int32_t *map, size_t count);
    /* y += x, n floats */
    void (*add)(float *y, const float *x, size_t count);
    void (*adam)(const struct kernel_adam *settings, float *values, const float *gradients, float *mean,
                 float *square, size_t count);
};

extern const struct kernel_table kernel_reference;
extern const struct kernel_table kernel_vector_generic;
#ifdef NLM_X86
extern const struct kernel_table kernel_vector_avx2;
extern const struct kernel_table kernel_vector_avx512;
#endif

/* Tables of one thing for each choice: KERNEL_VARIANTS(prefix) are the rows of those that are compiled once
 * per instruction set, and named after it.  There is none for NLM_KERNEL_BEST, which stands for another. */
enum { KERNELS = NLM_KERNEL_AVX512 + 1 };

#ifdef NLM_X86
#define KERNEL_VARIANTS(prefix)                                                                              \
    [NLM_KERNEL_GENERIC] = prefix##generic, [NLM_KERNEL_AVX2] = prefix##avx2,                                \
    [NLM_KERNEL_AVX512] = prefix##avx512
#else
#define KERNEL_VARIANTS(prefix) [NLM_KERNEL_GENERIC] = prefix##generic
#endif

/* What a choice stands for: itself, or the best that this processor runs. */
nlm_kernel kernel_resolve(nlm_kernel kernel);
/* The table for a choice; NULL if this processor or build cannot run it. */
const struct kernel_table *kernel_choose(nlm_kernel kernel);

#endif
