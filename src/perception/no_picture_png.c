/* In a build without libpng PNG files are refused. */
#include "base/error.h"
#include "perception/picture.h"

nlm_status picture_parse_png(const uint8_t *bytes, size_t size, const char *name, float *pixels,
                             nlm_error *error)
{
    (void)bytes;
    (void)size;
    (void)pixels;
    return error_set(error, NLM_BAD_FILE, "%.300s: is PNG, and this build of nlm has no libpng; make it PGM",
                     name);
}
