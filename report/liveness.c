/* Which predicates of a machine are alive. */
#include "report/liveness.h"

#include <math.h>
#include <string.h>
#include "report/storage.h"

/* ---- who reads a predicate ---- */

/* A column of a tensor reads a predicate if any of its weights counts. */
static void mark_read(liveness *of, const nlm_tensor *weight, int column, const nlm_column *read)
{
    bool *alive = &of->alive[of->first[read->layer][read->arity] + read->predicate];
    for (int row = 0; row < weight->shape[0] && !*alive; row++)
        *alive =
            fabsf(weight->values[(size_t)row * (size_t)weight->shape[1] + (size_t)column]) > LIVENESS_WEIGHT;
}

/* What units and heads read by a weight that counts; without heads, the last layer. */
static void mark_used(liveness *of, nlm_machine *machine)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    nlm_column read;
    for (int i = 1; i <= spec->depth; i++)
        for (int r = 0; r <= spec->breadth; r++)
            for (int c = 0; nlm_unit_column(machine, i, r, c, &read); c++) {
                const nlm_tensor weight = nlm_machine_tensor(machine, nlm_unit_tensor(machine, i, r));
                mark_read(of, &weight, c, &read);
            }
    for (int h = 0; h < nlm_machine_heads(machine); h++)
        for (int c = 0; nlm_head_column(machine, h, c, &read); c++) {
            const nlm_tensor weight = nlm_machine_tensor(machine, nlm_head_tensor(machine, h));
            mark_read(of, &weight, c, &read);
        }
    for (int r = 0; nlm_machine_heads(machine) == 0 && r <= spec->breadth; r++)
        memset(of->alive + of->first[spec->depth][r], true, (size_t)nlm_unit_width(machine, spec->depth, r));
}

/* ---- what values it has ---- */

/* Those that are the same everywhere are dead; so are those of units that are not computed. */
static nlm_status look_at_values(liveness *of, const nlm_machine *machine, const nlm_pass *pass,
                                 nlm_error *error)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    float least[NLM_MAX_WIDTH], most[NLM_MAX_WIDTH];
    nlm_status status = NLM_OK;
    for (int i = 0; i <= spec->depth && !status; i++)
        for (int r = 0; r <= spec->breadth && !status; r++) {
            bool *alive = of->alive + of->first[i][r];
            const int width = nlm_unit_width(machine, i, r);
            bool any = false;
            for (int n = 0; n < width; n++)
                any = any || alive[n];
            if (any)
                status = nlm_pass_range(pass, i, r, least, most, error);
            for (int n = 0; any && n < width && !status; n++)
                alive[n] = alive[n] && most[n] - least[n] >= LIVENESS_RANGE;
        }
    return status;
}

nlm_status liveness_find(liveness *found, nlm_machine *machine, const nlm_pass *pass, int worlds,
                         nlm_error *error)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    int count = 0;
    *found = (liveness){.worlds = worlds};
    for (int i = 0; i <= spec->depth; i++)
        for (int r = 0; r <= spec->breadth; r++) {
            found->first[i][r] = count;
            count += nlm_unit_width(machine, i, r);
        }
    found->alive = storage_new((size_t)count + 1, sizeof *found->alive);
    if (!found->alive)
        return report_no_memory(error);
    mark_used(found, machine);
    return worlds > 0 ? look_at_values(found, machine, pass, error) : NLM_OK;
}

void liveness_release(liveness *of)
{
    free(of->alive);
    *of = (liveness){0};
}
