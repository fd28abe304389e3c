/* Optimisers, inside the library: their state, so that a run can be stopped and taken up again.
 *
 * An optimiser reads the machine's gradients and changes its values, nothing else; clearing gradients is up
 * to the caller.  All parameters are treated alike. */
#ifndef MACHINE_OPTIMIZER_H
#define MACHINE_OPTIMIZER_H

#include "nlm/machine.h"

enum optimizer_kind { OPTIMIZER_SGD, OPTIMIZER_ADAM, OPTIMIZER_RMSPROP };

/* The state of any optimiser.  A checkpoint keeps steps, mean and square; settings come from the run.  The
 * machine is the caller's and must outlive it. */
struct nlm_optimizer {
    nlm_machine *machine;
    enum optimizer_kind kind;
    nlm_adam settings; /* for gradient descent only the rate counts, for RMSProp beta2 is the decay */
    double first;      /* of `square` */
    long steps;
    float *mean, *square; /* moments, parallel to the parameters; RMSProp has only squares */
};

/* As it was before its first step. */
void optimizer_reset(nlm_optimizer *optimizer);

#endif
