/* LeNet's numbers: their names, places and first values. */
#include "perception/lenet.h"

#include <math.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"

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

nlm_status lenet_new(struct lenet **made, nlm_error *error)
{
    *made = NULL;
    struct lenet *lenet = memory_new(1, sizeof *lenet);
    if (!lenet)
        return error_no_memory(error);
    lenet_lay_out(lenet);
    lenet->values = memory_new(lenet->offset[LENET_TENSORS], sizeof *lenet->values);
    lenet->gradients = memory_new(lenet->parameters, sizeof *lenet->gradients);
    if (!lenet->values || !lenet->gradients) {
        lenet_free(lenet);
        return error_no_memory(error);
    }
    *made = lenet;
    return NLM_OK;
}

void lenet_free(struct lenet *lenet)
{
    if (!lenet)
        return;
    memory_free(lenet->values);
    memory_free(lenet->gradients);
    memory_free(lenet);
}

/* PyTorch draws weights by Kaiming's rule with a = sqrt(5), which is the same as the rule for its biases. */
void lenet_initialise(struct lenet *lenet, uint64_t seed)
{
    for (int t = 0; t < LENET_TENSORS; t++) {
        const struct sense_tensor *tensor = &lenet_tensors[t];
        float bound = tensor->fan_in ? (float)(1.0 / sqrt((double)tensor->fan_in)) : 0.0f;
        random_stream random;
        random_start(&random, seed, (uint64_t)t);
        for (size_t i = lenet->offset[t]; i < lenet->offset[t + 1]; i++)
            lenet->values[i] = tensor->fan_in ? random_uniform(&random, -bound, bound) : tensor->first;
    }
}

void lenet_clear_gradients(struct lenet *lenet)
{
    memset(lenet->gradients, 0, lenet->parameters * sizeof *lenet->gradients);
}
