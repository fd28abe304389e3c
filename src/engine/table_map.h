/* Where the facts of predicates are in a database: father=people(id,father_id),mother=kin.mothers("child
 * id",b) */
#ifndef ENGINE_TABLE_MAP_H
#define ENGINE_TABLE_MAP_H

#include "logic/formula.h"
#include "world/names.h"

typedef struct table_map {
    const char *predicate;
    const char *schema, *table; /* schema: NULL for none */
    const char *column[FORMULA_MOST_ARITY];
    int columns;
} table_map;

typedef struct table_maps {
    text_store texts;
    buffer list; /* table_map */
    int count;
} table_maps;

/* Names are words without blanks and =().,"; or stand in quotation marks, doubled within.  To be freed, also
 * after a failure; NLM_BAD_ARGUMENT says what is wrong. */
nlm_status table_maps_parse(const char *text, table_maps *maps, nlm_error *error);
void table_maps_free(table_maps *maps);

static inline const table_map *table_maps_at(const table_maps *maps, int number)
{
    return (const table_map *)maps->list.data + number;
}

/* The map of a predicate, or NULL. */
const table_map *table_maps_find(const table_maps *maps, const char *predicate);

#endif
