/* safetensors files: named tensors and a few texts.
 *
 *     8 bytes   length of the header, little-endian
 *     header    JSON: {"__metadata__": {key: text},
 *                      name: {"dtype": ..., "shape": [...], "data_offsets": [begin, end]}, ...}
 *     data      the tensors' values, little-endian; the offsets count from here
 *
 * A file that was accepted keeps these promises: names are unique, every tensor's bytes lie inside the file,
 * are as many as its shape needs and begin at a multiple of its type's size, and the tensors cover the data
 * without overlap and without holes; the checksum, if there is one, is that of the content. */
#ifndef MACHINE_SAFETENSORS_H
#define MACHINE_SAFETENSORS_H

#include <stddef.h>
#include <stdint.h>
#include "nlm/status.h"

#define SAFETENSORS_MAX_DIMENSIONS 8
#define SAFETENSORS_MAX_HEADER 100000000       /* bytes, as in the format's own reader */
#define SAFETENSORS_MAX_FILE ((size_t)1 << 31) /* bytes, read or written */

/* The types that are understood; models have F32 only, tools may look at the others. */
typedef enum safetensors_type {
    SAFETENSORS_F32,
    SAFETENSORS_F64,
    SAFETENSORS_I64,
    SAFETENSORS_I32,
    SAFETENSORS_U8
} safetensors_type;

/* A tensor of an accepted file. */
typedef struct safetensors_tensor {
    const char *name;
    safetensors_type type;
    int dimensions; /* 0 for a single number */
    int64_t shape[SAFETENSORS_MAX_DIMENSIONS];
    size_t count;     /* values */
    const void *data; /* may be unaligned: memcpy from it */
} safetensors_tensor;

typedef struct safetensors safetensors;

/* ---- reading ---- */

nlm_status safetensors_read(const char *path, safetensors **file, nlm_error *error);
/* The same from memory, which must outlive the file; `name` stands for it in messages. */
nlm_status safetensors_parse(const void *bytes, size_t size, const char *name, safetensors **file,
                             nlm_error *error);
void safetensors_free(safetensors *file);

/* Tensors in the order of the header; results live as long as the file. */
int safetensors_count(const safetensors *file);
const safetensors_tensor *safetensors_at(const safetensors *file, int index);
/* NULL if there is none of that name. */
const safetensors_tensor *safetensors_find(const safetensors *file, const char *name);
/* tensor->count floats; NLM_BAD_FILE when the tensor is of another type. */
nlm_status safetensors_floats(const safetensors *file, const safetensors_tensor *tensor, float *values,
                              nlm_error *error);

/* "F32" */
const char *safetensors_type_name(safetensors_type type);
/* Bytes per value. */
size_t safetensors_type_size(safetensors_type type);

/* A metadata text by its key; NULL if there is none. */
const char *safetensors_metadata(const safetensors *file, const char *key);
/* All of them: key 0, text 0, key 1, text 1, ..., as safetensors_write takes them. */
const char *const *safetensors_metadata_pairs(const safetensors *file, int *pairs);

/* ---- writing ---- */

/* A tensor to be written; the values stay the caller's. */
typedef struct safetensors_entry {
    const char *name;
    int dimensions;
    int64_t shape[SAFETENSORS_MAX_DIMENSIONS];
    const float *values;
} safetensors_entry;

/* Write F32 tensors and metadata, both in the order given, and their checksum (machine/checksum.h); the file
 * appears whole or not at all.  What the reader would refuse (a name twice, too many dimensions, too many
 * bytes) is NLM_BAD_ARGUMENT. */
nlm_status safetensors_write(const char *path, const safetensors_entry *entries, int count,
                             const char *const *metadata_pairs, int pairs, nlm_error *error);

#endif
