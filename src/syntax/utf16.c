/* UTF-16 to UTF-8: two bytes a unit, in the order that the mark tells; two units above U+FFFF. */
#include "syntax/utf16.h"

#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"
#include "base/text.h"
#include "syntax/reading_message.h"

struct units {
    const unsigned char *bytes;
    size_t count; /* without the mark */
    bool big;     /* the more significant byte comes first */
};

static uint32_t unit_at(const struct units *in, size_t number)
{
    const unsigned char *at = in->bytes + 2 + 2 * number;
    return in->big ? (uint32_t)(at[0] << 8 | at[1]) : (uint32_t)(at[1] << 8 | at[0]);
}

/* The character at a unit, after which `*number` is; 0 for half of one. */
static uint32_t character_at(const struct units *in, size_t *number)
{
    const uint32_t first = unit_at(in, (*number)++);
    if (first < 0xD800 || first > 0xDFFF)
        return first;
    if (first > 0xDBFF || *number == in->count)
        return 0;
    const uint32_t second = unit_at(in, (*number)++);
    return second < 0xDC00 || second > 0xDFFF ? 0 : 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
}

nlm_status utf16_decode(buffer *content, size_t *size, const char *file, nlm_error *error)
{
    const unsigned char *bytes = content->data;
    if (*size < 2 || (bytes[0] ^ bytes[1]) != 1 || bytes[0] < 0xFE || bytes[1] < 0xFE)
        return NLM_OK;
    const struct units in = {.bytes = bytes, .count = *size / 2 - 1, .big = bytes[0] == 0xFE};
    buffer decoded = {0};
    size_t length = 0, line = 1;
    if (*size % 2 > 0)
        return message_refuse(error, file, 0, "a text in UTF-16 of an odd number of bytes: it was cut");
    if (buffer_reserve(&decoded, 3 * in.count + 1, 1, false)) /* at most 3 bytes a unit */
        return error_no_memory(error);
    for (size_t number = 0; number < in.count;) {
        const uint32_t c = character_at(&in, &number);
        if (c == 0) {
            buffer_free(&decoded);
            return message_refuse(error, file, line,
                                  "a zero or half of a character in UTF-16: save the file as UTF-8");
        }
        line += c == '\n';
        length += utf8_encode(c, (char *)decoded.data + length);
    }
    buffer_free(content);
    *content = decoded;
    *size = length;
    return NLM_OK;
}
