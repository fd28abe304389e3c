/* Packed weights: the parameters in the order that the products want them.
 *
 * Unit (i, r) has W [out, r! * C], C = expand + own + 2 * reduce channels; block pi of columns meets the
 * tuple in order inverse(pi) (docs/maths.md, the paper's Permute).  Packed, it falls apart per source and
 * block j:
 *
 *     own    [g][c][out]        g = inverse(pi): the row in order g
 *     range  [g][c][out]        the same on pools, exists channels first, then forall
 *     sub    [s][c][k][out]     position k dropped, the rest in order s: pi = inverse(drop_to_last[k][s])
 *
 * Of a twin head (twins.c) the same row is read in several parts of W, [c][part][out].
 *
 * Packing is an index map: packed_map[i] is the parameter behind packed number i.  The map is made once per
 * pass, by two walks over all units and heads: the first counts, the second fills.  Each parameter of a live
 * unit occurs exactly once; padding points to the number after the last parameter, which is 0.
 *
 * Example: arity 2, own group of C predicates.  W has two blocks of columns: pi = 0 meets O(x, y), pi = 1
 * meets O(y, x).  Packed, w[0] are the columns of pi = 0 and w[1] those of pi = 1, transposed to [C][out];
 * the product of row (o, a) is O(a) w[0] + O(a then 1) w[1]. */
#include <string.h>
#include "base/error.h"
#include "base/invariant.h"
#include "machine/pass.h"

/* The state of a walk.  Both walks visit the same packs in the same order, so offsets agree. */
struct packer {
    struct nlm_pass *pass;
    bool fill; /* second walk: write the maps */
};

/* First walk: a pack takes the next place in the packed and in the transposed arrays. */
static nlm_status add_pack(struct packer *packer, const struct orders *orders, int channels, int columns,
                           int *index)
{
    struct nlm_pass *pass = packer->pass;
    if (pass->pack_count == pass->pack_room) {
        int room = 2 * pass->pack_room + 32;
        struct pack *grown = memory_new((size_t)room, sizeof *grown);
        if (!grown)
            return NLM_NO_MEMORY;
        if (pass->packs)
            memcpy(grown, pass->packs, (size_t)pass->pack_count * sizeof *grown);
        memory_free(pass->packs);
        pass->packs = grown;
        pass->pack_room = room;
    }
    /* the transposed map has channels as columns, which are padded */
    int padded = kernel_pad(channels);
    pass->packs[pass->pack_count] =
        (struct pack){orders, channels, columns, padded, pass->packed_size, pass->transposed_size};
    *index = pass->pack_count++;
    pass->packed_size += (size_t)orders->count * (size_t)channels * (size_t)columns;
    pass->transposed_size += (size_t)orders->count * (size_t)columns * (size_t)padded;
    return NLM_OK;
}

/* Packed number (g, c, p) stands for this parameter.  In the transposed weights the order is inverse(g):
 * dv[o, a] = sum over g of dy[o, a then inverse(g)] w[g]^T is then again a kernel_product.
 *
 * Why inverse: y[o, b] reads v[o, b then g].  So v[o, a] is read by the b with b then g = a, that is by
 * b = a then inverse(g). */
static void set_entry(struct packer *packer, int index, int g, int c, int p, size_t parameter)
{
    struct nlm_pass *pass = packer->pass;
    const struct pack *pack = &pass->packs[index];
    size_t columns = (size_t)pack->columns;
    int32_t *entry = pass->packed_map + pack->weights +
                     ((size_t)g * (size_t)pack->channels + (size_t)c) * columns + (size_t)p;
    INVARIANT(index < pass->pack_count && g < pack->orders->count && c < pack->channels && p < pack->columns);
    INVARIANT(parameter < pass->machine->parameters && *entry == (int32_t)pass->machine->parameters);
    *entry = (int32_t)parameter;
    size_t back = pack->orders->inverse[g];
    pass->transposed_map[pack->transposed + (back * columns + (size_t)p) * (size_t)pack->padded_channels +
                         (size_t)c] = (int32_t)parameter;
}

/* A unit's weight matrix W [out, r!, channels], channels in the order expand, own, reduce. */
struct unit_shape {
    int layer, arity, out, padded_out;
    int expand, own, reduce; /* channels */
    size_t weight;           /* offset of W */
};

