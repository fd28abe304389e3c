/* Boolean functions of a few inputs: the fewest conjunctions that are true where the function is. */
#ifndef LOGIC_COVER_H
#define LOGIC_COVER_H

#include <stdbool.h>
#include <stdint.h>
#include "base/memory.h"

enum { COVER_INPUTS = 16 };

/* Inputs in `care` have the value of their bit in `value`; the others do not matter. */
typedef struct cover_term {
    uint32_t value, care;
} cover_term;

/* The rows where the function is true, bit i of a row being input i, covered by prime implicants: essential
 * ones first, then those that cover most.  `truth` has 2^inputs entries.  `terms` becomes an array of
 * cover_term; the result is their number, or -1 without memory. */
int cover_find(const bool *truth, int inputs, buffer *terms);
/* All prime implicants. */
int cover_primes(const bool *truth, int inputs, buffer *terms);

#endif
