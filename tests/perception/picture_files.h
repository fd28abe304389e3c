/* Files of one image, put together by hand, for tests.
 *
 * Channel c of pixel (x, y) is picture_sample(x, y, c, depth): some number of `depth` bits. */
#ifndef TESTS_PERCEPTION_PICTURE_FILES_H
#define TESTS_PERCEPTION_PICTURE_FILES_H

#include "test.h"
#include <zlib.h>

#include "perception/picture.h"

enum { PICTURE_ROOM = 1 << 14, SIDE = IMAGES_SIDE };

/* PNG's colour types. */
enum { GREY = 0, COLOURED = 2, PALETTE = 3, GREY_ALPHA = 4, COLOURED_ALPHA = 6 };

struct picture_file {
    size_t size;
    uint8_t bytes[PICTURE_ROOM];
};

static inline void picture_put(struct picture_file *file, const void *bytes, size_t size)
{
    assert_true(size <= PICTURE_ROOM - file->size);
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
}

static inline void picture_put_text(struct picture_file *file, const char *text)
{
    picture_put(file, text, strlen(text));
}

static inline void picture_put_number(struct picture_file *file, uint32_t number, int bytes)
{
    for (int shift = 8 * bytes - 8; shift >= 0; shift -= 8)
        picture_put(file, &(uint8_t){(uint8_t)(number >> shift)}, 1);
}

static inline unsigned picture_sample(int x, int y, int c, int depth)
{
    const uint32_t mixed = (uint32_t)(1 + x + SIDE * y + SIDE * SIDE * c) * 2654435761u;
    return mixed >> (32 - depth);
}

/* ---- PGM ---- */

/* The header as it is given; values are samples modulo largest + 1. */
static inline struct picture_file picture_pgm(const char *header, bool text, unsigned largest)
{
    struct picture_file file = {0};
    picture_put_text(&file, header);
    for (int i = 0; i < SIDE * SIDE; i++) {
        const unsigned value = picture_sample(i % SIDE, i / SIDE, 0, 16) % (largest + 1);
        char digits[16];
        snprintf(digits, sizeof digits, "%u%s", value, i % 10 == 9 ? " # ten\n" : "\n");
        if (text)
            picture_put_text(&file, digits);
        else
            picture_put_number(&file, value, largest > 255 ? 2 : 1);
    }
    return file;
}

/* ---- PNG ---- */

struct picture_kind {
    int colour, depth;
    bool interlaced;
    bool transparent; /* one of the greys or colours, or some of a palette */
};

static inline int picture_channels(int colour)
{
    return colour == COLOURED ? 3 : colour == GREY_ALPHA ? 2 : colour == COLOURED_ALPHA ? 4 : 1;
}

static inline void picture_put_chunk(struct picture_file *file, const char *name, const void *content,
                                     size_t size)
{
    picture_put_number(file, (uint32_t)size, 4);
    const size_t begin = file->size;
    picture_put_text(file, name);
    picture_put(file, content, size);
    picture_put_number(file, (uint32_t)crc32(0, file->bytes + begin, (unsigned)(file->size - begin)), 4);
}

/* Pixels x, x + dx, ... of row y, without a filter. */
static inline void picture_put_row(struct picture_file *rows, struct picture_kind kind, int y, int x, int dx)
{
    unsigned bits = 0, waiting = 0;
    picture_put_number(rows, 0, 1);
    for (; x < SIDE; x += dx)
        for (int c = 0; c < picture_channels(kind.colour); c++) {
            bits = bits << kind.depth | picture_sample(x, y, c, kind.depth);
            waiting += (unsigned)kind.depth;
            if (waiting >= 8) {
                picture_put_number(rows, bits, (int)waiting / 8);
                waiting = 0;
            }
        }
    if (waiting > 0)
        picture_put_number(rows, bits << (8 - waiting), 1);
}

static inline struct picture_file picture_rows(struct picture_kind kind)
{
    static const int passes[7][4] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                     {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}; /* x, y, dx, dy */
    struct picture_file rows = {0};
    for (int y = 0; y < SIDE && !kind.interlaced; y++)
        picture_put_row(&rows, kind, y, 0, 1);
    for (int pass = 0; pass < 7 && kind.interlaced; pass++)
        for (int y = passes[pass][1]; y < SIDE; y += passes[pass][3])
            picture_put_row(&rows, kind, y, passes[pass][0], passes[pass][2]);
    return rows;
}

static inline void picture_put_size(struct picture_file *file, struct picture_kind kind, uint32_t width,
                                    uint32_t height)
{
    struct picture_file header = {0};
    picture_put(file, "\x89PNG\r\n\x1a\n", 8);
    picture_put_number(&header, width, 4);
    picture_put_number(&header, height, 4);
    picture_put(&header, (uint8_t[]){(uint8_t)kind.depth, (uint8_t)kind.colour, 0, 0, kind.interlaced}, 5);
    picture_put_chunk(file, "IHDR", header.bytes, header.size);
}

/* Of entry i, colour c is sample (i, 28, c), and alpha is sample (i, 29, 0). */
static inline void picture_put_palette(struct picture_file *file, struct picture_kind kind)
{
    struct picture_file colours = {0}, alphas = {0};
    for (int i = 0; i < 1 << kind.depth && kind.colour == PALETTE; i++) {
        for (int c = 0; c < 3; c++)
            picture_put_number(&colours, picture_sample(i, SIDE, c, 8), 1);
        picture_put_number(&alphas, picture_sample(i, SIDE + 1, 0, 8), 1);
    }
    for (int c = 0; c < picture_channels(kind.colour) && kind.colour != PALETTE; c++)
        picture_put_number(&alphas, picture_sample(3, 5, c, kind.depth), 2); /* that of a pixel */
    if (kind.colour == PALETTE)
        picture_put_chunk(file, "PLTE", colours.bytes, colours.size);
    if (kind.transparent)
        picture_put_chunk(file, "tRNS", alphas.bytes, alphas.size);
}

static inline struct picture_file picture_png_of(struct picture_kind kind, uint32_t width, uint32_t height)
{
    struct picture_file file = {0};
    const struct picture_file rows = picture_rows(kind);
    uint8_t packed[PICTURE_ROOM];
    uLongf size = sizeof packed;
    picture_put_size(&file, kind, width, height);
    picture_put_palette(&file, kind);
    assert_int_equal(compress(packed, &size, rows.bytes, rows.size), Z_OK);
    picture_put_chunk(&file, "IDAT", packed, size);
    picture_put_chunk(&file, "IEND", "", 0);
    return file;
}

static inline struct picture_file picture_png(struct picture_kind kind)
{
    return picture_png_of(kind, SIDE, SIDE);
}

#endif
