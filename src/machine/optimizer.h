/* Optimisers, inside the library: their state, so that a run can be stopped and taken up again. */
#ifndef MACHINE_OPTIMIZER_H
#define MACHINE_OPTIMIZER_H

#include "nlm/machine.h"

struct nlm_optimizer {
    nlm_machine *machine;
    bool adam;
    nlm_adam settings; /* for gradient descent only the rate counts */
    long steps;
    float *mean, *square; /* Adam's moments, parallel to the parameters */
};

/* As it was before its first step. */
void optimizer_reset(nlm_optimizer *optimizer);

#endif
