/* Clauses that a machine has learned, for people to read.  Only models made of clauses (dilp) have them. */
#include "base/error.h"
#include "machine/machine.h"

nlm_status nlm_machine_clauses(const nlm_machine *m, double least, nlm_clause_listener listener,
                               void *context, nlm_error *error)
{
    REQUIRE(m && listener, error);
    const struct baseline *baseline = m->plan.baseline;
    if (!baseline || !baseline->rules)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "a machine of the model '%s' has no clauses to print: only those of 'dilp' have",
                         baseline ? baseline->name : "nlm");
    return baseline->rules(m->model, m->values, least, listener, context, error);
}
