/* A clause as a formula of a program. */
#include "learn/clause_search.h"

static formula with_any(nlm_program *program, int input, int arity, int place, int variable, formula inner)
{
    formula_store *store = &program->store;
    int arguments[FORMULA_MOST_ARITY], next = FORMULA_VARIABLES - 1;
    for (int i = 0; i < arity; i++)
        arguments[i] = i == place ? variable : next--;
    formula f = formula_and2(store, program_atom(program, input, arguments), inner);
    for (int i = 0; i < arity; i++)
        if (i != place)
            f = formula_exists(store, arguments[i], f);
    return f;
}

static formula literal_formula(nlm_program *program, const clause_data *data, const body_literal *literal)
{
    formula_store *store = &program->store;
    const int x = literal->variable[0], y = literal->variable[1], z = FORMULA_VARIABLES - 1;
    formula f = FORMULA_FALSE;
    switch (literal->kind) {
    case CLAUSE_PROPERTY: {
        const clause_property *of = &data->property[literal->number];
        const formula inner =
            of->inner < 0 ? FORMULA_TRUE : program_atom(program, of->inner, (const int[]){z});
        f = with_any(program, of->input, data->facts[of->input].arity, of->place, x, inner);
        break;
    }
    case CLAUSE_RELATION: {
        const clause_relation *of = &data->relation[literal->number];
        if (of->kind == RELATION_FORWARD || of->kind == RELATION_BACK) {
            const bool back = of->kind == RELATION_BACK;
            f = program_atom(program, of->input, (const int[]){back ? y : x, back ? x : y});
            break;
        }
        const bool second = of->kind == RELATION_SECOND;
        const formula a = program_atom(program, of->input, (const int[]){second ? x : z, second ? z : x});
        const formula b = program_atom(program, of->input, (const int[]){second ? y : z, second ? z : y});
        f = formula_exists(store, z, formula_and2(store, a, b));
        break;
    }
    case CLAUSE_DIFFERENT:
        f = formula_not(store, formula_equal(store, x, y));
        break;
    case CLAUSE_FACT:
        f = program_atom(program, literal->number, literal->variable);
        break;
    }
    return literal->negated ? formula_not(store, f) : f;
}

/* Variables leave one after the other, first the one that has the fewest others beside it: so that no part of
 * the formula has more free variables than it needs. */
formula clause_formula(nlm_program *program, const clause_data *data, const clause_body *body)
{
    formula_store *store = &program->store;
    formula part[CLAUSE_LITERALS + 1];
    int parts = 0;
    for (int l = 0; l < body->count; l++)
        part[parts++] = literal_formula(program, data, &body->literal[l]);
    uint32_t left = (((uint32_t)1 << body->variables) - 1) & ~(((uint32_t)1 << data->arity) - 1);
    while (left) {
        int best = -1, least = FORMULA_VARIABLES + 1;
        for (int v = 0; v < body->variables; v++) {
            uint32_t beside = 0;
            for (int i = 0; i < parts && left >> v & 1; i++)
                if (formula_free(store, part[i]) >> v & 1)
                    beside |= formula_free(store, part[i]);
            if (left >> v & 1 && __builtin_popcount(beside) < least) {
                least = __builtin_popcount(beside);
                best = v;
            }
        }
        formula with[CLAUSE_LITERALS + 1];
        int count = 0, kept = 0;
        for (int i = 0; i < parts; i++)
            if (formula_free(store, part[i]) >> best & 1)
                with[count++] = part[i];
            else
                part[kept++] = part[i];
        part[kept] = formula_exists(store, best, formula_and(store, with, (size_t)count));
        parts = kept + 1;
        left &= ~((uint32_t)1 << best);
    }
    return formula_and(store, part, (size_t)parts);
}
