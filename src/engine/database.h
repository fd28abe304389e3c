/* Databases of somebody else: what their drivers do.
 *
 * A driver is opened, told statements of SQL one by one, and closed; what is not committed then is undone. */
#ifndef ENGINE_DATABASE_H
#define ENGINE_DATABASE_H

#include <stddef.h>
#include "nlm/status.h"

typedef struct database database;

typedef struct database_driver {
    nlm_status (*open)(const char *where, database **made, nlm_error *error);
    void (*close)(database *of);
    /* `number`, unless it is NULL, becomes the number in the first row.  Errors have the database's own
     * words. */
    nlm_status (*run)(database *of, const char *sql, size_t *number, nlm_error *error);
    const char *begin; /* the statement that begins to write */
} database_driver;

/* NULL where the library is built without it. */
extern const database_driver *const database_sqlite, *const database_postgresql;

#endif
