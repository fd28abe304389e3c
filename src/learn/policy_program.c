#include "learn/policy_program.h"
#include <string.h>
#include "base/error.h"

enum { WAY_BYTES = 1 << 20 }; /* of tables that are kept of a way */

static formula rule_body(const struct policy_program *of, int rule)
{
    return rule == of->tried ? of->trial : program_at(of->program, of->rule[rule])->body;
}

/* The first move of a position, a world of the group, that the rule allows; `cells` if there is none. */
static nlm_status first_of_rule(struct policy_program *of, truth *group, int world,
                                const nlm_position *position, int rule, size_t *cell, nlm_error *error)
{
    const size_t cells = policy_cells(position);
    if (buffer_reserve(&of->values, cells, 1, false))
        return error_no_memory(error);
    signed char *values = of->values.data;
    const nlm_status status =
        truth_values(group, rule_body(of, rule), nlm_position_game(position)->arity, world, values, error);
    const signed char *found = status ? NULL : memchr(values, 1, cells);
    *cell = found ? (size_t)(found - values) : cells;
    return status;
}

static nlm_status choose_in(struct policy_program *of, truth *group, int world, const nlm_position *position,
                            size_t *cell, nlm_error *error)
{
    const size_t cells = policy_cells(position);
    nlm_status status = NLM_OK;
    *cell = cells;
    for (of->line = 0; of->line < of->rules && !status; of->line++) {
        status = first_of_rule(of, group, world, position, of->line, cell, error);
        if (*cell < cells)
            return status;
    }
    for (*cell = 0; !policy_is_move(position, *cell);)
        ++*cell;
    return status;
}

static nlm_status add_position(struct policy_program *of, truth *group, const nlm_position *position,
                               nlm_error *error)
{
    const nlm_status status = nlm_position_world(position, of->world, error);
    return status ? status : truth_add_world(group, of->world, error);
}

static nlm_status choose(void *context, const nlm_position *position, size_t *cell, nlm_error *error)
{
    struct policy_program *of = context;
    truth *group;
    nlm_status status = truth_new(of->program, WAY_BYTES, &group, error);
    if (status)
        return status;
    status = add_position(of, group, position, error);
    if (!status)
        status = choose_in(of, group, 0, position, cell, error);
    truth_free(group);
    return status;
}

static nlm_status way_group(struct policy_program *of, int slot, int version, nlm_position *const *positions,
                            int count, truth **group, nlm_error *error)
{
    if (buffer_reserve(&of->ways, (size_t)slot + 1, sizeof(struct policy_facts), true))
        return error_no_memory(error);
    struct policy_facts *ways = of->ways.data;
    while (of->way_count <= slot)
        ways[of->way_count++] = (struct policy_facts){0};
    nlm_status status = NLM_OK;
    if (ways[slot].version != version) {
        truth_free(ways[slot].group);
        ways[slot] = (struct policy_facts){0};
        status = truth_new(of->program, WAY_BYTES, &ways[slot].group, error);
        for (int t = 0; t < count && !status; t++)
            status = add_position(of, ways[slot].group, positions[t], error);
        ways[slot].version = status ? 0 : version;
    }
    *group = ways[slot].group;
    return status;
}

static nlm_status follow(void *context, int slot, int version, nlm_position *const *positions, int count,
                         size_t *cells, nlm_error *error)
{
    struct policy_program *of = context;
    truth *group = NULL;
    nlm_status status = way_group(of, slot, version, positions, count, &group, error);
    for (int t = 0; t < count && !status; t++)
        status = choose_in(of, group, t, positions[t], &cells[t], error);
    return status;
}

nlm_status policy_program_init(struct policy_program *of, nlm_program *program, nlm_error *error)
{
    *of = (struct policy_program){.program = program, .tried = -1};
    of->player = (struct policy_player){of, choose, follow};
    return nlm_world_new(&of->world, error);
}

void policy_program_forget(void *context)
{
    struct policy_program *of = context;
    for (int i = 0; i < of->way_count; i++) {
        struct policy_facts *way = (struct policy_facts *)of->ways.data + i;
        if (way->group)
            truth_forget(way->group);
    }
}

void policy_program_release(struct policy_program *of)
{
    for (int i = 0; i < of->way_count; i++)
        truth_free(((struct policy_facts *)of->ways.data)[i].group);
    buffer_free(&of->ways);
    buffer_free(&of->values);
    nlm_world_free(of->world);
    *of = (struct policy_program){0};
}
