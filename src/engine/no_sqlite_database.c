/* In place of SQLite's files as databases, where the library is built without SQLite. */
#include <stddef.h>
#include "engine/database.h"

const database_driver *const database_sqlite = NULL;
