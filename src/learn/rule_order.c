#include "learn/rule_order.h"
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "logic/program.h"
#include "logic/simplify.h"

enum {
    REMOVALS = 64,       /* tried in a step */
    MOST_INLINED = 4000, /* literals of a formula with all definitions put in their places */
    MOST_TESTS = 50000,  /* of simplifying one formula */
    MOST_ROUNDS = 12     /* of counterexamples to a simplified formula */
};

void rule_order_begin(struct rule_order *order, int number, const nlm_machine *hard,
                      const nlm_settings *settings, const nlm_signature *signature)
{
    *order =
        (struct rule_order){.number = number, .hard = hard, .settings = settings, .signature = signature};
}

/* Also after the order has ended; its program goes too. */
void rule_order_end(struct rule_order *order)
{
    if (order->stage == RULE_ORDER_ELIMINATING || order->stage == RULE_ORDER_READING)
        elimination_end(&order->elimination);
    for (int h = 0; h < order->judges; h++)
        rule_judge_release(&order->judge[h]);
    if (order->has_worlds)
        rule_worlds_release(&order->worlds);
    nlm_program_free(order->program);
    *order = (struct rule_order){.stage = RULE_ORDER_DONE};
}

/* ---- eliminating ---- */

/* With one thread: other orders have the others. */
static nlm_status begin_elimination(struct rule_order *order, nlm_error *error)
{
    const nlm_options options = {.threads = 1};
    const nlm_status status =
        elimination_begin(&order->elimination, order->hard, order->settings, order->number, &options, error);
    if (status == NLM_OK)
        order->stage = RULE_ORDER_ELIMINATING;
    return status;
}

static nlm_status eliminate(struct rule_order *order, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int i = 0; i < REMOVALS && order->elimination.stage < ELIMINATED && status == NLM_OK; i++)
        status = elimination_step(&order->elimination, error);
    order->weights = order->elimination.weights;
    if (status == NLM_OK && order->elimination.stage == ELIMINATED) {
        order->stage = RULE_ORDER_READING;
    } else if (status == NLM_OK && order->elimination.stage == NOT_ELIMINATED) {
        elimination_end(&order->elimination);
        order->stage = RULE_ORDER_DONE;
    }
    return status;
}

/* ---- reading ---- */

/* One judge for each target.  They draw their worlds as the last users of the run's numbers, so that a
 * formula is judged by worlds that neither hardening nor any elimination has seen. */
static nlm_status make_judges(struct rule_order *order, nlm_error *error)
{
    nlm_status status =
        rule_worlds_init(&order->worlds, order->settings, RULE_MOST_USERS - 1 - order->number, error);
    order->has_worlds = true;
    for (int h = 0; h < nlm_machine_heads(order->hard) && status == NLM_OK; h++) {
        order->judges = h + 1;
        status = rule_judge_init(&order->judge[h], &order->worlds, h, nlm_machine_head(order->hard, h)->arity,
                                 error);
    }
    return status;
}

/* The definition of one target as short as can be; *found is false if it disagrees with examples.  The result
 * is the program's own: simplifying may make its store anew, and other numbers of formulas are then void. */
static nlm_status shorten(struct rule_judge *judge, nlm_program *program, int head, bool *found,
                          nlm_error *error)
{
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
static nlm_status make_result(const struct rule_order *order, const nlm_program *from, nlm_program **made,
                              nlm_error *error)
{
    nlm_status status = program_new(made, error);
    if (status == NLM_OK)
        status = program_add_signature(*made, order->signature, error);
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

/* Whether there is a machine for it is known only when it is made. */
static nlm_status keep_result(struct rule_order *order, const nlm_program *program, nlm_error *error)
{
    nlm_program *made = NULL;
    nlm_machine *compiled = NULL;
    nlm_status status = make_result(order, program, &made, error);
    if (status == NLM_OK)
        status = nlm_program_compile(made, 0, &compiled, error);
    nlm_machine_free(compiled);
    if (status != NLM_OK) {
        nlm_program_free(made);
        return status;
    }
    order->program = made;
    order->size = nlm_program_measure(made);
    return NLM_OK;
}

/* Neither the number of weights nor the length of the formula before simplifying foretells the length of the
 * result, so every order is read to the end.  A machine that is no program (a predicate that reads too many
 * others), a program that no machine can have (too many variables at once), or formulas that grow beyond the
 * bounds of their store, are no error: other orders may give one. */
static nlm_status read_program(struct rule_order *order, nlm_error *error)
{
    nlm_program *program = NULL;
    nlm_error cause;
    bool found = true;
    nlm_status status = make_judges(order, &cause);
    if (status == NLM_OK)
        status = nlm_program_of(order->elimination.machine, order->signature, &program, &cause);
    for (int h = 0; status == NLM_OK && found && h < program->target_count; h++)
        status = shorten(&order->judge[h], program, h, &found, &cause);
    if (status == NLM_OK && found)
        status = keep_result(order, program, &cause);
    nlm_program_free(program);
    if (status == NLM_BAD_ARGUMENT)
        snprintf(order->reason, sizeof order->reason, "%.199s", cause.message);
    else if (status == NLM_NO_MEMORY)
        snprintf(order->reason, sizeof order->reason, "its formulas take too much memory");
    else if (status != NLM_OK)
        return error_set(error, status, "%s", cause.message);
    /* the judges' tables are large, and the program does not need them */
    for (int h = 0; h < order->judges; h++)
        rule_judge_release(&order->judge[h]);
    order->judges = 0;
    elimination_end(&order->elimination);
    order->stage = RULE_ORDER_DONE;
    return NLM_OK;
}

nlm_status rule_order_step(struct rule_order *order, nlm_error *error)
{
    switch (order->stage) {
    case RULE_ORDER_NEW:
        return begin_elimination(order, error);
    case RULE_ORDER_ELIMINATING:
        return eliminate(order, error);
    case RULE_ORDER_READING:
        return read_program(order, error);
    case RULE_ORDER_DONE:
        break;
    }
    return NLM_OK;
}
