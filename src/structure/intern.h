/* Interning: equal keys get equal numbers, in the order they are first seen.
 *
 * A key is `width` 32-bit words.  The table is a hash table with open addressing and linear probing, sized
 * once for the most keys that can come, so adding never allocates.  At most half of the slots are taken, so a
 * search always ends at an empty one.  Keys are kept one after the other: key n at keys[n * width].
 *
 * Numbers depend on the order in which keys come, never on the hash: a slot only decides where a number is
 * looked for.  So partitions are the same on every machine. */
#ifndef STRUCTURE_INTERN_H
#define STRUCTURE_INTERN_H

#include <stdbool.h>
#include <stdint.h>
#include "base/invariant.h"
#include "base/memory.h"

/* Aligned so that tables of different threads share no cache line. */
struct __attribute__((aligned(MEMORY_ALIGNMENT))) intern {
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
/* Forget all keys of a table that was started for at least as many; cannot fail. */
void intern_restart(struct intern *intern, size_t most, int32_t *keys);
void intern_free(struct intern *intern);

/* A sum of products with different odd factors: no product waits for another.  The final mix brings the high
 * bits, which depend on all words, down to where the slot is taken from. */
static inline size_t intern_hash(const int32_t *key, size_t width)
{
    uint64_t hash = 0, factor = 0x9e3779b97f4a7c15u;
    for (size_t k = 0; k < width; k++) {
        hash += (uint32_t)key[k] * factor;
        factor += 0xd1b54a32d192ed02u;
    }
    return (size_t)((hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u >> 32);
}

/* The number of a key, adding it if it is new.  `width` is the table's, given anew so that it can be a
 * constant. */
static inline __attribute__((always_inline)) int32_t intern_add(struct intern *intern, const int32_t *key,
                                                                size_t width)
{
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
    INVARIANT((size_t)intern->count < (intern->slot_mask + 1) / 2 && width == intern->width);
    int32_t *kept = intern->keys + (size_t)intern->count * width;
    for (size_t k = 0; k < width; k++)
        kept[k] = key[k];
    slots[slot] = ++intern->count;
    return intern->count - 1;
}

#endif
