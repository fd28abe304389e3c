/* Optimisers: Adam with bias correction, and plain gradient descent. */
#include "machine/optimizer.h"

#include <math.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "machine/machine.h"

static nlm_status new_optimizer(nlm_machine *machine, bool adam, nlm_adam settings, nlm_optimizer **optimizer,
                                nlm_error *error)
{
    *optimizer = NULL;
    if (!(settings.rate >= 0.0) || !isfinite(settings.rate))
        return error_set(error, NLM_BAD_ARGUMENT, "learning rate %g is not a finite number of at least 0",
                         settings.rate);
    nlm_optimizer *o = memory_new(1, sizeof *o);
    if (!o)
        return error_no_memory(error);
    o->machine = machine;
    o->adam = adam;
    o->settings = settings;
    if (adam) {
        o->mean = memory_new(machine->parameters, sizeof(float));
        o->square = memory_new(machine->parameters, sizeof(float));
    }
    if (adam && (!o->mean || !o->square)) {
        nlm_optimizer_free(o);
        return error_no_memory(error);
    }
    *optimizer = o;
    return NLM_OK;
}

nlm_status nlm_adam_new(nlm_machine *machine, nlm_adam settings, nlm_optimizer **optimizer, nlm_error *error)
{
    *optimizer = NULL;
    if (!(settings.beta1 >= 0.0 && settings.beta1 < 1.0 && settings.beta2 >= 0.0 && settings.beta2 < 1.0))
        return error_set(error, NLM_BAD_ARGUMENT, "Adam's betas %g and %g are not in [0, 1)", settings.beta1,
                         settings.beta2);
    if (!(settings.epsilon > 0.0) || !isfinite(settings.epsilon))
        return error_set(error, NLM_BAD_ARGUMENT, "Adam's epsilon %g is not above 0", settings.epsilon);
    return new_optimizer(machine, true, settings, optimizer, error);
}

nlm_status nlm_sgd_new(nlm_machine *machine, double rate, nlm_optimizer **optimizer, nlm_error *error)
{
    return new_optimizer(machine, false, (nlm_adam){.rate = rate}, optimizer, error);
}

void nlm_optimizer_free(nlm_optimizer *o)
{
    if (!o)
        return;
    memory_free(o->mean);
    memory_free(o->square);
    memory_free(o);
}

void optimizer_reset(nlm_optimizer *o)
{
    o->steps = 0;
    if (!o->adam)
        return;
    memset(o->mean, 0, o->machine->parameters * sizeof *o->mean);
    memset(o->square, 0, o->machine->parameters * sizeof *o->square);
}

void nlm_optimizer_set_rate(nlm_optimizer *o, double rate)
{
    o->settings.rate = rate;
}

void nlm_optimizer_step(nlm_optimizer *o)
{
    nlm_machine *m = o->machine;
    o->steps++;
    if (!o->adam) {
        for (size_t i = 0; i < m->parameters; i++)
            m->values[i] -= (float)o->settings.rate * m->gradients[i];
        return;
    }
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
