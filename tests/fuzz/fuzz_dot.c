/* Any bytes as a graph in DOT: refused with a message of one line, or facts about names of the text. */
#include "fuzz.h"
#include "facts/dot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    draft in;
    nlm_error error = {0};
    char *text = copy_text(data, size);
    require(!draft_start(&in, &error) && !draft_begin_world(&in, "", &error));
    nlm_status status = dot_read(&in, text, size, "fuzz", &error);
    size_t at = 0;
    for (draft_statement fact; draft_next(&in, draft_world_at(&in, 0), &at, &fact);) {
        require(fact.kind == DRAFT_FACT && fact.arity >= 1 && fact.arity <= 3);
        for (int k = 0; k < fact.arity; k++)
            require(names_at(&in.atoms, fact.atoms[k])->length <= size);
    }
    for (int n = 0; n < in.notes.count; n++)
        check_line(notes_at(&in.notes, n));
    if (status)
        check_refusal_or_memory(&error, "fuzz");
    draft_free(&in);
    free(text);
    return 0;
}
