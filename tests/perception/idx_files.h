/* IDX files in memory, whole and gzipped, for tests. */
#ifndef TESTS_PERCEPTION_IDX_FILES_H
#define TESTS_PERCEPTION_IDX_FILES_H

#include "test.h"
#include <zlib.h>

#include "perception/idx.h"

enum { IDX_ROOM = 1 << 14 };

struct idx_file {
    size_t size;
    uint8_t bytes[IDX_ROOM];
};

static inline void idx_put_word(struct idx_file *file, uint32_t word)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        file->bytes[file->size++] = (uint8_t)(word >> shift);
}

/* Pixel k of image i is i + k, modulo 256. */
static inline struct idx_file idx_images(uint32_t count)
{
    struct idx_file file = {0};
    idx_put_word(&file, 0x803);
    idx_put_word(&file, count);
    idx_put_word(&file, IMAGES_SIDE);
    idx_put_word(&file, IMAGES_SIDE);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < IMAGES_PIXELS; k++)
            file.bytes[file.size++] = (uint8_t)(i + k);
    return file;
}

/* Label i is i modulo 10. */
static inline struct idx_file idx_labels(uint32_t count)
{
    struct idx_file file = {0};
    idx_put_word(&file, 0x801);
    idx_put_word(&file, count);
    for (uint32_t i = 0; i < count; i++)
        file.bytes[file.size++] = (uint8_t)(i % 10);
    return file;
}

static inline struct idx_file idx_gzip(struct idx_file plain)
{
    struct idx_file file = {0};
    z_stream stream = {.next_in = plain.bytes,
                       .avail_in = (unsigned)plain.size,
                       .next_out = file.bytes,
                       .avail_out = IDX_ROOM};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    file.size = stream.total_out;
    deflateEnd(&stream);
    return file;
}

static inline void idx_write(const char *folder, const char *name, struct idx_file file)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(file.bytes, 1, file.size, stream), file.size);
    assert_int_equal(fclose(stream), 0);
}

#endif
