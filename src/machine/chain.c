/* Chains: the product of a group with its weights, block by block.
 *
 * With residual a group is many blocks.  An old block has few rows (its layer's classes), and a class of a
 * layer lies inside one class of the layer below.  So each block is multiplied on its own rows, and the sums
 * travel upwards:
 *
 *     y_j[c] = v_j[c] w_j + y_{j-1}[parent(c)]
 *
 * Backward goes down the same way: the gradient of y_{j-1} is that of y_j summed over children.
 *
 * Example: at layer 4 of a residual machine a unit reads the blocks of layers 0 to 3.  In four families of 20
 * the pairs have 9 classes at layers 0 and 1, and 323 at layers 2 and 3 (structure.c).  Without chains the
 * inputs would be multiplied on the rows of 323 classes, too. */
#include <string.h>
#include "base/invariant.h"
#include "machine/pass.h"

/* The partition whose rows the sum has while it is at `layer`. */
static const struct partition *chain_part(const struct nlm_pass *pass, const struct chain *chain, int layer)
{
    const struct nlm_structure *s = pass->structure;
    return chain->pooled ? s->ranges[layer][chain->arity].part : s->levels[layer][chain->arity].part;
}

/* Codes of a layer's orbits in the layer below; NULL if both have the same partition, so that rows need not
 * move. */
static const int32_t *chain_parent(const struct nlm_pass *pass, const struct chain *chain, int layer)
{
    const struct nlm_structure *s = pass->structure;
    return chain->pooled ? s->ranges[layer][chain->arity].parent : s->levels[layer][chain->arity].own;
}

/* The values of the block at `layer`, or its pool. */
static struct value_table *chain_table(struct nlm_pass *pass, const struct chain *chain, int layer)
{
    return chain->pooled ? &pass->pools[layer][chain->arity] : &pass->blocks[layer][chain->arity];
}

/* Predicates of that block; 0 where a layer has no unit and residual only carries the group on. */
static int chain_width(const struct nlm_pass *pass, const struct chain *chain, int layer)
{
    return pass->machine->plan.block[layer][chain->arity + chain->pooled];
}

/* The oldest block that has predicates.  There is one: a group without predicates is never read. */
static int chain_first(const struct nlm_pass *pass, const struct chain *chain)
{
    int layer = plan_first_block(&pass->machine->plan, chain->top);
    while (chain_width(pass, chain, layer) == 0)
        layer++;
    INVARIANT(layer <= chain->top);
    return layer;
}

/* Packs of a chain are consecutive, one per block from the group's first block on, empty blocks included. */
static const struct pack *chain_pack(const struct nlm_pass *pass, const struct chain *chain, int layer)
{
    INVARIANT(layer >= plan_first_block(&pass->machine->plan, chain->top) && layer <= chain->top);
    return &pass->packs[chain->first_pack + layer - plan_first_block(&pass->machine->plan, chain->top)];
}

/* Products run over orbits, whose rows meet each other in all orders; for a head every row is an orbit of its
 * own. */
static size_t product_orbits(const struct nlm_pass *pass, const struct chain *chain, size_t orbits)
{
    return chain->reordered ? orbits : orbits * (size_t)pass->machine->plan.orders[chain->arity].count;
}

/* y (+)= v_layer * w_layer on the rows of that layer. */
static void multiply(struct nlm_pass *pass, const struct chain *chain, int layer, float *y, bool add)
{
    const struct pack *pack = chain_pack(pass, chain, layer);
    const struct value_table *table = chain_table(pass, chain, layer);
    INVARIANT(pack->columns == chain->columns && pack->columns == kernel_pad(pack->columns));
    INVARIANT(pack->channels <= table->stride && table->stride == kernel_pad(table->stride));
    INVARIANT(table->rows == chain_part(pass, chain, layer)->orbits *
                                 (size_t)pass->machine->plan.orders[chain->arity].count);
    struct kernel_product job = {
        .orders = pack->orders,
        .channels = pack->channels,
        .columns = pack->columns,
        .v_stride = table->stride,
        .add = add,
        .v = table->values,
        .w = pass->packed + pack->weights,
        .y = y,
    };
    job_product(pass, &job, product_orbits(pass, chain, chain_part(pass, chain, layer)->orbits));
}

