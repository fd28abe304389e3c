#include "infer/coverage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "logic/alternatives.h"
#include "logic/neighbours.h"
#include "logic/scopes.h"
#include "logic/truth.h"

enum { TABLES = 32 /* of the largest size that a formula may need at a time */, KEPT_BYTES = 1 << 29 };

struct coverage {
    nlm_alternatives *alternatives;
    nlm_program *program;         /* a target for each alternative, in their order */
    int width;                    /* most free variables of a part */
    int first[NLM_MAX_HEADS + 1]; /* of each target of the model; the last is the end */
    bool is_known;
    buffer says[NLM_MAX_HEADS]; /* uint32_t for each tuple: bit i is alternative first + i */
    buffer values;              /* signed char, of one alternative */
};

static int target_of(const coverage *of, int alternative)
{
    return nlm_alternatives_at(of->alternatives, alternative)->target;
}

/* The formula of alternative `number`. */
static formula formula_of(const coverage *of, int number)
{
    return program_at(of->program, of->program->input_count + number)->body;
}

/* Tables have a place for each value of all variables that a part relates: fewer at once, smaller tables. */
static nlm_status order_all(coverage *of, nlm_error *error)
{
    scopes orders;
    nlm_status status = scopes_start(&orders, of->program, error);
    for (int i = 0; i < nlm_alternatives_count(of->alternatives) && !status; i++) {
        program_predicate *definition = program_at(of->program, of->program->input_count + i);
        definition->body = scopes_order_all(&orders, definition->body);
        const int width = formula_width(&of->program->store, definition->body);
        of->width = width > of->width ? width : of->width;
    }
    if (!status && (orders.failed || of->program->store.failed))
        status = error_no_memory(error);
    scopes_free(&orders);
    return status;
}

static nlm_status make(coverage *of, nlm_error *error)
{
    const int count = nlm_alternatives_count(of->alternatives);
    nlm_status status = alternatives_joined(of->alternatives, &of->program, error);
    if (!status)
        status = order_all(of, error);
    for (int target = 0; target <= NLM_MAX_HEADS; target++)
        while (of->first[target] < count && target_of(of, of->first[target]) < target)
            of->first[target]++;
    return status;
}

nlm_status coverage_new(const nlm_machine *machine, const char *name, coverage **made, nlm_error *error)
{
    nlm_alternatives *alternatives;
    nlm_status status = nlm_alternatives_in(machine, name, &alternatives, error);
    *made = NULL;
    if (status || !alternatives)
        return status;
    coverage *of = memory_new(1, sizeof *of);
    if (!of) {
        nlm_alternatives_free(alternatives);
        return error_no_memory(error);
    }
    of->alternatives = alternatives;
    status = make(of, error);
    if (status)
        coverage_free(of);
    else
        *made = of;
    return status;
}

void coverage_free(coverage *of)
{
    if (!of)
        return;
    for (int target = 0; target < NLM_MAX_HEADS; target++)
        buffer_free(&of->says[target]);
    buffer_free(&of->values);
    nlm_program_free(of->program);
    nlm_alternatives_free(of->alternatives);
    memory_free(of);
}

/* One alternative: its bit for each tuple.  The first of a target clears the others. */
static nlm_status take_answers(coverage *of, truth *group, int alternative, int objects, nlm_error *error)
{
    const int target = target_of(of, alternative);
    const int arity = program_at(of->program, of->program->input_count + alternative)->arity;
    const size_t tuples = nlm_tuple_count(objects, arity);
    buffer *says = &of->says[target];
    if (buffer_reserve(says, tuples, sizeof(uint32_t), true) || buffer_reserve(&of->values, tuples, 1, false))
        return error_no_memory(error);
    if (alternative == of->first[target])
        memset(says->data, 0, tuples * sizeof(uint32_t));
    const nlm_status status =
        truth_values(group, formula_of(of, alternative), arity, 0, of->values.data, error);
    const signed char *values = of->values.data;
    for (size_t t = 0; t < tuples && !status; t++)
        ((uint32_t *)says->data)[t] |= (uint32_t)(values[t] == 1) << (alternative - of->first[target]);
    return status;
}

/* Tables that are too large, or more than there is memory for, leave it unknown. */
nlm_status coverage_ask(coverage *of, const nlm_world *world, double memory, nlm_error *error)
{
    const int objects = nlm_world_objects(world);
    truth *group = NULL;
    nlm_error cause;
    of->is_known = false;
    if (objects == 0 || TABLES * pow(objects, of->width - 1) * (objects + 63.0) / 8 > memory)
        return NLM_OK;
    nlm_status status = truth_new(of->program, KEPT_BYTES, &group, &cause);
    if (!status)
        status = truth_add_world(group, world, &cause);
    for (int i = 0; i < nlm_alternatives_count(of->alternatives) && !status; i++)
        status = take_answers(of, group, i, objects, &cause);
    truth_free(group);
    of->is_known = status == NLM_OK;
    return status == NLM_OK || status == NLM_NO_MEMORY || status == NLM_BAD_ARGUMENT
               ? NLM_OK
               : error_set(error, status, "%s", cause.message);
}

bool coverage_is_known(const coverage *of)
{
    return of && of->is_known;
}

const nlm_alternatives *coverage_alternatives(const coverage *of)
{
    return of ? of->alternatives : NULL;
}

void coverage_range(const coverage *of, int target, int *first, int *count)
{
    *first = of->first[target];
    *count = of->first[target + 1] - *first;
}

uint32_t coverage_differ(const coverage *of, int target, size_t tuple, bool concluded)
{
    int first, count;
    coverage_range(of, target, &first, &count);
    if (count == 0)
        return 0;
    const uint32_t all = count == 32 ? ~(uint32_t)0 : ((uint32_t)1 << count) - 1;
    const uint32_t says = ((const uint32_t *)of->says[target].data)[tuple];
    return (concluded ? ~says : says) & all;
}
