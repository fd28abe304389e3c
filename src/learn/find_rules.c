/* The course of a search: hardening, then for each order of elimination a program, of which the smallest
 * stays.
 *
 * All that is drawn comes from the settings' seed, and every limit is a number of steps or tests, never a
 * time: so the same machine gives the same program. */
#include "nlm/rules.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "learn/eliminate.h"
#include "learn/harden.h"
#include "learn/policy_rules.h"
#include "learn/rule_judge.h"
#include "learn/settings.h"
#include "machine/machine.h"
#include "machine/model_file.h"
#include "logic/policy.h"
#include "logic/simplify.h"

enum {
    ORDERS = 4,
    MOST_SPEC_ROWS = 8,
    MOST_INLINED = 4000, /* literals of a formula with all definitions put in their places */
    MOST_TESTS = 150000, /* of simplifying one formula */
    MOST_ROUNDS = 12     /* of counterexamples to a simplified formula */
};

struct nlm_rule_search {
    /* progress */
    nlm_rule_stage stage;
    int order, orders;     /* of elimination, from 0 */
    size_t weights;        /* left in the present order */
    nlm_program_size size; /* of the smallest program so far; 0 literals: none */
    char reason[200];      /* why none was found */
    struct hardening hardening;
    struct elimination elimination;
    nlm_program *program; /* the smallest so far; owned */

    /* work */
    const nlm_machine *soft; /* the trained machine, the caller's */
    nlm_machine *machine;    /* a copy, hard once hardening has ended */
    const nlm_settings *settings;
    const nlm_signature *signature;
    nlm_signature *own_signature; /* of a task */
    nlm_options options;
    struct rule_worlds worlds;
    struct rule_judge judge[NLM_MAX_HEADS];
    int judges;
    bool is_hardening, is_eliminating, has_worlds;
    struct policy_search *policy; /* of a game, which is searched by this in place of all of the above */
};

/* The text is cut: a reason is one line for people. */
static void set_reason(struct nlm_rule_search *search, const char *reason)
{
    snprintf(search->reason, sizeof search->reason, "%.*s", (int)sizeof search->reason - 1, reason);
}

/* Facts are not in a model file: a search of a machine that was trained on facts needs their problem. */
static nlm_status check_task(const nlm_settings *settings, nlm_error *error)
{
    if (!settings->task)
        return error_set(error, NLM_BAD_ARGUMENT, "the facts that the machine was trained on are needed");
    return NLM_OK;
}

/* The caller's machine stays soft: hardening changes weights in place, and the file keeps the soft ones. */
static nlm_status copy_machine(const nlm_machine *from, nlm_machine **copy, nlm_error *error)
{
    nlm_head_spec heads[NLM_MAX_HEADS];
    const int count = nlm_machine_heads(from);
    for (int h = 0; h < count; h++)
        heads[h] = *nlm_machine_head(from, h);
    const nlm_status status = nlm_machine_new(nlm_machine_spec(from), heads, count, copy, error);
    if (status != NLM_OK)
        return status;
    for (int i = 0; i < nlm_machine_tensors(from); i++) {
        const nlm_tensor source = nlm_machine_tensor((nlm_machine *)from, i);
        memcpy(nlm_machine_tensor(*copy, i).values, source.values, source.count * sizeof *source.values);
    }
    return NLM_OK;
}

/* The search of a game. */
static nlm_status begin_policy(struct nlm_rule_search *search, nlm_error *error)
{
    nlm_machine *teacher = NULL, *machine = NULL;
    nlm_status status = hardening_check(search->soft, error);
    if (status == NLM_OK && nlm_machine_head(search->soft, 0)->twins)
        status =
            error_set(error, NLM_BAD_ARGUMENT, "rules of %s are not found yet", search->settings->game->name);
    if (status == NLM_OK)
        status = copy_machine(search->soft, &teacher, error);
    if (status == NLM_OK)
        status = copy_machine(search->soft, &machine, error);
    if (status == NLM_OK)
        return policy_search_new(teacher, machine, search->settings, &search->options, &search->policy,
                                 error);
    nlm_machine_free(teacher);
    return status;
}

/* What the search of a game has come to, as that of tasks says it. */
static nlm_status step_policy(struct nlm_rule_search *search, nlm_error *error)
{
    struct policy_search *policy = search->policy;
    const nlm_status status = policy_search_step(policy, error);
    search->stage = policy->stage;
    search->order = policy->order;
    search->orders = policy->orders;
    search->weights = policy->weights;
    search->size = policy->size;
    search->program = policy->program;
    search->hardening.attempt = policy->hardening.attempt;
    search->hardening.step = policy->hardening.step;
    search->hardening.errors = policy->hardening.errors;
    set_reason(search, policy->reason);
    return status;
}

