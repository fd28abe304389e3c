/* A reader of one form of facts: any bytes are refused with a message of one line, or are facts of one world.
 */
#ifndef TESTS_FUZZ_FACT_READER_H
#define TESTS_FUZZ_FACT_READER_H

#include "facts/draft.h"
#include "fuzz.h"

typedef nlm_status (*fact_reader)(draft *to, char *text, size_t size, const char *file, nlm_error *error);

/* Facts have `least` to `most` arguments, none of which has more than `length` bytes.  Returns their number.
 */
static inline size_t check_reader(fact_reader read, const uint8_t *data, size_t size, int least, int most,
                                  size_t length)
{
    draft in;
    nlm_error error = {0};
    char *text = copy_text(data, size);
    require(!draft_start(&in, &error) && !draft_begin_world(&in, "", &error));
    const nlm_status status = read(&in, text, size, "fuzz", &error);
    size_t facts = 0, at = 0;
    for (draft_statement fact; draft_next(&in, draft_world_at(&in, 0), &at, &fact); facts++) {
        require(fact.kind == DRAFT_FACT && fact.arity >= least && fact.arity <= most);
        for (int k = 0; k < fact.arity; k++)
            require(names_at(&in.atoms, fact.atoms[k])->length <= length);
    }
    for (int n = 0; n < in.notes.count; n++)
        check_line(notes_at(&in.notes, n));
    if (status)
        check_refusal_or_memory(&error, "fuzz");
    draft_free(&in);
    free(text);
    return facts;
}

#endif
