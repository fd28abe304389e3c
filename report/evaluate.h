/* Worlds of a report through a machine: none may take more memory than a page is worth. */
#ifndef REPORT_EVALUATE_H
#define REPORT_EVALUATE_H

#include "nlm/evaluator.h"

/* The error NLM_BAD_SHAPE that says so. */
nlm_status evaluate_too_large(int objects, nlm_error *error);
/* That error if a world of so many objects takes more memory than a report should. */
nlm_status evaluate_fits(const nlm_machine *machine, int objects, nlm_error *error);
/* A new evaluator that has run on the world, if it fits; to be freed whatever the status. */
nlm_status evaluate_world(nlm_machine *machine, const nlm_world *world, nlm_evaluator **evaluator,
                          nlm_error *error);

#endif
