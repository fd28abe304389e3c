/* Tables: one row a fact, one field an object.
 *
 * CSV is that of RFC 4180: fields are separated by commas, and may stand in double quotes, inside which
 * commas and ends of lines are part of the field and "" is one quote.  In TSV fields are separated by tabs,
 * and quotes are nothing special.  There is no row of titles, and there are no comments.  Empty lines are
 * skipped; the encoding is UTF-8, with or without a byte order mark, and lines may end in CR LF.  An empty
 * field is refused, and so is a field of CSV that begins or ends with a space and is not in quotes.
 *
 * A predicate without arguments has no table: its fact is written in a bk.pl beside the tables. */
#ifndef FACTS_TABLE_H
#define FACTS_TABLE_H

#include "syntax/prolog.h"

typedef struct table {
    const char *file;
    char *at;
    size_t line;
    int arity; /* fields of the first row, 0 before it */
    char separator;
} table;

/* Begin with a text of `size` bytes, after which there is a 0; quoted fields are decoded in it. */
nlm_status table_start(table *in, char *text, size_t size, const char *file, bool tabs, nlm_error *error);
/* The next row as the arguments of a fact; its name stays as it is.  `*found` is false at the end. */
nlm_status table_next(table *in, prolog_fact *row, bool *found, nlm_error *error);

#endif
