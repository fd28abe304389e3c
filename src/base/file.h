/* Files read whole, and files written whole or not at all; nlm/file.h has more of it.
 *
 * A writer fills a temporary file in the folder of the wanted one; commit flushes it to the disk and renames
 * it. Until then an earlier file of that name stays as it is.  A call that fails has already removed the
 * temporary file, so a caller may simply return its status.  Several files that belong together are all
 * closed, which finds a full disk, before the first is committed. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "nlm/status.h"
#include "base/memory.h"

/* The whole content of a regular file into `content`, which the caller frees whatever the status.  More than
 * max_bytes is NLM_BAD_FILE; no more than that is read. */
nlm_status file_read_all(const char *path, size_t max_bytes, buffer *content, size_t *size, nlm_error *error);
/* The same of an input that a person named: a pipe, which is waited for, or a device, of which at most
 * FILE_MOST_OF_DEVICE bytes are read, is fine too. */
#define FILE_MOST_OF_DEVICE ((size_t)1 << 20)
nlm_status file_read_input(const char *path, size_t max_bytes, buffer *content, size_t *size,
                           nlm_error *error);

/* What a symbolic link stands for, which need not exist, and any other path itself; to be freed. */
nlm_status file_follow_links(const char *path, char **target, nlm_error *error);

/* Whether `name` is that of a temporary file, and the length of the name of its file. */
bool file_is_temporary(const char *name, size_t *length);

typedef struct file_writer {
    char *path;      /* links followed */
    char *temporary; /* NULL: nothing to remove */
    FILE *stream;    /* NULL: not open */
} file_writer;

/* Start to write a file.  An earlier file must be a regular one; a symbolic link stays, and its target is
 * written. */
nlm_status file_writer_open(file_writer *writer, const char *path, nlm_error *error);
nlm_status file_writer_write(file_writer *writer, const void *bytes, size_t count, nlm_error *error);
/* Flush what was written to the disk.  The writer can then be committed or aborted. */
nlm_status file_writer_close(file_writer *writer, nlm_error *error);
/* Make what was written the file of that name, and close if that was not done. */
nlm_status file_writer_commit(file_writer *writer, nlm_error *error);
/* Give up.  Harmless on a writer that was committed, aborted or that failed. */
void file_writer_abort(file_writer *writer);

#endif
