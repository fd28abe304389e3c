/* Any bytes as JSON Lines of facts: refused with a message of one line, or no more facts than lines. */
#include "fuzz.h"
#include "facts/json_facts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    draft in;
    nlm_error error = {0};
    char *text = copy_text(data, size);
    require(!draft_start(&in, &error) && !draft_begin_world(&in, "", &error));
    nlm_status status = json_facts_read(&in, text, size, "fuzz", &error);
    size_t lines = 1, facts = 0, at = 0;
    for (size_t k = 0; k < size; k++)
        lines += data[k] == '\n';
    for (draft_statement fact; draft_next(&in, draft_world_at(&in, 0), &at, &fact); facts++)
        require(fact.kind == DRAFT_FACT && fact.arity <= PROLOG_MOST_ARGUMENTS);
    require(facts <= lines);
    for (int n = 0; n < in.notes.count; n++)
        check_line(notes_at(&in.notes, n));
    if (status)
        check_refusal_or_memory(&error, "fuzz");
    draft_free(&in);
    free(text);
    return 0;
}
