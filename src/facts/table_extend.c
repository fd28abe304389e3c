/* A table written again, with fields added to its rows. */
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "facts/problem.h"
#include "facts/sheet.h"

/* In quotes where it must be: a field of CSV with the separator, a quote, an end of line, or a space at an
 * end; in TSV nothing has quotes, and tabs and ends of lines become spaces. */
static void put_field(FILE *stream, const char *text, size_t length, char separator)
{
    bool quotes = length > 0 && (text[0] == ' ' || text[length - 1] == ' ');
    for (size_t k = 0; k < length; k++)
        quotes |= text[k] == separator || text[k] == '"' || text[k] == '\n' || text[k] == '\r';
    quotes &= separator != '\t';
    if (quotes)
        fputc('"', stream);
    for (size_t k = 0; k < length; k++) {
        const bool breaks = separator == '\t' && strchr("\t\r\n", text[k]) != NULL;
        if (quotes && text[k] == '"')
            fputc('"', stream);
        fputc(breaks ? ' ' : text[k], stream);
    }
    if (quotes)
        fputc('"', stream);
}

struct extending {
    const sheet *from;
    FILE *stream;
    int key, count;
    nlm_table_filler fill;
    void *context;
    buffer name;  /* of the object of a row, ended by 0 */
    buffer added; /* const char * */
};

static nlm_status extend_row(struct extending *in, size_t row, nlm_error *error)
{
    const prolog_name key = sheet_cell(in->from, row, in->key);
    if (buffer_reserve(&in->name, key.length + 1, 1, false))
        return error_no_memory(error);
    char *name = in->name.data;
    memcpy(name, key.text, key.length);
    name[key.length] = '\0';
    const char **added = in->added.data;
    for (int a = 0; a < in->count; a++)
        added[a] = "";
    const nlm_status status = in->fill(in->context, row == 0 ? NULL : name, added, error);
    if (status)
        return status;
    for (int c = 0; c < in->from->columns; c++) {
        const prolog_name value = sheet_field(in->from, row, c)->value;
        if (c > 0)
            fputc(in->from->separator, in->stream);
        put_field(in->stream, value.text, value.length, in->from->separator);
    }
    for (int a = 0; a < in->count; a++) {
        fputc(in->from->separator, in->stream);
        put_field(in->stream, added[a], strlen(added[a]), in->from->separator);
    }
    fputs("\r\n" + !in->from->returns, in->stream);
    return NLM_OK;
}

bool nlm_problem_is_table(const nlm_problem *problem)
{
    return problem && problem->table;
}

nlm_status nlm_table_extend(FILE *stream, const nlm_problem *problem, int count, nlm_table_filler fill,
                            void *context, nlm_error *error)
{
    REQUIRE(stream && problem && fill && count >= 0, error);
    if (!nlm_problem_is_table(problem))
        return error_set(error, NLM_BAD_ARGUMENT,
                         "the facts are not those of one table with a column that names the rows");
    const sheet *from = problem->table;
    struct extending in = {.from = from,
                           .stream = stream,
                           .key = problem->table_key,
                           .count = count,
                           .fill = fill,
                           .context = context};
    nlm_status status =
        buffer_reserve(&in.added, (size_t)count, sizeof(char *), false) ? error_no_memory(error) : NLM_OK;
    for (size_t row = 0; row < from->rows && !status; row++)
        status = extend_row(&in, row, error);
    if (!status && (fflush(stream) || ferror(stream)))
        status = error_set(error, NLM_IO_ERROR, "the table could not be written");
    buffer_free(&in.name);
    buffer_free(&in.added);
    return status;
}
