/* bias.pl: which predicates are heads and bodies, and the types of their places. */
#ifndef FACTS_BIAS_H
#define FACTS_BIAS_H

#include "facts/draft.h"

/* Read the text of a bias.pl, which must be ended by 0, into the draft. */
nlm_status bias_read(draft *in, char *text, size_t size, const char *file, nlm_error *error);

#endif
