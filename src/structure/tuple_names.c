#include "structure/tuple_names.h"
#include <string.h>
#include "base/error.h"

/* The objects of a set of names are counted in a table: a place holds a name of this set if its stamp is the
 * set's. */
struct tuple_names {
    struct plan plan;
    int objects;
    buffer layer[2][NLM_MAX_BREADTH + 1]; /* uint64_t, [objects]^arity, of this layer and the one before */
    int at;                               /* which of the two is this layer's */
    buffer places, stamps;                /* uint64_t, uint32_t */
    uint64_t mask;
    uint32_t stamp;
};

nlm_status tuple_names_new(const struct plan *plan, tuple_names **made, nlm_error *error)
{
    *made = memory_new(1, sizeof **made);
    if (!*made)
        return error_no_memory(error);
    (*made)->plan = *plan;
    return NLM_OK;
}

void tuple_names_free(tuple_names *names)
{
    if (!names)
        return;
    for (int r = 0; r <= NLM_MAX_BREADTH; r++)
        for (int k = 0; k < 2; k++)
            buffer_free(&names->layer[k][r]);
    buffer_free(&names->places);
    buffer_free(&names->stamps);
    memory_free(names);
}

double tuple_names_memory(const struct plan *plan, int objects)
{
    double sum = 0, tuples = 1;
    for (int r = 0; r <= plan->spec.breadth; r++, tuples *= objects)
        sum += 2 * sizeof(uint64_t) * tuples;
    return sum;
}

const uint64_t *tuple_names_at(const tuple_names *names, int arity)
{
    return names->layer[names->at][arity].data;
}

/* ---- hashes ---- */

/* Every bit of the sum changes about half of the bits of the result. */
static uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t joined(uint64_t hash, uint64_t with)
{
    return mixed(hash ^ mixed(with));
}

/* ---- layer 0 ---- */

static uint64_t input_name(const tuple_names *of, const nlm_batch *batch, const int *tuple, int arity)
{
    const int width = batch->inputs[arity], orders = batch_orders(arity);
    const struct orders *table = &of->plan.orders[arity];
    uint64_t hash = (uint64_t)arity;
    int own;
    if (width == 0)
        return hash;
    const size_t index = tuples_find(&batch->tuples, 0, tuple, arity, &own);
    const float *values = (const float *)batch->values[arity].data + index * (size_t)orders * (size_t)width;
    for (int o = 0; o < orders; o++) { /* the tuple's own order first, then all others relative to it */
        const float *row = values + (size_t)table->times[own][o] * (size_t)width;
        for (int p = 0; p < width; p++) {
            uint32_t bits;
            memcpy(&bits, &row[p], sizeof bits);
            hash = joined(hash, bits);
        }
    }
    return hash;
}

/* ---- layers ---- */

static size_t power(int objects, int arity)
{
    size_t count = 1;
    for (int i = 0; i < arity; i++)
        count *= (size_t)objects;
    return count;
}

/* Of the names of (t, z) for all other z; `row` are those of all z. */
static uint64_t set_name(tuple_names *of, const uint64_t *row, const int *tuple, int arity)
{
    uint64_t *places = of->places.data, sum = 0;
    uint32_t *stamps = of->stamps.data;
    if (++of->stamp == 0) { /* stamps begin again: forget all */
        memset(stamps, 0, of->stamps.capacity);
        of->stamp = 1;
    }
    for (int z = 0; z < of->objects; z++) {
        bool inside = false;
        for (int k = 0; k < arity; k++)
            inside |= tuple[k] == z;
        if (inside)
            continue;
        uint64_t place = row[z] & of->mask;
        while (stamps[place] == of->stamp && places[place] != row[z])
            place = (place + 1) & of->mask;
        if (stamps[place] == of->stamp)
            continue;
        stamps[place] = of->stamp;
        places[place] = row[z];
        sum += mixed(row[z]);
    }
    return sum;
}

/* Block (layer, arity) at one tuple, with what the group keeps of the layer before. */
static uint64_t layer_name(tuple_names *of, int layer, int arity, const int *tuple, size_t number)
{
    const struct plan *plan = &of->plan;
    buffer *before = of->layer[!of->at];
    uint64_t hash = (uint64_t)arity;
    const bool unit = plan_unit_live(plan, layer, arity);
    if ((plan->spec.residual || unit) && plan_own_width(plan, layer, arity) > 0)
        hash = joined(hash, ((const uint64_t *)before[arity].data)[number]);
    if (unit && plan_expand_width(plan, layer, arity) > 0)
        for (int left = 0; left < arity; left++) {
            int sub[NLM_MAX_BREADTH] = {0}, count = 0;
            for (int k = 0; k < arity; k++)
                if (k != left)
                    sub[count++] = tuple[k];
            hash = joined(
                hash,
                ((const uint64_t *)before[arity - 1].data)[nlm_tuple_number(of->objects, arity - 1, sub)]);
        }
    if (unit && plan_reduce_width(plan, layer, arity) > 0) {
        const uint64_t *row = (const uint64_t *)before[arity + 1].data + number * (size_t)of->objects;
        hash = joined(hash, set_name(of, row, tuple, arity));
    }
    return hash;
}

static void name_layer(tuple_names *of, const nlm_batch *batch, int layer)
{
    of->at = !of->at;
    for (int r = 0; r <= of->plan.spec.breadth; r++) {
        uint64_t *names = of->layer[of->at][r].data;
        const size_t count = power(of->objects, r);
        for (size_t t = 0; t < count && of->plan.live[layer][r]; t++) {
            int tuple[NLM_MAX_BREADTH];
            if (nlm_tuple_at(of->objects, r, t, tuple))
                names[t] = layer == 0 ? input_name(of, batch, tuple, r) : layer_name(of, layer, r, tuple, t);
        }
    }
}

nlm_status tuple_names_ask(tuple_names *names, const nlm_batch *batch, nlm_error *error)
{
    const int objects = names->objects = nlm_batch_objects(batch, 0);
    size_t places = 16;
    while (places < 2 * (size_t)objects)
        places *= 2;
    names->mask = places - 1;
    nlm_status status = buffer_reserve(&names->places, places, sizeof(uint64_t), false);
    if (!status)
        status = buffer_reserve(&names->stamps, places, sizeof(uint32_t), false);
    for (int r = 0; r <= names->plan.spec.breadth && !status; r++)
        for (int k = 0; k < 2 && !status; k++)
            status = buffer_reserve(&names->layer[k][r], power(objects, r) + 1, sizeof(uint64_t), false);
    if (status)
        return error_no_memory(error);
    memset(names->stamps.data, 0, names->stamps.capacity);
    names->stamp = 0;
    for (int layer = 0; layer <= names->plan.spec.depth; layer++)
        name_layer(names, batch, layer);
    return NLM_OK;
}
