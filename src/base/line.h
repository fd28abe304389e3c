/* A text put together in a given space: what does not fit is counted, as snprintf does. */
#ifndef BASE_LINE_H
#define BASE_LINE_H

#include <stddef.h>
#include <string.h>

typedef struct line_space {
    char *text;
    size_t size, length; /* of the space, and of the whole text */
} line_space;

static inline line_space line_start(char *text, size_t size)
{
    return (line_space){text, size, 0};
}

static inline void line_add(line_space *out, const char *text, size_t length)
{
    if (out->length < out->size) {
        size_t room = out->size - out->length;
        memcpy(out->text + out->length, text, length < room ? length : room);
    }
    out->length += length;
}

static inline void line_add_text(line_space *out, const char *text)
{
    line_add(out, text, strlen(text));
}

/* Where the rest of the space begins, for functions that fill a space themselves. */
static inline char *line_rest(const line_space *out, size_t *size)
{
    *size = out->length < out->size ? out->size - out->length : 0;
    return *size ? out->text + out->length : NULL;
}

/* End the text with 0, inside the space if it has any; the length of the whole. */
static inline size_t line_end(line_space *out)
{
    if (out->size > 0)
        out->text[out->length < out->size ? out->length : out->size - 1] = '\0';
    return out->length;
}

#endif
