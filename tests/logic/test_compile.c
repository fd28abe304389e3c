/* Machines of programs: random programs as machines against the truth of their formulas, in worlds of 1 to 6
 * objects and with all kernels; the sizes of machines of known programs; what is refused. */
#include "test.h"
#include "nlm/evaluator.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
