/* Worlds that a report asks a machine about. */
#include "report/asking.h"

#include "report/storage.h"

#define MEMORY_MOST 1e9 /* bytes that a world of a report may take */

nlm_status asking_new(nlm_machine *machine, bool whole, nlm_evaluator **evaluator, nlm_error *error)
{
    const nlm_options options = {.lifting = whole ? NLM_CLASSES : NLM_LIFT};
    return nlm_evaluator_new(machine, &options, evaluator, error);
}

nlm_status asking_fits(const nlm_machine *machine, int objects, nlm_error *error)
{
    if (nlm_structure_memory(machine, objects) > MEMORY_MOST)
        return report_fail(error, NLM_BAD_SHAPE, "a world of %d objects is too large for a report", objects);
    return NLM_OK;
}

nlm_status asking_add(nlm_evaluator *evaluator, const nlm_machine *machine, const nlm_world *world,
                      nlm_error *error)
{
    const nlm_status status = asking_fits(machine, nlm_world_objects(world), error);
    return status ? status : nlm_evaluator_add(evaluator, world, error);
}
