/* Any bytes as a bias.pl: refused with a message of one line, or declarations that are in order. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "syntax/atom.h"
#include "facts/bias.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A broken promise must stop the run in any build, so not assert(). */
static void require(int holds)
{
    if (!holds)
        abort();
}

static void check_line(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        require(*c >= ' ' && *c != 0x7F);
}

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
    char *text = malloc(size + 1);
    draft in;
    nlm_error error = {0};
    require(text && draft_start(&in, &error) == NLM_OK);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    if (bias_read(&in, text, size, "fuzz", &error)) {
        require(error.status == NLM_BAD_FILE && !strncmp(error.message, "fuzz:", 5));
        check_line(error.message);
    } else {
        check_draft(&in);
    }
    draft_free(&in);
    free(text);
    return 0;
}
