/* Learns from the labels in a folder or table, and prints what follows from other facts, and the rule. */
#include <stdio.h>
#include <stdlib.h>
#include <nlm/nlm.h>

static nlm_status print(void *context, const nlm_conclusion *conclusion, nlm_error *error)
{
    (void)context, (void)error;
    return printf("%.2f  %s\n", conclusion->probability, conclusion->text) < 0 ? NLM_IO_ERROR : NLM_OK;
}

int main(int count, char **paths)
{
    nlm_model *model = NULL;
    nlm_error error = {0};
    char *rules = NULL;
    nlm_status status = nlm_learn(count > 2 ? paths[1] : "examples/people/people.csv", NULL, &model, &error);
    if (!status)
        status =
            nlm_conclude(model, count > 2 ? paths[2] : "examples/people/new.csv", 0.5, print, NULL, &error);
    if (!status)
        status = nlm_model_rules(model, NLM_CLAUSES, &rules, &error);
    fputs(status ? error.message : rules, status ? stderr : stdout);
    free(rules);
    nlm_model_free(model);
    return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
