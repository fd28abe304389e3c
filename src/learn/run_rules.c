/* The program of a run that has graduated, and its cross-validation: the last part of a run with files.
 *
 * The model of the trained machine is on the disk before the search begins.  A run that is stopped in the
 * search and resumed finds that model, and begins the search again: it takes less than a minute, and the same
 * machine gives the same program.
 *
 * A run on facts that gets nowhere may have wrong labels.  When its patience is over for the first time, and
 * once more when its epochs are used up, a program that contradicts some of them is looked for
 * (noisy_program.h). The run ends with it
 *
 *     patience over    if cross-validation finds no more wrong answers than the machine gives about what is
 * held out; else new weights are tried, as without it exhausted        if cross-validation shows a rule at
 * all */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/memory.h"
#include "learn/from_examples.h"
#include "learn/rule_search.h"
#include "learn/run.h"
#include "learn/validation.h"
#include "machine/model_file.h"
#include "nlm/rules.h"

#define NO_RULES_KEY "no_rules"          /* metadata: why a search found no program */
#define VALIDATED_KEY "cross_validation" /* true labels asked and wrong, false labels asked and wrong */
enum { VALIDATED_TEXT = 100 };

/* Cross-validation may find so large a share of wrong answers more: few labels are held out. */
#define SPARE_SHARE 0.05

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
    if (number[1] > number[0] || number[3] > number[2])
        return (nlm_answers){0};
    return (nlm_answers){number[0], number[1], number[2], number[3]};
}

/* Whether the first weights have just been given up, or the last: not of a run that was ended before. */
static bool gets_nowhere(const nlm_run *run)
{
    const struct examples_state *state = &((const struct examples_run *)run)->state;
    const int restarts = state->epoch.restarts;
    return run->stage == NLM_EXHAUSTED
               ? restarts > 0
               : run->stage == NLM_LEARNING && restarts == 1 && state->begun == state->epoch.epoch;
}

/* The model file gets the best machine so far: if the run is stopped now, its checkpoint is there too. */
static nlm_status begin_noisy(nlm_run *run, nlm_error *error)
{
    if (!run->settings.problem || !run->files.rules || run->settings.spec.model || !run->checkpoint ||
        !gets_nowhere(run))
        return NLM_OK;
    nlm_status status = NLM_OK;
    if (run->stage == NLM_LEARNING)
        status = nlm_run_save_model(run, run->files.model, error);
    nlm_machine_free(run->trained);
    run->trained = NULL;
    if (!status)
        status = nlm_machine_load(run->files.model, &run->trained, error);
    if (!status)
        status = rule_search_new_noisy(run->trained, &run->settings, &run->options, &run->search, error);
    if (!status) {
        run->seems_noisy = true;
        run->after_noise = run->stage;
        run->stage = NLM_LEARNING;
    }
    return status;
}

nlm_status run_begin_rules(nlm_run *run, nlm_error *error)
{
    if (run->stage != NLM_GRADUATED)
        return begin_noisy(run, error);
    if (run->stage != NLM_GRADUATED || !run->files.rules || run->settings.spec.model)
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
    if (status)
        snprintf(run->no_rules, sizeof run->no_rules, "%.199s", cause.message);
    else
        run->stage = NLM_LEARNING;
    run->was_done &= status != NLM_OK;
    return NLM_OK;
}

/* The trained machine's metadata and two of the end; their number.  `pairs` is to be freed. */
static nlm_status collect_metadata(const nlm_run *run, char validated[VALIDATED_TEXT], const char ***pairs,
                                   int *count, nlm_error *error)
{
    const nlm_machine *trained = run->trained;
    *count = 0;
    *pairs = memory_new((size_t)trained->metadata_pairs + 2, 2 * sizeof **pairs);
    if (!*pairs)
        return error_no_memory(error);
    for (int i = 0; i < trained->metadata_pairs; i++)
        if (!model_is_own_key(trained->metadata[2 * i])) {
            /* the program of a run that seemed noisy is as good as such labels allow */
            const bool ends = run->seems_noisy && strcmp(trained->metadata[2 * i], "graduated") == 0;
            (*pairs)[2 * *count] = trained->metadata[2 * i];
            (*pairs)[2 * (*count)++ + 1] = ends ? "yes" : trained->metadata[2 * i + 1];
        }
    if (*run->no_rules) {
        (*pairs)[2 * *count] = NO_RULES_KEY;
        (*pairs)[2 * (*count)++ + 1] = run->no_rules;
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

/* The program's model in the place of the trained machine's, or that again with the reason. */
static nlm_status save(nlm_run *run, nlm_error *error)
{
    const char **pairs, *path = run->files.model;
    char validated[VALIDATED_TEXT];
    int count;
    nlm_status status = collect_metadata(run, validated, &pairs, &count, error);
    if (!status)
        status = *run->no_rules ? nlm_machine_save(run->trained, path, pairs, count, error)
                                : nlm_rule_search_save(run->search, path, pairs, count, error);
    memory_free(pairs);
    if (!status)
        run->stage = NLM_GRADUATED;
    if (!status && run->seems_noisy && unlink(run->checkpoint))
        status =
            error_set(error, NLM_IO_ERROR, "%.200s: cannot remove: %s", run->checkpoint, strerror(errno));
    return status;
}

/* Whether a run that gets nowhere ends with the program that contradicts labels. */
static bool ends_with_noise(const nlm_run *run, nlm_answers by)
{
    const struct examples_state *state = &((const struct examples_run *)run)->state;
    const double wrong = (double)(by.wrong_positives + by.wrong_negatives);
    const double asked = (double)(by.positives + by.negatives), of_machine = (double)state->epoch.asked;
    return run->after_noise == NLM_EXHAUSTED ||
           wrong * of_machine <= (double)state->best_failed * asked + SPARE_SHARE * asked * of_machine;
}

/* The search for a program that contradicts labels has ended. */
static nlm_status end_noisy(nlm_run *run, nlm_error *error)
{
    nlm_answers validated;
    if (nlm_rule_search_stage(run->search) == NLM_RULES_FOUND &&
        rule_search_is_noisy(run->search, &validated) && ends_with_noise(run, validated)) {
        run->validated = validated;
        return save(run, error);
    }
    nlm_rule_search_free(run->search);
    run->search = NULL;
    run->seems_noisy = false;
    run->stage = run->after_noise;
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
        return save(run, error);
    if (run->settings.problem && run->files.validate)
        status = validation_is_useful(&run->settings, &useful, error);
    if (status || !useful)
        return status ? status : save(run, error);
    return validation_new(&run->settings, progress.rounds, &run->options, &run->validation, error);
}

nlm_status run_step_rules(nlm_run *run, nlm_error *error)
{
    nlm_status status;
    if (run->validation) {
        status = validation_step(run->validation, error);
        run->validated = validation_answers(run->validation);
        return status || !validation_ended(run->validation) ? status : save(run, error);
    }
    status = nlm_rule_search_step(run->search, error);
    if (status || nlm_rule_search_stage(run->search) < NLM_RULES_FOUND)
        return status;
    return run->seems_noisy ? end_noisy(run, error) : begin_validation(run, error);
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
