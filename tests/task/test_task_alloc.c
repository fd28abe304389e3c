/* Memory of worlds and tasks: every allocation in turn fails and the world stays valid; a loop over worlds
 * that have been seen allocates nothing. */
#include "worlds.h"
#include "failing_malloc.h"

#include <stdio.h>
#include <stdlib.h>

static void a_new_world_may_not_be_had(void **state)
{
    (void)state;
    nlm_world *world = (nlm_world *)&allocations;
    nlm_error error = {NLM_OK, ""};
    fail_allocation(0);
    assert_int_equal(nlm_world_new(&world, &error), NLM_NO_MEMORY);
    assert_int_equal(error.status, NLM_NO_MEMORY);
    assert_null(world);
    fail_allocation(-1);
}

enum { OBJECTS = 1000, PREDICATES = 40 };

/* Make a world with much of everything.  At the first failure: the status is out of memory, and what was
 * there is still there; the same call then succeeds. */
static void build_with_failures(nlm_world *world)
{
    for (int x = 0; x < OBJECTS; x++) {
        char name[32];
        snprintf(name, sizeof name, "object number %d", x);
        nlm_status status = nlm_world_add_object(world, name, NULL, NULL);
        if (status) {
            assert_int_equal(status, NLM_NO_MEMORY);
            assert_int_equal(nlm_world_objects(world), x);
            assert_int_equal(nlm_world_find_object(world, name), -1);
            assert_int_equal(nlm_world_add_object(world, name, NULL, NULL), NLM_OK);
        }
        assert_int_equal(nlm_world_find_object(world, name), x);
    }
    for (int p = 0; p < PREDICATES; p++) {
        char name[32];
        snprintf(name, sizeof name, "p%d", p);
        nlm_status status = nlm_world_add_predicate(world, name, 2, NULL, NULL);
        if (status) {
            assert_int_equal(status, NLM_NO_MEMORY);
            assert_int_equal(nlm_world_predicates(world), p);
            assert_int_equal(nlm_world_add_predicate(world, name, 2, NULL, NULL), NLM_OK);
        }
    }
    for (int x = 0; x + 1 < OBJECTS; x++) {
        int tuple[] = {x, x + 1};
        nlm_status status = nlm_world_add_fact(world, 0, tuple, (float)x, NULL);
        if (status) {
            assert_int_equal(status, NLM_NO_MEMORY);
            assert_int_equal(nlm_world_facts(world, 0, NULL, NULL), x);
            assert_int_equal(nlm_world_add_fact(world, 0, tuple, (float)x, NULL), NLM_OK);
        }
    }
}

static void check_built(const nlm_world *world)
{
    assert_int_equal(nlm_world_objects(world), OBJECTS);
    assert_int_equal(nlm_world_find_object(world, "object number 777"), 777);
    assert_string_equal(nlm_world_object_name(world, 777), "object number 777");
    assert_int_equal(nlm_world_find_predicate(world, "p39", 2), 39);
    const int *tuples;
    const float *values;
    assert_int_equal(nlm_world_facts(world, 0, &tuples, &values), OBJECTS - 1);
    for (int x = 0; x + 1 < OBJECTS; x++)
        assert_true(tuples[2 * x] == x && tuples[2 * x + 1] == x + 1 && values[x] == (float)x);
}

static void each_failing_allocation_leaves_the_world_valid(void **state)
{
    (void)state;
    int number = 0;
    do {
        nlm_world *world = new_world();
        fail_allocation(number++);
        build_with_failures(world);
        check_built(world);
        nlm_world_free(world);
    } while (allocations > failing);
    fail_allocation(-1);
    assert_true(number > 20);
}

static void numbered_objects_come_all_or_none(void **state)
{
    (void)state;
    int number = 0;
    for (nlm_status status = NLM_NO_MEMORY; status; number++) {
        nlm_world *world = new_world();
        assert_int_equal(nlm_world_add_object(world, "first", NULL, NULL), NLM_OK);
        fail_allocation(number);
        status = nlm_world_add_objects(world, "x", OBJECTS, NULL);
        fail_allocation(-1);
        assert_int_equal(nlm_world_objects(world), status ? 1 : 1 + OBJECTS);
        assert_int_equal(nlm_world_find_object(world, "x0"), status ? -1 : 1);
        assert_int_equal(nlm_world_find_object(world, "first"), 0);
        nlm_world_free(world);
    }
    assert_true(number > 5);
}

static void a_world_that_could_not_be_generated_is_empty(void **state)
{
    (void)state;
    for (int k = 0; k < NLM_WORLD_KINDS * nlm_tasks(); k++) {
        const nlm_task *task = nlm_task_at(k / NLM_WORLD_KINDS);
        const nlm_world_kind kind = (nlm_world_kind)(k % NLM_WORLD_KINDS);
        int number = 0;
        if (!nlm_task_has_worlds(task, kind))
            continue;
        for (nlm_status status = NLM_NO_MEMORY; status; number++) {
            nlm_world *world = new_world();
            nlm_error error = {NLM_OK, ""};
            fail_allocation(number);
            status = nlm_task_generate(task, kind, 1, 1, task->test_objects, world, &error);
            fail_allocation(-1);
            assert_int_equal(error.status, status);
            assert_true(status == NLM_OK || status == NLM_NO_MEMORY);
            assert_int_equal(nlm_world_objects(world), status ? 0 : task->test_objects);
            assert_int_equal(nlm_world_targets(world), status ? 0 : 1);
            assert_int_equal(nlm_task_generate(task, kind, 1, 1, task->test_objects, world, NULL), NLM_OK);
            nlm_world_free(world);
        }
        assert_true(number > 5);
    }
}

/* A second target on worlds that have just grown: its labels need memory of their own. */
static void a_world_that_could_not_be_labelled_stays(void **state)
{
    (void)state;
    int number = 0;
    for (nlm_status status = NLM_NO_MEMORY; status; number++) {
        nlm_world *world = new_world();
        generate("has-father", 1, 1, 100, world);
        fail_allocation(number);
        status = nlm_task_label(task_called("uncle"), world, NULL);
        fail_allocation(-1);
        assert_int_equal(nlm_world_targets(world), status ? 1 : 2);
        assert_int_equal(nlm_world_find_target(world, "uncle", 2), status ? -1 : 1);
        assert_int_equal(nlm_world_find_target(world, "has_father", 1), 0);
        if (status)
            assert_int_equal(nlm_task_label(task_called("uncle"), world, NULL), NLM_OK);
        nlm_world_free(world);
    }
    assert_true(number > 3);
}

static void a_loop_stops_allocating(void **state)
{
    (void)state;
    nlm_world *world = new_world();
    for (int round = 0; round < 2; round++) {
        fail_allocation(-1);
        for (uint64_t index = 0; index < 100; index++)
            for (int k = 0; k < nlm_tasks(); k++)
                generate(nlm_task_at(k)->name, 1, index, 1 + (int)(index * 7 % 50), world);
        assert_true(round == 1 || allocations > 0);
    }
    assert_int_equal(allocations, 0);
    nlm_world_free(world);
}

int main(void)
{
    fail_allocation(-1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_world_may_not_be_had),
        cmocka_unit_test(each_failing_allocation_leaves_the_world_valid),
        cmocka_unit_test(numbered_objects_come_all_or_none),
        cmocka_unit_test(a_world_that_could_not_be_generated_is_empty),
        cmocka_unit_test(a_world_that_could_not_be_labelled_stays),
        cmocka_unit_test(a_loop_stops_allocating),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
