/* Sheets: tables as other programs export them, with a row of titles and a row for each object.
 *
 *     person,manager,department,salary,label
 *     ann,,it,52000,no
 *     bob,ann,it,48000.5,yes
 *
 * The separator is a comma, a semicolon or a tab, whichever the first row has most of; a first line sep=; is
 * obeyed.  Spaces around fields without quotes do not count.  An empty field says that nothing is known. */
#ifndef FACTS_SHEET_H
#define FACTS_SHEET_H

#include "facts/table.h"
#include "world/names.h"

typedef struct sheet {
    const char *path, *name; /* of the file; without its folder and its ending */
    char separator;
    bool has_titles;
    bool returns; /* the first line ends in CR LF */
    int columns;
    size_t rows;  /* with the titles */
    buffer cells; /* table_field: rows of `columns` each */
    buffer lines; /* size_t: where each row begins */
    buffer text;  /* what the cells point into */
} sheet;

/* Read a sheet of at least one row; takes `content`, a text of `size` bytes and a 0, whatever the status. */
nlm_status sheet_read(sheet *in, buffer *content, size_t size, const char *path, const char *name, bool tabs,
                      nlm_error *error);
void sheet_free(sheet *in);

static inline size_t sheet_line(const sheet *in, size_t row)
{
    return ((const size_t *)in->lines.data)[row];
}
static inline const table_field *sheet_field(const sheet *in, size_t row, int column)
{
    return (const table_field *)in->cells.data + row * (size_t)in->columns + (size_t)column;
}
/* A cell without spaces around it; empty if nothing is known. */
prolog_name sheet_cell(const sheet *in, size_t row, int column);
/* A row of a sheet without titles as the arguments of a fact; as table_next. */
nlm_status sheet_fact(const sheet *in, size_t row, prolog_fact *fact, nlm_error *error);
/* How the first row looks: the titles of columns, data, or either. */
typedef enum sheet_start { SHEET_TITLES, SHEET_DATA, SHEET_OPEN } sheet_start;
sheet_start sheet_starts_with(const sheet *in);
/* "bob" as a name that messages can show */
#define SHEET_SHOWN(cell) message_cut((cell).text, (cell).length).text

#endif
