#include "learn/policy_rules.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "learn/policy_program.h"
#include "logic/policy.h"
#include "logic/simplify.h"
#include "machine/machine.h"

enum {
    ROUNDS = 3, /* of hardening and elimination, each with other random numbers, until there is a list */
    ORDERS = 4,
    MOST_INLINED = 4000, /* literals of a rule with all definitions put in their places */
    MOST_TESTS = 20000,  /* of simplifying one rule */
    MOST_ROUNDS = 12,    /* of counterexamples to a list */
    JOINING = 8,         /* of them */
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

static void remove_rule(struct policy_program *list, int at)
{
    list->rules--;
    memmove(&list->rule[at], &list->rule[at + 1], (size_t)(list->rules - at) * sizeof *list->rule);
}

/* Rules that no instance needs, the last first. */
static nlm_status drop_rules(struct policy_set *set, struct policy_program *list, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int at = list->rules - 1; at >= 0 && list->rules > 1 && !status; at--) {
        const int rule = list->rule[at];
        bool right = false;
        remove_rule(list, at);
        status = policy_set_test(set, &list->player, &right, error);
        if (!right) {
            memmove(&list->rule[at + 1], &list->rule[at], (size_t)(list->rules - at) * sizeof rule);
            list->rule[at] = rule;
            list->rules++;
        }
    }
    return status;
}

/* ---- simplifying ---- */

/* A rule that is simplified, in its list. */
struct trying {
    struct policy_program *list;
    struct policy_set *set;
};

static nlm_status agrees(void *context, formula f, bool *yes, nlm_error *error)
{
    struct trying *of = context;
    of->list->trial = f;
    *yes = false;
    const nlm_status status = policy_set_test(of->set, &of->list->player, yes, error);
    return status == NLM_BAD_ARGUMENT ? NLM_OK : status; /* too large for tables: another formula may fit */
}

static void forget(void *context)
{
    policy_program_forget(((struct trying *)context)->list);
}

/* Negated atoms in a formula. */
static int negations(const formula_store *store, formula f)
{
    const formula_node *node = formula_at(store, f);
    int count = node->kind == FORMULA_NOT && formula_at(store, node->part)->kind == FORMULA_ATOM;
    if (node->kind == FORMULA_NOT || node->kind == FORMULA_EXISTS)
        return count + negations(store, node->part);
    for (uint32_t i = 0; i < node->count; i++)
        count += negations(store, formula_parts(store, f)[i]);
    return count;
}

/* f with an atom of `second` in the place of each negated one of `first`, its arguments turned round or not.
 */
static formula exchanged(nlm_program *program, formula f, int first, int second, bool turned)
{
    formula_store *store = &program->store;
    const formula_node node = *formula_at(store, f);
    if (node.kind == FORMULA_NOT) {
        const formula_node atom = *formula_at(store, node.part);
        if (atom.kind != FORMULA_ATOM || atom.predicate != first)
            return formula_not(store, exchanged(program, node.part, first, second, turned));
        int variable[FORMULA_MOST_ARITY];
        for (int k = 0; k < atom.arity; k++)
            variable[k] = atom.variable[turned ? atom.arity - 1 - k : k];
        return program_atom(program, second, variable);
    }
    if (node.kind == FORMULA_EXISTS)
        return formula_exists(store, node.bound, exchanged(program, node.part, first, second, turned));
    if (node.kind != FORMULA_AND && node.kind != FORMULA_OR)
        return f;
    formula sum = node.kind == FORMULA_AND ? FORMULA_TRUE : FORMULA_FALSE;
    for (uint32_t i = 0; i < node.count; i++) {
        const formula part = exchanged(program, formula_parts(store, f)[i], first, second, turned);
        sum = node.kind == FORMULA_AND ? formula_and2(store, sum, part) : formula_or2(store, sum, part);
    }
    return sum;
}

/* What a game shows often has opposites, before and after, and a rule without "not" reads better: negated
 * atoms of a predicate become those of another where that agrees. */
static nlm_status prefer_positive(struct trying *of, int arity, formula *f, nlm_error *error)
{
    nlm_program *program = of->list->program;
    simplification by = {.program = program, .arity = arity};
    nlm_status status = NLM_OK;
    for (int a = 0; a < program->input_count; a++)
        for (int b = 0; b < program->input_count && formula_has(&program->store, *f, a) && !status; b++)
            for (int turned = 0; turned < 2 && !status; turned++) {
                bool yes = false;
                if (b == a || program_at(program, b)->arity != program_at(program, a)->arity)
                    continue;
                const formula g = exchanged(program, *f, a, b, turned);
                if (negations(&program->store, g) < negations(&program->store, *f) &&
                    simplify_cost(&by, g) <= simplify_cost(&by, *f))
                    status = agrees(of, g, &yes, error);
                if (yes)
                    *f = g;
            }
    return status;
}

