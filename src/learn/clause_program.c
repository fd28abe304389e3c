#include "learn/clause_program.h"
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "learn/fit_clauses.h"
#include "learn/validation.h"
#include "logic/clauses.h"
#include "logic/simplify.h"
#include "logic/truth.h"

enum { MOST_TESTS = 5000, KEPT_BYTES = 1 << 25 };

/* Chance gives as many wrong answers of a kind as it gives right ones of the other. */
#define LEAST_INFORMED 0.2

/* ---- simplifying ---- */

/* The worlds whose labels count: of a single world both parts, which have the same facts and other labels. */
typedef struct clause_worlds {
    const nlm_world *const *list;
    int count, learned; /* those behind the first `learned` are held out */
    bool exact;         /* no errors are allowed ... */
    bool validate;      /* ... and cross-validation is wanted */
} clause_worlds;

/* What formulas are compared with: the sum of literals and errors of the shortest so far. */
typedef struct measure {
    nlm_program *program;
    int arity;
    truth *group;
    buffer labels;
    size_t label_count;
    size_t best;
    size_t most_errors;
} measure;

static nlm_status add_worlds(measure *of, const clause_worlds *worlds, int target, nlm_error *error)
{
    nlm_status status = truth_new(of->program, KEPT_BYTES, &of->group, error);
    for (int w = 0; w < worlds->count && !status; w++) {
        const nlm_world *world = worlds->list[w];
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
    *yes = !status && sum <= of->best && wrong <= of->most_errors;
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
static nlm_status shorten(nlm_program *program, const clause_worlds *worlds, int target, int arity,
                          formula *body, int *errors, nlm_error *error)
{
    measure of = {.program = program, .arity = arity};
    size_t wrong = 0;
    nlm_status status = add_worlds(&of, worlds, target, error);
    if (!status)
        status = truth_errors(of.group, *body, arity, of.labels.data, &wrong, error);
    of.most_errors = worlds->exact ? wrong : SIZE_MAX;
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

static nlm_status fit_target(const clause_data *data, const clause_worlds *worlds, struct team *team,
                             fitted_clauses *best, nlm_error *error)
{
    fitted_clauses fitted[FIT_PRICES];
    bool found = true;
    *best = (fitted_clauses){0};
    if (worlds->exact) {
        const int learned = worlds->learned > 0 ? ((const int *)data->until.data)[worlds->learned - 1] : 0;
        const nlm_status status = fit_exactly(data, learned, worlds->validate, team, best, &found, error);
        if (status || found)
            return status;
        return error_set(error, NLM_BAD_ARGUMENT, "no clauses fit all labels");
    }
    const nlm_status status = fit_clauses(data, team, fitted, error);
    if (!status)
        *best = fitted[fit_choose(fitted)];
    return status;
}

/* The clauses of one target as a definition of the program. */
static nlm_status add_target(clause_program *found, const clause_worlds *worlds,
                             const nlm_predicate *predicate, int target, struct team *team, nlm_error *error)
{
    nlm_program *program = found->program;
    fitted_clauses best;
    clause_data data;
    nlm_status status = clause_data_make(program, worlds->list, worlds->count, target, &data, error);
    if (status)
        return status;
    status = fit_target(&data, worlds, team, &best, error);
    formula part[FIT_CLAUSES];
    for (int c = 0; c < best.count && !status; c++)
        part[c] = clause_formula(program, &data, &best.clause[c]);
    clause_data_free(&data);
    if (status)
        return status;
    formula body = formula_or(&program->store, part, (size_t)best.count);
    status = shorten(program, worlds, target, predicate->objects, &body, &found->errors, error);
    const int number =
        status ? -1 : program_add_definition(program, predicate->name, predicate->objects, body);
    if (!status && (number < 0 || program->store.failed))
        status = error_no_memory(error);
    if (status)
        return status;
    program_at(program, number)->written = predicate->arity;
    memcpy(program_at(program, number)->place, predicate->place, sizeof predicate->place);
    program->target[program->target_count++] = number;
    add_answers(&found->validated, best.validated);
    return NLM_OK;
}

static nlm_status find(const clause_worlds *worlds, const nlm_signature *signature, struct team *team,
                       clause_program *found, nlm_error *error)
{
    nlm_machine *machine = NULL;
    nlm_status status = program_new(&found->program, error);
    if (!status)
        status = program_add_signature(found->program, signature, error);
    for (int t = 0; t < nlm_signature_targets(signature) && !status; t++)
        status = add_target(found, worlds, nlm_signature_target(signature, t), t, team, error);
    if (!status)
        status =
            nlm_program_compile(found->program, 0, &machine, error); /* whether there is a machine for it */
    if (!status)
        found->literals = nlm_program_measure(found->program).literals;
    nlm_machine_free(machine);
    return status;
}

/* What cannot be done is a reason why there is none. */
static nlm_status find_or_reason(const clause_worlds *worlds, const nlm_signature *signature,
                                 struct team *team, clause_program *found, nlm_error *error)
{
    nlm_error cause;
    *found = (clause_program){0};
    const nlm_status status = find(worlds, signature, team, found, &cause);
    if (!status)
        return NLM_OK;
    nlm_program_free(found->program);
    found->program = NULL;
    if (status != NLM_BAD_ARGUMENT)
        return error_set(error, status, "%s", cause.message);
    snprintf(found->reason, sizeof found->reason, "%.199s", cause.message);
    return NLM_OK;
}

nlm_status clause_program_of_worlds(const nlm_world *const *worlds, int count, const nlm_signature *signature,
                                    struct team *team, clause_program *found, nlm_error *error)
{
    const clause_worlds taken = {.list = worlds, .count = count};
    return find_or_reason(&taken, signature, team, found, error);
}

nlm_status clause_program_find(struct rule_worlds *worlds, bool all, const nlm_signature *signature,
                               struct team *team, clause_program *found, nlm_error *error)
{
    const struct world_source *source = &worlds->source;
    const clause_worlds taken = {.list = source->worlds, .count = world_source_labelled(source, all)};
    return find_or_reason(&taken, signature, team, found, error);
}

nlm_status clause_program_find_exact(struct rule_worlds *worlds, bool validate,
                                     const nlm_signature *signature, struct team *team, clause_program *found,
                                     nlm_error *error)
{
    const struct world_source *source = &worlds->source;
    const clause_worlds taken = {source->worlds, world_source_labelled(source, true),
                                 world_source_labelled(source, false), true, validate};
    return find_or_reason(&taken, signature, team, found, error);
}

bool clause_program_is_supported(const clause_program *found)
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
