/* Each layer against its definition, plainly written in double, and its gradients against differences. */
#include "differences.h"

#include "perception/block.h"
#include "perception/convolution.h"
#include "perception/linear.h"

/* ---- convolution ---- */

struct convolution_case {
    struct convolution conv;
    int images;
    size_t xs, weights, ys;
    float *x, *weight, *y, *dx, *dweight, *dy, *scratch;
};

static float *new_floats(random_stream *random, size_t count)
{
    float *values = malloc(count * sizeof *values);
    assert_non_null(values);
    random_floats(random, values, count, -1.0f, 1.0f);
    return values;
}

static struct convolution_case make_convolution(struct convolution conv, int images)
{
    random_stream random;
    random_start(&random, 1, (uint64_t)conv.side);
    int out = convolution_side(&conv);
    struct convolution_case c = {.conv = conv, .images = images};
    c.xs = (size_t)(conv.from * images * conv.side * conv.side);
    c.weights = (size_t)(conv.to * conv.from * 25);
    c.ys = (size_t)(conv.to * images * out * out);
    c.x = new_floats(&random, c.xs);
    c.dx = new_floats(&random, c.xs);
    c.weight = new_floats(&random, c.weights);
    c.dweight = new_floats(&random, c.weights);
    c.y = new_floats(&random, c.ys);
    c.dy = new_floats(&random, c.ys);
    c.scratch = new_floats(&random, convolution_scratch(&conv, images));
    return c;
}

static void free_convolution(struct convolution_case *c)
{
    float *all[] = {c->x, c->dx, c->weight, c->dweight, c->y, c->dy, c->scratch};
    for (size_t i = 0; i < COUNT(all); i++)
        free(all[i]);
}

static double convolution_loss(void *context)
{
    struct convolution_case *c = context;
    convolution_forward(&c->conv, c->images, c->y, c->x, c->weight, c->scratch);
    return weighted_sum(c->y, c->dy, c->ys);
}

/* y[o, i, row, column] by its definition. */
static double convolve(const struct convolution_case *c, int o, int i, int row, int column)
{
    double sum = 0.0;
    int side = c->conv.side;
    for (int k = 0; k < c->conv.from; k++)
        for (int dr = 0; dr < 5; dr++)
            for (int dc = 0; dc < 5; dc++)
                sum += (double)c->weight[((o * c->conv.from + k) * 5 + dr) * 5 + dc] *
                       (double)c->x[((k * c->images + i) * side + row + dr) * side + column + dc];
    return sum;
}

static void check_convolution(struct convolution conv, int images)
{
    struct convolution_case c = make_convolution(conv, images);
    int out = convolution_side(&conv);
    convolution_loss(&c);
    for (int e = 0; e < (int)c.ys; e++) {
        int row = e / out % out, i = e / out / out % images, o = e / out / out / images;
        assert_true(fabs((double)c.y[e] - convolve(&c, o, i, row, e % out)) < 1e-4);
    }
    memset(c.dweight, 0, c.weights * sizeof *c.dweight);
    convolution_backward(&conv, images, c.dweight, c.dx, c.dy, c.x, c.weight, c.scratch);
    assert_differences("weight", convolution_loss, &c, c.weight, c.dweight, c.weights, 60, 0.5f, 1e-4);
    assert_differences("x", convolution_loss, &c, c.x, c.dx, c.xs, 60, 0.5f, 1e-4);
    free_convolution(&c);
}

static void convolutions_are_right(void **state)
{
    (void)state;
    check_convolution((struct convolution){1, 10, 28}, 3);
    check_convolution((struct convolution){10, 20, 12}, 2);
    check_convolution((struct convolution){3, 2, 9}, 2);
    check_convolution((struct convolution){2, 1, 5}, 1);
}

