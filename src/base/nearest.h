/* Names that a mistyped one may have meant; nlm/tools.h has the rest. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

enum { NEAREST_LETTERS = 64 }; /* of a listed name; a longer one is near to nothing */

/* How many letters must be added, dropped or changed to turn `a` into `b`; INT_MAX if `b` is too long. */
int nearest_distance(const char *a, int a_length, const char *b, int b_length);

#endif
