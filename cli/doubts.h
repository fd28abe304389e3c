/* Labels that a model contradicts: they look wrong, if the model is right. */
#ifndef CLI_DOUBTS_H
#define CLI_DOUBTS_H

#include <stdbool.h>
#include "nlm/nlm.h"

/* In one line the first of them; nothing if there are none.  False with an error line. */
bool doubts_print_first(const char *model, const nlm_problem *problem, const nlm_options *options);
/* All of them, a line each, or as members of a JSON object: "labels": 200, "wrong": [...]. */
bool doubts_print_all(nlm_machine *machine, const char *model, const nlm_problem *problem,
                      const nlm_options *options, bool json);

#endif
