/* Passes of a machine whose spec names another model: worlds as dense numbers, and logits back.
 *
 * The baseline reads and writes one dense array per world and arity (baseline.h).  Its logits are copied into
 * the tables in which the machine's own heads have theirs, so that losses and results need not know which it
 * was. The structure is an identity here, so a row belongs to one tuple.  Memory is that of dense arrays: n^2
 * numbers for each predicate and head, for worlds of n objects.
 *
 *     lay_out         inputs of all worlds -> dense arrays, places for logits, seeds for names
 *     forward         by the baseline, for all worlds
 *     dense_set_logits   logits -> tables of the heads
 *     ...             losses add gradients to these tables
 *     gather_gradients   tables -> dense arrays, in the place of the logits
 *     backward        by the baseline, into the machine's gradients */
#include <string.h>
#include "base/error.h"
#include "machine/pass.h"

/* Tables of twin heads have the places of all worlds one after the other. */
size_t model_twin_row(const struct nlm_pass *pass, int world, int head)
{
    size_t row = 0;
    for (int w = 0; w < world; w++)
        row += dense_places(pass, w, head);
    return row;
}

/* Numbers of a head's logits in one world. */
static size_t head_numbers(const struct nlm_pass *pass, int world, int head)
{
    return dense_places(pass, world, head) * (size_t)pass->machine->heads[head].outputs;
}

/* The seed for names of objects that are drawn anew at each presentation: a hash of the world's inputs and of
 * its presentation number.  It depends neither on the place in the batch nor on threads. */
static uint64_t name_seed(uint64_t presentation, const struct baseline_world *world, const int *inputs)
{
    uint64_t hash = presentation * 0x9e3779b97f4a7c15u + (uint64_t)world->objects;
    size_t tuples = 1;
    for (int r = 0; r <= BASELINE_MOST_ARITY; r++, tuples *= (size_t)world->objects) {
        const size_t count = world->inputs[r] ? tuples * (size_t)inputs[r] : 0;
        for (size_t i = 0; i < count; i++) {
            uint32_t bits;
            memcpy(&bits, &world->inputs[r][i], sizeof bits);
            hash = (hash ^ bits) * 0xff51afd7ed558ccdu;
            hash ^= hash >> 32;
        }
    }
    return hash;
}

/* Room for the inputs of all worlds, and for the logits; the worlds point there.  One buffer for all: a batch
 * of sizes that were seen before allocates nothing. */
static nlm_status lay_out(struct nlm_pass *pass, struct baseline_world **worlds)
{
    const struct nlm_machine *machine = pass->machine;
    const int *inputs = machine->plan.spec.inputs;
    const int count = pass->structure->tuples.worlds;
    const uint64_t *presentations = pass->structure->presentations.data;
    size_t numbers = 0;
    /* sizes first: worlds point into one buffer, which must not move any more */
    for (int w = 0; w < count; w++) {
        for (int r = 0; r <= BASELINE_MOST_ARITY; r++)
            numbers += dense_cells(pass, w, r) * (size_t)inputs[r];
        for (int h = 0; h < machine->head_count; h++)
            numbers += head_numbers(pass, w, h);
    }
    if (buffer_reserve(&pass->scratch.worlds, (size_t)count, sizeof **worlds, false) ||
        buffer_reserve(&pass->scratch.dense, numbers, sizeof(float), false))
        return NLM_NO_MEMORY;
    *worlds = pass->scratch.worlds.data;
    float *next = pass->scratch.dense.data;
    for (int w = 0; w < count; w++) {
        struct baseline_world *world = &(*worlds)[w];
        *world = (struct baseline_world){.objects = tuples_objects(&pass->structure->tuples, w)};
        for (int r = 0; r <= BASELINE_MOST_ARITY; r++) {
            world->inputs[r] = inputs[r] > 0 ? next : NULL;
            if (inputs[r] > 0)
                dense_inputs(pass, w, r, next);
            next += dense_cells(pass, w, r) * (size_t)inputs[r];
        }
        for (int h = 0; h < machine->head_count; h++) {
            world->logits[h] = next;
            next += head_numbers(pass, w, h);
        }
        /* after the inputs of this world have been written */
        world->names = name_seed(presentations[w], world, inputs);
    }
    return NLM_OK;
}

/* Logits by tuple (table `logits`) or, for twin heads, by place (table `pairs`).  Strides are not padded: no
 * kernel reads these tables, only losses do. */
static nlm_status reserve_tables(struct nlm_pass *pass)
{
    const struct nlm_machine *machine = pass->machine;
    const int count = pass->structure->tuples.worlds;
    for (int h = 0; h < machine->head_count; h++) {
        const nlm_head_spec *head = &machine->heads[h];
        nlm_status status = head->twins
                                ? value_table_reserve(&pass->pairs[h], model_twin_row(pass, count, h),
                                                      head->outputs, pass->training, 0)
                                : value_table_reserve(&pass->logits[h],
                                                      level_rows(pass, machine->plan.spec.depth, head->arity),
                                                      head->outputs, pass->training, 0);
        if (status)
            return status;
    }
    return NLM_OK;
}

/* Inputs of all worlds are laid out as dense arrays, the baseline writes logits beside them. */
nlm_status model_forward(struct nlm_pass *pass, nlm_error *error)
{
    const struct nlm_machine *machine = pass->machine;
    const int count = pass->structure->tuples.worlds;
    struct baseline_world *worlds;
    if (pass->input_gradients)
        return error_set(error, NLM_BAD_ARGUMENT, "the model '%s' has no gradients of its inputs",
                         machine->plan.spec.model);
    if (lay_out(pass, &worlds) || reserve_tables(pass))
        return error_no_memory(error);
    nlm_status status = machine->plan.baseline->forward(pass->model, pass->structure->team, machine->values,
                                                        worlds, count, pass->training, error);
    for (int w = 0; w < count && !status; w++)
        for (int h = 0; h < machine->head_count; h++)
            dense_set_logits(pass, w, h, worlds[w].logits[h]);
    return status;
}

/* The logits have been copied out, so their array is reused for the gradients.  dense_logits reads `values`
 * of the table: they are exchanged for the gradients while it runs. */
static void gather_gradients(struct nlm_pass *pass, struct baseline_world *world, int number, int head)
{
    struct value_table *table = pass->machine->heads[head].twins ? &pass->pairs[head] : &pass->logits[head];
    float *values = table->values, *gradient = world->logits[head];
    memset(gradient, 0, head_numbers(pass, number, head) * sizeof *gradient);
    table->values = value_table_gradients(table);
    dense_logits(pass, number, head, (size_t)pass->machine->heads[head].outputs, gradient);
    table->values = values;
    world->dlogits[head] = gradient;
}

/* The worlds of forward are still laid out; logits give way to their gradients. */
nlm_status model_backward(struct nlm_pass *pass, nlm_error *error)
{
    const struct nlm_machine *machine = pass->machine;
    const int count = pass->structure->tuples.worlds;
    struct baseline_world *worlds = pass->scratch.worlds.data;
    for (int w = 0; w < count; w++)
        for (int h = 0; h < machine->head_count; h++)
            gather_gradients(pass, &worlds[w], w, h);
    return machine->plan.baseline->backward(pass->model, pass->structure->team, machine->values, worlds,
                                            count, machine->gradients, error);
}
