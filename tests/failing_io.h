/* For tests whose name ends in _io: their build links these in place of the C library's functions, so that
 * calls which write files, or make and name them, are counted, and one of them can fail. */
#ifndef TESTS_FAILING_IO_H
#define TESTS_FAILING_IO_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

int __wrap_open(const char *path, int flags, ...);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fdopen(int file, const char *mode);
int __wrap_ftruncate(int file, off_t length);
size_t __wrap_fwrite(const void *bytes, size_t size, size_t count, FILE *stream);
int __wrap_fflush(FILE *stream);
int __wrap_fsync(int file);
int __wrap_fclose(FILE *stream);
int __wrap_rename(const char *from, const char *to);
int __wrap_mkdir(const char *path, mode_t mode);
int __real_open(const char *path, int flags, ...);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__real_fdopen(int file, const char *mode);
int __real_ftruncate(int file, off_t length);
size_t __real_fwrite(const void *bytes, size_t size, size_t count, FILE *stream);
int __real_fflush(FILE *stream);
int __real_fclose(FILE *stream);
int __real_rename(const char *from, const char *to);
int __real_mkdir(const char *path, mode_t mode);

static int io_calls;        /* so far */
static int io_failing = -1; /* number of the call that fails, from 0; -1 for none */

/* From a disk that fails once, as every kind of call can. */
static bool io_allowed(void)
{
    if (io_calls++ != io_failing)
        return true;
    errno = EIO;
    return false;
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    return io_allowed() ? __real_open(path, flags, mode) : -1;
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    return io_allowed() ? __real_fopen(path, mode) : NULL;
}

int __wrap_ftruncate(int file, off_t length)
{
    return io_allowed() ? __real_ftruncate(file, length) : -1;
}

FILE *__wrap_fdopen(int file, const char *mode)
{
    return io_allowed() ? __real_fdopen(file, mode) : NULL;
}

size_t __wrap_fwrite(const void *bytes, size_t size, size_t count, FILE *stream)
{
    return io_allowed() ? __real_fwrite(bytes, size, count, stream) : 0;
}

int __wrap_fflush(FILE *stream)
{
    return io_allowed() ? __real_fflush(stream) : EOF;
}

/* Only counted: nobody pulls the plug of a test. */
int __wrap_fsync(int file)
{
    (void)file;
    return io_allowed() ? 0 : -1;
}

/* The stream is closed all the same. */
int __wrap_fclose(FILE *stream)
{
    int status = __real_fclose(stream);
    return io_allowed() ? status : EOF;
}

int __wrap_rename(const char *from, const char *to)
{
    return io_allowed() ? __real_rename(from, to) : -1;
}

int __wrap_mkdir(const char *path, mode_t mode)
{
    return io_allowed() ? __real_mkdir(path, mode) : -1;
}

/* Count from 0 again; call `number` will fail. */
static inline void fail_io(int number)
{
    io_calls = 0;
    io_failing = number;
}

/* The call that was to fail has failed. */
static inline bool io_failed(void)
{
    return io_failing >= 0 && io_calls > io_failing;
}

#endif
