/* A LeNet with values and gradients of its own; first values as PyTorch's defaults, a function of the seed.
 */
#ifndef TESTS_PERCEPTION_LENETS_H
#define TESTS_PERCEPTION_LENETS_H

#include <math.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "perception/lenet.h"

static inline void lenet_free(struct lenet *lenet)
{
    if (!lenet)
        return;
    memory_free(lenet->values);
    memory_free(lenet->gradients);
    memory_free(lenet);
}

/* All values are 0 until they are initialised or filled. */
static inline nlm_status lenet_new(struct lenet **made, nlm_error *error)
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

/* PyTorch draws weights by Kaiming's rule with a = sqrt(5), which is the same as the rule for its biases. */
static inline void lenet_initialise(struct lenet *lenet, uint64_t seed)
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

static inline void lenet_clear_gradients(struct lenet *lenet)
{
    memset(lenet->gradients, 0, lenet->parameters * sizeof *lenet->gradients);
}

#endif
