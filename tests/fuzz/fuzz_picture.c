/* Any bytes as a file of one image: refused with a message of one line, or pixels in [0, 1].  The check sums
 * of PNG would hide most of its reader from a fuzzer, so a copy in which they are right is read too. */
#include <zlib.h>

#include "fuzz.h"
#include "perception/picture.h"

static void check(const uint8_t *data, size_t size)
{
    float pixels[IMAGES_PIXELS];
    nlm_error error = {0};
    if (picture_parse(data, size, "fuzz", pixels, &error)) {
        check_refusal(&error, "fuzz: ");
        for (const char *c = error.message; *c; c++)
            require((unsigned char)*c < 0x7F); /* ASCII alone */
        return;
    }
    for (int i = 0; i < IMAGES_PIXELS; i++)
        require(pixels[i] >= 0 && pixels[i] <= 1);
}

enum { PNG_BEGIN = 8, WORD = 4 };

/* Chunks are their length, name, content and check sum of name and content. */
static void correct_sums(uint8_t *data, size_t size)
{
    for (size_t at = PNG_BEGIN; size - at >= 3 * WORD;) {
        const uint8_t *length = data + at;
        const size_t content =
            (size_t)length[0] << 24 | (size_t)length[1] << 16 | (size_t)length[2] << 8 | length[3];
        if (content > size - at - 3 * WORD)
            return;
        const unsigned long sum = crc32(0, data + at + WORD, (unsigned)(WORD + content));
        at += 2 * WORD + content;
        for (int byte = 0; byte < WORD; byte++)
            data[at++] = (uint8_t)(sum >> (24 - 8 * byte));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check(data, size);
    if (size <= PNG_BEGIN || data[0] == 'P')
        return 0;
    uint8_t *copy = malloc(size);
    require(copy != NULL);
    memcpy(copy, data, size);
    correct_sums(copy, size);
    check(copy, size);
    free(copy);
    return 0;
}
