/* Sheets of all worlds, gathered: their columns, and what their cells look like. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "facts/table_columns.h"
#include "syntax/atom.h"
#include "syntax/number.h"

enum { TITLE_SIZE = 64 };

/* ---- cells ---- */

bool columns_is_word(prolog_name cell, const char *word)
{
    size_t k = 0;
    while (k < cell.length && word[k] && tolower((unsigned char)cell.text[k]) == word[k])
        k++;
    return k == cell.length && !word[k];
}

int columns_truth(prolog_name cell)
{
    static const char *const pairs[][2] = {
        {"false", "true"}, {"no", "yes"},  {"0", "1"},         {"f", "t"},     {"n", "y"},
        {"0.0", "1.0"},    {"nein", "ja"}, {"falsch", "wahr"}, {"non", "oui"}, {"faux", "vrai"}};
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
        for (int value = 0; value < 2; value++)
            if (columns_is_word(cell, pairs[p][value]))
                return value;
    return -1;
}

number_kind columns_number(prolog_name cell)
{
    char text[COLUMNS_CELL];
    if (cell.length == 0 || cell.length >= sizeof text)
        return NUMBER_NONE;
    memcpy(text, cell.text, cell.length);
    text[cell.length] = '\0';
    return number_of(text);
}

const char *columns_name(text_store *texts, prolog_name title, int number)
{
    char name[TITLE_SIZE + 8];
    size_t length = 0;
    for (size_t k = 0; k < title.length && length < TITLE_SIZE - 4; k++) {
        const unsigned char c = (unsigned char)title.text[k];
        if (isalnum(c) || c >= 0x80)
            name[length++] = (char)tolower(c);
        else if (length > 0 && name[length - 1] != '_')
            name[length++] = '_';
    }
    while (length > 0 && name[length - 1] == '_')
        length--;
    name[length] = '\0';
    if (!strcmp(name, "object"))
        memcpy(name, "thing", length = 5);
    name[length] = '\0';
    if (atom_check_text(name, length, "", NULL) || !atom_is_plain(name)) /* 2020, or a cut character */
        length = (size_t)snprintf(name, sizeof name, "column_%d", number + 1);
    return text_keep(texts, name, length);
}

/* ---- titles ---- */

/* Titles, each once. */
static nlm_status take_titles(columns *in, columned *of)
{
    text_store *texts = &in->draft->texts;
    for (int c = 0; c < of->sheet.columns; c++) {
        const prolog_name title = sheet_cell(&of->sheet, 0, c);
        column *to = columns_at(of, c);
        *to = (column){.kind = NLM_COLUMN_IGNORED, .refers = -1, .reason = ""};
        to->predicate = columns_name(texts, title, c);
        to->title = title.length > 0 ? text_keep(texts, title.text, title.length) : to->predicate;
        if (!to->title || !to->predicate)
            return error_no_memory(in->error);
        for (int b = 0; b < c; b++)
            if (title.length > 0 && !strcmp(columns_at(of, b)->predicate, to->predicate))
                return COLUMNS_REFUSE(in, of, 0,
                                      "columns %d and %d are both called %s: give one another name", b + 1,
                                      c + 1, message_cut_text(to->predicate).text);
    }
    return NLM_OK;
}

static bool repeats_titles(const columned *of, size_t row)
{
    for (int c = 0; c < of->sheet.columns; c++) {
        const prolog_name title = sheet_cell(&of->sheet, 0, c), cell = sheet_cell(&of->sheet, row, c);
        if (title.length != cell.length || memcmp(title.text, cell.text, cell.length))
            return false;
    }
    return true;
}

const columns_part *columns_part_of(const columned *of, size_t row)
{
    int low = 0, high = of->part_count - 1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (columns_part_at(of, middle)->end <= row)
            low = middle + 1;
        else
            high = middle;
    }
    return columns_part_at(of, low);
}

/* ---- parts ---- */

/* A part of rows [begin, sheet.rows). */
static nlm_status add_part(columns *in, columned *of, size_t begin, const char *path, int world)
{
    if (buffer_reserve(&of->parts, (size_t)of->part_count + 1, sizeof(columns_part), true))
        return error_no_memory(in->error);
    ((columns_part *)of->parts.data)[of->part_count++] =
        (columns_part){.begin = begin, .end = of->sheet.rows, .path = path, .world = world};
    return NLM_OK;
}

