/* Passes: the order of computation, forwards and backwards.
 *
 * Layer i of forward: units (i, r) for all r, then pools (i, r).  Units read pools and blocks of layer i-1
 * only. Backward visits layers from the last down to 0: pools first, since they hand gradients to blocks of
 * the same layer, then units.  After a failure the pass has no structure, so no half-made results can be
 * read.
 *
 *     forward    pack_weights
 *                for i = 0..D:  blocks (i, r) for all r;  pools (i, r) for all r with a range
 *                for each head: logits
 *     backward   for each head: gradient of the last group
 *                for i = D..0:  pools (i, r) -> blocks (i, r+1);  units (i, r) -> layer i-1
 *                pack_gradients
 *
 * Memory: a table per block and pool, kept from step to step; tables of products and their gradients are
 * scratch that all units share, sized by the largest. */
#include "machine/pass.h"

#include <string.h>
#include "base/error.h"
#include "base/invariant.h"

/* A sense needs percepts: only batches made for its machine gather them. */
nlm_status nlm_batch_for(const nlm_machine *machine, nlm_batch **batch, nlm_error *error)
{
    REQUIRE(machine && batch, error);
    const struct plan *plan = &machine->plan;
    nlm_status status = nlm_batch_new(plan->spec.inputs, plan->spec.breadth, batch, error);
    if (!status && plan->sense)
        batch_expect_percepts(*batch, plan->sense->numbers, plan->perceived);
    return status;
}

/* The kernel is checked here, where a message can still name it; passes take it from the structure's
 * options. */
nlm_status nlm_structure_build(nlm_structure *structure, const nlm_machine *machine, const nlm_batch *batch,
                               const nlm_options *options, nlm_error *error)
{
    REQUIRE(structure && machine && batch, error);
    static const nlm_options by_default = {.threads = 1};
    if (!options)
        options = &by_default;
    if (!kernel_choose(options->kernel))
        return error_set(error, NLM_BAD_ARGUMENT, "this processor cannot run the %s kernels",
                         nlm_kernel_name(options->kernel));
    return structure_build(structure, &machine->plan, batch, options, error);
}

/* A machine's packs are planned once; a baseline has none and a work area of its own instead. */
nlm_status nlm_pass_new(nlm_machine *machine, nlm_pass **pass, nlm_error *error)
{
    REQUIRE(pass, error);
    *pass = NULL;
    REQUIRE(machine, error);
    nlm_pass *made = memory_new(1, sizeof *made);
    if (!made)
        return error_no_memory(error);
    made->machine = machine;
    const struct plan *plan = &machine->plan;
    nlm_status status = !plan->baseline && pack_plan(made) ? error_no_memory(error) : NLM_OK;
    if (!status && plan->sense)
        status = plan->sense->open(&made->sense, error);
    if (!status && plan->baseline)
        status = plan->baseline->open(machine->model, &made->model, error);
    if (status) {
        nlm_pass_free(made);
        return status;
    }
    *pass = made;
    return NLM_OK;
}

/* All buffers, used or not; then the work areas, by the functions that made them. */
void nlm_pass_free(nlm_pass *pass)
{
    if (!pass)
        return;
    for (int i = 0; i <= NLM_MAX_DEPTH; i++)
        for (int r = 0; r <= NLM_MAX_BREADTH; r++) {
            value_table_free(&pass->blocks[i][r]);
            value_table_free(&pass->pools[i][r]);
            for (int k = 0; k < NLM_MAX_HIDDEN; k++)
                value_table_free(&pass->hidden[i][r][k]);
        }
    for (int h = 0; h < NLM_MAX_HEADS; h++) {
        value_table_free(&pass->logits[h]);
        value_table_free(&pass->pairs[h]);
    }
    /* two buffers per source take turns along a chain */
    for (int s = 0; s < SOURCES; s++)
        for (int k = 0; k < 2; k++) {
            buffer_free(&pass->scratch.forward[s][k]);
            buffer_free(&pass->scratch.back[s][k]);
        }
    buffer_free(&pass->scratch.gradient[0]);
    buffer_free(&pass->scratch.gradient[1]);
    buffer_free(&pass->scratch.copies);
    buffer_free(&pass->scratch.row_scratch);
    buffer_free(&pass->scratch.counts);
    buffer_free(&pass->scratch.tallies);
    buffer_free(&pass->scratch.policy);
    buffer_free(&pass->scratch.perceived);
    buffer_free(&pass->scratch.worlds);
    buffer_free(&pass->scratch.dense);
    if (pass->sense)
        pass->machine->plan.sense->close(pass->sense);
    if (pass->model)
        pass->machine->plan.baseline->close(pass->model);
    memory_free(pass->packs);
    memory_free(pass->packed_map);
    memory_free(pass->transposed_map);
    memory_free(pass->packed);
    memory_free(pass->packed_gradient);
    memory_free(pass->transposed);
    memory_free(pass);
}

