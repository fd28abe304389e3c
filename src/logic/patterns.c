/* Predicates that repeat an object, from rules that write them as facts do. */
#include "logic/patterns.h"
#include <string.h>
#include "logic/formula_parts.h"

/* The formula where its first `arity` variables stand for different objects, as far as that is seen without
 * looking below quantifiers. */
static formula apart(formula_store *store, formula f, int arity)
{
    const formula_node node = *formula_at(store, f);
    if (node.kind == FORMULA_EQUAL && node.variable[0] < arity && node.variable[1] < arity)
        return FORMULA_FALSE;
    if (node.kind == FORMULA_NOT)
        return formula_not(store, apart(store, node.part, arity));
    if (node.kind != FORMULA_AND && node.kind != FORMULA_OR)
        return f;
    formula made = node.kind == FORMULA_AND ? FORMULA_TRUE : FORMULA_FALSE;
    for (uint32_t i = 0; i < node.count && !store->failed; i++) {
        const formula part = apart(store, formula_parts(store, f)[i], arity);
        made = node.kind == FORMULA_AND ? formula_and2(store, made, part) : formula_or2(store, made, part);
    }
    return made;
}

int pattern_alias(nlm_program *program, formula body, int arity)
{
    formula_store *store = &program->store;
    const formula atom = apart(store, body, arity);
    const formula_node node = *formula_at(store, atom);
    if (node.kind != FORMULA_ATOM || node.predicate >= program->input_count || node.arity != arity)
        return -1;
    const program_predicate *input = program_at(program, node.predicate);
    bool alias = input->written > input->arity;
    for (int i = 0; i < program->input_count; i++)
        alias |= i != node.predicate && program_at(program, i)->written == input->written &&
                 !program_at(program, i)->is_type && !strcmp(program_at(program, i)->name, input->name);
    for (int a = 0; a < arity; a++) {
        alias &= node.variable[a] == a;
        for (int b = 0; b < a; b++) { /* with equal arguments it must be false, as the input is */
            int to[FORMULA_VARIABLES];
            formula_same_variables(to);
            to[a] = b;
            alias &= formula_rename(store, body, to) == FORMULA_FALSE;
        }
    }
    return alias && !input->is_type ? node.predicate : -1;
}

int pattern_target(nlm_program *program, const nlm_predicate *target, int definition)
{
    formula body = FORMULA_FALSE;
    int to[FORMULA_VARIABLES] = {0};
    for (int i = 0; i < target->arity; i++)
        to[i] = target->place[i];
    if (definition >= 0)
        body =
            apart(&program->store, formula_rename(&program->store, program_at(program, definition)->body, to),
                  target->objects);
    const int number = program_add_definition(program, target->name, target->objects, body);
    if (number >= 0) {
        program_predicate *made = program_at(program, number);
        made->written = target->arity;
        memcpy(made->place, target->place, (size_t)target->arity * sizeof *made->place);
        made->line = definition >= 0 ? program_at(program, definition)->line : 0;
    }
    return number;
}
