/* Files read whole, and files written whole or not at all.
 *
 * Invariant of a writer: while it has the name of a temporary file, that exists and belongs to it; every way
 * out of that state either renames the temporary file or removes it. */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/random.h"
#include "nlm/file.h"

#define TEMPORARY_MARK ".tmp-"
#define TEMPORARY_ENDING TEMPORARY_MARK "XXXXXX"
#define TEMPORARY_LETTERS 6 /* the X's, replaced by letters until the name is new */
#define TEMPORARY_TRIES 100
#define READ_STEP ((size_t)1 << 16)
#define LINKS_MOST 40 /* in a row, as Linux has it */

static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";

/* A very long path must not push the cause out of the message. */
static nlm_status fail(const char *path, int number, nlm_error *error)
{
    return error_set(error, NLM_IO_ERROR, "%.300s: %s", path, strerror(number));
}

/* ---- reading ---- */

/* Read until the end or until `limit` bytes are there.  The file may be a pipe, and may grow meanwhile, so
 * its size is only where the buffer starts. */
static nlm_status read_up_to(int file, const char *path, size_t limit, buffer *content, size_t *size,
                             nlm_error *error)
{
    for (*size = 0; *size < limit;) {
        if (*size == content->capacity) {
            size_t more = limit - *size < READ_STEP ? limit - *size : READ_STEP;
            if (buffer_reserve(content, *size + more, 1, true))
                return error_no_memory(error);
        }
        size_t room = content->capacity - *size;
        if (room > limit - *size)
            room = limit - *size;
        ssize_t got = read(file, (char *)content->data + *size, room);
        if (got < 0 && errno != EINTR)
            return fail(path, errno, error);
        if (got == 0)
            break;
        if (got > 0)
            *size += (size_t)got;
    }
    return NLM_OK;
}

static nlm_status read_open_file(int file, const char *path, bool only_regular, size_t max_bytes,
                                 buffer *content, size_t *size, nlm_error *error)
{
    struct stat about;
    if (fstat(file, &about))
        return fail(path, errno, error);
    if (S_ISDIR(about.st_mode))
        return fail(path, EISDIR, error);
    if (only_regular && !S_ISREG(about.st_mode))
        return error_set(error, NLM_IO_ERROR, "%.300s: not a regular file", path);
    if ((S_ISCHR(about.st_mode) || S_ISBLK(about.st_mode)) && max_bytes > FILE_MOST_OF_DEVICE)
        max_bytes = FILE_MOST_OF_DEVICE; /* a device may have no end */
    size_t expected = S_ISREG(about.st_mode) && about.st_size > 0 ? (size_t)about.st_size : 0;
    if (expected <= max_bytes) {
        /* One byte more than allowed, or than expected, tells whether the file ends there. */
        size_t limit = max_bytes < SIZE_MAX ? max_bytes + 1 : max_bytes;
        size_t first = expected < limit ? expected + 1 : expected;
        if (buffer_reserve(content, first, 1, false))
            return error_no_memory(error);
        nlm_status status = read_up_to(file, path, limit, content, size, error);
        if (status || *size <= max_bytes)
            return status;
    }
    return error_set(error, NLM_BAD_FILE, "%.300s: file has more than the %zu bytes that are allowed", path,
                     max_bytes);
}

/* To open a pipe waits for its other end, unless O_NONBLOCK, which means nothing to a regular file. */
static nlm_status read_path(const char *path, bool only_regular, size_t max_bytes, buffer *content,
                            size_t *size, nlm_error *error)
{
    *size = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC | (only_regular ? O_NONBLOCK : 0));
    if (file < 0)
        return fail(path, errno, error);
    nlm_status status = read_open_file(file, path, only_regular, max_bytes, content, size, error);
    close(file);
    return status;
}

nlm_status file_read_all(const char *path, size_t max_bytes, buffer *content, size_t *size, nlm_error *error)
{
    return read_path(path, true, max_bytes, content, size, error);
}

nlm_status file_read_input(const char *path, size_t max_bytes, buffer *content, size_t *size,
                           nlm_error *error)
{
    return read_path(path, false, max_bytes, content, size, error);
}

/* ---- names ---- */

/* The folder part of a path, with its last slash: how many bytes. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The first `length` bytes of one text and a whole other one, to be freed. */
static char *join(const char *first, size_t length, const char *second)
{
    size_t more = strlen(second) + 1;
    char *joined = memory_new(length + more, 1);
    if (joined) {
        memcpy(joined, first, length);
        memcpy(joined + length, second, more);
    }
    return joined;
}