/* One row of sums per row of the partition at `layer`. */
static nlm_status reserve_rows(const struct nlm_pass *pass, const struct chain *chain, int layer, buffer *buf)
{
    size_t rows =
        chain_part(pass, chain, layer)->orbits * (size_t)pass->machine->plan.orders[chain->arity].count;
    return buffer_reserve(buf, rows * (size_t)chain->columns, sizeof(float), false);
}

/* From the oldest block up.  Where two layers have the same partition, the sum stays where it is. */
nlm_status chain_forward(struct nlm_pass *pass, const struct chain *chain, buffer scratch[2], float **y)
{
    /* `current` is the buffer that holds the sum; the other one receives it when rows change */
    int first = chain_first(pass, chain), current = 0;
    const struct orders *orders = &pass->machine->plan.orders[chain->arity];
    if (reserve_rows(pass, chain, first, &scratch[0]))
        return NLM_NO_MEMORY;
    multiply(pass, chain, first, scratch[0].data, false);
    for (int j = first + 1; j <= chain->top; j++) {
        const int32_t *parent = chain_parent(pass, chain, j);
        if (parent) {
            if (reserve_rows(pass, chain, j, &scratch[1 - current]))
                return NLM_NO_MEMORY;
            struct kernel_map map = {orders, parent, chain->columns, scratch[current].data,
                                     scratch[1 - current].data};
            job_map(pass, &map, chain_part(pass, chain, j)->orbits);
            current = 1 - current;
        }
        if (chain_width(pass, chain, j) > 0)
            multiply(pass, chain, j, scratch[current].data, true);
    }
    *y = scratch[current].data;
    return NLM_OK;
}

/* Gradients of one block's weights and of its values.  The first gradient of a table overwrites, later ones
 * add. */
static nlm_status multiply_back(struct nlm_pass *pass, const struct chain *chain, int layer, const float *dy)
{
    const struct pack *pack = chain_pack(pass, chain, layer);
    struct value_table *table = chain_table(pass, chain, layer);
    size_t orbits = product_orbits(pass, chain, chain_part(pass, chain, layer)->orbits);
    struct kernel_outer outer = {
        .orders = pack->orders,
        .channels = pack->channels,
        .columns = pack->columns,
        .v_stride = table->stride,
        .v = table->values,
        .dy = dy,
        .dw = pass->packed_gradient + pack->weights,
    };
    nlm_status status = job_outer(pass, &outer, orbits);
    if (status || !table->gradients)
        return status;
    struct kernel_product product = {
        .orders = pack->orders,
        .channels = pack->columns,
        .columns = pack->padded_channels,
        .v_stride = pack->columns,
        .add = table->written,
        .v = dy,
        .w = pass->transposed + pack->transposed,
        .y = table->gradients,
    };
    job_product(pass, &product, orbits);
    table->written = true;
    return NLM_OK;
}

/* The same way down.  dy of layer j serves its block, then is summed over the children of each class of
 * j-1. */
nlm_status chain_backward(struct nlm_pass *pass, const struct chain *chain, buffer scratch[2], float *dy)
{
    int first = chain_first(pass, chain), current = 0;
    const struct orders *orders = &pass->machine->plan.orders[chain->arity];
    for (int j = chain->top; j >= first; j--) {
        if (chain_width(pass, chain, j) > 0 && multiply_back(pass, chain, j, dy))
            return NLM_NO_MEMORY;
        const int32_t *parent = j > first ? chain_parent(pass, chain, j) : NULL;
        if (!parent)
            continue;
        if (reserve_rows(pass, chain, j - 1, &scratch[current]))
            return NLM_NO_MEMORY;
        float *below = scratch[current].data;
        /* several classes of layer j may have one parent: gradients are added by one thread, in order */
        size_t rows = chain_part(pass, chain, j - 1)->orbits * (size_t)orders->count;
        if (rows)
            memset(below, 0, rows * (size_t)chain->columns * sizeof *below);
        struct kernel_map map = {orders, parent, chain->columns, below, dy};
        pass->kernels->map_back(&map, 0, chain_part(pass, chain, j)->orbits);
        dy = below;
        current = 1 - current;
    }
    return NLM_OK;
}
