/* Tables: rows of CSV and TSV, read in place.
 *
 * Invariant: between rows `at` is at the beginning of line `line`, or at the 0 that ends the text. */
#include "facts/table.h"

#include <string.h>
#include "base/error.h"
#include "syntax/atom.h"
#include "syntax/reading_message.h"

nlm_status table_start(table *in, char *text, size_t size, const char *file, bool tabs, nlm_error *error)
{
    *in = (table){.file = file, .at = text, .line = 1, .separator = tabs ? '\t' : ',', .quotes = !tabs};
    nlm_status status = atom_check_text(text, size, file, error);
    if (!status && size >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3))
        in->at += 3;
    return status;
}

void table_free(table *in)
{
    buffer_free(&in->fields);
}

static nlm_status refuse(const table *in, nlm_error *error, const char *reason)
{
    return message_refuse(error, in->file, in->line, "%s", reason);
}

/* ---- fields ---- */

/* Bytes of the end of a line: LF, CR LF, or nothing at the end of the text; -1 if it goes on. */
static int line_break(const char *at)
{
    if (*at == '\0')
        return 0;
    if (*at == '\n')
        return 1;
    return at[0] == '\r' && at[1] == '\n' ? 2 : -1;
}

static bool field_ends(const table *in)
{
    return *in->at == in->separator || line_break(in->at) >= 0;
}

static nlm_status read_quoted(table *in, prolog_name *field, nlm_error *error)
{
    char *out = ++in->at;
    size_t breaks = 0;
    field->text = out;
    for (;; in->at++) {
        if (*in->at == '\0')
            return refuse(in, error, "a quoted field that begins in this row does not end");
        if (*in->at == '"' && *++in->at != '"')
            break;
        breaks += *in->at == '\n';
        *out++ = *in->at;
    }
    field->length = (size_t)(out - field->text);
    if (!field_ends(in))
        return refuse(in, error, "text after a quoted field: a quote inside quotes is written twice");
    in->line += breaks;
    return NLM_OK;
}

static nlm_status read_plain(table *in, prolog_name *field, nlm_error *error)
{
    char *begin = in->at;
    for (; !field_ends(in); in->at++) {
        if (*in->at == '\r')
            return refuse(in, error, "a carriage return inside a line: lines end in LF or CR LF");
        if (*in->at == '"' && in->quotes)
            return refuse(in, error,
                          "a quote inside a field: put the field in quotes and write the quote twice");
    }
    *field = (prolog_name){begin, (size_t)(in->at - begin)};
    return NLM_OK;
}

/* ---- rows ---- */

static nlm_status read_fields(table *in, nlm_error *error)
{
    in->count = 0;
    for (bool more = true; more;) {
        if (in->count == TABLE_MOST_FIELDS)
            return message_refuse(error, in->file, in->row_line,
                                  "a row of more than %d fields: that many are supported; leave out columns, "
                                  "or write a row for each object",
                                  TABLE_MOST_FIELDS);
        if (buffer_reserve(&in->fields, (size_t)in->count + 1, sizeof(table_field), true))
            return error_no_memory(error);
        table_field *field = (table_field *)in->fields.data + in->count++;
        field->quoted = in->quotes && *in->at == '"';
        nlm_status status =
            field->quoted ? read_quoted(in, &field->value, error) : read_plain(in, &field->value, error);
        if (status)
            return status;
        more = *in->at == in->separator;
        in->at += more;
    }
    return NLM_OK;
}

nlm_status table_row(table *in, bool *found, nlm_error *error)
{
    for (int bytes; (bytes = line_break(in->at)) > 0; in->line++)
        in->at += bytes;
    *found = *in->at != '\0';
    if (!*found)
        return NLM_OK;
    in->row_line = in->line;
    nlm_status status = read_fields(in, error);
    if (status)
        return status;
    int bytes = line_break(in->at);
    in->at += bytes;
    in->line += bytes > 0;
    return NLM_OK;
}

/* ---- facts ---- */

static nlm_status check_field(const char *file, size_t line, const table_field *field, bool quotes,
                              nlm_error *error)
{
    const prolog_name value = field->value;
    if (value.length == 0)
        return message_refuse(error, file, line, "an empty field: every field names an object");
    if (quotes && !field->quoted && (value.text[0] == ' ' || value.text[value.length - 1] == ' '))
        return message_refuse(error, file, line,
                              "a field begins or ends with a space: remove it, or put the field in quotes");
    return NLM_OK;
}

nlm_status table_fact(const char *file, size_t line, const table_field *fields, int count, bool quotes,
                      prolog_fact *row, nlm_error *error)
{
    row->line = line;
    row->arity = 0;
    nlm_status status = NLM_OK;
    for (int k = 0; k < count && !status; k++) {
        status = check_field(file, line, &fields[k], quotes, error);
        if (!status && k == PROLOG_MOST_ARGUMENTS)
            status = message_refuse(error, file, line, "more than %d fields: at most %d are supported",
                                    PROLOG_MOST_ARGUMENTS, PROLOG_MOST_ARGUMENTS);
        if (!status)
            row->argument[row->arity++] = fields[k].value;
    }
    return status;
}

nlm_status table_next(table *in, prolog_fact *row, bool *found, nlm_error *error)
{
    nlm_status status = table_row(in, found, error);
    if (status || !*found)
        return status;
    status = table_fact(in->file, in->row_line, in->fields.data, in->count, in->quotes, row, error);
    if (status)
        return status;
    if (in->arity == 0)
        in->arity = row->arity;
    if (row->arity != in->arity)
        return message_refuse(error, in->file, row->line, "a row of %d field%s, the first row has %d",
                              row->arity, row->arity == 1 ? "" : "s", in->arity);
    return NLM_OK;
}
