/* LeNet as a sense: percepts are images, values and gradients are whoever's. */
#include "base/error.h"
#include "base/memory.h"
#include "perception/lenet_pass.h"

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
    .tensors = lenet_tensors,
    .open = open_lenet,
    .close = close_lenet,
    .forward = forward,
    .backward = backward,
};