/* The gradient of the weights is added to what is there; that of x may be left out. */
static void convolution_adds_to_gradients(void **state)
{
    (void)state;
    struct convolution_case c = make_convolution((struct convolution){2, 3, 7}, 2);
    float once[150], twice[150] = {0};
    memset(once, 0, sizeof once);
    assert_int_equal(c.weights, 150);
    convolution_backward(&c.conv, 2, once, NULL, c.dy, c.x, c.weight, c.scratch);
    for (int i = 0; i < 2; i++)
        convolution_backward(&c.conv, 2, twice, NULL, c.dy, c.x, c.weight, c.scratch);
    for (int i = 0; i < 150; i++)
        assert_true(fabsf(twice[i] - 2.0f * once[i]) < 1e-4f);
    free_convolution(&c);
}

/* ---- normalisation ---- */

static void moments_are_those_of_the_definition(void **state)
{
    (void)state;
    float x[1003];
    random_stream random;
    random_start(&random, 2, 0);
    /* Far from 0, where a careless sum of squares would lose everything. */
    random_floats(&random, x, COUNT(x), 1000.0f, 1001.0f);
    double mean = 0.0, square = 0.0;
    for (size_t i = 0; i < COUNT(x); i++)
        mean += (double)x[i] / (double)COUNT(x);
    for (size_t i = 0; i < COUNT(x); i++)
        square += ((double)x[i] - mean) * ((double)x[i] - mean);
    for (size_t cut = 0; cut <= COUNT(x); cut += 59) {
        struct norm_moments m = norm_merge(norm_measure(x, cut), norm_measure(x + cut, COUNT(x) - cut));
        assert_true(m.count == (double)COUNT(x));
        assert_true(fabs(m.mean - mean) < 1e-4);
        assert_true(fabs(m.square / square - 1.0) < 1e-3);
    }
}

static void running_averages_follow(void **state)
{
    (void)state;
    float bias = 0.5f, weight = 2.0f, shift = 1.0f, mean = 3.0f, variance = 4.0f;
    struct norm_channel channel = {&bias, &weight, &shift, &mean, &variance};
    norm_follow(&channel, (struct norm_moments){.count = 5.0, .mean = 7.0, .square = 8.0});
    assert_true(fabsf(mean - (0.9f * 3.0f + 0.1f * 7.5f)) < 1e-6f);
    assert_true(fabsf(variance - (0.9f * 4.0f + 0.1f * 2.0f)) < 1e-6f);
}

/* ---- a whole block: convolution, normalisation, ReLU, pooling ---- */

enum { IMAGES = 5, FIRST = 3, FROM = 2, TO = 3, SIDE = 12, HALF = 4, PARTS = 2 };
enum { XS = IMAGES * FROM * SIDE * SIDE, MAPS = IMAGES * TO * 64, FEATURES = IMAGES * TO * HALF * HALF };

struct block_case {
    struct block block;
    bool training;
    float weight[TO * FROM * 25], norm[5][TO]; /* bias, weight, shift, running mean and variance */
    float x[XS], maps[MAPS], features[FEATURES];
    float dweight[TO * FROM * 25], dnorm[3][TO], dx[XS], dfeatures[FEATURES], weights[FEATURES];
    float columns[IMAGES * FROM * 25 * 64], dmaps[MAPS];
    uint8_t taken[FEATURES];
    struct block_findings findings[PARTS];
};

static const struct block_part parts[PARTS] = {{0, 0, FIRST}, {1, FIRST, IMAGES - FIRST}};

static void make_block(struct block_case *c, bool training, bool to_linear)
{
    random_stream random;
    random_start(&random, 3, 0);
    memset(c, 0, sizeof *c);
    c->training = training;
    random_floats(&random, c->weight, COUNT(c->weight), -0.3f, 0.3f);
    random_floats(&random, c->norm[0], 5 * TO, 0.5f, 1.5f);
    c->norm[1][1] = -c->norm[1][1]; /* a channel upside down */
    random_floats(&random, c->x, XS, -1.0f, 1.0f);
    random_floats(&random, c->weights, FEATURES, -1.0f, 1.0f);
    c->block = (struct block){
        .conv = {FROM, TO, SIDE},
        .to_linear = to_linear,
        .values = {c->weight, c->norm[0], c->norm[1], c->norm[2], c->norm[3], c->norm[4]},
        .x = c->x,
        .maps = c->maps,
        .features = c->features,
        .taken = c->taken,
        .dfeatures = c->dfeatures,
        .dx = c->dx,
        .findings = c->findings,
    };
}

