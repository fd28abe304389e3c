/* Formulas: random ones built by the store, with everything that it simplifies, against a plain evaluation of
 * what was asked for; tables of truth against the same. */
#include "test.h"
#include "logic/clauses.h"
#include "logic/truth.h"

enum { OBJECTS = 3, INPUTS = 3, DEPTH = 4, VARIABLES = 3 };
static const int arities[INPUTS] = {0, 1, 2};

static uint32_t state;

static int draw(int below)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (uint32_t)below);
}

/* What was asked for, as a tree. */
typedef struct tree {
    int kind, predicate, variable[2], parts;
    struct tree *part[3];
} tree;

static tree pool[20000];
static int used;

static tree *grow(int depth)
{
    tree *t = &pool[used++];
    *t = (tree){.kind = depth == 0 ? draw(2) : draw(6)};
    if (t->kind == 0) {
        t->predicate = draw(INPUTS);
        for (int i = 0; i < 2; i++)
            t->variable[i] = draw(VARIABLES);
    } else if (t->kind == 1) {
        for (int i = 0; i < 2; i++)
            t->variable[i] = draw(VARIABLES);
    } else {
        t->variable[0] = draw(VARIABLES);
        t->parts = t->kind == 3 || t->kind == 4 ? draw(4) : 1;
        for (int i = 0; i < t->parts; i++)
            t->part[i] = grow(depth - 1);
    }
    return t;
}

static formula build(nlm_program *program, const tree *t)
{
    formula_store *store = &program->store;
    formula part[3] = {0};
    for (int i = 0; i < t->parts; i++)
        part[i] = build(program, t->part[i]);
    switch (t->kind) {
    case 0:
        return program_atom(program, t->predicate, t->variable);
    case 1:
        return formula_equal(store, t->variable[0], t->variable[1]);
    case 2:
        return formula_not(store, part[0]);
    case 3:
        return formula_and(store, part, (size_t)t->parts);
    case 4:
        return formula_or(store, part, (size_t)t->parts);
    default:
        return formula_exists(store, t->variable[0], part[0]);
    }
}

static bool facts[INPUTS][OBJECTS * OBJECTS];

static bool holds(const tree *t, const int *value)
{
    const int a = value[t->variable[0]], b = value[t->variable[1]];
    switch (t->kind) {
    case 0:
        if (arities[t->predicate] == 2)
            return a != b && facts[2][a * OBJECTS + b];
        return facts[t->predicate][arities[t->predicate] ? a : 0];
    case 1:
        return a == b;
    case 2:
        return !holds(t->part[0], value);
    case 3:
    case 4:
        for (int i = 0; i < t->parts; i++)
            if (holds(t->part[i], value) == (t->kind == 4))
                return t->kind == 4;
        return t->kind == 3;
    default:
        for (int o = 0; o < OBJECTS; o++) {
            int inside[VARIABLES];
            memcpy(inside, value, sizeof inside);
            inside[t->variable[0]] = o;
            if (holds(t->part[0], inside))
                return true;
        }
        return false;
    }
}

static void add_world(truth *group)
{
    static const char *const names[INPUTS] = {"r", "p", "q"};
    nlm_world *world;
    CHECK(nlm_world_new(&world, &check_error));
    CHECK(nlm_world_add_objects(world, "o", OBJECTS, &check_error));
    for (int i = 0; i < INPUTS; i++) {
        CHECK(nlm_world_add_predicate(world, names[i], arities[i], NULL, &check_error));
        for (int f = 0; f < OBJECTS * OBJECTS; f++) {
            facts[i][f] = draw(2);
            const int tuple[] = {arities[i] == 2 ? f / OBJECTS : f, f % OBJECTS};
            const bool tells = arities[i] == 2 ? tuple[0] != tuple[1] : f < (arities[i] ? OBJECTS : 1);
            if (tells && facts[i][f])
                CHECK(nlm_world_add_fact(world, i, tuple, 1, &check_error));
        }
    }
    CHECK(truth_add_world(group, world, &check_error));
    nlm_world_free(world);
}

static void check_values(truth *group, formula f, const tree *t)
{
    signed char values[OBJECTS * OBJECTS * OBJECTS];
    CHECK(truth_values(group, f, VARIABLES, 0, values, &check_error));
    for (int n = 0; n < OBJECTS * OBJECTS * OBJECTS; n++) {
        const int value[] = {n / OBJECTS / OBJECTS, n / OBJECTS % OBJECTS, n % OBJECTS};
        if (value[0] != value[1] && value[0] != value[2] && value[1] != value[2])
            assert_int_equal(values[n], holds(t, value));
    }
}

static void random_formulas(void **context)
{
    (void)context;
    int kept = 0;
    for (state = 1; state < 3000; state++) {
        const uint32_t seed = state;
        nlm_program *program;
        truth *group;
        CHECK(program_new(&program, &check_error));
        assert_int_equal(program_add_input(program, "r", 0), 0);
        assert_int_equal(program_add_input(program, "p", 1), 1);
        assert_int_equal(program_add_input(program, "q", 2), 2);
        CHECK(truth_new(program, 1 << 16, &group, &check_error));
        used = 0;
        add_world(group);
        const tree *t = grow(DEPTH);
        const formula f = build(program, t);
        assert_false(program->store.failed);
        check_values(group, f, t);
        kept += f > FORMULA_TRUE;
        assert_int_equal(formula_not(&program->store, formula_not(&program->store, f)), f);
        assert_int_equal(formula_copy(&program->store, &program->store, f, NULL), f);
        truth_free(group);
        nlm_program_free(program);
        state = seed;
    }
    assert_true(kept > 1000);
}

/* Equal formulas are one number, whatever the bound variables are called. */
static void one_form(void **context)
{
    (void)context;
    nlm_program *program;
    CHECK(program_new(&program, &check_error));
    const int q = program_add_input(program, "q", 2);
    formula_store *store = &program->store;
    const formula a = formula_exists(store, 7, program_atom(program, q, (const int[]){0, 7}));
    const formula b = formula_exists(store, 1, program_atom(program, q, (const int[]){0, 1}));
    assert_int_equal(a, b);
    /* q(X, Y) and X \= Y is q(X, Y); q(X, X) is false */
    const formula atom = program_atom(program, q, (const int[]){0, 1});
    assert_int_equal(formula_and2(store, atom, formula_not(store, formula_equal(store, 0, 1))), atom);
    assert_int_equal(program_atom(program, q, (const int[]){1, 1}), FORMULA_FALSE);
    /* exists Z: Z = X and q(Z, Y) is q(X, Y) */
    const formula same =
        formula_and2(store, formula_equal(store, 5, 0), program_atom(program, q, (const int[]){5, 1}));
    assert_int_equal(formula_exists(store, 5, same), atom);
    /* a clause each for the parts of an or, a helper for one inside */
    const formula r = formula_or2(store, atom, a);
    assert_int_equal(clauses_measure(program, r, 2).literals, 4);
    const formula inner = formula_and2(store, program_atom(program, q, (const int[]){1, 0}), r);
    assert_int_equal(clauses_measure(program, inner, 2).literals, 3 + 4);
    nlm_program_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_form), cmocka_unit_test(random_formulas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