nlm_status nlm_rule_search_new(const nlm_machine *machine, const nlm_settings *settings,
                               const nlm_options *options, nlm_rule_search **search, nlm_error *error)
{
    REQUIRE(machine && settings && search, error);
    *search = NULL;
    nlm_rule_search *made = memory_new(1, sizeof *made);
    if (!made)
        return error_no_memory(error);
    made->orders = ORDERS;
    made->settings = settings;
    made->options = options ? *options : (nlm_options){.threads = 1};
    made->soft = machine;
    if (settings->game) {
        const nlm_status begun = begin_policy(made, error);
        if (begun != NLM_OK)
            nlm_rule_search_free(made);
        else
            *search = made;
        return begun;
    }
    nlm_status status = settings->problem ? NLM_OK : check_task(settings, error);
    if (status == NLM_OK && settings->problem)
        made->signature = nlm_problem_signature(settings->problem);
    else if (status == NLM_OK)
        status = nlm_signature_of_task(settings->task, &made->own_signature, error);
    if (made->own_signature)
        made->signature = made->own_signature;
    if (status == NLM_OK)
        status = copy_machine(machine, &made->machine, error);
    if (status == NLM_OK)
        status = hardening_begin(&made->hardening, made->machine, settings, NULL, settings->seed,
                                 &made->options, error);
    made->is_hardening = status == NLM_OK;
    if (status != NLM_OK)
        nlm_rule_search_free(made);
    else
        *search = made;
    return status;
}

/* One judge for each target.  They draw their worlds as the last user of the run's numbers, so that a formula
 * is judged by worlds that neither hardening nor elimination has seen.  There are no more than
 * RULE_MOST_USERS - 1 orders. */
static nlm_status make_judges(struct nlm_rule_search *search, nlm_error *error)
{
    nlm_status status = rule_worlds_init(&search->worlds, search->settings, RULE_MOST_USERS - 1, error);
    search->has_worlds = true;
    for (int h = 0; h < nlm_machine_heads(search->machine) && status == NLM_OK; h++) {
        search->judges = h + 1;
        status = rule_judge_init(&search->judge[h], &search->worlds, h,
                                 nlm_machine_head(search->machine, h)->arity, error);
    }
    return status;
}

/* A machine that is nearly hard goes on too: elimination removes the last errors in most cases. */
static nlm_status step_hardening(struct nlm_rule_search *search, nlm_error *error)
{
    nlm_status status = hardening_step(&search->hardening, error);
    if (status != NLM_OK || search->hardening.stage == HARDENING)
        return status;
    const bool hard = search->hardening.stage != NOT_HARDENED;
    hardening_end(&search->hardening);
    search->is_hardening = false;
    search->stage = hard ? NLM_RULES_ELIMINATING : NLM_RULES_NOT_FOUND;
    if (!hard)
        set_reason(search, "its units did not become true or false");
    return hard ? make_judges(search, error) : NLM_OK;
}

/* One removal.  Orders come one after the other: each begins again with the hard machine. */
static nlm_status step_eliminating(struct nlm_rule_search *search, nlm_error *error)
{
    nlm_status status = NLM_OK;
    if (!search->is_eliminating) {
        status = elimination_begin(&search->elimination, search->machine, search->settings, search->order,
                                   &search->options, error);
        search->is_eliminating = status == NLM_OK;
    }
    if (status == NLM_OK)
        status = elimination_step(&search->elimination, error);
    search->weights = search->elimination.weights;
    if (status == NLM_OK && search->elimination.stage >= ELIMINATED)
        search->stage = NLM_RULES_SIMPLIFYING;
    return status;
}

/* The definition of one target as short as can be; *found is false if it disagrees with examples.  The result
 * is the program's own: simplifying may make its store anew, and other numbers of formulas are then void. */
