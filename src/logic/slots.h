/* Tables that find numbered things by their hash: open addressing with linear probing.  A slot has a number +
 * 1, or 0 when it is empty; half of the slots are, at least.  The owner keeps the things and compares them:
 *
 *     uint32_t *slot = slots_first(&table, hash);
 *     while (*slot && !equal(*slot - 1))
 *         slot = slots_next(&table, slot);
 *     if (!*slot)
 *         *slot = new_number + 1; */
#ifndef LOGIC_SLOTS_H
#define LOGIC_SLOTS_H

#include <stdbool.h>
#include <stdint.h>
#include "base/memory.h"

typedef struct slot_table {
    buffer slots;   /* uint32_t */
    uint32_t count; /* a power of two, or 0 */
} slot_table;

typedef uint32_t (*slot_hash)(const void *owner, uint32_t number);

/* Room for one thing more than there are; false without memory.  `hash` is asked when the table grows. */
bool slots_reserve(slot_table *table, uint32_t things, slot_hash hash, const void *owner);
void slots_free(slot_table *table);

static inline uint32_t *slots_first(const slot_table *table, uint32_t hash)
{
    return (uint32_t *)table->slots.data + (hash & (table->count - 1));
}

static inline uint32_t *slots_next(const slot_table *table, uint32_t *slot)
{
    uint32_t *const begin = table->slots.data;
    return ++slot == begin + table->count ? begin : slot;
}

#endif
