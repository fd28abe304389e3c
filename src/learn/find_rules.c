#include "learn/find_rules.h"
#include <string.h>
#include "base/error.h"
#include "logic/simplify.h"

enum {
    MOST_INLINED = 4000, /* literals of a formula with all definitions put in their places */
    MOST_TESTS = 150000, /* of simplifying one formula */
    MOST_ROUNDS = 12     /* of counterexamples to a simplified formula */
};

static void set_reason(struct rule_search *search, const char *reason)
{
    snprintf(search->reason, sizeof search->reason, "%.*s", (int)sizeof search->reason - 1, reason);
}

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

nlm_status rule_search_begin(struct rule_search *search, const nlm_machine *machine,
                             const nlm_settings *settings, const nlm_signature *signature, int orders,
                             uint64_t seed, const nlm_options *options, nlm_error *error)
{
    *search = (struct rule_search){
        .orders = orders, .settings = settings, .signature = signature, .options = *options, .seed = seed};
    nlm_status status = copy_machine(machine, &search->machine, error);
    if (status == NLM_OK)
        status = hardening_begin(&search->hardening, search->machine, settings, NULL, seed, options, error);
    search->is_hardening = status == NLM_OK;
    return status;
}

static nlm_status make_judges(struct rule_search *search, nlm_error *error)
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

static nlm_status step_hardening(struct rule_search *search, nlm_error *error)
{
    nlm_status status = hardening_step(&search->hardening, error);
    if (status != NLM_OK || search->hardening.stage == HARDENING)
        return status;
    const bool hard = search->hardening.stage != NOT_HARDENED;
    hardening_end(&search->hardening);
    search->is_hardening = false;
    search->stage = hard ? RULES_ELIMINATING : RULES_NOT_FOUND;
    if (!hard)
        set_reason(search, "its units did not become true or false");
    return hard ? make_judges(search, error) : NLM_OK;
}

static nlm_status step_eliminating(struct rule_search *search, nlm_error *error)
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
        search->stage = RULES_SIMPLIFYING;
    return status;
}

/* The formula of a target with all definitions in their places; FORMULA_FALSE with *fits false if it is too
 * long. */
static formula inlined(nlm_program *program, int target, bool *fits)
{
    formula f = program_at(program, target)->body;
    int atoms = 0, equalities = 0;
    for (int d = program->predicate_count - 1; d >= program->input_count; d--)
        if (d != target && formula_has(&program->store, f, d)) {
            f = formula_expand(&program->store, f, d, program_at(program, d)->body);
            formula_count(&program->store, f, &atoms, &equalities);
            if (atoms + equalities > MOST_INLINED)
                break;
        }
    *fits = atoms + equalities <= MOST_INLINED && !program->store.failed;
    return f;
}

/* The formula of one target as small as can be; *found is false if it disagrees with examples. */
static nlm_status shorten(struct rule_search *search, nlm_program *program, int head, formula *f, bool *found,
                          nlm_error *error)
{
    struct rule_judge *judge = &search->judge[head];
    program_predicate *target = program_at(program, program->target[head]);
    nlm_status status = NLM_OK;
    *found = false;
    bool fits;
    target->body = inlined(program, program->target[head], &fits);
    for (int round = 0; round < MOST_ROUNDS && fits && status == NLM_OK; round++) {
        simplification of = {program, target->arity, rule_judge_agrees, rule_judge_forget, judge, MOST_TESTS,
                             0};
        bool agrees = false;
        int failures = 0;
        *f = target->body;
        status = rule_judge_use(judge, program, error);
        if (status == NLM_OK)
            status = rule_judge_agrees(judge, *f, &agrees, error);
        if (status != NLM_OK || !agrees)
            return status;
        status = simplify(&of, f, error);
        if (status == NLM_OK)
            status = rule_judge_verify(judge, program, *f, &failures, error);
        if (status == NLM_OK && failures == 0) {
            *found = true;
            return NLM_OK;
        }
    }
    return status;
}

/* A program of the inputs and the targets alone. */
static nlm_status make_result(const struct rule_search *search, const nlm_program *from,
                              const formula *bodies, nlm_program **made, nlm_error *error)
{
    nlm_status status = program_new(made, error);
    if (status == NLM_OK)
        status = program_add_signature(*made, search->signature, error);
    for (int h = 0; h < from->target_count && status == NLM_OK; h++) {
        const program_predicate *target = program_at(from, from->target[h]);
        const formula body = formula_copy(&(*made)->store, &from->store, bodies[h], NULL);
        const int number = program_add_definition(*made, target->name, target->arity, body);
        if (number < 0 || (*made)->store.failed)
            return error_no_memory(error);
        program_at(*made, number)->written = target->written;
        memcpy(program_at(*made, number)->place, target->place, sizeof target->place);
        (*made)->target[(*made)->target_count++] = number;
    }
    return status;
}

static nlm_status read_program(struct rule_search *search, nlm_error *error)
{
    nlm_program *program = NULL, *made = NULL;
    formula bodies[NLM_MAX_HEADS];
    bool found = true;
    nlm_status status = nlm_program_of(search->elimination.machine, search->signature, &program, error);
    if (status == NLM_BAD_ARGUMENT) {
        set_reason(search, error->message);
        return NLM_OK;
    }
    for (int h = 0; status == NLM_OK && found && h < program->target_count; h++)
        status = shorten(search, program, h, &bodies[h], &found, error);
    if (status == NLM_OK && found)
        status = make_result(search, program, bodies, &made, error);
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
    return status;
}

static nlm_status step_simplifying(struct rule_search *search, nlm_error *error)
{
    nlm_status status = NLM_OK;
    if (search->elimination.stage == ELIMINATED)
        status = read_program(search, error);
    elimination_end(&search->elimination);
    search->is_eliminating = false;
    search->order++;
    search->stage = search->order < search->orders ? RULES_ELIMINATING
                    : search->program              ? RULES_FOUND
                                                   : RULES_NOT_FOUND;
    if (search->stage == RULES_NOT_FOUND && !*search->reason)
        set_reason(search, "no order of elimination gave a program without an error");
    return status;
}

nlm_status rule_search_step(struct rule_search *search, nlm_error *error)
{
    switch (search->stage) {
    case RULES_HARDENING:
        return step_hardening(search, error);
    case RULES_ELIMINATING:
        return step_eliminating(search, error);
    case RULES_SIMPLIFYING:
        return step_simplifying(search, error);
    case RULES_FOUND:
    case RULES_NOT_FOUND:
        break;
    }
    return NLM_OK;
}

void rule_search_end(struct rule_search *search)
{
    if (search->is_hardening)
        hardening_end(&search->hardening);
    if (search->is_eliminating)
        elimination_end(&search->elimination);
    for (int h = 0; h < search->judges; h++)
        rule_judge_release(&search->judge[h]);
    if (search->has_worlds)
        rule_worlds_release(&search->worlds);
    nlm_program_free(search->program);
    nlm_machine_free(search->machine);
}
