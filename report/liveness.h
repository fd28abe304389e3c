/* Which predicates of a machine are alive.
 *
 * A predicate of a unit is dead if its values over all tuples of the worlds it was asked about differ by less
 * than 0.01, so that it tells nothing apart there; or if no weight by which later units or heads read it is
 * larger than 1e-6.  All others are alive. */
#ifndef REPORT_LIVENESS_H
#define REPORT_LIVENESS_H

#include "nlm/pass.h"

#define LIVENESS_RANGE 0.01f
#define LIVENESS_WEIGHT 1e-6f

/* Predicate `number` of unit (layer, arity); layer 0 has the inputs. */
typedef struct liveness {
    int worlds;                                        /* it was asked about; 0: values were not looked at */
    int first[NLM_MAX_DEPTH + 1][NLM_MAX_BREADTH + 1]; /* where those of a unit begin */
    bool *alive;
} liveness;

/* With the pass of a machine that keeps the values of all units (NLM_CLASSES) or, with `worlds` 0, by weights
 * alone. */
nlm_status liveness_find(liveness *found, nlm_machine *machine, const nlm_pass *pass, int worlds,
                         nlm_error *error);
void liveness_release(liveness *of);

static inline bool liveness_at(const liveness *of, int layer, int arity, int number)
{
    return of->alive[of->first[layer][arity] + number];
}

#endif
