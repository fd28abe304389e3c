/* An estimate of memory before anything is built: the least that a world takes, whatever its facts are.
 *
 * It counts the numbers written for every unordered tuple: the inputs of the batch and the codes of levels,
 * as far as a level is certain to have codes of its own (a level that divides nothing further takes over
 * those of the layer below).  A unit of the first layer that is streamed makes identities of the range and
 * the levels above it, whose rows are then as many as the tuples.  Everything else depends on the classes: a
 * world without facts has one per arity.
 *
 * Inference and reports use it to refuse a world that could never fit, with the number of objects that would,
 * before anything is built.  A world that passes may still need more than there is. */
#include <math.h>
#include "kernel/kernel.h"
#include "machine/machine.h"
#include "structure/structure.h"

enum { MOST_OBJECTS = 1000000 }; /* of a world (world/tuples.c) */

/* Unordered tuples: n over r, as a double, since it may be far beyond any memory. */
static double tuples_of(double objects, int arity)
{
    double count = 1.0;
    for (int k = 0; k < arity; k++)
        count *= objects > k ? (objects - k) / (k + 1) : 0.0;
    return count;
}

/* The level is not taken over from the layer below, whatever the facts: it reads something that the layer
 * below did not. */
static bool level_is_new(const struct plan *plan, int layer, int arity)
{
    if (!plan_unit_live(plan, layer, arity))
        return false;
    if (!structure_reads_own(plan, layer, arity))
        return true;
    bool sub = structure_reads_sub(plan, layer, arity), range = structure_reads_range(plan, layer, arity);
    if (layer == 1 || !plan_unit_live(plan, layer - 1, arity))
        return sub || range;
    return (sub && !structure_reads_sub(plan, layer - 1, arity)) ||
           (range && !structure_reads_range(plan, layer - 1, arity));
}

/* The layer at which the level one arity above is certain to be streamed: the range over it, and the levels
 * above that, are then identities.  `depth` if there is none. */
static int streamed_layer(const struct plan *plan, int arity)
{
    int layer = 1;
    while (layer < plan->spec.depth &&
           !(arity < plan->spec.breadth && structure_may_stream(plan, layer, arity + 1) &&
             level_is_new(plan, layer, arity + 1)))
        layer++;
    return layer;
}

/* Arrays of codes, one code per tuple: of inputs, of new levels, of an identity.  At layers above the
 * streamed one the levels share the identity, so only one more array is needed. */
static int code_arrays(const struct plan *plan, int arity)
{
    int streamed = streamed_layer(plan, arity);
    int arrays = (plan->live[0][arity] ? 1 : 0) + (streamed < plan->spec.depth);
    for (int i = 1; i <= streamed; i++)
        arrays += level_is_new(plan, i, arity) && !structure_may_stream(plan, i, arity);
    return arrays;
}

/* Floats of rows, one per ordered tuple: the pool of the streamed unit, and the levels that read it. */
static double identity_floats(const struct plan *plan, int arity)
{
    int streamed = streamed_layer(plan, arity);
    if (streamed == plan->spec.depth)
        return 0.0;
    /* the pool has maximum and minimum of each predicate */
    double floats = 2.0 * kernel_pad(plan->block[streamed][arity + 1]);
    for (int i = streamed + 1; i <= plan->spec.depth; i++)
        if (plan_unit_live(plan, i, arity) && !structure_may_stream(plan, i, arity))
            floats += kernel_pad(plan->block[i][arity]);
    return floats;
}

/* Whether every tuple of the arity is certain to be an orbit of its own, whatever the facts: below a streamed
 * level, for a baseline, and where a sense writes the inputs. */
static bool is_identity(const struct plan *plan, int arity)
{
    return plan->baseline || streamed_layer(plan, arity) < plan->spec.depth ||
           (arity == 1 && plan->perceived > 0);
}

/* A lower bound: all memory that it counts is certain to be allocated.  Infinite where numbers of tuples, or
 * codes that are certain to be as many, would not fit 31 bits. */
double nlm_structure_memory(const nlm_machine *machine, int objects)
{
    const struct plan *plan = &machine->plan;
    double bytes = 2.0 * (NLM_MAX_BREADTH + 1) * sizeof(size_t) * objects; /* the tables of tuples.h */
    for (int r = 0; r <= plan->spec.breadth; r++) {
        const struct orders *orders = &plan->orders[r];
        double tuples = tuples_of(objects, r);
        const size_t most = is_identity(plan, r) ? STRUCTURE_MOST_ORBITS(orders) : STRUCTURE_MOST_TUPLES;
        if ((is_identity(plan, r) || structure_numbers(plan, r)) && tuples > (double)most)
            return (double)INFINITY;
        bytes += tuples * orders->count * sizeof(float) * (plan->spec.inputs[r] + identity_floats(plan, r));
        bytes += tuples * sizeof(int32_t) * code_arrays(plan, r);
    }
    if (plan->baseline)
        bytes += plan->baseline->memory(machine->model, objects);
    return objects > 0 ? bytes : 0.0;
}

/* Memory grows with the number of objects: bisection.  fits <= answer < above always holds. */
int nlm_structure_largest(const nlm_machine *machine, double bytes)
{
    int fits = 0, above = MOST_OBJECTS + 1;
    while (above - fits > 1) {
        int middle = fits + (above - fits) / 2;
        if (nlm_structure_memory(machine, middle) <= bytes)
            fits = middle;
        else
            above = middle;
    }
    return fits;
}
