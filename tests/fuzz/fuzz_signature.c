/* Any bytes as the signature in a model's metadata: refused with a message of one line, or a signature whose
 * text reads as the same, and by which facts can be read. */
#include "fuzz.h"
#include "facts/problem.h"
#include "facts/fact_files.h"

static void check_text(const nlm_signature *signature)
{
    nlm_signature *again;
    const char *text, *same;
    require(nlm_signature_text(signature, &text, NULL) == NLM_OK);
    require(!strchr(text, '\n'));
    require(signature_parse(text, "fuzz", &again, NULL) == NLM_OK);
    require(nlm_signature_text(again, &same, NULL) == NLM_OK && !strcmp(text, same));
    nlm_signature_free(again);
}

static void check_predicate(const nlm_predicate *predicate)
{
    char text[40];
    require(predicate->arity >= 0 && predicate->arity <= NLM_MAX_FACT_ARITY);
    require(predicate->objects <= predicate->arity);
    nlm_predicate_text(predicate, text, sizeof text);
    for (int k = 0; k < predicate->arity; k++)
        require(predicate->place[k] >= 0 && predicate->place[k] < predicate->objects);
}

static void check_reading(const nlm_signature *signature)
{
    char facts[] =
        "p(a). p(a,b). p(a,a). p(a,b,c). p(a,a,b). q(a,b). q(b,b). r. object(c). object(c,t). s(a).";
    nlm_reading reading = {.signature = signature};
    nlm_problem *problem;
    draft in;
    require(draft_start(&in, NULL) == NLM_OK && draft_begin_world(&in, "", NULL) == NLM_OK);
    require(fact_files_text(&in, false, facts, sizeof facts - 1, "fuzz", NULL) == NLM_OK);
    nlm_status status = problem_of_draft(&in, &reading, "fuzz", &problem, NULL);
    require(status == NLM_OK || status == NLM_BAD_FILE); /* the latter if there are no objects */
    nlm_problem_free(problem);
    draft_free(&in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = copy_text(data, size);
    nlm_signature *signature;
    nlm_error error = {0};
    if (signature_parse(text, "fuzz", &signature, &error)) {
        require(signature == NULL);
        check_refusal(&error, "fuzz:");
    } else {
        for (int i = 0; i < nlm_signature_inputs(signature); i++)
            check_predicate(nlm_signature_input(signature, i));
        for (int t = 0; t < nlm_signature_targets(signature); t++)
            check_predicate(nlm_signature_target(signature, t));
        check_text(signature);
        check_reading(signature);
    }
    nlm_signature_free(signature);
    free(text);
    return 0;
}
