/* Any bytes as the rows of a model's program: refused with a message of one line, or counts that are written
 * and read again as the same text, and two programs that enclose the model's. */
#include "fuzz.h"
#include "logic/seen_rows.h"

static const char rules[] = "p(X) :- a(X), \\+ b(X).\np(X) :- e(X, Y), c(Y), b(Y).";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    nlm_program *program;
    rows *made, *again;
    nlm_error error = {0};
    char *text = copy_text(data, size), *written, *same;
    formula least, most, cases[ROWS_MOST_CASES];
    int count;
    require(nlm_program_parse(rules, sizeof rules - 1, "rules", NULL, &program, NULL) == NLM_OK);
    if (rows_parse(text, "fuzz", program, &made, &error) == NLM_OK) {
        require(rows_text(made, &written, NULL) == NLM_OK);
        require(rows_parse(written, "fuzz", program, &again, NULL) == NLM_OK);
        require(rows_text(again, &same, NULL) == NLM_OK && !strcmp(written, same));
        require(rows_bounds(made, 0, &least, &most, NULL) == NLM_OK);
        require(rows_cases(made, 0, cases, &count, NULL) == NLM_OK && count <= ROWS_MOST_CASES);
        rows_free(made);
        rows_free(again);
        free(written);
        free(same);
    } else {
        require(made == NULL);
        check_refusal(&error, "fuzz: metadata 'rules_seen'");
    }
    nlm_program_free(program);
    free(text);
    return 0;
}