static nlm_status simplify_rule(struct policy_set *set, struct policy_program *list, int at, nlm_error *error)
{
    struct trying of = {list, set};
    program_predicate *rule = program_at(list->program, list->rule[at]);
    simplification by = {list->program, rule->arity, agrees, forget, &of, MOST_TESTS, 0};
    formula f = rule->body;
    list->tried = at;
    list->trial = f;
    nlm_status status = simplify(&by, &f, error);
    if (!status)
        status = prefer_positive(&of, rule->arity, &f, error);
    list->tried = -1;
    program_at(list->program, list->rule[at])->body = f;
    return status;
}

/* Fresh instances; those that the list fails on join the set.  Then all begins again with the list as it was
 * read, which solves them. */
static nlm_status verify(struct policy_search *search, struct policy_set *set, struct policy_program *list,
                         int *failures, nlm_error *error)
{
    int failure[JOINING], asked;
    nlm_status status = policy_fresh_verify(&search->fresh, &list->player, search->teacher.position, NULL,
                                            JOINING, failure, &asked, failures, error);
    for (int i = 0; i < *failures && !status; i++) {
        struct policy_instance instance;
        status = policy_fresh_instance(&search->fresh, failure[i], &instance, error);
        if (!status)
            status = policy_set_add(set, instance, error);
    }
    return status;
}

/* One round; *failures counts the counterexamples that were found. */
static nlm_status shorten_once(struct policy_search *search, struct policy_set *set,
                               struct policy_program *list, bool *right, int *failures, nlm_error *error)
{
    nlm_status status = policy_set_test(set, &list->player, right, error);
    if (status || !*right)
        return status;
    status = drop_rules(set, list, error);
    for (int at = 0; at < list->rules && !status; at++)
        status = simplify_rule(set, list, at, error);
    if (!status)
        status = drop_rules(set, list, error);
    return status ? status : verify(search, set, list, failures, error);
}

/* The list made as short as can be; *found is false if it never solves all instances. */
static nlm_status shorten(struct policy_search *search, struct policy_set *set, nlm_program **program,
                          struct policy_program *list, bool *found, nlm_error *error)
{
    nlm_program *original = NULL;
    int rule[POLICY_MOST_RULES], failures = 1;
    const int rules = list->rules;
    memcpy(rule, list->rule, sizeof rule);
    nlm_status status = program_copy(*program, &original, error);
    bool right = true;
    for (int round = 0; round < MOST_ROUNDS && failures > 0 && right && !status; round++) {
        if (round > 0) {
            policy_program_release(list);
            nlm_program_free(*program);
            *program = NULL;
            status = program_copy(original, program, error);
            if (!status)
                status = policy_program_init(list, *program, error);
            memcpy(list->rule, rule, sizeof rule);
            list->rules = rules;
        }
        if (!status)
            status = shorten_once(search, set, list, &right, &failures, error);
    }
    *found = !status && right && failures == 0;
    nlm_program_free(original);
    return status;
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
        status = shorten(search, &set, &program, &list, &found, &cause);
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

/* A round's random numbers; the first round has those of the run. */
static uint64_t seed_of(const struct policy_search *search)
{
    return search->settings.seed ^ (uint64_t)search->round << 32;
}

/* Hardening of the trained weights, which the teacher has. */
static nlm_status begin_round(struct policy_search *search, nlm_error *error)
{
    memcpy(search->machine->values, search->teacher_machine->values,
           search->machine->parameters * sizeof *search->machine->values);
    const nlm_status status = policy_hardening_begin(&search->hardening, search->machine, &search->fresh,
                                                     seed_of(search), &search->options, error);
    search->is_hardening = !status;
    search->stage = NLM_RULES_HARDENING;
    search->order = 0;
    return status;
}

/* The round has found nothing. */
static nlm_status end_round(struct policy_search *search, nlm_error *error)
{
    if (search->round + 1 < ROUNDS) {
        search->round++;
        return begin_round(search, error);
    }
    search->stage = NLM_RULES_NOT_FOUND;
    return NLM_OK;
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
    if (!status)
        status = begin_round(made, error);
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
    return end_round(search, error);
}

static nlm_status step_eliminating(struct policy_search *search, nlm_error *error)
{
    nlm_status status = NLM_OK;
    if (!search->is_eliminating) {
        policy_judge_init(&search->judge, &search->fresh, search->order, &search->options);
        search->is_eliminating = true;
        status = elimination_begin_judged(&search->elimination, search->machine, &search->judge.table,
                                          seed_of(search), search->order, error);
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
    search->stage = search->order < search->orders ? NLM_RULES_ELIMINATING : NLM_RULES_FOUND;
    if (status || search->stage == NLM_RULES_ELIMINATING || search->program)
        return status;
    if (!*search->reason)
        set_reason(search, "no order of elimination gave rules that solve every instance");
    return end_round(search, error);
}

nlm_status policy_search_step(struct policy_search *search, nlm_error *error)
{
    switch (search->stage) {
    case NLM_RULES_HARDENING:
        return step_hardening(search, error);
    case NLM_RULES_ELIMINATING:
        return step_eliminating(search, error);
    case NLM_RULES_SIMPLIFYING:
        return step_simplifying(search, error);
    case NLM_RULES_FITTING:
    case NLM_RULES_COMPARING:
    case NLM_RULES_FOUND:
    case NLM_RULES_NOT_FOUND:
        break;
    }
    return NLM_OK;
}
