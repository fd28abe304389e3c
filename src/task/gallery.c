/* Galleries: images from files or drawn, files of one image, and a picture for every object of a world. */
#include "task/gallery.h"

#include "base/error.h"
#include "base/memory.h"
#include "perception/digits.h"
#include "perception/idx.h"
#include "perception/picture.h"

enum { DRAWN_SEED = 1 };
#define DRAWN_TESTS ((uint64_t)1 << 62) /* drawn images to test with have numbers from here on */

struct nlm_gallery {
    struct images images[2]; /* to learn from, to test with */
};

/* ---- life ---- */

static nlm_status begin(nlm_gallery **gallery, nlm_error *error)
{
    *gallery = memory_new(1, sizeof **gallery);
    return *gallery ? NLM_OK : error_no_memory(error);
}

static nlm_status keep_if(nlm_status status, nlm_gallery **gallery)
{
    if (status) {
        nlm_gallery_free(*gallery);
        *gallery = NULL;
    }
    return status;
}

nlm_status nlm_gallery_read(const char *folder, nlm_gallery **gallery, nlm_error *error)
{
    REQUIRE(folder && gallery, error);
    nlm_status status = begin(gallery, error);
    if (!status)
        status = idx_read(folder, IDX_TRAIN, &(*gallery)->images[0], error);
    if (!status)
        status = idx_read(folder, IDX_TEST, &(*gallery)->images[1], error);
    return keep_if(status, gallery);
}

nlm_status nlm_gallery_draw(int train, int test, nlm_gallery **gallery, nlm_error *error)
{
    REQUIRE(gallery, error);
    *gallery = NULL;
    if (train < 1 || test < 1 || train > IDX_MOST || test > IDX_MOST)
        return error_set(error, NLM_BAD_ARGUMENT, "a gallery has 1 to %d images of each kind, not %d and %d",
                         IDX_MOST, train, test);
    nlm_status status = begin(gallery, error);
    if (!status)
        status = digits_make(DRAWN_SEED, 0, train, &(*gallery)->images[0], error);
    if (!status)
        status = digits_make(DRAWN_SEED, DRAWN_TESTS, test, &(*gallery)->images[1], error);
    return keep_if(status, gallery);
}

void nlm_gallery_free(nlm_gallery *gallery)
{
    if (!gallery)
        return;
    images_free(&gallery->images[0]);
    images_free(&gallery->images[1]);
    memory_free(gallery);
}

/* ---- images ---- */

int nlm_gallery_images(const nlm_gallery *gallery, bool test)
{
    return gallery->images[test].count;
}

int nlm_gallery_image(const nlm_gallery *gallery, bool test, int number, float *pixels)
{
    const struct images *images = &gallery->images[test];
    if (number < 0 || number >= images->count)
        return -1;
    images_floats(images, number, pixels);
    return images->labels[number];
}

uint64_t nlm_gallery_digest(const nlm_gallery *gallery)
{
    uint64_t digest = 0xCBF29CE484222325u; /* FNV-1a */
    for (int test = 0; test < 2; test++) {
        const struct images *images = &gallery->images[test];
        for (size_t i = 0; i < (size_t)images->count * IMAGES_PIXELS; i++)
            digest = (digest ^ images->pixels[i]) * 0x100000001B3u;
        for (int i = 0; i < images->count; i++)
            digest = (digest ^ images->labels[i]) * 0x100000001B3u;
    }
    return digest | 1; /* 0 stands for no gallery */
}

/* ---- files ---- */

nlm_status nlm_image_read(const char *path, float pixels[NLM_IMAGE_PIXELS], nlm_error *error)
{
    REQUIRE(path && pixels, error);
    return picture_read(path, pixels, error);
}

nlm_status nlm_image_write(const char *path, const float pixels[NLM_IMAGE_PIXELS], nlm_error *error)
{
    REQUIRE(path && pixels, error);
    file_writer writer;
    nlm_status status = picture_write(&writer, path, pixels, error);
    return status ? status : file_writer_commit(&writer, error);
}

/* ---- worlds ---- */

/* What is moved out is lost; what comes in is paper. */
static void move_pixels(const float *from, int right, int down, float *to)
{
    for (int y = 0; y < IMAGES_SIDE; y++)
        for (int x = 0; x < IMAGES_SIDE; x++) {
            const int at_x = x - right, at_y = y - down;
            const bool inside = at_x >= 0 && at_x < IMAGES_SIDE && at_y >= 0 && at_y < IMAGES_SIDE;
            to[y * IMAGES_SIDE + x] = inside ? from[at_y * IMAGES_SIDE + at_x] : 0;
        }
}

/* An image for an object, and its digit. */
static int draw_image(const struct showing *showing, random_stream *random, float *pixels)
{
    const nlm_gallery *gallery = showing->gallery;
    if (gallery) {
        const uint32_t images = (uint32_t)nlm_gallery_images(gallery, showing->test);
        return nlm_gallery_image(gallery, showing->test, (int)random_below(random, images), pixels);
    }
    uint8_t bytes[IMAGES_PIXELS], label = digits_draw(DRAWN_SEED, random_u64(random), bytes);
    images_floats(&(struct images){.count = 1, .pixels = bytes, .labels = &label}, 0, pixels);
    return label;
}

nlm_status gallery_show(const struct showing *showing, random_stream *random, nlm_world *world, int zero,
                        nlm_error *error)
{
    const int objects = nlm_world_objects(world);
    nlm_status status = NLM_OK;
    for (int object = 0; object < objects && !status; object++) {
        float pixels[IMAGES_PIXELS], moved[IMAGES_PIXELS];
        const int digit = draw_image(showing, random, pixels);
        const bool moves = showing->shift > 0 && !showing->test;
        if (moves) {
            const uint32_t offsets = 2 * (uint32_t)showing->shift + 1; /* -shift to shift */
            const int right = (int)random_below(random, offsets) - showing->shift;
            move_pixels(pixels, right, (int)random_below(random, offsets) - showing->shift, moved);
        }
        status = nlm_world_set_percept(world, object, moves ? moved : pixels, IMAGES_PIXELS, error);
        if (!status && digit == 0)
            status = nlm_world_add_fact(world, zero, &object, 1, error);
    }
    return status;
}
