/* Images through a LeNet: stages, each shared out by parts of the images.
 *
 *     forward    convolve_first     first block up to its convolution
 *                convolve_second    rest of the first, second up to its convolution
 *                conclude           rest of the second, linear layers
 *     backward   conclude_back, convolve_second_back, convolve_first_back
 *
 * Between stages the calling thread merges, in the order of the parts, what normalisation needs of all
 * images.  Each part adds up its own gradients of the weights; at the end they are added in order. */
#include "perception/lenet_pass.h"

#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "perception/block.h"
#include "perception/linear.h"

enum { FEATURES = 320, HIDDEN = 50 };

static const struct block first_block = {.conv = {.from = 1, .to = 10, .side = LENET_SIDE}};
static const struct block second_block = {.conv = {.from = 10, .to = 20, .side = 12}, .to_linear = true};
static const struct linear linear1 = {FEATURES, HIDDEN};
static const struct linear linear2 = {HIDDEN, LENET_OUTPUTS};

struct lenet_pass {
    struct team *team;   /* of the last forward, and ... */
    struct lenet *lenet; /* ... of the last forward; NULL if there is none to go back through */
    int count, parts;
    struct block first, second;
    float *hidden, *outputs; /* [count, ...] */
    float *dhidden, *dlogits;
    const float *doutputs;
    buffer values, taken, findings;
    buffer gradients;      /* of values */
    buffer part_gradients; /* of the parameters, one set per part */
    buffer scratch;        /* per thread: maps of a part, columns of a convolution */
};

nlm_status lenet_pass_new(struct lenet_pass **made, nlm_error *error)
{
    struct lenet_pass *p = memory_new(1, sizeof *p);
    *made = p;
    if (!p)
        return error_no_memory(error);
    p->first = first_block;
    p->second = second_block;
    return NLM_OK;
}

void lenet_pass_free(struct lenet_pass *p)
{
    if (!p)
        return;
    buffer_free(&p->values);
    buffer_free(&p->taken);
    buffer_free(&p->findings);
    buffer_free(&p->gradients);
    buffer_free(&p->part_gradients);
    buffer_free(&p->scratch);
    memory_free(p);
}

const float *lenet_outputs(const struct lenet_pass *p)
{
    return p->outputs;
}

/* ---- places ---- */

static struct block_part part_of(const struct lenet_pass *p, int number)
{
    int first = number * LENET_PART, left = p->count - first;
    return (struct block_part){number, (size_t)first, left < LENET_PART ? left : LENET_PART};
}

static float *value(const struct lenet_pass *p, enum lenet_tensor_number tensor)
{
    return p->lenet->values + p->lenet->offset[tensor];
}

