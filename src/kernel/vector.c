/* Vector kernels: the kernels of reference.c on vectors of eight floats, compiled once per instruction set
 * (KERNEL_VARIANT names it).
 *
 * Inner functions take sizes that are constants at their calls and are always inlined, so that each common
 * shape (one vector per row, arity 1 to 3) gets loops of its own. */
#include "kernel/lanes.h"

#include <math.h>
#include <string.h>

#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

INLINE vec activated(vec x, enum kernel_activation activation)
{
    if (activation == KERNEL_SIGMOID)
        return sigmoid(x);
    if (activation == KERNEL_RELU)
        return larger(x, splat(0.0f));
    return x;
}

/* ---- products ---- */

/* One vector of columns of all orders of `orbits` orbits, orders being a constant.  Every row adds up in the
 * same order, so rows that read equal values are equal to the last bit. */
INLINE void product_orbits(const struct kernel_product *job, size_t orbit, size_t p, int orbits, int count)
{
    size_t columns = (size_t)job->columns, channels = (size_t)job->channels, stride = (size_t)job->v_stride;
    float *y = job->y + orbit * (size_t)count * columns + p;
    const float *values = job->v + orbit * (size_t)count * stride, *w = job->w + p;
    vec sum[12];
    for (int i = 0; i < orbits * count; i++)
        sum[i] = job->add ? load(y + (size_t)i * columns) : splat(0.0f);
    for (int g = 0; g < count; g++) {
        const float *v[6];
        for (int a = 0; a < count; a++)
            v[a] = values + job->orders->before[g][a] * stride;
        for (size_t c = 0; c < channels; c++, w += columns) {
            vec weights = held(load(w));
            for (int a = 0; a < count; a++)
                for (int o = 0; o < orbits; o++)
                    sum[o * count + a] += splat(v[a][(size_t)(o * count) * stride + c]) * weights;
        }
    }
    for (int i = 0; i < orbits * count; i++)
        store(y + (size_t)i * columns, sum[i]);
}

/* `rows` rows of the orbit from order `a` on, `vectors` vectors from column `p` on, for any number of orders.
 */
INLINE void product_rows(const struct kernel_product *job, size_t orbit, size_t a, size_t p, int rows,
                         int vectors)
{
    size_t count = (size_t)job->orders->count, columns = (size_t)job->columns,
           channels = (size_t)job->channels;
    float *y = job->y + (orbit * count + a) * columns + p;
    const float *values = job->v + orbit * count * (size_t)job->v_stride, *w = job->w + p;
    vec sum[12];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < vectors; j++)
            sum[i * vectors + j] = job->add ? load(y + (size_t)i * columns + (size_t)j * LANES) : splat(0.0f);
    for (size_t g = 0; g < count; g++) {
        const float *v[6];
        for (int i = 0; i < rows; i++) /* with one order, rows run on into the next orbits */
            v[i] = values +
                   (count == 1 ? (size_t)i : job->orders->before[g][a + (size_t)i]) * (size_t)job->v_stride;
        for (size_t c = 0; c < channels; c++, w += columns)
            for (int j = 0; j < vectors; j++) {
                vec weights = held(load(w + (size_t)j * LANES));
                for (int i = 0; i < rows; i++)
                    sum[i * vectors + j] += splat(v[i][c]) * weights;
            }
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < vectors; j++)
            store(y + (size_t)i * columns + (size_t)j * LANES, sum[i * vectors + j]);
}

/* Orbits first..last-1, `vectors` vectors from column `p` on, `rows` rows at a time. */
INLINE void product_wide(const struct kernel_product *job, size_t first, size_t last, size_t p, int rows,
                         int vectors)
{
    size_t count = (size_t)job->orders->count;
    if (count == 1) {
        for (; first + (size_t)rows <= last; first += (size_t)rows)
            product_rows(job, first, 0, p, rows, vectors);
        for (; first < last; first++)
            product_rows(job, first, 0, p, 1, vectors);
        return;
    }
    for (; first < last; first++) {
        size_t a = 0;
        for (; a + (size_t)rows <= count; a += (size_t)rows)
            product_rows(job, first, a, p, rows, vectors);
        for (; a + 2 <= count; a += 2)
            product_rows(job, first, a, p, 2, vectors);
        for (; a < count; a++)
            product_rows(job, first, a, p, 1, vectors);
    }
}

