/* Sheets: the rows of a table in memory, and what its first row is. */
#include "facts/sheet.h"

#include <ctype.h>
#include <string.h>
#include "base/error.h"
#include "syntax/number.h"
#include "syntax/reading_message.h"

/* ---- reading ---- */

/* The mark that the first row has most of outside of quotes. */
static char find_separator(const char *at)
{
    static const char marks[] = ",;\t";
    size_t count[sizeof marks - 1] = {0}, best = 0;
    bool quoted = false;
    at += strspn(at, "\r\n");
    for (; *at && (quoted || *at != '\n'); at++) {
        const char *mark = strchr(marks, *at);
        quoted ^= *at == '"';
        if (mark && !quoted)
            count[mark - marks]++;
    }
    for (size_t m = 1; m < sizeof marks - 1; m++)
        if (count[m] > count[best])
            best = m;
    return marks[best];
}

/* sep=; in the first line, which some programs write and read. */
static void take_separator(table *rows)
{
    const char *line = rows->at;
    if (strncmp(line, "sep=", 4) || !line[4] || (line[5] != '\n' && line[5] != '\r'))
        return;
    rows->separator = line[4];
    rows->at += line[5] == '\r' ? 7 : 6;
    rows->line++;
}

static bool is_blank_row(const table *rows)
{
    for (int k = 0; k < rows->count; k++)
        if (rows->quotes ? table_at(rows, k)->quoted || table_at(rows, k)->value.length > 0
                         : table_at(rows, k)->value.length > 0)
            return false;
    return true;
}

static nlm_status add_row(sheet *in, const table *rows, nlm_error *error)
{
    size_t columns = (size_t)rows->count;
    if (in->rows == 0)
        in->columns = rows->count;
    if (in->rows == 1 && in->columns == 1 && rows->count > 1)
        return message_refuse(
            error, in->path, rows->row_line,
            "a row of %d fields, the first row has 1: the first row names the columns; remove "
            "what stands above it",
            rows->count);
    if (rows->count != in->columns)
        return message_refuse(error, in->path, rows->row_line,
                              "a row of %d field%s, the first row has %d: a field with the separator in it "
                              "needs quotes, one that is not known stays empty",
                              rows->count, rows->count == 1 ? "" : "s", in->columns);
    if (buffer_reserve(&in->cells, (in->rows + 1) * columns, sizeof(table_field), true) ||
        buffer_reserve(&in->lines, in->rows + 1, sizeof(size_t), true))
        return error_no_memory(error);
    memcpy((table_field *)in->cells.data + in->rows * columns, rows->fields.data,
           columns * sizeof(table_field));
    ((size_t *)in->lines.data)[in->rows++] = rows->row_line;
    return NLM_OK;
}

/* Columns without a title and without a field, which a separator at the end of each row makes. */
static void drop_empty_columns(sheet *in)
{
    const size_t before = (size_t)in->columns;
    table_field *cells = in->cells.data;
    bool empty = in->rows > 0;
    while (empty && in->columns > 1) {
        for (size_t row = 0; row < in->rows && empty; row++)
            empty = cells[row * before + (size_t)in->columns - 1].value.length == 0;
        in->columns -= empty;
    }
    for (size_t row = 1; row < in->rows && (size_t)in->columns < before; row++)
        memmove(cells + row * (size_t)in->columns, cells + row * before, (size_t)in->columns * sizeof *cells);
}

nlm_status sheet_read(sheet *in, buffer *content, size_t size, const char *path, const char *name, bool tabs,
                      nlm_error *error)
{
    *in = (sheet){.path = path, .name = name, .text = *content};
    *content = (buffer){0};
    table rows;
    bool found = true;
    nlm_status status = table_start(&rows, in->text.data, size, path, tabs, error);
    if (!status && !tabs) {
        rows.separator = find_separator(rows.at);
        take_separator(&rows);
    }
    in->separator = rows.separator;
    const char *line = status ? NULL : strchr(rows.at, '\n');
    in->returns = line && line > rows.at && line[-1] == '\r';
    while (!status && !(status = table_row(&rows, &found, error)) && found)
        if (!is_blank_row(&rows) || rows.count == 1)
            status = add_row(in, &rows, error);
    table_free(&rows);
    if (!status)
        drop_empty_columns(in);
    return status;
}

void sheet_free(sheet *in)
{
    buffer_free(&in->cells);
    buffer_free(&in->lines);
    buffer_free(&in->text);
}

prolog_name sheet_cell(const sheet *in, size_t row, int column)
{
    const table_field *field = sheet_field(in, row, column);
    prolog_name value = field->value;
    while (!field->quoted && value.length > 0 && (value.text[0] == ' ' || value.text[0] == '\t')) {
        value.text++;
        value.length--;
    }
    while (!field->quoted && value.length > 0 &&
           (value.text[value.length - 1] == ' ' || value.text[value.length - 1] == '\t'))
        value.length--;
    return value;
}