/* Where W[out][pi][channel] is among the parameters. */
static size_t unit_parameter(const struct unit_shape *u, int orders, int out, int pi, int channel)
{
    int channels = u->expand + u->own + 2 * u->reduce;
    return u->weight + (size_t)out * (size_t)orders * (size_t)channels + (size_t)pi * (size_t)channels +
           (size_t)channel;
}

/* Own and range: block g of the pack meets the row in order g.  W has exists and forall of a predicate side
 * by side, pools have all exists first. */
static void fill_same(struct packer *packer, int index, const struct unit_shape *u, enum source source,
                      int offset, int width)
{
    const struct orders *orders = packer->pass->packs[index].orders;
    int padded = kernel_pad(width);
    for (int g = 0; g < orders->count; g++)
        for (int c = 0; c < width; c++)
            for (int h = 0; h < u->out; h++) {
                int pi = orders->inverse[g];
                if (source == SOURCE_OWN) {
                    int channel = u->expand + offset + c;
                    set_entry(packer, index, g, c, h, unit_parameter(u, orders->count, h, pi, channel));
                    continue;
                }
                /* in W the pair (exists, forall) of a predicate is adjacent; in a pool row, forall is
                 * `padded` further on */
                int exists = u->expand + u->own + 2 * (offset + c);
                set_entry(packer, index, g, c, h, unit_parameter(u, orders->count, h, pi, exists));
                set_entry(packer, index, g, padded + c, h,
                          unit_parameter(u, orders->count, h, pi, exists + 1));
            }
}

/* Expand: the parts k of a table row are the columns k * padded_out and following. */
static void fill_sub(struct packer *packer, int index, const struct unit_shape *u, int offset, int width)
{
    const struct orders *below = packer->pass->packs[index].orders;
    const struct orders *orders = &packer->pass->machine->plan.orders[u->arity];
    for (int s = 0; s < below->count; s++)
        for (int k = 0; k < u->arity; k++) {
            int pi = orders->inverse[orders->drop_to_last[k][s]];
            for (int c = 0; c < width; c++)
                for (int h = 0; h < u->out; h++)
                    set_entry(packer, index, s, c, k * u->padded_out + h,
                              unit_parameter(u, orders->count, h, pi, offset + c));
        }
}

/* One source of a unit: a pack for every block of the group it reads. */
static nlm_status pack_source(struct packer *packer, const struct unit_shape *u, enum source source)
{
    struct nlm_pass *pass = packer->pass;
    const struct plan *plan = &pass->machine->plan;
    int arity = u->arity + (source == SOURCE_RANGE) - (source == SOURCE_SUB);
    int width = source == SOURCE_OWN ? u->own : source == SOURCE_SUB ? u->expand : u->reduce;
    if (width == 0)
        return NLM_OK;
    const struct orders *orders = &plan->orders[source == SOURCE_SUB ? u->arity - 1 : u->arity];
    /* with residual the group is several blocks, each with its own rows and so its own product */
    int first = plan_first_block(plan, u->layer - 1);
    for (int j = first; j < u->layer; j++) {
        int block = plan->block[j][arity], index = pass->unit_pack[u->layer][u->arity][source] + j - first;
        int channels = source == SOURCE_RANGE ? 2 * kernel_pad(block) : block;
        if (!packer->fill) {
            if (add_pack(packer, orders, channels, u->padded_out * (source == SOURCE_SUB ? u->arity : 1),
                         &index))
                return NLM_NO_MEMORY;
            if (j == first)
                pass->unit_pack[u->layer][u->arity][source] = index;
            continue;
        }
        int offset = plan_block_offset(plan, u->layer - 1, arity, j);
        if (source == SOURCE_SUB)
            fill_sub(packer, index, u, offset, block);
        else
            fill_same(packer, index, u, source, offset, block);
    }
    return NLM_OK;
}

/* A plain linear layer: rows meet no other order.  Heads and the later layers of an MLP are of this kind. */
struct linear_shape {
    size_t weight; /* offset of W [out, in] */
    /* sizes; a head with parts has `out` columns for each of them */
    int out, in;
    int parts, group; /* part k of the columns begins at k * group */
};

