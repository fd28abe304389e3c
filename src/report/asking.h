/* A machine on a few worlds of its own: to look at its conclusions, or at what its units make of them. */
#ifndef REPORT_ASKING_H
#define REPORT_ASKING_H

#include "nlm/facts.h"
#include "nlm/play.h"

typedef struct asking {
    nlm_machine *machine;
    nlm_options options;
    nlm_batch *batch;
    nlm_structure *structure;
    nlm_pass *pass;
} asking;

/* `whole`: every unit's values are kept, none is computed on the fly.  To be ended whatever the status. */
nlm_status asking_begin(asking *of, nlm_machine *machine, bool whole, nlm_error *error);
void asking_end(asking *of);
/* NLM_BAD_SHAPE if a world of so many objects takes more memory than a report should. */
nlm_status asking_fits(const nlm_machine *machine, int objects, nlm_error *error);
/* A world to be asked about, if it fits. */
nlm_status asking_add(asking *of, const nlm_world *world, nlm_error *error);
/* Compute, after all worlds are added. */
nlm_status asking_ask(asking *of, nlm_error *error);

#endif
