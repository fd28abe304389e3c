/* In place of PostgreSQL, where the library is built without it. */
#include <stddef.h>
#include "engine/database.h"

const database_driver *const database_postgresql = NULL;
