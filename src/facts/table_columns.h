/* What the columns of sheets mean: which names the rows, and which are relations, constants, numbers, true or
 * false, by their values and what was asked for, or by the signature of a model. */
#ifndef FACTS_TABLE_COLUMNS_H
#define FACTS_TABLE_COLUMNS_H

#include "facts/draft.h"
#include "facts/sheet.h"
#include "facts/signature.h"
#include "syntax/number.h"

typedef struct column {
    const char *title;     /* as the first row has it */
    const char *predicate; /* what facts call it: line_manager of "Line Manager" */
    nlm_column_kind kind;
    bool is_asked;                             /* --columns says what it is */
    bool is_target;                            /* its values are labels */
    int refers;                                /* whose rows it names: a sheet, or -1 */
    const char *type;                          /* of the objects in it */
    name_table values;                         /* different ones, but for the empty one */
    size_t blanks, integers, reals, truths[2]; /* fields */
    const char *reason;                        /* why it does not count */
} column;

/* A sheet whose first row has titles, understood. */
typedef struct columned {
    sheet sheet;
    buffer columns;       /* column */
    int key;              /* the column that names its rows, or -1: its rows are about the objects in them */
    const char *relation; /* then, the predicate that holds between these: the name of the file */
} columned;

typedef struct columns {
    draft *draft;
    const nlm_reading *reading;
    buffer sheets; /* columned */
    int count;
    bool typed; /* objects of several kinds: the predicates get types */
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

/* Add a sheet with titles, which is taken whatever the status. */
nlm_status columns_add(columns *in, sheet *added);
/* Understand all of them. */
nlm_status columns_find(columns *in);
/* Their facts and labels, into the last world of the draft, and a description of each column. */
nlm_status columns_write(columns *in);
void columns_free(columns *in);

/* ---- parts: table_kinds.c decides by values or a model, table_columns.c has the rest ---- */

enum { COLUMNS_CELL = 64 }; /* bytes of a cell that can be a number, with a 0 */

static inline size_t columns_rows(const columned *of)
{
    return of->sheet.rows - 1;
}
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
    message_refuse((in)->error, (of)->sheet.path, sheet_line(&(of)->sheet, (row)), __VA_ARGS__)

/* ---- words ---- */

/* The words of nlm_column_kind: "key", "objects", ... */
const char *columns_word(nlm_column_kind kind);
/* The name of a predicate for a title, kept in the texts; NULL without memory. */
const char *columns_name(text_store *texts, prolog_name title, int number);
/* Whether a cell says true (1) or false (0), or neither (-1). */
int columns_truth(prolog_name cell);

#endif