static double block_loss(void *context)
{
    struct block_case *c = context;
    float averages[2][TO];
    memcpy(averages, c->norm[3], sizeof averages);
    for (int p = 0; p < PARTS; p++)
        block_convolve(&c->block, parts[p], c->columns);
    block_normalise(&c->block, c->training ? PARTS : 0);
    for (int p = 0; p < PARTS; p++)
        block_pool(&c->block, parts[p]);
    memcpy(c->norm[3], averages, sizeof averages);
    return weighted_sum(c->features, c->weights, FEATURES);
}

static void block_gradients(struct block_case *c)
{
    struct block_tensors gradients = {
        .bias = c->dnorm[0], .norm_weight = c->dnorm[1], .norm_bias = c->dnorm[2]};
    memcpy(c->dfeatures, c->weights, sizeof c->weights);
    for (int p = 0; p < PARTS; p++)
        block_sum(&c->block, parts[p]);
    block_merge_sums(&c->block, PARTS, &gradients);
    for (int p = 0; p < PARTS; p++)
        block_backward(&c->block, parts[p], c->dweight, c->dmaps, c->columns);
}

static void check_block(bool training, bool to_linear)
{
    static const char *const names[] = {"bias", "weight of normalisation", "shift"};
    struct block_case *c = malloc(sizeof *c);
    make_block(c, training, to_linear);
    block_loss(c);
    block_gradients(c);
    for (int k = 0; k < 3; k++)
        assert_differences(names[k], block_loss, c, c->norm[k], c->dnorm[k], TO, TO, 1e-3f, 5e-3);
    assert_differences("weight", block_loss, c, c->weight, c->dweight, COUNT(c->weight), 150, 1e-3f, 5e-3);
    assert_differences("x", block_loss, c, c->x, c->dx, XS, 200, 1e-3f, 5e-3);
    free(c);
}

static void gradients_of_a_block_are_right(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        check_block(i & 1, i & 2);
}

/* Mean and variance of channel k over all images, as the definition has them. */
static void measure_channel(const struct block_case *c, int k, double *mean, double *variance)
{
    double sum = 0.0, square = 0.0, count = 64.0 * IMAGES;
    for (int p = 0; p < PARTS; p++)
        for (int e = 0; e < parts[p].images * 64; e++) {
            double x = (double)c->maps[(int)parts[p].first * TO * 64 + k * parts[p].images * 64 + e];
            sum += x;
            square += x * x;
        }
    *mean = sum / count;
    *variance = square / count - *mean * *mean;
}

/* Features of channel k by the definition, the bias left out: it cancels out. */
static double feature(const struct block_case *c, const struct block_part *part, int k, int i, int row,
                      int column)
{
    double mean, variance, best = 0.0;
    measure_channel(c, k, &mean, &variance);
    for (int tap = 0; tap < 4; tap++) {
        int pixel = (2 * row + tap / 2) * 8 + 2 * column + tap % 2;
        double x = (double)c->maps[((int)part->first * TO + k * part->images + i) * 64 + pixel];
        best = fmax(best, (double)c->norm[1][k] * (x - mean) / sqrt(variance + 1e-5) + (double)c->norm[2][k]);
    }
    return best;
}

static void features_are_those_of_the_definition(void **state)
{
    (void)state;
    struct block_case *c = malloc(sizeof *c);
    make_block(c, true, true);
    block_loss(c);
    for (int p = 0; p < PARTS; p++)
        for (int i = 0; i < parts[p].images; i++)
            for (int e = 0; e < TO * HALF * HALF; e++) {
                float made = c->features[((int)parts[p].first + i) * TO * HALF * HALF + e];
                double wanted = feature(c, &parts[p], e / 16, i, e / 4 % 4, e % 4);
                assert_true(fabs((double)made - wanted) < 1e-4);
            }
    free(c);
}

