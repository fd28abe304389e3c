/* Times of the memory network, for bench/bench_memnn.py: best of several, in milliseconds, as one JSON
 * object.
 *
 *     nlm-memnn-bench [hidden numbers [seconds [threads]]]
 *
 * A training step is forward, loss, backward and Adam on 4 worlds of 20 objects with 4 relations and a binary
 * target, in 4 rounds; an inference is one world of 100 objects. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "base/memory.h"
#include "base/random.h"
#include "baseline/memnn.h"
#include "kernel/kernel.h"
#include "nlm/machine.h"

enum { WORLDS = 4, TRAIN_OBJECTS = 20, TEST_OBJECTS = 100, RELATIONS = 4, ROUNDS = 4, WIDTH = 64 };

struct bench {
    void *model, *work;
    size_t parameters;
    float *values, *gradients, *mean, *square;
    struct baseline_world world[WORLDS];
    float *dlogits[WORLDS], *loss, *targets[WORLDS];
    int count, objects;
    double seconds;
};

static float *floats(size_t count)
{
    float *block = memory_new(count, sizeof *block);
    if (!block)
        exit(1);
    return block;
}

static void open_bench(struct bench *b, int hidden)
{
    nlm_spec spec = {.depth = ROUNDS, .breadth = 2, .inputs = {0, 0, RELATIONS}, .width = WIDTH};
    nlm_head_spec head = {.name = "head", .arity = 2, .outputs = 1};
    spec.hidden_layers = hidden > 0;
    spec.hidden[0] = hidden;
    if (memnn_baseline.make(&spec, &head, 1, &b->model, NULL) ||
        memnn_baseline.open(b->model, &b->work, NULL))
        exit(1);
    const struct memnn *m = b->model;
    b->parameters = m->parameters;
    b->values = floats(b->parameters);
    b->gradients = floats(b->parameters);
    b->mean = floats(b->parameters);
    b->square = floats(b->parameters);
    random_stream random;
    random_start(&random, 1, 0);
    for (size_t i = 0; i < b->parameters; i++)
        b->values[i] = random_uniform(&random, -0.125f, 0.125f);
}

/* Facts are as rare as in bench_torch.py. */
static void make_worlds(struct bench *b, int count, int objects)
{
    random_stream random;
    random_start(&random, 2, (uint64_t)objects);
    size_t pairs = (size_t)objects * (size_t)objects;
    b->count = count;
    b->objects = objects;
    b->loss = floats(pairs);
    for (int w = 0; w < count; w++) {
        float *inputs = floats(pairs * RELATIONS);
        for (size_t i = 0; i < pairs * RELATIONS; i++)
            inputs[i] = random_below(&random, 5) == 0 ? 1.0f : 0.0f;
        b->targets[w] = floats(pairs);
        for (size_t i = 0; i < pairs; i++)
            b->targets[w][i] = (float)random_below(&random, 2);
        b->dlogits[w] = floats(pairs);
        b->world[w] = (struct baseline_world){.objects = objects,
                                              .inputs = {NULL, NULL, inputs},
                                              .logits = {floats(pairs)},
                                              .dlogits = {b->dlogits[w]}};
    }
}

static void free_worlds(struct bench *b)
{
    for (int w = 0; w < b->count; w++) {
        memory_free((void *)b->world[w].inputs[2]);
        memory_free(b->world[w].logits[0]);
        memory_free(b->dlogits[w]);
        memory_free(b->targets[w]);
    }
    memory_free(b->loss);
}

static void step(struct bench *b)
{
    const struct kernel_table *kernels = kernel_choose(NLM_KERNEL_BEST);
    struct kernel_adam adam = {0.001f, 0.9f, 0.999f, 1e-8f, 1.0f, 1.0f};
    size_t pairs = (size_t)b->objects * (size_t)b->objects;
    for (size_t i = 0; i < b->parameters; i++)
        b->gradients[i] = 0.0f;
    for (int w = 0; w < b->count; w++)
        b->world[w].names++;
    if (memnn_baseline.forward(b->work, NULL, b->values, b->world, b->count, true, NULL))
        exit(1);
    for (int w = 0; w < b->count; w++) {
        kernels->logistic(b->world[w].logits[0], b->loss, b->dlogits[w], pairs);
        for (size_t i = 0; i < pairs; i++)
            b->dlogits[w][i] = (b->dlogits[w][i] - b->targets[w][i]) / (float)(pairs * WORLDS);
    }
    if (memnn_baseline.backward(b->work, NULL, b->values, b->world, b->count, b->gradients, NULL))
        exit(1);
    kernels->adam(&adam, b->values, b->gradients, b->mean, b->square, b->parameters);
}

static void infer(struct bench *b)
{
    if (memnn_baseline.forward(b->work, NULL, b->values, b->world, b->count, false, NULL))
        exit(1);
}

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Best of at least three, in milliseconds. */
static double best(struct bench *b, void (*run)(struct bench *))
{
    double least = 1e9, end = processor_seconds() + b->seconds;
    run(b);
    for (int times = 0; times < 3 || processor_seconds() < end; times++) {
        double start = processor_seconds();
        run(b);
        double taken = processor_seconds() - start;
        least = taken < least ? taken : least;
    }
    return 1e3 * least;
}

int main(int argc, char **argv)
{
    struct bench b = {.seconds = argc > 2 ? atof(argv[2]) : 1.0};
    open_bench(&b, argc > 1 ? atoi(argv[1]) : 32);
    make_worlds(&b, WORLDS, TRAIN_OBJECTS);
    double train = best(&b, step);
    free_worlds(&b);
    make_worlds(&b, 1, TEST_OBJECTS);
    double inference = best(&b, infer);
    double pairs = TEST_OBJECTS * (TEST_OBJECTS - 1.0);
    double flop = pairs * pairs * ROUNDS * 2.0 * (ATTENTION_KEY + ATTENTION_VALUE);
    printf("{\"train_step_ms\": %.4f, \"infer_ms\": %.2f, \"infer_gflops\": %.1f, \"infer_mb\": %.1f}\n",
           train, inference, flop / inference * 1e-6,
           memnn_baseline.memory(b.model, TEST_OBJECTS) / 1048576.0);
    free_worlds(&b);
    memory_free(b.values);
    memory_free(b.gradients);
    memory_free(b.mean);
    memory_free(b.square);
    memnn_baseline.close(b.work);
    memnn_baseline.free(b.model);
    return 0;
}
