/* Any bytes as a bias.pl: refused with a message of one line, or declarations that are in order. */
#include "fuzz.h"
#include "syntax/atom.h"
#include "facts/bias.h"

static void check_draft(const draft *in)
{
    for (int i = 0; i < in->head_count; i++)
        require(draft_at(in, ((const int *)in->heads.data)[i])->head);
    for (int i = 0; i < in->body_count; i++)
        require(draft_at(in, ((const int *)in->bodies.data)[i])->body);
    for (int p = 0; p < in->predicates.count; p++) {
        const name_entry *entry = names_at(&in->predicates, p);
        require(atom_is_predicate(entry->text, entry->length));
        require(entry->arity >= 0 && entry->arity <= NLM_MAX_FACT_ARITY);
        for (int k = 0; k < entry->arity && draft_at(in, p)->typed; k++)
            require(atom_is_plain(names_at(&in->types, draft_at(in, p)->type[k])->text));
    }
    require(in->notes.count <= 1);
    for (int i = 0; i < in->notes.count; i++)
        check_line(notes_at(&in->notes, i));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = copy_text(data, size);
    draft in;
    nlm_error error = {0};
    require(draft_start(&in, &error) == NLM_OK);
    if (bias_read(&in, text, size, "fuzz", &error)) {
        check_refusal(&error, "fuzz:");
    } else {
        check_draft(&in);
    }
    draft_free(&in);
    free(text);
    return 0;
}
