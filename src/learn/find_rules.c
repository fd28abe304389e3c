/* The course of a search: hardening, then several orders of elimination side by side, each of which may come
 * to a program; the smallest stays.  If none does, hardening begins again with other random numbers.
 *
 * All that is drawn comes from the settings' seed, and every limit is a number of steps or tests, never a
 * time: so the same machine gives the same program, for any number of threads. */
#include "nlm/rules.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/team.h"
#include "learn/count_rows.h"
#include "learn/find_alternatives.h"
#include "learn/clause_program.h"
#include "learn/picture_rules.h"
#include "learn/policy_rules.h"
#include "learn/rule_search.h"
#include "learn/validation.h"
#include "logic/policy.h"
#include "machine/machine.h"
#include "nlm/gallery.h"

enum {
    MOST_ROUNDS = 3,
    LONG_PROGRAM =
        8, /* literals; a shorter program without errors is not compared with such that make some */
    LENGTH_FACTOR = 2 /* so many times as long as the literals and errors of another it must be to give way */
};

#define ROUND_SEEDS 0x9e3779b97f4a7c15u /* apart from those of other runs' seeds, which are small numbers */

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
    if (status != NLM_OK) {
        nlm_machine_free(teacher);
        return status;
    }
    status = policy_search_new(teacher, machine, search->settings, &search->options, &search->policy, error);
    if (status == NLM_OK)
        search->stage = search->policy->stage;
    return status;
}

/* What the search of a game has come to, as that of tasks says it. */
static nlm_status step_policy(struct nlm_rule_search *search, nlm_error *error)
{
    struct policy_search *policy = search->policy;
    const nlm_status status = policy_search_step(policy, error);
    search->stage = policy->stage;
    set_reason(search, policy->reason);
    return status;
}

/* Each round has the trained weights again, and random numbers of its own. */
static nlm_status begin_hardening(struct nlm_rule_search *search, nlm_error *error)
{
    nlm_machine_free(search->machine);
    nlm_status status = copy_machine(search->soft, &search->machine, error);
    if (status == NLM_OK)
        status = hardening_begin(&search->hardening, search->machine, search->settings, NULL,
                                 search->settings->seed + (uint64_t)search->round * ROUND_SEEDS,
                                 &search->options, error);
    search->is_hardening = status == NLM_OK;
    search->stage = NLM_RULES_HARDENING;
    return status;
}

/* The pictures that labels are about are not in a model file. */
static nlm_status check_pictures(const nlm_settings *settings, nlm_error *error)
{
    const nlm_gallery *gallery = settings->task->gallery;
    if (settings->data != (gallery ? nlm_gallery_digest(gallery) : 0))
        return error_set(error, NLM_BAD_ARGUMENT, "the images that the machine was trained on are needed");
    return NLM_OK;
}

static nlm_status step_pictures(struct nlm_rule_search *search, nlm_error *error)
{
    picture_rules found;
    const nlm_status status = picture_rules_find(search->soft, search->settings, search->team, &found, error);
    if (status != NLM_OK) {
        picture_rules_release(&found);
        return status;
    }
    search->program = found.program;
    search->sights = found.sights;
    search->bound = found.bound;
    if (found.program)
        search->size = nlm_program_measure(found.program);
    set_reason(search, found.reason);
    search->stage = found.program ? NLM_RULES_FOUND : NLM_RULES_NOT_FOUND;
    return NLM_OK;
}

static nlm_status make_search(const nlm_machine *machine, const nlm_settings *settings,
                              const nlm_options *options, rule_clauses clauses, nlm_rule_search **search,
                              nlm_error *error)
{
    *search = NULL;
    nlm_rule_search *made = memory_new(1, sizeof *made);
    if (!made)
        return error_no_memory(error);
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
    if (status == NLM_OK && team_new(made->options.threads, &made->team) != NLM_OK)
        status = error_no_memory(error);
    made->clauses = clauses;
    made->sees_pictures = picture_rules_meant(settings);
    if (status == NLM_OK && made->sees_pictures)
        status = check_pictures(settings, error);
    if (clauses != RULE_CLAUSES_LAST || made->sees_pictures)
        made->stage = NLM_RULES_FITTING;
    else if (status == NLM_OK)
        status = begin_hardening(made, error);
    if (status != NLM_OK)
        nlm_rule_search_free(made);
    else
        *search = made;
    return status;
}

nlm_status nlm_rule_search_new(const nlm_machine *machine, const nlm_settings *settings,
                               const nlm_options *options, nlm_rule_search **search, nlm_error *error)
{
    REQUIRE(machine && settings && search, error);
    return make_search(machine, settings, options, RULE_CLAUSES_LAST, search, error);
}

