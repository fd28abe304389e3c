/* Texts in UTF-16 with a byte order mark, as some spreadsheets write them, become UTF-8. */
#ifndef SYNTAX_UTF16_H
#define SYNTAX_UTF16_H

#include "base/memory.h"
#include "nlm/status.h"

/* The first `*size` bytes of a buffer: decoded if they begin with the mark of UTF-16, else left as they are.
 * NLM_BAD_FILE, with the line, for a half of a character. */
nlm_status utf16_decode(buffer *content, size_t *size, const char *file, nlm_error *error);

#endif
