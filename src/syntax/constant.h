/* Predicates with constants: department(A,it), whose facts are department(ann, it).
 *
 * Such a predicate has its pattern for a name: the name that facts have, and in parentheses a capital letter
 * for each object, A, B, ... in this order, or a constant, all as Prolog writes them: 'R and D' has quotes,
 * and so has 'A'.  Other names of predicates have no "(", so a name with one is of this kind. */
#ifndef SYNTAX_CONSTANT_H
#define SYNTAX_CONSTANT_H

#include <stdbool.h>
#include <stddef.h>
#include "syntax/prolog.h"

typedef struct constant_parts {
    prolog_name name; /* the parts as they are written, not ended by 0 */
    int arity;        /* as facts write it */
    int objects;
    int object[PROLOG_MOST_ARGUMENTS]; /* which object stands there, or -1 for a constant */
    prolog_name text[PROLOG_MOST_ARGUMENTS];
} constant_parts;

/* The parts of such a name; false if it has no constants, or is not written as above. */
bool constant_parts_read(const char *name, constant_parts *parts);
/* Whether the name has constants. */
static inline bool constant_is_in(const char *name)
{
    constant_parts parts;
    return constant_parts_read(name, &parts);
}
/* A part without its quotes into `size` bytes, ended by 0; the length of the whole. */
size_t constant_plain(prolog_name part, char *text, size_t size);
/* The name of a predicate, where a constant without text stands for an object.  The result is the length of
 * the whole. */
size_t constant_name(prolog_name name, const prolog_name *constants, int arity, char *text, size_t size);

#endif
