/* Scores, softmax and the gates of an LSTM on vectors of eight floats, compiled once per instruction set
 * (KERNEL_VARIANT names it).
 *
 * Rows are of any length: the last few numbers of a row go through a vector of their own.
 *
 * Sums are made in a fixed order for a given length, so the same call gives the same bits.  Another
 * instruction set may use fused multiply-add, and then differs in the last bits (docs/architecture.md,
 * Kernels). */
#include "baseline/smooth.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "kernel/lanes.h"

/* The first `lanes` numbers of a vector; a constant LANES makes these a plain load and store. */
INLINE vec load_some(const float *p, size_t lanes, float rest)
{
    if (lanes == LANES)
        return load(p);
    float all[LANES] = {rest, rest, rest, rest, rest, rest, rest, rest};
    memcpy(all, p, lanes * sizeof *all);
    return load(all);
}

/* Only the first `lanes` numbers are written: what follows belongs to another row. */
INLINE void store_some(float *p, size_t lanes, vec x)
{
    if (lanes == LANES) {
        store(p, x);
        return;
    }
    float all[LANES];
    store(all, x);
    memcpy(p, all, lanes * sizeof *all);
}

/* exp overflows above 88 and is denormal below -87; sigmoid and tanh are constant there.  larger and smaller
 * give the second of two numbers where one of them is no number: so clamped, a NaN stays one. */
INLINE vec clamped(vec x)
{
    return larger(splat(-87.0f), smaller(splat(87.0f), x));
}

/* sigmoid(x) = 1 / (1 + exp(-x)). */
INLINE vec bounded_sigmoid(vec x)
{
    return splat(1.0f) / (splat(1.0f) + exponential(clamped(-x)));
}

/* tanh(x) = 2 sigmoid(2x) - 1. */
INLINE vec bounded_tanh(vec x)
{
    return splat(2.0f) * bounded_sigmoid(x + x) - splat(1.0f);
}

/* A fixed order of additions: the same bits at every call. */
INLINE float sum_of(vec x)
{
    return ((x[0] + x[4]) + (x[1] + x[5])) + ((x[2] + x[6]) + (x[3] + x[7]));
}

/* ---- attention ---- */

/* `rows` rows and `vectors` vectors of columns, both constants, of which the last has `lanes`.  There are
 * twelve sums: enough to keep two multipliers busy, and with what else the loop needs they fit into sixteen
 * registers. */
struct tile {
    const float *x, *z;
    float *y;
    size_t inner, y_stride, z_stride;
    bool add;
};

/* y (+)= x z for a small tile; all sums stay in registers over the whole inner loop. */
INLINE void product_at(struct tile p, int rows, int vectors, size_t lanes)
{
    vec sum[12];
    for (int r = 0; r < rows; r++)
        for (int v = 0; v < vectors; v++)
            sum[r * vectors + v] =
                p.add ? load(p.y + (size_t)r * p.y_stride + (size_t)v * LANES) : splat(0.0f);
    for (size_t k = 0; k < p.inner; k++) {
        vec column[3];
        for (int v = 0; v < vectors; v++)
            column[v] = held(load(p.z + k * p.z_stride + (size_t)v * LANES));
        for (int r = 0; r < rows; r++) {
            vec factor = splat(p.x[(size_t)r * p.inner + k]);
            for (int v = 0; v < vectors; v++)
                sum[r * vectors + v] += factor * column[v];
        }
    }
    for (int r = 0; r < rows; r++)
        for (int v = 0; v < vectors; v++)
            store_some(p.y + (size_t)r * p.y_stride + (size_t)v * LANES, v < vectors - 1 ? LANES : lanes,
                       sum[r * vectors + v]);
}

/* Three vectors of columns at a time, then one, then the rest. */
INLINE void score_rows(struct tile p, size_t count, int rows)
{
    size_t c = 0;
    for (; c + 3 * LANES <= count; c += 3 * LANES, p.y += 3 * LANES, p.z += 3 * LANES)
        product_at(p, rows, 3, LANES);
    for (; c + LANES <= count; c += LANES, p.y += LANES, p.z += LANES)
        product_at(p, rows, 1, LANES);
    if (c < count)
        product_at(p, rows, 1, count - c);
}