nlm_status rule_search_new_clauses(const nlm_machine *machine, const nlm_settings *settings,
                                   rule_clauses clauses, const nlm_options *options, nlm_rule_search **search,
                                   nlm_error *error)
{
    REQUIRE(machine && settings && settings->problem && search, error);
    return make_search(machine, settings, options, clauses, search, error);
}

bool rule_search_is_noisy(const nlm_rule_search *search, nlm_answers *validated)
{
    *validated = search->validated;
    return search->is_noisy;
}

/* ---- steps ---- */

static void begin_orders(struct nlm_rule_search *search)
{
    for (int o = 0; o < RULE_ORDERS; o++)
        rule_order_begin(&search->order[o], search->round * RULE_ORDERS + o, search->machine,
                         search->settings, search->signature);
    search->stage = NLM_RULES_ELIMINATING;
}

/* The next round, or the end. */
static nlm_status end_round(struct nlm_rule_search *search, nlm_error *error)
{
    if (++search->round < MOST_ROUNDS)
        return begin_hardening(search, error);
    search->stage = search->settings->problem ? NLM_RULES_FITTING : NLM_RULES_NOT_FOUND;
    return NLM_OK;
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
    if (hard) {
        begin_orders(search);
        return NLM_OK;
    }
    set_reason(search, "its units did not become true or false");
    return end_round(search, error);
}

/* Wrong answers of a machine about what facts hold out. */
static nlm_status held_out_errors(struct nlm_rule_search *search, struct rule_worlds *worlds,
                                  nlm_machine *machine, size_t *wrong, nlm_error *error)
{
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
    struct rule_worlds worlds;
    size_t before = 0, after = 0;
    nlm_status status = rule_worlds_init(&worlds, search->settings, 0, error);
    if (status == NLM_OK)
        status = nlm_program_compile(search->program, 0, &compiled, error);
    if (status == NLM_OK)
        status = copy_machine(search->soft, &soft, error);
    if (status == NLM_OK)
        status = held_out_errors(search, &worlds, soft, &before, error);
    if (status == NLM_OK)
        status = held_out_errors(search, &worlds, compiled, &after, error);
    if (status == NLM_OK && after > before) {
        snprintf(search->reason, sizeof search->reason,
                 "the program has %zu wrong answers about what was held out, the machine %zu", after, before);
        nlm_program_free(search->program);
        search->program = NULL;
    }
    nlm_machine_free(soft);
    nlm_machine_free(compiled);
    rule_worlds_release(&worlds);
    return status;
}

/* Wrong answers of a program about what is held out. */
static nlm_status program_errors(struct nlm_rule_search *search, struct rule_worlds *worlds,
                                 const nlm_program *program, size_t *wrong, nlm_error *error)
{
    nlm_machine *compiled = NULL;
    nlm_status status = nlm_program_compile(program, 0, &compiled, error);
    if (status == NLM_OK)
        status = held_out_errors(search, worlds, compiled, wrong, error);
    nlm_machine_free(compiled);
    return status;
}

/* Whether a program that contradicts labels is to be taken: one that cross-validation supports.  Of a machine
 * that has learned its labels it must be no worse about what is held out than that or, if there is a program
 * without errors, than this, and much shorter, errors counted. */
static nlm_status judge_noisy(struct nlm_rule_search *search, struct rule_worlds *worlds,
                              const clause_program *found, bool *better, nlm_error *error)
{
    nlm_machine *soft = NULL;
    size_t without = 0, with = 0;
    nlm_status status = NLM_OK;
    *better = clause_program_is_supported(found);
    if (search->program)
        *better &= LENGTH_FACTOR * (found->literals + found->errors) <= search->size.literals;
    if (!*better || search->clauses == RULE_CLAUSES_NOISY)
        return NLM_OK;
    if (search->program)
        status = program_errors(search, worlds, search->program, &without, error);
    else if ((status = copy_machine(search->soft, &soft, error)) == NLM_OK)
        status = held_out_errors(search, worlds, soft, &without, error);
    nlm_machine_free(soft);
    if (status == NLM_OK)
        status = program_errors(search, worlds, found->program, &with, error);
    *better = with <= without;
    return status;
}