INLINE void product_narrow(const struct kernel_product *job, size_t first, size_t last, size_t p, int orbits,
                           int count)
{
    for (; first + (size_t)orbits <= last; first += (size_t)orbits)
        product_orbits(job, first, p, orbits, count);
    for (; first < last; first++)
        product_orbits(job, first, p, 1, count);
}

static void product(const struct kernel_product *job, size_t first, size_t last)
{
    size_t columns = (size_t)job->columns, p = 0;
    int count = job->orders->count;
    for (; p + 3 * LANES <= columns; p += 3 * LANES)
        product_wide(job, first, last, p, 4, 3);
    for (; p + 2 * LANES <= columns; p += 2 * LANES)
        product_wide(job, first, last, p, 6, 2);
    for (; p < columns; p += LANES) {
        if (count == 6)
            product_narrow(job, first, last, p, 2, 6);
        else if (count == 2)
            product_narrow(job, first, last, p, 6, 2);
        else
            product_wide(job, first, last, p, 6, 1);
    }
}

/* `channels` channels times one vector of columns, over all rows. */
INLINE void outer_tile(const struct kernel_outer *job, size_t first, size_t last, size_t g, size_t c,
                       size_t p, int channels)
{
    size_t count = (size_t)job->orders->count, columns = (size_t)job->columns, stride = (size_t)job->v_stride;
    float *dw = job->dw + (g * (size_t)job->channels + c) * columns + p;
    vec sum[8];
    for (int i = 0; i < channels; i++)
        sum[i] = load(dw + (size_t)i * columns);
    const uint8_t *before = job->orders->before[g];
    for (size_t o = first; o < last; o++)
        for (size_t a = 0; a < count; a++) {
            const float *v = job->v + (o * count + before[a]) * stride + c;
            vec gradient = load(job->dy + (o * count + a) * columns + p);
            for (int i = 0; i < channels; i++)
                sum[i] += splat(v[i]) * gradient;
        }
    for (int i = 0; i < channels; i++)
        store(dw + (size_t)i * columns, sum[i]);
}

enum {
    OUTER_BLOCK = 64
}; /* rows whose values and gradients stay in the first cache while tiles pass over them */

static void outer(const struct kernel_outer *job, size_t first, size_t last)
{
    size_t step = OUTER_BLOCK / (size_t)job->orders->count + 1;
    for (size_t o = first; o < last; o += step) {
        size_t end = o + step < last ? o + step : last;
        for (size_t g = 0; g < (size_t)job->orders->count; g++)
            for (size_t p = 0; p < (size_t)job->columns; p += LANES) {
                size_t c = 0;
                for (; c + 8 <= (size_t)job->channels; c += 8)
                    outer_tile(job, o, end, g, c, p, 8);
                for (; c + 4 <= (size_t)job->channels; c += 4)
                    outer_tile(job, o, end, g, c, p, 4);
                for (; c < (size_t)job->channels; c++)
                    outer_tile(job, o, end, g, c, p, 1);
            }
    }
}

/* ---- reading and its transpose ---- */

INLINE size_t same_offset(const struct kernel_links *links, const int32_t *link, size_t o, int b, int count,
                          int shift)
{
    if (!link)
        return (o * (size_t)count + (size_t)b) * (size_t)links->width;
    size_t orbit = (size_t)(link[o] >> shift), order = (size_t)(link[o] & ((1 << shift) - 1));
    return (orbit * (size_t)count + links->orders->before[b][order]) * (size_t)links->width;
}

INLINE size_t sub_offset(const struct kernel_links *links, size_t o, int b, int k, int arity, int below_count,
                         int below_shift)
{
    const struct orders *orders = links->orders;
    int32_t code = links->sub[o * (size_t)arity + orders->order[b][k]];
    size_t orbit = (size_t)(code >> below_shift), order = (size_t)(code & ((1 << below_shift) - 1));
    size_t row = orbit * (size_t)below_count + links->below->before[orders->drop[b][k]][order];
    return (row * (size_t)arity + (size_t)k) * (size_t)links->width;
}

struct shape { /* of an arity, as constants */
    int arity, count, shift, below_count, below_shift;
};

