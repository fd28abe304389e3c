/* Images of a folder for the objects of a world. */
#include "show_images.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include "message.h"

enum { PATH_SIZE = 4096 };

typedef struct image {
    char *file;
    char *object; /* the file's name without its ending */
} image;

/* Images by the names of their objects. */
typedef struct image_list {
    char folder[PATH_SIZE];
    image *images;
    int count, room;
} image_list;

/* ---- the folder ---- */

static bool say(const char *command, const char *path, const char *what)
{
    message_error("%s: %s: %s", command, path, what);
    return false;
}

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static bool join(char path[PATH_SIZE], const char *folder, const char *name)
{
    const size_t length = strlen(folder);
    const bool slash = length > 0 && folder[length - 1] != '/';
    return snprintf(path, PATH_SIZE, "%s%s%s", folder, slash ? "/" : "", name) < PATH_SIZE;
}

static bool find_folder(const char *command, const char *folder, const char *below, image_list *list)
{
    char inner[PATH_SIZE];
    const int length = snprintf(list->folder, PATH_SIZE, "%s", folder);
    if (length >= PATH_SIZE || (*below != '\0' && !join(list->folder, folder, below)))
        return say(command, folder, strerror(ENAMETOOLONG));
    if (*below != '\0' && !is_folder(list->folder)) {
        message_error("%s: %s has no folder %s: of several worlds, the images of each are in a folder of its "
                      "name, or in images there",
                      command, folder, below);
        return false;
    }
    if (join(inner, list->folder, "images") && is_folder(inner))
        memcpy(list->folder, inner, sizeof inner);
    return true;
}

/* Bytes of a file's name before its ending; 0 if it is not the name of an image. */
static size_t object_length(const char *file)
{
    const char *dot = strrchr(file, '.');
    const bool is_image = dot != NULL && (strcasecmp(dot, ".pgm") == 0 || strcasecmp(dot, ".png") == 0);
    return is_image && file[0] != '.' ? (size_t)(dot - file) : 0;
}

static bool add_image(image_list *list, const char *file, size_t length)
{
    if (list->count == list->room) {
        const int room = 2 * list->room + 16;
        image *more = realloc(list->images, (size_t)room * sizeof *more);
        if (more == NULL)
            return false;
        list->images = more;
        list->room = room;
    }
    image *added = &list->images[list->count++];
    *added = (image){strdup(file), strndup(file, length)};
    return added->file != NULL && added->object != NULL;
}

static int compare(const void *a, const void *b)
{
    const image *first = a, *second = b;
    const int objects = strcmp(first->object, second->object);
    return objects != 0 ? objects : strcmp(first->file, second->file);
}

static int compare_object(const void *name, const void *of)
{
    return strcmp(name, ((const image *)of)->object);
}

static bool has_image(const image_list *list, const char *object)
{
    return list->count > 0 &&
           bsearch(object, list->images, (size_t)list->count, sizeof *list->images, compare_object) != NULL;
}

static bool read_entries(const char *command, DIR *folder, image_list *list)
{
    char first_ignored[PATH_SIZE] = "";
    int ignored = 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const size_t length = object_length(entry->d_name);
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (length > 0 && !add_image(list, entry->d_name, length))
            return say(command, list->folder, "not enough memory");
        if (length == 0 && (ignored++ == 0 || strcmp(entry->d_name, first_ignored) < 0))
            snprintf(first_ignored, sizeof first_ignored, "%s", entry->d_name);
    }
    if (ignored == 1)
        message_note("%s: %s is ignored: images end in .pgm or .png", list->folder, first_ignored);
    else if (ignored > 1)
        message_note("%s: %s and %d other entr%s ignored: images end in .pgm or .png", list->folder,
                     first_ignored, ignored - 1, ignored == 2 ? "y are" : "ies are");
    return true;
}

static bool read_folder(const char *command, image_list *list)
{
    DIR *folder = opendir(list->folder);
    if (folder == NULL)
        return say(command, list->folder, strerror(errno));
    const bool good = read_entries(command, folder, list);
    closedir(folder);
    if (!good)
        return false;
    if (list->count > 1)
        qsort(list->images, (size_t)list->count, sizeof *list->images, compare);
    for (int i = 1; i < list->count; i++) {
        const image *before = &list->images[i - 1], *at = &list->images[i];
        if (strcmp(before->object, at->object) == 0) {
            message_error("%s: %s has two images of %s: %s and %s", command, list->folder, at->object,
                          before->file, at->file);
            return false;
        }
    }
    return true;
}

static void free_list(image_list *list)
{
    for (int i = 0; i < list->count; i++) {
        free(list->images[i].file);
        free(list->images[i].object);
    }
    free(list->images);
}

/* ---- the world ---- */

