/* nlm infer without facts: a model's program runs in the database that has them. */
#ifndef CLI_INFER_DATABASE_H
#define CLI_INFER_DATABASE_H

#include <stdbool.h>
#include "nlm/nlm.h"

/* False after an error line. */
bool infer_in_database(const char *model, const nlm_database_request *request);

#endif
