/* Memory: checked sizes, aligned blocks, and buffers that grow and are used again.
 *
 * A buffer keeps its block between uses, so a step whose sizes have been seen before allocates nothing. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include "nlm/status.h"

#define MEMORY_ALIGNMENT 64

/* *product = a * b, or false when that overflows. */
bool memory_multiply(size_t a, size_t b, size_t *product);

/* Zeroed block of count * size bytes, aligned to MEMORY_ALIGNMENT; NULL when there is no memory or the size
 * overflows.  Free with memory_free. */
void *memory_new(size_t count, size_t size);
void memory_free(void *block);
char *memory_copy_text(const char *text);

typedef struct buffer {
    void *data;
    size_t capacity; /* bytes */
} buffer;

/* Room for count * size bytes, never NULL.  `keep` preserves the content; otherwise it is undefined.  A grown
 * buffer gets some slack, so that slowly growing sizes soon stop allocating. */
nlm_status buffer_reserve(buffer *buf, size_t count, size_t size, bool keep);
void buffer_free(buffer *buf);

#endif
