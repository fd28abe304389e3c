/* The entries of a folder, sorted by name. */
#ifndef FACTS_FOLDER_H
#define FACTS_FOLDER_H

#include "world/names.h"

typedef struct folder_list {
    text_store texts;
    buffer names; /* const char * */
    int count;
} folder_list;

/* Whether there is a folder of that name. */
bool folder_is(const char *path);
/* All entries but "." and ".."; the folder is to be freed whatever the status. */
nlm_status folder_read(folder_list *in, const char *path, nlm_error *error);
void folder_free(folder_list *in);

static inline const char *folder_at(const folder_list *in, int number)
{
    return ((const char *const *)in->names.data)[number];
}

/* "path/name" in a store; NULL without memory. */
const char *folder_join(text_store *store, const char *path, const char *name);

#endif
