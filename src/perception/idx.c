/* MNIST's IDX files.  Whether one is gzipped is told by its first bytes, not by its name. */
#include "perception/idx.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "perception/inflater.h"

enum {
    IMAGES_MAGIC = 0x803,
    LABELS_MAGIC = 0x801,
    MOST_WORDS = 4,       /* of a header */
    MOST_INFLATION = 1032 /* bytes that deflate can make of one */
};

#define MOST_BYTES ((size_t)IDX_MOST * IMAGES_PIXELS + 4 * MOST_WORDS)

/* ---- plain or inflated bytes ---- */

struct idx_source {
    const char *name;
    const uint8_t *bytes; /* plain: what is left to take */
    size_t left;
    inflater *gzip; /* NULL: plain */
};

static nlm_status source_open(struct idx_source *s, const void *bytes, size_t size, const char *name,
                              nlm_error *error)
{
    *s = (struct idx_source){.name = name, .bytes = bytes, .left = size};
    if (size < 2 || s->bytes[0] != 0x1f || s->bytes[1] != 0x8b)
        return NLM_OK;
    if (size > MOST_BYTES)
        return error_set(error, NLM_BAD_FILE, "%.300s: %zu bytes are too many", name, size);
    return inflater_open(bytes, size, name, &s->gzip, error);
}

/* The next bytes, fewer than wanted only at the end. */
static nlm_status source_take(struct idx_source *s, void *to, size_t want, size_t *got, nlm_error *error)
{
    if (s->gzip)
        return inflater_take(s->gzip, to, want, got, error);
    *got = want < s->left ? want : s->left;
    memcpy(to, s->bytes, *got);
    s->bytes += *got;
    s->left -= *got;
    return NLM_OK;
}

static nlm_status take_all(struct idx_source *s, void *to, size_t want, nlm_error *error)
{
    size_t got = 0;
    nlm_status status = source_take(s, to, want, &got, error);
    if (!status && got < want)
        return error_set(error, NLM_BAD_FILE, "%.300s: cut off", s->name);
    return status;
}

/* Nothing may follow.  With gzip this also reads the check sum at the end. */
static nlm_status expect_end(struct idx_source *s, nlm_error *error)
{
    uint8_t more;
    size_t got = 0;
    nlm_status status = source_take(s, &more, 1, &got, error);
    if (status)
        return status;
    if (got > 0 || (s->gzip && inflater_left(s->gzip) > 0))
        return error_set(error, NLM_BAD_FILE, "%.300s: has more data than its header says", s->name);
    if (s->gzip && !inflater_ended(s->gzip))
        return error_set(error, NLM_BAD_FILE, "%.300s: cut off", s->name);
    return NLM_OK;
}

/* ---- content ---- */

struct header {
    uint32_t magic;
    int words;          /* of the header */
    size_t item;        /* bytes per image or label */
    const char *plural; /* of the items, for messages */
};

static const struct header images_header = {IMAGES_MAGIC, 4, IMAGES_PIXELS, "images"};
static const struct header labels_header = {LABELS_MAGIC, 2, 1, "labels"};

