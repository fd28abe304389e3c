/* Locks: one holder at a time, among threads and processes alike, whatever became of the one before. */
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "test.h"

#include "nlm/file.h"

typedef struct folder {
    char path[64];
    char file[96], lock[112]; /* path/model, path/model.lock */
} folder;

static int make_folder(void **state)
{
    static folder made;
    strcpy(made.path, "/tmp/nlm-test-lock-XXXXXX");
    if (!mkdtemp(made.path))
        return -1;
    snprintf(made.file, sizeof made.file, "%s/model", made.path);
    snprintf(made.lock, sizeof made.lock, "%s.lock", made.file);
    *state = &made;
    return 0;
}

static int remove_folder(void **state)
{
    return rmdir(((folder *)*state)->path); /* fails, and so does the test, when anything was left behind */
}

static void a_file_has_one_holder(void **state)
{
    folder *made = *state;
    nlm_lock *first, *second;
    nlm_error error;
    char process[32];
    assert_int_equal(nlm_lock_take(made->file, &first, &error), NLM_OK);
    assert_non_null(first);
    assert_int_equal(access(made->lock, F_OK), 0);
    assert_int_equal(access(made->file, F_OK), -1);
    assert_int_equal(nlm_lock_take(made->file, &second, &error), NLM_IO_ERROR);
    assert_null(second);
    snprintf(process, sizeof process, "process %ld", (long)getpid());
    assert_non_null(strstr(error.message, "another nlm is at work on it"));
    assert_non_null(strstr(error.message, process));
    nlm_lock_release(first);
    assert_int_equal(access(made->lock, F_OK), -1);
    assert_int_equal(nlm_lock_take(made->file, &second, &error), NLM_OK);
    nlm_lock_release(second);
    nlm_lock_release(NULL);
}

static void a_folder_has_one_holder(void **state)
{
    folder *made = *state;
    nlm_lock *first, *second;
    nlm_error error;
    assert_int_equal(nlm_lock_take(made->path, &first, &error), NLM_OK);
    assert_int_equal(nlm_lock_take(made->path, &second, &error), NLM_IO_ERROR);
    assert_non_null(strstr(error.message, "another nlm is at work here"));
    nlm_lock_release(first);
    assert_int_equal(access(made->path, F_OK), 0);
    assert_int_equal(nlm_lock_take(made->path, &second, &error), NLM_OK);
    nlm_lock_release(second);
}

/* The first one has the folder alone until it shares it; who does not share is kept out all the time. */
static void processes_share_a_folder(void **state)
{
    folder *made = *state;
    nlm_lock *first, *second, *third;
    bool alone;
    assert_int_equal(nlm_lock_join(made->path, &first, &alone, NULL), NLM_OK);
    assert_true(first && alone);
    const pid_t child = fork();
    if (child == 0) { /* waits until the first one shares */
        const nlm_status status = nlm_lock_join(made->path, &second, &alone, NULL);
        _exit(status == NLM_OK && second && !alone ? 0 : 1);
    }
    nlm_lock_share(first);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(nlm_lock_join(made->path, &second, &alone, NULL), NLM_OK);
    assert_true(second && !alone);
    nlm_lock_release(first);
    assert_int_equal(nlm_lock_take(made->path, &third, NULL), NLM_IO_ERROR);
    nlm_lock_release(second);
    assert_int_equal(nlm_lock_join(made->path, &first, &alone, NULL), NLM_OK);
    assert_true(first && alone);
    nlm_lock_release(first);
    assert_int_equal(nlm_lock_join("/tmp/nlm-no-such-folder", &first, &alone, NULL), NLM_OK);
    assert_true(!first && !alone);
    nlm_lock_share(NULL);
}

static void a_link_has_the_lock_of_its_target(void **state)
{
    folder *made = *state;
    nlm_lock *first, *second;
    char link[96];
    snprintf(link, sizeof link, "%s/link", made->path);
    assert_int_equal(symlink("model", link), 0);
    assert_int_equal(nlm_lock_take(link, &first, NULL), NLM_OK);
    assert_int_equal(nlm_lock_take(made->file, &second, NULL), NLM_IO_ERROR);
    nlm_lock_release(first);
    unlink(link);
}

static void a_killed_holder_holds_nothing(void **state)
{
    folder *made = *state;
    int ready[2];
    char byte;
    nlm_lock *lock;
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        nlm_lock *held;
        if (nlm_lock_take(made->file, &held, NULL) == NLM_OK && write(ready[1], "x", 1) == 1)
            pause();
        _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(nlm_lock_take(made->file, &lock, NULL), NLM_IO_ERROR);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(access(made->lock, F_OK), 0);
    assert_int_equal(nlm_lock_take(made->file, &lock, NULL), NLM_OK);
    assert_non_null(lock);
    nlm_lock_release(lock);
    close(ready[0]);
    close(ready[1]);
}

static void without_a_place_for_it_there_is_no_lock(void **state)
{
    (void)state;
    nlm_lock *lock;
    assert_int_equal(nlm_lock_take("/nowhere/at/all", &lock, NULL), NLM_OK);
    assert_null(lock);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_file_has_one_holder),         IN_FOLDER(a_folder_has_one_holder),
        IN_FOLDER(processes_share_a_folder),      IN_FOLDER(a_link_has_the_lock_of_its_target),
        IN_FOLDER(a_killed_holder_holds_nothing), cmocka_unit_test(without_a_place_for_it_there_is_no_lock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
