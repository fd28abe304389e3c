/* Characters in UTF-8, numbers as people read them, texts in JSON. */
#include "base/text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- UTF-8 ---- */

uint32_t utf8_decode(const char *text, size_t *length)
{
    const unsigned char *b = (const unsigned char *)text;
    if (b[0] < 0x80) {
        *length = 1;
        return b[0];
    }
    if (b[0] < 0xE0) {
        *length = 2;
        return (uint32_t)(b[0] & 0x1F) << 6 | (b[1] & 0x3Fu);
    }
    if (b[0] < 0xF0) {
        *length = 3;
        return (uint32_t)(b[0] & 0x0F) << 12 | (b[1] & 0x3Fu) << 6 | (b[2] & 0x3Fu);
    }
    *length = 4;
    return (uint32_t)(b[0] & 0x07) << 18 | (b[1] & 0x3Fu) << 12 | (b[2] & 0x3Fu) << 6 | (b[3] & 0x3Fu);
}

size_t utf8_encode(uint32_t c, char *text)
{
    if (c == 0 || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
        return 0;
    if (c < 0x80) {
        text[0] = (char)c;
        return 1;
    }
    size_t length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char first[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t k = length - 1; k > 0; k--, c >>= 6)
        text[k] = (char)(0x80 | (c & 0x3F));
    text[0] = (char)(first[length] | c);
    return length;
}

/* Bytes are read one by one, and none after one that does not fit: so none behind the end of the text. */
size_t nlm_character_length(const char *text, size_t size)
{
    const unsigned char *b = (const unsigned char *)text;
    if (b[0] < 0x80)
        return 1;
    size_t length = b[0] < 0xC2 ? 0 : b[0] < 0xE0 ? 2 : b[0] < 0xF0 ? 3 : b[0] < 0xF5 ? 4 : 0;
    if (length == 0 || length > size)
        return 0;
    for (size_t k = 1; k < length; k++)
        if ((b[k] & 0xC0) != 0x80)
            return 0;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t same;
    uint32_t c = utf8_decode(text, &same);
    return c >= least[length] && c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF) ? length : 0;
}

/* ASCII controls, and those of U+0080 to U+009F. */
void nlm_clean_text(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c; c++) {
        if (*c < ' ' || *c == 0x7F)
            *c = '?';
        else if (*c == 0xC2 && c[1] >= 0x80 && c[1] <= 0x9F)
            c[0] = c[1] = '?';
    }
}

size_t text_cut(const char *text, size_t length, size_t most)
{
    if (length <= most)
        return length;
    while (most > 0 && ((unsigned char)text[most] & 0xC0) == 0x80)
        most--;
    return most;
}

/* ---- numbers ---- */

const char *nlm_count_text(size_t count, char text[NLM_NUMBER_TEXT])
{
    char digits[NLM_NUMBER_TEXT];
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
const char *nlm_percent_text(double share, char text[NLM_NUMBER_TEXT])
{
    int digits = 2;
    double scale = 100; /* 10 to the power of `digits` */
    if (share >= 1)
        return strcpy(text, "100 %");
    for (; digits < 12 && 100 * (1 - share) <= 5 / scale; scale *= 10)
        digits++;
    const double units = floor(100 * scale * share * (1 + 4 * DBL_EPSILON));
    snprintf(text, NLM_NUMBER_TEXT, "%.*f %%", digits, fmin(units, 100 * scale - 1) / scale);
    return text;
}

const char *nlm_memory_text(double bytes, char text[NLM_NUMBER_TEXT])
{
    static const char *const units[] = {"KB", "MB", "GB", "TB", "PB", "EB"};
    int unit = 0;
    double number = bytes / 1024;
    for (; number >= 999.5 && unit < 5; unit++)
        number /= 1024;
    if (number >= 1e6)
        snprintf(text, NLM_NUMBER_TEXT, "%.0e %s", number, units[unit]);
    else
        snprintf(text, NLM_NUMBER_TEXT, number < 10 ? "%.1f %s" : "%.0f %s", number, units[unit]);
    return text;
}

const char *nlm_time_text(double seconds, char text[NLM_NUMBER_TEXT])
{
    const double longest = 999 * 3600 + 59 * 60 + 59;
    const int whole = seconds > 0 ? (int)(fmin(seconds, longest) + 0.5) : 0;
    const int hours = whole / 3600, minutes = whole / 60 % 60;
    if (hours > 0)
        snprintf(text, NLM_NUMBER_TEXT, "%d:%02d:%02d", hours, minutes, whole % 60);
    else
        snprintf(text, NLM_NUMBER_TEXT, "%d:%02d", minutes, whole % 60);
    return text;
}

/* ---- JSON ---- */

/* Characters that stand for themselves are written together. */
void nlm_json_text(FILE *stream, const char *text)
{
    const char *plain = text; /* where the characters that are not written yet begin */
    putc('"', stream);
    while (*text) {
        const size_t length = nlm_character_length(text, SIZE_MAX);
        const unsigned char c = (unsigned char)*text;
        if (length > 0 && c >= ' ' && c != 0x7f && c != '"' && c != '\\') {
            text += length;
            continue;
        }
        fwrite(plain, 1, (size_t)(text - plain), stream);
        if (length == 0)
            fputs("\\ufffd", stream);
        else if (c < ' ' || c == 0x7f)
            fprintf(stream, "\\u%04x", c);
        else
            fprintf(stream, "\\%c", c);
        plain = ++text;
    }
    fwrite(plain, 1, (size_t)(text - plain), stream);
    putc('"', stream);
}
