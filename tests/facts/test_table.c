/* Tables: rows of CSV and TSV, and what is refused. */
#include "facts/files.h"
#include "facts/table.h"

/* All rows, fields between | and rows after their line, or why the text is refused. */
static const char *read_table(const char *text, bool tabs)
{
    static char result[1024];
    size_t size = strlen(text);
    char *copy = strdup(text);
    table in;
    prolog_fact row;
    bool found = true;
    nlm_error error = {0};
    FILE *out = fmemopen(result, sizeof result, "w");
    nlm_status status = table_start(&in, copy, size, "t.csv", tabs, &error);
    while (!status && !(status = table_next(&in, &row, &found, &error)) && found) {
        fprintf(out, "%zu:", row.line);
        for (int k = 0; k < row.arity; k++)
            fprintf(out, "%s%.*s", k ? "|" : "", (int)row.argument[k].length, row.argument[k].text);
        fprintf(out, " ");
    }
    fclose(out);
    table_free(&in);
    if (status)
        snprintf(result, sizeof result, "%s", error.message);
    free(copy);
    return result;
}

struct text {
    const char *text, *result;
};

static void rows_of_csv_are_read(void **state)
{
    (void)state;
    static const struct text texts[] = {
        {"", ""},
        {"\n\r\n\n", ""},
        {"a,b\nc,d\n", "1:a|b 2:c|d "},
        {"a,b\r\n\r\nc,d", "1:a|b 3:c|d "},
        {"\xEF\xBB\xBFhomer\nbart\n", "1:homer 2:bart "},
        {"\"a\",\"b,c\"\n\"d \"\"e\"\"\",f", "1:a|b,c 2:d \"e\"|f "},
        {"\"two\nlines\",x\ny,z", "1:two\nlines|x 3:y|z "},
        {"# no comment\n", "1:# no comment "},
        {"'a',b c,-1.5,\tx", "1:'a'|b c|-1.5|\tx "},
        {"\" a \",b", "1: a |b "},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_string_equal(read_table(texts[i].text, false), texts[i].result);
}

static void rows_of_tsv_are_read(void **state)
{
    (void)state;
    static const struct text texts[] = {
        {"a\tb\nc\td\n", "1:a|b 2:c|d "},
        {"\"a\"\tb,c\r\n d \te", "1:\"a\"|b,c 2: d |e "},
        {"a\t", "t.csv:1: an empty field: every field names an object"},
        {"a\tb\tc\td\te", "t.csv:1: more than 4 fields: at most 4 are supported"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_string_equal(read_table(texts[i].text, true), texts[i].result);
}

static void bad_rows_are_refused(void **state)
{
    (void)state;
    static const struct text texts[] = {
        {"a,b\n\nc\n", "t.csv:3: a row of 1 field, the first row has 2"},
        {"a\nb,c\n", "t.csv:2: a row of 2 fields, the first row has 1"},
        {"a,\n", "t.csv:1: an empty field: every field names an object"},
        {",a\n", "t.csv:1: an empty field: every field names an object"},
        {"\"\",a\n", "t.csv:1: an empty field: every field names an object"},
        {"a, b\n", "t.csv:1: a field begins or ends with a space: remove it, or put the field in quotes"},
        {"a ,b\n", "t.csv:1: a field begins or ends with a space: remove it, or put the field in quotes"},
        {"a,b\n\"c,d\ne,f\n", "t.csv:2: a quoted field that begins in this row does not end"},
        {"\"a\"b,c\n", "t.csv:1: text after a quoted field: a quote inside quotes is written twice"},
        {"a\"b,c\n", "t.csv:1: a quote inside a field: put the field in quotes and write the quote twice"},
        {"a,b\rc,d\n", "t.csv:1: a carriage return inside a line: lines end in LF or CR LF"},
        {"a,b,c,d,e\n", "t.csv:1: more than 4 fields: at most 4 are supported"},
        {"a,b\n\xE9,c", "t.csv:2: byte 0xE9 is not UTF-8: convert the file to UTF-8"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_string_equal(read_table(texts[i].text, false), texts[i].result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_csv_are_read),
        cmocka_unit_test(rows_of_tsv_are_read),
        cmocka_unit_test(bad_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
