/* Numbers as people read them. */
#include "numbers.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *number_count_text(size_t count, char text[NUMBER_TEXT])
{
    char digits[NUMBER_TEXT];
    const int length = snprintf(digits, sizeof digits, "%zu", count);
    char *end = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *end++ = ',';
        *end++ = digits[i];
    }
    *end = '\0';
    return text;
}

/* Two digits after the point; or more, until what is missing from 100 shows two.  Rounded down, after adding
 * what a computed share may lack. */
const char *number_percent_text(double share, char text[NUMBER_TEXT])
{
    int digits = 2;
    double scale = 100; /* 10 to the power of `digits` */
    if (share >= 1)
        return strcpy(text, "100 %");
    for (; digits < 12 && 100 * (1 - share) <= 5 / scale; scale *= 10)
        digits++;
    const double units = floor(100 * scale * share * (1 + 4 * DBL_EPSILON));
    snprintf(text, NUMBER_TEXT, "%.*f %%", digits, fmin(units, 100 * scale - 1) / scale);
    return text;
}
