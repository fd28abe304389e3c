#include "learn/policy_fitted.h"
#include <stdio.h>
#include "base/error.h"
#include "learn/policy_fit.h"
#include "learn/policy_shorten.h"

enum {
    FIT_USER = 64, /* of instances (policy_teacher.h), behind all orders of elimination */
    MOST_INSTANCES = 120,
    MOST_ASKED = 6000, /* moves of the teacher that are looked into, at first */
    SET_INSTANCES = 60,
    MOST_ROUNDS = 8,
    JOINING = 8 /* failures that become choices, of each round */
};

void policy_fitted_begin(struct policy_fitted *of, struct policy_fresh *fresh, const nlm_signature *signature)
{
    *of = (struct policy_fitted){.fresh = fresh, .signature = signature};
}

void policy_fitted_end(struct policy_fitted *of)
{
    if (of->begun) {
        policy_choices_release(&of->choices);
        policy_set_release(&of->set);
    }
    policy_program_release(&of->list);
    nlm_program_free(of->program);
    *of = (struct policy_fitted){.stage = of->stage, .solved = of->solved};
}

/* Instances of all sizes for tests; of these the choices in the smaller ones. */
static nlm_status begin(struct policy_fitted *of, nlm_error *error)
{
    struct policy_teacher *teacher = of->fresh->teacher;
    of->begun = true;
    nlm_status status = policy_set_init(&of->set, teacher->game, teacher->seed, error);
    if (!status)
        status = policy_choices_init(&of->choices, teacher, error);
    for (int i = 0; i < MOST_INSTANCES && of->choices.asked < MOST_ASKED && !status; i++) {
        struct policy_instance instance;
        status = policy_teacher_instance(teacher, FIT_USER, (uint64_t)i, &instance, error);
        if (status || instance.moves < 0)
            continue;
        of->solved++;
        if (of->set.count < SET_INSTANCES)
            status = policy_set_add(&of->set, instance, error);
        if (!status && instance.objects <= teacher->most)
            status = policy_choices_add(&of->choices, &teacher->machine.player, instance, error);
    }
    return status;
}

static void forget_list(struct policy_fitted *of)
{
    policy_program_release(&of->list);
    nlm_program_free(of->program);
    of->program = NULL;
}

/* The fitted list as a program. */
static nlm_status make_list(struct policy_fitted *of, const policy_features *features,
                            const fitted_list *fitted, nlm_error *error)
{
    forget_list(of);
    nlm_status status = program_new(&of->program, error);
    if (!status)
        status = program_add_signature(of->program, of->signature, error);
    if (!status)
        status = policy_program_init(&of->list, of->program, error);
    for (int i = 0; i < fitted->count && !status; i++) {
        char name[32];
        snprintf(name, sizeof name, "move_%d", i + 1);
        const formula body = fitted_formula(features, of->program, &fitted->rule[i]);
        const int number = program_add_definition(of->program, name, of->choices.arity, body);
        if (number < 0 || of->program->store.failed)
            return error_no_memory(error);
        of->list.rule[of->list.rules++] = number;
    }
    return status;
}

/* *whole is false if no list tells all good moves from bad ones. */
static nlm_status fit(struct policy_fitted *of, bool *whole, nlm_error *error)
{
    policy_features *features = memory_new(1, sizeof *features);
    fitted_list fitted = {0};
    if (!features)
        return error_no_memory(error);
    nlm_status status = policy_features_make(&of->choices, features, error);
    if (!status)
        status = policy_fit(features, &fitted, error);
    *whole = !status && fitted.count > 0 && fitted.left == 0;
    if (*whole)
        status = make_list(of, features, &fitted, error);
    policy_features_release(features);
    memory_free(features);
    return status;
}

/* The list on fresh instances; the positions of its failures become choices. */
static nlm_status ask(struct policy_fitted *of, nlm_error *error)
{
    int failure[JOINING], asked;
    nlm_status status = policy_fresh_verify(of->fresh, &of->list.player, of->set.position, NULL, JOINING,
                                            failure, &asked, &of->failures, error);
    for (int f = 0; f < of->failures && !status; f++) {
        struct policy_instance instance;
        status = policy_fresh_instance(of->fresh, failure[f], &instance, error);
        if (!status)
            status = policy_set_add(&of->set, instance, error);
        if (!status)
            status = policy_choices_add(&of->choices, &of->list.player, instance, error);
    }
    return status;
}

nlm_status policy_fitted_step(struct policy_fitted *of, nlm_error *error)
{
    bool whole = false, found = false;
    if (of->stage != FITTED_LEARNING)
        return NLM_OK;
    nlm_status status = of->begun ? NLM_OK : begin(of, error);
    if (!status)
        status = fit(of, &whole, error);
    if (!status && whole)
        status = ask(of, error);
    if (!status && whole && of->failures == 0) {
        status = policy_shorten(of->fresh, &of->set, &of->program, &of->list, &found, error);
        of->stage = found ? FITTED_FOUND : FITTED_NOT_FOUND;
    } else if (!status && (!whole || ++of->round == MOST_ROUNDS)) {
        of->stage = FITTED_NOT_FOUND;
    }
    if (status == NLM_BAD_ARGUMENT) { /* positions of another kind, or formulas too large: no list */
        of->stage = FITTED_NOT_FOUND;
        status = NLM_OK;
    }
    return status;
}
