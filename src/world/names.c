/* Names and their numbers: blocks of texts, and hash tables over them. */
#include "world/names.h"

#include <string.h>

#define TEXT_BLOCK_SIZE 8000 /* bytes of names per block */
#define FIRST_SLOTS 64       /* a power of two */

/* ---- texts ---- */

struct text_block {
    struct text_block *next;
    size_t size, used;
    char text[];
};

const char *text_keep(text_store *store, const char *text, size_t length)
{
    size_t bytes = length + 1;
    text_block *block = store->current;
    text_block **link = block ? &block->next : &store->first;
    while (!block || block->size - block->used < bytes) {
        if (!*link) {
            size_t size = bytes > TEXT_BLOCK_SIZE ? bytes : TEXT_BLOCK_SIZE;
            *link = memory_new(1, sizeof *block + size);
            if (!*link)
                return NULL;
            (*link)->size = size;
        }
        block = *link;
        block->used = 0;
        store->current = block;
        link = &block->next;
    }
    char *copy = memcpy(block->text + block->used, text, length);
    copy[length] = '\0';
    block->used += bytes;
    return copy;
}

void text_clear(text_store *store)
{
    store->current = NULL;
}

void text_free(text_store *store)
{
    for (text_block *block = store->first, *next; block; block = next) {
        next = block->next;
        memory_free(block);
    }
    *store = (text_store){0};
}

/* ---- name tables ---- */

/* FNV-1a. */
static uint32_t names_hash(const char *text, size_t length, int arity)
{
    uint32_t hash = 2166136261u ^ (uint32_t)arity;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash;
}

/* The slot that holds the name, or the empty one where it belongs. */
static int *names_slot(const name_table *names, const char *text, size_t length, int arity, uint32_t hash)
{
    int *slots = names->slots.data;
    size_t mask = names->slot_count - 1;
    size_t at = hash & mask;
    for (; slots[at]; at = (at + 1) & mask) {
        const name_entry *entry = names_at(names, slots[at] - 1);
        if (entry->hash == hash && entry->arity == arity && entry->length == length &&
            memcmp(entry->text, text, length) == 0)
            break;
    }
    return &slots[at];
}

static int *entry_slot(const name_table *names, const name_entry *entry)
{
    return names_slot(names, entry->text, entry->length, entry->arity, entry->hash);
}

int names_find(const name_table *names, const char *text, size_t length, int arity)
{
    if (names->slot_count == 0)
        return -1;
    return *names_slot(names, text, length, arity, names_hash(text, length, arity)) - 1;
}

/* Enough slots for one more entry.  Doubling starts anew after a clear, so that a small world pays nothing
 * for a large one before it. */
static nlm_status names_make_slots(name_table *names)
{
    size_t wanted = names->slot_count ? names->slot_count : FIRST_SLOTS;
    while (wanted < 2 * ((size_t)names->count + 1))
        wanted *= 2;
    if (wanted == names->slot_count)
        return NLM_OK;
    if (buffer_reserve(&names->slots, wanted, sizeof(int), false))
        return NLM_NO_MEMORY;
    names->slot_count = wanted;
    memset(names->slots.data, 0, wanted * sizeof(int));
    for (int number = 0; number < names->count; number++)
        *entry_slot(names, names_at(names, number)) = number + 1;
    return NLM_OK;
}

nlm_status names_add(name_table *names, text_store *store, const char *text, size_t length, int arity)
{
    if (names->count >= NAMES_MOST || names_make_slots(names) ||
        buffer_reserve(&names->entries, (size_t)names->count + 1, sizeof(name_entry), true))
        return NLM_NO_MEMORY;
    const char *copy = text_keep(store, text, length);
    if (!copy)
        return NLM_NO_MEMORY;
    name_entry *entry = names_at(names, names->count);
    *entry = (name_entry){copy, length, names_hash(text, length, arity), arity};
    *entry_slot(names, entry) = ++names->count;
    return NLM_OK;
}

int names_intern(name_table *names, text_store *store, const char *text, size_t length, int arity)
{
    if (names->slot_count > 0) {
        int number = *names_slot(names, text, length, arity, names_hash(text, length, arity)) - 1;
        if (number >= 0)
            return number;
    }
    return names_add(names, store, text, length, arity) ? -1 : names->count - 1;
}

void names_drop_last(name_table *names)
{
    *entry_slot(names, names_at(names, names->count - 1)) = 0;
    names->count--;
}

void names_clear(name_table *names)
{
    names->count = 0;
    names->slot_count = 0;
}

void names_free(name_table *names)
{
    buffer_free(&names->entries);
    buffer_free(&names->slots);
}