/* Four rows by three vectors, and six rows by two in `reads`: twelve sums each. */
static void scores(float *y, const float *x, const float *columns, int rows, int inner, size_t count,
                   size_t stride)
{
    struct tile p = {x, columns, y, (size_t)inner, count, stride, false};
    int r = 0;
    for (; r + 4 <= rows; r += 4, p.x += 4 * p.inner, p.y += 4 * count)
        score_rows(p, count, 4);
    for (; r < rows; r++, p.x += p.inner, p.y += count)
        score_rows(p, count, 1);
}

/* Two vectors of columns at a time, six rows each. */
static void reads(float *y, const float *x, const float *z, int rows, size_t inner, int columns)
{
    size_t width = (size_t)columns;
    for (int c = 0; c < columns; c += 2 * LANES) {
        struct tile p = {x, z + c, y + c, inner, width, width, true};
        int r = 0;
        for (; r + 6 <= rows; r += 6, p.x += 6 * inner, p.y += 6 * width)
            product_at(p, 6, 2, LANES);
        for (; r < rows; r++, p.x += inner, p.y += width)
            product_at(p, 1, 2, LANES);
    }
}

/* Two running maxima hide the latency of one.  A NaN may get lost here; exponentials brings it back. */
static float largest(const float *x, size_t count, float least)
{
    vec most = splat(least), most2 = most;
    size_t i = 0;
    for (; i + 2 * LANES <= count; i += 2 * LANES) {
        most = larger(most, load(x + i));
        most2 = larger(most2, load(x + i + LANES));
    }
    for (; i + LANES <= count; i += LANES)
        most = larger(most, load(x + i));
    if (i < count)
        most = larger(most, load_some(x + i, count - i, least));
    most = larger(most, most2);
    float found = least;
    for (int l = 0; l < LANES; l++)
        found = most[l] > found ? most[l] : found;
    return found;
}

/* Below -87 exp would be denormal: there it is as good as 0, and the same for all. */
INLINE vec exponentials_at(float *x, size_t lanes, vec peak)
{
    vec y = exponential(larger(splat(-87.0f), load_some(x, lanes, -INFINITY) - peak));
    store_some(x, lanes, y);
    return y;
}

/* Two sums, for the same reason as two maxima. */
static float exponentials(float *x, size_t count, float peak)
{
    vec sum = splat(0.0f), sum2 = sum, high = splat(peak);
    size_t i = 0;
    for (; i + 2 * LANES <= count; i += 2 * LANES) {
        sum += exponentials_at(x + i, LANES, high);
        sum2 += exponentials_at(x + i + LANES, LANES, high);
    }
    for (; i + LANES <= count; i += LANES)
        sum += exponentials_at(x + i, LANES, high);
    if (i < count)
        sum += exponentials_at(x + i, count - i, high);
    return sum_of(sum + sum2);
}

/* One vector: scores to attention, gradient of the attention to that of the scores. */
INLINE void attention_back_at(float *x, float *da, size_t lanes, vec peak, vec share, vec mean)
{
    vec a = exponential(larger(splat(-87.0f), load_some(x, lanes, -INFINITY) - peak)) * share;
    store_some(x, lanes, a);
    store_some(da, lanes, a * (load_some(da, lanes, 0.0f) - mean));
}

static void attention_back(float *x, float *da, size_t count, float peak, float share, float mean)
{
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        attention_back_at(x + i, da + i, LANES, splat(peak), splat(share), splat(mean));
    if (i < count)
        attention_back_at(x + i, da + i, count - i, splat(peak), splat(share), splat(mean));
}

/* ---- the cell ---- */