/* Of equal numbers the first is taken, as PyTorch does. */
static void the_first_of_equals_is_taken(void **state)
{
    (void)state;
    const float x[16] = {1, 1, 0, 2, 1, 1, 2, 2, 0, 0, 3, 0, 5, 5, 0, 3};
    const struct pool pool = {.images = 1, .side = 4, .stride = 4};
    const struct norm_map map = {.scale = 1.0f};
    const uint8_t expected[4] = {0, 1, 2, 0};
    float y[4];
    uint8_t taken[4];
    pool_forward(&pool, &map, y, taken, x);
    assert_memory_equal(taken, expected, sizeof taken);
    assert_true(y[0] == 1.0f && y[1] == 2.0f && y[2] == 5.0f && y[3] == 3.0f);
}

/* ---- linear layers ---- */

enum { IN = 7, OUT = 5, ROWS = 3 };

struct linear_case {
    float x[ROWS * IN], weight[OUT * IN], bias[OUT], y[ROWS * OUT];
    float dx[ROWS * IN], dweight[OUT * IN], dbias[OUT], dy[ROWS * OUT], weights[ROWS * OUT];
    bool sigmoid;
};

static const struct linear layer = {IN, OUT};

static double linear_loss(void *context)
{
    struct linear_case *c = context;
    linear_forward(&layer, ROWS, c->y, c->x, c->weight, c->bias);
    if (c->sigmoid)
        sigmoid_forward(c->y, ROWS * OUT);
    else
        relu_forward(c->y, ROWS * OUT);
    return weighted_sum(c->y, c->weights, ROWS * OUT);
}

static void gradients_of_linear_layers_are_right(void **state)
{
    (void)state;
    for (int sigmoid = 0; sigmoid < 2; sigmoid++) {
        struct linear_case c = {.sigmoid = sigmoid};
        random_stream random;
        random_start(&random, 4, 0);
        random_floats(&random, c.x, ROWS * IN, -1.0f, 1.0f);
        random_floats(&random, c.weight, OUT * IN, -1.0f, 1.0f);
        random_floats(&random, c.bias, OUT, -1.0f, 1.0f);
        random_floats(&random, c.weights, ROWS * OUT, -1.0f, 1.0f);
        linear_loss(&c);
        memcpy(c.dy, c.weights, sizeof c.dy);
        if (sigmoid)
            sigmoid_backward(c.dy, c.weights, c.y, ROWS * OUT);
        else
            relu_backward(c.dy, c.y, ROWS * OUT);
        linear_backward(&layer, ROWS, c.dweight, c.dbias, c.dx, c.dy, c.x, c.weight);
        assert_differences("weight", linear_loss, &c, c.weight, c.dweight, OUT * IN, OUT * IN, 1e-3f, 1e-3);
        assert_differences("bias", linear_loss, &c, c.bias, c.dbias, OUT, OUT, 1e-3f, 1e-3);
        assert_differences("x", linear_loss, &c, c.x, c.dx, ROWS * IN, ROWS * IN, 1e-3f, 1e-3);
    }
}

static void linear_layers_are_those_of_the_definition(void **state)
{
    (void)state;
    const float x[2] = {2.0f, 3.0f}, weight[4] = {1.0f, 10.0f, -1.0f, -10.0f}, bias[2] = {0.5f, 0.25f};
    const struct linear two = {2, 2};
    float y[2];
    linear_forward(&two, 1, y, x, weight, bias);
    assert_true(y[0] == 32.5f && y[1] == -31.75f);
    relu_forward(y, 2);
    assert_true(y[0] == 32.5f && y[1] == 0.0f);
    y[0] = 0.0f;
    y[1] = -200.0f;
    sigmoid_forward(y, 2);
    assert_true(y[0] == 0.5f && y[1] >= 0.0f && y[1] < 1e-30f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convolutions_are_right),
        cmocka_unit_test(convolution_adds_to_gradients),
        cmocka_unit_test(moments_are_those_of_the_definition),
        cmocka_unit_test(running_averages_follow),
        cmocka_unit_test(gradients_of_a_block_are_right),
        cmocka_unit_test(features_are_those_of_the_definition),
        cmocka_unit_test(the_first_of_equals_is_taken),
        cmocka_unit_test(gradients_of_linear_layers_are_right),
        cmocka_unit_test(linear_layers_are_those_of_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
