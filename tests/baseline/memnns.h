/* Memory networks to test, and batches of random worlds for them. */
#ifndef TESTS_BASELINE_MEMNNS_H
#define TESTS_BASELINE_MEMNNS_H

#include <math.h>
#include "test.h"

#include "base/random.h"
#include "baseline/memnn.h"

enum { MOST_WORLDS = 4 };

/* A model with values, and a batch with all its arrays. */
struct fixture {
    struct memnn *model;
    void *work;
    float *values, *gradients;
    int count;
    struct baseline_world world[MOST_WORLDS];
    float *input[MOST_WORLDS][3], *logits[MOST_WORLDS][NLM_MAX_HEADS], *dlogits[MOST_WORLDS][NLM_MAX_HEADS];
};

static inline nlm_spec small_spec(int depth, int width, int properties, int relations, int hidden)
{
    nlm_spec spec = {.depth = depth, .breadth = 2, .inputs = {0, properties, relations}, .width = width};
    spec.model = "memnn";
    for (int l = 0; l < hidden; l++)
        spec.hidden[l] = 6 + 5 * l;
    spec.hidden_layers = hidden;
    return spec;
}

static inline void fixture_values(struct fixture *f, uint64_t seed)
{
    random_stream random;
    random_start(&random, seed, 0);
    float *value = f->values;
    for (int t = 0; t < f->model->tensors; t++) {
        const struct baseline_tensor *tensor = &f->model->tensor[t];
        int count = tensor->shape[0] * (tensor->dimensions == 2 ? tensor->shape[1] : 1);
        float bound = 1.0f / sqrtf((float)tensor->fan_in);
        for (int i = 0; i < count; i++)
            *value++ = random_uniform(&random, -bound, bound);
    }
    assert_int_equal(value - f->values, f->model->parameters);
}

static inline struct fixture *fixture_new(const nlm_spec *spec, const nlm_head_spec *heads, int head_count)
{
    struct fixture *f = calloc(1, sizeof *f);
    void *model;
    assert_non_null(f);
    assert_int_equal(memnn_baseline.make(spec, heads, head_count, &model, NULL), NLM_OK);
    f->model = model;
    assert_int_equal(memnn_baseline.open(model, &f->work, NULL), NLM_OK);
    f->values = calloc(f->model->parameters, sizeof(float));
    f->gradients = calloc(f->model->parameters, sizeof(float));
    fixture_values(f, 1);
    return f;
}

/* Numbers of a head in a world of so many objects. */
static inline size_t head_numbers(const struct memnn_head *head, int objects)
{
    size_t n = (size_t)(head->kind == MEMNN_TWINS ? objects / 2 : objects);
    return (head->kind == MEMNN_UNARY ? n : n * n) * (size_t)head->outputs;
}

static inline float *random_array(random_stream *random, size_t count, float lo, float hi)
{
    float *array = malloc((count + 1) * sizeof *array);
    for (size_t i = 0; i < count; i++)
        array[i] = random_uniform(random, lo, hi);
    return array;
}

/* One more world: inputs in [0, 1], gradients of logits in [-1, 1]. */
static inline void fixture_add(struct fixture *f, int objects, uint64_t seed)
{
    random_stream random;
    random_start(&random, seed, 1);
    int number = f->count++;
    struct baseline_world *w = &f->world[number];
    size_t n = (size_t)objects;
    assert_true(number < MOST_WORLDS);
    *w = (struct baseline_world){.objects = objects, .names = seed};
    f->input[number][1] = random_array(&random, n * (size_t)f->model->properties, 0.0f, 1.0f);
    f->input[number][2] = random_array(&random, n * n * (size_t)f->model->relations, 0.0f, 1.0f);
    w->inputs[1] = f->model->properties ? f->input[number][1] : NULL;
    w->inputs[2] = f->model->relations ? f->input[number][2] : NULL;
    for (int h = 0; h < f->model->heads; h++) {
        size_t numbers = head_numbers(&f->model->head[h], objects);
        w->logits[h] = f->logits[number][h] = random_array(&random, numbers, 7.0f, 7.0f);
        w->dlogits[h] = f->dlogits[number][h] = random_array(&random, numbers, -1.0f, 1.0f);
    }
}

static inline void fixture_free(struct fixture *f)
{
    for (int w = 0; w < f->count; w++) {
        for (int r = 0; r < 3; r++)
            free(f->input[w][r]);
        for (int h = 0; h < f->model->heads; h++) {
            free(f->logits[w][h]);
            free(f->dlogits[w][h]);
        }
    }
    free(f->values);
    free(f->gradients);
    memnn_baseline.close(f->work);
    memnn_baseline.free(f->model);
    free(f);
}

static inline void fixture_forward(struct fixture *f, struct team *team, bool training)
{
    assert_int_equal(memnn_baseline.forward(f->work, team, f->values, f->world, f->count, training, NULL),
                     NLM_OK);
}

/* Forward and backward; gradients are cleared first. */
static inline void fixture_step(struct fixture *f, struct team *team)
{
    memset(f->gradients, 0, f->model->parameters * sizeof(float));
    fixture_forward(f, team, true);
    assert_int_equal(
        memnn_baseline.backward(f->work, team, f->values, f->world, f->count, f->gradients, NULL), NLM_OK);
}

#endif
