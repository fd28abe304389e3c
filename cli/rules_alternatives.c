/* Other programs that agree with all examples of a model. */
#include "rules_alternatives.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "message.h"

/* Those that are as long as the program, or shorter, with what tells them from it. */
static nlm_status print_small(const nlm_alternatives *all, int literals, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int i = 0; i < nlm_alternatives_count(all) && status == NLM_OK; i++) {
        const nlm_alternative *one = nlm_alternatives_at(all, i);
        if (one->size.literals > literals)
            continue;
        printf("\n%% %d literals", one->size.literals);
        if (one->words[0] != '\0')
            printf("; no example had %s", one->words);
        putchar('\n');
        status = nlm_program_print(stdout, one->rules, NLM_CLAUSES, error);
    }
    return status;
}

/* Each case of the longer ones once. */
static void print_cases(const nlm_alternatives *all, int literals)
{
    for (int i = 0; i < nlm_alternatives_count(all); i++) {
        const nlm_alternative *one = nlm_alternatives_at(all, i);
        bool is_new = one->size.literals > literals && one->words[0] != '\0';
        for (int k = 0; k < i; k++)
            is_new &= strcmp(nlm_alternatives_at(all, k)->words, one->words) != 0;
        if (is_new)
            printf("%%   %s\n", one->words);
    }
}

static nlm_status print_clauses_of_all(const nlm_alternatives *all, int literals, nlm_error *error)
{
    int small = 0;
    for (int i = 0; i < nlm_alternatives_count(all); i++)
        small += nlm_alternatives_at(all, i)->size.literals <= literals;
    const int longer = nlm_alternatives_count(all) - small;
    printf("%% %d other program%s of at most %d literals, as many as the model's has, agree%s with all of\n"
           "%% %ld example worlds.\n",
           small, plural(small), literals, small == 1 ? "s" : "", nlm_alternatives_worlds(all));
    const nlm_status status = print_small(all, literals, error);
    if (longer > 0)
        printf("\n%% %d longer one%s, since no example had\n", longer, plural(longer));
    print_cases(all, literals);
    return status;
}

static nlm_status print_alternative_json(const nlm_signature *signature, const nlm_alternative *one,
                                         nlm_error *error)
{
    char *rules = NULL;
    const nlm_status status = nlm_program_text(one->rules, NLM_CLAUSES, &rules, error);
    if (status == NLM_OK)
        json_print(stdout, "{\"target\": %s, \"literals\": %d, \"rules\": %s, \"no_example_had\": %s}\n",
                   nlm_signature_target(signature, one->target)->name, one->size.literals, rules, one->words);
    free(rules);
    return status;
}

static nlm_status print_all(const char *model, const nlm_machine *machine, bool json,
                            const nlm_alternatives *all, nlm_error *error)
{
    nlm_program *program = NULL;
    nlm_signature *signature = NULL;
    nlm_status status = nlm_signature_of_model(machine, model, &signature, error);
    for (int i = 0; i < nlm_alternatives_count(all) && json && status == NLM_OK; i++)
        status = print_alternative_json(signature, nlm_alternatives_at(all, i), error);
    nlm_signature_free(signature);
    if (status != NLM_OK || json)
        return status;
    status = nlm_program_in(machine, model, &program, error);
    if (status == NLM_OK)
        status = print_clauses_of_all(all, nlm_program_measure(program).literals, error);
    nlm_program_free(program);
    return status;
}

nlm_status print_alternatives(const char *model, const nlm_machine *machine, bool json, nlm_error *error)
{
    nlm_alternatives *all;
    nlm_status status = nlm_alternatives_in(machine, model, &all, error);
    if (status == NLM_OK && all == NULL)
        return message_fill(
            error, NLM_BAD_ARGUMENT,
            "%.200s: what its examples leave open is not known: the model has no alternatives", model);
    if (status == NLM_OK)
        status = print_all(model, machine, json, all, error);
    nlm_alternatives_free(all);
    return status;
}
