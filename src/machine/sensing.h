/* The machine of a program behind the network of another: objects show pictures, and the program reads what
 * the network sees, as 0 or 1. */
#ifndef MACHINE_SENSING_H
#define MACHINE_SENSING_H

#include "nlm/machine.h"

/* Units and heads of `units`, whose first unary inputs are the sense's; the sense of `from`, from the logits
 * of whose outputs bound[k] is subtracted, and which are then multiplied by 2^20: an output is exactly 0 or 1
 * unless its logit was within 0.0001 of its bound. */
nlm_status machine_with_sense(const nlm_machine *units, const nlm_machine *from, const float *bound,
                              nlm_machine **made, nlm_error *error);

#endif
