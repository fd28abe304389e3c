/* Any bytes as a table with a row of titles: refused with a message of one line, or a problem with a
 * description of each column, which can be read again by its own signature.  The first byte says what is
 * asked of columns. */
#include "fuzz.h"
#include "facts/table_columns.h"
#include "facts/problem.h"

static const char *const asked[][2] = {{"a=key"},    {"b=constants"}, {"b=objects"},
                                       {"c=number"}, {"c=truth"},     {"a=ignore"}};
static const char *const targets[] = {"c"};

/* NULL if it is refused. */
static nlm_problem *read_sheet(const uint8_t *data, size_t size, const nlm_reading *reading, bool tabs)
{
    draft in;
    nlm_problem *problem = NULL;
    nlm_error error = {0};
    buffer content = {0};
    sheet added = {0};
    columns all = {.draft = &in, .reading = reading, .error = &error};
    nlm_status status = draft_start(&in, &error);
    require(!status && !buffer_reserve(&content, size + 1, 1, false));
    if (size > 0)
        memcpy(content.data, data, size);
    ((char *)content.data)[size] = '\0';
    require(!draft_begin_world(&in, "", &error));
    status = sheet_read(&added, &content, size, "fuzz", "fuzz", tabs, &error);
    if (!status && added.rows > 0 && sheet_starts_with(&added) != SHEET_DATA) {
        status = columns_add(&all, &added, 0);
        if (!status)
            status = columns_find(&all);
        if (!status)
            status = columns_write(&all, 0);
        if (!status)
            status = problem_of_draft(&in, reading, "fuzz", &problem, &error);
        if (status)
            check_line(error.message);
    } else if (status) {
        check_refusal(&error, "fuzz");
    }
    if (problem)
        require(nlm_problem_columns(problem) == columns_sheet(&all, 0)->sheet.columns);
    sheet_free(&added);
    columns_free(&all);
    buffer_free(&content);
    draft_free(&in);
    return problem;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > 20000)
        return 0;
    const int which = data[0] % 16;
    nlm_reading reading = {0};
    if (which < (int)(sizeof asked / sizeof *asked)) {
        reading.columns = asked[which];
        reading.column_count = 1;
    } else if (which == 8) {
        reading.targets = targets;
        reading.target_count = 1;
    }
    nlm_problem *problem = read_sheet(data + 1, size - 1, &reading, which == 9);
    if (problem) {
        const nlm_reading again = {.signature = nlm_problem_signature(problem)};
        nlm_problem_free(read_sheet(data + 1, size - 1, &again, which == 9));
    }
    nlm_problem_free(problem);
    return 0;
}
