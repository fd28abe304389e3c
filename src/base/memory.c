/* Memory: checked sizes, aligned blocks, growing buffers.  All allocation of the library goes through here.
 */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/invariant.h"

bool memory_multiply(size_t a, size_t b, size_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

/* aligned_alloc wants a multiple of the alignment; zero bytes become one line. */
static void *allocate(size_t bytes)
{
    if (bytes > SIZE_MAX / 2)
        return NULL;
    size_t rounded = (bytes + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT;
    return aligned_alloc(MEMORY_ALIGNMENT, rounded ? rounded : MEMORY_ALIGNMENT);
}

void *memory_new(size_t count, size_t size)
{
    size_t bytes;
    if (!memory_multiply(count, size, &bytes))
        return NULL;
    void *block = allocate(bytes);
    if (block)
        memset(block, 0, bytes);
    return block;
}

void memory_free(void *block)
{
    free(block);
}

char *memory_copy_text(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = memory_new(bytes, 1);
    if (copy)
        memcpy(copy, text, bytes);
    return copy;
}

nlm_status buffer_reserve(buffer *buf, size_t count, size_t size, bool keep)
{
    size_t bytes;
    INVARIANT(buf->data || buf->capacity == 0);
    if (!memory_multiply(count, size, &bytes) || bytes > SIZE_MAX / 2)
        return NLM_NO_MEMORY;
    if (buf->data && bytes <= buf->capacity)
        return NLM_OK;
    size_t wanted = bytes + bytes / 4;
    void *grown = allocate(wanted);
    if (!grown)
        return NLM_NO_MEMORY;
    if (keep && buf->capacity)
        memcpy(grown, buf->data, buf->capacity);
    free(buf->data);
    buf->data = grown;
    buf->capacity = wanted;
    return NLM_OK;
}

void buffer_free(buffer *buf)
{
    free(buf->data);
    buf->data = NULL;
    buf->capacity = 0;
}