static uint32_t word(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Number of items, if all that the header says is acceptable. */
static nlm_status take_header(struct idx_source *s, const struct header *header, int *count, nlm_error *error)
{
    uint8_t bytes[4 * MOST_WORDS];
    nlm_status status = take_all(s, bytes, 4, error);
    if (status)
        return status;
    if (word(bytes) != header->magic)
        return error_set(error, NLM_BAD_FILE, "%.300s: begins with 0x%08x; %s begin with 0x%08x", s->name,
                         word(bytes), header->plural, header->magic);
    status = take_all(s, bytes + 4, 4 * (size_t)(header->words - 1), error);
    if (status)
        return status;
    uint32_t items = word(bytes + 4);
    if (items == 0 || items > IDX_MOST)
        return error_set(error, NLM_BAD_FILE, "%.300s: says that it has %u %s; 1 to %d can be read", s->name,
                         items, header->plural, IDX_MOST);
    if (header->words == 4 && (word(bytes + 8) != IMAGES_SIDE || word(bytes + 12) != IMAGES_SIDE))
        return error_set(error, NLM_BAD_FILE, "%.300s: has images of %u x %u pixels, not of %d x %d", s->name,
                         word(bytes + 8), word(bytes + 12), IMAGES_SIDE, IMAGES_SIDE);
    *count = (int)items;
    return NLM_OK;
}

static nlm_status take_items(struct idx_source *s, const struct header *header, uint8_t **items, int *count,
                             nlm_error *error)
{
    nlm_status status = take_header(s, header, count, error);
    if (status)
        return status;
    size_t size = (size_t)*count * header->item;
    const size_t most = s->gzip ? inflater_left(s->gzip) * MOST_INFLATION + MOST_INFLATION : s->left;
    if (most < size)
        return error_set(error, NLM_BAD_FILE, "%.300s: cut off: too short for the %d %s that it should have",
                         s->name, *count, header->plural);
    *items = memory_new(size, 1);
    if (!*items)
        return error_no_memory(error);
    status = take_all(s, *items, size, error);
    return status ? status : expect_end(s, error);
}

static nlm_status parse(const void *bytes, size_t size, const char *name, const struct header *header,
                        uint8_t **items, int *count, nlm_error *error)
{
    struct idx_source source;
    *items = NULL;
    *count = 0;
    nlm_status status = source_open(&source, bytes, size, name, error);
    if (status)
        return status;
    status = take_items(&source, header, items, count, error);
    inflater_close(source.gzip);
    if (status) {
        memory_free(*items);
        *items = NULL;
        *count = 0;
    }
    return status;
}

nlm_status idx_parse_images(const void *bytes, size_t size, const char *name, uint8_t **pixels, int *count,
                            nlm_error *error)
{
    return parse(bytes, size, name, &images_header, pixels, count, error);
}

nlm_status idx_parse_labels(const void *bytes, size_t size, const char *name, uint8_t **labels, int *count,
                            nlm_error *error)
{
    nlm_status status = parse(bytes, size, name, &labels_header, labels, count, error);
    for (int i = 0; i < *count; i++) {
        int label = (*labels)[i];
        if (label < IMAGES_LABELS)
            continue;
        memory_free(*labels);
        *labels = NULL;
        *count = 0;
        return error_set(error, NLM_BAD_FILE, "%.300s: label %d is %d; labels are 0 to %d", name, i, label,
                         IMAGES_LABELS - 1);
    }
    return status;
}

/* ---- folders ---- */

/* The path of the file that is there under one of its names; each is `kind` and then an ending. */
static nlm_status find_file(const char *folder, const char *kind, const char *type, char **path,
                            nlm_error *error)
{
    static const char *const joints[] = {"-", "."}, *const endings[] = {"", ".gz"};
    size_t room = strlen(folder) + strlen(kind) + strlen(type) + sizeof "/-.gz";
    *path = memory_new(room, 1);
    if (!*path)
        return error_no_memory(error);
    for (int joint = 0; joint < 2; joint++)
        for (int ending = 0; ending < 2; ending++) {
            snprintf(*path, room, "%s/%s%s%s%s", folder, kind, joints[joint], type, endings[ending]);
            if (!access(*path, F_OK))
                return NLM_OK;
        }
    memory_free(*path);
    *path = NULL;
    return error_set(error, NLM_IO_ERROR, "%.300s: has no %s-%s, plain or .gz", folder, kind, type);
}

typedef nlm_status (*parser)(const void *, size_t, const char *, uint8_t **, int *, nlm_error *);

/* A file found and read; its path is given out for messages, and is the caller's. */
static nlm_status read_file(const char *folder, const char *kind, const char *type, parser parse_file,
                            char **path, uint8_t **items, int *count, nlm_error *error)
{
    buffer content = {0};
    size_t size = 0;
    nlm_status status = find_file(folder, kind, type, path, error);
    if (!status)
        status = file_read_all(*path, MOST_BYTES, &content, &size, error);
    if (!status)
        status = parse_file(content.data, size, *path, items, count, error);
    buffer_free(&content);
    return status;
}

nlm_status idx_read(const char *folder, enum idx_set set, struct images *images, nlm_error *error)
{
    bool train = set == IDX_TRAIN;
    char *image_path = NULL, *label_path = NULL;
    int labels = 0;
    *images = (struct images){0};
    nlm_status status = read_file(folder, train ? "train-images" : "t10k-images", "idx3-ubyte",
                                  idx_parse_images, &image_path, &images->pixels, &images->count, error);
    if (!status)
        status = read_file(folder, train ? "train-labels" : "t10k-labels", "idx1-ubyte", idx_parse_labels,
                           &label_path, &images->labels, &labels, error);
    if (!status && labels != images->count)
        status = error_set(error, NLM_BAD_FILE, "%.200s: has %d labels for the %d images of %.200s",
                           label_path, labels, images->count, image_path);
    memory_free(image_path);
    memory_free(label_path);
    if (status)
        images_free(images);
    return status;
}
