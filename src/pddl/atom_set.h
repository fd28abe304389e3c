/* A set of ground atoms, each a number other than 0 (strips.h): a hash table with linear probing. */
#ifndef PDDL_ATOM_SET_H
#define PDDL_ATOM_SET_H

#include <stdbool.h>
#include <stdint.h>
#include "base/memory.h"

/* Slots, a power of 2 of them (0 before the first atom), at least half of them empty, that is 0.  Every atom
 * is found from its own slot on before an empty one. */
struct atom_set {
    buffer slots;
    size_t size, count;
};

bool atom_set_has(const struct atom_set *set, uint64_t atom);
nlm_status atom_set_add(struct atom_set *set, uint64_t atom);
void atom_set_remove(struct atom_set *set, uint64_t atom);
void atom_set_release(struct atom_set *set);

#endif
