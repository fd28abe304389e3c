/* Numbers as people read them. */
#include "report/words.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "nlm/tools.h"

static const char *unknown(char text[WORD_SIZE])
{
    return strcpy(text, "\xe2\x80\x93");
}

const char *word_count(double count, char text[WORD_SIZE])
{
    return count >= 0 && count < 1e15 ? nlm_count_text((size_t)nearbyint(count), text) : unknown(text);
}

/* One digit after the point; or more, until what is missing from 100 shows. */
const char *word_share(double share, char text[WORD_SIZE])
{
    if (!(share >= 0 && share <= 1))
        return unknown(text);
    if (share >= 1)
        return strcpy(text, "100 %");
    int digits = 1;
    double scale = 10;
    for (; digits < 8 && 100 * (1 - share) < 1 / scale; scale *= 10)
        digits++;
    const double units = floor(100 * scale * share * (1 + 4 * DBL_EPSILON));
    snprintf(text, WORD_SIZE, "%.*f %%", digits, fmin(units, 100 * scale - 1) / scale);
    return text;
}

const char *word_seconds(double seconds, char text[WORD_SIZE])
{
    if (!(seconds >= 0 && seconds < 1e9))
        return unknown(text);
    const long whole = lround(seconds);
    if (seconds < 59.5)
        snprintf(text, WORD_SIZE, seconds < 10 ? "%.2f s" : "%.1f s", seconds);
    else if (whole < 3600)
        snprintf(text, WORD_SIZE, "%ld min %ld s", whole / 60, whole % 60);
    else
        snprintf(text, WORD_SIZE, "%ld h %ld min", whole / 3600, whole % 3600 / 60);
    return text;
}

const char *word_mean(double mean, char text[WORD_SIZE])
{
    if (!(fabs(mean) < 1e9))
        return unknown(text);
    snprintf(text, WORD_SIZE, "%.2f", mean);
    return text;
}

const char *word_cut(const char *whole, int most, char text[CUT_SIZE])
{
    static const char ellipsis[] = "\xe2\x80\xa6";
    size_t keep = 0, at = 0;
    int characters = 0;
    for (; whole[at] && characters <= most && at < CUT_SIZE - sizeof ellipsis; at++)
        if (((unsigned char)whole[at] & 0xc0) != 0x80 && characters++ == most - 1)
            keep = at;
    if (!whole[at] && characters <= most)
        return strcpy(text, whole);
    snprintf(text, CUT_SIZE, "%.*s%s", (int)keep, whole, ellipsis);
    return text;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double sorted_share(double *values, int count, double share)
{
    if (count <= 0)
        return NAN;
    qsort(values, (size_t)count, sizeof *values, compare);
    const double place = share * (count - 1);
    const int below = (int)place;
    const double next = values[below + 1 < count ? below + 1 : below];
    return values[below] + (place - below) * (next - values[below]);
}
