/* Sets of tuples: hashing over the tuples' numbers. */
#include "facts/tuple_set.h"

#include <string.h>

#define FIRST_SLOTS 64                /* a power of two */
#define MOST_TUPLES ((size_t)1 << 31) /* their numbers have 32 bits */

/* The upper half is kept in the slot, so that few tuples need to be looked at; the lower half says where. */
static uint64_t hash(const int *tuple, int arity)
{
    uint64_t sum = 0;
    for (int k = 0; k < arity; k++)
        sum = (sum + (uint64_t)tuple[k] + 1) * 0x9E3779B97F4A7C15u;
    return sum ^ sum >> 32;
}

static uint64_t slot_of(uint64_t hashed, size_t number)
{
    return (hashed & 0xFFFFFFFF00000000u) | (uint64_t)(number + 1);
}

/* The number of the tuple in a slot that is not empty. */
static size_t number_in(uint64_t slot)
{
    return (size_t)(slot & 0xFFFFFFFFu) - 1;
}

static bool is_equal(const int *a, const int *b, int arity)
{
    for (int k = 0; k < arity; k++)
        if (a[k] != b[k])
            return false;
    return true;
}

/* The slot that holds the tuple, or the empty one where it belongs. */
static uint64_t *find_slot(const tuple_set *set, const int *tuple, uint64_t hashed)
{
    uint64_t *slots = set->slots.data;
    size_t mask = set->slot_count - 1, at = (size_t)hashed & mask;
    for (; slots[at]; at = (at + 1) & mask)
        if (slots[at] >> 32 == hashed >> 32 &&
            is_equal(tuple_set_at(set, number_in(slots[at])), tuple, set->arity))
            break;
    return &slots[at];
}

/* Slots for `count` tuples. */
static nlm_status grow(tuple_set *set, size_t count)
{
    size_t wanted = set->slot_count ? set->slot_count : FIRST_SLOTS;
    while (wanted < 2 * count)
        wanted *= 2;
    if (wanted == set->slot_count)
        return NLM_OK;
    if (set->count >= MOST_TUPLES || buffer_reserve(&set->slots, wanted, sizeof(uint64_t), false))
        return NLM_NO_MEMORY;
    set->slot_count = wanted;
    uint64_t *slots = memset(set->slots.data, 0, wanted * sizeof(uint64_t));
    for (size_t i = 0; i < set->count; i++) { /* all differ, so none is compared */
        uint64_t hashed = hash(tuple_set_at(set, i), set->arity);
        size_t at = (size_t)hashed & (wanted - 1);
        while (slots[at])
            at = (at + 1) & (wanted - 1);
        slots[at] = slot_of(hashed, i);
    }
    return NLM_OK;
}

nlm_status tuple_set_expect(tuple_set *set, size_t count)
{
    size_t bytes = (size_t)set->arity * sizeof(int);
    return count < MOST_TUPLES && (grow(set, count) || buffer_reserve(&set->tuples, count, bytes, true))
               ? NLM_NO_MEMORY
               : NLM_OK;
}

nlm_status tuple_set_add(tuple_set *set, const int *tuple, uint8_t marks)
{
    size_t bytes = (size_t)set->arity * sizeof(int);
    if (grow(set, set->count + 1) || buffer_reserve(&set->tuples, set->count + 1, bytes, true) ||
        buffer_reserve(&set->marks, set->count + 1, 1, true))
        return NLM_NO_MEMORY;
    uint64_t hashed = hash(tuple, set->arity), *slot = find_slot(set, tuple, hashed);
    if (*slot == 0) {
        if (bytes)
            memcpy((char *)set->tuples.data + set->count * bytes, tuple, bytes);
        ((uint8_t *)set->marks.data)[set->count] = 0;
        *slot = slot_of(hashed, set->count++);
    }
    ((uint8_t *)set->marks.data)[number_in(*slot)] |= marks;
    return NLM_OK;
}

uint8_t tuple_set_marks(const tuple_set *set, const int *tuple)
{
    if (set->slot_count == 0)
        return 0;
    uint64_t slot = *find_slot(set, tuple, hash(tuple, set->arity));
    return slot ? tuple_set_marks_at(set, number_in(slot)) : 0;
}

size_t tuple_set_number(const tuple_set *set, const int *tuple)
{
    return number_in(*find_slot(set, tuple, hash(tuple, set->arity)));
}

void tuple_set_clear(tuple_set *set, int arity)
{
    set->arity = arity;
    set->count = 0;
    set->slot_count = 0;
}

void tuple_set_free(tuple_set *set)
{
    buffer_free(&set->tuples);
    buffer_free(&set->marks);
    buffer_free(&set->slots);
}
