/* Facts in memory as tables of SQLite: sorted arrays that it looks rows up in, instead of trees of its own.
 */
#ifndef ENGINE_FACTS_TABLE_H
#define ENGINE_FACTS_TABLE_H

#include <sqlite3.h>
#include <stdint.h>
#include "logic/formula.h"
#include "nlm/status.h"

typedef struct facts_table {
    int arity, objects;
    size_t count;
    int *tuples; /* sorted, each once */
    /* By column that is looked up: the facts that have object o there are the numbers fact[first[o]] ... of
     * tuples, in ascending order; column 0 needs no fact, since the tuples are sorted by it. */
    uint32_t *first[FORMULA_MOST_ARITY], *fact[FORMULA_MOST_ARITY];
} facts_table;

/* Takes the tuples, also when it fails.  `columns` are those that will be looked up, as bits. */
nlm_status facts_table_make(facts_table *made, int *tuples, size_t count, int arity, int objects,
                            uint32_t columns, nlm_error *error);
void facts_table_free(facts_table *of);
/* Tables can then be made by CREATE VIRTUAL TABLE name USING nlm_facts(number): number of `tables`, which
 * must outlive the database.  A code of SQLite. */
int facts_table_register(sqlite3 *database, facts_table *tables);

#endif
