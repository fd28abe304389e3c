#include "learn/policy_rules.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "learn/policy_shorten.h"
#include "logic/policy.h"
#include "machine/machine.h"

enum {
    ORDERS = 4,
    MOST_INLINED = 4000, /* literals of a rule with all definitions put in their places */
    SCORED = 300         /* instances that say which scores moves have */
};

static void set_reason(struct policy_search *search, const char *reason)
{
    snprintf(search->reason, sizeof search->reason, "%.*s", (int)sizeof search->reason - 1, reason);
}

/* ---- scores ---- */

/* A machine that plays, and the scores of the moves that it makes. */
struct scoring {
    struct policy_machine *machine;
    double score[POLICY_MOST_RULES]; /* descending */
    int count;
    bool full;
};

static void note_score(struct scoring *of, double score)
{
    int place = 0;
    while (place < of->count && of->score[place] > score)
        place++;
    if (place < of->count && of->score[place] >= score)
        return;
    of->full |= of->count == POLICY_MOST_RULES;
    if (of->full)
        return;
    memmove(&of->score[place + 1], &of->score[place], (size_t)(of->count - place) * sizeof *of->score);
    of->score[place] = score;
    of->count++;
}

static nlm_status choose_and_note(void *context, const nlm_position *position, size_t *cell, nlm_error *error)
{
    struct scoring *of = context;
    const nlm_status status = of->machine->player.choose(of->machine->player.context, position, cell, error);
    if (!status)
        note_score(of, (double)of->machine->score);
    return status;
}

static nlm_status find_scores(struct policy_search *search, struct scoring *scores, nlm_error *error)
{
    const struct policy_player player = {scores, choose_and_note, NULL};
    nlm_status status = NLM_OK;
    *scores = (struct scoring){.machine = &search->judge.machine};
    for (int i = 0; i < SCORED + search->judge.set.count && !status; i++) {
        struct policy_instance instance;
        int moves;
        if (i < SCORED)
            status = policy_fresh_instance(&search->fresh, i, &instance, error);
        else
            instance = policy_set_at(&search->judge.set, i - SCORED)->instance;
        if (!status && instance.moves >= 0)
            status = policy_play(&player, search->teacher.position, search->teacher.seed, instance,
                                 instance.moves, &moves, error);
    }
    return status;
}

/* ---- the list ---- */

/* The rules of the machine that elimination has left, each with all definitions in their places. */
static nlm_status read_list(struct policy_search *search, nlm_program **program, struct policy_program *list,
                            nlm_error *error)
{
    struct scoring scores;
    double threshold[POLICY_MOST_RULES];
    bool fits = true;
    nlm_status status = find_scores(search, &scores, error);
    if (!status && scores.full)
        status =
            error_set(error, NLM_BAD_ARGUMENT, "moves have more than %d different scores", POLICY_MOST_RULES);
    for (int i = 0; i < scores.count; i++)
        threshold[i] = scores.score[i] - (double)POLICY_GRAIN / 2;
    if (!status)
        status = program_of_scores(search->elimination.machine, search->signature, threshold, scores.count,
                                   program, error);
    if (!status)
        status = policy_program_init(list, *program, error);
    if (status)
        return status;
    const int first = (*program)->predicate_count - scores.count;
    for (int i = scores.count - 1; i >= 0 && fits; i--)
        program_at(*program, first + i)->body = program_inlined(*program, first + i, MOST_INLINED, &fits);
    if (!fits)
        return error_set(error, NLM_BAD_ARGUMENT, "a rule has more than %d literals", MOST_INLINED);
    for (int i = 0; i < scores.count; i++)
        list->rule[list->rules++] = first + i;
    return NLM_OK;
}

/* ---- the result ---- */

