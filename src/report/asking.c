/* A machine on a few worlds. */
#include "report/asking.h"

#include "base/error.h"

#define MEMORY_MOST 1e9 /* bytes that a world of a report may take */

nlm_status asking_begin(asking *of, nlm_machine *machine, bool whole, nlm_error *error)
{
    *of = (asking){.machine = machine, .options = {.lifting = whole ? NLM_CLASSES : NLM_LIFT}};
    nlm_status status = nlm_batch_for(machine, &of->batch, error);
    if (!status)
        status = nlm_structure_new(&of->structure, error);
    return status ? status : nlm_pass_new(machine, &of->pass, error);
}

void asking_end(asking *of)
{
    nlm_pass_free(of->pass);
    nlm_structure_free(of->structure);
    nlm_batch_free(of->batch);
    *of = (asking){0};
}

nlm_status asking_fits(const nlm_machine *machine, int objects, nlm_error *error)
{
    if (nlm_structure_memory(machine, objects) > MEMORY_MOST)
        return error_set(error, NLM_BAD_SHAPE, "a world of %d objects is too large for a report", objects);
    return NLM_OK;
}

nlm_status asking_add(asking *of, const nlm_world *world, nlm_error *error)
{
    const nlm_status status = asking_fits(of->machine, nlm_world_objects(world), error);
    return status ? status : nlm_batch_add_world(of->batch, world, error);
}

nlm_status asking_ask(asking *of, nlm_error *error)
{
    nlm_status status = nlm_structure_build(of->structure, of->machine, of->batch, &of->options, error);
    return status ? status : nlm_pass_forward(of->pass, of->structure, false, error);
}
