/* Clauses over views against their definition, substitution by substitution, with values that tie and values
 * that are 0: of equal products the first counts, also where all of them are 0. */
#include "test.h"

#include "base/random.h"
#include "baseline/dilp_view.h"

enum { OBJECTS = 3, PREDICATES = 4, MOST_CELLS = OBJECTS * OBJECTS, ROUNDS = 20 };

/* The last is the head. */
static struct dilp_predicate predicates[PREDICATES] = {
    {.name = "n", .arity = 0}, {.name = "u", .arity = 1}, {.name = "e", .arity = 2}, {.name = "t"}};

struct value_table {
    float value[PREDICATES][MOST_CELLS];
};

static int cells(int arity)
{
    return arity == 0 ? 1 : arity == 1 ? OBJECTS : OBJECTS * OBJECTS;
}

static int cell_of(const struct dilp_atom *atom, const int *objects)
{
    const int arity = predicates[atom->predicate].arity;
    return arity == 0   ? 0
           : arity == 1 ? objects[atom->variables[0]]
                        : objects[atom->variables[0]] * OBJECTS + objects[atom->variables[1]];
}

/* By the definition: what the clause concludes at an atom, and to whom its gradient goes. */
static float conclude(const struct dilp_clause *clause, const struct value_table *values, int atom,
                      float gradient, struct value_table *gradients)
{
    const int arity = predicates[clause->head].arity;
    int objects[DILP_MOST_VARIABLES] = {0}, best[2] = {0};
    float most = -1.0f;
    const int substitutions = clause->existential == 0 ? 1 : cells(clause->existential);
    for (int s = 0; s < substitutions; s++) {
        objects[0] = arity == 2 ? atom / OBJECTS : atom;
        if (arity == 2)
            objects[1] = atom % OBJECTS;
        if (clause->existential == 2) {
            objects[arity] = s / OBJECTS;
            objects[arity + 1] = s % OBJECTS;
        } else if (clause->existential == 1) {
            objects[arity] = s;
        }
        int at[2];
        float product = 1.0f;
        for (int b = 0; b < 2; b++) {
            at[b] = cell_of(&clause->body[b], objects);
            product *= values->value[clause->body[b].predicate][at[b]];
        }
        if (product > most) {
            most = product;
            memcpy(best, at, sizeof best);
        }
    }
    for (int b = 0; b < 2; b++)
        gradients->value[clause->body[b].predicate][best[b]] +=
            gradient * values->value[clause->body[1 - b].predicate][best[1 - b]];
    return most;
}

static void draw(struct value_table *values, random_stream *random)
{
    for (int p = 0; p < PREDICATES; p++)
        for (int i = 0; i < MOST_CELLS; i++) { /* half of them are 0, one in six is 1 */
            const uint64_t drawn = random_below(random, 6);
            values->value[p][i] = drawn < 3 ? 0.0f : drawn < 5 ? 0.5f : 1.0f;
        }
}

static void check(const struct dilp_clause *clause, const struct value_table *values, random_stream *random)
{
    size_t place[PREDICATES], size = 0;
    for (int p = 0; p < PREDICATES; p++) {
        place[p] = size;
        size += dilp_view_size(predicates[p].arity, OBJECTS);
    }
    float *view = calloc(size, sizeof *view), *dview = calloc(size, sizeof *dview);
    float consequence[MOST_CELLS], gradient[MOST_CELLS], scratch[OBJECTS];
    assert_non_null(view);
    assert_non_null(dview);
    for (int p = 0; p < PREDICATES; p++)
        dilp_view_fill(view + place[p], values->value[p], predicates[p].arity, OBJECTS);
    const int atoms = cells(predicates[clause->head].arity);
    const struct dilp_nest nest = dilp_nest_of(clause, predicates, place, OBJECTS);
    struct value_table wanted = {0}, found = {0};
    dilp_clause_forward(consequence, view, &nest);
    for (int i = 0; i < atoms; i++) {
        gradient[i] = (float)random_below(random, 5) - 2.0f;
        assert_true(consequence[i] == conclude(clause, values, i, gradient[i], &wanted));
    }
    dilp_clause_backward(dview, gradient, consequence, view, &nest, scratch);
    for (int p = 0; p < PREDICATES; p++)
        dilp_view_backward(found.value[p], dview + place[p], predicates[p].arity, OBJECTS);
    for (int p = 0; p < PREDICATES; p++)
        for (int i = 0; i < cells(predicates[p].arity); i++)
            assert_true(found.value[p][i] == wanted.value[p][i]); /* halves and quarters: no rounding */
    free(view);
    free(dview);
}

static void clauses_are_as_defined(void **state)
{
    (void)state;
    random_stream random;
    random_start(&random, 3, 0);
    for (int arity = 0; arity <= DILP_MOST_ARITY; arity++)
        for (int variables = 0; variables <= DILP_MOST_EXISTENTIAL; variables++) {
            struct dilp_clauses clauses = {0};
            nlm_error error;
            predicates[PREDICATES - 1].arity = arity;
            predicates[PREDICATES - 1].defined = true;
            assert_int_equal(dilp_clauses_make(&clauses, predicates, PREDICATES, PREDICATES - 1,
                                               (nlm_template){variables, NLM_BODY_GIVEN}, &error),
                             NLM_OK);
            for (size_t c = 0; c < clauses.count; c++)
                for (int round = 0; round < ROUNDS; round++) {
                    struct value_table values;
                    draw(&values, &random);
                    check(&clauses.items[c], &values, &random);
                }
            dilp_clauses_free(&clauses);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(clauses_are_as_defined)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