/* ---- forward ---- */

/* The inputs, one row per row of level 0, padded with zeros.  Copied, although the structure has them: a pass
 * may overwrite those that a sense computes, and several passes share a structure. */
static nlm_status load_inputs(struct nlm_pass *pass, int arity)
{
    const struct plan *plan = &pass->machine->plan;
    size_t width = (size_t)plan->block[0][arity], rows = level_rows(pass, 0, arity);
    int stride = kernel_pad((int)width);
    struct value_table *block = &pass->blocks[0][arity];
    if (value_table_reserve(block, rows, stride, pass_goes_to_inputs(pass, arity), 0))
        return NLM_NO_MEMORY;
    const float *values = pass->structure->values[arity].data;
    /* padding must be finite: it meets zero weights */
    for (size_t row = 0; row < rows; row++) {
        float *to = block->values + row * (size_t)stride;
        memcpy(to, values + row * width, width * sizeof *to);
        memset(to + width, 0, ((size_t)stride - width) * sizeof *to);
    }
    return NLM_OK;
}

/* Run the sense on all percepts and write its predicates into the first columns of the unary inputs.  These
 * are not lifted, so row n belongs to object n. */
static nlm_status perceive(struct nlm_pass *pass, nlm_error *error)
{
    const struct sense *sense = pass->machine->plan.sense;
    const struct value_table *block = &pass->blocks[0][1];
    const struct nlm_structure *structure = pass->structure;
    const size_t width = (size_t)sense->predicates;
    const float *outputs;
    if (block->rows == 0)
        return NLM_OK;
    nlm_status status =
        sense->forward(pass->sense, structure->team, machine_sense_values(pass->machine),
                       structure->percepts.data, (int)block->rows, pass->training, &outputs, error);
    for (size_t row = 0; row < block->rows && !status; row++)
        memcpy(block->values + row * (size_t)block->stride, outputs + row * width, width * sizeof *outputs);
    return status;
}

/* Pool (layer, arity): block (layer, arity + 1) reduced over its last variable.  For backward it keeps the
 * row that each maximum and minimum came from.  Gradients of reduced inputs are computed only where they are
 * wanted. */
static nlm_status pool_forward(struct nlm_pass *pass, int layer, int arity)
{
    const struct plan *plan = &pass->machine->plan;
    const struct range *range = &pass->structure->ranges[layer][arity];
    const struct value_table *block = &pass->blocks[layer][arity + 1];
    struct value_table *pool = &pass->pools[layer][arity];
    /* gradients, and the row that each value came from, are kept for backward only */
    bool backward = layer > 0 ? pass->training : pass_goes_to_inputs(pass, arity + 1);
    if (value_table_reserve(pool, range_rows(pass, layer, arity), 2 * block->stride, backward,
                            backward ? 1 : 0))
        return NLM_NO_MEMORY;
    struct kernel_reduce job = {
        .orders = &plan->orders[arity],
        .up = &plan->orders[arity + 1],
        .start = range->start,
        .elements = range->elements,
        .width = block->stride,
        .values = block->values,
        .out = pool->values,
        .arg = pool->arg,
    };
    job_reduce(pass, &job, range->part->orbits);
    return NLM_OK;
}

/* A pool is made here if some unit reads the block reduced.  That of a streamed unit is made in stream.c. */
static bool has_pool(const struct nlm_pass *pass, int layer, int arity)
{
    const struct range *range = &pass->structure->ranges[layer][arity];
    return range->part && !range->streamed && pass->machine->plan.block[layer][arity + 1] > 0;
}

/* All blocks of a layer, then the pools over them.  The order of arities does not matter. */
static nlm_status layer_forward(struct nlm_pass *pass, int layer, nlm_error *error)
{
    const struct plan *plan = &pass->machine->plan;
    nlm_status status = NLM_OK;
    for (int r = 0; r <= plan->spec.breadth && !status; r++) {
        if (layer == 0 && plan->live[0][r])
            status = load_inputs(pass, r);
        /* after load_inputs, which has copied 0 in these places */
        if (layer == 0 && plan->live[0][r] && r == 1 && pass->sense && !status)
            status = perceive(pass, error);
        if (layer > 0 && plan_unit_live(plan, layer, r))
            status = unit_forward(pass, layer, r);
    }
    for (int r = 0; r < plan->spec.breadth && !status; r++)
        if (has_pool(pass, layer, r))
            status = pool_forward(pass, layer, r);
    return status;
}

