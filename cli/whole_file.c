/* Files that are written whole or not at all. */
#include "whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_MOST = 4096, TEMPORARY_TRIES = 100 };

static nlm_status fail(nlm_error *error, const char *path, int number)
{
    error->status = NLM_IO_ERROR;
    snprintf(error->message, sizeof error->message, "%.300s: cannot write: %s", path, strerror(number));
    return NLM_IO_ERROR;
}

/* A file that was not there before, beside `path`; NULL with errno. */
static FILE *create_beside(const char *path, char temporary[PATH_MOST])
{
    int file = -1;
    for (int i = 0; i < TEMPORARY_TRIES && file < 0; i++) {
        if (snprintf(temporary, PATH_MOST, "%s.tmp-%ld-%d", path, (long)getpid(), i) >= PATH_MOST) {
            errno = ENAMETOOLONG;
            return NULL;
        }
        file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST)
            return NULL;
    }
    return file >= 0 ? fdopen(file, "w") : NULL;
}

/* The error number, or 0; the file is on the disk then. */
static int close_flushed(FILE *file)
{
    int number = ferror(file) ? EIO : 0;
    if (fflush(file) != 0 || fsync(fileno(file)) != 0)
        number = errno;
    if (fclose(file) != 0 && number == 0)
        number = errno;
    return number;
}

nlm_status whole_file_write(const char *path, void (*write)(FILE *file, const void *context),
                            const void *context, nlm_error *error)
{
    char temporary[PATH_MOST];
    FILE *file = create_beside(path, temporary);
    if (file == NULL)
        return fail(error, path, errno);
    write(file, context);
    int number = close_flushed(file);
    if (number == 0 && rename(temporary, path) != 0)
        number = errno;
    if (number == 0)
        return NLM_OK;
    unlink(temporary);
    return fail(error, path, number);
}

nlm_status whole_file_check(const char *path, nlm_error *error)
{
    char temporary[PATH_MOST];
    FILE *file = create_beside(path, temporary);
    if (file == NULL)
        return fail(error, path, errno);
    fclose(file);
    unlink(temporary);
    return NLM_OK;
}

/* ---- names ---- */

/* The folder that a file is in, and its name there. */
static bool find_folder(const char *path, struct stat *folder, const char **name)
{
    char text[PATH_MOST];
    const char *slash = strrchr(path, '/');
    *name = slash != NULL ? slash + 1 : path;
    const int length = slash != NULL ? (int)(*name - path) : 1;
    return snprintf(text, sizeof text, "%.*s", length, slash != NULL ? path : ".") < PATH_MOST &&
           stat(text, folder) == 0;
}

static bool same_status(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool same_file(const char *a, const char *b)
{
    struct stat status_a, status_b;
    const char *name_a, *name_b;
    const bool there_a = stat(a, &status_a) == 0, there_b = stat(b, &status_b) == 0;
    if (strcmp(a, b) == 0)
        return true;
    if (there_a && there_b)
        return same_status(&status_a, &status_b);
    return !there_a && !there_b && find_folder(a, &status_a, &name_a) && find_folder(b, &status_b, &name_b) &&
           strcmp(name_a, name_b) == 0 && same_status(&status_a, &status_b);
}
