#include "infer/coverage.h"
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "logic/alternatives.h"

typedef struct coverage_machine {
    nlm_machine *machine;
    int first, count; /* alternatives */
} coverage_machine;

struct coverage {
    nlm_alternatives *alternatives;
    nlm_options options;
    coverage_machine *machines;
    int machine_count;
    int first[NLM_MAX_HEADS + 1]; /* of each target; the last is the end */
    bool is_known;
    buffer says[NLM_MAX_HEADS]; /* uint32_t for each tuple: bit i is alternative first + i */
    buffer logits;
};

static int target_of(const coverage *of, int alternative)
{
    return nlm_alternatives_at(of->alternatives, alternative)->target;
}

static nlm_status make_machines(coverage *of, nlm_error *error)
{
    const int count = nlm_alternatives_count(of->alternatives);
    nlm_status status = NLM_OK;
    of->machines = memory_new((size_t)count / NLM_MAX_HEADS + 1, sizeof *of->machines);
    if (!of->machines)
        return error_no_memory(error);
    for (int first = 0; first < count && !status; first += NLM_MAX_HEADS) {
        coverage_machine *made = &of->machines[of->machine_count];
        made->first = first;
        made->count = count - first < NLM_MAX_HEADS ? count - first : NLM_MAX_HEADS;
        status = alternatives_machine(of->alternatives, first, made->count, &made->machine, error);
        of->machine_count += status == NLM_OK;
    }
    for (int target = 0; target <= NLM_MAX_HEADS; target++)
        while (of->first[target] < count && target_of(of, of->first[target]) < target)
            of->first[target]++;
    return status;
}

nlm_status coverage_new(const nlm_machine *machine, const char *name, const nlm_options *options,
                        coverage **made, nlm_error *error)
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
    of->options = *options;
    status = make_machines(of, error);
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
    for (int m = 0; m < of->machine_count; m++)
        nlm_machine_free(of->machines[m].machine);
    memory_free(of->machines);
    for (int target = 0; target < NLM_MAX_HEADS; target++)
        buffer_free(&of->says[target]);
    buffer_free(&of->logits);
    nlm_alternatives_free(of->alternatives);
    memory_free(of);
}

/* The answers of one head. */
static nlm_status take_answers(coverage *of, nlm_pass *pass, const coverage_machine *from, int head,
                               int objects, nlm_error *error)
{
    const int alternative = from->first + head, target = target_of(of, alternative);
    const size_t tuples = nlm_tuple_count(objects, nlm_machine_head(from->machine, head)->arity);
    if (buffer_reserve(&of->logits, tuples, sizeof(float), false) != NLM_OK)
        return error_no_memory(error);
    const nlm_status status = nlm_pass_logits(pass, 0, head, of->logits.data, error);
    const float *logits = of->logits.data;
    uint32_t *says = of->says[target].data;
    for (size_t t = 0; t < tuples && !status; t++)
        says[t] |= (uint32_t)(logits[t] > 0) << (alternative - of->first[target]);
    return status;
}

static nlm_status ask_machine(coverage *of, const coverage_machine *from, const nlm_world *world,
                              nlm_error *error)
{
    nlm_evaluator *evaluator;
    nlm_status status = nlm_evaluator_new(from->machine, &of->options, &evaluator, error);
    if (!status)
        status = nlm_evaluator_add(evaluator, world, error);
    if (!status)
        status = nlm_evaluator_run(evaluator, false, error);
    for (int head = 0; head < from->count && !status; head++)
        status = take_answers(of, nlm_evaluator_pass(evaluator), from, head, nlm_world_objects(world), error);
    nlm_evaluator_free(evaluator);
    return status;
}

/* Room for the bits of each target, all 0. */
static nlm_status clear(coverage *of, int objects)
{
    for (int target = 0; target < NLM_MAX_HEADS; target++) {
        if (of->first[target] == of->first[target + 1])
            continue;
        const nlm_program *rules = nlm_alternatives_at(of->alternatives, of->first[target])->rules;
        const size_t tuples = nlm_tuple_count(objects, program_at(rules, rules->target[0])->arity);
        if (buffer_reserve(&of->says[target], tuples, sizeof(uint32_t), false) != NLM_OK)
            return NLM_NO_MEMORY;
        memset(of->says[target].data, 0, tuples * sizeof(uint32_t));
    }
    return NLM_OK;
}

nlm_status coverage_ask(coverage *of, const nlm_world *world, double memory, nlm_error *error)
{
    const int objects = nlm_world_objects(world);
    of->is_known = false;
    for (int m = 0; m < of->machine_count; m++)
        if (nlm_structure_memory(of->machines[m].machine, objects) > memory)
            return NLM_OK;
    nlm_status status = clear(of, objects);
    for (int m = 0; m < of->machine_count && !status; m++)
        status = ask_machine(of, &of->machines[m], world, error);
    of->is_known = status == NLM_OK;
    return status == NLM_NO_MEMORY ? NLM_OK : status;
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
