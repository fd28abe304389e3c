/* Tables: one row a fact or an object, one field a name or a value.
 *
 * CSV is that of RFC 4180: fields are separated by commas, or other marks, and may stand in double quotes,
 * inside which separators and ends of lines are part of the field and "" is one quote.  In TSV fields are
 * separated by tabs, and quotes are nothing special.  There are no comments.  Empty lines are skipped; the
 * encoding is UTF-8, with or without a byte order mark, and lines may end in CR LF.
 *
 * A table of facts has no row of titles (sheet.h is about those that have).  In it an empty field is refused,
 * and so is a field of CSV that begins or ends with a space and is not in quotes.  A predicate without
 * arguments has no table: its fact is written in a bk.pl beside the tables. */
#ifndef FACTS_TABLE_H
#define FACTS_TABLE_H

#include "base/memory.h"
#include "syntax/prolog.h"

enum { TABLE_MOST_FIELDS = 1000 }; /* of a row */

typedef struct table_field {
    prolog_name value; /* not ended by 0 */
    bool quoted;
} table_field;

typedef struct table {
    const char *file;
    char *at;
    size_t line;
    size_t row_line; /* in which the last row began */
    int arity;       /* fields of the first row of facts, 0 before it */
    int count;       /* fields of the last row */
    char separator;
    bool quotes;   /* have a meaning */
    buffer fields; /* table_field */
} table;

/* Begin with a text of `size` bytes, after which there is a 0; quoted fields are decoded in it.  A table is
 * to be freed, whatever the status. */
nlm_status table_start(table *in, char *text, size_t size, const char *file, bool tabs, nlm_error *error);
void table_free(table *in);
/* The fields of the next row; `*found` is false at the end. */
nlm_status table_row(table *in, bool *found, nlm_error *error);
/* The next row as the arguments of a fact; its name stays as it is. */
nlm_status table_next(table *in, prolog_fact *row, bool *found, nlm_error *error);

/* `count` fields of a row that begins in a line, as the arguments of a fact. */
nlm_status table_fact(const char *file, size_t line, const table_field *fields, int count, bool quotes,
                      prolog_fact *row, nlm_error *error);

static inline const table_field *table_at(const table *in, int field)
{
    return (const table_field *)in->fields.data + field;
}

#endif
