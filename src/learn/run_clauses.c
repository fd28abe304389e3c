/* Clauses in the course of a run on facts (clause_program.h).
 *
 * After two epochs a program without errors is looked for.  That takes seconds, and rules that a machine has
 * to have many layers and variables for may be a few clauses.  The run ends with it if it has no errors about
 * what is held out.
 *
 * A run that gets nowhere may have labels that are wrong.  When its patience is over for the first and for
 * the second time, and when its epochs are used up, a program that contradicts some labels is looked for. The
 * run ends with it if cross-validation shows that it is a rule; the first time only if it also finds no
 * larger share of wrong answers than the best machine may give, by its answers about what is held out
 * (nlm_share_bound).  Else new weights are tried, as if nothing had been.
 *
 * Whether it is time follows from the state of a checkpoint, so that a run that was stopped in the search
 * begins it again. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "learn/from_examples.h"
#include "learn/rule_search.h"

static const struct examples_state *state_of(const nlm_run *run)
{
    return &((const struct examples_run *)run)->state;
}

enum { MOST_RESTARTS = 2, FIRST_EPOCHS = 2 };

static bool is_time_for_clauses(const nlm_run *run)
{
    const struct examples_state *state = state_of(run);
    return run->stage == NLM_LEARNING && run->settings.neighbourhood == 0 && !run->settings.spec.sense &&
           state->epoch.epoch == FIRST_EPOCHS && state->epoch.restarts == 0;
}

/* Whether the first or second weights have just been given up, or the last: not of a run that was ended
 * before. */
static bool gets_nowhere(const nlm_run *run)
{
    const struct examples_state *state = state_of(run);
    const int restarts = state->epoch.restarts;
    return run->stage == NLM_EXHAUSTED ? restarts > 0
                                       : run->stage == NLM_LEARNING && restarts > 0 &&
                                             restarts <= MOST_RESTARTS && state->begun == state->epoch.epoch;
}

static rule_clauses clauses_now(const nlm_run *run)
{
    if (!run->settings.problem || !run->files.rules || run->settings.spec.model)
        return RULE_CLAUSES_LAST;
    return gets_nowhere(run)          ? RULE_CLAUSES_NOISY
           : is_time_for_clauses(run) ? RULE_CLAUSES_EXACT
                                      : RULE_CLAUSES_LAST;
}

nlm_status run_begin_clauses(nlm_run *run, nlm_error *error)
{
    const rule_clauses clauses = clauses_now(run);
    if (clauses == RULE_CLAUSES_LAST)
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
        status = rule_search_new_clauses(run->trained, &run->settings, clauses, &run->options, &run->search,
                                         error);
    if (!status) {
        run->clauses = clauses;
        run->after_clauses = run->stage;
        run->stage = NLM_LEARNING;
    }
    return status;
}

static bool is_good_enough(const nlm_run *run, nlm_answers by)
{
    const struct examples_state *state = state_of(run);
    const double wrong = (double)(by.wrong_positives + by.wrong_negatives);
    const double asked = (double)(by.positives + by.negatives);
    const size_t failed = state->best_failed < state->epoch.asked ? state->best_failed : state->epoch.asked;
    return run->after_clauses == NLM_EXHAUSTED || state->epoch.restarts > 1 ||
           wrong <= asked * nlm_share_bound(state->epoch.asked, failed, NLM_EVIDENCE_CONFIDENCE);
}

/* Whether the search has found what the run may end with. */
static bool may_end(const nlm_run *run, nlm_answers *validated)
{
    const bool noisy = rule_search_is_noisy(run->search, validated);
    return run->clauses == RULE_CLAUSES_EXACT ? nlm_rule_search_stage(run->search) == NLM_RULES_FOUND
                                              : noisy && is_good_enough(run, *validated);
}

nlm_status run_end_clauses(nlm_run *run, nlm_error *error)
{
    nlm_answers validated;
    if (may_end(run, &validated)) {
        run->validated = validated;
        const nlm_status status = run_save_rules(run, error);
        if (status || !unlink(run->checkpoint))
            return status;
        return error_set(error, NLM_IO_ERROR, "%.200s: cannot remove: %s", run->checkpoint, strerror(errno));
    }
    nlm_rule_search_free(run->search);
    run->search = NULL;
    run->clauses = RULE_CLAUSES_LAST;
    run->stage = run->after_clauses;
    return NLM_OK;
}
