/* Machines of programs: random programs as machines against the truth of their formulas, in worlds of 1 to 6
 * objects and with all kernels; the sizes of machines of known programs; what is refused. */
#include "test.h"
#include "nlm/evaluator.h"
#include "nlm/program.h"
#include "random_program.h"

enum { MOST_TUPLES = 6 * 6 * 6 };

/* All values of all units are exactly 0 or 1. */
static void check_units(nlm_machine *machine, const nlm_pass *pass, int objects)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    for (int layer = 1; layer <= spec->depth; layer++)
        for (int arity = 0; arity <= spec->breadth; arity++) {
            const int width = nlm_unit_width(machine, layer, arity);
            if (!width || objects < arity || nlm_tuple_count(objects, arity) > MOST_TUPLES)
                continue;
            float *values = malloc(nlm_tuple_count(objects, arity) * (size_t)width * sizeof *values);
            CHECK(nlm_pass_values(pass, 0, layer, arity, values, &check_error));
            for (size_t i = 0; i < nlm_tuple_count(objects, arity) * (size_t)width; i++)
                assert_true(values[i] == 0.0f || values[i] == 1.0f);
            free(values);
        }
}

/* The machine and the program agree on a world. */
static void check_world(nlm_machine *machine, const nlm_program *program, const nlm_world *world,
                        nlm_options options)
{
    static float logits[MOST_TUPLES];
    static signed char truth[MOST_TUPLES];
    const int objects = nlm_world_objects(world);
    nlm_evaluator *evaluator;
    CHECK(nlm_evaluator_new(machine, &options, &evaluator, &check_error));
    CHECK(nlm_evaluator_add(evaluator, world, &check_error));
    CHECK(nlm_evaluator_run(evaluator, false, &check_error));
    for (int t = 0; t < program->target_count; t++) {
        const int arity = program_at(program, program->target[t])->arity;
        int tuple[NLM_MAX_BREADTH];
        CHECK(nlm_program_evaluate(program, world, t, truth, &check_error));
        CHECK(nlm_pass_logits(nlm_evaluator_pass(evaluator), 0, t, logits, &check_error));
        for (size_t n = 0; n < nlm_tuple_count(objects, arity); n++)
            if (nlm_tuple_at(objects, arity, n, tuple)) {
                if ((logits[n] > 0) != truth[n])
                    fail_msg("target %d, %d objects, tuple %zu: %g, not %d", t, objects, n, (double)logits[n],
                             truth[n]);
                assert_true(logits[n] >= 128 || logits[n] <= -128);
            }
    }
    if (options.lifting == NLM_CLASSES)
        check_units(machine, nlm_evaluator_pass(evaluator), objects);
    nlm_evaluator_free(evaluator);
}

static void check_program(nlm_machine *machine, const nlm_program *program, random_choices *from)
{
    static const nlm_kernel kernels[] = {NLM_KERNEL_REFERENCE, NLM_KERNEL_GENERIC, NLM_KERNEL_AVX2,
                                         NLM_KERNEL_AVX512};
    for (int objects = 1; objects <= 6; objects++) {
        nlm_world *world = random_world(from, program, objects, 10 + random_below(from, 70));
        assert_non_null(world);
        const nlm_kernel kernel = kernels[random_below(from, COUNT(kernels))];
        const nlm_options options = {
            .kernel = nlm_kernel_available(kernel) ? kernel : NLM_KERNEL_BEST,
            .lifting = (nlm_lifting)random_below(from, 3),
        };
        check_world(machine, program, world, options);
        nlm_world_free(world);
    }
}

static void random_programs(void **context)
{
    (void)context;
    int refused = 0, deepest = 0;
    for (uint32_t seed = 1; seed <= 2000; seed++) {
        random_choices from = {
            .state = seed * 7919, .variables = 2 + (int)seed % 3, .depth = (int)(seed % 7)};
        nlm_program *program = random_program(&from);
        nlm_machine *machine;
        nlm_error error;
        assert_non_null(program);
        if (nlm_program_compile(program, 3, &machine, &error) == NLM_OK) {
            deepest = nlm_machine_spec(machine)->depth > deepest ? nlm_machine_spec(machine)->depth : deepest;
            check_program(machine, program, &from);
            nlm_machine_free(machine);
        } else {
            assert_null(machine);
            refused++;
            if (!strstr(error.message, "variables at breadth 3") &&
                !strstr(error.message, "input predicates"))
                fail_msg("seed %u: %s", (unsigned)seed, error.message);
        }
        nlm_program_free(program);
    }
    print_message("%d refused, deepest %d\n", refused, deepest);
    assert_true(refused < 400 && deepest >= 5);
}

