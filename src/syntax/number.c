/* Numbers as texts.
 *
 * Invariant: what number_text writes is read as the same double, and as a real by Prolog too, which wants
 * digits on both sides of a point.  No locale is asked: the library sets none, and a caller's could write
 * commas. */
#include "syntax/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "syntax/atom.h"

number_kind number_of(const char *text)
{
    size_t length = atom_number(text);
    if (length == 0 || text[length])
        return NUMBER_NONE;
    return strpbrk(text, ".eE") ? NUMBER_REAL : NUMBER_INTEGER;
}

/* With the point of the locale in place of ours. */
static void localize(char *text)
{
    char probe[8];
    char *point = strchr(text, '.');
    snprintf(probe, sizeof probe, "%.1f", 0.5);
    if (point)
        *point = probe[1];
}

bool number_read(const char *text, double *value)
{
    enum { MOST_DIGITS = 400 };
    char copy[MOST_DIGITS];
    size_t length = strlen(text);
    if (number_of(text) == NUMBER_NONE || length >= sizeof copy)
        return false;
    memcpy(copy, text, length + 1);
    localize(copy);
    *value = strtod(copy, NULL);
    if (*value == 0)
        *value = 0; /* -0 is 0 */
    return isfinite(*value);
}

/* With a point for the locale's, and digits on both sides of it. */
static void make_real(char *text)
{
    for (char *at = text; *at; at++)
        *at = *at == ',' ? '.' : *at;
    if (strchr(text, '.'))
        return;
    char rest[NUMBER_SIZE], *exponent = strchr(text, 'e');
    snprintf(rest, sizeof rest, "%s", exponent ? exponent : "");
    snprintf(exponent ? exponent : text + strlen(text), 8, ".0%.5s", rest);
}

enum { PRINTED = 28 };

void number_text(double value, char text[NUMBER_SIZE])
{
    enum { FEWEST = 15, MOST = 17 };
    for (int digits = FEWEST; digits <= MOST; digits++) {
        snprintf(text, PRINTED, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    make_real(text);
}

void number_shortened(double value, int digits, char text[NUMBER_SIZE])
{
    snprintf(text, PRINTED, "%.*g", digits, value);
    make_real(text);
}
