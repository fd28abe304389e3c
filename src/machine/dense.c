/* Dense results: between the rows of a pass and tensors over all object tuples, [objects]^arity x width.
 *
 * A tensor has a place for every tuple, the last variable fastest, those that repeat an object included;
 * these belong to no row.  Reading copies rows to places; gradients go the other way, and tuples that share a
 * row are added up there.
 *
 * Example: of a world of 3 objects the pairs are places 0..8; pair (x, y) is place 3 x + y, and places 0, 4,
 * 8 are of no tuple.  Walking over sorted tuples, run by run and order by order, visits every other place
 * once.
 *
 * Dense tensors are for people and for other models: a caller reads outputs and logits, a game its moves, a
 * baseline its inputs.  Losses on labels stay on rows (loss.c), which are fewer. */
#include <string.h>
#include "base/error.h"
#include "machine/pass.h"

/* Visit every tuple of one world, in every order: its row in the partition's table and its place in the
 * tensor.  All functions of this file are one walk with different visitors. */
typedef void (*visit_entry)(void *context, size_t row, size_t place);

static void for_each_tuple(const struct nlm_pass *pass, const struct partition *part, int world,
                           visit_entry each, void *context)
{
    const struct tuples *tuples = &pass->structure->tuples;
    int arity = part->arity;
    const struct orders *orders = &pass->machine->plan.orders[arity];
    size_t objects = (size_t)tuples_objects(tuples, world);
    struct tuple_walk walk = tuple_walk_start(tuples, arity, tuples_offset(tuples, world, arity));
    for (; walk.run && walk.world == world; tuple_walk_next_run(&walk)) {
        const int32_t *codes = part->codes + walk.index;
        for (int b = 0; b < orders->count; b++) {
            size_t place = 0, moving = 0; /* of the run's first tuple in order b, and its step in x[0] */
            for (int k = 0; k < arity; k++) {
                place = place * objects + (size_t)walk.x[orders->order[b][k]];
                moving = moving * objects + (orders->order[b][k] == 0);
            }
            /* within a run only x[0] changes, so places move by a constant */
            for (size_t e = 0; e < walk.run; e++, place += moving)
                each(context, orders_row(orders, orders_then(orders, codes[e], b)), place);
        }
    }
}

/* Columns of a table and of a tensor; `from` and `to` are values or gradients of either. */
struct copy {
    const struct value_table *table;
    const float *from;
    float *to;
    size_t width, offset, total; /* columns copied, where they begin in the tensor, and its columns */
};

/* Row -> place. */
static void copy_out(void *context, size_t row, size_t place)
{
    const struct copy *copy = context;
    const float *from = copy->from + row * (size_t)copy->table->stride;
    float *to = copy->to + place * copy->total + copy->offset;
    for (size_t c = 0; c < copy->width; c++)
        to[c] = from[c];
}

/* Place -> row, for partitions in which each row has one tuple: otherwise the last would win. */
static void copy_in(void *context, size_t row, size_t place)
{
    const struct copy *copy = context;
    memcpy(copy->to + row * (size_t)copy->table->stride, copy->from + place * copy->total + copy->offset,
           copy->width * sizeof *copy->to);
}

/* Place -> row, summed over the tuples of the row. */
static void add_in(void *context, size_t row, size_t place)
{
    const struct copy *copy = context;
    const float *from = copy->from + place * copy->total + copy->offset;
    float *to = copy->to + row * (size_t)copy->table->stride;
    for (size_t c = 0; c < copy->width; c++)
        to[c] += from[c];
}

/* A group is an output only if the spec wants it: others may not even be computed. */
static nlm_status check_output(const struct nlm_pass *pass, int world, int arity, nlm_error *error)
{
    nlm_status status = pass_check_world(pass, world, error);
    if (!status && nlm_machine_output_width(pass->machine, arity) == 0)
        return error_set(error, NLM_BAD_ARGUMENT, "the output of arity %d is not wanted", arity);
    return status;
}

/* For functions that take a world and a head. */
static nlm_status check_head(const struct nlm_pass *pass, int world, int head, nlm_error *error)
{
    nlm_status status = pass_check_world(pass, world, error);
    return status ? status : pass_check_head(pass, head, error);
}

/* Gradients are kept only by a forward pass for training. */
static nlm_status check_training(const struct nlm_pass *pass, nlm_error *error)
{
    return pass->training ? NLM_OK
                          : error_set(error, NLM_BAD_ARGUMENT, "the forward pass was not made for training");
}

size_t dense_cells(const struct nlm_pass *pass, int world, int arity)
{
    return nlm_tuple_count(tuples_objects(&pass->structure->tuples, world), arity);
}

