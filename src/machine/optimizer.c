/* Optimisers: Adam with bias correction, RMSProp, and plain gradient descent (docs/maths.md, sections 7 and
 * 14).
 *
 * All parameters of a machine are one array, so a step is one loop.  A parameter whose gradient is always 0,
 * as an average of batch normalisation, never moves.
 *
 *     descent    w -= rate g
 *     Adam       m = b1 m + (1 - b1) g,  s = b2 s + (1 - b2) g^2,  w -= rate m' / (sqrt(s') + epsilon)
 *                m' = m / (1 - b1^n),  s' = s / (1 - b2^n) at step n
 *     RMSProp    s += (1 - decay) (g^2 - s),  w -= rate g / sqrt(s + epsilon)
 *
 * The corrections m', s' undo that both averages begin at 0: without them the first steps of Adam would be
 * too small or too large by 1 - b^n.  RMSProp has none, as in the paper that uses it. */
#include "machine/optimizer.h"

#include <math.h>
#include "base/error.h"
#include "base/memory.h"
#include "machine/machine.h"

/* Common part: check the rate and allocate the moments.  Plain descent has none.  Moments are as large as the
 * machine: with values and gradients, training takes four numbers for each parameter. */
static nlm_status new_optimizer(nlm_machine *machine, enum optimizer_kind kind, nlm_adam settings,
                                double first, nlm_optimizer **optimizer, nlm_error *error)
{
    *optimizer = NULL;
    if (!(settings.rate >= 0.0) || !isfinite(settings.rate))
        return error_set(error, NLM_BAD_ARGUMENT, "learning rate %g is not a finite number of at least 0",
                         settings.rate);
    nlm_optimizer *o = memory_new(1, sizeof *o);
    if (!o)
        return error_no_memory(error);
    o->machine = machine;
    o->kind = kind;
    o->settings = settings;
    o->first = first;
    /* RMSProp has `mean` too, unused: checkpoints store both moments of any optimiser alike */
    if (kind != OPTIMIZER_SGD) {
        o->mean = memory_new(machine->parameters, sizeof(float));
        o->square = memory_new(machine->parameters, sizeof(float));
        if (!o->mean || !o->square) {
            nlm_optimizer_free(o);
            return error_no_memory(error);
        }
        optimizer_reset(o);
    }
    *optimizer = o;
    return NLM_OK;
}

/* beta2 = 1 would never forget, and its correction divide by 0. */
nlm_status nlm_adam_new(nlm_machine *machine, nlm_adam settings, nlm_optimizer **optimizer, nlm_error *error)
{
    REQUIRE(optimizer, error);
    *optimizer = NULL;
    REQUIRE(machine, error);
    if (!(settings.beta1 >= 0.0 && settings.beta1 < 1.0 && settings.beta2 >= 0.0 && settings.beta2 < 1.0))
        return error_set(error, NLM_BAD_ARGUMENT, "Adam's betas %g and %g are not in [0, 1)", settings.beta1,
                         settings.beta2);
    if (!(settings.epsilon > 0.0) || !isfinite(settings.epsilon))
        return error_set(error, NLM_BAD_ARGUMENT, "Adam's epsilon %g is not above 0", settings.epsilon);
    return new_optimizer(machine, OPTIMIZER_ADAM, settings, 0.0, optimizer, error);
}

nlm_status nlm_sgd_new(nlm_machine *machine, double rate, nlm_optimizer **optimizer, nlm_error *error)
{
    REQUIRE(machine && optimizer, error);
    return new_optimizer(machine, OPTIMIZER_SGD, (nlm_adam){.rate = rate}, 0.0, optimizer, error);
}

/* The settings of Adam serve here too: beta2 is the decay, beta1 is unused. */
nlm_status nlm_rmsprop_new(nlm_machine *machine, nlm_rmsprop settings, nlm_optimizer **optimizer,
                           nlm_error *error)
{
    REQUIRE(optimizer, error);
    *optimizer = NULL;
    REQUIRE(machine, error);
    if (!(settings.decay >= 0.0 && settings.decay < 1.0))
        return error_set(error, NLM_BAD_ARGUMENT, "RMSProp's decay %g is not in [0, 1)", settings.decay);
    if (!(settings.epsilon > 0.0) || !isfinite(settings.epsilon))
        return error_set(error, NLM_BAD_ARGUMENT, "RMSProp's epsilon %g is not above 0", settings.epsilon);
    if (!(settings.first >= 0.0) || !isfinite(settings.first))
        return error_set(error, NLM_BAD_ARGUMENT, "RMSProp's averages cannot begin with %g", settings.first);
    const nlm_adam same = {.rate = settings.rate, .beta2 = settings.decay, .epsilon = settings.epsilon};
    return new_optimizer(machine, OPTIMIZER_RMSPROP, same, settings.first, optimizer, error);
}

void nlm_optimizer_free(nlm_optimizer *o)
{
    if (!o)
        return;
    memory_free(o->mean);
    memory_free(o->square);
    memory_free(o);
}

/* RMSProp's averages may begin above 0, which makes its first steps small. */
void optimizer_reset(nlm_optimizer *o)
{
    o->steps = 0;
    for (size_t i = 0; o->kind != OPTIMIZER_SGD && i < o->machine->parameters; i++) {
        o->mean[i] = 0.0f;
        o->square[i] = (float)o->first;
    }
}

/* Moments stay: only the size of the next steps changes. */
void nlm_optimizer_set_rate(nlm_optimizer *o, double rate)
{
    o->settings.rate = rate;
}

/* The kernel does the arithmetic; the corrections 1 / (1 - beta^n) are computed here, in double. */
static void step_adam(const nlm_optimizer *o, nlm_machine *m)
{
    const nlm_adam *s = &o->settings;
    struct kernel_adam settings = {
        .rate = (float)s->rate,
        .beta1 = (float)s->beta1,
        .beta2 = (float)s->beta2,
        .epsilon = (float)s->epsilon,
        .correction1 = (float)(1.0 / (1.0 - pow(s->beta1, (double)o->steps))),
        .correction2 = (float)(1.0 / (1.0 - pow(s->beta2, (double)o->steps))),
    };
    m->kernels->adam(&settings, m->values, m->gradients, o->mean, o->square, m->parameters);
}

/* Gradients are read and left as they are; the caller clears them.  RMSProp has epsilon under the root, as
 * differentiable ILP's authors have it. */
void nlm_optimizer_step(nlm_optimizer *o)
{
    nlm_machine *m = o->machine;
    const float rate = (float)o->settings.rate, decay = (float)o->settings.beta2;
    const float epsilon = (float)o->settings.epsilon;
    /* counted before, so that the first step is n = 1 in the corrections */
    o->steps++;
    if (o->kind == OPTIMIZER_ADAM)
        step_adam(o, m);
    for (size_t i = 0; o->kind == OPTIMIZER_SGD && i < m->parameters; i++)
        m->values[i] -= rate * m->gradients[i];
    for (size_t i = 0; o->kind == OPTIMIZER_RMSPROP && i < m->parameters; i++) {
        const float gradient = m->gradients[i];
        o->square[i] += (1.0f - decay) * (gradient * gradient - o->square[i]);
        m->values[i] -= rate * gradient / sqrtf(o->square[i] + epsilon);
    }
}
