/* What a model has learned: the picture of a machine, with a column for each layer, a row for each arity and
 * a cell for each predicate; or the program of a model that has clauses. */
#ifndef REPORT_MACHINE_PICTURE_H
#define REPORT_MACHINE_PICTURE_H

#include "report/liveness.h"
#include "report/page.h"

/* The figure with its legend; `worlds` names what it was asked about: "3 test worlds of 20 objects". */
void machine_picture_put(page *p, nlm_machine *machine, const liveness *of, const char *worlds);

/* A table of the clauses that are likely enough to be read off, with their probabilities.  For machines that
 * have clauses; `label` is any text. */
nlm_status clauses_put(page *p, const nlm_machine *machine, const char *label, nlm_error *error);

#endif
