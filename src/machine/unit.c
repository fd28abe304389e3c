/* One unit, forward and backward: products of its sources, gathered per row, then the rest of its MLP.
 *
 *     pre[o, b] = bias + own + range + sum over k of sub_k          (kernel_gather; docs/maths.md, section 5)
 *
 * The first linear layer is applied at the sources: chain.c multiplies each group on its own rows, which are
 * few where tuples are alike, and the unit's rows only add up rows of these tables.  Hidden layers and the
 * output layer then work row by row.
 *
 * Costs of a unit with R rows of its own and S rows at a source: the products take S r! C H multiply-adds,
 * the gather R (r + 2) H additions.  So rows are added up, and only sources are multiplied.
 *
 * Example: unit (2, 2), tuple (x, y).  Its row adds up: the bias; a row of the own table, for the class of
 * (x, y); a row of the range table, for the set of (x, y, z); part 0 of the sub table's row for y (x was
 * dropped) and part 1 of its row for x (y was dropped).  Backward adds the row's gradient to all four. */
#include <string.h>
#include "base/invariant.h"
#include "machine/pass.h"

/* Whether the group of a source exists for this unit. */
static bool unit_reads(const struct plan *plan, int layer, int arity, enum source source)
{
    switch (source) {
    case SOURCE_OWN:
        return structure_reads_own(plan, layer, arity);
    case SOURCE_SUB:
        return structure_reads_sub(plan, layer, arity);
    default:
        return structure_reads_range(plan, layer, arity);
    }
}

/* The product of one source, as a chain over the group that it reads.  For sub-tuples a table row has one
 * part per variable that may have been dropped: which one it was is not known at the source (docs/maths.md,
 * section 5). */
static struct chain unit_chain(const struct nlm_pass *pass, int layer, int arity, enum source source)
{
    int width = kernel_pad(machine_mlp_size(pass->machine, layer, arity, 0));
    return (struct chain){
        .pooled = source == SOURCE_RANGE,
        .top = layer - 1,
        .arity = source == SOURCE_SUB ? arity - 1 : arity,
        .first_pack = pass->unit_pack[layer][arity][source],
        .reordered = true,
        .columns = source == SOURCE_SUB ? width * arity : width,
    };
}

/* Where the rows of the unit find their table rows: the links of its level. */
static struct kernel_links unit_links(const struct nlm_pass *pass, int layer, int arity)
{
    const struct level *level = &pass->structure->levels[layer][arity];
    const struct orders *orders = pass->machine->plan.orders;
    return (struct kernel_links){
        .orders = &orders[arity],
        .below = arity > 0 ? &orders[arity - 1] : NULL,
        .own = level->own,
        .sub = level->sub,
        .range = level->range,
        .width = kernel_pad(machine_mlp_size(pass->machine, layer, arity, 0)),
    };
}

/* The output of MLP layer k: a hidden table, and for the last layer the unit's block. */
static struct value_table *mlp_table(struct nlm_pass *pass, int layer, int arity, int k)
{
    return k + 1 < machine_mlp_layers(pass->machine) ? &pass->hidden[layer][arity][k]
                                                     : &pass->blocks[layer][arity];
}

/* ReLU after hidden layers, sigmoid after the last: values of a block are in (0, 1). */
static enum kernel_activation mlp_activation(const struct nlm_pass *pass, int k)
{
    return k + 1 < machine_mlp_layers(pass->machine) ? KERNEL_RELU : KERNEL_SIGMOID;
}

/* Only the block needs a gradient table; gradients of hidden layers live in scratch memory. */
static nlm_status reserve_tables(struct nlm_pass *pass, int layer, int arity)
{
    size_t rows = level_rows(pass, layer, arity);
    int layers = machine_mlp_layers(pass->machine);
    for (int k = 0; k < layers; k++) {
        int width = kernel_pad(machine_mlp_size(pass->machine, layer, arity, k));
        if (value_table_reserve(mlp_table(pass, layer, arity, k), rows, width,
                                pass->training && k + 1 == layers, 0))
            return NLM_NO_MEMORY;
    }
    return NLM_OK;
}

