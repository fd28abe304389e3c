/* Which predicates of a machine are alive. */
#include "report/liveness.h"

#include <math.h>
#include "base/error.h"
#include "machine/machine.h"
#include "machine/pass.h"

/* ---- who reads a predicate ---- */

static bool any_weight(const nlm_machine *machine, int tensor, size_t column)
{
    const struct machine_tensor *weight = &machine->tensors[tensor];
    const size_t columns = (size_t)weight->shape[1];
    for (size_t row = 0; row < (size_t)weight->shape[0] && column < columns; row++)
        if (fabsf(machine->values[weight->offset + row * columns + column]) > LIVENESS_WEIGHT)
            return true;
    return false;
}

/* Whether unit (layer, arity) uses predicate `place` of the group of arity `from` below it. */
static bool unit_uses(const nlm_machine *machine, int layer, int arity, int from, int place)
{
    const struct plan *plan = &machine->plan;
    const int expand = plan_expand_width(plan, layer, arity), own = plan_own_width(plan, layer, arity);
    const int columns = expand + own + 2 * plan_reduce_width(plan, layer, arity);
    const int tensor = machine->unit_tensor[layer][arity];
    const int first = from < arity ? place : from == arity ? expand + place : expand + own + 2 * place;
    for (int order = 0; order < plan->orders[arity].count; order++)
        for (int k = 0; k < (from > arity ? 2 : 1); k++)
            if (any_weight(machine, tensor, (size_t)(order * columns + first + k)))
                return true;
    return false;
}

static bool head_uses(const nlm_machine *machine, int head, int place)
{
    const nlm_head_spec *spec = &machine->heads[head];
    const int width = machine->plan.group[machine->plan.spec.depth][machine_head_group(spec)];
    for (int part = 0; part < machine_head_parts(spec); part++)
        if (any_weight(machine, machine->head_tensor[head], (size_t)(part * width + place)))
            return true;
    return false;
}

/* Twin heads also read the inputs of pairs, apart from groups. */
static bool is_read_by_twins(const nlm_machine *machine, int layer, int arity)
{
    for (int h = 0; h < machine->head_count; h++)
        if (machine->heads[h].twins && layer == 0 && arity == 2)
            return true;
    return false;
}

static bool is_used(const nlm_machine *machine, int layer, int arity, int number)
{
    const struct plan *plan = &machine->plan;
    if (is_read_by_twins(machine, layer, arity))
        return true;
    for (int i = layer; i <= plan->spec.depth && plan_first_block(plan, i) <= layer; i++) {
        const int place = plan_block_offset(plan, i, arity, layer) + number;
        for (int r = arity - 1; r <= arity + 1 && i < plan->spec.depth; r++)
            if (r >= 0 && r <= plan->spec.breadth && plan_unit_live(plan, i + 1, r) &&
                unit_uses(machine, i + 1, r, arity, place))
                return true;
        for (int h = 0; h < machine->head_count && i == plan->spec.depth; h++)
            if (machine_head_group(&machine->heads[h]) == arity && head_uses(machine, h, place))
                return true;
    }
    return machine->head_count == 0 && layer == plan->spec.depth;
}

/* ---- what values it has ---- */

static bool varies(const struct value_table *block, int number)
{
    float least = INFINITY, most = -INFINITY;
    for (size_t row = 0; row < block->rows; row++) {
        const float value = block->values[row * (size_t)block->stride + (size_t)number];
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    return most - least >= LIVENESS_RANGE;
}

static bool is_computed(const struct plan *plan, int layer, int arity)
{
    return layer == 0 ? plan->live[0][arity] : plan_unit_live(plan, layer, arity);
}

nlm_status liveness_find(liveness *found, const asking *of, int worlds, nlm_error *error)
{
    const nlm_machine *machine = of->machine;
    const struct plan *plan = &machine->plan;
    int count = 0;
    *found = (liveness){.worlds = worlds};
    for (int i = 0; i <= plan->spec.depth; i++)
        for (int r = 0; r <= plan->spec.breadth; r++) {
            found->first[i][r] = count;
            count += plan->block[i][r];
        }
    found->alive = memory_new((size_t)count + 1, sizeof *found->alive);
    if (!found->alive)
        return error_no_memory(error);
    for (int i = 0; i <= plan->spec.depth; i++)
        for (int r = 0; r <= plan->spec.breadth; r++)
            for (int n = 0; n < plan->block[i][r] && is_computed(plan, i, r); n++)
                found->alive[found->first[i][r] + n] =
                    is_used(machine, i, r, n) && (worlds == 0 || varies(&of->pass->blocks[i][r], n));
    return NLM_OK;
}

void liveness_release(liveness *of)
{
    memory_free(of->alive);
    *of = (liveness){0};
}
