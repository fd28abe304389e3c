/* LeNet: the names and places of its numbers; images through it; LeNet as a sense.
 *
 * A pass is stages, each shared out by parts of the images.
 *
 *     forward    convolve_first     first block up to its convolution
 *                convolve_second    rest of the first, second up to its convolution
 *                conclude           rest of the second, linear layers
 *     backward   conclude_back, convolve_second_back, convolve_first_back
 *
 * Between stages the calling thread merges, in the order of the parts, what normalisation needs of all
 * images.  Each part adds up its own gradients of the weights; at the end they are added in order. */
#include "perception/lenet.h"

#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "perception/block.h"
#include "perception/linear.h"

const struct sense_tensor lenet_tensors[LENET_TENSORS] = {
    [CONV1_WEIGHT] = {"conv1.weight", 4, {10, 1, 5, 5}, .fan_in = 25},
    [CONV1_BIAS] = {"conv1.bias", 1, {10}, .fan_in = 25},
    [NORM1_WEIGHT] = {"norm1.weight", 1, {10}, .first = 1.0f},
    [NORM1_BIAS] = {"norm1.bias", 1, {10}, .first = 0.0f},
    [CONV2_WEIGHT] = {"conv2.weight", 4, {20, 10, 5, 5}, .fan_in = 250},
    [CONV2_BIAS] = {"conv2.bias", 1, {20}, .fan_in = 250},
    [NORM2_WEIGHT] = {"norm2.weight", 1, {20}, .first = 1.0f},
    [NORM2_BIAS] = {"norm2.bias", 1, {20}, .first = 0.0f},
    [LINEAR1_WEIGHT] = {"linear1.weight", 2, {50, 320}, .fan_in = 320},
    [LINEAR1_BIAS] = {"linear1.bias", 1, {50}, .fan_in = 320},
    [LINEAR2_WEIGHT] = {"linear2.weight", 2, {10, 50}, .fan_in = 50},
    [LINEAR2_BIAS] = {"linear2.bias", 1, {10}, .fan_in = 50},
    [NORM1_MEAN] = {"norm1.running_mean", 1, {10}, .first = 0.0f},
    [NORM1_VARIANCE] = {"norm1.running_var", 1, {10}, .first = 1.0f, .positive = true},
    [NORM2_MEAN] = {"norm2.running_mean", 1, {20}, .first = 0.0f},
    [NORM2_VARIANCE] = {"norm2.running_var", 1, {20}, .first = 1.0f, .positive = true},
};

void lenet_lay_out(struct lenet *lenet)
{
    lenet->offset[0] = 0;
    for (int t = 0; t < LENET_TENSORS; t++)
        lenet->offset[t + 1] = lenet->offset[t] + sense_tensor_count(&lenet_tensors[t]);
    lenet->parameters = lenet->offset[LENET_LEARNED];
}

/* ---- passes ---- */

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
    buffer *all[] = {&p->values, &p->taken, &p->findings, &p->gradients, &p->part_gradients, &p->scratch};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        buffer_free(all[i]);
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
    for (int second = 0; second < 2; second++) {
        const enum lenet_tensor_number weight = second ? CONV2_WEIGHT : CONV1_WEIGHT;
        const enum lenet_tensor_number mean = second ? NORM2_MEAN : NORM1_MEAN;
        (second ? &p->second : &p->first)->values =
            (struct block_tensors){value(p, weight),     value(p, weight + 1), value(p, weight + 2),
                                   value(p, weight + 3), value(p, mean),       value(p, mean + 1)};
    }
    p->first.x = images;
    team_run(p->team, p->parts, convolve_first, p);
    block_normalise(&p->first, training ? p->parts : 0);
    team_run(p->team, p->parts, convolve_second, p);
    block_normalise(&p->second, training ? p->parts : 0);
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
    for (int part = 0; part < p->parts; part++) {
        const float *from = gradient(p, part, CONV1_WEIGHT);
        for (size_t i = 0; i < p->lenet->parameters; i++)
            p->lenet->gradients[i] += from[i];
    }
    return NLM_OK;
}

/* ---- the sense: values and gradients are whoever's ---- */

struct work {
    struct lenet lenet; /* its values and gradients are those of the last call */
    struct lenet_pass *pass;
};

static void close_lenet(void *work)
{
    struct work *w = work;
    if (!w)
        return;
    lenet_pass_free(w->pass);
    memory_free(w);
}

static nlm_status open_lenet(void **work, nlm_error *error)
{
    struct work *w = memory_new(1, sizeof *w);
    *work = NULL;
    if (!w)
        return error_no_memory(error);
    lenet_lay_out(&w->lenet);
    nlm_status status = lenet_pass_new(&w->pass, error);
    if (status)
        close_lenet(w);
    else
        *work = w;
    return status;
}

static nlm_status forward(void *work, struct team *team, float *values, const float *percepts, int count,
                          bool training, const float **outputs, nlm_error *error)
{
    struct work *w = work;
    w->lenet.values = values;
    nlm_status status = lenet_forward(w->pass, &w->lenet, team, percepts, count, training, error);
    *outputs = status ? NULL : lenet_outputs(w->pass);
    return status;
}

static nlm_status backward(void *work, const float *doutputs, float *gradients, nlm_error *error)
{
    struct work *w = work;
    w->lenet.gradients = gradients;
    return lenet_backward(w->pass, doutputs, NULL, error);
}

const struct sense lenet_sense = {
    .name = "lenet",
    .numbers = LENET_PIXELS,
    .predicates = LENET_OUTPUTS,
    .tensor_count = LENET_TENSORS,
    .last = LINEAR2_WEIGHT,
    .tensors = lenet_tensors,
    .open = open_lenet,
    .close = close_lenet,
    .forward = forward,
    .backward = backward,
};
