/* Files of programs that use nlm: written whole or not at all, by one process at a time. */
#ifndef NLM_FILE_H
#define NLM_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include "nlm/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The content that `write` puts into the stream becomes the file of that name: it is written to a temporary
 * file beside it, flushed to the disk, and renamed.  Until then an earlier file stays as it is.  A symbolic
 * link is followed.  What `write` finds wrong with the stream need not be reported. */
nlm_status nlm_file_write(const char *path, void (*write)(FILE *stream, const void *context),
                          const void *context, nlm_error *error);
/* Whether nlm_file_write could begin; leaves nothing behind. */
nlm_status nlm_file_check(const char *path, nlm_error *error);
/* Whether two paths name one file, or will once it is made. */
bool nlm_file_same(const char *a, const char *b);
/* Remove the temporary files that killed processes have left beside a file.  Only its owner may: a process
 * that writes it at the same time would fail. */
void nlm_file_tidy(const char *path);

/* A folder that is there, or is made. */
nlm_status nlm_folder_make(const char *path, nlm_error *error);

/* A lock on an output.  It ends with the process, however that ends. */
typedef struct nlm_lock nlm_lock;
/* Lock a folder, or a file that need not be there, by the file PATH.lock beside it.  If another process (or
 * another lock of this one) has it, NLM_IO_ERROR says so.  Where locks cannot be had, because the folder
 * cannot be written or its file system has none, *lock is NULL and the status NLM_OK. */
nlm_status nlm_lock_take(const char *path, nlm_lock **lock, nlm_error *error);
/* Be one of several processes that share a folder.  *alone tells whether this one is the first, and holds
 * the others off until nlm_lock_share; it is false where locks cannot be had. */
nlm_status nlm_lock_join(const char *path, nlm_lock **lock, bool *alone, nlm_error *error);
void nlm_lock_share(nlm_lock *lock);
/* Also removes PATH.lock.  NULL is fine. */
void nlm_lock_release(nlm_lock *lock);

#ifdef __cplusplus
}
#endif
#endif
