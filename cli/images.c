/* Where the pictures of a task come from. */
#include "images.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "message.h"

enum { FOLDER_MOST = 4000 };

/* One command learns or tests one task. */
static struct {
    nlm_task task;
    nlm_gallery *gallery;
} found;

/* Where tools/get-mnist puts MNIST's files; false if the environment names no home. */
static bool usual_folder(char folder[FOLDER_MOST])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache != NULL && cache[0] == '/')
        return snprintf(folder, FOLDER_MOST, "%s/nlm/mnist", cache) < FOLDER_MOST;
    return home != NULL && home[0] != '\0' &&
           snprintf(folder, FOLDER_MOST, "%s/.cache/nlm/mnist", home) < FOLDER_MOST;
}

bool images_find(const char *command, const char *named, const nlm_task **task)
{
    char folder[FOLDER_MOST];
    nlm_error error;
    if ((*task)->sense == NULL) {
        if (named != NULL)
            message_error("%s: --images is for tasks whose objects show something; those of %s do not",
                          command, (*task)->name);
        return named == NULL;
    }
    if (named != NULL && strcmp(named, "drawn") == 0)
        return true;
    const char *from = named != NULL ? named : usual_folder(folder) ? folder : ".";
    if (nlm_gallery_read(from, &found.gallery, &error) != NLM_OK) {
        message_error("%s: %s", command, error.message);
        if (error.status == NLM_IO_ERROR)
            message_note("objects of %s show digits of MNIST: tools/get-mnist brings them; --images FOLDER if "
                         "you have them elsewhere; --images drawn for digits that nlm draws itself",
                         (*task)->name);
        return false;
    }
    found.task = **task;
    found.task.gallery = found.gallery;
    *task = &found.task;
    return true;
}

void images_release(void)
{
    nlm_gallery_free(found.gallery);
    found.gallery = NULL;
}
