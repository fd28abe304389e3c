/* Tables of a pass: rows of values, their gradients, and for pools the rows that values came from.
 *
 * Gradients are cleared when they are first asked for, not at every forward: a product that is the first to
 * write them overwrites instead of adding (chain.c), and tables that get no gradient cost nothing.
 *
 * `written` says which of the two it is.  It is reset by value_table_reserve, that is by every forward. */
#include <string.h>
#include "base/invariant.h"
#include "machine/pass.h"

/* Room for values and, if asked for, gradients and `args` row numbers per value; what was there is
 * forgotten. */
nlm_status value_table_reserve(struct value_table *table, size_t rows, int stride, bool gradients,
                               size_t args)
{
    size_t count;
    INVARIANT(stride >= 0);
    if (!memory_multiply(rows, (size_t)stride, &count) ||
        buffer_reserve(&table->value_store, count, sizeof(float), false) ||
        (gradients && buffer_reserve(&table->gradient_store, count, sizeof(float), false)) ||
        (args && buffer_reserve(&table->arg_store, count * args, sizeof(int32_t), false)))
        return NLM_NO_MEMORY;
    table->rows = rows;
    table->stride = stride;
    table->values = table->value_store.data;
    table->gradients = gradients ? table->gradient_store.data : NULL;
    table->arg = args ? table->arg_store.data : NULL;
    table->written = false;
    return NLM_OK;
}

/* Callers that overwrite (chain.c) set `written` themselves. */
float *value_table_gradients(struct value_table *table)
{
    INVARIANT(table->gradients || table->rows == 0);
    if (!table->written)
        memset(table->gradients, 0, table->rows * (size_t)table->stride * sizeof(float));
    table->written = true;
    return table->gradients;
}

void value_table_free(struct value_table *table)
{
    buffer_free(&table->value_store);
    buffer_free(&table->gradient_store);
    buffer_free(&table->arg_store);
}

/* A streamed level has no partition, and no rows. */
size_t level_rows(const struct nlm_pass *pass, int layer, int arity)
{
    const struct partition *part = pass->structure->levels[layer][arity].part;
    return part ? part->orbits * (size_t)pass->machine->plan.orders[arity].count : 0;
}

/* A range that nobody reduces over has no rows either. */
size_t range_rows(const struct nlm_pass *pass, int layer, int arity)
{
    const struct partition *part = pass->structure->ranges[layer][arity].part;
    return part ? part->orbits * (size_t)pass->machine->plan.orders[arity].count : 0;
}
