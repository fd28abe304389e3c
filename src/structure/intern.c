/* Sizing and freeing of interning tables; the look-up itself is inline in the header. */
#include "structure/intern.h"

#include <string.h>

/* At most half full. */
static size_t slot_count(size_t most)
{
    size_t slots = 16;
    while (slots < 2 * most)
        slots *= 2;
    return slots;
}

/* Buffers only grow, so starting again for as many keys allocates nothing. */
nlm_status intern_start(struct intern *intern, size_t width, size_t most, int32_t *keys)
{
    if (buffer_reserve(&intern->slots, slot_count(most), sizeof(int32_t), false))
        return NLM_NO_MEMORY;
    if (!keys) {
        size_t words;
        if (!memory_multiply(most, width, &words) ||
            buffer_reserve(&intern->key_store, words, sizeof(int32_t), false))
            return NLM_NO_MEMORY;
        keys = intern->key_store.data;
    }
    intern->width = width;
    intern_restart(intern, most, keys);
    return NLM_OK;
}

/* The table may have more slots than this use needs: only slots 0..slot_mask are cleared and searched. */
void intern_restart(struct intern *intern, size_t most, int32_t *keys)
{
    size_t slots = slot_count(most);
    memset(intern->slots.data, 0, slots * sizeof(int32_t));
    intern->slot_mask = slots - 1;
    intern->keys = keys;
    intern->count = 0;
}

/* The caller's own room for keys is left alone. */
void intern_free(struct intern *intern)
{
    buffer_free(&intern->slots);
    buffer_free(&intern->key_store);
}