/* Without errors: what is held out, or cross-validation where that is little, has to agree. */
static nlm_status fit_exact(struct nlm_rule_search *search, struct rule_worlds *worlds, clause_program *found,
                            bool *better, nlm_error *error)
{
    bool validate;
    nlm_status status = validation_is_useful(search->settings, &validate, error);
    if (status == NLM_OK)
        status = clause_program_find_exact(worlds, validate, search->signature, search->team, found, error);
    *better = status == NLM_OK && found->program && (!validate || clause_program_is_supported(found));
    return status;
}

static nlm_status fit_noisy(struct nlm_rule_search *search, struct rule_worlds *worlds, clause_program *found,
                            bool *better, nlm_error *error)
{
    const bool all = search->clauses == RULE_CLAUSES_NOISY;
    nlm_status status = clause_program_find(worlds, all, search->signature, search->team, found, error);
    if (status == NLM_OK)
        status = judge_noisy(search, worlds, found, better, error);
    if (*better && status == NLM_OK && !all) { /* what is held out has had its say */
        nlm_program_free(found->program);
        status = clause_program_find(worlds, true, search->signature, search->team, found, error);
        *better = status == NLM_OK && clause_program_is_supported(found);
    }
    return status;
}

static nlm_status step_fitting(struct nlm_rule_search *search, nlm_error *error)
{
    const bool exact = search->clauses == RULE_CLAUSES_EXACT;
    struct rule_worlds worlds;
    clause_program found = {0};
    bool better = false;
    nlm_status status = rule_worlds_init(&worlds, search->settings, RULE_MOST_USERS - 1, error);
    if (status == NLM_OK)
        status = (exact ? fit_exact : fit_noisy)(search, &worlds, &found, &better, error);
    rule_worlds_release(&worlds);
    if (better && status == NLM_OK) {
        nlm_program_free(search->program);
        search->program = found.program;
        search->size = nlm_program_measure(found.program);
        search->is_noisy = !exact;
        search->contradicted = found.errors;
        search->validated = found.validated;
    } else {
        nlm_program_free(found.program);
    }
    if (status == NLM_OK) {
        if (!search->program && !*search->reason)
            set_reason(search, *found.reason ? found.reason : "no clauses fit more labels than chance would");
        search->stage = search->program ? NLM_RULES_COMPARING : NLM_RULES_NOT_FOUND;
    }
    return status;
}

/* The other programs that agree with the examples, for each target.  The worlds are the judges' of the first
 * order, which are as good as those of any other.  Where the program itself does not agree there are none. */
static nlm_status compare_alternatives(struct nlm_rule_search *search, nlm_error *error)
{
    struct rule_worlds worlds;
    nlm_status status = rule_worlds_init(&worlds, search->settings, RULE_MOST_USERS - 1, error);
    if (status == NLM_OK)
        status = alternatives_new(rule_worlds_examples(&worlds), &search->alternatives, error);
    for (int h = 0; h < search->program->target_count && status == NLM_OK && !search->is_noisy; h++) {
        struct rule_judge judge = {0};
        status = rule_judge_init(&judge, &worlds, h, nlm_machine_head(search->soft, h)->arity, error);
        if (status == NLM_OK)
            status = find_alternatives(search->program, h, &judge, search->settings->seed,
                                       search->alternatives, error);
        rule_judge_release(&judge);
    }
    if (status == NLM_OK)
        status = count_rows(search->program, search->signature, &worlds, &search->rows, error);
    rule_worlds_release(&worlds);
    if (status == NLM_OK)
        search->stage = NLM_RULES_FOUND;
    return status;
}

/* What an order's thread leaves for the caller. */
struct order_part {
    struct nlm_rule_search *search;
    nlm_status status[RULE_ORDERS];
    nlm_error error[RULE_ORDERS];
};

static void run_order(void *context, int part, int thread)
{
    (void)thread;
    struct order_part *of = context;
    of->status[part] = rule_order_step(&of->search->order[part], &of->error[part]);
}

/* The smallest program of the round; of equal ones that of the first order. */
static void take_smallest(struct nlm_rule_search *search)
{
    for (int o = 0; o < RULE_ORDERS; o++) {
        struct rule_order *order = &search->order[o];
        if (*order->reason)
            set_reason(search, order->reason);
        if (order->program && (!search->program || order->size.literals < search->size.literals)) {
            nlm_program_free(search->program);
            search->program = order->program;
            search->size = order->size;
            order->program = NULL;
        }
        rule_order_end(order);
    }
}

