/* Locks on outputs, so that two processes do not write the same files.
 *
 * The lock is flock's, which the system releases with the process.  A folder is locked itself; a file may not
 * be there yet and is replaced when it is written, so PATH.lock beside it is locked in its place and holds
 * the number of the process.  The holder removes PATH.lock: whoever has locked a file that has no name any
 * more has locked nothing, and tries again. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "nlm/file.h"

#define ENDING ".lock"

enum { JOIN_TRIES = 6000, JOIN_PAUSE = 10000000 }; /* nanoseconds: a minute in all */

struct nlm_lock {
    int file;
    char *name; /* of PATH.lock; NULL for a folder */
};

/* Whether the name still stands for the file that was opened. */
static bool has_name(int file, const char *name)
{
    struct stat opened, named;
    return !fstat(file, &opened) && !lstat(name, &named) && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

static nlm_status refuse(const char *path, int file, bool is_folder, nlm_error *error)
{
    char text[24] = "";
    ssize_t length = is_folder ? 0 : pread(file, text, sizeof text - 1, 0);
    long process = length > 0 ? strtol(text, NULL, 10) : 0;
    if (process > 0)
        return error_set(error, NLM_IO_ERROR, "%.300s: another nlm is at work on it, process %ld", path,
                         process);
    return error_set(error, NLM_IO_ERROR, "%.300s: another nlm is at work %s", path,
                     is_folder ? "here" : "on it");
}

/* For whoever is refused; if it cannot be written, the lock holds all the same. */
static void write_process(int file)
{
    char text[24];
    int length = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    if (ftruncate(file, 0) || pwrite(file, text, (size_t)length, 0) != length)
        return;
}

/* *file is below 0 where there can be no lock. */
static nlm_status lock_open_file(const char *path, const char *name, int *file, nlm_error *error)
{
    const bool is_folder = !name;
    nlm_status status = NLM_OK;
    do {
        *file = is_folder ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                          : open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (*file < 0)
            return NLM_OK;
        if (flock(*file, LOCK_EX | LOCK_NB)) {
            if (errno == EWOULDBLOCK)
                status = refuse(path, *file, is_folder, error);
            close(*file);
            *file = -1;
            return status;
        }
        if (is_folder || has_name(*file, name))
            return NLM_OK;
        close(*file);
    } while (true);
}

nlm_status nlm_lock_take(const char *path, nlm_lock **lock, nlm_error *error)
{
    REQUIRE(path && lock, error);
    struct stat about;
    char *target;
    *lock = NULL;
    nlm_status status = file_follow_links(path, &target, error);
    if (status)
        return status;
    nlm_lock *made = memory_new(1, sizeof *made);
    const bool is_folder = !stat(target, &about) && S_ISDIR(about.st_mode);
    if (made && !is_folder && (made->name = memory_new(strlen(target) + sizeof ENDING, 1)))
        strcat(strcpy(made->name, target), ENDING);
    if (!made || (!is_folder && !made->name))
        status = error_no_memory(error);
    else
        status = lock_open_file(path, made->name, &made->file, error);
    memory_free(target);
    if (!status && made->file >= 0) {
        if (!is_folder)
            write_process(made->file);
        *lock = made;
        return NLM_OK;
    }
    if (made)
        memory_free(made->name);
    memory_free(made);
    return status;
}

/* The first one has the lock alone for a moment: the others wait for that long.  Who still has it then is
 * somebody who does not share. */
nlm_status nlm_lock_join(const char *path, nlm_lock **lock, bool *alone, nlm_error *error)
{
    REQUIRE(path && lock && alone, error);
    *lock = NULL;
    *alone = false;
    int file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return NLM_OK;
    *alone = !flock(file, LOCK_EX | LOCK_NB);
    bool shared = *alone, held = errno == EWOULDBLOCK;
    for (int try = 0; try < JOIN_TRIES && !shared && held; try++) {
        const struct timespec pause = {.tv_nsec = JOIN_PAUSE};
        shared = !flock(file, LOCK_SH | LOCK_NB);
        held = !shared && errno == EWOULDBLOCK;
        if (held)
            nanosleep(&pause, NULL);
    }
    nlm_lock *made = shared ? memory_new(1, sizeof *made) : NULL;
    if (made) {
        made->file = file;
        *lock = made;
        return NLM_OK;
    }
    close(file);
    *alone = false;
    return shared ? error_no_memory(error) : held ? refuse(path, file, true, error) : NLM_OK;
}

void nlm_lock_share(nlm_lock *lock)
{
    if (lock)
        flock(lock->file, LOCK_SH);
}

void nlm_lock_release(nlm_lock *lock)
{
    if (!lock)
        return;
    if (lock->name)
        unlink(lock->name);
    close(lock->file);
    memory_free(lock->name);
    memory_free(lock);
}
