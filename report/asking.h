/* Worlds that a report asks a machine about: none may take more memory than a page is worth. */
#ifndef REPORT_ASKING_H
#define REPORT_ASKING_H

#include "nlm/evaluator.h"
#include "nlm/facts.h"

/* `whole`: every unit's values are kept, none is computed on the fly. */
nlm_status asking_new(nlm_machine *machine, bool whole, nlm_evaluator **evaluator, nlm_error *error);
/* NLM_BAD_SHAPE if a world of so many objects takes more memory than a report should. */
nlm_status asking_fits(const nlm_machine *machine, int objects, nlm_error *error);
/* A world to be asked about, if it fits. */
nlm_status asking_add(nlm_evaluator *evaluator, const nlm_machine *machine, const nlm_world *world,
                      nlm_error *error);

#endif
