/* A run on facts that gets nowhere: some of its labels may be wrong.
 *
 * When its patience is over for the first time, and once more when its epochs are used up, a program that
 * contradicts some labels is looked for (noisy_program.h).  The run ends with it
 *
 *     patience over     if cross-validation finds no larger share of wrong answers than the best machine
 * gives about what is held out; else new weights are tried, as if nothing had been epochs used up    if
 * cross-validation shows a rule at all
 *
 * Before that, after CLAUSES_EPOCH epochs of a large machine, or of worlds with a label each, clauses that
 * contradict no label are tried (fit_exact.h): of rules with several pieces and few labels for each they find
 * what gradients do not.  The run ends with them if they also know what is held out; else it goes on as if
 * nothing had been.
 *
 * Whether it is time follows from the state of a checkpoint, so that a run that was stopped in the search
 * begins it again. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "learn/from_examples.h"
#include "learn/rule_search.h"

/* Cross-validation may find so large a share of wrong answers more: few labels are held out. */
#define SPARE_SHARE 0.05

enum { LARGE_PARAMETERS = 5000, CLAUSES_EPOCH = 2 };

static const struct examples_state *state_of(const nlm_run *run)
{
    return &((const struct examples_run *)run)->state;
}

/* Whether the first weights have just been given up, or the last: not of a run that was ended before. */
static bool gets_nowhere(const nlm_run *run)
{
    const struct examples_state *state = state_of(run);
    const int restarts = state->epoch.restarts;
    return run->stage == NLM_EXHAUSTED
               ? restarts > 0
               : run->stage == NLM_LEARNING && restarts == 1 && state->begun == state->epoch.epoch;
}

/* Whether clauses are to be tried: where epochs and what comes after them take long, and of worlds with a
 * label each. */
static bool is_time_for_clauses(const nlm_run *run)
{
    const struct examples_state *state = state_of(run);
    const bool has_small_worlds = ((const struct examples_run *)run)->source.balanced;
    const bool is_soon = has_small_worlds || run->machine->parameters > LARGE_PARAMETERS;
    return run->stage == NLM_LEARNING && is_soon && state->epoch.epoch == CLAUSES_EPOCH;
}

nlm_status run_begin_noise(nlm_run *run, nlm_error *error)
{
    if (!run->settings.problem || !run->files.rules || run->settings.spec.model)
        return NLM_OK;
    const bool exact = !gets_nowhere(run);
    if (exact && !is_time_for_clauses(run))
        return NLM_OK;
    nlm_status status = NLM_OK;
    /* the best machine so far; the checkpoint stays, so that a run that is stopped now goes on from it */
    if (run->stage == NLM_LEARNING)
        status = nlm_run_save_model(run, run->files.model, error);
    nlm_machine_free(run->trained);
    run->trained = NULL;
    if (!status)
        status = nlm_machine_load(run->files.model, &run->trained, error);
    if (!status)
        status =
            exact ? rule_search_new_exact(run->trained, &run->settings, &run->options, &run->search, error)
                  : rule_search_new_noisy(run->trained, &run->settings, &run->options, &run->search, error);
    if (!status) {
        run->seems_noisy = true;
        run->after_noise = run->stage;
        run->stage = NLM_LEARNING;
    }
    return status;
}

static bool is_good_enough(const nlm_run *run, nlm_answers by)
{
    const struct examples_state *state = state_of(run);
    const double wrong = (double)(by.wrong_positives + by.wrong_negatives);
    const double asked = (double)(by.positives + by.negatives), of_machine = (double)state->epoch.asked;
    return run->after_noise == NLM_EXHAUSTED ||
           wrong * of_machine <= ((double)state->best_failed + SPARE_SHARE * of_machine) * asked;
}

nlm_status run_end_noise(nlm_run *run, nlm_error *error)
{
    nlm_answers validated;
    const bool noisy = rule_search_is_noisy(run->search, &validated);
    const bool exact = !noisy && nlm_rule_search_stage(run->search) == NLM_RULES_FOUND;
    if (exact || (noisy && is_good_enough(run, validated))) {
        run->validated = validated;
        const nlm_status status = run_save_rules(run, error);
        if (status || !unlink(run->checkpoint))
            return status;
        return error_set(error, NLM_IO_ERROR, "%.200s: cannot remove: %s", run->checkpoint, strerror(errno));
    }
    nlm_rule_search_free(run->search);
    run->search = NULL;
    run->seems_noisy = false;
    run->stage = run->after_noise;
    return NLM_OK;
}