/* Between an output group and a tensor, block by block: with residual each block has its own partition, that
 * of its layer.  One function for both directions: `gradient` goes into rows, `output` comes from them. */
static void copy_group(nlm_pass *pass, int world, int arity, const float *gradient, float *output)
{
    const struct plan *plan = &pass->machine->plan;
    int depth = plan->spec.depth;
    for (int j = plan_first_block(plan, depth); j <= depth; j++) {
        struct value_table *block = &pass->blocks[j][arity];
        /* no predicates; or inputs, whose gradients nobody wants */
        if (plan->block[j][arity] == 0 || (gradient && !block->gradients))
            continue;
        struct copy copy = {
            .table = block,
            .from = gradient ? gradient : block->values,
            .to = gradient ? value_table_gradients(block) : output,
            .width = (size_t)plan->block[j][arity],
            .offset = (size_t)plan_block_offset(plan, depth, arity, j),
            .total = (size_t)plan->group[depth][arity],
        };
        for_each_tuple(pass, pass->structure->levels[j][arity].part, world, gradient ? add_in : copy_out,
                       &copy);
    }
}

void dense_block(const struct nlm_pass *pass, int world, int layer, int arity, float *values)
{
    const struct value_table *block = &pass->blocks[layer][arity];
    const size_t width = (size_t)pass->machine->plan.block[layer][arity];
    struct copy copy = {.table = block, .from = block->values, .to = values, .width = width, .total = width};
    memset(values, 0, dense_cells(pass, world, arity) * width * sizeof *values);
    for_each_tuple(pass, pass->structure->levels[layer][arity].part, world, copy_out, &copy);
}

/* Places of tuples that repeat an object are 0. */
nlm_status nlm_pass_output(const nlm_pass *pass, int world, int arity, float *output, nlm_error *error)
{
    REQUIRE(pass && output, error);
    nlm_status status = check_output(pass, world, arity, error);
    if (status)
        return status;
    size_t width = (size_t)nlm_machine_output_width(pass->machine, arity);
    memset(output, 0, dense_cells(pass, world, arity) * width * sizeof *output);
    copy_group((nlm_pass *)pass, world, arity, NULL, output);
    return NLM_OK;
}

/* For losses of the caller's own, on the values of the last group; to be called before backward. */
nlm_status nlm_pass_add_output_gradient(nlm_pass *pass, int world, int arity, const float *gradient,
                                        nlm_error *error)
{
    REQUIRE(pass && gradient, error);
    nlm_status status = check_output(pass, world, arity, error);
    if (!status)
        status = check_training(pass, error);
    if (!status)
        copy_group(pass, world, arity, gradient, NULL);
    return status;
}

/* Pairs of a twin head are pairs of the first half. */
int dense_objects(const struct nlm_pass *pass, int world, int head)
{
    int objects = tuples_objects(&pass->structure->tuples, world);
    return pass->machine->heads[head].twins ? objects / 2 : objects;
}

/* Places of a head's tensor, those that repeat an object included. */
size_t dense_places(const struct nlm_pass *pass, int world, int head)
{
    return nlm_tuple_count(dense_objects(pass, world, head), pass->machine->heads[head].arity);
}

/* Twin heads of a baseline have a table with a row for each place, in the order of worlds (model_pass.c). */
static bool is_direct(const struct nlm_pass *pass, int head)
{
    return pass->machine->plan.baseline && pass->machine->heads[head].twins;
}

/* Visit every tuple of a world that a head has a logit for: its row in the head's table, and its place. */
static void for_each_logit(const struct nlm_pass *pass, int world, int head, visit_entry each, void *context)
{
    if (!is_direct(pass, head)) {
        for_each_tuple(pass, pass_head_part(pass, head), world, each, context);
        return;
    }
    /* a row for each place, so no codes are needed */
    const size_t first = model_twin_row(pass, world, head), places = dense_places(pass, world, head);
    const size_t objects = (size_t)dense_objects(pass, world, head);
    for (size_t p = 0; p < places; p++)
        if (p % (objects + 1)) /* not a pair (x, x) */
            each(context, first + p, p);
}

/* Three kinds of heads: of a baseline's twins (by place), of the machine's twins (six terms), all others (by
 * row). */
void dense_logits(const struct nlm_pass *pass, int world, int head, size_t width, float *logits)
{
    const struct value_table *table = is_direct(pass, head) ? &pass->pairs[head] : &pass->logits[head];
    struct copy copy = {.table = table, .from = table->values, .to = logits, .width = width, .total = width};
    if (pass->machine->heads[head].twins && !is_direct(pass, head))
        twins_gather(pass, world, head, width, logits);
    else
        for_each_logit(pass, world, head, copy_out, &copy);
}

