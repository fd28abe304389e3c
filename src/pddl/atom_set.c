/* A set of ground atoms (atom_set.h). */
#include "pddl/atom_set.h"

#include <string.h>

enum { LEAST_SLOTS = 64 };

/* Fibonacci hashing: the golden ratio spreads neighbouring numbers. */
static size_t slot_of(const struct atom_set *set, uint64_t atom)
{
    return (size_t)((atom * 0x9e3779b97f4a7c15u) >> 32) & (set->size - 1);
}

/* The slot with the atom, or the empty one where it would be. */
static size_t find(const struct atom_set *set, uint64_t atom)
{
    const uint64_t *slots = set->slots.data;
    size_t slot = slot_of(set, atom);
    while (slots[slot] != 0 && slots[slot] != atom)
        slot = (slot + 1) & (set->size - 1);
    return slot;
}

bool atom_set_has(const struct atom_set *set, uint64_t atom)
{
    return set->size > 0 && ((const uint64_t *)set->slots.data)[find(set, atom)] == atom;
}

static nlm_status grow(struct atom_set *set)
{
    struct atom_set larger = {.size = set->size > 0 ? 2 * set->size : LEAST_SLOTS, .count = set->count};
    if (buffer_reserve(&larger.slots, larger.size, sizeof(uint64_t), false))
        return NLM_NO_MEMORY;
    memset(larger.slots.data, 0, larger.size * sizeof(uint64_t));
    const uint64_t *slots = set->slots.data;
    for (size_t i = 0; i < set->size; i++)
        if (slots[i] != 0)
            ((uint64_t *)larger.slots.data)[find(&larger, slots[i])] = slots[i];
    buffer_free(&set->slots);
    *set = larger;
    return NLM_OK;
}

nlm_status atom_set_add(struct atom_set *set, uint64_t atom)
{
    if (atom_set_has(set, atom))
        return NLM_OK;
    if (2 * (set->count + 1) > set->size && grow(set))
        return NLM_NO_MEMORY;
    ((uint64_t *)set->slots.data)[find(set, atom)] = atom;
    set->count++;
    return NLM_OK;
}

/* Atoms behind the hole that would not be found any more move into it. */
void atom_set_remove(struct atom_set *set, uint64_t atom)
{
    if (!atom_set_has(set, atom))
        return;
    uint64_t *slots = set->slots.data;
    const size_t mask = set->size - 1;
    size_t hole = find(set, atom);
    for (size_t slot = (hole + 1) & mask; slots[slot] != 0; slot = (slot + 1) & mask) {
        const size_t own = slot_of(set, slots[slot]);
        if (((slot - own) & mask) >= ((slot - hole) & mask)) {
            slots[hole] = slots[slot];
            hole = slot;
        }
    }
    slots[hole] = 0;
    set->count--;
}

void atom_set_release(struct atom_set *set)
{
    buffer_free(&set->slots);
    *set = (struct atom_set){0};
}
