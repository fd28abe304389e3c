/* Kinds of columns: by their values, or by the predicates of a model. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "facts/table_columns.h"
#include "syntax/constant.h"

/* Different values of a column of constants that nobody asked for; so few may be without two rows each. */
enum { MOST_CONSTANTS = 20, FEW_CONSTANTS = 8 };

/* ---- by the values ---- */

/* How many different values of a column are names of rows of a sheet. */
static int count_names(const column *at, const columned *of)
{
    int count = 0;
    for (int v = 0; v < at->values.count && of->key >= 0; v++) {
        const name_entry *value = names_at(&at->values, v);
        count += names_find(&columns_at(of, of->key)->values, value->text, value->length, 0) >= 0;
    }
    return count;
}

/* Whether the different values are 0 or 1 .. n: a rank rather than names. */
static bool is_dense(const column *at)
{
    char text[COLUMNS_CELL];
    for (int from = 0; from < 2; from++) {
        int v = 0;
        while (v < at->values.count) {
            const int length = snprintf(text, sizeof text, "%d", from + v);
            if (names_find(&at->values, text, (size_t)length, 0) < 0)
                break;
            v++;
        }
        if (v == at->values.count)
            return true;
    }
    return false;
}

/* Whether a column is called as a sheet or its key: customer_id of customers. */
static bool is_named_after(const column *at, const columned *of)
{
    const size_t length = strcspn(at->predicate, "_"), name = strlen(of->sheet.name);
    return columns_is_usual_key(at->predicate) ||
           !strcmp(at->predicate, columns_at(of, of->key)->predicate) ||
           (length > 2 && name >= length && !strncmp(at->predicate, of->sheet.name, length));
}

/* The sheet whose rows a column names; -1: none. */
int columns_referred(const columns *in, int own, const column *at)
{
    int best = -1;
    for (int step = 0; step < in->count && at->values.count > 0; step++) {
        const int s = (own + step) % in->count;
        const columned *of = columns_sheet(in, s);
        if (of->key < 0 || columns_at(of, of->key) == at)
            continue;
        const bool after = is_named_after(at, of);
        if (2 * count_names(at, of) < at->values.count ||
            (at->integers > 0 && !after && (is_dense(at) || count_names(at, of) < at->values.count)))
            continue;
        if (best < 0 || (after && !is_named_after(at, columns_sheet(in, best))))
            best = s;
    }
    return best;
}

/* Whether other columns of sheets without a key have at least half of its values. */
static bool is_woven(const columned *of, int c)
{
    const column *at = columns_at(of, c);
    for (int d = 0; d < of->sheet.columns; d++) {
        int shared = 0;
        for (int v = 0; v < at->values.count && d != c; v++) {
            const name_entry *value = names_at(&at->values, v);
            shared += names_find(&columns_at(of, d)->values, value->text, value->length, 0) >= 0;
        }
        if (at->values.count > 0 && 2 * shared >= at->values.count)
            return true;
    }
    return false;
}

static nlm_status refuse_number(const columns *in, const columned *of, size_t row, int c)
{
    const column *at = columns_at(of, c);
    const prolog_name cell = sheet_cell(&of->sheet, row, c);
    const message_name shown = message_cut(cell.text, cell.length);
    const char *comma = memchr(cell.text, ',', cell.length);
    const size_t rest = comma ? cell.length - (size_t)(comma - cell.text) - 1 : 0;
    if (comma && (memchr(comma, '.', rest + 1) || memchr(comma + 1, ',', rest)))
        return COLUMNS_REFUSE(in, of, row, "%s: %s is no number: thousands are written without a mark",
                              at->title, shown.text);
    if (comma && comma > cell.text && isdigit((unsigned char)comma[-1]))
        return COLUMNS_REFUSE(in, of, row,
                              "%s: %s is no number: a decimal point is written %.*s.%.*s, and thousands "
                              "without a mark",
                              at->title, shown.text, (int)(comma - cell.text), cell.text, (int)rest,
                              comma + 1);
    return COLUMNS_REFUSE(
        in, of, row,
        "%s: %s is no number, and %zu other fields of the column are: leave the field empty if it is not "
        "known%s, or --columns %s=constants",
        at->title, shown.text, at->integers + at->reals,
        row == 1 ? ", remove the row if it is a second one of titles" : "", at->title);
}

