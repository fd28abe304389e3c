/* nlm rules --alternatives. */
#ifndef CLI_RULES_ALTERNATIVES_H
#define CLI_RULES_ALTERNATIVES_H

#include "nlm/nlm.h"

/* As clauses with comments or, with `json`, one JSON object a line. */
nlm_status print_alternatives(const char *model, const nlm_machine *machine, bool json, nlm_error *error);

#endif
