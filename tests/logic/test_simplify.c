/* Simplifying: a long formula for grandparents becomes the short one, by equal changes and by changes that
 * agree with examples; what disagrees is never taken. */
#include "test.h"
#include "logic/clauses.h"
#include "logic/simplify.h"
#include "logic/truth.h"

enum { OBJECTS = 8, WORLDS = 12, FATHER = 0, MOTHER = 1 };

static nlm_program *program;
static truth *group;
static signed char labels[WORLDS * OBJECTS * OBJECTS];
static uint32_t state;
static int most_parents = 1; /* fathers of a child, or mothers */

static int draw(int below)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (uint32_t)below);
}

static formula atom(int predicate, int a, int b)
{
    return program_atom(program, predicate, (const int[]){a, b});
}

static formula parent(int a, int b)
{
    return formula_or2(&program->store, atom(FATHER, a, b), atom(MOTHER, a, b));
}

/* Families in which some have one parent, some none; the labels are those of `truth_of`. */
static void make_worlds(formula truth_of)
{
    state = 1;
    for (int w = 0; w < WORLDS; w++) {
        nlm_world *world;
        CHECK(nlm_world_new(&world, &check_error));
        CHECK(nlm_world_add_objects(world, "o", OBJECTS, &check_error));
        CHECK(nlm_world_add_predicate(world, "father", 2, NULL, &check_error));
        CHECK(nlm_world_add_predicate(world, "mother", 2, NULL, &check_error));
        for (int child = 2; child < OBJECTS; child++)
            for (int p = 0; p < 2 * most_parents; p++)
                if (draw(4))
                    CHECK(
                        nlm_world_add_fact(world, p % 2, (const int[]){child, draw(child)}, 1, &check_error));
        CHECK(truth_add_world(group, world, &check_error));
        nlm_world_free(world);
    }
    for (int w = 0; w < WORLDS; w++)
        CHECK(truth_values(group, truth_of, 2, w, labels + w * OBJECTS * OBJECTS, &check_error));
}

static nlm_status agrees(void *context, formula f, bool *yes, nlm_error *error)
{
    int wrong;
    (void)context;
    const nlm_status status = truth_compare(group, f, 2, labels, &wrong, error);
    *yes = wrong < 0;
    return status;
}

static void forget(void *context)
{
    (void)context;
    truth_forget(group);
}

static int start(void **context)
{
    (void)context;
    CHECK(program_new(&program, &check_error));
    program_add_input(program, "father", 2);
    program_add_input(program, "mother", 2);
    CHECK(truth_new(program, 1 << 20, &group, &check_error));
    return 0;
}

static int end(void **context)
{
    (void)context;
    truth_free(group);
    nlm_program_free(program);
    return 0;
}

/* The four chains of parents one by one, and a part that changes nothing. */
static void long_becomes_short(void **context)
{
    (void)context;
    formula_store *store = &program->store;
    const formula human = formula_exists(store, 2, formula_and2(store, parent(0, 2), parent(2, 1)));
    formula f = FORMULA_FALSE;
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            f = formula_or2(store, f,
                            formula_exists(store, 2, formula_and2(store, atom(a, 0, 2), atom(b, 2, 1))));
    const formula idle[] = {parent(0, 1), atom(FATHER, 1, 0), atom(MOTHER, 0, 1)};
    f = formula_or2(store, f, formula_and(store, idle, 3));
    make_worlds(human);
    simplification of = {program, 2, agrees, forget, NULL, 100000, 0};
    assert_true(clauses_measure(program, f, 2).literals > 12);
    CHECK(simplify(&of, &f, &check_error));
    assert_int_equal(clauses_measure(program, f, 2).literals, 7);
    bool yes;
    CHECK(agrees(NULL, f, &yes, &check_error));
    assert_true(yes);
}

/* A long formula that says the same as the short one in these worlds, and what simplifying makes of it. */
static void check_shortened(formula from, formula goal)
{
    simplification of = {program, 2, agrees, forget, NULL, 20000, 0};
    const int most = simplify_cost(&of, goal);
    bool yes = false;
    truth_free(group);
    CHECK(truth_new(program, 1 << 20, &group, &check_error));
    make_worlds(goal);
    assert_true(simplify_cost(&of, from) > most);
    CHECK(agrees(NULL, from, &yes, &check_error));
    assert_true(yes);
    CHECK(simplify(&of, &from, &check_error));
    assert_true(simplify_cost(&of, from) <= most);
    CHECK(agrees(NULL, from, &yes, &check_error));
    assert_true(yes);
}

/* exists Z: father(X, Z) and for all V with V \= Y: not (father(X, V) or not father(X, Z)), "Y is not a
 * second father": what does not have V leaves the quantifier over V. */
static void parts_leave_quantifiers(void **context)
{
    (void)context;
    formula_store *store = &program->store;
    const formula different = formula_not(store, formula_equal(store, 2, 3));
    const formula inside = formula_or2(store, atom(FATHER, 0, 3), formula_not(store, atom(FATHER, 0, 2)));
    const formula none = formula_not(store, formula_exists(store, 3, formula_and2(store, different, inside)));
    const formula others = formula_exists(store, 3, formula_and2(store, different, atom(FATHER, 0, 3)));
    const formula goal =
        formula_exists(store, 2, formula_and2(store, atom(FATHER, 0, 2), formula_not(store, others)));
    most_parents = 2;
    check_shortened(formula_exists(store, 2, none), goal);
    most_parents = 1;
}

/* "Some father, and all fathers have Y as a mother", where nobody has two fathers: for all becomes exists. */
static void universal_becomes_existential(void **context)
{
    (void)context;
    formula_store *store = &program->store;
    const formula other = formula_exists(
        store, 2, formula_and2(store, atom(FATHER, 0, 2), formula_not(store, atom(MOTHER, 2, 1))));
    const formula from =
        formula_and2(store, formula_exists(store, 2, atom(FATHER, 0, 2)), formula_not(store, other));
    check_shortened(from,
                    formula_exists(store, 2, formula_and2(store, atom(FATHER, 0, 2), atom(MOTHER, 2, 1))));
}

/* Two objects that are always the same become one variable. */
static void variables_are_joined(void **context)
{
    (void)context;
    formula_store *store = &program->store;
    const formula parts[] = {atom(FATHER, 0, 2), atom(FATHER, 0, 3), atom(MOTHER, 2, 4), atom(MOTHER, 3, 1)};
    formula from = formula_and(store, parts, 4);
    from = formula_exists(store, 2, formula_exists(store, 3, formula_exists(store, 4, from)));
    check_shortened(from,
                    formula_exists(store, 2, formula_and2(store, atom(FATHER, 0, 2), atom(MOTHER, 2, 1))));
}

/* Without a test that may be made nothing changes. */
static void bounded(void **context)
{
    (void)context;
    const formula before = parent(0, 1);
    formula f = before;
    make_worlds(before);
    simplification of = {program, 2, agrees, forget, NULL, 0, 0};
    CHECK(simplify(&of, &f, &check_error));
    assert_int_equal(f, before);
    assert_int_equal(of.tests, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(long_becomes_short, start, end),
        cmocka_unit_test_setup_teardown(parts_leave_quantifiers, start, end),
        cmocka_unit_test_setup_teardown(universal_becomes_existential, start, end),
        cmocka_unit_test_setup_teardown(variables_are_joined, start, end),
        cmocka_unit_test_setup_teardown(bounded, start, end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
