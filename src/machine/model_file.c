/* Model files: their metadata keys, and the check of numbers that reading and writing share. */
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

/* Keys of the spec, which the library writes itself; a user's metadata cannot have them. */
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
