/* Atoms: the names of objects, predicates and types, in UTF-8, and how Prolog writes them.
 *
 * Two atoms are the same if their texts are, however they are written: a and 'a', 1 and '1'. */
#ifndef SYNTAX_ATOM_H
#define SYNTAX_ATOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "nlm/status.h"

/* Whether a character beyond ASCII can be part of a name without quotes. */
bool atom_is_letter(uint32_t character);

/* Whether the text is UTF-8 without zero bytes.  If not, `file` and the line are in the error. */
nlm_status atom_check_text(const char *text, size_t size, const char *file, nlm_error *error);

/* Whether the text is a name without quotes, such as bart or x_1. */
bool atom_is_plain(const char *text);
/* Whether it may be the name of a predicate: not with "(" or "/", which say patterns and arities here, nor
 * with control characters. */
bool atom_is_predicate(const char *text, size_t length);
/* Bytes of the number at `text`, such as 12, -3 or 1.5e-7; 0 if there is none. */
size_t atom_number(const char *text);

/* The atom as Prolog writes it, in quotes where it must be; cut to `size` bytes, ended by 0.  The result is
 * the length of the whole. */
size_t atom_text(const char *atom, char *text, size_t size);
/* The same of the name of a predicate, which in Prolog cannot be a number. */
size_t atom_predicate_text(const char *atom, char *text, size_t size);

#endif
