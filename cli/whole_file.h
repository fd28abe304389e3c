/* Files that are written whole or not at all: under a temporary name in the same folder, flushed, renamed.
 *
 * A command that is killed meanwhile leaves NAME.tmp-PROCESS-NUMBER behind, and NAME as it was. */
#ifndef CLI_WHOLE_FILE_H
#define CLI_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include "nlm/nlm.h"

/* What `write` puts into the file replaces the one that is there, if any. */
nlm_status whole_file_write(const char *path, void (*write)(FILE *file, const void *context),
                            const void *context, nlm_error *error);
/* Whether a file could be made there; leaves nothing behind. */
nlm_status whole_file_check(const char *path, nlm_error *error);

/* Whether two names are of one file, or will be of one when it is made. */
bool same_file(const char *a, const char *b);

#endif
