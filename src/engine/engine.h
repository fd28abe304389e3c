/* An engine of joins: a program's conclusions about one world, by SQLite, of which the library may be built
 * without.
 *
 *     engine_new      the queries of all targets, and what they cost; nothing is stored yet
 *     engine_load     the facts, sorted, as tables of numbered objects with the indexes that the queries need
 *     engine_begin    ask for one target, then
 *     engine_next     one conclusion after the other, in the order of the objects
 *
 * Conclusions are found slice by slice of their first object, so that their number takes no memory. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "logic/program.h"
#include "nlm/engine.h"

typedef struct join_engine join_engine;

/* The most rows that a program may read, an estimate: more would take hours. */
#define ENGINE_MOST_ROWS 1e10

/* Program and world must outlive it.  NLM_BAD_ARGUMENT, with the reason, if the program cannot be joined. */
nlm_status engine_new(const nlm_program *program, const nlm_world *world, join_engine **made,
                      nlm_error *error);
void engine_free(join_engine *of);
/* Rows that are read for all targets together, an estimate; *worst: the clause that reads most. */
double engine_rows(const join_engine *of, const char **worst);

/* Who hears how far it is, or NULL. */
typedef struct engine_listener {
    nlm_engine_progress call;
    void *context;
} engine_listener;

/* The facts, in memory or, unless `database` is NULL, in that file, which appears when it is whole. */
nlm_status engine_load(join_engine *of, const char *database, const engine_listener *listener,
                       nlm_error *error);
nlm_status engine_begin(join_engine *of, int target, nlm_error *error);
nlm_status engine_next(join_engine *of, int *tuple, bool *found, nlm_error *error);

#endif
