/* Formulas one change away: those expected are there, each once and within bounds, and where one differs from
 * the formula its scene is true of something. */
#include "test.h"
#include "logic/neighbours.h"
#include "logic/truth.h"
#include "random_program.h"

enum { FATHER, MOTHER, RED, OBJECTS = 6, WORLDS = 12 };

static random_choices choices = {.state = 1, .variables = 3, .depth = 3};

static nlm_program *family(void)
{
    nlm_program *program;
    CHECK(program_new(&program, &check_error));
    program_add_input(program, "father", 2);
    program_add_input(program, "mother", 2);
    program_add_input(program, "red", 1);
    return program;
}

static formula atom(nlm_program *program, int predicate, int a, int b)
{
    return program_atom(program, predicate, (const int[]){a, b});
}

static bool is_listed(const neighbourhood *near, formula f)
{
    for (size_t i = 0; i < near->count; i++)
        if (neighbour_at(near, i)->f == f)
            return true;
    return false;
}

static void expected_changes(void **context)
{
    (void)context;
    nlm_program *program = family();
    formula_store *store = &program->store;
    const formula has_father = formula_exists(store, 1, atom(program, FATHER, 0, 1));
    const formula has_mother = formula_exists(store, 1, atom(program, MOTHER, 0, 1));
    const formula is_father = formula_exists(store, 1, atom(program, FATHER, 1, 0));
    const formula red = program_atom(program, RED, (const int[]){0});
    neighbourhood near = {.program = program, .width = 3, .most = 6000};
    CHECK(neighbours_find(&near, has_father, &check_error));
    assert_true(is_listed(&near, has_mother));
    assert_true(is_listed(&near, is_father));
    assert_true(is_listed(&near, formula_or2(store, has_father, has_mother)));
    assert_true(is_listed(&near, formula_and2(store, has_father, formula_not(store, has_mother))));
    assert_true(is_listed(&near, formula_and2(store, has_father, red)));
    assert_true(is_listed(&near, formula_and2(store, has_father, formula_or2(store, has_mother, is_father))));
    const formula both = formula_and2(store, atom(program, FATHER, 0, 1), atom(program, MOTHER, 1, 0));
    assert_true(is_listed(&near, formula_exists(store, 1, both)));
    assert_false(is_listed(&near, has_father));
    /* what was met does not come again */
    for (size_t i = 0; i < near.count; i++) {
        assert_false(formula_set_add(&near.seen, store, neighbour_at(&near, i)->f));
        assert_true(formula_width(store, neighbour_at(&near, i)->f) <= 3);
    }
    CHECK(neighbours_find(&near, has_mother, &check_error));
    assert_false(is_listed(&near, formula_or2(store, has_father, has_mother)));
    assert_true(near.count > 0);
    neighbours_free(&near);
    nlm_program_free(program);
}

/* A graph in which every edge is turned: in all places at once. */
static void all_places(void **context)
{
    (void)context;
    nlm_program *program = family();
    formula_store *store = &program->store;
    const formula two = formula_exists(
        store, 2, formula_and2(store, atom(program, FATHER, 0, 2), atom(program, FATHER, 2, 1)));
    const formula turned = formula_exists(
        store, 2, formula_and2(store, atom(program, FATHER, 2, 0), atom(program, FATHER, 1, 2)));
    neighbourhood near = {.program = program, .width = 3, .most = 6000};
    CHECK(neighbours_find(&near, two, &check_error));
    assert_true(is_listed(&near, turned));
    neighbours_free(&near);
    near = (neighbourhood){.program = program, .width = 3, .most = 5};
    CHECK(neighbours_find(&near, two, &check_error));
    assert_int_equal(near.count, 5);
    neighbours_free(&near);
    nlm_program_free(program);
}

/* The plain definition: both formulas in each world, tuple by tuple. */
static void scenes(void **context)
{
    (void)context;
    nlm_program *program = family();
    formula_store *store = &program->store;
    const formula parent[] = {
        formula_or2(store, atom(program, FATHER, 0, 2), atom(program, MOTHER, 0, 2)),
        formula_not(store, formula_and2(store, atom(program, FATHER, 2, 1),
                                        formula_exists(store, 3, atom(program, MOTHER, 1, 3))))};
    const formula own = formula_exists(store, 2, formula_and(store, parent, 2));
    neighbourhood near = {.program = program, .width = 3, .most = 6000};
    CHECK(neighbours_find(&near, own, &check_error));
    assert_true(near.count > 200);
    int differed = 0;
    for (int w = 0; w < WORLDS; w++) {
        nlm_world *world = random_world(&choices, program, OBJECTS, 33);
        truth *group;
        signed char one[OBJECTS * OBJECTS], other[OBJECTS * OBJECTS];
        CHECK(truth_new(program, 1 << 22, &group, &check_error));
        CHECK(truth_add_world(group, world, &check_error));
        CHECK(truth_values(group, own, 2, 0, one, &check_error));
        for (size_t i = 0; i < near.count; i++) {
            formula scene = neighbour_at(&near, i)->scene;
            CHECK(truth_values(group, neighbour_at(&near, i)->f, 2, 0, other, &check_error));
            if (memcmp(one, other, sizeof one) == 0)
                continue;
            for (int v = 0; v < FORMULA_VARIABLES; v++)
                if (formula_free(store, scene) >> v & 1)
                    scene = formula_exists(store, v, scene);
            size_t worlds;
            CHECK(truth_count(group, scene, &worlds, &check_error));
            assert_int_equal(worlds, 1);
            differed++;
        }
        truth_free(group);
        nlm_world_free(world);
    }
    assert_true(differed > 1000);
    neighbours_free(&near);
    nlm_program_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(expected_changes), cmocka_unit_test(all_places),
                                       cmocka_unit_test(scenes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
