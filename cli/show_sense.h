/* What nlm show tells about the sense of a machine. */
#ifndef CLI_SHOW_SENSE_H
#define CLI_SHOW_SENSE_H

#include "nlm/nlm.h"

/* A sense by the name that people know it by. */
const char *show_sense_title(const char *name);
/* How many numbers its tensors have. */
size_t show_sense_parameters(nlm_machine *machine);
/* A table of its tensors; nothing if the machine has no sense. */
void show_sense_tensors(nlm_machine *machine);

#endif