static nlm_status shorten(struct nlm_rule_search *search, nlm_program *program, int head, bool *found,
                          nlm_error *error)
{
    struct rule_judge *judge = &search->judge[head];
    program_predicate *target = program_at(program, program->target[head]);
    nlm_status status = NLM_OK;
    *found = false;
    bool fits;
    target->body = program_inlined(program, program->target[head], MOST_INLINED, &fits);
    for (int round = 0; round < MOST_ROUNDS && fits && status == NLM_OK; round++) {
        simplification of = {program, target->arity, rule_judge_agrees, rule_judge_forget, judge, MOST_TESTS,
                             0};
        bool agrees = false;
        int failures = 0;
        formula f = target->body;
        status = rule_judge_use(judge, program, error);
        if (status == NLM_OK)
            status = rule_judge_agrees(judge, f, &agrees, error);
        if (status != NLM_OK || !agrees)
            return status;
        status = simplify(&of, &f, error);
        if (status == NLM_OK)
            status = rule_judge_verify(judge, program, f, &failures, error);
        if (status == NLM_OK && failures == 0) {
            target->body = f;
            *found = true;
            return NLM_OK;
        }
    }
    return status;
}

/* A program of the inputs and the targets alone. */
static nlm_status make_result(const struct nlm_rule_search *search, const nlm_program *from,
                              nlm_program **made, nlm_error *error)
{
    nlm_status status = program_new(made, error);
    if (status == NLM_OK)
        status = program_add_signature(*made, search->signature, error);
    for (int h = 0; h < from->target_count && status == NLM_OK; h++) {
        const program_predicate *target = program_at(from, from->target[h]);
        const formula body = formula_copy(&(*made)->store, &from->store, target->body, NULL);
        const int number = program_add_definition(*made, target->name, target->arity, body);
        if (number < 0 || (*made)->store.failed)
            return error_no_memory(error);
        program_at(*made, number)->written = target->written;
        memcpy(program_at(*made, number)->place, target->place, sizeof target->place);
        (*made)->target[(*made)->target_count++] = number;
    }
    return status;
}

/* The program of the present order, which takes the place of the best one if it is shorter.  Neither the
 * number of weights nor the length of the formula before simplifying foretells the length of the result, so
 * every order is read to the end.  A machine that is no program (a predicate that reads too many others), or
 * a program that no machine can have (too many variables at once), is no error: other orders may give one. */
static nlm_status read_program(struct nlm_rule_search *search, nlm_error *error)
{
    nlm_program *program = NULL, *made = NULL;
    nlm_machine *compiled = NULL;
    nlm_error cause;
    bool found = true;
    nlm_status status = nlm_program_of(search->elimination.machine, search->signature, &program, &cause);
    for (int h = 0; status == NLM_OK && found && h < program->target_count; h++)
        status = shorten(search, program, h, &found, &cause);
    if (status == NLM_OK && found)
        status = make_result(search, program, &made, &cause);
    if (status == NLM_OK && found)
        status = nlm_program_compile(made, 0, &compiled, &cause);
    nlm_machine_free(compiled);
    if (status == NLM_OK && found) {
        const nlm_program_size size = nlm_program_measure(made);
        if (!search->program || size.literals < search->size.literals) {
            nlm_program_free(search->program);
            search->program = made;
            search->size = size;
            made = NULL;
        }
    }
    for (int h = 0; h < search->judges; h++)
        rule_judge_forget(&search->judge[h]);
    nlm_program_free(made);
    nlm_program_free(program);
    if (status == NLM_BAD_ARGUMENT)
        set_reason(search, cause.message);
    return status == NLM_OK || status == NLM_BAD_ARGUMENT ? NLM_OK
                                                          : error_set(error, status, "%s", cause.message);
}

/* Wrong answers of a machine about what facts hold out. */
static nlm_status held_out_errors(struct nlm_rule_search *search, nlm_machine *machine, size_t *wrong,
                                  nlm_error *error)
{
    struct rule_worlds *worlds = &search->worlds;
    nlm_evaluator *evaluator;
    *wrong = 0;
    nlm_status status = nlm_evaluator_new(machine, &search->options, &evaluator, error);
    for (int w = 0; w < worlds->source.held_out && status == NLM_OK; w++) {
        nlm_bce_result result;
        status = world_source_compare(&worlds->source, worlds->seed, WORLD_SOURCE_HELD_OUT + (uint64_t)w,
                                      worlds->objects, worlds->scratch, evaluator, &result, error);
        if (status == NLM_OK)
            *wrong += result.labelled - result.correct;
    }
    nlm_evaluator_free(evaluator);
    return status;
}

/* A program of facts was made from those that were learned from.  It is kept only if it makes no more errors
 * about those held out than the trained machine. */
