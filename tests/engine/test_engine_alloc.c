/* Whichever allocation of the library fails, the engine reports it, and works again afterwards. */
#include "failing_malloc.h"
#include "test.h"

#include "engine/engine.h"
#include "nlm/program.h"

static const char rules[] = "uncle(X, Y) :- parent(X, Z), son(Z, Y), \\+ closer(X, Y).\n"
                            "parent(X, Y) :- father(X, Y).\nparent(X, Y) :- mother(X, Y).\n"
                            "closer(X, Y) :- father(X, Z), son(Z, Y).\n";

static nlm_status answer(const nlm_program *program, const nlm_world *world, int *answers, nlm_error *error)
{
    join_engine *of;
    int tuple[2];
    bool found = true;
    *answers = 0;
    nlm_status status = engine_new(program, world, &of, error);
    if (status)
        return status;
    status = engine_load(of, NULL, NULL, error);
    if (!status)
        status = engine_begin(of, 0, error);
    while (!status && !(status = engine_next(of, tuple, &found, error)) && found)
        ++*answers;
    engine_free(of);
    return status;
}

static void every_allocation(void **context)
{
    (void)context;
    nlm_program *program;
    nlm_world *world;
    int answers, failures = 0;
    CHECK(nlm_program_parse(rules, sizeof rules - 1, "rules", NULL, &program, &check_error));
    CHECK(nlm_world_new(&world, &check_error));
    CHECK(nlm_world_add_objects(world, "o", 5, &check_error));
    static const char *const names[] = {"father", "mother", "son"};
    for (int p = 0; p < 3; p++) {
        CHECK(nlm_world_add_predicate(world, names[p], 2, NULL, &check_error));
        CHECK(nlm_world_add_fact(world, p, (const int[]){p, 3 + p % 2}, 1, &check_error));
        CHECK(nlm_world_add_fact(world, p, (const int[]){3, p % 2}, 1, &check_error));
    }
    CHECK(answer(program, world, &answers, &check_error));
    const int expected = answers;
    for (int n = 0;; n++) {
        nlm_error error;
        fail_allocation(n);
        const nlm_status status = answer(program, world, &answers, &error);
        failing = -1;
        if (!status) {
            assert_int_equal(answers, expected);
            break;
        }
        assert_int_equal(status, NLM_NO_MEMORY);
        failures++;
    }
    assert_true(failures > 20);
    nlm_world_free(world);
    nlm_program_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation)};
    if (!nlm_engine_is_built(NLM_ENGINE_SQLITE))
        return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