/* A program of the inputs and the rules alone. */
static nlm_status make_result(const struct policy_search *search, const struct policy_program *list,
                              nlm_program **made, nlm_error *error)
{
    nlm_status status = program_new(made, error);
    if (list->rules > NLM_MAX_HEADS)
        return error_set(error, NLM_BAD_ARGUMENT, "the list has %d rules; at most %d are supported",
                         list->rules, NLM_MAX_HEADS);
    if (!status) {
        (*made)->is_policy = true;
        status = program_add_signature(*made, search->signature, error);
    }
    for (int i = 0; i < list->rules && !status; i++) {
        const program_predicate *rule = program_at(list->program, list->rule[i]);
        char name[32];
        snprintf(name, sizeof name, "move_%d", i + 1);
        const formula body = formula_copy(&(*made)->store, &list->program->store, rule->body, NULL);
        const int number = program_add_definition(*made, name, rule->arity, body);
        if (number < 0 || (*made)->store.failed)
            return error_no_memory(error);
        (*made)->target[(*made)->target_count++] = number;
    }
    return status;
}

/* The set for lists: the instances that elimination was tested on. */
static nlm_status copy_set(const struct policy_search *search, struct policy_set *set, nlm_error *error)
{
    const struct policy_set *from = &search->judge.set;
    nlm_status status = policy_set_init(set, from->game, from->seed, error);
    for (int i = 0; i < from->count && !status; i++)
        status = policy_set_add(set, policy_set_at(from, i)->instance, error);
    return status;
}

/* Keeps the list if it is the smallest so far. */
static nlm_status keep_smallest(struct policy_search *search, const struct policy_program *list,
                                nlm_error *error)
{
    nlm_program *made = NULL;
    nlm_machine *compiled = NULL;
    nlm_status status = make_result(search, list, &made, error);
    if (!status)
        status = policy_compile(made, &compiled, error);
    nlm_machine_free(compiled);
    if (!status) {
        const nlm_program_size size = nlm_program_measure(made);
        if (!search->program || size.literals < search->size.literals) {
            nlm_program_free(search->program);
            search->program = made;
            search->size = size;
            return NLM_OK;
        }
    }
    nlm_program_free(made);
    return status;
}

/* What cannot be a list is no error of the run: another order may give one. */
static nlm_status read_program(struct policy_search *search, nlm_error *error)
{
    nlm_program *program = NULL;
    struct policy_program list = {0};
    struct policy_set set = {0};
    nlm_error cause;
    bool found = false;
    nlm_status status = read_list(search, &program, &list, &cause);
    if (!status)
        status = copy_set(search, &set, &cause);
    if (!status)
        status = policy_shorten(&search->fresh, &set, &program, &list, &found, &cause);
    if (!status && found)
        status = keep_smallest(search, &list, &cause);
    policy_program_release(&list);
    policy_set_release(&set);
    nlm_program_free(program);
    if (status == NLM_BAD_ARGUMENT)
        set_reason(search, cause.message);
    return status == NLM_OK || status == NLM_BAD_ARGUMENT ? NLM_OK
                                                          : error_set(error, status, "%s", cause.message);
}

/* ---- the course ---- */

/* Hardening of the trained weights. */
static nlm_status begin_hardening(struct policy_search *search, nlm_error *error)
{
    const nlm_status status = policy_hardening_begin(&search->hardening, search->machine, &search->fresh,
                                                     search->settings.seed, &search->options, error);
    search->is_hardening = !status;
    search->stage = NLM_RULES_HARDENING;
    return status;
}

nlm_status policy_search_new(nlm_machine *teacher, nlm_machine *machine, const nlm_settings *settings,
                             const nlm_options *options, struct policy_search **search, nlm_error *error)
{
    struct policy_search *made = memory_new(1, sizeof *made);
    *search = NULL;
    if (!made) {
        nlm_machine_free(teacher);
        nlm_machine_free(machine);
        return error_no_memory(error);
    }
    made->teacher_machine = teacher;
    made->machine = machine;
    made->settings = *settings;
    made->options = *options;
    made->orders = ORDERS;
    nlm_status status = nlm_signature_of_game(settings->game, 0, &made->signature, error);
    if (!status)
        status = policy_teacher_init(&made->teacher, teacher, settings, options, error);
    made->fresh.teacher = &made->teacher;
    made->stage = NLM_RULES_FITTING;
    policy_fitted_begin(&made->fitted, &made->fresh, made->signature);
    if (status)
        policy_search_free(made);
    else
        *search = made;
    return status;
}

