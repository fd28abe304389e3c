/* Interning: equal keys get equal numbers, in the order they are first seen.
 *
 * A key is `width` 32-bit words.  The table is sized once for the most keys that can come, so adding never
 * allocates. */
#ifndef STRUCTURE_INTERN_H
#define STRUCTURE_INTERN_H

#include <stdbool.h>
#include <stdint.h>
#include "base/memory.h"

struct intern {
    size_t width;
    size_t slot_mask; /* slots - 1, slots a power of two */
    int32_t count;    /* keys so far */
    int32_t *keys;    /* count * width words, owned by the caller or by key_store */
    buffer slots;     /* int32: number of a key + 1, or 0 */
    buffer key_store;
};

/* Forget all keys and make room for `most` keys.  Keys are kept at `keys`, room for most * width words, or,
 * if that is NULL, in memory of the table's own. */
nlm_status intern_start(struct intern *intern, size_t width, size_t most, int32_t *keys);
void intern_free(struct intern *intern);

static inline uint64_t intern_hash(const int32_t *key, size_t width)
{
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (size_t k = 0; k < width; k++) {
        hash = (hash ^ (uint32_t)key[k]) * 0xd6e8feb86659fd93u;
        hash ^= hash >> 32;
    }
    return hash;
}

/* The number of a key, adding it if it is new. */
static inline int32_t intern_add(struct intern *intern, const int32_t *key)
{
    size_t width = intern->width;
    int32_t *slots = intern->slots.data;
    size_t slot = intern_hash(key, width) & intern->slot_mask;
    for (; slots[slot]; slot = (slot + 1) & intern->slot_mask) {
        const int32_t *known = intern->keys + (size_t)(slots[slot] - 1) * width;
        size_t k = 0;
        while (k < width && known[k] == key[k])
            k++;
        if (k == width)
            return slots[slot] - 1;
    }
    int32_t *kept = intern->keys + (size_t)intern->count * width;
    for (size_t k = 0; k < width; k++)
        kept[k] = key[k];
    slots[slot] = ++intern->count;
    return intern->count - 1;
}

#endif
