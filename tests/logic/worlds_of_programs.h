/* Random worlds for the inputs of a program, and whether two programs say the same in them. */
#ifndef TESTS_LOGIC_WORLDS_OF_PROGRAMS_H
#define TESTS_LOGIC_WORLDS_OF_PROGRAMS_H

#include "logic/program.h"
#include "test.h"

static uint32_t program_world_state = 1;

static inline int program_draw(int below)
{
    program_world_state = program_world_state * 1664525u + 1013904223u;
    return (int)((program_world_state >> 8) % (uint32_t)below);
}

/* A world of the program's inputs; a tuple of different objects is a fact in one of `sparse` cases. */
static inline nlm_world *program_world(const nlm_program *program, int objects, int sparse)
{
    nlm_world *world;
    CHECK(nlm_world_new(&world, &check_error));
    CHECK(nlm_world_add_objects(world, "o", objects, &check_error));
    for (int i = 0; i < program->input_count; i++) {
        const int arity = program_at(program, i)->arity;
        char *name = program_world_name(program_at(program, i));
        CHECK(nlm_world_add_predicate(world, name, arity, NULL, &check_error));
        memory_free(name);
        for (size_t t = 0; t < nlm_tuple_count(objects, arity); t++) {
            int tuple[FORMULA_MOST_ARITY];
            if (nlm_tuple_at(objects, arity, t, tuple) && program_draw(sparse) == 0)
                CHECK(nlm_world_add_fact(world, i, tuple, 1, &check_error));
        }
    }
    return world;
}

static inline void program_values(const nlm_program *program, const nlm_world *world, int target,
                                  signed char *values)
{
    CHECK(nlm_program_evaluate(program, world, target, values, &check_error));
}

/* Both in the same worlds, which have the inputs of the first. */
static inline bool programs_agree(const nlm_program *a, const nlm_program *b, int worlds)
{
    enum { MOST = 6 * 6 * 6 * 6 * 6 };
    static signed char one[MOST], other[MOST];
    bool agree = a->target_count == b->target_count;
    for (int w = 0; w < worlds && agree; w++) {
        const int objects = 1 + program_draw(6);
        nlm_world *world = program_world(a, objects, 1 + program_draw(4));
        for (int t = 0; t < a->target_count && agree; t++) {
            const int arity = program_at(a, a->target[t])->arity;
            agree = arity == program_at(b, b->target[t])->arity;
            if (!agree)
                break;
            program_values(a, world, t, one);
            program_values(b, world, t, other);
            agree = !memcmp(one, other, nlm_tuple_count(objects, arity));
        }
        nlm_world_free(world);
    }
    return agree;
}

#endif
