/* A block of LeNet: the steps on parts, and those between them. */
#include "perception/block.h"

#include <math.h>

static size_t square(int side)
{
    return (size_t)side * (size_t)side;
}

/* Pixels of a map and of a pooled one. */
static size_t map_pixels(const struct block *b)
{
    return square(convolution_side(&b->conv));
}

static size_t pooled_pixels(const struct block *b)
{
    return map_pixels(b) / 4;
}

size_t block_map_floats(const struct block *b)
{
    return (size_t)b->conv.to * map_pixels(b);
}

size_t block_feature_floats(const struct block *b)
{
    return (size_t)b->conv.to * pooled_pixels(b);
}

static struct norm_channel channel(const struct block_tensors *t, int c)
{
    return (struct norm_channel){
        .bias = t->bias + c,
        .weight = t->norm_weight + c,
        .shift = t->norm_bias + c,
        .running_mean = t->running_mean ? t->running_mean + c : NULL,
        .running_variance = t->running_variance ? t->running_variance + c : NULL,
    };
}

/* Where a channel of a part is. */
struct place {
    struct pool pool;
    size_t map, feature, taken;
};

static struct place place_of(const struct block *b, struct block_part part, int c)
{
    size_t images = (size_t)part.images, pooled = pooled_pixels(b), k = (size_t)c;
    size_t features = part.first * block_feature_floats(b);
    return (struct place){
        .pool = {.images = part.images,
                 .side = convolution_side(&b->conv),
                 .stride = b->to_linear ? block_feature_floats(b) : pooled},
        .map = part.first * block_map_floats(b) + k * images * map_pixels(b),
        .feature = features + k * pooled * (b->to_linear ? 1 : images),
        .taken = features + k * pooled * images,
    };
}

/* What the convolution reads for one image. */
static size_t read_floats(const struct block *b)
{
    return (size_t)b->conv.from * square(b->conv.side);
}

/* ---- forward ---- */

void block_convolve(struct block *b, struct block_part part, float *columns)
{
    float *maps = b->maps + part.first * block_map_floats(b);
    size_t count = (size_t)part.images * map_pixels(b);
    convolution_forward(&b->conv, part.images, maps, b->x + part.first * read_floats(b), b->values.weight,
                        columns);
    for (int c = 0; c < b->conv.to; c++)
        b->findings[part.number].moments[c] = norm_measure(maps + (size_t)c * count, count);
}

void block_normalise(struct block *b, int parts)
{
    b->measured = 0.0;
    for (int c = 0; c < b->conv.to; c++) {
        struct norm_channel of = channel(&b->values, c);
        struct norm_moments all = {0};
        for (int part = 0; part < parts; part++)
            all = norm_merge(all, b->findings[part].moments[c]);
        if (parts == 0) {
            b->map[c] =
                norm_map_of(&of, (double)*of.running_mean - (double)*of.bias, (double)*of.running_variance);
            continue;
        }
        b->map[c] = norm_map_of(&of, all.mean, fmax(all.square, 0.0) / all.count);
        b->measured = all.count;
        norm_follow(&of, all);
    }
}

void block_pool(struct block *b, struct block_part part)
{
    for (int c = 0; c < b->conv.to; c++) {
        struct place at = place_of(b, part, c);
        pool_forward(&at.pool, &b->map[c], b->features + at.feature, b->taken + at.taken, b->maps + at.map);
    }
}

/* ---- backward ---- */

void block_sum(struct block *b, struct block_part part)
{
    for (int c = 0; c < b->conv.to; c++) {
        struct place at = place_of(b, part, c);
        b->findings[part.number].sums[c] =
            pool_sum(&at.pool, &b->map[c], b->dfeatures + at.feature, b->features + at.feature,
                     b->taken + at.taken, b->maps + at.map);
    }
}

void block_merge_sums(struct block *b, int parts, const struct block_tensors *gradients)
{
    for (int c = 0; c < b->conv.to; c++) {
        struct norm_channel of = channel(gradients, c);
        struct norm_sums all = {0};
        for (int part = 0; part < parts; part++) {
            all.dy += b->findings[part].sums[c].dy;
            all.dyx += b->findings[part].sums[c].dyx;
        }
        b->back[c] = norm_backward(&b->map[c], all, b->measured, &of);
    }
}

void block_backward(struct block *b, struct block_part part, float *dweight, float *dmaps, float *columns)
{
    size_t read = part.first * read_floats(b);
    for (int c = 0; c < b->conv.to; c++) {
        struct place at = place_of(b, part, c);
        float *dmap = dmaps + (size_t)c * (size_t)part.images * map_pixels(b);
        pool_backward(&at.pool, &b->map[c], &b->back[c], dmap, b->dfeatures + at.feature, b->taken + at.taken,
                      b->maps + at.map);
    }
    convolution_backward(&b->conv, part.images, dweight, b->dx ? b->dx + read : NULL, dmaps, b->x + read,
                         b->values.weight, columns);
}