static nlm_status copy_predicates(const nlm_world *from, nlm_world *to, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int p = 0; p < nlm_world_predicates(from) && status == NLM_OK; p++) {
        const int *tuples;
        const float *values;
        const int arity = nlm_world_predicate_arity(from, p);
        const size_t count = nlm_world_facts(from, p, &tuples, &values);
        status = nlm_world_add_predicate(to, nlm_world_predicate_name(from, p), arity, NULL, error);
        for (size_t i = 0; i < count && status == NLM_OK; i++)
            status =
                nlm_world_add_fact(to, p, arity > 0 ? tuples + i * (size_t)arity : NULL, values[i], error);
    }
    return status;
}

static nlm_status copy_targets(const nlm_world *from, nlm_world *to, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int t = 0; t < nlm_world_targets(from) && status == NLM_OK; t++) {
        const int *tuples;
        const signed char *labels;
        nlm_label by_default;
        const int arity = nlm_world_target_arity(from, t);
        const size_t count = nlm_world_labels(from, t, &tuples, &labels, &by_default);
        status = nlm_world_add_target(to, nlm_world_target_name(from, t), arity, by_default, NULL, error);
        for (size_t i = 0; i < count && status == NLM_OK; i++)
            status = nlm_world_add_label(to, t, arity > 0 ? tuples + i * (size_t)arity : NULL,
                                         (nlm_label)labels[i], error);
    }
    return status;
}

/* The objects of the world, then those that only have an image. */
static nlm_status copy_objects(const image_list *list, const nlm_world *from, nlm_world *to, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int object = 0; object < nlm_world_objects(from) && status == NLM_OK; object++)
        status = nlm_world_add_object(to, nlm_world_object_name(from, object), NULL, error);
    for (int i = 0; i < list->count && status == NLM_OK; i++) {
        if (nlm_world_find_object(to, list->images[i].object) < 0)
            status = nlm_world_add_object(to, list->images[i].object, NULL, error);
    }
    return status;
}

static nlm_status read_images(const image_list *list, nlm_world *world, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int i = 0; i < list->count && status == NLM_OK; i++) {
        char path[PATH_SIZE];
        float pixels[NLM_IMAGE_PIXELS];
        const int object = nlm_world_find_object(world, list->images[i].object);
        if (!join(path, list->folder, list->images[i].file))
            return message_fill(error, NLM_IO_ERROR, "%.200s: %s", list->folder, strerror(ENAMETOOLONG));
        status = nlm_image_read(path, pixels, error);
        if (status == NLM_OK)
            status = nlm_world_set_percept(world, object, pixels, NLM_IMAGE_PIXELS, error);
    }
    return status;
}

static nlm_status fill(const image_list *list, const nlm_world *from, nlm_world *to, nlm_error *error)
{
    nlm_status status = copy_objects(list, from, to, error);
    if (status == NLM_OK)
        status = copy_predicates(from, to, error);
    if (status == NLM_OK)
        status = copy_targets(from, to, error);
    return status == NLM_OK ? read_images(list, to, error) : status;
}

/* Whether every object has an image; false after an error line. */
static bool is_complete(const char *command, const char *name, const image_list *list, const nlm_world *world)
{
    int without = 0, first = -1;
    for (int object = nlm_world_objects(world) - 1; object >= 0; object--) {
        const bool found = has_image(list, nlm_world_object_name(world, object));
        without += !found;
        first = found ? first : object;
    }
    if (without == 0)
        return true;
    char more[64] = "";
    if (without > 1)
        snprintf(more, sizeof more, ", nor of %d other object%s", without - 1, without == 2 ? "" : "s");
    const char *object = nlm_world_object_name(world, first);
    message_error("%s: %s: %s has no image of %s%s: %s.pgm or %s.png must be there", command, name,
                  list->folder, object, more, object, object);
    return false;
}

static bool make(const char *command, const char *name, const image_list *list, const nlm_world *world,
                 nlm_world **shown)
{
    nlm_error error;
    nlm_status status = nlm_world_new(shown, &error);
    if (status == NLM_OK)
        status = fill(list, world, *shown, &error);
    if (status == NLM_OK)
        return true;
    message_error(status == NLM_NO_MEMORY ? "%s: not enough memory for the images of %s" : "%s: %s", command,
                  status == NLM_NO_MEMORY ? name : error.message);
    nlm_world_free(*shown);
    *shown = NULL;
    return false;
}

bool show_images(const char *command, const char *folder, const char *below, const char *name,
                 const nlm_world *world, nlm_world **shown)
{
    image_list list = {0};
    *shown = NULL;
    const bool good = find_folder(command, folder, below, &list) && read_folder(command, &list) &&
                      is_complete(command, name, &list, world) && make(command, name, &list, world, shown);
    free_list(&list);
    return good;
}
