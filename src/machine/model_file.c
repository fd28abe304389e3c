/* Model files: their metadata keys, and messages about them. */
#include "machine/model_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "machine/checksum.h"

const char *const model_own_keys[KEYS] = {"format", "depth",    "breadth", "inputs",    "width",
                                          "hidden", "residual", "outputs", "heads",     "widths",
                                          "sense",  "model",    "program", CHECKSUM_KEY};

bool model_is_own_key(const char *key)
{
    for (int k = 0; k < KEYS; k++)
        if (!strcmp(key, model_own_keys[k]))
            return true;
    return false;
}

/* Neither NaN nor infinity: no good model has them, and no file with them is written or read. */
bool model_all_finite(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

/* The cause is built first and cleaned of control characters, then put after the file's name. */
nlm_status model_fail(nlm_error *error, nlm_status status, const char *file, const char *format, ...)
{
    if (!error)
        return status;
    char cause[NLM_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cause, sizeof cause, format, arguments);
    va_end(arguments);
    for (char *c = cause; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F)
            *c = '?';
    return error_set(error, status, "%.120s: %s", file, cause);
}