INLINE void gather_rows(const struct kernel_gather *given, size_t first, size_t last, struct shape s,
                        int width)
{
    const struct kernel_gather copy = *given, *job = &copy; /* a copy that no store can change */
    const struct kernel_links *links = &job->links;
    for (size_t o = first; o < last; o++)
        for (int b = 0; b < s.count; b++) {
            float *out = job->out + (o * (size_t)s.count + (size_t)b) * (size_t)width;
            size_t own = job->own_table ? same_offset(links, links->own, o, b, s.count, s.shift) : 0;
            size_t range = job->range_table ? same_offset(links, links->range, o, b, s.count, s.shift) : 0;
            size_t sub[ORDERS_MAX_ARITY] = {0};
            for (int k = 0; job->sub_table && k < s.arity; k++)
                sub[k] = sub_offset(links, o, b, k, s.arity, s.below_count, s.below_shift);
            for (int h = 0; h < width; h += LANES) {
                vec pre = load(job->bias + h);
                if (job->own_table)
                    pre += load(job->own_table + own + h);
                if (job->range_table)
                    pre += load(job->range_table + range + h);
                for (int k = 0; job->sub_table && k < s.arity; k++)
                    pre += load(job->sub_table + sub[k] + h);
                store(out + h, activated(pre, job->activation));
            }
        }
}

INLINE void add_to(float *y, vec x)
{
    store(y, load(y) + x);
}

INLINE void scatter_rows(const struct kernel_scatter *given, size_t first, size_t last, struct shape s,
                         int width)
{
    const struct kernel_scatter copy = *given, *job = &copy; /* a copy that no store can change */
    const struct kernel_links *links = &job->links;
    for (size_t o = first; o < last; o++)
        for (int b = 0; b < s.count; b++) {
            const float *in = job->gradient + (o * (size_t)s.count + (size_t)b) * (size_t)width;
            size_t own = job->own_table ? same_offset(links, links->own, o, b, s.count, s.shift) : 0;
            size_t range = job->range_table ? same_offset(links, links->range, o, b, s.count, s.shift) : 0;
            size_t sub[ORDERS_MAX_ARITY] = {0};
            for (int k = 0; job->sub_table && k < s.arity; k++)
                sub[k] = sub_offset(links, o, b, k, s.arity, s.below_count, s.below_shift);
            for (int h = 0; h < width; h += LANES) {
                vec gradient = load(in + h);
                if (job->own_table)
                    add_to(job->own_table + own + h, gradient);
                if (job->range_table)
                    add_to(job->range_table + range + h, gradient);
                for (int k = 0; job->sub_table && k < s.arity; k++)
                    add_to(job->sub_table + sub[k] + h, gradient);
            }
        }
}

/* Call with the constants of the common arities. */
#define BY_SHAPE(function, job, first, last)                                                                 \
    do {                                                                                                     \
        const struct orders *orders = (job)->links.orders, *below = (job)->links.below;                      \
        bool one = (job)->links.width == LANES;                                                              \
        if (one && orders->arity == 3)                                                                       \
            function(job, first, last, (struct shape){3, 6, 3, 2, 1}, LANES);                                \
        else if (one && orders->arity == 2)                                                                  \
            function(job, first, last, (struct shape){2, 2, 1, 1, 0}, LANES);                                \
        else                                                                                                 \
            function(job, first, last,                                                                       \
                     (struct shape){orders->arity, orders->count, orders->shift, below ? below->count : 1,   \
                                    below ? below->shift : 0},                                               \
                     (job)->links.width);                                                                    \
    } while (0)

static void gather(const struct kernel_gather *job, size_t first, size_t last)
{
    BY_SHAPE(gather_rows, job, first, last);
}

static void scatter(const struct kernel_scatter *job, size_t first, size_t last)
{
    BY_SHAPE(scatter_rows, job, first, last);
}

static void map(const struct kernel_map *job, size_t first, size_t last)
{
    size_t count = (size_t)job->orders->count, columns = (size_t)job->columns;
    for (size_t o = first; o < last; o++)
        for (size_t b = 0; b < count; b++) {
            const float *x =
                job->x + orders_row(job->orders, orders_then(job->orders, job->map[o], (int)b)) * columns;
            float *y = job->y + (o * count + b) * columns;
            for (size_t h = 0; h < columns; h += LANES)
                store(y + h, load(x + h));
        }
}

static void map_back(const struct kernel_map *job, size_t first, size_t last)
{
    size_t count = (size_t)job->orders->count, columns = (size_t)job->columns;
    for (size_t o = first; o < last; o++)
        for (size_t b = 0; b < count; b++) {
            float *x =
                job->x + orders_row(job->orders, orders_then(job->orders, job->map[o], (int)b)) * columns;
            const float *y = job->y + (o * count + b) * columns;
            for (size_t h = 0; h < columns; h += LANES)
                add_to(x + h, load(y + h));
        }
}

