#include "logic/slots.h"
#include <string.h>

enum { FIRST_SLOTS = 1024 };

/* Twice as many slots, all filled again. */
bool slots_reserve(slot_table *table, uint32_t things, slot_hash hash, const void *owner)
{
    if (things * 2 < table->count)
        return true;
    const uint32_t count = table->count ? table->count * 2 : FIRST_SLOTS;
    if (buffer_reserve(&table->slots, count, sizeof(uint32_t), false) != NLM_OK)
        return false;
    memset(table->slots.data, 0, count * sizeof(uint32_t));
    table->count = count;
    for (uint32_t i = 0; i < things; i++) {
        uint32_t *slot = slots_first(table, hash(owner, i));
        while (*slot)
            slot = slots_next(table, slot);
        *slot = i + 1;
    }
    return true;
}

void slots_free(slot_table *table)
{
    buffer_free(&table->slots);
    table->count = 0;
}
