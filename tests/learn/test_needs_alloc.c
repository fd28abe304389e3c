/* Memory of needs: every allocation in turn fails, and that is said and nothing lost. */
#include "test.h"

#include "base/random.h"
#include "failing_malloc.h"
#include "learn/needs.h"

enum { OBJECTS = 72 }; /* pairs enough for sets of both kinds, bits and lists */

static nlm_world *draw_world(void)
{
    nlm_world *world;
    random_stream random;
    random_start(&random, 1, 1);
    assert_int_equal(nlm_world_new(&world, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_objects(world, "o", OBJECTS, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_predicate(world, "edge", 2, NULL, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_target(world, "target", 1, NLM_FALSE, NULL, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_predicate(world, "colour", 1, NULL, NULL), NLM_OK);
    for (int x = 0; x < OBJECTS - 2; x++) {
        float colour = (float)random_below(&random, 10);
        assert_int_equal(nlm_world_add_fact(world, 1, &x, colour, NULL), NLM_OK);
        for (int k = 0; k < 3; k++) {
            int pair[] = {x, (int)random_below(&random, OBJECTS - 2)};
            if (pair[0] != pair[1])
                assert_int_equal(nlm_world_add_fact(world, 0, pair, 1.0f, NULL), NLM_OK);
        }
    }
    int twin = OBJECTS - 1; /* without edges, as the one before: all layers are looked at */
    assert_int_equal(nlm_world_add_label(world, 0, &twin, NLM_TRUE, NULL), NLM_OK);
    return world;
}

static void each_failing_allocation_is_reported(void **state)
{
    (void)state;
    nlm_world *world = draw_world();
    const nlm_world *const worlds[] = {world};
    nlm_options options = {.threads = 2};
    nlm_needs needs;
    nlm_error error;
    int number = 0;
    for (;; number++) {
        fail_allocation(number);
        nlm_status status = needs_of_worlds(worlds, 1, 2, 0, &options, &needs, &error);
        bool failed = allocation_failed();
        fail_allocation(-1);
        if (!failed)
            break;
        assert_int_equal(status, NLM_NO_MEMORY);
        assert_int_equal(error.status, NLM_NO_MEMORY);
    }
    assert_true(number > 50);
    assert_int_equal(needs.breadth[2].separation, NLM_INSEPARABLE);
    assert_int_equal(needs.breadth[2].mixed, 1);
    nlm_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_failing_allocation_is_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