nlm_status sheet_fact(const sheet *in, size_t row, prolog_fact *fact, nlm_error *error)
{
    return table_fact(in->path, sheet_line(in, row), sheet_field(in, row, 0), in->columns,
                      in->separator != '\t', fact, error);
}

/* ---- titles ---- */

static bool is_equal(prolog_name a, prolog_name b)
{
    return a.length == b.length && !memcmp(a.text, b.text, a.length);
}

static bool is_number(prolog_name cell)
{
    char text[NUMBER_SIZE * 2];
    if (cell.length == 0 || cell.length >= sizeof text)
        return false;
    memcpy(text, cell.text, cell.length);
    text[cell.length] = '\0';
    return number_of(text) != NUMBER_NONE;
}

/* Names of columns that are hardly ever those of objects. */
static bool is_usual_title(prolog_name cell)
{
    static const char *const words[] = {
        "id",      "name", "label",  "from",   "to",       "source",   "target",   "parent", "child",
        "person",  "node", "node1",  "node2",  "subject",  "object",   "type",     "class",  "value",
        "weight",  "key",  "father", "mother", "employee", "manager",  "date",     "age",    "city",
        "country", "user", "item",   "start",  "end",      "child_id", "parent_id"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        size_t k = 0;
        while (k < cell.length && words[w][k] && tolower((unsigned char)cell.text[k]) == words[w][k])
            k++;
        if (k == cell.length && !words[w][k])
            return true;
    }
    return false;
}

/* Whether any other row has the cell: in the column, or `anywhere`. */
static bool recurs(const sheet *in, prolog_name cell, int column, bool anywhere)
{
    for (size_t row = 1; row < in->rows; row++)
        for (int k = 0; k < in->columns; k++)
            if ((anywhere || k == column) && is_equal(cell, sheet_cell(in, row, k)))
                return true;
    return false;
}

/* Whether all other rows have numbers, or nothing, in a column. */
static bool is_of_numbers(const sheet *in, int column)
{
    size_t numbers = 0;
    for (size_t row = 1; row < in->rows; row++) {
        const prolog_name cell = sheet_cell(in, row, column);
        if (cell.length > 0 && !is_number(cell))
            return false;
        numbers += cell.length > 0;
    }
    return numbers > 0;
}

/* Whether most names of the other rows stand in several fields, as those of a network do. */
static bool is_woven(const sheet *in)
{
    enum { ENOUGH = 4, LOOKED_AT = 100, SEARCHED = 5000 };
    size_t several = 0, all = 0;
    for (size_t row = 1; row < in->rows && row <= LOOKED_AT; row++)
        for (int k = 0; k < in->columns; k++) {
            const prolog_name cell = sheet_cell(in, row, k);
            size_t times = 0;
            for (size_t other = 1; other < in->rows && other <= SEARCHED && times < 2; other++)
                for (int l = 0; l < in->columns; l++)
                    times += is_equal(cell, sheet_cell(in, other, l));
            several += times > 1;
            all++;
        }
    return all >= ENOUGH && 5 * several >= 4 * all;
}

/* What could be titles: names, all different, of which none is a number; some may be missing. */
static bool could_be_titles(const sheet *in)
{
    int filled = 0;
    for (int k = 0; k < in->columns; k++) {
        const prolog_name cell = sheet_cell(in, 0, k);
        filled += cell.length > 0;
        if (is_number(cell) || (k == 1 && in->columns == 2 && is_equal(cell, sheet_cell(in, 0, 0))))
            return false;
    }
    return 2 * filled >= in->columns && filled > 0;
}

sheet_start sheet_starts_with(const sheet *in)
{
    const bool small = in->columns <= 2; /* perhaps the names of a network's nodes */
    bool usual = false, numbers = false, blank = false;
    if (in->rows == 0 || !could_be_titles(in))
        return SHEET_DATA;
    for (int k = 0; k < in->columns; k++) {
        const prolog_name title = sheet_cell(in, 0, k);
        blank |= title.length == 0; /* facts name something in each field */
        usual |= is_usual_title(title);
        numbers |= is_of_numbers(in, k);
        if (title.length > 0 && recurs(in, title, k, small) && small)
            return SHEET_DATA;
    }
    for (size_t row = 1; row < in->rows && !blank; row++)
        for (int k = 0; k < in->columns; k++)
            blank |= sheet_cell(in, row, k).length == 0;
    if (usual || numbers || blank || (small && is_woven(in)))
        return SHEET_TITLES;
    int again = 0;
    for (int k = 0; k < in->columns && !small; k++)
        again += sheet_cell(in, 0, k).length > 0 && recurs(in, sheet_cell(in, 0, k), k, false);
    return again > 0 ? SHEET_DATA : in->columns > PROLOG_MOST_ARGUMENTS ? SHEET_TITLES : SHEET_OPEN;
}
