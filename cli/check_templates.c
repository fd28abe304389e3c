/* nlm check: what differentiable ILP would make of the templates beside the facts. */
#include <stdio.h>
#include <unistd.h>
#include "check.h"
#include "nlm/tools.h"
#include "read_facts.h"

enum { PATH_MOST = 4096 };

/* The pairs of clauses that would be weighed; false with an error. */
static bool count_pairs(const check *of, const char *path, size_t *pairs, nlm_error *error)
{
    nlm_settings training;
    nlm_run *run = NULL;
    nlm_templates *templates = NULL;
    nlm_status status = nlm_settings_of_problem(of->problem, NULL, NLM_PROTOCOL_PAPER, &training, error);
    if (status == NLM_OK) {
        status = nlm_settings_choose_model(&training, "dilp", path, &templates, error);
        nlm_error cause;
        if (status == NLM_OK && (status = nlm_run_new(&training, NULL, &run, &cause)) != NLM_OK)
            snprintf(error->message, sizeof error->message, "%.200s: %.300s", path, cause.message);
    }
    if (status == NLM_OK)
        *pairs = nlm_machine_parameters(nlm_run_machine(run));
    nlm_run_free(run);
    nlm_templates_free(templates);
    return status == NLM_OK;
}

void check_templates(const check *of)
{
    char path[PATH_MOST], count[NLM_NUMBER_TEXT];
    nlm_error error;
    size_t pairs;
    problem_templates(of->argument, path, sizeof path);
    if (access(path, F_OK) != 0 || !nlm_problem_labelled(of->problem))
        return;
    const bool good = count_pairs(of, path, &pairs, &error);
    if (of->json) {
        fputs(", \"templates\": {\"file\": ", stdout);
        nlm_json_text(stdout, path);
        if (good)
            printf(", \"pairs\": %zu}", pairs);
        else {
            fputs(", \"error\": ", stdout);
            nlm_json_text(stdout, error.message);
            putchar('}');
        }
    } else if (good) {
        printf("\n%s: 'nlm train --model dilp' weighs %s pair%s of clauses\n", path,
               nlm_count_text(pairs, count), pairs == 1 ? "" : "s");
    } else {
        printf("\nwarning: %s\n", error.message);
    }
}
