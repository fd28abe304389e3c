/* Worlds of a report through a machine. */
#include "report/evaluate.h"

#include "report/storage.h"

#define MEMORY_MOST 1e9 /* bytes that a world of a report may take */

nlm_status evaluate_too_large(int objects, nlm_error *error)
{
    return report_fail(error, NLM_BAD_SHAPE, "a world of %d objects is too large for a report", objects);
}

nlm_status evaluate_fits(const nlm_machine *machine, int objects, nlm_error *error)
{
    return nlm_structure_memory(machine, objects) > MEMORY_MOST ? evaluate_too_large(objects, error) : NLM_OK;
}

nlm_status evaluate_world(nlm_machine *machine, const nlm_world *world, nlm_evaluator **evaluator,
                          nlm_error *error)
{
    *evaluator = NULL;
    nlm_status status = evaluate_fits(machine, nlm_world_objects(world), error);
    if (!status)
        status = nlm_evaluator_new(machine, NULL, evaluator, error);
    if (!status)
        status = nlm_evaluator_add(*evaluator, world, error);
    return status ? status : nlm_evaluator_run(*evaluator, false, error);
}