/* ---- reductions ---- */

struct extremes {
    vec most, least;
    ivec most_at, least_at;
};

INLINE struct extremes extremes_of(vec value, int32_t at)
{
    return (struct extremes){value, value, splat_int(at), splat_int(at)};
}

/* The first of equal values stays, hence strict comparisons. */
INLINE void extremes_take(struct extremes *x, vec value, int32_t at, bool where)
{
    if (where) {
        x->most_at = choose_int(value > x->most, splat_int(at), x->most_at);
        x->least_at = choose_int(value < x->least, splat_int(at), x->least_at);
    }
    x->most = larger(value, x->most);
    x->least = smaller(value, x->least);
}

INLINE void extremes_store(const struct extremes *x, float *out, int32_t *arg, int width)
{
    store(out, x->most);
    store(out + width, x->least);
    if (arg) {
        store_int(arg, x->most_at);
        store_int(arg + width, x->least_at);
    }
}

INLINE void store_nothing(float *out, int32_t *arg, int width)
{
    struct extremes nothing = extremes_of(splat(0.0f), -1);
    nothing.least = splat(1.0f);
    extremes_store(&nothing, out, arg, width);
}

INLINE void reduce_rows(const struct kernel_reduce *job, size_t s, size_t p, int width, bool where)
{
    const uint8_t *before = job->up->before[job->up->extend[p]];
    size_t place = (s * (size_t)job->orders->count + p) * 2 * (size_t)width, count = (size_t)job->up->count;
    int32_t shift = job->up->shift, mask = job->up->mask;
    const int32_t *element = job->elements + job->start[s], *end = job->elements + job->start[s + 1];
    for (int h = 0; h < width; h += LANES) {
        int32_t *arg = where ? job->arg + place + h : NULL;
        if (element == end) {
            store_nothing(job->out + place + h, arg, width);
            continue;
        }
        struct extremes found;
        for (const int32_t *e = element; e < end; e++) {
            size_t row = (size_t)(*e >> shift) * count + before[*e & mask];
            vec value = load(job->values + row * (size_t)width + (size_t)h);
            if (e == element)
                found = extremes_of(value, (int32_t)row);
            else
                extremes_take(&found, value, (int32_t)row, where);
        }
        extremes_store(&found, job->out + place + h, arg, width);
    }
}

static void reduce(const struct kernel_reduce *job, size_t first, size_t last)
{
    for (size_t s = first; s < last; s++)
        for (size_t p = 0; p < (size_t)job->orders->count; p++) {
            if (job->width == LANES && job->arg)
                reduce_rows(job, s, p, LANES, true);
            else if (job->width == LANES)
                reduce_rows(job, s, p, LANES, false);
            else
                reduce_rows(job, s, p, job->width, job->arg != NULL);
        }
}

static void reduce_back(const struct kernel_reduce_back *job)
{
    size_t width = (size_t)job->width;
    const float *out = job->out;
    const int32_t *arg = job->arg;
    for (size_t i = 0; i < 2 * job->rows; i++, out += width, arg += width)
        for (size_t c = 0; c < width; c++)
            if (arg[c] >= 0)
                job->values[(size_t)arg[c] * width + c] += out[c];
}

INLINE void stream_columns(const struct kernel_stream *job, int h, int terms, bool where)
{
    const float *table[KERNEL_MOST_TERMS];
    const int32_t *row[KERNEL_MOST_TERMS];
    size_t stride[KERNEL_MOST_TERMS];
    for (int t = 0; t < terms; t++) {
        table[t] = job->table[t] + h;
        row[t] = job->row[t];
        stride[t] = job->stride[t];
    }
    vec base = load(job->bias + h);
    if (job->fixed)
        base += load(job->fixed + h);
    struct extremes found = extremes_of(splat(-INFINITY), 0);
    found.least = splat(INFINITY);
    for (int s = 0; s < job->segments; s++)
        for (int z = job->from[s]; z < job->to[s]; z++) {
            vec pre = base;
            for (int t = 0; t < terms; t++)
                pre += load(table[t] + (size_t)row[t][z] * stride[t]);
            extremes_take(&found, pre, z, where);
        }
    int width = job->width;
    store(job->out + h, sigmoid(found.most));
    store(job->out + h + width, sigmoid(found.least));
    if (!where)
        return;
    int32_t taken[2][LANES], *arg = job->arg + h;
    store_int(taken[0], found.most_at);
    store_int(taken[1], found.least_at);
    for (int t = 0; t < terms; t++)
        for (int half = 0; half < 2; half++)
            for (int l = 0; l < LANES; l++)
                arg[(t * 2 + half) * width + l] = row[t][taken[half][l]];
}

