#include "learn/noisy_program.h"
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "learn/fit_exact.h"
#include "learn/fit_parts.h"
#include "logic/clauses.h"
#include "logic/simplify.h"
#include "logic/truth.h"

enum { MOST_TESTS = 5000, KEPT_BYTES = 1 << 25 };

/* Chance gives as many wrong answers of a kind as it gives right ones of the other. */
#define LEAST_INFORMED 0.2

/* ---- simplifying ---- */

/* What formulas are compared with: the sum of literals and errors of the shortest so far. */
typedef struct measure {
    nlm_program *program;
    int arity;
    truth *group;
    buffer labels;
    size_t label_count;
    size_t best, most_wrong;
} measure;

static nlm_status add_worlds(measure *of, struct rule_worlds *worlds, int target, nlm_error *error)
{
    nlm_status status = truth_new(of->program, KEPT_BYTES, &of->group, error);
    for (int w = 0; w < worlds->source.learned && !status; w++) {
        const nlm_world *world = worlds->source.worlds[w];
        const size_t tuples = nlm_tuple_count(nlm_world_objects(world), of->arity);
        if (nlm_world_objects(world) == 0)
            continue;
        if (buffer_reserve(&of->labels, of->label_count + tuples, 1, true))
            return error_no_memory(error);
        nlm_world_all_labels(world, target, (signed char *)of->labels.data + of->label_count);
        of->label_count += tuples;
        status = truth_add_world(of->group, world, error);
    }
    return status;
}

/* Asked about formulas with fewer literals only: those that are worth it are kept. */
static nlm_status is_shorter(void *context, formula f, bool *yes, nlm_error *error)
{
    measure *of = context;
    size_t wrong = 0;
    const nlm_status status = truth_errors(of->group, f, of->arity, of->labels.data, &wrong, error);
    const size_t sum = wrong + (size_t)clauses_measure(of->program, f, of->arity).literals;
    *yes = !status && sum <= of->best && wrong <= of->most_wrong;
    if (*yes)
        of->best = sum;
    return status == NLM_BAD_ARGUMENT ? NLM_OK : status; /* too large for tables */
}

static void forget(void *context)
{
    measure *of = context;
    truth_forget(of->group);
}

/* The body of a target made shorter as long as literals and errors do not grow, and its errors counted. */
static nlm_status shorten(nlm_program *program, struct rule_worlds *worlds, int target, int arity,
                          formula *body, bool exact, int *errors, nlm_error *error)
{
    measure of = {.program = program, .arity = arity};
    size_t wrong = 0;
    nlm_status status = add_worlds(&of, worlds, target, error);
    if (!status)
        status = truth_errors(of.group, *body, arity, of.labels.data, &wrong, error);
    of.most_wrong = exact ? wrong : SIZE_MAX;
    of.best = wrong + (size_t)clauses_measure(program, *body, arity).literals;
    simplification shorter = {program, arity, is_shorter, forget, &of, MOST_TESTS, 0};
    if (!status)
        status = simplify(&shorter, body, error);
    if (!status)
        status = truth_errors(of.group, *body, arity, of.labels.data, &wrong, error);
    *errors += (int)wrong;
    truth_free(of.group);
    buffer_free(&of.labels);
    return status;
}

/* ---- targets ---- */

/* The best clauses of a target. */
static nlm_status fit(const clause_data *data, bool exact, struct team *team, fitted_clauses *best,
                      nlm_error *error)
{
    fitted_clauses fitted[FIT_PRICES];
    if (exact) {
        const nlm_status status = fit_exact(data, team, best, error);
        if (!status && best->errors > 0)
            return error_set(error, NLM_BAD_ARGUMENT, "no short clauses agree with all labels");
        return status;
    }
    const nlm_status status = fit_clauses(data, team, fitted, error);
    if (!status)
        *best = fitted[fit_choose(fitted)];
    return status;
}

