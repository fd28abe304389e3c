/* What nlm show tells about networks beside the machine's own units: senses, and other models. */
#ifndef CLI_SHOW_TENSORS_H
#define CLI_SHOW_TENSORS_H

#include "nlm/nlm.h"

/* A sense by the name that people know it by. */
const char *show_sense_title(const char *name);
/* How many numbers its tensors have. */
size_t show_sense_parameters(nlm_machine *machine);
/* A table of its tensors; nothing if the machine has no sense. */
void show_sense_tensors(nlm_machine *machine);

/* Of a machine of another model: what it is, in a line or more, and a table of its tensors. */
void show_model(const nlm_spec *spec);
void show_model_tensors(nlm_machine *machine);

#endif
