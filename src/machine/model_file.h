/* Model files, inside the library: a machine from safetensors that are already in memory. */
#ifndef MACHINE_MODEL_FILE_H
#define MACHINE_MODEL_FILE_H

#include "machine/safetensors.h"
#include "nlm/machine.h"

/* `name` stands for the file in messages.  The machine keeps nothing of the file. */
nlm_status machine_from_safetensors(const safetensors *file, const char *name, nlm_machine **machine,
                                    nlm_error *error);

#endif
