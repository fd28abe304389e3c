/* Where the pictures of a task come from. */
#include "task_images.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "message.h"

/* One command learns or tests one task. */
static struct {
    nlm_task task;
    nlm_gallery *gallery;
} found;

bool images_usual_folder(char folder[IMAGES_FOLDER])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache != NULL && cache[0] == '/')
        return snprintf(folder, IMAGES_FOLDER, "%s/nlm/mnist", cache) < IMAGES_FOLDER;
    return home != NULL && home[0] != '\0' &&
           snprintf(folder, IMAGES_FOLDER, "%s/.cache/nlm/mnist", home) < IMAGES_FOLDER;
}

bool images_find(const char *command, const char *named, const nlm_task **task)
{
    char folder[IMAGES_FOLDER];
    nlm_error error;
    if ((*task)->sense == NULL) {
        if (named != NULL)
            message_error("%s: --images is for tasks with images; %s has none", command, (*task)->name);
        return named == NULL;
    }
    if (named != NULL && strcmp(named, "drawn") == 0)
        return true;
    if (named == NULL && !images_usual_folder(folder)) {
        message_error("%s: HOME is not set: name the folder with MNIST's files, --images FOLDER", command);
        return false;
    }
    const char *from = named != NULL ? named : folder;
    if (nlm_gallery_read(from, &found.gallery, &error) != NLM_OK) {
        message_error("%s: %s", command, error.message);
        if (error.status == NLM_IO_ERROR)
            message_note(
                "objects of %s show digits of MNIST: tools/get-mnist brings them; --images FOLDER if "
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
