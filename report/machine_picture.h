/* A machine as a picture: a column for each layer, a row for each arity, a cell for each predicate. */
#ifndef REPORT_MACHINE_PICTURE_H
#define REPORT_MACHINE_PICTURE_H

#include "report/liveness.h"
#include "report/page.h"

/* The figure with its legend; `worlds` names what it was asked about: "3 test worlds of 20 objects". */
void machine_picture_put(page *p, nlm_machine *machine, const liveness *of, const char *worlds);

#endif