/* A column of numbers has nothing else. */
static nlm_status check_numbers(const columns *in, const columned *of, int c)
{
    for (size_t row = 1; row < of->sheet.rows; row++) {
        char space[COLUMNS_CELL], text[COLUMNS_CELL];
        const prolog_name cell = columns_value(of, row, c, space);
        double value;
        if (cell.length == 0)
            continue;
        if (columns_number(cell) == NUMBER_NONE)
            return refuse_number(in, of, row, c);
        memcpy(text, cell.text, cell.length);
        text[cell.length] = '\0';
        if (!number_read(text, &value))
            return COLUMNS_REFUSE(in, of, row,
                                  "%s: %s is beyond the numbers that can be read, at most 1.79e308: use "
                                  "another unit",
                                  columns_at(of, c)->title, message_cut(cell.text, cell.length).text);
    }
    return NLM_OK;
}

static nlm_status check_truths(const columns *in, const columned *of, int c)
{
    for (size_t row = 1; row < of->sheet.rows; row++) {
        char space[COLUMNS_CELL];
        const prolog_name cell = columns_value(of, row, c, space);
        if (cell.length > 0 && columns_truth(cell) < 0)
            return COLUMNS_REFUSE(
                in, of, row,
                "%s: %s is neither true nor false: write true or false, yes or no, or 1 or 0, "
                "and leave the field empty if it is not known",
                columns_at(of, c)->title, SHEET_SHOWN(cell));
    }
    return NLM_OK;
}

/* A decimal comma, or nan: fields that were meant to be numbers. */
static bool looks_numeric(prolog_name cell)
{
    bool digit = false;
    if (columns_is_word(cell, "nan") || columns_is_word(cell, "inf") || columns_is_word(cell, "-inf"))
        return true;
    for (size_t k = 0; k < cell.length; k++) {
        if (!isdigit((unsigned char)cell.text[k]) && !strchr(".,-+ ", cell.text[k]))
            return false;
        digit |= isdigit((unsigned char)cell.text[k]) != 0;
    }
    return digit;
}

/* $1,200 or 12%: a number, and a sign for its unit. */
static bool has_unit(prolog_name cell)
{
    static const char *const units[] = {"$", "%", "€", "£"};
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        const size_t length = strlen(units[u]);
        if (cell.length <= length)
            continue;
        const size_t rest = cell.length - length;
        if ((!memcmp(cell.text, units[u], length) &&
             looks_numeric((prolog_name){cell.text + length, rest})) ||
            (!memcmp(cell.text + rest, units[u], length) && looks_numeric((prolog_name){cell.text, rest})))
            return true;
    }
    return false;
}

/* Why a column of texts that are nearly all different does not count. */
static const char *reason_of(const columned *of, int c)
{
    const column *at = columns_at(of, c);
    size_t filled = 0, units = 0;
    for (size_t row = 1; row < of->sheet.rows; row++) {
        const prolog_name cell = sheet_cell(&of->sheet, row, c);
        filled += cell.length > 0;
        units += has_unit(cell);
    }
    return *at->reason                    ? at->reason
           : units > 0 && units == filled ? "numbers with a sign: write 1200 for $1,200, and 12 for 12%"
           : at->form == COLUMN_CODES     ? "codes, such as 00421, and nearly every row has another"
                                          : "nearly every row has another text";
}

/* How many such fields there are in a column that has a number, or a decimal comma. */
static size_t count_numeric(const columned *of, int c)
{
    if (columns_at(of, c)->form == COLUMN_CODES)
        return 0;
    size_t count = 0;
    bool any = columns_at(of, c)->integers + columns_at(of, c)->reals > 0;
    for (size_t row = 1; row < of->sheet.rows; row++) {
        const prolog_name cell = sheet_cell(&of->sheet, row, c);
        const bool numeric = looks_numeric(cell);
        count += numeric;
        any |= numeric && memchr(cell.text, ',', cell.length);
    }
    return any ? count : 0;
}