void policy_search_free(struct policy_search *search)
{
    if (!search)
        return;
    policy_fitted_end(&search->fitted);
    if (search->is_hardening)
        policy_hardening_end(&search->hardening);
    if (search->is_eliminating)
        elimination_end(&search->elimination);
    policy_judge_release(&search->judge);
    if (search->teacher.game)
        policy_teacher_release(&search->teacher);
    nlm_program_free(search->program);
    nlm_signature_free(search->signature);
    nlm_machine_free(search->teacher_machine);
    nlm_machine_free(search->machine);
    memory_free(search);
}

/* What is fitted to the agent's choices is taken; without such a list, hardening begins. */
static nlm_status step_fitting(struct policy_search *search, nlm_error *error)
{
    struct policy_fitted *fitted = &search->fitted;
    nlm_status status = policy_fitted_step(fitted, error);
    if (status || fitted->stage == FITTED_LEARNING)
        return status;
    if (fitted->stage == FITTED_FOUND)
        status = keep_smallest(search, &fitted->list, error);
    policy_fitted_end(fitted);
    if (status && status != NLM_BAD_ARGUMENT)
        return status;
    if (!search->program && fitted->solved == 0) {
        set_reason(search, "the agent solves no instance when it always makes its best move");
        search->stage = NLM_RULES_NOT_FOUND;
        return NLM_OK;
    }
    if (!search->program)
        return begin_hardening(search, error);
    search->stage = NLM_RULES_FOUND;
    return NLM_OK;
}

static nlm_status step_hardening(struct policy_search *search, nlm_error *error)
{
    const nlm_status status = policy_hardening_step(&search->hardening, error);
    if (status || search->hardening.stage == HARDENING)
        return status;
    const bool hard = search->hardening.stage != NOT_HARDENED;
    policy_hardening_end(&search->hardening);
    search->is_hardening = false;
    search->stage = NLM_RULES_ELIMINATING;
    if (hard)
        return NLM_OK;
    set_reason(search, "with units that are true or false it needed more moves");
    search->stage = NLM_RULES_NOT_FOUND;
    return NLM_OK;
}

static nlm_status step_eliminating(struct policy_search *search, nlm_error *error)
{
    nlm_status status = NLM_OK;
    if (!search->is_eliminating) {
        policy_judge_init(&search->judge, &search->fresh, search->order, &search->options);
        search->is_eliminating = true;
        status = elimination_begin_judged(&search->elimination, search->machine, &search->judge.table,
                                          search->settings.seed, search->order, error);
    }
    if (!status)
        status = elimination_step(&search->elimination, error);
    search->weights = search->elimination.weights;
    if (!status && search->elimination.stage >= ELIMINATED)
        search->stage = NLM_RULES_SIMPLIFYING;
    return status;
}

static nlm_status step_simplifying(struct policy_search *search, nlm_error *error)
{
    nlm_status status = NLM_OK;
    if (search->elimination.stage == ELIMINATED)
        status = read_program(search, error);
    policy_judge_release(&search->judge);
    elimination_end(&search->elimination);
    search->is_eliminating = false;
    search->order++;
    search->stage = search->program                  ? NLM_RULES_FOUND
                    : search->order < search->orders ? NLM_RULES_ELIMINATING
                                                     : NLM_RULES_NOT_FOUND;
    if (search->stage == NLM_RULES_NOT_FOUND && !*search->reason)
        set_reason(search, "no order of elimination gave rules that solve every instance");
    return status;
}

nlm_status policy_search_step(struct policy_search *search, nlm_error *error)
{
    switch (search->stage) {
    case NLM_RULES_FITTING:
        return step_fitting(search, error);
    case NLM_RULES_HARDENING:
        return step_hardening(search, error);
    case NLM_RULES_ELIMINATING:
        return step_eliminating(search, error);
    case NLM_RULES_SIMPLIFYING:
        return step_simplifying(search, error);
    case NLM_RULES_COMPARING:
    case NLM_RULES_FOUND:
    case NLM_RULES_NOT_FOUND:
        break;
    }
    return NLM_OK;
}