INLINE void stream_nothing(const struct kernel_stream *job)
{
    for (int h = 0; h < job->width; h += LANES) {
        store(job->out + h, splat(0.0f));
        store(job->out + job->width + h, splat(1.0f));
    }
    for (int a = 0; job->arg && a < job->terms * 2 * job->width; a += LANES)
        store_int(job->arg + a, splat_int(-1));
}

static void stream(const struct kernel_stream *job)
{
    if (job->segments == 0) {
        stream_nothing(job);
        return;
    }
    for (int h = 0; h < job->width; h += LANES) {
        if (job->terms == 3 && job->arg)
            stream_columns(job, h, 3, true);
        else if (job->terms == 3)
            stream_columns(job, h, 3, false);
        else if (job->terms == 2)
            stream_columns(job, h, 2, job->arg != NULL);
        else
            stream_columns(job, h, job->terms, job->arg != NULL);
    }
}

INLINE void stream_back_columns(const struct kernel_stream_back *job, int half, int h, int terms)
{
    int width = job->width, column = half * width + h;
    if (job->arg[column] < 0)
        return;
    vec value = load(job->out + column);
    vec gradient = load(job->gradient + column) * value * (splat(1.0f) - value);
    add_to(job->bias + h, gradient);
    if (job->fixed)
        add_to(job->fixed + h, gradient);
    for (int t = 0; t < terms; t++) {
        const int32_t *row = job->arg + t * 2 * width + column;
        float *table = job->table[t] + h;
        for (int l = 0; l < LANES; l++)
            table[(size_t)row[l] * job->stride[t] + (size_t)l] += gradient[l];
    }
}

static void stream_back(const struct kernel_stream_back *job)
{
    for (int half = 0; half < 2; half++)
        for (int h = 0; h < job->width; h += LANES) {
            if (job->terms == 3)
                stream_back_columns(job, half, h, 3);
            else
                stream_back_columns(job, half, h, job->terms);
        }
}

/* ---- activations and optimisers ---- */

static void activate(float *x, const float *bias, int width, enum kernel_activation activation, size_t rows)
{
    for (size_t i = 0; i < rows; i++, x += width)
        for (int h = 0; h < width; h += LANES) {
            vec pre = load(x + h);
            if (bias)
                pre += load(bias + h);
            store(x + h, activated(pre, activation));
        }
}

static void activate_back(float *gradient, const float *y, float *bias_gradient, int width,
                          enum kernel_activation activation, size_t rows)
{
    for (int h = 0; h < width; h += LANES) {
        vec sum = load(bias_gradient + h);
        for (size_t i = 0; i < rows; i++) {
            float *at = gradient + i * (size_t)width + (size_t)h;
            vec value = load(y + i * (size_t)width + (size_t)h), g = load(at);
            if (activation == KERNEL_SIGMOID)
                g *= value * (splat(1.0f) - value);
            else if (activation == KERNEL_RELU)
                g = choose(value > splat(0.0f), g, splat(0.0f));
            store(at, g);
            sum += g;
        }
        store(bias_gradient + h, sum);
    }
}

static void logistic(const float *x, float *softplus, float *probability, size_t count)
{
    for (size_t i = 0; i < count; i += LANES) {
        float logits[LANES] = {0}, terms[LANES], chances[LANES];
        size_t lanes = count - i < LANES ? count - i : LANES;
        memcpy(logits, x + i, lanes * sizeof(float));
        vec logit = load(logits), size = larger(logit, -logit);
        vec small = exponential(-smaller(size, splat(87.0f)));
        vec one = splat(1.0f);
        store(terms, log_one_plus(small));
        store(chances, choose(logit > splat(0.0f), one, small) / (one + small));
        memcpy(softplus + i, terms, lanes * sizeof(float));
        memcpy(probability + i, chances, lanes * sizeof(float));
    }
}

static void pick(float *to, const float *from, const int32_t *map, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = from[map[i]];
}

static void add(float *y, const float *x, size_t count)
{
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        add_to(y + i, load(x + i));
    for (; i < count; i++)
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

const struct kernel_table JOIN(kernel_vector_, KERNEL_VARIANT) = {
    .name = TEXT(KERNEL_VARIANT),
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
