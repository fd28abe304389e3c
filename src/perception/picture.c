/* Files of one image: which kind it is, PGM, and writing. */
#include "perception/picture.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"

enum {
    MOST_BYTES = 1 << 20,   /* of a file: 6 KB are enough without comments */
    MOST_NUMBER = 99999999, /* in a header */
    MOST_VALUE = 65535
};

nlm_status picture_check_size(const char *name, uint32_t width, uint32_t height, nlm_error *error)
{
    if (width == IMAGES_SIDE && height == IMAGES_SIDE)
        return NLM_OK;
    return error_set(error, NLM_BAD_FILE, "%.300s: is %u x %u pixels, not %d x %d", name, width, height,
                     IMAGES_SIDE, IMAGES_SIDE);
}

nlm_status picture_cut_off(const char *name, nlm_error *error)
{
    return error_set(error, NLM_BAD_FILE, "%.300s: cut off", name);
}

/* ---- PGM ---- */

struct pgm {
    const char *name;
    const uint8_t *at, *end;
    nlm_error *error;
};

static nlm_status broken(const struct pgm *in, const char *what)
{
    return error_set(in->error, NLM_BAD_FILE, "%.300s: broken PGM: %s", in->name, what);
}

static bool is_space(uint8_t byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static bool is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

/* Spaces and comments. */
static void skip_space(struct pgm *in)
{
    bool comment = false;
    for (; in->at < in->end && (comment || is_space(*in->at) || *in->at == '#'); in->at++)
        comment = (comment || *in->at == '#') && *in->at != '\n' && *in->at != '\r';
}

static nlm_status take_number(struct pgm *in, uint32_t *number)
{
    skip_space(in);
    if (in->at == in->end)
        return picture_cut_off(in->name, in->error);
    if (!is_digit(*in->at))
        return broken(in, "a number is missing");
    for (*number = 0; in->at < in->end && is_digit(*in->at); in->at++) {
        *number = 10 * *number + (uint32_t)(*in->at - '0');
        if (*number > MOST_NUMBER)
            return broken(in, "a number is too large");
    }
    return NLM_OK;
}

/* Width, height and largest value; what is left are the pixels. */
static nlm_status take_header(struct pgm *in, uint32_t *largest)
{
    uint32_t width = 0, height = 0;
    nlm_status status = take_number(in, &width);
    if (!status)
        status = take_number(in, &height);
    if (!status && in->at == in->end)
        status = picture_cut_off(in->name, in->error); /* perhaps inside the number */
    if (!status)
        status = picture_check_size(in->name, width, height, in->error);
    if (!status)
        status = take_number(in, largest);
    if (!status && (*largest < 1 || *largest > MOST_VALUE))
        status = broken(in, "the largest value is not in 1 to 65535");
    return status;
}

/* One space, or a comment, ends the header of P5. */
static nlm_status end_header(struct pgm *in)
{
    if (in->at < in->end && *in->at == '#')
        while (in->at < in->end && *in->at != '\n' && *in->at != '\r')
            in->at++;
    if (in->at == in->end)
        return picture_cut_off(in->name, in->error);
    return is_space(*in->at++) ? NLM_OK : broken(in, "no space after the largest value");
}

static nlm_status take_value(struct pgm *in, bool text, uint32_t largest, uint32_t *value)
{
    const int bytes = largest > UINT8_MAX ? 2 : 1;
    if (text) {
        nlm_status status = take_number(in, value);
        if (status)
            return status;
    } else if (in->end - in->at < bytes) {
        return picture_cut_off(in->name, in->error);
    } else {
        *value = bytes == 2 ? (uint32_t)in->at[0] << 8 | in->at[1] : in->at[0];
        in->at += bytes;
    }
    return *value <= largest ? NLM_OK : broken(in, "a pixel is above the largest value");
}

static nlm_status parse_pgm(struct pgm *in, bool text, float *pixels)
{
    uint32_t largest = 0;
    nlm_status status = take_header(in, &largest);
    if (!status && !text)
        status = end_header(in);
    for (int i = 0; i < IMAGES_PIXELS && !status; i++) {
        uint32_t value = 0;
        status = take_value(in, text, largest, &value);
        pixels[i] = (float)((double)value / largest);
    }
    if (!status && text)
        skip_space(in);
    if (!status && in->at != in->end)
        status = error_set(in->error, NLM_BAD_FILE, "%.300s: has more data than its header says", in->name);
    return status;
}

/* ---- any ---- */

static const uint8_t png_begin[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};

nlm_status picture_parse(const void *bytes, size_t size, const char *name, float *pixels, nlm_error *error)
{
    const uint8_t *begin = bytes;
    const size_t compared = size < sizeof png_begin ? size : sizeof png_begin;
    if (size > 0 && !memcmp(begin, png_begin, compared))
        return picture_parse_png(begin, size, name, pixels, error);
    if (size < 2 || begin[0] != 'P' || (begin[1] != '5' && begin[1] != '2'))
        return error_set(error, NLM_BAD_FILE, "%.300s: is neither PGM (P5, P2) nor PNG", name);
    struct pgm in = {.name = name, .at = begin + 2, .end = begin + size, .error = error};
    return parse_pgm(&in, begin[1] == '2', pixels);
}

nlm_status picture_read(const char *path, float *pixels, nlm_error *error)
{
    buffer content = {0};
    size_t size = 0;
    nlm_status status = file_read_all(path, MOST_BYTES, &content, &size, error);
    if (!status)
        status = picture_parse(content.data, size, path, pixels, error);
    buffer_free(&content);
    return status;
}

nlm_status picture_write(file_writer *writer, const char *path, const float *pixels, nlm_error *error)
{
    char header[32];
    uint8_t bytes[IMAGES_PIXELS];
    const int length = snprintf(header, sizeof header, "P5\n%d %d\n255\n", IMAGES_SIDE, IMAGES_SIDE);
    for (int i = 0; i < IMAGES_PIXELS; i++) {
        if (!(pixels[i] >= 0 && pixels[i] <= 1))
            return error_set(error, NLM_BAD_ARGUMENT, "%.300s: pixel %d is %g, not in 0 to 1", path, i,
                             (double)pixels[i]);
        bytes[i] = (uint8_t)lroundf(255.0f * pixels[i]);
    }
    nlm_status status = file_writer_open(writer, path, error);
    if (!status)
        status = file_writer_write(writer, header, (size_t)length, error);
    if (!status)
        status = file_writer_write(writer, bytes, sizeof bytes, error);
    return status ? status : file_writer_close(writer, error);
}