/* A linear layer of rows as they are: order 0 alone.  Part k of a twin head reads another range of W's
 * columns. */
static nlm_status pack_linear(struct packer *packer, const struct linear_shape *l, int offset, int width,
                              int *index)
{
    struct nlm_pass *pass = packer->pass;
    if (!packer->fill)
        return add_pack(packer, &pass->machine->plan.orders[0], width, kernel_pad(l->parts * l->out), index);
    for (int c = 0; c < width; c++)
        for (int part = 0; part < l->parts; part++)
            for (int h = 0; h < l->out; h++)
                set_entry(packer, *index, 0, c, part * l->out + h,
                          l->weight + (size_t)h * (size_t)l->in + (size_t)(part * l->group + offset + c));
    return NLM_OK;
}

/* Biases are padded and live among the packed weights.  Only the first part has one. */
static void pack_bias(struct packer *packer, size_t parameter, int out, int parts, size_t *offset)
{
    struct nlm_pass *pass = packer->pass;
    if (!packer->fill) {
        *offset = pass->packed_size;
        pass->packed_size += (size_t)kernel_pad(parts * out);
        return;
    }
    INVARIANT(parameter + (size_t)out <= pass->machine->parameters && *offset < pass->packed_size);
    for (int h = 0; h < out; h++)
        pass->packed_map[*offset + (size_t)h] = (int32_t)(parameter + (size_t)h);
}

/* Tensors of a unit alternate: weight and bias of layer 0, weight and bias of layer 1, ... */
static nlm_status pack_unit(struct packer *packer, int layer, int arity)
{
    struct nlm_pass *pass = packer->pass;
    const struct nlm_machine *machine = pass->machine;
    const struct plan *plan = &machine->plan;
    const struct machine_tensor *tensor = &machine->tensors[machine->unit_tensor[layer][arity]];
    int out = machine_mlp_size(machine, layer, arity, 0);
    struct unit_shape u = {
        .layer = layer,
        .arity = arity,
        .out = out,
        .padded_out = kernel_pad(out),
        .expand = plan_expand_width(plan, layer, arity),
        .own = plan_own_width(plan, layer, arity),
        .reduce = plan_reduce_width(plan, layer, arity),
        .weight = tensor[0].offset,
    };
    for (enum source source = 0; source < SOURCES; source++)
        if (pack_source(packer, &u, source))
            return NLM_NO_MEMORY;
    pack_bias(packer, tensor[1].offset, out, 1, &pass->unit_bias[layer][arity][0]);
    /* later layers of the MLP are plain matrices on the unit's rows */
    for (int k = 1; k < machine_mlp_layers(machine); k++) {
        int in = out, index = pass->mlp_pack[layer][arity] + k - 1;
        out = machine_mlp_size(machine, layer, arity, k);
        struct linear_shape linear = {tensor[2 * k].offset, out, in, 1, in};
        if (pack_linear(packer, &linear, 0, in, &index))
            return NLM_NO_MEMORY;
        if (k == 1)
            pass->mlp_pack[layer][arity] = index;
        pack_bias(packer, tensor[2 * k + 1].offset, out, 1, &pass->unit_bias[layer][arity][k]);
    }
    return NLM_OK;
}

/* The columns of a twin head that meet inputs: [relation][half][property], after those of its objects. */
static nlm_status pack_pairs(struct packer *packer, const struct linear_shape *l, int *index)
{
    const struct plan *plan = &packer->pass->machine->plan;
    int inputs = plan->spec.inputs[2], properties = inputs / TWIN_RELATIONS;
    if (!packer->fill)
        return add_pack(packer, &plan->orders[0], inputs, kernel_pad(TWIN_HALVES * l->out), index);
    for (int c = 0; c < inputs; c++)
        for (int half = 0; half < TWIN_HALVES; half++) {
            int relation = c / properties, property = c % properties;
            int column = (relation * TWIN_HALVES + half) * properties + property;
            for (int h = 0; h < l->out; h++)
                set_entry(packer, *index, 0, c, half * l->out + h,
                          l->weight + (size_t)h * (size_t)l->in + (size_t)(l->parts * l->group + column));
        }
    return NLM_OK;
}

