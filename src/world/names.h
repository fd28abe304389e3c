/* Names and their numbers: texts that are copied once, and tables that number (name, arity) pairs in the
 * order they are added and find them by hashing, so that adding and finding take constant time. */
#ifndef WORLD_NAMES_H
#define WORLD_NAMES_H

#include <stddef.h>
#include <stdint.h>
#include "base/memory.h"

#define NAMES_MOST (1 << 28) /* keeps entry and slot numbers inside an int */

/* ---- texts: never moved, all forgotten at once ---- */

typedef struct text_block text_block;

/* Blocks after `current` are from earlier uses and unused; before anything is kept `current` is NULL. */
typedef struct text_store {
    text_block *first, *current;
} text_store;

/* A copy of `length` bytes, ended by 0; NULL without memory. */
const char *text_keep(text_store *store, const char *text, size_t length);
void text_clear(text_store *store);
void text_free(text_store *store);

/* ---- name tables ---- */

typedef struct name_entry {
    const char *text; /* in a text store */
    size_t length;
    uint32_t hash;
    int arity; /* or any other number that tells names apart; 0 for objects */
} name_entry;

/* Open addressing with linear probing.  There are at least twice as many slots as entries, and entries were
 * put into the slots in their order, so the last one can be taken out by emptying its slot. */
typedef struct name_table {
    buffer entries; /* name_entry */
    buffer slots;   /* int: 0 when empty, else 1 + number of the entry */
    size_t slot_count;
    int count;
} name_table;

static inline name_entry *names_at(const name_table *names, int number)
{
    return (name_entry *)names->entries.data + number;
}

/* The number of a name, or -1. */
int names_find(const name_table *names, const char *text, size_t length, int arity);
/* Add a name that is not there yet; its number is the count before. */
nlm_status names_add(name_table *names, text_store *store, const char *text, size_t length, int arity);
/* The number of a name, which is added if it is not there; -1 without memory. */
int names_intern(name_table *names, text_store *store, const char *text, size_t length, int arity);
void names_drop_last(name_table *names);
/* Forget all names, keep the memory. */
void names_clear(name_table *names);
void names_free(name_table *names);

#endif
