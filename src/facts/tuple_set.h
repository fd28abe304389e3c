/* Sets of tuples of one arity, each with marks, in the order they were added. */
#ifndef FACTS_TUPLE_SET_H
#define FACTS_TUPLE_SET_H

#include <stdint.h>
#include "base/memory.h"

/* Open addressing with linear probing, at least twice as many slots as tuples. */
typedef struct tuple_set {
    int arity;
    size_t count;
    buffer tuples; /* int: count * arity */
    buffer marks;  /* uint8_t */
    buffer slots;  /* uint64_t: 0 when empty, else half of the hash above 1 + number of the tuple */
    size_t slot_count;
} tuple_set;

/* Room for so many tuples, as a hint: they can be more. */
nlm_status tuple_set_expect(tuple_set *set, size_t count);
/* Add a tuple, or marks to a tuple that is there. */
nlm_status tuple_set_add(tuple_set *set, const int *tuple, uint8_t marks);
/* The marks of a tuple; 0 if it is not there. */
uint8_t tuple_set_marks(const tuple_set *set, const int *tuple);
/* The number of a tuple that is there, in the order of adding. */
size_t tuple_set_number(const tuple_set *set, const int *tuple);
/* Forget all tuples, keep the memory. */
void tuple_set_clear(tuple_set *set, int arity);
void tuple_set_free(tuple_set *set);

static inline const int *tuple_set_at(const tuple_set *set, size_t number)
{
    return set->arity ? (const int *)set->tuples.data + number * (size_t)set->arity : NULL;
}

static inline uint8_t tuple_set_marks_at(const tuple_set *set, size_t number)
{
    return ((const uint8_t *)set->marks.data)[number];
}

#endif