/* A head reads all blocks of its group, one pack each; bias with the first part only. */
static nlm_status pack_head(struct packer *packer, int head)
{
    struct nlm_pass *pass = packer->pass;
    const struct nlm_machine *machine = pass->machine;
    const struct plan *plan = &machine->plan;
    const nlm_head_spec *spec = &machine->heads[head];
    const struct machine_tensor *tensor = &machine->tensors[machine->head_tensor[head]];
    int depth = plan->spec.depth, first = plan_first_block(plan, depth), arity = machine_head_group(spec);
    struct linear_shape linear = {tensor[0].offset, spec->outputs, tensor[0].shape[1],
                                  machine_head_parts(spec), plan->group[depth][arity]};
    for (int j = first; j <= depth; j++) {
        int index = pass->head_pack[head] + j - first;
        int offset = plan_block_offset(plan, depth, arity, j);
        if (pack_linear(packer, &linear, offset, plan->block[j][arity], &index))
            return NLM_NO_MEMORY;
        if (j == first)
            pass->head_pack[head] = index;
    }
    pack_bias(packer, tensor[1].offset, spec->outputs, linear.parts, &pass->head_bias[head]);
    return spec->twins ? pack_pairs(packer, &linear, &pass->pairs_pack[head]) : NLM_OK;
}

/* One walk over all live units, then all heads. */
static nlm_status pack_all(struct packer *packer)
{
    const struct plan *plan = &packer->pass->machine->plan;
    for (int i = 1; i <= plan->spec.depth; i++)
        for (int r = 0; r <= plan->spec.breadth; r++)
            if (plan_unit_live(plan, i, r) && pack_unit(packer, i, r))
                return NLM_NO_MEMORY;
    for (int h = 0; h < packer->pass->machine->head_count; h++)
        if (pack_head(packer, h))
            return NLM_NO_MEMORY;
    return NLM_OK;
}

/* Walk twice; in between, allocate what the first walk counted. */
nlm_status pack_plan(struct nlm_pass *pass)
{
    struct packer packer = {pass, false};
    if (pack_all(&packer))
        return NLM_NO_MEMORY;
    pass->packed_map = memory_new(pass->packed_size, sizeof(int32_t));
    pass->transposed_map = memory_new(pass->transposed_size, sizeof(int32_t));
    pass->packed = memory_new(pass->packed_size, sizeof(float));
    pass->packed_gradient = memory_new(pass->packed_size, sizeof(float));
    pass->transposed = memory_new(pass->transposed_size, sizeof(float));
    if (!pass->packed_map || !pass->transposed_map || !pass->packed || !pass->packed_gradient ||
        !pass->transposed)
        return NLM_NO_MEMORY;
    /* padding stands for the number after the last parameter, which is 0: padded weights are 0 at every
     * forward */
    for (size_t i = 0; i < pass->packed_size; i++)
        pass->packed_map[i] = (int32_t)pass->machine->parameters;
    for (size_t i = 0; i < pass->transposed_size; i++)
        pass->transposed_map[i] = (int32_t)pass->machine->parameters;
    packer.fill = true;
    return pack_all(&packer);
}

/* One gather through each map.  The number behind the last parameter is 0 and stays so, which makes padding
 * weights 0; the transposed copy is for backward only. */
void pack_weights(struct nlm_pass *pass, bool training)
{
    INVARIANT(pass->machine->values[pass->machine->parameters] == 0.0f);
    pass->kernels->pick(pass->packed, pass->machine->values, pass->packed_map, pass->packed_size);
    if (!training)
        return;
    pass->kernels->pick(pass->transposed, pass->machine->values, pass->transposed_map, pass->transposed_size);
    memset(pass->packed_gradient, 0, pass->packed_size * sizeof(float));
}

/* Parameters may have a gradient already (from other passes), so this adds.  The gradient of padding is
 * dropped. */
void pack_gradients(struct nlm_pass *pass)
{
    float *gradients = pass->machine->gradients;
    for (size_t i = 0; i < pass->packed_size; i++)
        gradients[pass->packed_map[i]] += pass->packed_gradient[i];
    gradients[pass->machine->parameters] = 0.0f;
}
