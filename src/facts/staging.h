/* A folder of files that is written whole: a reader finds all of them, or learns that some are not there.
 *
 * First all files and folders are planned, then the folders are made, then every file is written under a
 * temporary name, which finds a full disk while an earlier content is still as it was; at last they are
 * renamed.  While a file with its final name may be missing, the folder holds a file STAGING_MARK, which
 * readers of facts refuse.  A failure before the renaming leaves nothing behind. */
#ifndef FACTS_STAGING_H
#define FACTS_STAGING_H

#include "base/file.h"
#include "nlm/file.h"
#include "world/names.h"

#define STAGING_MARK "INCOMPLETE"

typedef struct staged_file {
    const char *path;
    file_writer writer; /* closed once the file is written */
} staged_file;

typedef struct staging {
    text_store texts;
    name_table names; /* of all that is planned, files and folders */
    buffer folders;   /* const char *: the outermost first */
    buffer files;     /* staged_file */
    size_t folder_count, file_count;
    buffer made; /* const char *: folders that were not there */
    size_t made_count;
    nlm_lock *lock;
    const char *mark; /* STAGING_MARK in the outermost folder */
    bool is_marked;
    bool mark_stays;  /* if the rest fails: some file with its final name is missing */
    bool is_occupied; /* there is an earlier content */
    nlm_error *error;
} staging;

/* Plan a folder, or a file in one of these. */
nlm_status staging_add_folder(staging *in, const char *path);
nlm_status staging_add_file(staging *in, const char *folder, const char *name);
/* Make the folders.  Those that are there must be empty, or with `replace`, or if an earlier attempt was not
 * finished, hold nothing but planned names. */
nlm_status staging_begin(staging *in, bool replace);
/* Give all files their names if the status, which is that of writing them, is NLM_OK; else remove what was
 * made.  Frees all but `error`. */
nlm_status staging_end(staging *in, nlm_status status);

static inline staged_file *staging_at(const staging *in, size_t number)
{
    return (staged_file *)in->files.data + number;
}

/* NLM_BAD_FILE if this folder, or the one it is in, was not written to its end. */
nlm_status staging_check(const char *folder, nlm_error *error);

#endif
