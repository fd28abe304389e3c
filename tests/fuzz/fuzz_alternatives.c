/* Any bytes as the alternatives of a model: refused with a message of one line, or a bounded number of
 * programs that are written and read again as the same text. */
#include "fuzz.h"
#include "logic/alternatives.h"
#include "nlm/task.h"

static int never_holds(const nlm_program *program)
{
    return program && program_at(program, program->target[0])->body == FORMULA_FALSE;
}

/* Clauses cannot say of a target that it never holds. */
static void check_written(const nlm_alternatives *made, const nlm_signature *signature)
{
    nlm_alternatives *again;
    char *text;
    for (int i = 0; i < nlm_alternatives_count(made); i++) {
        const nlm_alternative *one = nlm_alternatives_at(made, i);
        require(one->target == 0 && one->rules && one->words);
        if (never_holds(one->rules) || never_holds(one->differ))
            return;
    }
    require(alternatives_text(made, &text, NULL) == NLM_OK);
    if (alternatives_parse(text, "fuzz", signature, &again, NULL) == NLM_OK) {
        require(nlm_alternatives_count(again) == nlm_alternatives_count(made));
        nlm_alternatives_free(again);
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    nlm_signature *signature;
    nlm_alternatives *made;
    nlm_error error = {0};
    char *text = copy_text(data, size);
    require(nlm_signature_of_task(nlm_task_find("has-father"), &signature, NULL) == NLM_OK);
    if (alternatives_parse(text, "fuzz", signature, &made, &error) == NLM_OK) {
        check_written(made, signature);
        nlm_alternatives_free(made);
    } else {
        require(made == NULL);
        check_refusal(&error, "fuzz: metadata 'alternatives'");
    }
    nlm_signature_free(signature);
    free(text);
    return 0;
}
