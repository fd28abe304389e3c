/* Memory of percepts: whichever allocation fails, the world and the batch are as they were before, and the
 * same call then succeeds; worlds of sizes that were seen allocate nothing. */
#include "test.h"

#include "failing_malloc.h"
#include "world/batch.h"

enum { NUMBERS = 100, OBJECTS = 30 };

static const float *percept_of(int value)
{
    static float numbers[NUMBERS];
    for (int n = 0; n < NUMBERS; n++)
        numbers[n] = (float)(value * NUMBERS + n);
    return numbers;
}

static nlm_world *make_world(int objects)
{
    nlm_world *world;
    assert_int_equal(nlm_world_new(&world, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_objects(world, "o", objects, NULL), NLM_OK);
    return world;
}

static void fill_world(nlm_world *world, int first)
{
    for (int x = 0; x < nlm_world_objects(world); x++)
        assert_int_equal(nlm_world_set_percept(world, x, percept_of(first + x), NUMBERS, NULL), NLM_OK);
}

static void assert_shows(const nlm_world *world, int object, int value)
{
    const float *shown = nlm_world_percept(world, object, NULL);
    assert_non_null(shown);
    assert_memory_equal(shown, percept_of(value), NUMBERS * sizeof(float));
}

/* `before` objects show something already, and there are more now. */
static int fail_to_show(int before)
{
    int number = 0;
    for (nlm_status status = NLM_NO_MEMORY; status; number++) {
        nlm_world *world = make_world(before);
        nlm_error error = {NLM_OK, ""};
        fill_world(world, 0);
        assert_int_equal(nlm_world_add_objects(world, "later", OBJECTS, NULL), NLM_OK);
        fail_allocation(number);
        status = nlm_world_set_percept(world, before + 1, percept_of(99), NUMBERS, &error);
        fail_allocation(-1);
        assert_int_equal(error.status, status);
        assert_true(status == NLM_OK || status == NLM_NO_MEMORY);
        for (int x = 0; x < before; x++)
            assert_shows(world, x, x);
        for (int x = before; x < before + OBJECTS; x++)
            if (status || x != before + 1)
                assert_null(nlm_world_percept(world, x, NULL));
        if (status) /* of another size, if it is the first */
            assert_int_equal(
                nlm_world_set_percept(world, before, percept_of(98), before ? NUMBERS : NUMBERS - 1, NULL),
                NLM_OK);
        else
            assert_shows(world, before + 1, 99);
        nlm_world_free(world);
    }
    return number;
}

static void a_percept_that_could_not_be_set_is_not_there(void **state)
{
    (void)state;
    assert_true(fail_to_show(0) > 2); /* numbers, and which objects have them */
    assert_true(fail_to_show(20) > 1);
}

/* World `number` of the batch has the percepts of fill_world. */
static void check_percepts(const nlm_batch *batch, int number, int objects, int first)
{
    const float *percepts = batch->percepts.data;
    const size_t before = tuples_offset(&batch->tuples, number, 1);
    for (int x = 0; x < objects; x++)
        assert_memory_equal(percepts + (before + (size_t)x) * NUMBERS, percept_of(first + x),
                            NUMBERS * sizeof(float));
}

static void a_world_that_could_not_be_added_is_not_there(void **state)
{
    (void)state;
    static const int inputs[] = {0, 3};
    nlm_world *small = make_world(3), *large = make_world(OBJECTS);
    fill_world(small, 10);
    fill_world(large, 50);
    int number = 0;
    for (nlm_status status = NLM_NO_MEMORY; status; number++) {
        nlm_batch *batch;
        assert_int_equal(nlm_batch_new(inputs, 1, &batch, NULL), NLM_OK);
        batch_expect_percepts(batch, NUMBERS, 3);
        assert_int_equal(nlm_batch_add_world(batch, small, NULL), NLM_OK);
        fail_allocation(number);
        status = nlm_batch_add_world(batch, large, NULL);
        fail_allocation(-1);
        assert_true(status == NLM_OK || status == NLM_NO_MEMORY);
        assert_int_equal(nlm_batch_worlds(batch), status ? 1 : 2);
        if (status)
            assert_int_equal(nlm_batch_add_world(batch, large, NULL), NLM_OK);
        check_percepts(batch, 0, 3, 10);
        check_percepts(batch, 1, OBJECTS, 50);
        nlm_batch_free(batch);
    }
    assert_true(number > 2); /* inputs, percepts */
    nlm_world_free(small);
    nlm_world_free(large);
}

static void a_loop_stops_allocating(void **state)
{
    (void)state;
    static const int inputs[] = {0, 3};
    nlm_world *world = make_world(OBJECTS);
    nlm_batch *batch;
    assert_int_equal(nlm_batch_new(inputs, 1, &batch, NULL), NLM_OK);
    batch_expect_percepts(batch, NUMBERS, 3);
    for (int round = 0; round < 3; round++) {
        fail_allocation(-1);
        nlm_batch_clear(batch);
        for (int objects = OBJECTS; objects > 0; objects -= 7) {
            nlm_world_clear(world);
            assert_int_equal(nlm_world_add_objects(world, "o", objects, NULL), NLM_OK);
            fill_world(world, objects);
            assert_int_equal(nlm_batch_add_world(batch, world, NULL), NLM_OK);
        }
        assert_true(round == 0 ? allocations > 0 : allocations == 0);
        check_percepts(batch, 1, OBJECTS - 7, OBJECTS - 7);
    }
    nlm_batch_free(batch);
    nlm_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_percept_that_could_not_be_set_is_not_there),
        cmocka_unit_test(a_world_that_could_not_be_added_is_not_there),
        cmocka_unit_test(a_loop_stops_allocating),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
