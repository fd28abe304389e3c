/* Files of runs where each allocation fails in turn; after failing_malloc.h. */
#ifndef TESTS_LEARN_FAILING_FILES_H
#define TESTS_LEARN_FAILING_FILES_H

#include <dirent.h>
#include "failing_malloc.h"
#include "machine/models.h"
#include "nlm/run.h"

/* In place of the C library's: to wait a thousand times for a disk would take minutes. */
int fsync(int file)
{
    (void)file;
    return 0;
}

/* Nothing but what was written is in the folder. */
static inline void check_folder(const folder *made)
{
    DIR *listed = opendir(made->path);
    assert_non_null(listed);
    for (const struct dirent *entry; (entry = readdir(listed));)
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "model") && strcmp(entry->d_name, "other"))
            fail_msg("%s was left behind", entry->d_name);
    closedir(listed);
}

typedef nlm_status file_call(nlm_run **run, const char *path, nlm_error *error);

static inline nlm_status save_checkpoint(nlm_run **run, const char *path, nlm_error *error)
{
    return nlm_run_save_checkpoint(*run, path, error);
}

static inline nlm_status save_model_file(nlm_run **run, const char *path, nlm_error *error)
{
    return nlm_run_save_model(*run, path, error);
}

static inline nlm_status load_checkpoint(nlm_run **run, const char *path, nlm_error *error)
{
    nlm_status status = nlm_run_load(path, NULL, NULL, run, error);
    if (status)
        assert_null(*run);
    return status;
}

/* Jansson does not always tell why it failed, so the status may be another. */
static inline void call_until_it_succeeds(const folder *made, file_call *call, nlm_run **run,
                                          const char *path)
{
    int number = 0;
    for (nlm_status status = NLM_NO_MEMORY; status; number++) {
        nlm_error error = {NLM_OK, ""};
        fail_allocation(number);
        status = call(run, path, &error);
        const bool failed = allocation_failed();
        fail_allocation(-1);
        if (failed != (status != NLM_OK))
            fail_msg("allocation %d: status %d, %s", number, status, error.message);
        assert_int_equal(error.status, status);
        assert_null(strchr(error.message, '\n'));
        check_folder(made);
    }
    assert_true(number > 100);
}

#endif
