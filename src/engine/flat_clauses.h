/* Clauses whose positive literals are inputs: definitions that they need are expanded. */
#ifndef ENGINE_FLAT_CLAUSES_H
#define ENGINE_FLAT_CLAUSES_H

#include "engine/joins.h"

typedef struct flat_range {
    int first, count;
    bool made;
} flat_range;

static inline const clause *flat_at(const joins *in, int number)
{
    return (const clause *)in->flat.data + number;
}

/* The expanded clauses of a definition, a range of in->flat that later calls do not move. */
nlm_status flat_clauses(joins *in, int predicate, flat_range *range, nlm_error *error);

#endif