/* Depth, breadth, and predicates of all layers together, of programs as text; 0 for one that is refused. */
static void known_sizes(void **context)
{
    (void)context;
    static const struct {
        const char *text;
        int breadth, depth, broad, predicates;
    } known[] = {
        /* an input as it is, and with its variables exchanged */
        {"t(X, Y) :- q(X, Y).", 0, 1, 2, 1},
        {"t(X, Y) :- q(Y, X).", 0, 1, 2, 1},
        /* a quantifier and a literal in one unit; the head computes the last `or` itself */
        {"t(X) :- p(X), q(X, _).", 0, 1, 2, 1},
        {"t(X) :- p(X), q(X, _) ; r(X), s(X).", 0, 1, 2, 2},
        /* a bound variable that does not come last is turned first */
        {"t(X) :- q(_, X).", 0, 2, 2, 2},
        /* a, (b or c) is one unit */
        {"t(X) :- s(X, Y), (q(X, Y) ; r(Y, X)).", 0, 2, 2, 2},
        /* a star relates two variables at once if its centre goes last */
        {"t(X) :- q(X, Y), q(Y, A), q(Y, B), r(Y, C), r(D, Y).", 2, 4, 2, 10},
        /* a chain needs three */
        {"t(X, Y) :- q(X, Z), q(Z, Y).", 3, 2, 3, 2},
        {"t(X, Y) :- q(X, Z), q(Z, Y).", 2, 0, 0, 0},
        /* a helper of many variables is opened */
        {"t(X) :- h(X, A, B, C). h(X, A, B, C) :- q(X, A), q(A, B), r(B, C).", 2, 5, 2, 8},
        /* equal definitions are computed once, also with other variables */
        {"t(X) :- a(X, Y), b(Y, X). a(X, Y) :- q(X, Y), r(Y, X). b(Y, X) :- q(X, Y), r(Y, X).", 0, 2, 2, 2},
        /* nothing, and everything */
        {"t(X) :- p(X), \\+ p(X).", 0, 1, 1, 1},
        {"t(X, _) :- p(X) ; \\+ p(X).", 0, 1, 2, 1},
    };
    for (size_t i = 0; i < COUNT(known); i++) {
        nlm_program *program;
        nlm_machine *machine;
        nlm_error error;
        CHECK(nlm_program_parse(known[i].text, strlen(known[i].text), "known", NULL, &program, &check_error));
        const nlm_status status = nlm_program_compile(program, known[i].breadth, &machine, &error);
        nlm_program_free(program);
        assert_int_equal(status == NLM_OK, known[i].depth > 0);
        if (status != NLM_OK) {
            assert_non_null(strstr(error.message, "t/2: 3 variables at breadth 2"));
            continue;
        }
        const nlm_spec *spec = nlm_machine_spec(machine);
        int predicates = 0;
        for (int layer = 0; layer < spec->depth; layer++)
            for (int r = 0; r <= spec->breadth; r++)
                predicates += spec->widths[layer][r];
        if (spec->depth != known[i].depth || spec->breadth != known[i].broad ||
            predicates != known[i].predicates)
            fail_msg("%s: depth %d, breadth %d, %d predicates", known[i].text, spec->depth, spec->breadth,
                     predicates);
        nlm_machine_free(machine);
    }
}

/* Text of `count` clauses, each made of its number, into a program; the result is freed by the caller. */
static nlm_program *many(const char *first, const char *clause, int count, const char *last)
{
    const size_t size = strlen(first) + strlen(last) + (size_t)count * (strlen(clause) + 40) + 1;
    char *text = malloc(size);
    size_t used = (size_t)snprintf(text, size, "%s", first);
    for (int i = 1; i <= count; i++)
        used += (size_t)snprintf(text + used, size - used, clause, i, i - 1, i);
    used += (size_t)snprintf(text + used, size - used, "%s", last);
    nlm_program *program;
    CHECK(nlm_program_parse(text, used, "many", NULL, &program, &check_error));
    free(text);
    return program;
}

static void large_programs(void **context)
{
    (void)context;
    nlm_machine *machine;
    nlm_error error;
    /* an `or` of thousands is one unit, whether written as clauses or as a chain of definitions */
    nlm_program *program = many("", "t(X) :- p%d(X). %% %d %d\n", 3000, "");
    CHECK(nlm_program_compile(program, 0, &machine, &check_error));
    assert_int_equal(nlm_machine_spec(machine)->depth, 1);
    nlm_machine_free(machine);
    nlm_program_free(program);
    program = many("d0(X) :- q(X).\n", "d%d(X) :- d%d(X) ; p%d(X).\n", 1500, "");
    CHECK(nlm_program_compile(program, 0, &machine, &check_error));
    assert_int_equal(nlm_machine_spec(machine)->depth, 1);
    nlm_machine_free(machine);
    nlm_program_free(program);
    /* more layers or predicates than there can be */
    program = many("d0(X) :- q(X, _).\n", "d%d(X) :- q(X, Y), \\+ d%d(Y). %% %d\n", 100, "");
    assert_int_equal(nlm_program_compile(program, 0, &machine, &error), NLM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "layers; a machine has at most 64"));
    nlm_program_free(program);
    program = many("", "t(X) :- p%d(X, Y), q(Y). %% %d %d\n", 4097, "");
    assert_int_equal(nlm_program_compile(program, 0, &machine, &error), NLM_BAD_ARGUMENT);
    nlm_program_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_sizes), cmocka_unit_test(large_programs),
                                       cmocka_unit_test(random_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
