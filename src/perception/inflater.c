/* Gzipped bytes, inflated by zlib. */
#include "perception/inflater.h"

#include <stdint.h>
#include <zlib.h>
#include "base/error.h"
#include "base/memory.h"

enum { GZIP_WINDOW = 15 + 16 }; /* for inflateInit2: the largest window, gzip and nothing else */

struct inflater {
    const char *name;
    bool ended;
    z_stream stream;
};

static void *allocate(void *context, unsigned count, unsigned size)
{
    (void)context;
    return memory_new(count, size);
}

static void release(void *context, void *block)
{
    (void)context;
    memory_free(block);
}

nlm_status inflater_open(const void *bytes, size_t size, const char *name, inflater **made, nlm_error *error)
{
    *made = memory_new(1, sizeof **made);
    if (!*made)
        return error_no_memory(error);
    (*made)->name = name;
    (*made)->stream = (z_stream){
        .zalloc = allocate, .zfree = release, .next_in = (uint8_t *)bytes, .avail_in = (unsigned)size};
    if (inflateInit2(&(*made)->stream, GZIP_WINDOW) == Z_OK)
        return NLM_OK;
    memory_free(*made);
    *made = NULL;
    return error_no_memory(error);
}

void inflater_close(inflater *in)
{
    if (!in)
        return;
    inflateEnd(&in->stream);
    memory_free(in);
}

nlm_status inflater_take(inflater *in, void *to, size_t want, size_t *got, nlm_error *error)
{
    in->stream.next_out = to;
    in->stream.avail_out = (unsigned)want;
    int result = inflate(&in->stream, Z_SYNC_FLUSH);
    *got = want - in->stream.avail_out;
    in->ended = result == Z_STREAM_END;
    if (result == Z_MEM_ERROR)
        return error_no_memory(error);
    if (result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR)
        return NLM_OK;
    return error_set(error, NLM_BAD_FILE, "%.300s: broken gzip: %s", in->name,
                     in->stream.msg ? in->stream.msg : "it cannot be inflated");
}

size_t inflater_left(const inflater *in)
{
    return in->stream.avail_in;
}

bool inflater_ended(const inflater *in)
{
    return in->ended;
}