/* The column of another world's table with a title; -1: none. */
static int find_title(const sheet *of, const char *title)
{
    for (int c = 0; c < of->columns; c++) {
        const prolog_name cell = sheet_cell(of, 0, c);
        if (cell.length == strlen(title) && !memcmp(cell.text, title, cell.length))
            return c;
    }
    return -1;
}

/* Another world's table has the columns of the first one, in any order. */
static nlm_status check_titles(const columns *in, const columned *of, const sheet *added)
{
    const char *missing = NULL;
    for (int c = 0; c < of->sheet.columns && !missing; c++)
        if (find_title(added, columns_at(of, c)->title) < 0)
            missing = columns_at(of, c)->title;
    if (!missing && added->columns == of->sheet.columns)
        return NLM_OK;
    return message_refuse(in->error, added->path, sheet_line(added, 0),
                          "%s%s: the tables of several worlds have the same columns; those of %.200s are "
                          "others",
                          missing ? "no column is called " : "more columns than there",
                          missing ? message_cut_text(missing).text : "", of->sheet.path);
}

/* Rows of another world's table of the same name, its columns in the order of the first. */
static nlm_status add_rows(columns *in, columned *of, const sheet *added)
{
    const size_t count = (size_t)of->sheet.columns, rows = of->sheet.rows + added->rows - 1;
    nlm_status status = check_titles(in, of, added);
    if (status)
        return status;
    if (buffer_reserve(&of->sheet.cells, rows * count, sizeof(table_field), true) ||
        buffer_reserve(&of->sheet.lines, rows, sizeof(size_t), true))
        return error_no_memory(in->error);
    table_field *cells = (table_field *)of->sheet.cells.data + (of->sheet.rows - 1) * count;
    for (size_t row = 1; row < added->rows; row++)
        ((size_t *)of->sheet.lines.data)[of->sheet.rows + row - 1] = sheet_line(added, row);
    for (size_t c = 0; c < count; c++) {
        const int from = find_title(added, columns_at(of, (int)c)->title);
        for (size_t row = 1; row < added->rows; row++)
            cells[row * count + c] = *sheet_field(added, row, from);
    }
    of->sheet.rows = rows;
    return NLM_OK;
}

/* The sheet of other worlds that has the name; NULL: none. */
static columned *find_namesake(const columns *in, const sheet *added, int world)
{
    for (int s = 0; s < in->count; s++) {
        columned *of = columns_sheet(in, s);
        if (!strcmp(of->sheet.name, added->name) && columns_part_at(of, of->part_count - 1)->world != world)
            return of;
    }
    return NULL;
}

static nlm_status add_namesake(columns *in, columned *of, sheet *added, int world)
{
    const size_t begin = of->sheet.rows;
    nlm_status status = add_rows(in, of, added);
    if (!status)
        status = add_part(in, of, begin, added->path, world);
    if (!status) {
        ((columns_part *)of->parts.data)[of->part_count - 1].text = added->text;
        added->text = (buffer){0};
    }
    sheet_free(added);
    *added = (sheet){0};
    return status;
}

nlm_status columns_add(columns *in, sheet *added, int world)
{
    columned *namesake = find_namesake(in, added, world);
    if (namesake)
        return add_namesake(in, namesake, added, world);
    if (buffer_reserve(&in->sheets, (size_t)in->count + 1, sizeof(columned), true)) {
        sheet_free(added);
        return error_no_memory(in->error);
    }
    columned *of = columns_sheet(in, in->count);
    *of = (columned){.sheet = *added, .key = -1};
    *added = (sheet){0};
    if (buffer_reserve(&of->columns, (size_t)of->sheet.columns, sizeof(column), false) ||
        add_part(in, of, 1, of->sheet.path, world)) {
        buffer_free(&of->columns);
        sheet_free(&of->sheet);
        return error_no_memory(in->error);
    }
    memset(of->columns.data, 0, (size_t)of->sheet.columns * sizeof(column));
    in->count++;
    of->relation = columns_name(&in->draft->texts, (prolog_name){of->sheet.name, strlen(of->sheet.name)}, 0);
    return of->relation ? take_titles(in, of) : error_no_memory(in->error);
}

