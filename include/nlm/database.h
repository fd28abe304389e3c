/* Programs run where the facts are: in a database of somebody else, SQLite's files and PostgreSQL. */
#ifndef NLM_DATABASE_H
#define NLM_DATABASE_H

#include "nlm/program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nlm_database_request {
    /* postgresql://... or postgres://..., or the file of SQLite.  It must not have a password: libpq takes
     * that from its own places (PGPASSWORD, PGPASSFILE). */
    const char *where;
    /* Tables and columns of predicates, father=people(id,father_id),...; NULL: none.  A predicate that it
     * does not name is the table of its name with columns a, b, ... */
    const char *map;
    const char *into; /* the table for the conclusions; NULL: that of the target's name */
} nlm_database_request;

/* Called for each target with the table that it was written to, and its rows. */
typedef void (*nlm_database_listener)(void *context, const char *target, const char *table, size_t rows);

/* Whether it names a database that is no file. */
bool nlm_database_is_remote(const char *where);

/* Write the conclusions of a program as new tables with columns a, b, ..., in one transaction: if anything
 * fails, the database is as it was. */
nlm_status nlm_database_conclude(const nlm_program *program, const nlm_database_request *request,
                                 nlm_database_listener listener, void *context, nlm_error *error);

#ifdef __cplusplus
}
#endif
#endif
