/* Evaluator: the structure is built when the batch has changed and kept while it stays; whichever allocation
 * fails, the evaluator can be freed or tried again, and then gives the same result. */
#include "failing_malloc.h"
#include "test.h"

#include "machine/evaluator.h"
#include "nlm/nlm.h"
#include "structure/structure.h"

static nlm_machine *new_machine(void)
{
    const nlm_spec spec = {.depth = 3, .breadth = 2, .inputs = {0, 0, 4}, .width = 4, .outputs = 4};
    const nlm_head_spec head = {.name = "head", .arity = 2, .outputs = 1};
    nlm_machine *machine;
    CHECK(nlm_machine_new(&spec, &head, 1, &machine, &check_error));
    nlm_machine_initialise(machine, 1);
    return machine;
}

static nlm_world *new_world(uint64_t number)
{
    nlm_world *world;
    CHECK(nlm_world_new(&world, &check_error));
    CHECK(
        nlm_task_generate(nlm_task_find("grandparent"), NLM_WORLDS_PAPER, 1, number, 8, world, &check_error));
    return world;
}

static void structure_is_kept_while_the_batch_stays(void **state)
{
    (void)state;
    nlm_machine *machine = new_machine();
    nlm_world *world = new_world(0);
    nlm_evaluator *evaluator;
    nlm_bce_result first, second;
    nlm_error error;
    CHECK(nlm_evaluator_new(machine, NULL, &evaluator, &check_error));
    assert_int_not_equal(nlm_evaluator_run(evaluator, false, &error), NLM_OK); /* no world */
    CHECK(nlm_evaluator_add(evaluator, world, &check_error));
    CHECK(evaluator_compare(evaluator, true, &first, &check_error));
    const uint64_t build = nlm_evaluator_structure(evaluator)->build;
    CHECK(evaluator_compare(evaluator, false, &second, &check_error));
    assert_int_equal(nlm_evaluator_structure(evaluator)->build, build);
    assert_true(first.loss == second.loss && first.labelled == second.labelled);
    CHECK(nlm_evaluator_add(evaluator, world, &check_error));
    CHECK(evaluator_compare(evaluator, false, &second, &check_error));
    assert_int_not_equal(nlm_evaluator_structure(evaluator)->build, build);
    assert_int_equal(second.labelled, 2 * first.labelled);
    nlm_evaluator_clear(evaluator);
    CHECK(nlm_evaluator_add(evaluator, world, &check_error));
    CHECK(evaluator_compare(evaluator, false, &second, &check_error));
    assert_true(first.loss == second.loss);
    nlm_evaluator_free(evaluator);
    nlm_evaluator_free(NULL);
    assert_int_equal(nlm_evaluator_new(NULL, NULL, &evaluator, &error), NLM_BAD_ARGUMENT);
    nlm_world_free(world);
    nlm_machine_free(machine);
}

static void every_allocation_fails_once(void **state)
{
    (void)state;
    nlm_machine *machine = new_machine();
    nlm_world *world = new_world(1);
    double loss = -1;
    bool failed = true;
    for (int number = 0; failed; number++) {
        nlm_evaluator *evaluator = NULL;
        nlm_bce_result result = {0};
        nlm_error error;
        fail_allocation(number);
        nlm_status status = nlm_evaluator_new(machine, NULL, &evaluator, &error);
        if (!status)
            status = nlm_evaluator_add(evaluator, world, &error);
        if (!status)
            status = evaluator_compare(evaluator, true, &result, &error);
        failed = allocation_failed();
        fail_allocation(-1);
        assert_int_equal(status, failed ? NLM_NO_MEMORY : NLM_OK);
        if (evaluator) { /* tried again */
            nlm_evaluator_clear(evaluator);
            CHECK(nlm_evaluator_add(evaluator, world, &check_error));
            CHECK(evaluator_compare(evaluator, false, &result, &check_error));
            assert_true(loss < 0 || result.loss == loss);
            loss = result.loss;
        }
        nlm_evaluator_free(evaluator);
    }
    nlm_world_free(world);
    nlm_machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structure_is_kept_while_the_batch_stays),
        cmocka_unit_test(every_allocation_fails_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
