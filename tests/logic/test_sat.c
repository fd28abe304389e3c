/* Satisfiability: random clauses against all assignments, with clauses that come later, and bounds. */
#include "test.h"
#include "logic/sat.h"

static uint32_t state;

static uint32_t draw(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

enum { MOST_VARIABLES = 12, MOST_CLAUSES = 60, STEPS = 1000000 };

typedef struct problem {
    uint32_t variables, clauses, size[MOST_CLAUSES];
    sat_literal literal[MOST_CLAUSES][3];
} problem;

/* Whether an assignment, bit v - 1 for variable v, satisfies the first clauses. */
static bool satisfies(const problem *of, uint32_t clauses, uint32_t assignment)
{
    for (uint32_t c = 0; c < clauses; c++) {
        bool holds = false;
        for (uint32_t i = 0; i < of->size[c]; i++) {
            const sat_literal l = of->literal[c][i];
            holds |= (assignment >> (l / 2 - 1) & 1) != (l & 1);
        }
        if (!holds)
            return false;
    }
    return true;
}

static void check_answer(const problem *of, sat *solver, uint32_t clauses)
{
    bool any = false;
    for (uint32_t a = 0; a < (uint32_t)1 << of->variables && !any; a++)
        any = satisfies(of, clauses, a);
    assert_int_equal(sat_solve(solver), any ? SAT_SATISFIABLE : SAT_UNSATISFIABLE);
    if (!any)
        return;
    uint32_t found = 0;
    for (uint32_t v = 1; v <= of->variables; v++)
        found |= (uint32_t)sat_true(solver, 2 * v) << (v - 1);
    assert_true(satisfies(of, clauses, found));
    assert_true(sat_true(solver, SAT_YES));
}

static void random_clauses(void **context)
{
    (void)context;
    int unsatisfiable = 0;
    for (uint32_t seed = 1; seed <= 2000; seed++) {
        problem of;
        state = seed;
        of.variables = 3 + draw(MOST_VARIABLES - 2);
        of.clauses = of.variables * 3 + draw(of.variables * 2);
        sat *solver = sat_new(1 << 20, STEPS);
        assert_non_null(solver);
        for (uint32_t v = 1; v <= of.variables; v++)
            assert_int_equal(sat_variable(solver), 2 * v);
        for (uint32_t c = 0; c < of.clauses; c++) {
            of.size[c] = 1 + draw(3);
            of.size[c] = draw(8) ? 3 : of.size[c];
            for (uint32_t i = 0; i < of.size[c]; i++)
                of.literal[c][i] = 2 + draw(2 * of.variables);
            sat_add(solver, of.literal[c], of.size[c]);
            if (c == of.clauses / 2)
                check_answer(&of, solver, c + 1);
        }
        check_answer(&of, solver, of.clauses);
        unsatisfiable += sat_solve(solver) == SAT_UNSATISFIABLE;
        sat_free(solver);
    }
    assert_in_range(unsatisfiable, 300, 1700);
}

/* n + 1 pigeons in n holes. */
static sat *pigeons(uint32_t holes, uint32_t words, uint64_t steps)
{
    sat *solver = sat_new(words, steps);
    assert_non_null(solver);
    for (uint32_t v = 0; v < (holes + 1) * holes; v++)
        sat_variable(solver);
    for (uint32_t p = 0; p <= holes; p++) {
        sat_literal somewhere[16];
        for (uint32_t h = 0; h < holes; h++)
            somewhere[h] = 2 * (1 + p * holes + h);
        sat_add(solver, somewhere, holes);
        for (uint32_t q = 0; q < p; q++)
            for (uint32_t h = 0; h < holes; h++)
                sat_add(solver,
                        (const sat_literal[]){2 * (1 + p * holes + h) + 1, 2 * (1 + q * holes + h) + 1}, 2);
    }
    return solver;
}

static void bounds(void **context)
{
    (void)context;
    sat *solver = pigeons(5, 1 << 20, 10 * STEPS);
    assert_int_equal(sat_solve(solver), SAT_UNSATISFIABLE);
    sat_free(solver);
    solver = pigeons(8, 1 << 20, 1000);
    assert_int_equal(sat_solve(solver), SAT_STOPPED);
    assert_false(sat_failed(solver));
    sat_free(solver);
    solver = pigeons(8, 100, STEPS);
    assert_true(sat_failed(solver));
    assert_int_equal(sat_solve(solver), SAT_STOPPED);
    sat_free(solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_clauses), cmocka_unit_test(bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