/* MLP layers after the first: an ordinary matrix product on the unit's rows. */
static void mlp_forward(struct nlm_pass *pass, int layer, int arity)
{
    for (int k = 1; k < machine_mlp_layers(pass->machine); k++) {
        const struct pack *pack = &pass->packs[pass->mlp_pack[layer][arity] + k - 1];
        struct value_table *in = mlp_table(pass, layer, arity, k - 1),
                           *out = mlp_table(pass, layer, arity, k);
        INVARIANT(in->rows == out->rows && pack->channels <= in->stride && pack->columns == out->stride);
        struct kernel_product job = {
            .orders = pack->orders,
            .channels = pack->channels,
            .columns = pack->columns,
            .v_stride = in->stride,
            .v = in->values,
            .w = pass->packed + pack->weights,
            .y = out->values,
        };
        job_product(pass, &job, in->rows);
        pass->kernels->activate(out->values, pass->packed + pass->unit_bias[layer][arity][k], out->stride,
                                mlp_activation(pass, k), out->rows);
    }
}

/* A streamed unit stops after the products: stream.c adds them up inside the reduction. */
nlm_status unit_forward(struct nlm_pass *pass, int layer, int arity)
{
    const struct level *level = &pass->structure->levels[layer][arity];
    struct unit_tables tables = {.bias = pass->packed + pass->unit_bias[layer][arity][0]};
    for (enum source source = 0; source < SOURCES; source++) {
        if (!unit_reads(&pass->machine->plan, layer, arity, source))
            continue;
        /* products of a source are in its own scratch buffers, so that all three exist at the same time */
        struct chain chain = unit_chain(pass, layer, arity, source);
        float *y;
        if (chain_forward(pass, &chain, pass->scratch.forward[source], &y))
            return NLM_NO_MEMORY;
        tables.table[source] = y;
    }
    /* absent sources have NULL tables, and the kernel leaves their terms out */
    struct kernel_gather job = {
        .links = unit_links(pass, layer, arity),
        .own_table = tables.table[SOURCE_OWN],
        .sub_table = tables.table[SOURCE_SUB],
        .range_table = tables.table[SOURCE_RANGE],
        .bias = tables.bias,
        .activation = mlp_activation(pass, 0),
    };
    tables.width = job.links.width;
    if (level->streamed)
        return stream_forward(pass, layer, arity, &tables);
    if (reserve_tables(pass, layer, arity))
        return NLM_NO_MEMORY;
    job.out = mlp_table(pass, layer, arity, 0)->values;
    job_gather(pass, &job, level->part->orbits);
    mlp_forward(pass, layer, arity);
    return NLM_OK;
}

/* ---- backward ---- */

/* From the gradient of the block to that of the first layer's pre-activation; *gradient is where that is: in
 * the block's own table, or in one of two scratch buffers that take turns.  Gradients of activations are made
 * in place: the gradient of the block is used up. */
static nlm_status mlp_backward(struct nlm_pass *pass, int layer, int arity, float **gradient)
{
    int last = machine_mlp_layers(pass->machine) - 1;
    *gradient = value_table_gradients(&pass->blocks[layer][arity]);
    /* layer k: activation, then weights and the gradient of its input; layer 0 has its weights at the
     * sources */
    for (int k = last; k >= 0; k--) {
        struct value_table *out = mlp_table(pass, layer, arity, k);
        float *bias = pass->packed_gradient + pass->unit_bias[layer][arity][k];
        if (job_activate_back(pass, *gradient, out->values, bias, out->stride, mlp_activation(pass, k),
                              out->rows))
            return NLM_NO_MEMORY;
        if (k == 0)
            break;
        const struct pack *pack = &pass->packs[pass->mlp_pack[layer][arity] + k - 1];
        struct value_table *in = mlp_table(pass, layer, arity, k - 1);
        buffer *scratch = &pass->scratch.gradient[k % 2];
        if (buffer_reserve(scratch, in->rows * (size_t)in->stride, sizeof(float), false))
            return NLM_NO_MEMORY;
        /* dW = x^T dy, and dx = dy W with the transposed weights */
        struct kernel_outer outer = {pack->orders,
                                     pack->channels,
                                     pack->columns,
                                     in->stride,
                                     in->values,
                                     *gradient,
                                     pass->packed_gradient + pack->weights};
        struct kernel_product product = {
            .orders = pack->orders,
            .channels = pack->columns,
            .columns = pack->padded_channels,
            .v_stride = pack->columns,
            .v = *gradient,
            .w = pass->transposed + pack->transposed,
            .y = scratch->data,
        };
        if (job_outer(pass, &outer, in->rows))
            return NLM_NO_MEMORY;
        job_product(pass, &product, in->rows);
        *gradient = scratch->data;
    }
    return NLM_OK;
}