/* A head is a linear map of the last group; rows are not reordered.  A twin head has its four parts side by
 * side. */
static struct chain head_chain(const struct nlm_pass *pass, int head)
{
    const nlm_head_spec *spec = &pass->machine->heads[head];
    return (struct chain){
        .top = pass->machine->plan.spec.depth,
        .arity = machine_head_group(spec),
        .first_pack = pass->head_pack[head],
        .columns = kernel_pad(machine_head_parts(spec) * spec->outputs),
    };
}

/* logits = group * weights + bias, one row per row of the last level.  Nobody has computed a sigmoid here:
 * losses take logits. */
static nlm_status head_forward(struct nlm_pass *pass, int head)
{
    struct chain chain = head_chain(pass, head);
    struct value_table *logits = &pass->logits[head];
    size_t rows = level_rows(pass, chain.top, chain.arity);
    float *y;
    if (chain_forward(pass, &chain, pass->scratch.forward[SOURCE_OWN], &y) ||
        value_table_reserve(logits, rows, chain.columns, pass->training, 0))
        return NLM_NO_MEMORY;
    /* the product is in scratch memory; logits must outlive the next head */
    memcpy(logits->values, y, rows * (size_t)chain.columns * sizeof(float));
    pass->kernels->activate(logits->values, pass->packed + pass->head_bias[head], chain.columns,
                            KERNEL_LINEAR, rows);
    return pass->machine->heads[head].twins ? twins_forward(pass, head) : NLM_OK;
}

/* Forward of the machine's own units and heads.  Weights are packed anew each time: they are few compared
 * with what is computed from them, and an optimiser may have changed them. */
static nlm_status own_forward(struct nlm_pass *pass, nlm_error *error)
{
    nlm_status status = NLM_OK;
    pack_weights(pass, pass->training);
    /* layer 0 are the inputs and their pools */
    for (int i = 0; i <= pass->machine->plan.spec.depth && !status; i++)
        status = layer_forward(pass, i, error);
    for (int h = 0; h < pass->machine->head_count && !status; h++)
        status = head_forward(pass, h);
    return status == NLM_NO_MEMORY ? error_no_memory(error) : status;
}

/* The structure must have been built for a machine with the same plan; the signature tells.  A forward that
 * fails leaves the pass without a structure, so that nothing half-made can be read. */
nlm_status nlm_pass_forward(nlm_pass *pass, const nlm_structure *structure, bool training, nlm_error *error)
{
    REQUIRE(pass && structure, error);
    const struct plan *plan = &pass->machine->plan;
    /* until all checks are passed: results of an earlier forward do not belong to this structure */
    pass->structure = NULL;
    if (!structure->signature)
        return error_set(error, NLM_BAD_ARGUMENT, "the structure has not been built");
    if (structure->signature != plan_signature(plan))
        return error_set(error, NLM_BAD_SHAPE, "the structure was built for a machine of another spec");
    INVARIANT(structure->depth == plan->spec.depth && structure->breadth == plan->spec.breadth);
    nlm_status status = twins_check(pass->machine, structure, error);
    if (status)
        return status;
    /* everything that the rest of this forward and its backward depend on is set here */
    pass->kernels = kernel_choose(structure->options.kernel);
    if (training) /* the optimiser will want the same; without it machines may be shared by threads */
        pass->machine->kernels = pass->kernels;
    pass->input_gradients = structure->options.input_gradients;
    pass->backward_done = false;
    pass->training = training;
    pass->structure = structure;
    pass->build = structure->build;
    status = plan->baseline ? model_forward(pass, error) : own_forward(pass, error);
    if (status)
        pass->structure = NULL;
    return status;
}

/* A structure that was built anew has other rows than the values of this pass. */
nlm_status pass_check(const struct nlm_pass *pass, nlm_error *error)
{
    if (!pass->structure)
        return error_set(error, NLM_BAD_ARGUMENT, "no forward pass has been made");
    if (pass->structure->build != pass->build)
        return error_set(error, NLM_BAD_ARGUMENT, "the structure was built anew since the forward pass");
    return NLM_OK;
}

/* For functions that take a world of the batch. */
nlm_status pass_check_world(const struct nlm_pass *pass, int world, nlm_error *error)
{
    nlm_status status = pass_check(pass, error);
    if (!status && (world < 0 || world >= pass->structure->tuples.worlds))
        return error_set(error, NLM_BAD_ARGUMENT, "world %d is not in 0..%d", world,
                         pass->structure->tuples.worlds - 1);
    return status;
}

