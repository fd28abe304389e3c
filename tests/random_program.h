/* Random programs and worlds, from random numbers or from the bytes of a fuzzer: definitions that use each
 * other with permuted and repeated arguments, nested quantifiers, equalities, constants. */
#ifndef TESTS_RANDOM_PROGRAM_H
#define TESTS_RANDOM_PROGRAM_H

#include "logic/program.h"

enum { RANDOM_INPUTS = 6, RANDOM_DEFINITIONS = 4 };

typedef struct random_choices {
    const uint8_t *bytes; /* NULL: from `state` */
    size_t size;
    uint32_t state;
    int variables, depth; /* of formulas */
} random_choices;

static inline int random_below(random_choices *from, int below)
{
    if (from->bytes) {
        if (!from->size)
            return 0;
        from->size--;
        return *from->bytes++ % below;
    }
    from->state = from->state * 1664525u + 1013904223u;
    return (int)((from->state >> 8) % (uint32_t)below);
}

static inline formula random_formula(random_choices *from, nlm_program *program, int depth)
{
    formula_store *store = &program->store;
    const int kind = depth == 0 ? random_below(from, 6) / 5 : random_below(from, 8);
    int variables[FORMULA_MOST_ARITY];
    for (int i = 0; i < FORMULA_MOST_ARITY; i++)
        variables[i] = random_below(from, from->variables);
    if (kind == 1)
        return formula_equal(store, variables[0], variables[1]);
    if (kind == 0)
        return program_atom(program, random_below(from, program->predicate_count), variables);
    if (kind == 2)
        return formula_not(store, random_formula(from, program, depth - 1));
    if (kind >= 6)
        return kind == 6 ? formula_exists(store, variables[0], random_formula(from, program, depth - 1))
                         : formula_forall(store, variables[0], random_formula(from, program, depth - 1));
    formula part[3];
    const int count = 2 + random_below(from, 2);
    for (int i = 0; i < count; i++)
        part[i] = random_formula(from, program, depth - 1);
    return kind == 3 ? formula_or(store, part, (size_t)count) : formula_and(store, part, (size_t)count);
}

/* The last definitions, one or two of them, are targets.  NULL without memory. */
static inline nlm_program *random_program(random_choices *from)
{
    static const char *const input[RANDOM_INPUTS] = {"r", "p", "q", "s", "e", "t"};
    static const int arities[RANDOM_INPUTS] = {0, 1, 1, 2, 2, 3};
    static const char *const name[RANDOM_DEFINITIONS] = {"d1", "d2", "d3", "d4"};
    nlm_program *program;
    if (program_new(&program, NULL) != NLM_OK)
        return NULL;
    bool any = false;
    for (int i = 0; i < RANDOM_INPUTS; i++)
        if (arities[i] <= from->variables && (random_below(from, 3) || (i == 1 && !any))) {
            program_add_input(program, input[i], arities[i]);
            any = true;
        }
    const int definitions = 1 + random_below(from, RANDOM_DEFINITIONS);
    for (int i = 0; i < definitions; i++) {
        const int arity = random_below(from, (from->variables < 3 ? from->variables : 3) + 1);
        formula body = random_formula(from, program, from->depth);
        for (int v = arity; v < from->variables; v++)
            body = random_below(from, 2) ? formula_exists(&program->store, v, body)
                                         : formula_forall(&program->store, v, body);
        program_add_definition(program, name[i], arity, body);
    }
    program->target_count = 1 + (definitions > 1 && random_below(from, 2));
    for (int t = 0; t < program->target_count; t++)
        program->target[t] = program->predicate_count - 1 - t;
    if (program->store.failed) {
        nlm_program_free(program);
        return NULL;
    }
    return program;
}

/* A world with the program's inputs, each fact true with a chance of `percent`. */
static inline nlm_world *random_world(random_choices *from, const nlm_program *program, int objects,
                                      int percent)
{
    nlm_world *world;
    if (nlm_world_new(&world, NULL) || nlm_world_add_objects(world, "o", objects, NULL))
        return NULL;
    for (int i = 0; i < program->input_count; i++) {
        const int arity = program_at(program, i)->arity;
        int tuple[FORMULA_MOST_ARITY];
        nlm_status status = nlm_world_add_predicate(world, program_at(program, i)->name, arity, NULL, NULL);
        for (size_t n = 0; n < nlm_tuple_count(objects, arity) && !status; n++)
            if (random_below(from, 100) < percent && nlm_tuple_at(objects, arity, n, tuple))
                status = nlm_world_add_fact(world, i, tuple, 1, NULL);
        if (status) {
            nlm_world_free(world);
            return NULL;
        }
    }
    return world;
}

#endif
