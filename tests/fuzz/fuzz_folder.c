/* Any bytes as a whole folder of facts: each line "== NAME" begins a file, whose name may have one folder
 * before it.  The folder is refused with a message of one line, or is a problem that can be written and read
 * again as the same. */
#define _GNU_SOURCE /* nftw */
#include <ctype.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"
#include "nlm/facts.h"

enum { MOST_NAME = 60, MOST_FILES = 20 };

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

/* Plain names only: nothing outside the folder is written. */
static int is_name(const char *name, size_t length)
{
    int slashes = 0;
    if (length == 0 || length > MOST_NAME || name[0] == '/' || name[length - 1] == '/')
        return 0;
    for (size_t i = 0; i < length; i++) {
        slashes += name[i] == '/';
        if (!isalnum((unsigned char)name[i]) && !strchr("._-/", name[i]))
            return 0;
    }
    return slashes < 2 && !strstr(name, "..");
}

static void write_file(const char *folder, const char *name, const char *text, size_t size)
{
    char path[200];
    const char *slash = strchr(name, '/');
    if (slash) {
        snprintf(path, sizeof path, "%s/%.*s", folder, (int)(slash - name), name);
        mkdir(path, 0777);
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb"); /* fails where a folder has the name of a file */
    if (file) {
        fwrite(text, 1, size, file);
        fclose(file);
    }
}

static void write_folder(const char *folder, const char *text, size_t size)
{
    for (int i = 0; i < MOST_FILES && size > 3 && !memcmp(text, "== ", 3); i++) {
        const char *name = text + 3, *end = memchr(name, '\n', size - 3);
        if (!end)
            return;
        const char *content = end + 1, *next = memmem(content, (size_t)(text + size - content), "\n== ", 4);
        const char *stop = next ? next + 1 : text + size;
        char copy[MOST_NAME + 1] = "";
        if (end - name <= MOST_NAME)
            memcpy(copy, name, (size_t)(end - name));
        if (is_name(copy, strlen(copy)))
            write_file(folder, copy, content, (size_t)(stop - content));
        size -= (size_t)(stop - text);
        text = stop;
    }
}

/* Written as a folder and read again; a form may not be able to say all, but nothing is refused. */
static void write_and_read(const nlm_problem *problem, const char *folder)
{
    char path[100];
    nlm_problem *again;
    nlm_error error;
    snprintf(path, sizeof path, "%s/written", folder);
    if (nlm_problem_write(problem, path, NLM_FORM_FOLDER, false, &error)) {
        require(error.status == NLM_BAD_ARGUMENT);
        return;
    }
    require(!nlm_problem_read(path, NULL, &again, &error));
    require(nlm_problem_worlds(again) == nlm_problem_worlds(problem));
    nlm_problem_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[] = "/tmp/nlm-fuzz-XXXXXX", read[40];
    require(mkdtemp(folder) != NULL);
    snprintf(read, sizeof read, "%s/read", folder);
    mkdir(read, 0777);
    write_folder(read, (const char *)data, size);
    nlm_problem *problem;
    nlm_error error = {0};
    if (!nlm_problem_read(read, NULL, &problem, &error)) {
        write_and_read(problem, folder);
    } else {
        require(problem == NULL && error.status != NLM_OK);
        check_line(error.message);
    }
    nlm_problem_free(problem);
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    return 0;
}
