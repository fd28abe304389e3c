/* What the alternatives of a model's program say about a world.
 *
 * They are machines, as many in one as a machine has heads; one after the other is asked, and what is kept is
 * a bit for each alternative and tuple.  So a world takes no more memory at a time than for a model of this
 * size. */
#ifndef INFER_COVERAGE_H
#define INFER_COVERAGE_H

#include <stdint.h>
#include "nlm/alternatives.h"
#include "nlm/evaluator.h"

typedef struct coverage coverage;

/* NULL for a model without alternatives. */
nlm_status coverage_new(const nlm_machine *machine, const char *name, const nlm_options *options,
                        coverage **made, nlm_error *error);
void coverage_free(coverage *of);
/* Another world.  One that takes more than so many bytes is not known, which is no error. */
nlm_status coverage_ask(coverage *of, const nlm_world *world, double memory, nlm_error *error);
bool coverage_is_known(const coverage *of);
const nlm_alternatives *coverage_alternatives(const coverage *of);
/* The alternatives of a target: numbers from *first on, *count of them. */
void coverage_range(const coverage *of, int target, int *first, int *count);
/* Bit i: alternative *first + i differs from that answer about a tuple. */
uint32_t coverage_differ(const coverage *of, int target, size_t tuple, bool concluded);

#endif