nlm_status file_follow_links(const char *path, char **target, nlm_error *error)
{
    char link[PATH_MAX];
    *target = memory_copy_text(path);
    for (int i = 0; *target && i <= LINKS_MOST; i++) {
        ssize_t length = readlink(*target, link, sizeof link - 1);
        if (length < 0)
            return NLM_OK;
        link[length] = '\0';
        char *next = join(*target, link[0] == '/' ? 0 : folder_length(*target), link);
        memory_free(*target);
        *target = next;
    }
    if (!*target)
        return error_no_memory(error);
    memory_free(*target);
    *target = NULL;
    return fail(path, ELOOP, error);
}

bool file_is_temporary(const char *name, size_t *length)
{
    size_t all = strlen(name), more = strlen(TEMPORARY_ENDING);
    if (all <= more)
        return false;
    *length = all - more;
    const char *drawn = name + all - TEMPORARY_LETTERS;
    return !strncmp(name + *length, TEMPORARY_MARK, strlen(TEMPORARY_MARK)) &&
           strspn(drawn, letters) == TEMPORARY_LETTERS;
}

void nlm_file_tidy(const char *path)
{
    char *target;
    if (file_follow_links(path, &target, NULL))
        return;
    size_t length = folder_length(target), of;
    char *folder = join(target, length, ".");
    const char *name = target + length;
    DIR *files = folder ? opendir(folder) : NULL;
    for (struct dirent *entry; files && (entry = readdir(files));)
        if (file_is_temporary(entry->d_name, &of) && of == strlen(name) && !strncmp(entry->d_name, name, of))
            unlinkat(dirfd(files), entry->d_name, 0); /* no harm if it stays */
    if (files)
        closedir(files);
    memory_free(folder);
    memory_free(target);
}

/* The folder that a file is in, and its name there. */
static bool find_folder(const char *path, struct stat *folder, const char **name)
{
    size_t length = folder_length(path);
    char *text = join(path, length, ".");
    *name = path + length;
    bool found = text && !stat(text, folder);
    memory_free(text);
    return found;
}