void columns_find_kind(const columns *in, int number, int c)
{
    const columned *of = columns_sheet(in, number);
    column *at = columns_at(of, c);
    const size_t filled = columns_rows(of) - at->blanks, values = (size_t)at->values.count;
    const size_t numbers = at->integers + at->reals;
    int before = 0; /* columns of objects in a sheet without a key */
    for (int b = 0; b < c; b++)
        before += columns_at(of, b)->kind == NLM_COLUMN_OBJECTS;
    const bool is_pair = of->key < 0 && before < 2;
    at->refers = columns_referred(in, number, at);
    if (filled == 0) {
        at->reason = "it is empty";
    } else if (at->truths[0] + at->truths[1] == filled && (at->integers == 0 || at->integers == filled)) {
        at->kind = NLM_COLUMN_TRUTH;
    } else if (filled - at->truths[0] - at->truths[1] <= 1 && filled > 10) {
        at->kind = NLM_COLUMN_TRUTH; /* the one that is neither is refused */
    } else if (at->refers >= 0 || (of->key < 0 && is_woven(of, c))) {
        at->kind = NLM_COLUMN_OBJECTS;
    } else if (at->reals > 0 || (numbers > 0 && !is_pair && numbers == filled) ||
               10 * count_numeric(of, c) >= 9 * filled || (numbers >= 3 && filled - numbers <= 2)) {
        at->kind = NLM_COLUMN_NUMBER;
    } else if (is_pair) {
        at->kind = NLM_COLUMN_OBJECTS;
    } else if (values <= MOST_CONSTANTS &&
               (2 * values <= filled || values == 1 || (values < filled && values <= FEW_CONSTANTS))) {
        at->kind = NLM_COLUMN_CONSTANTS;
    } else if (2 * values <= filled) {
        at->kind = NLM_COLUMN_OBJECTS;
    } else {
        at->reason = reason_of(of, c);
    }
}

/* ---- by a model ---- */

/* What a model's predicate with the name makes of a column; of `objects` objects. */
static nlm_column_kind kind_in_model(const nlm_signature *model, const char *name, int objects)
{
    const size_t length = strlen(name);
    for (int side = 0; side < SIGNATURE_SIDES; side++)
        for (int i = 0; i < model->count[side]; i++) {
            const nlm_predicate *predicate = signature_at(model, side, i);
            constant_parts parts;
            if (predicate->is_type)
                continue;
            if (constant_parts_read(predicate->name, &parts)) {
                if (parts.name.length == length && !memcmp(parts.name.text, name, length) &&
                    parts.objects == objects)
                    return NLM_COLUMN_CONSTANTS;
            } else if (!strcmp(predicate->name, name)) {
                if (predicate->arity == objects)
                    return NLM_COLUMN_TRUTH;
                if (predicate->arity == objects + 1)
                    return NLM_COLUMN_OBJECTS;
            }
        }
    return signature_find_attribute(model, name, objects + 1) >= 0 ? NLM_COLUMN_NUMBER : NLM_COLUMN_IGNORED;
}

/* How many objects the facts of a sheet without a key have in a model; 0: it has none. */
static int relation_in_model(const nlm_signature *model, const char *name)
{
    for (int side = 0; side < SIGNATURE_SIDES; side++)
        for (int i = 0; i < model->count[side]; i++)
            if (!signature_at(model, side, i)->is_type && !strcmp(signature_at(model, side, i)->name, name))
                return signature_at(model, side, i)->arity;
    return 0;
}

nlm_status columns_find_by_model(columns *in, columned *of)
{
    const nlm_signature *model = in->reading->signature;
    const int relation = relation_in_model(model, of->relation);
    int objects = 0;
    for (int c = 0; c < of->sheet.columns; c++) {
        column *at = columns_at(of, c);
        const nlm_column_kind kind = kind_in_model(model, at->predicate, relation > 1 ? relation : 1);
        if (at->is_asked)
            continue;
        at->kind = kind;
        at->reason = "the model does not know it";
        if (kind == NLM_COLUMN_IGNORED && relation > 1 && objects < relation) {
            at->kind = NLM_COLUMN_OBJECTS;
            objects++;
        } else if (kind == NLM_COLUMN_IGNORED && relation <= 1 && of->key < 0) {
            of->key = c;
            at->kind = NLM_COLUMN_KEY;
        }
    }
    if (relation > 1)
        return NLM_OK;
    if (of->key < 0)
        return COLUMNS_REFUSE(in, of, 0,
                              "no column names the rows: add one, such as the one that the model's examples "
                              "had, or --columns NAME=key");
    return columns_check_key(in, of);
}

nlm_status columns_check(columns *in, int number, int c)
{
    const columned *of = columns_sheet(in, number);
    const column *at = columns_at(of, c);
    return at->kind == NLM_COLUMN_NUMBER  ? check_numbers(in, of, c)
           : at->kind == NLM_COLUMN_TRUTH ? check_truths(in, of, c)
                                          : NLM_OK;
}
