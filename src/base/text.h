/* Characters in UTF-8; nlm/tools.h has the rest of what texts need. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdint.h>
#include "nlm/tools.h"

/* The character at `text`, which is valid UTF-8, and its length. */
uint32_t utf8_decode(const char *text, size_t *length);
/* Bytes of a character, written to `text`; 0 if it is none. */
size_t utf8_encode(uint32_t character, char *text);

/* How much of a text of `length` bytes can be kept in `most`, so that no character is cut. */
size_t text_cut(const char *text, size_t length, size_t most);

#endif
