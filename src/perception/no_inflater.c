/* In a build without zlib gzipped bytes are refused: there never is an inflater. */
#include "base/error.h"
#include "perception/inflater.h"

nlm_status inflater_open(const void *bytes, size_t size, const char *name, inflater **made, nlm_error *error)
{
    (void)bytes;
    (void)size;
    *made = NULL;
    return error_set(error, NLM_BAD_FILE,
                     "%.300s: is gzipped, and this build of nlm has no zlib; unpack it with gunzip", name);
}

void inflater_close(inflater *in)
{
    (void)in;
}

nlm_status inflater_take(inflater *in, void *to, size_t want, size_t *got, nlm_error *error)
{
    (void)in;
    (void)to;
    (void)want;
    *got = 0;
    return error_set(error, NLM_BAD_ARGUMENT, "there is no inflater");
}

size_t inflater_left(const inflater *in)
{
    (void)in;
    return 0;
}

bool inflater_ended(const inflater *in)
{
    (void)in;
    return true;
}
