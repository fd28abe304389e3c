/* For the tests of kernels: random jobs of all shapes in arrays with guards around them.
 *
 * Exact numbers are multiples of 1/8: their products and sums are exact in float in any order, with or
 * without fused multiply-add, so that results must agree to the bit and ties are true ties. */
#ifndef TESTS_KERNEL_JOBS_H
#define TESTS_KERNEL_JOBS_H

#include <math.h>
#include "test.h"

#include "base/random.h"
#include "kernel/kernel.h"

enum { GUARD = 24, MOST_ARRAYS = 64 };

static struct orders all_orders[ORDERS_MAX_ARITY + 1];
static random_stream draws;
static bool exact;

static inline int fill_orders(void **state)
{
    (void)state;
    for (int r = 0; r <= ORDERS_MAX_ARITY; r++)
        orders_fill(&all_orders[r], r);
    return 0;
}

/* ---- arrays between guards, all freed together ---- */

static struct {
    uint32_t *block;
    size_t count;
} arrays[MOST_ARRAYS];
static int array_count;

static inline uint32_t guard_word(size_t place)
{
    return 0x42f12345u + (uint32_t)place; /* as a float about 120: added to, it changes */
}

/* `count` floats or int32s. */
static inline void *array(size_t count)
{
    uint32_t *block = malloc((count + 2 * GUARD) * sizeof *block);
    assert_non_null(block);
    assert_true(array_count < MOST_ARRAYS);
    for (size_t i = 0; i < GUARD; i++)
        block[i] = block[GUARD + count + i] = guard_word(i);
    arrays[array_count].block = block;
    arrays[array_count++].count = count;
    return block + GUARD;
}

static inline void free_arrays(const char *name)
{
    for (int a = 0; a < array_count; a++) {
        const uint32_t *before = arrays[a].block, *after = before + GUARD + arrays[a].count;
        for (size_t i = 0; i < GUARD; i++)
            if (before[i] != guard_word(i) || after[i] != guard_word(i))
                fail_msg("%s wrote outside of an array of %zu", name, arrays[a].count);
        free(arrays[a].block);
    }
    array_count = 0;
}

static inline void *copied(const void *from, size_t count)
{
    float *to = array(count);
    const float *numbers = from;
    for (size_t i = 0; i < count; i++)
        to[i] = numbers[i];
    return to;
}

/* ---- random jobs ---- */

/* Start afresh, whatever a failed test before has left. */
static inline void start_draws(uint64_t seed)
{
    random_start(&draws, seed, 0);
    array_count = 0;
}

static inline int below(int n)
{
    return (int)random_below(&draws, (uint32_t)n);
}

static inline bool coin(void)
{
    return below(2);
}

static inline float *numbers(size_t count)
{
    float *x = array(count);
    for (size_t i = 0; i < count; i++)
        x[i] = exact ? (float)(below(17) - 8) / 8.0f : random_uniform(&draws, -1.0f, 1.0f);
    return x;
}

/* From few values, so that many are equal. */
static inline float *tied_numbers(size_t count)
{
    float *x = array(count);
    for (size_t i = 0; i < count; i++)
        x[i] = (float)(below(5) - 2) / 2.0f;
    return x;
}

static inline int32_t *codes(const struct orders *orders, size_t count, size_t orbits)
{
    int32_t *x = array(count);
    for (size_t i = 0; i < count; i++)
        x[i] = below((int)orbits) << orders->shift | below(orders->count);
    return x;
}

/* Few and many orbits of an arity, and a range of them. */
struct shape {
    const struct orders *orders;
    int arity, width;
    size_t orders_count, orbits, rows, first, last;
};

static inline struct shape draw_shape(int most_arity)
{
    static const int some[] = {1, 2, 3, 5, 6, 7, 12, 13, 31, 70};
    struct shape s = {.arity = below(most_arity + 1), .width = KERNEL_LANES * (1 + below(3))};
    s.orders = &all_orders[s.arity];
    s.orders_count = (size_t)s.orders->count;
    s.orbits = (size_t)some[below(s.arity < 4 ? (int)COUNT(some) : s.arity == 4 ? 4 : 2)];
    s.rows = s.orbits * s.orders_count;
    s.last = coin() ? s.orbits : (size_t)below((int)s.orbits + 1);
    s.first = coin() ? 0 : (size_t)below((int)s.last + 1);
    return s;
}

static inline void assert_numbers(const char *name, const float *got, const float *want, size_t count,
                                  double tolerance)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabs((double)got[i] - (double)want[i]) <= tolerance))
            fail_msg("%s: number %zu of %zu is %.9g instead of %.9g", name, i, count, (double)got[i],
                     (double)want[i]);
}

/* Rounding of a sum of so many numbers up to 1. */
static inline double sum_tolerance(size_t terms)
{
    return exact ? 0.0 : 2e-7 * (double)(terms + 4);
}

static inline float *zeros(size_t count)
{
    return memset(array(count), 0, count * sizeof(float));
}

/* ---- jobs of several kernels ---- */

/* Links with or without each table; the tables have at least as many orbits as read them in order. */
struct tables {
    struct kernel_links links;
    size_t size[3];
    float *table[3]; /* own, sub, range, or NULL */
};

static inline struct tables draw_tables(const struct shape *s)
{
    size_t orbits = s->orbits + (size_t)below(4), width = (size_t)s->width, arity = (size_t)s->arity;
    struct tables t = {.links = {.orders = s->orders, .width = s->width}};
    t.links.own = coin() ? codes(s->orders, s->orbits, orbits) : NULL;
    t.links.range = coin() ? codes(s->orders, s->orbits, orbits) : NULL;
    t.size[0] = t.size[2] = orbits * s->orders_count * width;
    if (arity > 0) {
        t.links.below = &all_orders[arity - 1];
        size_t below_orbits = (size_t)(1 + below(20));
        t.links.sub = codes(t.links.below, s->orbits * arity, below_orbits);
        t.size[1] = below_orbits * (size_t)t.links.below->count * arity * width;
    }
    for (int k = 0; k < 3; k++)
        t.table[k] = t.size[k] && below(4) ? numbers(t.size[k]) : NULL;
    return t;
}

/* Ranges of 0 to 9 elements. */
static inline struct kernel_reduce draw_reduce(const struct shape *s, size_t *values)
{
    size_t orbits = (size_t)(1 + below(12));
    struct kernel_reduce job = {.orders = s->orders, .up = &all_orders[s->arity + 1], .width = s->width};
    int32_t *start = array(s->orbits + 1);
    start[0] = 0;
    for (size_t o = 0; o < s->orbits; o++)
        start[o + 1] = start[o] + (below(4) ? below(10) : 0);
    job.start = start;
    job.elements = codes(job.up, (size_t)start[s->orbits], orbits);
    *values = orbits * (size_t)job.up->count * (size_t)s->width;
    job.values = exact ? tied_numbers(*values) : numbers(*values);
    return job;
}

#endif
