/* Random programs and worlds, from random numbers or from the bytes of a fuzzer: definitions that use each
 * other with permuted and repeated arguments, nested quantifiers, equalities, constants. */
#ifndef TESTS_RANDOM_PROGRAM_H
#define TESTS_RANDOM_PROGRAM_H

#include "logic/program.h"

enum { RANDOM_INPUTS = 6, RANDOM_DEFINITIONS = 4, RANDOM_TARGETS = 4 };

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

static inline void random_definition(random_choices *from, nlm_program *program, const char *name, int arity)
{
    formula body = random_formula(from, program, from->depth);
    for (int v = arity; v < from->variables; v++)
        body = random_below(from, 2) ? formula_exists(&program->store, v, body)
                                     : formula_forall(&program->store, v, body);
    program_add_definition(program, name, arity, body);
}

static inline nlm_program *random_finish(nlm_program *program)
{
    if (!program->store.failed)
        return program;
    nlm_program_free(program);
    return NULL;
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
        random_definition(from, program, name[i], arity);
    }
    program->target_count = 1 + (definitions > 1 && random_below(from, 2));
    for (int t = 0; t < program->target_count; t++)
        program->target[t] = program->predicate_count - 1 - t;
    return random_finish(program);
}

/* The same with inputs of every kind that facts may have, and names that languages have to quote: targets t0
 * ... of arities 0 to 3, of which later ones may use earlier ones, and a definition that nobody named. node/1
 * is an input that worlds may give all objects. */
static inline nlm_program *random_program_of_facts(random_choices *from)
{
    nlm_program *program;
    if (program_new(&program, NULL) != NLM_OK)
        return NULL;
    program_add_input(program, "rain", 0);
    program_add_input(program, "node", 1);
    program_add_input(program, "red", 1);
    program_add_input(program, "likes", 1);
    program_at(program, 3)->written = 2;
    program_at(program, 3)->place[1] = 0;
    program_add_input(program, "edge", 2);
    program_add_input(program, "likes", 2);
    program_add_input(program, "Line of", 3);
    random_definition(from, program, "u", 2);
    program_at(program, program->predicate_count - 1)->unnamed = true;
    for (int t = 0; t < RANDOM_TARGETS; t++) {
        const char name[] = {'t', (char)('0' + t), '\0'};
        program->target[program->target_count++] = program->predicate_count;
        random_definition(from, program, name, t);
    }
    return random_finish(program);
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
        char *name = program_world_name(program_at(program, i));
        nlm_status status = name ? nlm_world_add_predicate(world, name, arity, NULL, NULL) : NLM_NO_MEMORY;
        memory_free(name);
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
