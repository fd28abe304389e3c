/* Checksums of model files and checkpoints.
 *
 * The checksum of a file is the sum, modulo 2^32, of the CRC-32C (Castagnoli, as iSCSI has it) of each tensor
 * and of each pair of metadata but the checksum itself.  A sum does not depend on the order in which they are
 * written; each CRC covers a name, so that nothing can change its place.  Any damage inside one tensor or
 * text is found, other damage but for one case in 2^32.
 *
 *     tensor   name, 0, dtype, 0, number of dimensions and each extent (8 bytes each), data
 *     pair     key, 0, text, 0
 *
 * Numbers are little-endian. */
#ifndef MACHINE_CHECKSUM_H
#define MACHINE_CHECKSUM_H

#include <stdbool.h>
#include "machine/safetensors.h"

#define CHECKSUM_KEY "checksum" /* of the metadata that holds it */
#define CHECKSUM_TEXT 16        /* "crc32c:e3069283" */

/* A checksum as it is added up, with the table that it needs. */
typedef struct checksum {
    uint32_t table[256]; /* the CRC of each byte */
    uint32_t sum;
} checksum;

void checksum_start(checksum *in);
void checksum_add_pair(checksum *in, const char *key, const char *text);
void checksum_add_tensor(checksum *in, const char *name, const char *type, int dimensions,
                         const int64_t *shape, const void *data, size_t bytes);
const char *checksum_text(const checksum *in, char text[CHECKSUM_TEXT]);
/* Whether a file is as it was written, as far as can be told: one without a checksum of this kind, from other
 * programs or older versions, is.  The text is that of its content. */
bool checksum_fits(const safetensors *file, char text[CHECKSUM_TEXT]);

/* The CRC of some bytes after others, whose CRC is `crc`: 0 for none. */
uint32_t checksum_crc(const checksum *in, uint32_t crc, const void *bytes, size_t count);

#endif
