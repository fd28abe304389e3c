/* Images of a folder for the objects of a world.
 *
 * Files NAME.pgm and NAME.png of any case are images of the object NAME; two of one object are refused. */
#include "infer/object_images.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/error.h"
#include "facts/folder.h"
#include "nlm/gallery.h"
#include "world/world.h"

enum { SHOWN_OF_PATH = 200 };

struct image {
    const char *file;   /* its name in the folder */
    const char *object; /* the same without its ending */
};

struct image_list {
    text_store texts;
    const char *folder;
    folder_list entries;
    struct image *images; /* sorted by their objects */
    int count;
};

/* ---- the folder ---- */

static nlm_status find_folder(struct image_list *list, const char *folder, const char *below,
                              nlm_error *error)
{
    list->folder = *below ? folder_join(&list->texts, folder, below) : folder;
    const char *inner = list->folder ? folder_join(&list->texts, list->folder, "images") : NULL;
    if (!inner)
        return error_no_memory(error);
    if (*below && !folder_is(list->folder))
        return error_set(
            error, NLM_IO_ERROR,
            "%.*s has no folder %.*s: of several worlds, the images of each are in a folder of its "
            "name, or in images there",
            SHOWN_OF_PATH, folder, SHOWN_OF_PATH, below);
    if (folder_is(inner))
        list->folder = inner;
    return NLM_OK;
}

/* Bytes of a file's name before its ending; 0 if it is not the name of an image. */
static size_t object_length(const char *file)
{
    const char *dot = strrchr(file, '.');
    const bool is_image = dot && (!strcasecmp(dot, ".pgm") || !strcasecmp(dot, ".png"));
    return is_image && file[0] != '.' ? (size_t)(dot - file) : 0;
}

static int compare(const void *a, const void *b)
{
    const struct image *first = a, *second = b;
    const int objects = strcmp(first->object, second->object);
    return objects ? objects : strcmp(first->file, second->file);
}

static nlm_status read_folder(struct image_list *list, char note[OBJECT_IMAGES_NOTE], nlm_error *error)
{
    const char *first_ignored = "";
    nlm_status status = folder_read(&list->entries, list->folder, error);
    if (status)
        return status;
    list->images = memory_new((size_t)list->entries.count + 1, sizeof *list->images);
    if (!list->images)
        return error_no_memory(error);
    for (int i = list->entries.count - 1; i >= 0; i--) {
        const char *file = folder_at(&list->entries, i);
        const size_t length = object_length(file);
        if (length == 0) {
            first_ignored = file;
            continue;
        }
        struct image *image = &list->images[list->count++];
        *image = (struct image){file, text_keep(&list->texts, file, length)};
        if (!image->object)
            return error_no_memory(error);
    }
    const int ignored = list->entries.count - list->count;
    note[0] = '\0';
    if (ignored == 1)
        snprintf(note, OBJECT_IMAGES_NOTE, "%s: %s is ignored: images end in .pgm or .png", list->folder,
                 first_ignored);
    else if (ignored > 1)
        snprintf(note, OBJECT_IMAGES_NOTE, "%s: %s and %d other entr%s ignored: images end in .pgm or .png",
                 list->folder, first_ignored, ignored - 1, ignored == 2 ? "y are" : "ies are");
    qsort(list->images, (size_t)list->count, sizeof *list->images, compare);
    for (int i = 1; i < list->count; i++) {
        const struct image *before = &list->images[i - 1], *at = &list->images[i];
        if (!strcmp(before->object, at->object))
            return error_set(error, NLM_BAD_FILE, "%.*s has two images of %.60s: %.60s and %.60s",
                             SHOWN_OF_PATH, list->folder, at->object, before->file, at->file);
    }
    return NLM_OK;
}

/* ---- the world ---- */

static int compare_object(const void *name, const void *image)
{
    return strcmp(name, ((const struct image *)image)->object);
}

static nlm_status check_complete(const struct image_list *list, const char *title, const nlm_world *world,
                                 nlm_error *error)
{
    int without = 0;
    const char *object = NULL; /* the first of them */
    for (int o = nlm_world_objects(world) - 1; o >= 0; o--) {
        const char *name = nlm_world_object_name(world, o);
        if (!bsearch(name, list->images, (size_t)list->count, sizeof *list->images, compare_object)) {
            object = name;
            without++;
        }
    }
    if (without == 0)
        return NLM_OK;
    char more[64] = "";
    if (without > 1)
        snprintf(more, sizeof more, ", nor of %d other object%s", without - 1, without == 2 ? "" : "s");
    return error_set(error, NLM_BAD_ARGUMENT,
                     "%.60s: %.*s has no image of %.60s%s: %.60s.pgm or %.60s.png must be there", title,
                     SHOWN_OF_PATH, list->folder, object, more, object, object);
}

static nlm_status add_images(struct image_list *list, nlm_world *world, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int i = 0; i < list->count && !status; i++) {
        float pixels[NLM_IMAGE_PIXELS];
        int object = nlm_world_find_object(world, list->images[i].object);
        if (object < 0)
            status = nlm_world_add_object(world, list->images[i].object, &object, error);
        const char *path = folder_join(&list->texts, list->folder, list->images[i].file);
        if (!status)
            status = path ? nlm_image_read(path, pixels, error) : error_no_memory(error);
        if (!status)
            status = nlm_world_set_percept(world, object, pixels, NLM_IMAGE_PIXELS, error);
    }
    return status;
}

nlm_status object_images_show(const char *folder, const char *below, const char *title,
                              const nlm_world *world, nlm_world *shown, char note[OBJECT_IMAGES_NOTE],
                              nlm_error *error)
{
    struct image_list list = {0};
    nlm_status status = find_folder(&list, folder, below, error);
    if (!status)
        status = read_folder(&list, note, error);
    if (!status)
        status = check_complete(&list, title, world, error);
    if (!status)
        status = world_copy(shown, world, true, error);
    if (!status)
        status = add_images(&list, shown, error);
    memory_free(list.images);
    folder_free(&list.entries);
    text_free(&list.texts);
    return status;
}