static nlm_status check_held_out(struct nlm_rule_search *search, nlm_error *error)
{
    nlm_machine *compiled = NULL, *soft = NULL;
    size_t before = 0, after = 0;
    nlm_status status = nlm_program_compile(search->program, 0, &compiled, error);
    if (status == NLM_OK)
        status = copy_machine(search->soft, &soft, error);
    if (status == NLM_OK)
        status = held_out_errors(search, soft, &before, error);
    if (status == NLM_OK)
        status = held_out_errors(search, compiled, &after, error);
    if (status == NLM_OK && after > before) {
        search->stage = NLM_RULES_NOT_FOUND;
        snprintf(search->reason, sizeof search->reason,
                 "the program has %zu wrong answers about what was held out, the machine %zu", after, before);
    }
    nlm_machine_free(soft);
    nlm_machine_free(compiled);
    return status;
}

/* All of reading and simplifying is one step: seconds, while hardening and elimination are thousands of
 * steps.  After the last order the search has ended. */
static nlm_status step_simplifying(struct nlm_rule_search *search, nlm_error *error)
{
    nlm_status status = NLM_OK;
    if (search->elimination.stage == ELIMINATED)
        status = read_program(search, error);
    elimination_end(&search->elimination);
    search->is_eliminating = false;
    search->order++;
    search->stage = search->order < search->orders ? NLM_RULES_ELIMINATING
                    : search->program              ? NLM_RULES_FOUND
                                                   : NLM_RULES_NOT_FOUND;
    if (status == NLM_OK && search->stage == NLM_RULES_FOUND && search->settings->problem)
        status = check_held_out(search, error);
    if (search->stage == NLM_RULES_NOT_FOUND && !*search->reason)
        set_reason(search, "no order of elimination gave a program without an error");
    return status;
}

nlm_status nlm_rule_search_step(nlm_rule_search *search, nlm_error *error)
{
    REQUIRE(search, error);
    if (search->policy)
        return step_policy(search, error);
    switch (search->stage) {
    case NLM_RULES_HARDENING:
        return step_hardening(search, error);
    case NLM_RULES_ELIMINATING:
        return step_eliminating(search, error);
    case NLM_RULES_SIMPLIFYING:
        return step_simplifying(search, error);
    case NLM_RULES_FOUND:
    case NLM_RULES_NOT_FOUND:
        break;
    }
    return NLM_OK;
}

void nlm_rule_search_free(nlm_rule_search *search)
{
    if (!search)
        return;
    if (search->is_hardening)
        hardening_end(&search->hardening);
    if (search->is_eliminating)
        elimination_end(&search->elimination);
    for (int h = 0; h < search->judges; h++)
        rule_judge_release(&search->judge[h]);
    if (search->has_worlds)
        rule_worlds_release(&search->worlds);
    if (!search->policy)
        nlm_program_free(search->program);
    policy_search_free(search->policy);
    nlm_machine_free(search->machine);
    nlm_signature_free(search->own_signature);
    memory_free(search);
}

nlm_rule_stage nlm_rule_search_stage(const nlm_rule_search *search)
{
    return search->stage;
}

const char *nlm_rule_search_reason(const nlm_rule_search *search)
{
    return search->reason;
}

const nlm_program *nlm_rule_search_program(const nlm_rule_search *search)
{
    return search->stage == NLM_RULES_FOUND ? search->program : NULL;
}

const char *nlm_rule_search_line(const nlm_rule_search *search, char text[NLM_RULE_LINE])
{
    const struct hardening *hardening = &search->hardening;
    char best[48] = "";
    if (search->program)
        snprintf(best, sizeof best, "; smallest program %d literals", search->size.literals);
    switch (search->stage) {
    case NLM_RULES_HARDENING:
        snprintf(text, NLM_RULE_LINE, "rules: making units true or false, attempt %d, step %d, %zu errors",
                 hardening->attempt + 1, hardening->step, hardening->errors);
        break;
    case NLM_RULES_ELIMINATING:
    case NLM_RULES_SIMPLIFYING:
        snprintf(text, NLM_RULE_LINE, "rules: order %d/%d, %zu weights left%s", search->order + 1,
                 search->orders, search->weights, best);
        break;
    case NLM_RULES_FOUND:
        snprintf(text, NLM_RULE_LINE, "rules: a program of %d literals", search->size.literals);
        break;
    case NLM_RULES_NOT_FOUND:
        snprintf(text, NLM_RULE_LINE, "rules: none found");
        break;
    }
    return text;
}

/* ---- files ---- */

#define RULES_KEY "rules"  /* metadata: the clauses, as Prolog */
#define SOFT_TENSOR "soft" /* all parameters of the trained machine, in the order of its tensors */

