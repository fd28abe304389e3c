/* Hard units as text: places, single inputs, and the definitions of all predicates that count. */
#ifndef LOGIC_HARD_TEXT_H
#define LOGIC_HARD_TEXT_H

#include <stdio.h>
#include "logic/hard_units.h"

/* "layer 2, arity 1, predicate 0" or "head uncle", and "father(X, Y) is true" or "... false"; cut to `size`
 * bytes, always ended by 0.  The result is the length of what was written. */
size_t hard_place_text(const hard_units *units, const unit_predicate *predicate, char *text, size_t size);
size_t hard_input_text(const hard_units *units, const unit_input *input, bool is_true, char *text,
                       size_t size);

/* An input of the machine as facts write it, with the names of its objects: "likes(a, a)". */
void hard_atom_write(FILE *file, const hard_units *units, int predicate, const char *const *names);
/* What a head concludes, likewise. */
void hard_head_write(FILE *file, const hard_units *units, int head, const char *const *names);
/* The definitions, a line each: "p1(X, Y) = father(X, Y) or mother(X, Y)".  Variables of a line stand for
 * different objects.  Predicates that repeat one of a lower layer are left out. */
void hard_definitions_write(FILE *file, const hard_units *units);

#endif