static bool same_place(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool nlm_file_same(const char *a, const char *b)
{
    struct stat about_a, about_b;
    const char *name_a, *name_b;
    bool there_a = !stat(a, &about_a), there_b = !stat(b, &about_b);
    if (!strcmp(a, b))
        return true;
    if (there_a && there_b)
        return same_place(&about_a, &about_b);
    return !there_a && !there_b && find_folder(a, &about_a, &name_a) && find_folder(b, &about_b, &name_b) &&
           !strcmp(name_a, name_b) && same_place(&about_a, &about_b);
}

/* ---- writing ---- */

static void forget_names(file_writer *writer)
{
    memory_free(writer->path);
    memory_free(writer->temporary);
    *writer = (file_writer){0};
}

/* Report an error number and leave nothing behind. */
static nlm_status give_up(file_writer *writer, int number, nlm_error *error)
{
    nlm_status status = fail(writer->path, number, error);
    file_writer_abort(writer);
    return status;
}

/* Create the temporary file.  mkstemp would make it private, and what others may read is for the umask to
 * say, which cannot be asked without changing it; open() applies it.  O_EXCL makes the name ours. */
static int create_temporary(char *name)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    random_stream random;
    random_start(&random, (uint64_t)now.tv_sec << 32 ^ (uint64_t)now.tv_nsec, (uint64_t)getpid());
    char *ending = name + strlen(name) - TEMPORARY_LETTERS;
    for (int i = 0; i < TEMPORARY_TRIES; i++) {
        for (int k = 0; k < TEMPORARY_LETTERS; k++)
            ending[k] = letters[random_below(&random, sizeof letters - 1)];
        int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

/* Renaming over a device or a pipe would destroy it, over a folder would fail only at the end. */
static nlm_status check_replaceable(const char *path, nlm_error *error)
{
    struct stat about;
    if (!*path)
        return fail(path, ENOENT, error);
    if (stat(path, &about))
        return errno == ENOENT ? NLM_OK : fail(path, errno, error);
    if (S_ISDIR(about.st_mode))
        return fail(path, EISDIR, error);
    if (!S_ISREG(about.st_mode))
        return error_set(error, NLM_IO_ERROR, "%.300s: not a regular file, will not be replaced", path);
    return NLM_OK;
}

nlm_status file_writer_open(file_writer *writer, const char *path, nlm_error *error)
{
    *writer = (file_writer){0};
    nlm_status status = check_replaceable(path, error);
    if (status)
        return status;
    if ((status = file_follow_links(path, &writer->path, error)))
        return status;
    char *name = join(writer->path, strlen(writer->path), TEMPORARY_ENDING);
    int file = name ? create_temporary(name) : -1;
    if (file < 0) {
        status = name ? fail(path, errno, error) : error_no_memory(error);
        memory_free(name);
        forget_names(writer);
        return status;
    }
    writer->temporary = name;
    writer->stream = fdopen(file, "wb");
    if (writer->stream)
        return NLM_OK;
    int number = errno;
    close(file);
    return give_up(writer, number, error);
}

nlm_status file_writer_write(file_writer *writer, const void *bytes, size_t count, nlm_error *error)
{
    if (!writer->stream)
        return error_set(error, NLM_BAD_ARGUMENT, "write to a file that is not open");
    if (count && fwrite(bytes, 1, count, writer->stream) != count)
        return give_up(writer, errno, error);
    return NLM_OK;
}

/* Flush the renaming itself.  A folder that may be written but not read cannot be opened, and some file
 * systems do not flush folders: there the file is whole all the same.  Only a failing disk is worth a word.
 */
static nlm_status flush_folder(file_writer *writer, nlm_error *error)
{
    nlm_status status = NLM_OK;
    /* the temporary name has served once it is renamed, so it is cut here only after that */
    char *slash = strrchr(writer->temporary, '/');
    if (slash)
        slash[slash == writer->temporary] = '\0';
    int folder = open(slash ? writer->temporary : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return NLM_OK;
    if (fsync(folder) && errno == EIO)
        status = fail(writer->path, errno, error);
    close(folder);
    return status;
}

nlm_status file_writer_close(file_writer *writer, nlm_error *error)
{
    if (!writer->stream)
        return error_set(error, NLM_BAD_ARGUMENT, "close of a file that is not open");
    if (fflush(writer->stream) || fsync(fileno(writer->stream)))
        return give_up(writer, errno, error);
    int number = fclose(writer->stream) ? errno : 0;
    writer->stream = NULL;
    return number ? give_up(writer, number, error) : NLM_OK;
}

nlm_status file_writer_commit(file_writer *writer, nlm_error *error)
{
    if (!writer->temporary)
        return error_set(error, NLM_BAD_ARGUMENT, "commit of a file that is not open");
    nlm_status status = writer->stream ? file_writer_close(writer, error) : NLM_OK;
    if (status)
        return status;
    if (rename(writer->temporary, writer->path))
        return give_up(writer, errno, error);
    status = flush_folder(writer, error);
    forget_names(writer);
    return status;
}

void file_writer_abort(file_writer *writer)
{
    if (writer->stream)
        fclose(writer->stream);
    if (writer->temporary)
        unlink(writer->temporary);
    forget_names(writer);
}

nlm_status nlm_file_write(const char *path, void (*write)(FILE *stream, const void *context),
                          const void *context, nlm_error *error)
{
    REQUIRE(path && write, error);
    file_writer writer;
    nlm_status status = file_writer_open(&writer, path, error);
    if (status)
        return status;
    errno = 0;
    write(writer.stream, context);
    const int cause = errno;
    if (!ferror(writer.stream))
        return file_writer_commit(&writer, error);
    errno = cause ? cause : EIO;
    fflush(writer.stream); /* what is left meets the same obstacle, and names it */
    return give_up(&writer, errno, error);
}

nlm_status nlm_file_check(const char *path, nlm_error *error)
{
    REQUIRE(path, error);
    file_writer writer;
    nlm_status status = file_writer_open(&writer, path, error);
    file_writer_abort(&writer);
    return status;
}

/* ---- folders ---- */

nlm_status nlm_folder_make(const char *path, nlm_error *error)
{
    REQUIRE(path, error);
    struct stat status;
    if (!mkdir(path, 0777))
        return NLM_OK;
    const int cause = errno; /* on a disk that can only be read any, even if the folder is there */
    if (!stat(path, &status) && S_ISDIR(status.st_mode))
        return NLM_OK;
    if (cause == EEXIST)
        return error_set(error, NLM_IO_ERROR, "%.300s: is not a folder", path);
    return error_set(error, NLM_IO_ERROR, "%.300s: cannot make the folder: %s", path, strerror(cause));
}
