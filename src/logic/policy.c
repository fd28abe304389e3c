#include "logic/policy.h"
#include <math.h>
#include <string.h>
#include "base/error.h"

nlm_status policy_cumulative(const nlm_program *program, nlm_program **made, nlm_error *error)
{
    formula any = FORMULA_FALSE;
    nlm_status status = program_copy(program, made, error);
    for (int t = 0; t < program->target_count && !status; t++) {
        program_predicate *rule = program_at(*made, (*made)->target[t]);
        any = formula_or2(&(*made)->store, any, rule->body);
        rule->body = any;
    }
    if (!status && (*made)->store.failed)
        status = error_no_memory(error);
    return status;
}

static nlm_status new_machine(const nlm_machine *from, int rules, nlm_machine **machine, nlm_error *error)
{
    const int arity = nlm_machine_head(from, 0)->arity;
    nlm_spec spec = *nlm_machine_spec(from);
    if (spec.depth >= NLM_MAX_DEPTH)
        return error_set(error, NLM_BAD_ARGUMENT, "the rules need %d layers; a machine has at most %d",
                         spec.depth + 1, NLM_MAX_DEPTH);
    spec.widths[spec.depth][arity] = rules;
    spec.depth++;
    spec.outputs = 1u << arity;
    const nlm_head_spec head = {.name = "head", .arity = arity, .outputs = 1};
    return nlm_machine_new(&spec, &head, 1, machine, error);
}

/* All units of `from`. */
static void copy_units(const nlm_machine *from, nlm_machine *to)
{
    const nlm_spec *spec = nlm_machine_spec(from);
    for (int layer = 1; layer <= spec->depth; layer++)
        for (int arity = 0; arity <= spec->breadth; arity++) {
            const int source = nlm_unit_tensor(from, layer, arity), place = nlm_unit_tensor(to, layer, arity);
            for (int part = 0; part < 2 && source >= 0 && place >= 0; part++) {
                const nlm_tensor tensor = nlm_machine_tensor((nlm_machine *)from, source + part);
                memcpy(nlm_machine_tensor(to, place + part).values, tensor.values,
                       tensor.count * sizeof *tensor.values);
            }
        }
}

/* The heads of `from` become the predicates of the last layer: they read their own tuple only. */
static void copy_heads(const nlm_machine *from, nlm_machine *to)
{
    const int depth = nlm_machine_spec(to)->depth, arity = nlm_machine_head(from, 0)->arity;
    const int unit = nlm_unit_tensor(to, depth, arity);
    const nlm_tensor weight = nlm_machine_tensor(to, unit), bias = nlm_machine_tensor(to, unit + 1);
    nlm_column column;
    for (int k = 0; k < nlm_machine_heads(from); k++) {
        const int head = nlm_head_tensor(from, k);
        const float *source = nlm_machine_tensor((nlm_machine *)from, head).values;
        bias.values[k] = nlm_machine_tensor((nlm_machine *)from, head + 1).values[0];
        for (int c = 0; nlm_unit_column(to, depth, arity, c, &column); c++)
            if (column.operation == NLM_OWN && column.order == 0)
                weight.values[(size_t)k * (size_t)weight.shape[1] + (size_t)c] = source[column.predicate];
    }
}

nlm_status policy_compile(const nlm_program *program, nlm_machine **machine, nlm_error *error)
{
    nlm_program *made = NULL;
    nlm_machine *units = NULL;
    *machine = NULL;
    nlm_status status = policy_cumulative(program, &made, error);
    if (!status)
        status = nlm_program_compile(made, 0, &units, error);
    if (!status)
        status = new_machine(units, program->target_count, machine, error);
    if (!status) {
        copy_units(units, *machine);
        copy_heads(units, *machine);
        const nlm_tensor head = nlm_machine_tensor(*machine, nlm_head_tensor(*machine, 0));
        for (size_t i = 0; i < head.count; i++)
            head.values[i] = POLICY_WEIGHT;
    }
    nlm_machine_free(units);
    nlm_program_free(made);
    return status;
}

int policy_rules(const nlm_machine *machine)
{
    return nlm_unit_width(machine, nlm_machine_spec(machine)->depth, nlm_machine_head(machine, 0)->arity);
}

int policy_rule_of_score(const nlm_machine *machine, double score)
{
    const int held = (int)lround(score / (double)POLICY_WEIGHT), rules = policy_rules(machine);
    return held >= 1 && held <= rules ? rules - held + 1 : 0;
}
