/* Model files, inside the library: shared by reading (model_load.c) and writing (model_save.c).
 *
 * Metadata values are JSON in texts: depth, breadth, inputs, width, hidden, residual, and what only this
 * library writes: format, outputs, heads, widths (with own widths), sense (where there is one; a plain name),
 * model (where it is another than the machine's own; a plain name), program (of that, where it has one).
 * All other pairs are the user's.  Those given to nlm_machine_save replace the ones that the machine was
 * loaded with; without any, these are written again. */
#ifndef MACHINE_MODEL_FILE_H
#define MACHINE_MODEL_FILE_H

#include <stdbool.h>
#include "machine/safetensors.h"
#include "nlm/machine.h"

/* Another text is another version's, and refused. */
#define MODEL_FORMAT_TEXT "nlm 1"

/* Keys that the library writes itself; users' pairs cannot have these names.  Optional ones come last. */
enum {
    KEY_FORMAT,
    KEY_DEPTH,
    KEY_BREADTH,
    KEY_INPUTS,
    KEY_WIDTH,
    KEY_HIDDEN,
    KEY_RESIDUAL,
    KEY_OUTPUTS,
    KEY_HEADS,
    KEY_WIDTHS,
    KEY_SENSE,
    KEY_MODEL,
    KEY_PROGRAM,
    KEY_CHECKSUM, /* written by safetensors_write */
    KEYS
};
extern const char *const model_own_keys[KEYS];

/* Helpers of both sides. */
bool model_is_own_key(const char *key);
bool model_all_finite(const float *values, size_t count);

/* A machine from safetensors that are already in memory.  `name` stands for the file in messages.  The
 * machine keeps nothing of the file. */
nlm_status machine_from_safetensors(const safetensors *file, const char *name, nlm_machine **machine,
                                    nlm_error *error);
/* nlm_machine_save with further tensors, which readers of models ignore. */
nlm_status machine_save_with(nlm_machine *machine, const char *path, const char *const *metadata, int pairs,
                             const safetensors_entry *more, int more_count, nlm_error *error);

#endif
