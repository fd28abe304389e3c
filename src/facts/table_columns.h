/* What the columns of sheets mean: which names the rows, and which are relations, constants, numbers, true or
 * false, by their values and what was asked for, or by the signature of a model. */
#ifndef FACTS_TABLE_COLUMNS_H
#define FACTS_TABLE_COLUMNS_H

#include "facts/draft.h"
#include "facts/sheet.h"
#include "facts/signature.h"
#include "syntax/number.h"

/* How the fields of a column are written (table_forms.c). */
typedef enum column_form {
    COLUMN_AS_IT_IS,
    COLUMN_COMMAS,
    COLUMN_THOUSANDS,
    COLUMN_DATES,
    COLUMN_CODES
} column_form;

typedef struct column {
    const char *title;     /* as the first row has it */
    const char *predicate; /* what facts call it: line_manager of "Line Manager" */
    nlm_column_kind kind;
    bool is_asked;                             /* --columns says what it is */
    bool is_target;                            /* its values are labels */
    int refers;                                /* whose rows it names: a sheet, or -1 */
    const char *type;                          /* of the objects in it */
    name_table values;                         /* different ones, but for the empty one */
    size_t distinct;                           /* the sum over worlds of the different values of each */
    size_t blanks, integers, reals, truths[2]; /* fields */
    size_t missing;                            /* fields that say so in a word, NA, among the blank ones */
    column_form form;                          /* of its fields, if they are numbers */
    int month;                                 /* which part of its dates is the month, from 0 */
    const char *reason;                        /* why it does not count */
} column;

/* The rows of one world, [begin, end). */
typedef struct columns_part {
    size_t begin, end;
    const char *path;
    int world;
    buffer text; /* what the cells of rows that were added to the first world's point into */
} columns_part;

/* A sheet whose first row has titles, understood.  Tables of several worlds that have one name are one sheet:
 * the rows of the first one, then those of the others. */
typedef struct columned {
    sheet sheet;
    buffer parts; /* columns_part */
    int part_count;
    buffer columns;       /* column */
    int key;              /* the column that names its rows, or -1: its rows are about the objects in them */
    const char *relation; /* then, the predicate that holds between these: the name of the file */
} columned;

typedef struct columns {
    draft *draft;
    const nlm_reading *reading;
    buffer sheets; /* columned */
    int count;
    bool others, examples; /* the problem has other facts; an exs.pl */
    bool typed;            /* objects of several kinds: the predicates get types */
    nlm_error *error;
} columns;

static inline columned *columns_sheet(const columns *in, int number)
{
    return (columned *)in->sheets.data + number;
}
static inline column *columns_at(const columned *of, int number)
{
    return (column *)of->columns.data + number;
}
static inline const columns_part *columns_part_at(const columned *of, int number)
{
    return (const columns_part *)of->parts.data + number;
}
/* The one that has a row; that of the titles is the first. */
const columns_part *columns_part_of(const columned *of, size_t row);

/* Add a sheet with titles, of a world, which is taken whatever the status. */
nlm_status columns_add(columns *in, sheet *added, int world);
/* Understand all of them. */
nlm_status columns_find(columns *in);
/* The facts and labels of a world, into the last world of the draft; with the first, a description of each
 * column. */
nlm_status columns_write(columns *in, int world);
/* The only sheet becomes the table of the draft, if a column names its rows; nothing can be written then. */
nlm_status columns_keep_table(columns *in);
void columns_free(columns *in);

/* ---- parts: table_gather.c gathers and counts, table_kinds.c decides by values or a model ---- */

enum { COLUMNS_CELL = 64 }; /* bytes of a cell that can be a number, with a 0 */

static inline size_t columns_rows(const columned *of)
{
    return of->sheet.rows - 1;
}
/* Count the cells of all sheets, once these are there. */
nlm_status columns_count(columns *in);
/* Find the form of a column; `german`: another one of the sheet has decimal commas, so 1.500 may be 1500. */
void columns_find_form(const columned *of, int c, bool german);
/* ", with decimal commas"; "" where nothing needs to be said. */
const char *columns_form_text(column_form form);
/* A cell, empty if it says that nothing is known; a number as others write it, 1500.25, in the space. */
prolog_name columns_value(const columned *of, size_t row, int c, char space[COLUMNS_CELL]);
/* What a column is by its values. */
void columns_find_kind(const columns *in, int sheet_number, int c);
/* What the columns of a sheet are to a model. */
nlm_status columns_find_by_model(columns *in, columned *of);
/* The sheet whose rows a column of a sheet names; -1: none. */
int columns_referred(const columns *in, int own, const column *at);
/* Refuse fields that are not of their column's kind. */
nlm_status columns_check(columns *in, int number, int c);
/* Refuse a key with blanks or repetitions. */
nlm_status columns_check_key(const columns *in, const columned *of);
/* "id", "customer_id" */
bool columns_is_usual_key(const char *name);
number_kind columns_number(prolog_name cell);
/* Whether a cell is a word, which is in small letters, in any case. */
bool columns_is_word(prolog_name cell, const char *word);
/* "file:line: cause" of a row */
#define COLUMNS_REFUSE(in, of, row, ...)                                                                     \
    message_refuse((in)->error, columns_part_of((of), (row))->path, sheet_line(&(of)->sheet, (row)),         \
                   __VA_ARGS__)

/* ---- words ---- */

/* The words of nlm_column_kind: "key", "objects", ... */
const char *columns_word(nlm_column_kind kind);
/* The name of a predicate for a title, kept in the texts; NULL without memory. */
const char *columns_name(text_store *texts, prolog_name title, int number);
/* Whether a cell says true (1) or false (0), or neither (-1). */
int columns_truth(prolog_name cell);

#endif
