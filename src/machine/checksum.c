/* Checksums of model files and checkpoints: CRC-32C by table, one byte at a time.
 *
 * The table is made for each file.  It takes 2,000 steps, next to nothing beside the file, and so there is no
 * global state to be set up or guarded. */
#include "machine/checksum.h"

#include <stdio.h>
#include <string.h>

/* Before the digits, so that another kind of checksum can be told apart. */
#define KIND "crc32c:"
#define POLYNOMIAL 0x82F63B78u /* of CRC-32C, bits reversed */

/* table[b] is the remainder of byte b: eight steps of the shift register. */
void checksum_start(checksum *in)
{
    in->sum = 0;
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
        in->table[byte] = crc;
    }
}

/* The register begins and ends complemented, as the standard has it, so that leading zeros count.
 * Complemented twice in between, it goes on where it was left. */
uint32_t checksum_crc(const checksum *in, uint32_t crc, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    crc = ~crc;
    for (size_t i = 0; i < count; i++)
        crc = in->table[(crc ^ at[i]) & 0xFF] ^ crc >> 8;
    return ~crc;
}

/* With its final 0, so that "ab", "c" and "a", "bc" differ. */
static uint32_t add_text(const checksum *in, uint32_t crc, const char *text)
{
    return checksum_crc(in, crc, text, strlen(text) + 1);
}

void checksum_add_pair(checksum *in, const char *key, const char *text)
{
    if (strcmp(key, CHECKSUM_KEY))
        in->sum += add_text(in, add_text(in, 0, key), text);
}

/* Name, type and shape are part of it: a header that was changed is found as surely as a weight. */
void checksum_add_tensor(checksum *in, const char *name, const char *type, int dimensions,
                         const int64_t *shape, const void *data, size_t bytes)
{
    const int64_t count = dimensions;
    uint32_t crc = add_text(in, add_text(in, 0, name), type);
    crc = checksum_crc(in, crc, &count, sizeof count);
    crc = checksum_crc(in, crc, shape, (size_t)dimensions * sizeof *shape);
    in->sum += checksum_crc(in, crc, data, bytes);
}

const char *checksum_text(const checksum *in, char text[CHECKSUM_TEXT])
{
    snprintf(text, CHECKSUM_TEXT, KIND "%08x", (unsigned)in->sum);
    return text;
}

/* A checksum of a kind that this version does not know is no reason to refuse a file. */
bool checksum_fits(const safetensors *file, char text[CHECKSUM_TEXT])
{
    int pairs;
    const char *const *pair = safetensors_metadata_pairs(file, &pairs);
    const char *written = safetensors_metadata(file, CHECKSUM_KEY);
    if (!written || strlen(written) != CHECKSUM_TEXT - 1 || strncmp(written, KIND, strlen(KIND)))
        return true;
    checksum found;
    checksum_start(&found);
    for (int i = 0; i < pairs; i++)
        checksum_add_pair(&found, pair[2 * i], pair[2 * i + 1]);
    for (int i = 0; i < safetensors_count(file); i++) {
        const safetensors_tensor *tensor = safetensors_at(file, i);
        checksum_add_tensor(&found, tensor->name, safetensors_type_name(tensor->type), tensor->dimensions,
                            tensor->shape, tensor->data, tensor->count * safetensors_type_size(tensor->type));
    }
    return !strcmp(written, checksum_text(&found, text));
}