/* Where a part adds up the gradient of a tensor. */
static float *gradient(const struct lenet_pass *p, int part, enum lenet_tensor_number tensor)
{
    return (float *)p->part_gradients.data + (size_t)part * p->lenet->parameters + p->lenet->offset[tensor];
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t scratch_map_floats(const struct lenet_pass *p)
{
    return LENET_PART * larger(block_map_floats(&p->first), block_map_floats(&p->second));
}

static size_t scratch_floats(const struct lenet_pass *p)
{
    return scratch_map_floats(p) + larger(convolution_scratch(&p->first.conv, LENET_PART),
                                          convolution_scratch(&p->second.conv, LENET_PART));
}

static float *scratch_maps(const struct lenet_pass *p, int thread)
{
    return (float *)p->scratch.data + (size_t)thread * scratch_floats(p);
}

static float *scratch_columns(const struct lenet_pass *p, int thread)
{
    return scratch_maps(p, thread) + scratch_map_floats(p);
}

/* The next floats of a block of memory, so many per image. */
static float *take(float **next, const struct lenet_pass *p, size_t floats)
{
    float *here = *next;
    *next += (size_t)p->count * floats;
    return here;
}

static nlm_status reserve_forward(struct lenet_pass *p)
{
    struct block *first = &p->first, *second = &p->second;
    size_t count = (size_t)p->count, features = block_feature_floats(first) + block_feature_floats(second);
    size_t floats = block_map_floats(first) + block_map_floats(second) + features + HIDDEN + LENET_OUTPUTS;
    size_t threads = (size_t)team_threads(p->team);
    if (buffer_reserve(&p->values, count * floats, sizeof(float), false) ||
        buffer_reserve(&p->taken, count * features, 1, false) ||
        buffer_reserve(&p->findings, 2 * (size_t)p->parts, sizeof(struct block_findings), false) ||
        buffer_reserve(&p->scratch, threads * scratch_floats(p), sizeof(float), false))
        return NLM_NO_MEMORY;
    float *next = p->values.data;
    first->maps = take(&next, p, block_map_floats(first));
    first->features = take(&next, p, block_feature_floats(first));
    second->x = first->features;
    second->maps = take(&next, p, block_map_floats(second));
    second->features = take(&next, p, FEATURES);
    p->hidden = take(&next, p, HIDDEN);
    p->outputs = take(&next, p, LENET_OUTPUTS);
    first->taken = p->taken.data;
    second->taken = first->taken + count * block_feature_floats(first);
    first->findings = p->findings.data;
    second->findings = first->findings + p->parts;
    return NLM_OK;
}

static nlm_status reserve_backward(struct lenet_pass *p)
{
    size_t floats = block_feature_floats(&p->first) + FEATURES + HIDDEN + LENET_OUTPUTS;
    if (buffer_reserve(&p->gradients, (size_t)p->count * floats, sizeof(float), false) ||
        buffer_reserve(&p->part_gradients, (size_t)p->parts * p->lenet->parameters, sizeof(float), false))
        return NLM_NO_MEMORY;
    float *next = p->gradients.data;
    p->first.dfeatures = take(&next, p, block_feature_floats(&p->first));
    p->second.dx = p->first.dfeatures;
    p->second.dfeatures = take(&next, p, FEATURES);
    p->dhidden = take(&next, p, HIDDEN);
    p->dlogits = take(&next, p, LENET_OUTPUTS);
    return NLM_OK;
}

/* ---- forward ---- */

static void convolve_first(void *context, int number, int thread)
{
    struct lenet_pass *p = context;
    block_convolve(&p->first, part_of(p, number), scratch_columns(p, thread));
}

static void convolve_second(void *context, int number, int thread)
{
    struct lenet_pass *p = context;
    struct block_part part = part_of(p, number);
    block_pool(&p->first, part);
    block_convolve(&p->second, part, scratch_columns(p, thread));
}

static void conclude(void *context, int number, int thread)
{
    struct lenet_pass *p = context;
    struct block_part part = part_of(p, number);
    float *hidden = p->hidden + part.first * HIDDEN, *outputs = p->outputs + part.first * LENET_OUTPUTS;
    (void)thread;
    block_pool(&p->second, part);
    linear_forward(&linear1, part.images, hidden, p->second.features + part.first * FEATURES,
                   value(p, LINEAR1_WEIGHT), value(p, LINEAR1_BIAS));
    relu_forward(hidden, (size_t)part.images * HIDDEN);
    linear_forward(&linear2, part.images, outputs, hidden, value(p, LINEAR2_WEIGHT), value(p, LINEAR2_BIAS));
    sigmoid_forward(outputs, (size_t)part.images * LENET_OUTPUTS);
}

static void point_to_tensors(struct lenet_pass *p)
{
    p->first.values =
        (struct block_tensors){value(p, CONV1_WEIGHT), value(p, CONV1_BIAS), value(p, NORM1_WEIGHT),
                               value(p, NORM1_BIAS),   value(p, NORM1_MEAN), value(p, NORM1_VARIANCE)};
    p->second.values =
        (struct block_tensors){value(p, CONV2_WEIGHT), value(p, CONV2_BIAS), value(p, NORM2_WEIGHT),
                               value(p, NORM2_BIAS),   value(p, NORM2_MEAN), value(p, NORM2_VARIANCE)};
}

static void normalise(struct block *b, int parts, bool training)
{
    if (training)
        block_normalise_by_batch(b, parts);
    else
        block_normalise_by_averages(b);
}

nlm_status lenet_forward(struct lenet_pass *p, struct lenet *lenet, struct team *team, const float *images,
                         int count, bool training, nlm_error *error)
{
    p->lenet = NULL;
    p->team = team;
    if (count < 1 || count > LENET_MOST_IMAGES)
        return error_set(error, NLM_BAD_ARGUMENT, "%d images: a pass takes 1 to %d", count,
                         LENET_MOST_IMAGES);
    p->count = count;
    p->parts = (count + LENET_PART - 1) / LENET_PART;
    if (reserve_forward(p))
        return error_no_memory(error);
    p->lenet = lenet;
    point_to_tensors(p);
    p->first.x = images;
    team_run(p->team, p->parts, convolve_first, p);
    normalise(&p->first, p->parts, training);
    team_run(p->team, p->parts, convolve_second, p);
    normalise(&p->second, p->parts, training);
    team_run(p->team, p->parts, conclude, p);
    return NLM_OK;
}

/* ---- backward ---- */

static void conclude_back(void *context, int number, int thread)
{
    struct lenet_pass *p = context;
    struct block_part part = part_of(p, number);
    size_t output = part.first * LENET_OUTPUTS;
    float *hidden = p->hidden + part.first * HIDDEN, *dhidden = p->dhidden + part.first * HIDDEN;
    (void)thread;
    memset(gradient(p, number, CONV1_WEIGHT), 0, p->lenet->parameters * sizeof(float));
    sigmoid_backward(p->dlogits + output, p->doutputs + output, p->outputs + output,
                     (size_t)part.images * LENET_OUTPUTS);
    linear_backward(&linear2, part.images, gradient(p, number, LINEAR2_WEIGHT),
                    gradient(p, number, LINEAR2_BIAS), dhidden, p->dlogits + output, hidden,
                    value(p, LINEAR2_WEIGHT));
    relu_backward(dhidden, hidden, (size_t)part.images * HIDDEN);
    linear_backward(&linear1, part.images, gradient(p, number, LINEAR1_WEIGHT),
                    gradient(p, number, LINEAR1_BIAS), p->second.dfeatures + part.first * FEATURES, dhidden,
                    p->second.features + part.first * FEATURES, value(p, LINEAR1_WEIGHT));
    block_sum(&p->second, part);
}

static void convolve_second_back(void *context, int number, int thread)
{
    struct lenet_pass *p = context;
    struct block_part part = part_of(p, number);
    block_backward(&p->second, part, gradient(p, number, CONV2_WEIGHT), scratch_maps(p, thread),
                   scratch_columns(p, thread));
    block_sum(&p->first, part);
}

static void convolve_first_back(void *context, int number, int thread)
{
    struct lenet_pass *p = context;
    block_backward(&p->first, part_of(p, number), gradient(p, number, CONV1_WEIGHT), scratch_maps(p, thread),
                   scratch_columns(p, thread));
}

/* Gradients of normalisation concern all parts: they are kept with those of part 0.  Weight and bias of the
 * normalisation come after the bias of the convolution. */
static void merge_sums(struct lenet_pass *p, struct block *b, enum lenet_tensor_number bias)
{
    struct block_tensors gradients = {
        .bias = gradient(p, 0, bias),
        .norm_weight = gradient(p, 0, bias + 1),
        .norm_bias = gradient(p, 0, bias + 2),
    };
    block_merge_sums(b, p->parts, &gradients);
}

static void add_gradients(struct lenet_pass *p)
{
    for (int part = 0; part < p->parts; part++) {
        const float *from = gradient(p, part, CONV1_WEIGHT);
        for (size_t i = 0; i < p->lenet->parameters; i++)
            p->lenet->gradients[i] += from[i];
    }
}

nlm_status lenet_backward(struct lenet_pass *p, const float *doutputs, float *dimages, nlm_error *error)
{
    if (!p->lenet)
        return error_set(error, NLM_BAD_ARGUMENT, "backward without a forward before it");
    if (reserve_backward(p))
        return error_no_memory(error);
    p->doutputs = doutputs;
    p->first.dx = dimages;
    team_run(p->team, p->parts, conclude_back, p);
    merge_sums(p, &p->second, CONV2_BIAS);
    team_run(p->team, p->parts, convolve_second_back, p);
    merge_sums(p, &p->first, CONV1_BIAS);
    team_run(p->team, p->parts, convolve_first_back, p);
    add_gradients(p);
    return NLM_OK;
}
