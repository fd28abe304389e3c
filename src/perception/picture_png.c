/* PNG, by libpng.
 *
 * libpng reports errors by longjmp: `decode` is where it lands, and has no variables that this could harm.
 * All that it needs is in a struct of its caller, which frees libpng's memory whatever happened.  libpng
 * expands each pixel to 16 bits per channel, with alpha where the file has transparency; the rest is done
 * here. */
#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "perception/picture.h"

enum {
    MOST_CHANNELS = 4,
    CHANNEL_BYTES = 2,
    ROW_BYTES = IMAGES_SIDE * MOST_CHANNELS * CHANNEL_BYTES,
    MOST_CHUNK = 1 << 16, /* bytes of memory for one */
    MESSAGE_SIZE = 128
};

struct decoder {
    const uint8_t *at;
    size_t left;
    png_structp png;
    png_infop info;
    uint32_t width, height;
    int channels; /* 0 until the pixels are there */
    bool cut, no_memory;
    char message[MESSAGE_SIZE]; /* libpng's */
    uint8_t rows[IMAGES_SIDE][ROW_BYTES];
};

/* ---- what libpng calls ---- */

static png_voidp allocate(png_structp png, png_alloc_size_t size)
{
    struct decoder *in = png_get_mem_ptr(png);
    void *block = memory_new(size, 1);
    in->no_memory |= block == NULL;
    return block;
}

static void release(png_structp png, png_voidp block)
{
    (void)png;
    memory_free(block);
}

static void take(png_structp png, png_bytep to, size_t want)
{
    struct decoder *in = png_get_io_ptr(png);
    if (want > in->left) {
        in->cut = true;
        png_error(png, "cut off");
    }
    memcpy(to, in->at, want);
    in->at += want;
    in->left -= want;
}

static void fail(png_structp png, png_const_charp message)
{
    struct decoder *in = png_get_error_ptr(png);
    snprintf(in->message, sizeof in->message, "%s", message);
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/* ---- decoding ---- */

/* Limits, and no chunks but those that say something about pixels. */
static void prepare(struct decoder *in)
{
    png_set_read_fn(in->png, in, take);
    png_set_user_limits(in->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); /* the size is checked here */
    png_set_chunk_malloc_max(in->png, MOST_CHUNK);
    png_set_keep_unknown_chunks(in->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
}

static void read_rows(struct decoder *in)
{
    const int passes = png_set_interlace_handling(in->png);
    png_set_expand_16(in->png);
    png_read_update_info(in->png, in->info);
    const size_t row_bytes = png_get_rowbytes(in->png, in->info);
    const int channels = png_get_channels(in->png, in->info);
    if (channels < 1 || channels > MOST_CHANNELS ||
        row_bytes != (size_t)(IMAGES_SIDE * CHANNEL_BYTES * channels))
        png_error(in->png, "pixels of an unknown kind");
    for (int pass = 0; pass < passes; pass++)
        for (int y = 0; y < IMAGES_SIDE; y++)
            png_read_row(in->png, in->rows[y], NULL);
    png_read_end(in->png, NULL);
    in->channels = channels;
}

/* Without pixels if the size is another. */
static void decode(struct decoder *in)
{
    if (setjmp(png_jmpbuf(in->png)))
        return;
    in->info = png_create_info_struct(in->png);
    if (!in->info)
        return;
    prepare(in);
    png_read_info(in->png, in->info);
    in->width = png_get_image_width(in->png, in->info);
    in->height = png_get_image_height(in->png, in->info);
    if (in->width == IMAGES_SIDE && in->height == IMAGES_SIDE)
        read_rows(in);
}

/* ---- pixels ---- */

static unsigned channel(const uint8_t *pixel, int number)
{
    return (unsigned)pixel[CHANNEL_BYTES * number] << 8 | pixel[CHANNEL_BYTES * number + 1];
}

static float grey(const uint8_t *pixel, int channels)
{
    const bool coloured = channels > 2, transparent = channels % 2 == 0;
    double light = channel(pixel, 0);
    if (coloured)
        light = (299 * channel(pixel, 0) + 587 * channel(pixel, 1) + 114 * channel(pixel, 2)) / 1000.0;
    if (transparent)
        light *= channel(pixel, channels - 1) / (double)UINT16_MAX;
    return (float)(light / UINT16_MAX);
}

static nlm_status finish(const struct decoder *in, const char *name, float *pixels, nlm_error *error)
{
    if (in->no_memory)
        return error_no_memory(error);
    if (in->cut)
        return picture_cut_off(name, error);
    nlm_status status = in->width > 0 ? picture_check_size(name, in->width, in->height, error) : NLM_OK;
    if (!status && in->channels == 0)
        status = error_set(error, NLM_BAD_FILE, "%.300s: broken PNG: %s", name, in->message);
    if (status)
        return status;
    for (int i = 0; i < IMAGES_PIXELS; i++)
        pixels[i] =
            grey(in->rows[i / IMAGES_SIDE] + i % IMAGES_SIDE * in->channels * CHANNEL_BYTES, in->channels);
    return NLM_OK;
}

nlm_status picture_parse_png(const uint8_t *bytes, size_t size, const char *name, float *pixels,
                             nlm_error *error)
{
    struct decoder in = {.at = bytes, .left = size};
    in.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &in, fail, ignore, &in, allocate, release);
    if (!in.png)
        return error_no_memory(error);
    decode(&in);
    png_destroy_read_struct(&in.png, &in.info, NULL);
    return finish(&in, name, pixels, error);
}