/* The transpose of dense_logits, for the same three kinds of heads. */
void dense_add_gradient(struct nlm_pass *pass, int world, int head, size_t width, const float *gradient)
{
    struct value_table *table = is_direct(pass, head) ? &pass->pairs[head] : &pass->logits[head];
    if (pass->machine->heads[head].twins && !is_direct(pass, head)) {
        twins_scatter(pass, world, head, width, gradient);
        return;
    }
    struct copy copy = {
        .table = table, .from = gradient, .to = value_table_gradients(table), .width = width, .total = width};
    for_each_logit(pass, world, head, add_in, &copy);
}

/* From the structure's copy of the inputs, which has unpadded rows. */
void dense_inputs(const struct nlm_pass *pass, int world, int arity, float *inputs)
{
    const size_t width = (size_t)pass->machine->plan.block[0][arity];
    /* a table by its stride alone: `copy` reads nothing else of it */
    const struct value_table rows = {.stride = (int)width};
    struct copy copy = {.table = &rows,
                        .from = pass->structure->values[arity].data,
                        .to = inputs,
                        .width = width,
                        .total = width};
    memset(inputs, 0, dense_cells(pass, world, arity) * width * sizeof *inputs);
    for_each_tuple(pass, pass->structure->levels[0][arity].part, world, copy_out, &copy);
}

/* For a baseline, whose structure is an identity: each row has one tuple. */
void dense_set_logits(struct nlm_pass *pass, int world, int head, const float *logits)
{
    const size_t width = (size_t)pass->machine->heads[head].outputs;
    struct value_table *table = is_direct(pass, head) ? &pass->pairs[head] : &pass->logits[head];
    struct copy copy = {.table = table, .from = logits, .to = table->values, .width = width, .total = width};
    for_each_logit(pass, world, head, copy_in, &copy);
}

/* Places of tuples that repeat an object are 0, which is no probability: callers know that they are no
 * tuples. */
nlm_status nlm_pass_logits(const nlm_pass *pass, int world, int head, float *logits, nlm_error *error)
{
    REQUIRE(pass && logits, error);
    nlm_status status = check_head(pass, world, head, error);
    if (status)
        return status;
    size_t outputs = (size_t)pass->machine->heads[head].outputs;
    memset(logits, 0, dense_places(pass, world, head) * outputs * sizeof *logits);
    dense_logits(pass, world, head, outputs, logits);
    return NLM_OK;
}

/* For losses of the caller's own on logits; what stands at tuples that repeat an object is ignored. */
nlm_status nlm_pass_add_logit_gradient(nlm_pass *pass, int world, int head, const float *gradient,
                                       nlm_error *error)
{
    REQUIRE(pass && gradient, error);
    nlm_status status = check_head(pass, world, head, error);
    if (!status)
        status = check_training(pass, error);
    if (!status)
        dense_add_gradient(pass, world, head, (size_t)pass->machine->heads[head].outputs, gradient);
    return status;
}

/* Inputs were not lifted, so a row belongs to one tuple and its gradient is that tuple's (docs/maths.md,
 * section 6).  Possible after backward only, and until the next forward. */
nlm_status nlm_pass_input_gradient(const nlm_pass *pass, int world, int arity, float *gradient,
                                   nlm_error *error)
{
    REQUIRE(pass && gradient, error);
    const struct plan *plan = &pass->machine->plan;
    nlm_status status = pass_check_world(pass, world, error);
    if (status)
        return status;
    if (arity < 0 || arity > plan->spec.breadth || plan->block[0][arity] == 0)
        return error_set(error, NLM_BAD_ARGUMENT, "the machine has no inputs of arity %d", arity);
    if (!pass->input_gradients)
        return error_set(error, NLM_BAD_ARGUMENT, "the structure was not built with options.input_gradients");
    if (!pass->backward_done)
        return error_set(error, NLM_BAD_ARGUMENT, "gradients of the inputs need a backward pass before");
    struct value_table *block =
        (struct value_table *)&pass->blocks[0][arity]; /* clearing its gradients is no change */
    size_t width = (size_t)plan->block[0][arity];
    memset(gradient, 0, dense_cells(pass, world, arity) * width * sizeof *gradient);
    if (!plan->live[0][arity])
        return NLM_OK; /* nothing reads these inputs */
    struct copy copy = {
        .table = block, .from = value_table_gradients(block), .to = gradient, .width = width, .total = width};
    for_each_tuple(pass, pass->structure->levels[0][arity].part, world, copy_out, &copy);
    return NLM_OK;
}
