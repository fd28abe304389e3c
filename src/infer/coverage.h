/* What other programs that agree with a model's examples say about a world: its alternatives, and the two
 * that its program lies between while rows that were never seen are open (logic/seen_rows.h).
 *
 * Their formulas are in one store, so that what they have in common is computed once, as tables of bits
 * (logic/truth.h).  What is kept is a bit for each program and tuple. */
#ifndef INFER_COVERAGE_H
#define INFER_COVERAGE_H

#include <stdint.h>
#include "nlm/alternatives.h"

typedef struct coverage coverage;

enum { COVERAGE_LEAST = 32, COVERAGE_MOST }; /* bits of the two; those of alternatives are before */

/* NULL for a model that has neither. */
nlm_status coverage_new(const nlm_machine *machine, const char *name, coverage **made, nlm_error *error);
void coverage_free(coverage *of);
/* Another world.  One that may take more than so many bytes is not known, which is no error. */
nlm_status coverage_ask(coverage *of, const nlm_world *world, double memory, nlm_error *error);
bool coverage_is_known(const coverage *of);
/* Whether no other program is there that could differ. */
bool coverage_is_trivial(const coverage *of);
const nlm_alternatives *coverage_alternatives(const coverage *of);
/* The alternatives of a target: numbers from *first on, *count of them. */
void coverage_range(const coverage *of, int target, int *first, int *count);
/* Bit i: alternative *first + i, or one of the two, differs from that answer about a tuple. */
uint64_t coverage_differ(const coverage *of, int target, size_t tuple, bool concluded);
/* What no example had and this world has, in words: number 0, 1, ... of a target; NULL: no more. */
const char *coverage_case(const coverage *of, int target, int number);

#endif