/* The clauses of one target as a definition of the program. */
static nlm_status add_target(noisy_program *found, struct rule_worlds *worlds, const nlm_predicate *predicate,
                             int target, bool exact, struct team *team, nlm_error *error)
{
    nlm_program *program = found->program;
    fitted_clauses best = {0};
    clause_data data;
    nlm_status status =
        clause_data_make(program, worlds->source.worlds, worlds->source.learned, target, &data, error);
    if (status)
        return status;
    status = fit(&data, exact, team, &best, error);
    formula part[FIT_CLAUSES];
    for (int c = 0; c < best.count && !status; c++)
        part[c] = clause_formula(program, &data, &best.clause[c]);
    clause_data_free(&data);
    if (status)
        return status;
    formula body = formula_or(&program->store, part, (size_t)best.count);
    status = shorten(program, worlds, target, predicate->objects, &body, exact, &found->errors, error);
    const int number =
        status ? -1 : program_add_definition(program, predicate->name, predicate->objects, body);
    if (!status && (number < 0 || program->store.failed))
        status = error_no_memory(error);
    if (status)
        return status;
    program_at(program, number)->written = predicate->arity;
    memcpy(program_at(program, number)->place, predicate->place, sizeof predicate->place);
    program->target[program->target_count++] = number;
    fit_add_answers(&found->validated, best.validated);
    return NLM_OK;
}

static nlm_status find(struct rule_worlds *worlds, const nlm_signature *signature, bool exact,
                       struct team *team, noisy_program *found, nlm_error *error)
{
    nlm_machine *machine = NULL;
    nlm_status status = program_new(&found->program, error);
    if (!status)
        status = program_add_signature(found->program, signature, error);
    for (int t = 0; t < nlm_signature_targets(signature) && !status; t++)
        status = add_target(found, worlds, nlm_signature_target(signature, t), t, exact, team, error);
    if (!status)
        status =
            nlm_program_compile(found->program, 0, &machine, error); /* whether there is a machine for it */
    if (!status)
        found->literals = nlm_program_measure(found->program).literals;
    nlm_machine_free(machine);
    return status;
}

static nlm_status find_or_say(struct rule_worlds *worlds, const nlm_signature *signature, bool exact,
                              struct team *team, noisy_program *found, nlm_error *error)
{
    nlm_error cause;
    *found = (noisy_program){0};
    const nlm_status status = find(worlds, signature, exact, team, found, &cause);
    if (!status)
        return NLM_OK;
    nlm_program_free(found->program);
    found->program = NULL;
    if (status != NLM_BAD_ARGUMENT)
        return error_set(error, status, "%s", cause.message);
    snprintf(found->reason, sizeof found->reason, "%.199s", cause.message);
    return NLM_OK;
}

nlm_status noisy_program_find(struct rule_worlds *worlds, const nlm_signature *signature, struct team *team,
                              noisy_program *found, nlm_error *error)
{
    return find_or_say(worlds, signature, false, team, found, error);
}

nlm_status exact_program_find(struct rule_worlds *worlds, const nlm_signature *signature, struct team *team,
                              noisy_program *found, nlm_error *error)
{
    return find_or_say(worlds, signature, true, team, found, error);
}

bool noisy_program_is_supported(const noisy_program *found)
{
    const nlm_answers *by = &found->validated;
    if (!found->program || by->positives == 0 || by->negatives == 0)
        return false;
    const double wrong_positives = (double)by->wrong_positives / (double)by->positives;
    const double wrong_negatives = (double)by->wrong_negatives / (double)by->negatives;
    return wrong_positives + wrong_negatives < 1 - LEAST_INFORMED &&
           nlm_share_bound(by->positives, by->wrong_positives, NLM_EVIDENCE_CONFIDENCE) + wrong_negatives <
               1 &&
           wrong_positives + nlm_share_bound(by->negatives, by->wrong_negatives, NLM_EVIDENCE_CONFIDENCE) < 1;
}
