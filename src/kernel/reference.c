/* Reference kernels: the definition of each, in plain C.  Kept simple for good; the vector kernels are tested
 * against them. */
#include "kernel/kernel.h"

#include <math.h>
#include <string.h>

static float sigmoid(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

/* The row of v that row (orbit, order) reads through order g. */
static size_t moved_row(const struct orders *orders, size_t orbit, int order, int g)
{
    return orbit * (size_t)orders->count + orders->times[order][g];
}

static void product(const struct kernel_product *job, size_t first, size_t last)
{
    size_t count = (size_t)job->orders->count, columns = (size_t)job->columns,
           channels = (size_t)job->channels;
    for (size_t o = first; o < last; o++)
        for (int a = 0; a < job->orders->count; a++) {
            float *y = job->y + (o * count + (size_t)a) * columns;
            if (!job->add)
                memset(y, 0, columns * sizeof *y);
            for (int g = 0; g < job->orders->count; g++) {
                const float *v = job->v + moved_row(job->orders, o, a, g) * (size_t)job->v_stride;
                const float *w = job->w + (size_t)g * channels * columns;
                for (size_t c = 0; c < channels; c++)
                    for (size_t p = 0; p < columns; p++)
                        y[p] += v[c] * w[c * columns + p];
            }
        }
}

static void outer(const struct kernel_outer *job, size_t first, size_t last)
{
    size_t count = (size_t)job->orders->count, columns = (size_t)job->columns,
           channels = (size_t)job->channels;
    for (size_t o = first; o < last; o++)
        for (int a = 0; a < job->orders->count; a++) {
            const float *dy = job->dy + (o * count + (size_t)a) * columns;
            for (int g = 0; g < job->orders->count; g++) {
                const float *v = job->v + moved_row(job->orders, o, a, g) * (size_t)job->v_stride;
                float *dw = job->dw + (size_t)g * channels * columns;
                for (size_t c = 0; c < channels; c++)
                    for (size_t p = 0; p < columns; p++)
                        dw[c * columns + p] += v[c] * dy[p];
            }
        }
}

/* Where order b of orbit o reads: offsets, in floats, into the three tables. */
static size_t same_offset(const struct kernel_links *links, const int32_t *link, size_t o, int b)
{
    const struct orders *orders = links->orders;
    int32_t code = link ? link[o] : (int32_t)(o << orders->shift);
    return orders_row(orders, orders_then(orders, code, b)) * (size_t)links->width;
}

static size_t sub_offset(const struct kernel_links *links, size_t o, int b, int k)
{
    const struct orders *orders = links->orders;
    size_t arity = (size_t)orders->arity;
    int32_t code = links->sub[o * arity + orders->order[b][k]];
    size_t row = orders_row(links->below, orders_then(links->below, code, orders->drop[b][k]));
    return (row * arity + (size_t)k) * (size_t)links->width;
}

static void add_row(float *y, const float *x, int width)
{
    for (int h = 0; h < width; h++)
        y[h] += x[h];
}

static void activate(float *x, const float *bias, int width, enum kernel_activation activation, size_t rows)
{
    for (size_t i = 0; i < rows; i++, x += width)
        for (int h = 0; h < width; h++) {
            float pre = x[h] + (bias ? bias[h] : 0.0f);
            if (activation == KERNEL_RELU)
                pre = pre > 0.0f ? pre : 0.0f;
            x[h] = activation == KERNEL_SIGMOID ? sigmoid(pre) : pre;
        }
}

static void gather(const struct kernel_gather *job, size_t first, size_t last)
{
    const struct kernel_links *links = &job->links;
    int count = links->orders->count, width = links->width;
    for (size_t o = first; o < last; o++)
        for (int b = 0; b < count; b++) {
            float *out = job->out + (o * (size_t)count + (size_t)b) * (size_t)width;
            memset(out, 0, (size_t)width * sizeof *out);
            if (job->own_table)
                add_row(out, job->own_table + same_offset(links, links->own, o, b), width);
            if (job->range_table)
                add_row(out, job->range_table + same_offset(links, links->range, o, b), width);
            for (int k = 0; job->sub_table && k < links->orders->arity; k++)
                add_row(out, job->sub_table + sub_offset(links, o, b, k), width);
            activate(out, job->bias, width, job->activation, 1);
        }
}

static void scatter(const struct kernel_scatter *job, size_t first, size_t last)
{
    const struct kernel_links *links = &job->links;
    int count = links->orders->count, width = links->width;
    for (size_t o = first; o < last; o++)
        for (int b = 0; b < count; b++) {
            const float *gradient = job->gradient + (o * (size_t)count + (size_t)b) * (size_t)width;
            if (job->own_table)
                add_row(job->own_table + same_offset(links, links->own, o, b), gradient, width);
            if (job->range_table)
                add_row(job->range_table + same_offset(links, links->range, o, b), gradient, width);
            for (int k = 0; job->sub_table && k < links->orders->arity; k++)
                add_row(job->sub_table + sub_offset(links, o, b, k), gradient, width);
        }
}

static void map(const struct kernel_map *job, size_t first, size_t last)
{
    size_t count = (size_t)job->orders->count, columns = (size_t)job->columns;
    for (size_t o = first; o < last; o++)
        for (size_t b = 0; b < count; b++)
            memcpy(job->y + (o * count + b) * columns,
                   job->x + orders_row(job->orders, orders_then(job->orders, job->map[o], (int)b)) * columns,
                   columns * sizeof(float));
}

static void map_back(const struct kernel_map *job, size_t first, size_t last)
{
    size_t count = (size_t)job->orders->count, columns = (size_t)job->columns;
    for (size_t o = first; o < last; o++)
        for (size_t b = 0; b < count; b++)
            add_row(job->x + orders_row(job->orders, orders_then(job->orders, job->map[o], (int)b)) * columns,
                    job->y + (o * count + b) * columns, job->columns);
}

/* Take a new value into a maximum and a minimum; the first of equal values stays. */
static void take(float value, int32_t at, float *out, int32_t *arg, int width, bool first)
{
    if (first || value > out[0]) {
        out[0] = value;
        if (arg)
            arg[0] = at;
    }
    if (first || value < out[width]) {
        out[width] = value;
        if (arg)
            arg[width] = at;
    }
}

static void take_nothing(float *out, int32_t *arg, int width)
{
    for (int c = 0; c < 2 * width; c++) {
        out[c] = c < width ? 0.0f : 1.0f;
        if (arg)
            arg[c] = -1;
    }
}

static void reduce(const struct kernel_reduce *job, size_t first, size_t last)
{
    size_t count = (size_t)job->orders->count, width = (size_t)job->width;
    for (size_t s = first; s < last; s++)
        for (size_t p = 0; p < count; p++) {
            size_t place = (s * count + p) * 2 * width;
            int32_t *arg = job->arg ? job->arg + place : NULL;
            take_nothing(job->out + place, arg, job->width);
            for (int32_t e = job->start[s]; e < job->start[s + 1]; e++) {
                size_t row = orders_row(job->up, orders_then(job->up, job->elements[e], job->up->extend[p]));
                for (size_t c = 0; c < width; c++)
                    take(job->values[row * width + c], (int32_t)row, job->out + place + c,
                         arg ? arg + c : NULL, job->width, e == job->start[s]);
            }
        }
}

static void reduce_back(const struct kernel_reduce_back *job)
{
    size_t width = (size_t)job->width;
    for (size_t i = 0; i < job->rows * 2 * width; i++)
        if (job->arg[i] >= 0)
            job->values[(size_t)job->arg[i] * width + i % width] += job->out[i];
}

static float stream_value(const struct kernel_stream *job, int z, int c)
{
    float pre = job->bias[c] + (job->fixed ? job->fixed[c] : 0.0f);
    for (int t = 0; t < job->terms; t++)
        pre += job->table[t][(size_t)job->row[t][z] * job->stride[t] + (size_t)c];
    return pre;
}

static void stream(const struct kernel_stream *job)
{
    for (int c = 0; c < job->width; c++) {
        float extremes[2] = {0.0f, 1.0f};
        int32_t taken[2] = {-1, -1};
        for (int s = 0; s < job->segments; s++)
            for (int z = job->from[s]; z < job->to[s]; z++)
                take(stream_value(job, z, c), z, extremes, taken, 1, taken[0] < 0);
        for (int half = 0; half < 2; half++) {
            int column = half * job->width + c;
            job->out[column] = taken[half] < 0 ? extremes[half] : sigmoid(extremes[half]);
            for (int t = 0; job->arg && t < job->terms; t++)
                job->arg[t * 2 * job->width + column] = taken[half] < 0 ? -1 : job->row[t][taken[half]];
        }
    }
}

static void stream_back(const struct kernel_stream_back *job)
{
    for (int column = 0; column < 2 * job->width; column++) {
        int c = column % job->width;
        if (job->arg[column] < 0)
            continue;
        float gradient = job->gradient[column] * job->out[column] * (1.0f - job->out[column]);
        job->bias[c] += gradient;
        if (job->fixed)
            job->fixed[c] += gradient;
        for (int t = 0; t < job->terms; t++) {
            size_t row = (size_t)job->arg[t * 2 * job->width + column];
            job->table[t][row * job->stride[t] + (size_t)c] += gradient;
        }
    }
}

static void activate_back(float *gradient, const float *y, float *bias_gradient, int width,
                          enum kernel_activation activation, size_t rows)
{
    for (size_t i = 0; i < rows; i++, gradient += width, y += width)
        for (int h = 0; h < width; h++) {
            if (activation == KERNEL_SIGMOID)
                gradient[h] *= y[h] * (1.0f - y[h]);
            else if (activation == KERNEL_RELU && y[h] <= 0.0f)
                gradient[h] = 0.0f;
            bias_gradient[h] += gradient[h];
        }
}

static void logistic(const float *x, float *softplus, float *probability, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float logit = x[i];
        softplus[i] = log1pf(expf(-fabsf(logit)));
        probability[i] = sigmoid(logit);
    }
}

static void pick(float *to, const float *from, const int32_t *map, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = from[map[i]];
}

static void add(float *y, const float *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        y[i] += x[i];
}

static void adam(const struct kernel_adam *s, float *values, const float *gradients, float *mean,
                 float *square, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mean[i] = s->beta1 * mean[i] + (1.0f - s->beta1) * gradients[i];
        square[i] = s->beta2 * square[i] + (1.0f - s->beta2) * gradients[i] * gradients[i];
        values[i] -= s->rate * (mean[i] * s->correction1) / (sqrtf(square[i] * s->correction2) + s->epsilon);
    }
}

const struct kernel_table kernel_reference = {
    .name = "reference",
    .product = product,
    .outer = outer,
    .gather = gather,
    .scatter = scatter,
    .map = map,
    .map_back = map_back,
    .reduce = reduce,
    .reduce_back = reduce_back,
    .stream = stream,
    .stream_back = stream_back,
    .activate = activate,
    .activate_back = activate_back,
    .logistic = logistic,
    .pick = pick,
    .add = add,
    .adam = adam,
};
