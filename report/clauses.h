/* The program that a machine has learned, clause by clause. */
#ifndef REPORT_CLAUSES_H
#define REPORT_CLAUSES_H

#include "nlm/machine.h"
#include "report/page.h"

/* A table of the clauses that are likely enough to be read off, with their probabilities.  For machines that
 * have clauses; `label` is any text. */
nlm_status clauses_put(page *p, const nlm_machine *machine, const char *label, nlm_error *error);

#endif
