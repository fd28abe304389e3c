/* The entries of a folder, sorted by name. */
#include "facts/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/error.h"
#include "syntax/reading_message.h"

bool folder_is(const char *path)
{
    struct stat about;
    return !stat(path, &about) && S_ISDIR(about.st_mode);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

nlm_status folder_read(folder_list *in, const char *path, nlm_error *error)
{
    *in = (folder_list){0};
    DIR *stream = opendir(path);
    if (!stream)
        return message_io(error, path, errno);
    nlm_status status = NLM_OK;
    const struct dirent *entry;
    for (errno = 0; !status && (entry = readdir(stream)); errno = 0) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        const char *copy = text_keep(&in->texts, entry->d_name, strlen(entry->d_name));
        if (!copy || buffer_reserve(&in->names, (size_t)in->count + 1, sizeof copy, true))
            status = error_no_memory(error);
        else
            ((const char **)in->names.data)[in->count++] = copy;
    }
    if (!status && errno)
        status = message_io(error, path, errno);
    closedir(stream);
    if (in->count > 1)
        qsort(in->names.data, (size_t)in->count, sizeof(char *), compare);
    return status;
}

void folder_free(folder_list *in)
{
    text_free(&in->texts);
    buffer_free(&in->names);
    in->count = 0;
}

const char *folder_join(text_store *store, const char *path, const char *name)
{
    size_t length = strlen(path), more = strlen(name);
    bool slash = length > 0 && path[length - 1] != '/';
    char *joined = memory_new(length + more + 2, 1);
    if (!joined)
        return NULL;
    memcpy(joined, path, length);
    joined[length] = '/';
    memcpy(joined + length + slash, name, more);
    const char *copy = text_keep(store, joined, length + slash + more);
    memory_free(joined);
    return copy;
}
