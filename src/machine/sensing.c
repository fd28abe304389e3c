#include "machine/sensing.h"
#include <string.h>
#include "base/error.h"
#include "machine/machine.h"

#define STEEPNESS 0x1p20f /* a power of 2: the sums before the sigmoid keep their bits */

nlm_status machine_with_sense(const nlm_machine *units, const nlm_machine *from, const float *bound,
                              nlm_machine **made, nlm_error *error)
{
    const struct sense *sense = from->plan.sense;
    nlm_spec spec = *nlm_machine_spec(units);
    *made = NULL;
    if (!sense)
        return error_set(error, NLM_BAD_ARGUMENT, "the machine has no sense");
    spec.sense = sense->name;
    const nlm_status status = nlm_machine_new(&spec, units->heads, units->head_count, made, error);
    if (status)
        return status;
    nlm_machine *machine = *made;
    const size_t own = machine->tensors[machine->sense_tensor].offset;
    INVARIANT(own == units->parameters);
    memcpy(machine->values, units->values, own * sizeof *machine->values);
    memcpy(machine->values + own, from->values + from->tensors[from->sense_tensor].offset,
           (machine->parameters - own) * sizeof *machine->values);
    const struct machine_tensor *bias = &machine->tensors[machine->sense_tensor + sense->last + 1];
    for (int k = 0; k < sense->predicates; k++)
        machine->values[bias->offset + (size_t)k] -= bound[k];
    for (int part = 0; part < 2; part++) { /* weights and biases */
        const struct machine_tensor *tensor = &machine->tensors[machine->sense_tensor + sense->last + part];
        for (size_t i = 0; i < tensor->count; i++)
            machine->values[tensor->offset + i] *= STEEPNESS;
    }
    return NLM_OK;
}
