/* bias.pl as it is written: the predicates of a signature, with their types and constants. */
#ifndef FACTS_BIAS_WRITE_H
#define FACTS_BIAS_WRITE_H

#include "facts/output.h"
#include "facts/signature.h"

/* Whether predicate number i of a side is declared. */
typedef bool (*bias_filter)(const void *context, int side, int i);

void bias_write(output *out, const nlm_signature *signature, bias_filter counts, const void *context);

#endif
