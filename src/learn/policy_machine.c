#include "learn/policy_machine.h"
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "machine/machine.h"

/* The first cell with the highest score. */
static nlm_status best_cell(struct policy_machine *of, const nlm_position *position, int world, size_t *cell,
                            nlm_error *error)
{
    const size_t cells = policy_cells(position);
    if (buffer_reserve(&of->scores, cells, sizeof(float), false))
        return error_no_memory(error);
    float *scores = of->scores.data;
    const nlm_status status = nlm_pass_logits(of->evaluator->pass, world, 0, scores, error);
    *cell = cells;
    for (size_t c = 0; c < cells && !status; c++)
        if (policy_is_move(position, c) && (*cell == cells || scores[c] > scores[*cell]))
            *cell = c;
    if (!status)
        of->score = scores[*cell];
    return status;
}

static nlm_status choose(void *context, const nlm_position *position, size_t *cell, nlm_error *error)
{
    struct policy_machine *of = context;
    nlm_evaluator_clear(of->evaluator);
    nlm_status status = nlm_batch_add_position(nlm_evaluator_batch(of->evaluator), position, error);
    if (!status)
        status = nlm_evaluator_run(of->evaluator, false, error);
    return status ? status : best_cell(of, position, 0, cell, error);
}

/* The structure of a way, made when the way is new. */
static nlm_status way_structure(struct policy_machine *of, int slot, int version,
                                nlm_position *const *positions, int count, const nlm_structure **structure,
                                nlm_error *error)
{
    if (buffer_reserve(&of->ways, (size_t)slot + 1, sizeof(struct policy_way), true))
        return error_no_memory(error);
    struct policy_way *ways = of->ways.data;
    while (of->way_count <= slot)
        ways[of->way_count++] = (struct policy_way){0};
    nlm_status status = NLM_OK;
    if (!ways[slot].structure)
        status = nlm_structure_new(&ways[slot].structure, error);
    if (!status && ways[slot].version != version) {
        nlm_evaluator_clear(of->evaluator);
        for (int t = 0; t < count && !status; t++)
            status = nlm_batch_add_position(nlm_evaluator_batch(of->evaluator), positions[t], error);
        if (!status)
            status = nlm_structure_build(ways[slot].structure, of->machine, of->evaluator->batch,
                                         &of->options, error);
        ways[slot].version = status ? 0 : version;
    }
    *structure = ways[slot].structure;
    return status;
}

static nlm_status follow(void *context, int slot, int version, nlm_position *const *positions, int count,
                         size_t *cells, nlm_error *error)
{
    struct policy_machine *of = context;
    const nlm_structure *structure = NULL;
    nlm_status status = way_structure(of, slot, version, positions, count, &structure, error);
    if (!status)
        status = nlm_pass_forward(of->evaluator->pass, structure, false, error);
    for (int t = 0; t < count && !status; t++)
        status = best_cell(of, positions[t], t, &cells[t], error);
    return status;
}

nlm_status policy_machine_init(struct policy_machine *of, nlm_machine *machine, const nlm_options *options,
                               nlm_error *error)
{
    *of = (struct policy_machine){.machine = machine, .options = options ? *options : (nlm_options){0}};
    of->player = (struct policy_player){of, choose, follow};
    return nlm_evaluator_new(machine, options, &of->evaluator, error);
}

void policy_machine_release(struct policy_machine *of)
{
    for (int i = 0; i < of->way_count; i++)
        nlm_structure_free(((struct policy_way *)of->ways.data)[i].structure);
    buffer_free(&of->ways);
    buffer_free(&of->scores);
    nlm_evaluator_free(of->evaluator);
    *of = (struct policy_machine){0};
}

void policy_machine_round(nlm_machine *machine)
{
    const struct machine_tensor *weight = &machine->tensors[machine->head_tensor[0]];
    float *values = machine->values + weight->offset;
    for (size_t i = 0; i < weight->count; i++)
        values[i] = roundf(values[i] / POLICY_GRAIN) * POLICY_GRAIN;
    nlm_machine_tensor(machine, machine->head_tensor[0] + 1).values[0] = 0;
}
