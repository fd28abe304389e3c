/* What the columns of weights read, and values of single units: for those who look into a machine.
 *
 * Reports and tools use these to name the inputs of a weight ("exists z: layer 1, predicate 3 of (y, x, z)")
 * and to find predicates that do nothing (docs/maths.md, section 11).  Nothing of learning or inference
 * depends on it.
 *
 * The layout of columns is the paper's (machine.c).  pack.c has the same knowledge in the other direction: it
 * goes from what is read to the place in W. */
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "machine/pass.h"

/* Callers may ask about any numbers. */
static bool has_block(const nlm_machine *m, int layer, int arity)
{
    return layer >= 0 && layer <= m->plan.spec.depth && arity >= 0 && arity <= m->plan.spec.breadth;
}

int nlm_unit_width(const nlm_machine *m, int layer, int arity)
{
    return has_block(m, layer, arity) ? m->plan.block[layer][arity] : 0;
}

/* The first tensor of a unit, its first weight; -1 for a unit that has no parameters. */
int nlm_unit_tensor(const nlm_machine *m, int layer, int arity)
{
    return nlm_machine_unit_live(m, layer, arity) ? m->unit_tensor[layer][arity] : -1;
}

/* Of another model's heads the columns are no predicates. */
int nlm_head_tensor(const nlm_machine *m, int head)
{
    return head >= 0 && head < m->head_count && !m->plan.baseline ? m->head_tensor[head] : -1;
}

/* Predicate `place` of group (layer, arity) is one of block (column->layer, arity). */
static void find_block(const struct plan *plan, int layer, int arity, int place, nlm_column *column)
{
    /* blocks of a group follow each other, oldest first; without residual there is one */
    int block = plan_first_block(plan, layer);
    while (place >= plan_block_offset(plan, layer, arity, block) + plan->block[block][arity])
        block++;
    column->layer = block;
    column->arity = arity;
    column->predicate = place - plan_block_offset(plan, layer, arity, block);
}

/* Each order has Concat(Expand, Own, Reduce); a reduced predicate has its maximum, then its minimum.  Block
 * pi of the columns meets the tuple in order inverse(pi), and that is the order that is reported. */
bool nlm_unit_column(const nlm_machine *m, int layer, int arity, int number, nlm_column *column)
{
    const struct plan *plan = &m->plan;
    const int tensor = nlm_unit_tensor(m, layer, arity);
    if (tensor < 0 || number < 0 || number >= m->tensors[tensor].shape[1])
        return false;
    const int expand = plan_expand_width(plan, layer, arity), own = plan_own_width(plan, layer, arity);
    const int columns = expand + own + 2 * plan_reduce_width(plan, layer, arity), at = number % columns;
    *column = (nlm_column){.order = plan->orders[arity].inverse[number / columns]};
    if (at < expand) {
        column->operation = NLM_EXPAND;
        find_block(plan, layer - 1, arity - 1, at, column);
    } else if (at < expand + own) {
        column->operation = NLM_OWN;
        find_block(plan, layer - 1, arity, at - expand, column);
    } else {
        column->operation = (at - expand - own) % 2 ? NLM_FORALL : NLM_EXISTS;
        find_block(plan, layer - 1, arity + 1, (at - expand - own) / 2, column);
    }
    return true;
}

/* The input predicates of a twin head follow its groups: relation by relation, of the pair and its twins. */
bool nlm_head_column(const nlm_machine *m, int head, int number, nlm_column *column)
{
    const int tensor = nlm_head_tensor(m, head);
    if (tensor < 0 || number < 0 || number >= m->tensors[tensor].shape[1])
        return false;
    const struct plan *plan = &m->plan;
    const nlm_head_spec *spec = &m->heads[head];
    const int depth = plan->spec.depth, group = machine_head_group(spec), width = plan->group[depth][group];
    /* columns of objects come first, [part][predicate]; `rest` counts those of inputs,
     * [relation][half][property] */
    const int rest = number - machine_head_parts(spec) * width, properties = plan->spec.inputs[2] / 3;
    *column = (nlm_column){.operation = NLM_OWN, .order = number / width};
    if (rest < 0) {
        find_block(plan, depth, group, number % width, column);
        return true;
    }
    column->order = machine_head_parts(spec) + rest / properties % 2;
    column->arity = 2;
    column->predicate = rest / (2 * properties) * properties + rest % properties;
    return true;
}

/* ---- values ---- */

/* A unit has values if it is live and its rows were stored: streamed units have none, which NLM_CLASSES
 * avoids. */
static nlm_status check_block(const nlm_pass *pass, int layer, int arity, nlm_error *error)
{
    const nlm_machine *m = pass->machine;
    nlm_status status = pass_check(pass, error);
    if (status)
        return status;
    const bool live = layer == 0 ? has_block(m, 0, arity) && m->plan.live[0][arity]
                                 : nlm_machine_unit_live(m, layer, arity);
    if (!live || m->plan.baseline || m->plan.block[layer][arity] == 0)
        return error_set(error, NLM_BAD_ARGUMENT, "unit (%d, %d) is not computed", layer, arity);
    if (!pass->structure->levels[layer][arity].part || pass->blocks[layer][arity].rows == 0)
        return error_set(error, NLM_BAD_ARGUMENT, "values of unit (%d, %d) are not kept: use NLM_CLASSES",
                         layer, arity);
    return NLM_OK;
}

/* Values by tuple, [objects]^arity x predicates, 0 at tuples that repeat an object. */
nlm_status nlm_pass_values(const nlm_pass *pass, int world, int layer, int arity, float *values,
                           nlm_error *error)
{
    REQUIRE(pass && values, error);
    nlm_status status = check_block(pass, layer, arity, error);
    if (!status)
        status = pass_check_world(pass, world, error);
    if (!status)
        dense_block(pass, world, layer, arity, values);
    return status;
}

/* The least and the largest value of each predicate of the unit, over all worlds of the batch.  Rows are
 * enough: every tuple has the values of its row, and every row has a tuple. */
nlm_status nlm_pass_range(const nlm_pass *pass, int layer, int arity, float *least, float *most,
                          nlm_error *error)
{
    REQUIRE(pass && least && most, error);
    const nlm_status status = check_block(pass, layer, arity, error);
    if (status)
        return status;
    const struct value_table *block = &pass->blocks[layer][arity];
    for (int k = 0; k < pass->machine->plan.block[layer][arity]; k++) {
        least[k] = INFINITY;
        most[k] = -INFINITY;
        for (size_t row = 0; row < block->rows; row++) {
            least[k] = fminf(least[k], block->values[row * (size_t)block->stride + (size_t)k]);
            most[k] = fmaxf(most[k], block->values[row * (size_t)block->stride + (size_t)k]);
        }
    }
    return NLM_OK;
}

/* ---- senses ---- */

/* The sense alone, with a work area for this call: no batch, structure or pass is needed. */
nlm_status nlm_machine_perceive(nlm_machine *machine, const float *percepts, int count, float *predicates,
                                nlm_error *error)
{
    REQUIRE(machine && percepts && predicates, error);
    const struct sense *sense = machine->plan.sense;
    const float *outputs;
    void *work;
    if (!sense)
        return error_set(error, NLM_BAD_ARGUMENT, "the machine has no sense");
    nlm_status status = sense->open(&work, error);
    if (status)
        return status;
    status =
        sense->forward(work, NULL, machine_sense_values(machine), percepts, count, false, &outputs, error);
    if (!status)
        memcpy(predicates, outputs, (size_t)count * (size_t)sense->predicates * sizeof *outputs);
    sense->close(work);
    return status;
}
