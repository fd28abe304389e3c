/* Any bytes as a table, CSV or TSV by the first byte: refused with a message of one line, or rows that all
 * have as many fields, none of them empty. */
#include "fuzz.h"
#include "facts/table.h"

/* Returns the number of rows. */
static size_t read_table(char *text, size_t size, bool tabs)
{
    table in;
    prolog_fact row = {0};
    nlm_error error = {0};
    bool found = true;
    size_t rows = 0, line = 0;
    nlm_status status = table_start(&in, text, size, "fuzz", tabs, &error);
    while (!status && !(status = table_next(&in, &row, &found, &error)) && found) {
        require(row.arity == in.arity && row.arity >= 1 && row.arity <= PROLOG_MOST_ARGUMENTS);
        require(row.line > line);
        line = row.line;
        for (int k = 0; k < row.arity; k++) {
            require(row.argument[k].length > 0 && row.argument[k].text >= text);
            require(row.argument[k].text + row.argument[k].length <= text + size);
            require(!tabs || !memchr(row.argument[k].text, '\t', row.argument[k].length));
        }
        rows++;
    }
    table_free(&in);
    if (status)
        check_refusal(&error, "fuzz:");
    return rows;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    char *text = copy_text(data + 1, size - 1);
    require(read_table(text, size - 1, data[0] == 't') <= size);
    free(text);
    return 0;
}