/* ---- counts of cells ---- */

static nlm_status count_cells(columns *in, columned *of)
{
    for (size_t row = 1; row < of->sheet.rows; row++) {
        if (repeats_titles(of, row))
            return COLUMNS_REFUSE(in, of, row, "the titles of the columns again: remove this row");
        for (int c = 0; c < of->sheet.columns; c++) {
            char space[COLUMNS_CELL];
            column *to = columns_at(of, c);
            const prolog_name cell = columns_value(of, row, c, space);
            const number_kind kind = columns_number(cell);
            const int truth = columns_truth(cell);
            to->blanks += cell.length == 0;
            to->missing += cell.length == 0 && sheet_cell(&of->sheet, row, c).length > 0;
            to->integers += kind == NUMBER_INTEGER && to->form != COLUMN_CODES;
            to->reals += kind == NUMBER_REAL && to->form != COLUMN_CODES;
            if (truth >= 0)
                to->truths[truth]++;
            if (cell.length > 0 &&
                names_intern(&to->values, &in->draft->texts, cell.text, cell.length, 0) < 0)
                return error_no_memory(in->error);
        }
    }
    return NLM_OK;
}

/* Different values of a column in each part; of a single part these are its values. */
static nlm_status count_distinct(columns *in, columned *of, int c)
{
    column *to = columns_at(of, c);
    nlm_status status = NLM_OK;
    for (int p = 0; p < of->part_count && of->part_count > 1 && !status; p++) {
        const columns_part *part = columns_part_at(of, p);
        name_table here = {0};
        text_store texts = {0};
        for (size_t row = part->begin; row < part->end && !status; row++) {
            const prolog_name cell = sheet_cell(&of->sheet, row, c);
            if (cell.length > 0 && names_intern(&here, &texts, cell.text, cell.length, 0) < 0)
                status = error_no_memory(in->error);
        }
        to->distinct += (size_t)here.count;
        names_free(&here);
        text_free(&texts);
    }
    if (of->part_count == 1)
        to->distinct = (size_t)to->values.count;
    return status;
}

nlm_status columns_count(columns *in)
{
    nlm_status status = NLM_OK;
    for (int s = 0; s < in->count && !status; s++) {
        columned *of = columns_sheet(in, s);
        for (int c = 0; c < of->sheet.columns; c++)
            columns_find_form(of, c, false);
        bool commas = false;
        for (int c = 0; c < of->sheet.columns; c++)
            commas |= columns_at(of, c)->form == COLUMN_COMMAS;
        for (int c = 0; c < of->sheet.columns && commas; c++)
            columns_find_form(of, c, true);
        status = count_cells(in, of);
        for (int c = 0; c < of->sheet.columns && !status; c++)
            status = count_distinct(in, of, c);
    }
    return status;
}

/* ---- the end ---- */

nlm_status columns_keep_table(columns *in)
{
    columned *of = in->count == 1 ? columns_sheet(in, 0) : NULL;
    if (!of || of->key < 0)
        return NLM_OK;
    in->draft->table = memory_new(1, sizeof *in->draft->table);
    if (!in->draft->table)
        return error_no_memory(in->error);
    *in->draft->table = of->sheet;
    in->draft->table->path = in->draft->table->name = NULL; /* texts of the draft, which goes */
    in->draft->table_key = of->key;
    of->sheet.cells = of->sheet.lines = of->sheet.text = (buffer){0};
    return NLM_OK;
}

void columns_free(columns *in)
{
    for (int s = 0; s < in->count; s++) {
        columned *of = columns_sheet(in, s);
        for (int c = 0; c < of->sheet.columns; c++)
            names_free(&columns_at(of, c)->values);
        for (int p = 0; p < of->part_count; p++)
            buffer_free(&((columns_part *)of->parts.data)[p].text);
        buffer_free(&of->parts);
        buffer_free(&of->columns);
        sheet_free(&of->sheet);
    }
    buffer_free(&in->sheets);
    in->count = 0;
}