/* The spec that was learned with, as settings: learned_depth, learned_width, ... */
static int add_learned_spec(const nlm_settings *settings, char texts[][NLM_SETTING_TEXT], char keys[][48],
                            const char **pairs)
{
    const struct settings_table table = settings_table_of(settings);
    int count = 0;
    for (const nlm_setting *row = NULL; (row = setting_next(&table, row)) != NULL;)
        if (model_is_own_key(row->name) && count < MOST_SPEC_ROWS) {
            setting_print(row, settings, texts[count]);
            snprintf(keys[count], sizeof keys[count], LEARNED_PREFIX "%s", row->name);
            pairs[2 * count] = keys[count];
            pairs[2 * count + 1] = texts[count];
            count++;
        }
    return count;
}

/* The compiled machine is what the file's tensors are; the trained one is a single tensor beside them, which
 * readers of models ignore, with its size as settings: so nlm_settings_of_machine gives the settings of the
 * run whatever the compiled machine looks like. */
nlm_status nlm_rule_search_save(nlm_rule_search *search, const char *path, const char *const *metadata,
                                int pairs, nlm_error *error)
{
    REQUIRE(search && path, error);
    if (search->stage != NLM_RULES_FOUND)
        return error_set(error, NLM_BAD_ARGUMENT, "no program was found");
    const nlm_machine *soft = search->soft;
    const int given = pairs > 0 ? pairs : soft->metadata_pairs;
    const char *const *from = pairs > 0 ? metadata : (const char *const *)soft->metadata;
    const char **all = memory_new((size_t)given + MOST_SPEC_ROWS + 1, 2 * sizeof *all);
    char texts[MOST_SPEC_ROWS][NLM_SETTING_TEXT], keys[MOST_SPEC_ROWS][48], *clauses = NULL;
    nlm_machine *compiled = NULL;
    int count = 0;
    nlm_status status =
        all ? nlm_program_text(search->program, NLM_PROLOG, &clauses, error) : error_no_memory(error);
    if (status == NLM_OK)
        status = search->policy ? policy_compile(search->program, &compiled, error)
                                : nlm_program_compile(search->program, 0, &compiled, error);
    if (status == NLM_OK) {
        for (int i = 0; i < given; i++)
            if (!model_is_own_key(from[2 * i])) {
                all[2 * count] = from[2 * i];
                all[2 * count++ + 1] = from[2 * i + 1];
            }
        count += add_learned_spec(search->settings, texts, keys, all + 2 * count);
        all[2 * count] = RULES_KEY;
        all[2 * count++ + 1] = clauses;
        const safetensors_entry weights = {.name = SOFT_TENSOR,
                                           .dimensions = 1,
                                           .shape = {(int64_t)soft->parameters},
                                           .values = soft->values};
        status = machine_save_with(compiled, path, all, count, &weights, 1, error);
    }
    nlm_machine_free(compiled);
    free(clauses);
    memory_free(all);
    return status;
}

bool nlm_machine_has_program(const nlm_machine *machine)
{
    return machine && nlm_machine_metadata(machine, RULES_KEY) != NULL;
}

/* The names of a model's predicates; the targets of a game are its rules. */
static nlm_status signature_of(const nlm_machine *machine, const char *name, nlm_signature **signature,
                               nlm_error *error)
{
    const char *task = nlm_machine_metadata(machine, "task");
    const nlm_game *game = task ? nlm_game_find(task) : NULL;
    return game ? nlm_signature_of_game(game, policy_rules(machine), signature, error)
                : nlm_signature_of_model(machine, name, signature, error);
}

/* The clauses are parsed again, with the model's inputs in their order: the file is read without trust, as
 * any file of rules. */
nlm_status nlm_program_in(const nlm_machine *machine, const char *name, nlm_program **program,
                          nlm_error *error)
{
    REQUIRE(machine && name && program, error);
    *program = NULL;
    const char *clauses = nlm_machine_metadata(machine, RULES_KEY);
    if (!clauses)
        return error_set(error, NLM_BAD_ARGUMENT, "%.200s: the model has no rules", name);
    nlm_signature *signature = NULL;
    nlm_status status = signature_of(machine, name, &signature, error);
    if (status == NLM_OK) {
        const nlm_program_reading reading = {.signature = signature};
        status = nlm_program_parse(clauses, strlen(clauses), name, &reading, program, error);
    }
    nlm_signature_free(signature);
    return status;
}