/* Every order a step.  Each is a thread's own, so that it does not matter which thread it is. */
static nlm_status step_orders(struct nlm_rule_search *search, nlm_error *error)
{
    struct order_part part = {.search = search};
    bool done = true;
    team_run(search->team, RULE_ORDERS, run_order, &part);
    for (int o = 0; o < RULE_ORDERS; o++) {
        if (part.status[o] != NLM_OK)
            return error_set(error, part.status[o], "%s", part.error[o].message);
        done &= search->order[o].stage == RULE_ORDER_DONE;
    }
    if (!done)
        return NLM_OK;
    take_smallest(search);
    nlm_status status = NLM_OK;
    if (search->program && search->settings->problem)
        status = check_held_out(search, error);
    if (status == NLM_OK && search->program)
        search->stage = search->settings->problem && search->size.literals > LONG_PROGRAM
                            ? NLM_RULES_FITTING
                            : NLM_RULES_COMPARING;
    else if (status == NLM_OK) {
        if (!*search->reason)
            set_reason(search, "no order of elimination gave a program without an error");
        status = end_round(search, error);
    }
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
        return step_orders(search, error);
    case NLM_RULES_FITTING:
        return search->sees_pictures ? step_pictures(search, error) : step_fitting(search, error);
    case NLM_RULES_COMPARING:
        return compare_alternatives(search, error);
    case NLM_RULES_SIMPLIFYING: /* of agents only */
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
    for (int o = 0; o < RULE_ORDERS; o++)
        rule_order_end(&search->order[o]);
    nlm_program_free(search->program);
    nlm_alternatives_free(search->alternatives);
    rows_free(search->rows);
    policy_search_free(search->policy);
    free(search->sights);
    memory_free(search->bound);
    team_free(search->team);
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
    return search->stage == NLM_RULES_NOT_FOUND ? search->reason : "";
}

const nlm_program *nlm_rule_search_program(const nlm_rule_search *search)
{
    return search->stage != NLM_RULES_FOUND ? NULL
           : search->policy                 ? search->policy->program
                                            : search->program;
}

/* Of orders that go on side by side: how many have ended, and the weights left in all others. */
static void orders_line(const struct nlm_rule_search *search, char text[NLM_RULE_LINE])
{
    char best[48] = "";
    int ended = 0, literals = 0;
    size_t weights = 0;
    for (int o = 0; o < RULE_ORDERS; o++) {
        const struct rule_order *order = &search->order[o];
        ended += order->stage == RULE_ORDER_DONE;
        weights += order->stage == RULE_ORDER_DONE ? 0 : order->weights;
        if (order->program && (literals == 0 || order->size.literals < literals))
            literals = order->size.literals;
    }
    if (literals > 0)
        snprintf(best, sizeof best, "; smallest program %d literals", literals);
    snprintf(text, NLM_RULE_LINE, "rules: %d of %d orders, %zu weights left%s", ended, RULE_ORDERS, weights,
             best);
}

const char *nlm_rule_search_line(const nlm_rule_search *search, char text[NLM_RULE_LINE])
{
    const struct policy_search *policy = search->policy;
    const int attempt = policy ? policy->hardening.attempt : search->hardening.attempt,
              step = policy ? policy->hardening.step : search->hardening.step;
    const size_t errors = policy ? (size_t)policy->hardening.errors : search->hardening.errors;
    switch (search->stage) {
    case NLM_RULES_HARDENING:
        snprintf(text, NLM_RULE_LINE, "rules: making units true or false, attempt %d, step %d, %zu errors",
                 (policy ? 0 : search->round) + attempt + 1, step, errors);
        break;
    case NLM_RULES_FITTING:
        if (policy)
            snprintf(text, NLM_RULE_LINE, "rules: fitted to the agent's choices, list %d",
                     policy->fitted.round + 1);
        else
            snprintf(text, NLM_RULE_LINE, "rules: clauses %s",
                     search->clauses == RULE_CLAUSES_EXACT ? "without errors" : "that contradict few labels");
        break;
    case NLM_RULES_COMPARING:
        snprintf(text, NLM_RULE_LINE, "rules: %d literals, comparing with other programs",
                 search->size.literals);
        break;
    case NLM_RULES_ELIMINATING:
    case NLM_RULES_SIMPLIFYING:
        if (policy)
            snprintf(text, NLM_RULE_LINE, "rules: order %d/%d, %zu weights left", policy->order + 1,
                     policy->orders, policy->weights);
        else
            orders_line(search, text);
        break;
    case NLM_RULES_FOUND:
        snprintf(text, NLM_RULE_LINE, "rules: a program of %d literals",
                 policy ? policy->size.literals : search->size.literals);
        break;
    case NLM_RULES_NOT_FOUND:
        snprintf(text, NLM_RULE_LINE, "rules: none found");
        break;
    }
    return text;
}
