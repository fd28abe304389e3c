/* Files: read whole within a limit; written whole or not at all.  After every failure the folder holds what
 * it held before: the old file as it was and no temporary file. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "test.h"

#include "base/file.h"
#include "nlm/file.h"

/* ---- a folder of its own for every test ---- */

typedef struct folder {
    char path[64];
    char file[96]; /* path/model */
} folder;

static int make_folder(void **state)
{
    static folder made;
    strcpy(made.path, "/tmp/nlm-test-file-XXXXXX");
    if (!mkdtemp(made.path))
        return -1;
    snprintf(made.file, sizeof made.file, "%s/model", made.path);
    *state = &made;
    return 0;
}

static int remove_folder(void **state)
{
    folder *made = *state;
    unlink(made->file);
    return rmdir(made->path); /* fails, and so does the test, when anything else was left behind */
}

static int files_in(const char *path)
{
    DIR *listing = opendir(path);
    int count = 0;
    assert_non_null(listing);
    for (struct dirent *entry; (entry = readdir(listing));)
        count += entry->d_name[0] != '.';
    closedir(listing);
    return count;
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static void assert_holds(const char *path, const char *text)
{
    buffer content = {0};
    size_t size;
    nlm_error error;
    assert_int_equal(file_read_all(path, 1000, &content, &size, &error), NLM_OK);
    assert_int_equal(size, strlen(text));
    assert_memory_equal(content.data, text, size);
    buffer_free(&content);
}

static void assert_says(const nlm_error *error, nlm_status status, const char *path, const char *cause)
{
    assert_int_equal(error->status, status);
    assert_non_null(strstr(error->message, path));
    assert_non_null(strstr(error->message, cause));
    assert_null(strchr(error->message, '\n'));
}

/* ---- reading ---- */

static void a_file_is_read_whole(void **state)
{
    folder *made = *state;
    put(made->file, "father(a, b).\n");
    assert_holds(made->file, "father(a, b).\n");
    put(made->file, "");
    assert_holds(made->file, "");
}

static void the_limit_is_kept(void **state)
{
    folder *made = *state;
    buffer content = {0};
    size_t size;
    nlm_error error;
    put(made->file, "12345");
    assert_int_equal(file_read_all(made->file, 5, &content, &size, &error), NLM_OK);
    assert_int_equal(size, 5);
    assert_int_equal(file_read_all(made->file, SIZE_MAX, &content, &size, &error), NLM_OK);
    assert_int_equal(size, 5);
    assert_int_equal(file_read_all(made->file, 4, &content, &size, &error), NLM_BAD_FILE);
    assert_says(&error, NLM_BAD_FILE, made->file, "more than the 4 bytes");
    assert_int_equal(file_read_input("/dev/zero", 100000, &content, &size, &error), NLM_BAD_FILE);
    assert_says(&error, NLM_BAD_FILE, "/dev/zero", "more than the 100000 bytes");
    buffer_free(&content);
}

static void little_is_read_of_a_device(void **state)
{
    (void)state;
    buffer content = {0};
    size_t size;
    nlm_error error;
    assert_int_equal(file_read_input("/dev/zero", SIZE_MAX, &content, &size, &error), NLM_BAD_FILE);
    assert_says(&error, NLM_BAD_FILE, "/dev/zero", "more than the 1048576 bytes");
    assert_true(content.capacity < 2 * FILE_MOST_OF_DEVICE);
    assert_int_equal(file_read_input("/dev/null", SIZE_MAX, &content, &size, &error), NLM_OK);
    assert_int_equal(size, 0);
    buffer_free(&content);
}

static void a_pipe_is_read_to_its_end(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    char text[40000];
    memset(text, 'x', sizeof text);
    assert_int_equal(write(ends[1], text, sizeof text), sizeof text);
    close(ends[1]);
    char path[32];
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    buffer content = {0};
    size_t size;
    assert_int_equal(file_read_input(path, SIZE_MAX, &content, &size, NULL), NLM_OK);
    assert_int_equal(size, sizeof text);
    assert_memory_equal(content.data, text, sizeof text);
    buffer_free(&content);
    close(ends[0]);
}

/* Nobody writes to the pipe: opening it must not wait. */
static void only_regular_files_are_files(void **state)
{
    folder *made = *state;
    buffer content = {0};
    size_t size;
    nlm_error error;
    assert_int_equal(mkfifo(made->file, 0666), 0);
    assert_int_equal(file_read_all(made->file, 10, &content, &size, &error), NLM_IO_ERROR);
    assert_says(&error, NLM_IO_ERROR, made->file, "not a regular file");
    assert_int_equal(file_read_all("/dev/zero", 10, &content, &size, &error), NLM_IO_ERROR);
    assert_says(&error, NLM_IO_ERROR, "/dev/zero", "not a regular file");
    buffer_free(&content);
}

static void reading_fails_with_the_cause(void **state)
{
    folder *made = *state;
    buffer content = {0};
    size_t size;
    nlm_error error;
    assert_int_equal(file_read_all(made->file, 10, &content, &size, &error), NLM_IO_ERROR);
    assert_says(&error, NLM_IO_ERROR, made->file, strerror(ENOENT));
    assert_int_equal(file_read_all(made->path, 10000000, &content, &size, &error), NLM_IO_ERROR);
    assert_says(&error, NLM_IO_ERROR, made->path, strerror(EISDIR));
    assert_int_equal(file_read_all(made->path, 10000000, &content, &size, NULL), NLM_IO_ERROR);
    buffer_free(&content);
}

static void a_long_path_leaves_room_for_the_cause(void **state)
{
    (void)state;
    char path[5000];
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    buffer content = {0};
    size_t size;
    nlm_error error;
    assert_int_equal(file_read_all(path, 10, &content, &size, &error), NLM_IO_ERROR);
    assert_says(&error, NLM_IO_ERROR, "xxx", strerror(ENAMETOOLONG));
    file_writer writer;
    assert_int_equal(file_writer_open(&writer, path, &error), NLM_IO_ERROR);
    assert_says(&error, NLM_IO_ERROR, "xxx", strerror(ENAMETOOLONG));
}

/* ---- writing ---- */

static void write_text(file_writer *writer, const char *text)
{
    nlm_error error;
    assert_int_equal(file_writer_write(writer, text, strlen(text), &error), NLM_OK);
}

static void a_new_file_appears_at_commit(void **state)
{
    folder *made = *state;
    file_writer writer;
    nlm_error error;
    assert_int_equal(file_writer_open(&writer, made->file, &error), NLM_OK);
    write_text(&writer, "one ");
    write_text(&writer, "");
    write_text(&writer, "two");
    assert_int_equal(access(made->file, F_OK), -1);
    assert_int_equal(files_in(made->path), 1);
    assert_int_equal(file_writer_commit(&writer, &error), NLM_OK);
    assert_holds(made->file, "one two");
    assert_int_equal(files_in(made->path), 1);
    file_writer_abort(&writer);
    assert_holds(made->file, "one two");
}

static void an_old_file_is_kept_until_commit(void **state)
{
    folder *made = *state;
    file_writer writer;
    nlm_error error;
    put(made->file, "old");
    assert_int_equal(file_writer_open(&writer, made->file, &error), NLM_OK);
    write_text(&writer, "new");
    assert_holds(made->file, "old");
    assert_int_equal(file_writer_commit(&writer, &error), NLM_OK);
    assert_holds(made->file, "new");
}

static void abort_leaves_no_trace(void **state)
{
    folder *made = *state;
    file_writer writer;
    nlm_error error;
    put(made->file, "old");
    assert_int_equal(file_writer_open(&writer, made->file, &error), NLM_OK);
    write_text(&writer, "new");
    file_writer_abort(&writer);
    file_writer_abort(&writer);
    assert_holds(made->file, "old");
    assert_int_equal(files_in(made->path), 1);
    assert_int_equal(file_writer_write(&writer, "x", 1, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(file_writer_commit(&writer, &error), NLM_BAD_ARGUMENT);
}

static void two_writers_do_not_meet(void **state)
{
    folder *made = *state;
    file_writer first, second;
    assert_int_equal(file_writer_open(&first, made->file, NULL), NLM_OK);
    assert_int_equal(file_writer_open(&second, made->file, NULL), NLM_OK);
    assert_int_equal(files_in(made->path), 2);
    write_text(&first, "first");
    write_text(&second, "second");
    assert_int_equal(file_writer_commit(&second, NULL), NLM_OK);
    assert_int_equal(file_writer_commit(&first, NULL), NLM_OK);
    assert_holds(made->file, "first");
}

static void the_mode_is_what_the_umask_leaves(void **state)
{
    folder *made = *state;
    static const mode_t masks[] = {0, 022, 077};
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        mode_t before = umask(masks[i]);
        file_writer writer;
        nlm_status opened = file_writer_open(&writer, made->file, NULL);
        umask(before);
        assert_int_equal(opened, NLM_OK);
        assert_int_equal(file_writer_commit(&writer, NULL), NLM_OK);
        struct stat about;
        assert_int_equal(stat(made->file, &about), 0);
        assert_int_equal(about.st_mode & 0777, 0666 & ~masks[i]);
    }
}

static void a_name_without_folder_is_in_this_one(void **state)
{
    folder *made = *state;
    int here = open(".", O_RDONLY | O_DIRECTORY);
    assert_true(here >= 0);
    assert_int_equal(chdir(made->path), 0);
    file_writer writer;
    nlm_status opened = file_writer_open(&writer, "model", NULL);
    nlm_status committed = opened ? opened : file_writer_commit(&writer, NULL);
    assert_int_equal(fchdir(here), 0);
    close(here);
    assert_int_equal(committed, NLM_OK);
    assert_holds(made->file, "");
}

/* ---- links ---- */

/* path/NAME, in a text of the caller's. */
static char *beside(const folder *made, const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", made->path, name);
    return path;
}

static void save(const char *path, const char *text)
{
    nlm_error error;
    file_writer writer;
    assert_int_equal(file_writer_open(&writer, path, &error), NLM_OK);
    write_text(&writer, text);
    assert_int_equal(file_writer_commit(&writer, &error), NLM_OK);
}

static void assert_is_link(const char *path, const char *target)
{
    char text[128];
    ssize_t length = readlink(path, text, sizeof text - 1);
    assert_true(length > 0);
    text[length] = '\0';
    assert_string_equal(text, target);
}

static void a_link_is_followed(void **state)
{
    folder *made = *state;
    char link[128], second[128];
    beside(made, "link", link);
    beside(made, "second", second);
    assert_int_equal(symlink("model", link), 0);
    assert_int_equal(symlink(link, second), 0);
    save(second, "made through two links"); /* there was no file yet */
    assert_holds(made->file, "made through two links");
    save(link, "replaced");
    assert_holds(made->file, "replaced");
    assert_is_link(link, "model");
    assert_is_link(second, link);
    assert_int_equal(files_in(made->path), 3);
    unlink(link);
    unlink(second);
}

static void links_in_a_circle_are_an_error(void **state)
{
    folder *made = *state;
    assert_int_equal(symlink("model", made->file), 0);
    file_writer writer;
    nlm_error error;
    assert_int_equal(file_writer_open(&writer, made->file, &error), NLM_IO_ERROR);
    assert_says(&error, NLM_IO_ERROR, made->file, strerror(ELOOP));
}

/* ---- what killed processes leave ---- */

static void only_temporary_files_of_a_file_are_removed(void **state)
{
    folder *made = *state;
    static const char *const kept[] = {"model",
                                       "model.tmp-1234567",
                                       "model.tmp-12345",
                                       "model.tmp-12345X",
                                       "model2.tmp-123456",
                                       "odel.tmp-123456",
                                       "model.checkpoint.tmp-123456"};
    char path[128];
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        put(beside(made, kept[i], path), "kept");
    put(beside(made, "model.tmp-0z9a8b", path), "left behind");
    nlm_file_tidy(made->file);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(files_in(made->path), (int)(sizeof kept / sizeof *kept));
    for (size_t i = 1; i < sizeof kept / sizeof *kept; i++)
        assert_int_equal(unlink(beside(made, kept[i], path)), 0);
}

/* ---- the public functions ---- */

static void write_greeting(FILE *stream, const void *context)
{
    fprintf(stream, "hello %s", (const char *)context);
}

static void fill(FILE *stream, const void *context)
{
    (void)context;
    while (putc('x', stream) != EOF)
        continue;
}

static void a_function_writes_a_file(void **state)
{
    folder *made = *state;
    nlm_error error;
    assert_int_equal(nlm_file_check(made->file, &error), NLM_OK);
    assert_int_equal(files_in(made->path), 0);
    assert_int_equal(nlm_file_write(made->file, write_greeting, "world", &error), NLM_OK);
    assert_holds(made->file, "hello world");
    assert_int_equal(nlm_file_check("/nowhere/at/all", &error), NLM_IO_ERROR);
    struct rlimit before, small;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){.rlim_cur = 1024, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    nlm_status status = nlm_file_write(made->file, fill, NULL, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, NLM_IO_ERROR);
    assert_holds(made->file, "hello world");
    assert_int_equal(files_in(made->path), 1);
}

static void names_of_one_file_are_known(void **state)
{
    folder *made = *state;
    char other[128], model[128];
    beside(made, "./model", other);
    beside(made, "none", model);
    assert_true(nlm_file_same(made->file, other)); /* before there is one */
    assert_false(nlm_file_same(made->file, model));
    put(made->file, "");
    assert_true(nlm_file_same(made->file, other));
    assert_false(nlm_file_same(made->file, model));
}

/* ---- writing that fails ---- */

static void a_folder_is_not_replaced(void **state)
{
    folder *made = *state;
    file_writer writer;
    nlm_error error;
    assert_int_equal(file_writer_open(&writer, made->path, &error), NLM_IO_ERROR);
    assert_says(&error, NLM_IO_ERROR, made->path, strerror(EISDIR));
    file_writer_abort(&writer);
    /* ... nor one that appears after the file was opened. */
    assert_int_equal(file_writer_open(&writer, made->file, &error), NLM_OK);
    assert_int_equal(mkdir(made->file, 0777), 0);
    assert_int_equal(file_writer_commit(&writer, &error), NLM_IO_ERROR);
    assert_says(&error, NLM_IO_ERROR, made->file, strerror(EISDIR));
    assert_int_equal(files_in(made->path), 1);
    assert_int_equal(rmdir(made->file), 0);
}

static void a_device_is_not_replaced(void **state)
{
    (void)state;
    file_writer writer;
    nlm_error error;
    assert_int_equal(file_writer_open(&writer, "/dev/full", &error), NLM_IO_ERROR);
    assert_says(&error, NLM_IO_ERROR, "/dev/full", "not a regular file");
    assert_int_equal(file_writer_open(&writer, "", &error), NLM_IO_ERROR);
    assert_says(&error, NLM_IO_ERROR, "", strerror(ENOENT));
}

static void a_missing_folder_is_an_error(void **state)
{
    folder *made = *state;
    char path[128];
    snprintf(path, sizeof path, "%s/missing/model", made->path);
    file_writer writer;
    nlm_error error;
    assert_int_equal(file_writer_open(&writer, path, &error), NLM_IO_ERROR);
    assert_says(&error, NLM_IO_ERROR, path, strerror(ENOENT));
    put(made->file, "old");
    snprintf(path, sizeof path, "%s/model", made->file);
    assert_int_equal(file_writer_open(&writer, path, &error), NLM_IO_ERROR);
    assert_says(&error, NLM_IO_ERROR, path, strerror(ENOTDIR));
    assert_holds(made->file, "old");
}

/* Root may write everywhere, so for this test it becomes nobody. */
static void an_unwritable_folder_is_an_error(void **state)
{
    folder *made = *state;
    const uid_t user = geteuid(), nobody = 65534;
    put(made->file, "old");
    assert_int_equal(chmod(made->path, 0555), 0);
    assert_int_equal(user == 0 ? seteuid(nobody) : 0, 0);
    file_writer writer;
    nlm_error error;
    nlm_status status = file_writer_open(&writer, made->file, &error);
    assert_int_equal(seteuid(user), 0);
    assert_int_equal(chmod(made->path, 0755), 0);
    assert_int_equal(status, NLM_IO_ERROR);
    assert_says(&error, NLM_IO_ERROR, made->file, strerror(EACCES));
    assert_holds(made->file, "old");
    assert_int_equal(files_in(made->path), 1);
}

/* A limit on the size of files behaves as a full disk does: the write fails part of the way. */
static nlm_status write_beyond_limit(const char *path, size_t bytes, nlm_error *error)
{
    static const char zeros[1 << 16];
    struct rlimit before, small;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){.rlim_cur = 1024, .rlim_max = before.rlim_max};
    file_writer writer;
    nlm_status status = file_writer_open(&writer, path, error);
    setrlimit(RLIMIT_FSIZE, &small);
    if (!status)
        status = file_writer_write(&writer, zeros, bytes, error);
    if (!status)
        status = file_writer_commit(&writer, error);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    file_writer_abort(&writer);
    return status;
}

static void a_full_disk_is_an_error(void **state)
{
    folder *made = *state;
    /* The first stays in the stream's buffer until commit, the second fails at once. */
    static const size_t sizes[] = {2000, 1 << 16};
    put(made->file, "old");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        nlm_error error;
        assert_int_equal(write_beyond_limit(made->file, sizes[i], &error), NLM_IO_ERROR);
        assert_says(&error, NLM_IO_ERROR, made->file, strerror(EFBIG));
        assert_holds(made->file, "old");
        assert_int_equal(files_in(made->path), 1);
    }
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_file_is_read_whole),
        IN_FOLDER(the_limit_is_kept),
        cmocka_unit_test(little_is_read_of_a_device),
        cmocka_unit_test(a_pipe_is_read_to_its_end),
        IN_FOLDER(only_regular_files_are_files),
        IN_FOLDER(reading_fails_with_the_cause),
        cmocka_unit_test(a_long_path_leaves_room_for_the_cause),
        IN_FOLDER(a_new_file_appears_at_commit),
        IN_FOLDER(an_old_file_is_kept_until_commit),
        IN_FOLDER(abort_leaves_no_trace),
        IN_FOLDER(two_writers_do_not_meet),
        IN_FOLDER(the_mode_is_what_the_umask_leaves),
        IN_FOLDER(a_name_without_folder_is_in_this_one),
        IN_FOLDER(a_link_is_followed),
        IN_FOLDER(links_in_a_circle_are_an_error),
        IN_FOLDER(only_temporary_files_of_a_file_are_removed),
        IN_FOLDER(a_function_writes_a_file),
        IN_FOLDER(names_of_one_file_are_known),
        IN_FOLDER(a_folder_is_not_replaced),
        cmocka_unit_test(a_device_is_not_replaced),
        IN_FOLDER(a_missing_folder_is_an_error),
        IN_FOLDER(an_unwritable_folder_is_an_error),
        IN_FOLDER(a_full_disk_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