/* One vector of units: gates to cell and state, as smooth.h has the formulas. */
INLINE void cell_at(float *gates, size_t width, float *cell, float *state, const float *before, size_t lanes)
{
    vec in = bounded_sigmoid(load_some(gates, lanes, 0.0f));
    vec forget = bounded_sigmoid(load_some(gates + width, lanes, 0.0f));
    vec news = bounded_tanh(load_some(gates + 2 * width, lanes, 0.0f));
    vec out = bounded_sigmoid(load_some(gates + 3 * width, lanes, 0.0f));
    vec now = in * news;
    /* without a cell before, the first round's cell is i g alone */
    if (before)
        now += forget * load_some(before, lanes, 0.0f);
    store_some(gates, lanes, in);
    store_some(gates + width, lanes, forget);
    store_some(gates + 2 * width, lanes, news);
    store_some(gates + 3 * width, lanes, out);
    store_some(cell, lanes, now);
    store_some(state, lanes, out * bounded_tanh(now));
}

/* Rows of `width` units: whole vectors, then the rest. */
static void cell(const struct smooth_cell *job)
{
    size_t width = (size_t)job->width;
    for (size_t row = 0; row < (size_t)job->rows; row++) {
        float *gates = job->gates + row * 4 * width, *now = job->cell + row * width;
        float *state = job->state + row * width;
        const float *before = job->cell_before ? job->cell_before + row * width : NULL;
        size_t i = 0;
        for (; i + LANES <= width; i += LANES)
            cell_at(gates + i, width, now + i, state + i, before ? before + i : NULL, LANES);
        if (i < width)
            cell_at(gates + i, width, now + i, state + i, before ? before + i : NULL, width - i);
    }
}

/* With s = tanh(cell):
 *     dcell += dstate o (1 - s^2)
 *     di = dcell g i (1-i)    df = dcell c f (1-f)    dg = dcell i (1 - g^2)    do = dstate s o (1-o)
 *     dcell_before = dcell f */
INLINE void cell_back_at(const struct smooth_cell_back *job, size_t row, size_t i, size_t lanes)
{
    size_t width = (size_t)job->width, at = row * width + i, gate = row * 4 * width + i;
    vec one = splat(1.0f);
    vec in = load_some(job->gates + gate, lanes, 0.0f);
    vec forget = load_some(job->gates + gate + width, lanes, 0.0f);
    vec news = load_some(job->gates + gate + 2 * width, lanes, 0.0f);
    vec out = load_some(job->gates + gate + 3 * width, lanes, 0.0f);
    vec shown = bounded_tanh(load_some(job->cell + at, lanes, 0.0f));
    vec before = job->cell_before ? load_some(job->cell_before + at, lanes, 0.0f) : splat(0.0f);
    vec dstate = load_some(job->dstate + at, lanes, 0.0f);
    vec dcell = load_some(job->dcell + at, lanes, 0.0f) + dstate * out * (one - shown * shown);
    store_some(job->dgates + gate, lanes, dcell * news * in * (one - in));
    store_some(job->dgates + gate + width, lanes, dcell * before * forget * (one - forget));
    store_some(job->dgates + gate + 2 * width, lanes, dcell * in * (one - news * news));
    store_some(job->dgates + gate + 3 * width, lanes, dstate * shown * out * (one - out));
    store_some(job->dcell + at, lanes, dcell * forget);
}

/* As `cell`: whole vectors, then the rest. */
static void cell_back(const struct smooth_cell_back *job)
{
    size_t width = (size_t)job->width;
    for (size_t row = 0; row < (size_t)job->rows; row++) {
        size_t i = 0;
        for (; i + LANES <= width; i += LANES)
            cell_back_at(job, row, i, LANES);
        if (i < width)
            cell_back_at(job, row, i, width - i);
    }
}

const struct smooth JOIN(smooth_, KERNEL_VARIANT) = {
    .scores = scores,
    .reads = reads,
    .largest = largest,
    .exponentials = exponentials,
    .attention_back = attention_back,
    .cell = cell,
    .cell_back = cell_back,
};