/* Transpose of the gather: the gradient of each row is added to the table rows that it read. */
struct scatter_context {
    const struct nlm_pass *pass;
    struct kernel_scatter job;
    size_t orbits;
};

/* One part of the orbits, into the tables of that part. */
static void scatter_rows(void *context, const struct gradient_tables *tables, float *bias, int part,
                         int parts, int thread)
{
    (void)bias, (void)thread;
    const struct scatter_context *scatter = context;
    struct kernel_scatter job = scatter->job;
    job.own_table = tables->table[SOURCE_OWN];
    job.sub_table = tables->table[SOURCE_SUB];
    job.range_table = tables->table[SOURCE_RANGE];
    scatter->pass->kernels->scatter(&job, scatter->orbits * (size_t)part / (size_t)parts,
                                    scatter->orbits * (size_t)(part + 1) / (size_t)parts);
}

/* Room for the gradient of a source's product table: as many rows as the source has, not the unit. */
static nlm_status reserve_source(struct nlm_pass *pass, int layer, int arity, enum source source,
                                 struct gradient_tables *tables)
{
    struct chain chain = unit_chain(pass, layer, arity, source);
    size_t rows =
        chain.pooled ? range_rows(pass, chain.top, chain.arity) : level_rows(pass, chain.top, chain.arity);
    /* the product tables of forward are no longer needed: their buffers hold the gradients */
    tables->size[source] = rows * (size_t)chain.columns;
    if (buffer_reserve(&pass->scratch.forward[source][0], tables->size[source], sizeof(float), false))
        return NLM_NO_MEMORY;
    tables->table[source] = pass->scratch.forward[source][0].data;
    return NLM_OK;
}

/* The rows read are the rows written (the link is NULL): the gradient of the rows is that of the table, and
 * nothing needs to be scattered. */
static bool reads_itself(const struct level *level, enum source source)
{
    return !level->streamed &&
           ((source == SOURCE_OWN && !level->own) || (source == SOURCE_RANGE && !level->range));
}

/* Gradient of the block -> of the pre-activation -> of the product tables -> of weights and of layer - 1.
 *
 * When this is called the gradient of the block is complete (own_backward).  Gradients of the layer below are
 * added to, since several units read it.  The buffers of forward products serve again: by now every unit has
 * made its rows from them. */
nlm_status unit_backward(struct nlm_pass *pass, int layer, int arity)
{
    const struct plan *plan = &pass->machine->plan;
    const struct level *level = &pass->structure->levels[layer][arity];
    struct gradient_tables tables = {0};
    float *gradient = NULL, *dy[SOURCES];
    nlm_status status = NLM_OK;
    if (!level->streamed)
        status = mlp_backward(pass, layer, arity, &gradient);
    for (enum source source = 0; source < SOURCES && !status; source++) {
        if (!unit_reads(plan, layer, arity, source))
            continue;
        if (reads_itself(level, source)) {
            dy[source] = gradient;
            continue;
        }
        status = reserve_source(pass, layer, arity, source, &tables);
        dy[source] = tables.table[source];
    }
    /* either way `tables` then hold the gradients of the sources' products */
    if (!status && level->streamed) {
        status = stream_backward(pass, layer, arity, &tables,
                                 pass->packed_gradient + pass->unit_bias[layer][arity][0]);
    } else if (!status) {
        struct scatter_context context = {
            pass, {.links = unit_links(pass, layer, arity), .gradient = gradient}, level->part->orbits};
        /* the bias got its gradient in mlp_backward */
        float unused[KERNEL_LANES];
        size_t work = level_rows(pass, layer, arity) * (size_t)context.job.links.width * 4;
        status = job_scatter(pass, &tables, unused, 0, level->part->orbits, work, scatter_rows, &context);
    }
    for (enum source source = 0; source < SOURCES && !status; source++) {
        if (!unit_reads(plan, layer, arity, source))
            continue;
        struct chain chain = unit_chain(pass, layer, arity, source);
        status = chain_backward(pass, &chain, pass->scratch.back[source], dy[source]);
    }
    return status;
}
