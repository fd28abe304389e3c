/* Random programs over inputs of every kind, for tests that compare what is said about them. */
#ifndef TESTS_LOGIC_RANDOM_PROGRAMS_H
#define TESTS_LOGIC_RANDOM_PROGRAMS_H

#include "worlds_of_programs.h"

enum { RANDOM_TARGETS = 4, RANDOM_DEPTH = 4, RANDOM_VARIABLES = 3 };

static inline formula random_formula(nlm_program *program, int depth)
{
    formula_store *store = &program->store;
    formula part[3];
    int variable[FORMULA_MOST_ARITY];
    const int kind = depth == 0 ? program_draw(5) / 4 : program_draw(10), v = program_draw(RANDOM_VARIABLES);
    for (int i = 0; i < FORMULA_MOST_ARITY; i++)
        variable[i] = program_draw(RANDOM_VARIABLES);
    if (kind == 0 || kind > 5)
        return kind == 9 && program->predicate_count > program->input_count
                   ? program_atom(program,
                                  program->input_count +
                                      program_draw(program->predicate_count - program->input_count),
                                  variable)
                   : program_atom(program, program_draw(program->input_count), variable);
    if (kind == 1)
        return formula_equal(store, variable[0], variable[1]);
    for (int i = 0; i < 3; i++)
        part[i] = random_formula(program, depth - 1);
    switch (kind) {
    case 2:
        return formula_not(store, part[0]);
    case 3:
        return formula_and(store, part, 2 + (size_t)program_draw(2));
    case 4:
        return formula_or(store, part, 2 + (size_t)program_draw(2));
    default:
        return formula_exists(store, v, formula_and(store, part, 2));
    }
}

/* Targets t0 ... of arities 0 to 3, of which later ones may use earlier ones, and a definition that nobody
 * named.  node/1 is an input that worlds are to give all objects. */
static inline nlm_program *random_program(void)
{
    nlm_program *program;
    CHECK(program_new(&program, &check_error));
    program_add_input(program, "rain", 0);
    program_add_input(program, "node", 1);
    program_add_input(program, "red", 1);
    program_add_input(program, "likes", 1);
    program_at(program, 3)->written = 2;
    program_at(program, 3)->place[1] = 0;
    program_add_input(program, "edge", 2);
    program_add_input(program, "likes", 2);
    program_add_input(program, "Line of", 3);
    for (int i = 0; i <= RANDOM_TARGETS; i++) {
        char name[8];
        const int arity = i == 0 ? 2 : i - 1;
        formula body = random_formula(program, RANDOM_DEPTH);
        for (int v = arity; v < RANDOM_VARIABLES; v++)
            body = formula_exists(&program->store, v, body);
        snprintf(name, sizeof name, i ? "t%d" : "u", i - 1);
        const int number = program_add_definition(program, name, arity, body);
        program_at(program, number)->unnamed = i == 0;
        if (i > 0)
            program->target[program->target_count++] = number;
    }
    assert_false(program->store.failed);
    return program;
}

#endif
