/* The program of a run that has graduated: the last part of a run with files.
 *
 * The model of the trained machine is on the disk before the search begins.  A run that is stopped in the
 * search and resumed finds that model, and begins the search again: it takes less than a minute, and the same
 * machine gives the same program. */
#include <string.h>
#include "base/memory.h"
#include "learn/run.h"
#include "machine/model_file.h"
#include "nlm/rules.h"

#define NO_RULES_KEY "no_rules" /* metadata: why a search found no program */

nlm_status run_begin_rules(nlm_run *run, nlm_error *error)
{
    if (run->stage != NLM_GRADUATED || !run->files.rules || run->settings.spec.model)
        return NLM_OK; /* other models are no machines */
    nlm_error cause;
    nlm_status status = nlm_machine_load(run->files.model, &run->trained, error);
    if (status)
        return status;
    const char *before = nlm_machine_metadata(run->trained, NO_RULES_KEY);
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

/* The trained machine's model again, with the reason. */
static nlm_status save_reason(nlm_run *run, nlm_error *error)
{
    const nlm_machine *trained = run->trained;
    const char **pairs = memory_new((size_t)trained->metadata_pairs + 1, 2 * sizeof *pairs);
    if (!pairs)
        return error_no_memory(error);
    int count = 0;
    for (int i = 0; i < trained->metadata_pairs; i++)
        if (!model_is_own_key(trained->metadata[2 * i])) {
            pairs[2 * count] = trained->metadata[2 * i];
            pairs[2 * count++ + 1] = trained->metadata[2 * i + 1];
        }
    pairs[2 * count] = NO_RULES_KEY;
    pairs[2 * count++ + 1] = run->no_rules;
    const nlm_status status = nlm_machine_save(run->trained, run->files.model, pairs, count, error);
    memory_free(pairs);
    return status;
}

nlm_status run_step_rules(nlm_run *run, nlm_error *error)
{
    nlm_status status = nlm_rule_search_step(run->search, error);
    if (status || nlm_rule_search_stage(run->search) < NLM_RULES_FOUND)
        return status;
    if (nlm_rule_search_stage(run->search) == NLM_RULES_FOUND)
        status = nlm_rule_search_save(run->search, run->files.model, NULL, 0, error);
    else {
        snprintf(run->no_rules, sizeof run->no_rules, "%s", nlm_rule_search_reason(run->search));
        status = save_reason(run, error);
    }
    if (!status)
        run->stage = NLM_GRADUATED;
    return status;
}

void run_end_rules(nlm_run *run)
{
    nlm_rule_search_free(run->search);
    nlm_machine_free(run->trained);
}

const char *nlm_run_no_rules(const nlm_run *run)
{
    return run->no_rules;
}
