/* The program of a run that has graduated, and its cross-validation: the last part of a run with files.
 *
 * The model of the trained machine is on the disk before the search begins.  A run that is stopped in the
 * search and resumed finds that model, and begins the search again: it takes less than a minute, and the same
 * machine gives the same program. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "infer/model_program.h"
#include "infer/seen_classes.h"
#include "learn/count_classes.h"
#include "learn/picture_rules.h"
#include "learn/rule_search.h"
#include "learn/run.h"
#include "learn/validation.h"
#include "machine/model_file.h"
#include "nlm/rules.h"

#define NO_RULES_KEY "no_rules"          /* metadata: why a search found no program */
#define VALIDATED_KEY "cross_validation" /* true labels asked and wrong, false labels asked and wrong */
enum { VALIDATED_TEXT = 100 };

/* From a model that anyone may have written: what is not four numbers, none larger than it can be, is
 * nothing. */
static nlm_answers recall_validated(const nlm_machine *machine)
{
    const char *text = nlm_machine_metadata(machine, VALIDATED_KEY);
    uint64_t number[4];
    for (int i = 0; i < 4; i++) {
        if (!text || !run_get_digits(&text, &number[i]) || *text != (i < 3 ? ' ' : '\0'))
            return (nlm_answers){0};
        text++;
    }
    if (number[1] > number[0] || number[3] > number[2] || number[0] > SIZE_MAX || number[2] > SIZE_MAX)
        return (nlm_answers){0};
    return (nlm_answers){(size_t)number[0], (size_t)number[1], (size_t)number[2], (size_t)number[3]};
}

/* The trained machine's metadata and four of the end; their number.  `pairs` is to be freed. */
static nlm_status collect_metadata(const nlm_run *run, const char *classes, char validated[VALIDATED_TEXT],
                                   const char ***pairs, int *count, nlm_error *error)
{
    const nlm_machine *trained = run->trained;
    *count = 0;
    *pairs = memory_new((size_t)trained->metadata_pairs + 4, 2 * sizeof **pairs);
    if (!*pairs)
        return error_no_memory(error);
    for (int i = 0; i < trained->metadata_pairs; i++)
        if (!model_is_own_key(trained->metadata[2 * i])) {
            /* a run that ends with clauses has learned */
            const bool ends = run->clauses && strcmp(trained->metadata[2 * i], "graduated") == 0;
            (*pairs)[2 * *count] = trained->metadata[2 * i];
            (*pairs)[2 * (*count)++ + 1] = ends ? "yes" : trained->metadata[2 * i + 1];
        }
    if (*run->no_rules) {
        (*pairs)[2 * *count] = NO_RULES_KEY;
        (*pairs)[2 * (*count)++ + 1] = run->no_rules;
    }
    if (classes) {
        (*pairs)[2 * *count] = CLASSES_KEY;
        (*pairs)[2 * (*count)++ + 1] = classes;
    }
    if (run->clauses == RULE_CLAUSES_EXACT) {
        (*pairs)[2 * *count] = CLAUSES_KEY;
        (*pairs)[2 * (*count)++ + 1] = "yes";
    }
    if (run->validated.positives + run->validated.negatives > 0) {
        const nlm_answers *answers = &run->validated;
        snprintf(validated, VALIDATED_TEXT, "%zu %zu %zu %zu", answers->positives, answers->wrong_positives,
                 answers->negatives, answers->wrong_negatives);
        (*pairs)[2 * *count] = VALIDATED_KEY;
        (*pairs)[2 * (*count)++ + 1] = validated;
    }
    return NLM_OK;
}

nlm_status run_save_rules(nlm_run *run, nlm_error *error)
{
    const char **pairs, *path = run->files.model;
    char validated[VALIDATED_TEXT];
    char *classes = NULL;
    int count = 0;
    nlm_status status = NLM_OK;
    pairs = NULL;
    if (*run->no_rules && run->settings.game == NULL && !picture_rules_meant(&run->settings))
        status = count_classes(run->trained, &run->settings, &run->options, &classes, error);
    if (!status)
        status = collect_metadata(run, classes, validated, &pairs, &count, error);
    if (!status)
        status = *run->no_rules ? nlm_machine_save(run->trained, path, pairs, count, error)
                                : nlm_rule_search_save(run->search, path, pairs, count, error);
    memory_free(pairs);
    free(classes);
    if (!status)
        run->stage = run->stays_exhausted ? NLM_EXHAUSTED : NLM_GRADUATED;
    return status;
}

nlm_status run_begin_rules(nlm_run *run, nlm_error *error)
{
    /* from pictures nobody graduates where no threshold has to be reached */
    run->stays_exhausted =
        run->stage == NLM_EXHAUSTED && picture_rules_meant(&run->settings) && run->settings.threshold <= 0;
    if (run->stage != NLM_GRADUATED && !run->stays_exhausted)
        return run_begin_clauses(run, error);
    if (!run->files.rules || run->settings.spec.model)
        return NLM_OK; /* other models are no machines */
    nlm_error cause;
    nlm_status status = nlm_machine_load(run->files.model, &run->trained, error);
    if (status)
        return status;
    const char *before = nlm_machine_metadata(run->trained, NO_RULES_KEY);
    run->validated = recall_validated(run->trained);
    if (nlm_machine_has_program(run->trained))
        return NLM_OK;
    if (before)
        snprintf(run->no_rules, sizeof run->no_rules, "%s", before);
    if (before)
        return NLM_OK;
    status = nlm_rule_search_new(run->trained, &run->settings, &run->options, &run->search, &cause);
    if (status == NLM_NO_MEMORY)
        return error_no_memory(error);
    run->was_done = false;
    if (status) {
        snprintf(run->no_rules, sizeof run->no_rules, "%.199s", cause.message);
        return run_save_rules(run, error);
    }
    run->stage = NLM_LEARNING;
    return NLM_OK;
}

/* The search has ended. */
static nlm_status begin_validation(nlm_run *run, nlm_error *error)
{
    nlm_progress progress;
    bool useful = false;
    nlm_status status = NLM_OK;
    nlm_run_progress(run, &progress);
    if (nlm_rule_search_stage(run->search) != NLM_RULES_FOUND)
        snprintf(run->no_rules, sizeof run->no_rules, "%s", nlm_rule_search_reason(run->search));
    if (rule_search_is_noisy(run->search, &run->validated))
        return run_save_rules(run, error);
    if (run->settings.problem && run->files.validate)
        status = validation_is_useful(&run->settings, &useful, error);
    if (status || !useful)
        return status ? status : run_save_rules(run, error);
    return validation_new(&run->settings, progress.rounds, &run->options, &run->validation, error);
}

nlm_status run_step_rules(nlm_run *run, nlm_error *error)
{
    nlm_status status;
    if (run->validation) {
        status = validation_step(run->validation, error);
        run->validated = validation_answers(run->validation);
        return status || !validation_ended(run->validation) ? status : run_save_rules(run, error);
    }
    status = nlm_rule_search_step(run->search, error);
    if (status || nlm_rule_search_stage(run->search) < NLM_RULES_FOUND)
        return status;
    return run->clauses ? run_end_clauses(run, error) : begin_validation(run, error);
}

void run_end_rules(nlm_run *run)
{
    validation_free(run->validation);
    nlm_rule_search_free(run->search);
    nlm_machine_free(run->trained);
}

const char *nlm_run_no_rules(const nlm_run *run)
{
    return run->no_rules;
}