/* For functions that take a head of the machine. */
nlm_status pass_check_head(const struct nlm_pass *pass, int head, nlm_error *error)
{
    nlm_status status = pass_check(pass, error);
    if (!status && (head < 0 || head >= pass->machine->head_count))
        return error_set(error, NLM_BAD_ARGUMENT, "head %d is not in 0..%d", head,
                         pass->machine->head_count - 1);
    return status;
}

/* ---- backward ---- */

/* Each gradient goes to the one row that its value came from. */
static void pool_backward(struct nlm_pass *pass, int layer, int arity)
{
    struct value_table *pool = &pass->pools[layer][arity], *block = &pass->blocks[layer][arity + 1];
    struct kernel_reduce_back job = {
        .rows = pool->rows,
        .width = block->stride,
        .out = value_table_gradients(pool),
        .arg = pool->arg,
        .values = value_table_gradients(block),
    };
    pass->kernels->reduce_back(&job);
}

/* The gradients of the logits are used up: they become those of the products, which for a linear head are
 * equal. */
static nlm_status head_backward(struct nlm_pass *pass, int head)
{
    struct chain chain = head_chain(pass, head);
    struct value_table *logits = &pass->logits[head];
    float *gradients = value_table_gradients(logits);
    nlm_status status =
        job_activate_back(pass, gradients, logits->values, pass->packed_gradient + pass->head_bias[head],
                          logits->stride, KERNEL_LINEAR, logits->rows);
    if (!status)
        status = chain_backward(pass, &chain, pass->scratch.back[SOURCE_OWN], gradients);
    return status || !pass->machine->heads[head].twins ? status : twins_backward(pass, head);
}

/* The gradients of the sense's predicates go on into the sense, without the padding of the table.  Gradients
 * of its parameters are added to the machine's directly: they are not packed. */
static nlm_status perceive_back(struct nlm_pass *pass, nlm_error *error)
{
    const struct sense *sense = pass->machine->plan.sense;
    struct value_table *block = &pass->blocks[0][1];
    const size_t width = (size_t)sense->predicates;
    if (buffer_reserve(&pass->scratch.perceived, block->rows * width, sizeof(float), false))
        return NLM_NO_MEMORY;
    float *gradients = pass->scratch.perceived.data;
    const float *from = value_table_gradients(block);
    for (size_t row = 0; row < block->rows; row++)
        memcpy(gradients + row * width, from + row * (size_t)block->stride, width * sizeof *from);
    return block->rows
               ? sense->backward(pass->sense, gradients, machine_sense_gradients(pass->machine), error)
               : NLM_OK;
}

/* Gradients of blocks are complete when their layer is reached: all that read block (i, r) are heads and
 * units of later layers, and the pools of layer i, which are done before its units. */
static nlm_status own_backward(struct nlm_pass *pass, nlm_error *error)
{
    const struct plan *plan = &pass->machine->plan;
    nlm_status status = NLM_OK;
    for (int h = 0; h < pass->machine->head_count && !status; h++)
        status = head_backward(pass, h);
    /* pools of layer i get gradients from layers above, and give them to blocks of layer i */
    for (int i = plan->spec.depth; i >= 0 && !status; i--) {
        /* pools of inputs have gradients only if somebody wants those of the inputs */
        for (int r = 0; r < plan->spec.breadth; r++)
            if (has_pool(pass, i, r) && pass->pools[i][r].gradients)
                pool_backward(pass, i, r);
        for (int r = 0; i > 0 && r <= plan->spec.breadth && !status; r++)
            if (plan_unit_live(plan, i, r))
                status = unit_backward(pass, i, r);
    }
    if (!status && pass->sense && plan->live[0][1])
        status = perceive_back(pass, error);
    if (!status)
        pack_gradients(pass);
    return status == NLM_NO_MEMORY ? error_no_memory(error) : status;
}

/* Gradients are used up: a second backward needs another forward. */
nlm_status nlm_pass_backward(nlm_pass *pass, nlm_error *error)
{
    REQUIRE(pass, error);
    nlm_status status = pass_check(pass, error);
    if (status)
        return status;
    if (!pass->training)
        return error_set(error, NLM_BAD_ARGUMENT, "backward needs a forward pass for training before it");
    status = pass->machine->plan.baseline ? model_backward(pass, error) : own_backward(pass, error);
    if (status) {
        pass->structure = NULL;
        return status;
    }
    pass->training = false; /* the gradients are used up */
    pass->backward_done = true;
    return NLM_OK;
}
