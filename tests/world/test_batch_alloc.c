/* Memory of batches: whichever allocation fails, the batch is as it was before, and the same call then
 * succeeds. */
#include "test.h"

#include "failing_malloc.h"
#include "world/batch.h"

enum { OBJECTS = 30 };
static const int inputs[] = {1, 1, 1};

/* A predicate with one fact of each arity, two targets with a label each; facts are of `value`. */
static nlm_world *make_world(int objects, float value)
{
    nlm_world *world;
    assert_int_equal(nlm_world_new(&world, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_objects(world, "o", objects, NULL), NLM_OK);
    static const int tuple[] = {1, 0};
    for (int r = 0; r <= 2; r++) {
        assert_int_equal(nlm_world_add_predicate(world, "p", r, NULL, NULL), NLM_OK);
        assert_int_equal(nlm_world_add_fact(world, r, tuple, value, NULL), NLM_OK);
    }
    for (int t = 0; t < 2; t++) {
        assert_int_equal(nlm_world_add_target(world, "t", t + 1, NLM_FALSE, NULL, NULL), NLM_OK);
        assert_int_equal(nlm_world_add_label(world, t, tuple, NLM_TRUE, NULL), NLM_OK);
    }
    return world;
}

/* World `number` of the batch is one that make_world made. */
static void check_world(const nlm_batch *batch, int number, int objects, float value)
{
    static const int tuple[] = {1, 0};
    assert_int_equal(nlm_batch_objects(batch, number), objects);
    for (int r = 0; r <= 2; r++) {
        int order;
        size_t row =
            tuples_find(&batch->tuples, number, tuple, r, &order) * (size_t)batch_orders(r) + (size_t)order;
        assert_true(((const float *)batch->values[r].data)[row] == value);
        if (r > 0)
            assert_int_equal(((const signed char *)batch->labels[r - 1].data)[row], NLM_TRUE);
    }
}

static nlm_batch *make_batch(void)
{
    nlm_batch *batch;
    assert_int_equal(nlm_batch_new(inputs, 2, &batch, NULL), NLM_OK);
    return batch;
}

static void a_new_batch_may_not_be_had(void **state)
{
    (void)state;
    nlm_batch *batch = (nlm_batch *)&failing;
    nlm_error error;
    fail_allocation(0);
    assert_int_equal(nlm_batch_new(inputs, 2, &batch, &error), NLM_NO_MEMORY);
    fail_allocation(-1);
    assert_int_equal(error.status, NLM_NO_MEMORY);
    assert_null(batch);
}

/* `before` worlds are there already; the next is larger. */
static int fail_to_add_world(int before)
{
    nlm_world *small = make_world(3, 2), *large = make_world(OBJECTS, 3);
    int number = 0;
    for (nlm_status status = NLM_NO_MEMORY; status; number++) {
        nlm_batch *batch = make_batch();
        nlm_error error = {NLM_OK, ""};
        for (int w = 0; w < before; w++)
            assert_int_equal(nlm_batch_add_world(batch, small, NULL), NLM_OK);
        fail_allocation(number);
        status = nlm_batch_add_world(batch, large, &error);
        fail_allocation(-1);
        assert_int_equal(error.status, status);
        assert_true(status == NLM_OK || status == NLM_NO_MEMORY);
        assert_int_equal(nlm_batch_worlds(batch), status ? before : before + 1);
        assert_int_equal(batch->targets, status && before == 0 ? 0 : 2);
        if (status)
            assert_int_equal(nlm_batch_add_world(batch, large, NULL), NLM_OK);
        for (int w = 0; w < before; w++)
            check_world(batch, w, 3, 2);
        check_world(batch, before, OBJECTS, 3);
        nlm_batch_free(batch);
    }
    nlm_world_free(small);
    nlm_world_free(large);
    return number;
}

static void a_world_that_could_not_be_added_is_not_there(void **state)
{
    (void)state;
    assert_true(fail_to_add_world(0) > 7); /* sizes, three inputs, two targets */
    assert_true(fail_to_add_world(1) > 5);
    assert_true(fail_to_add_world(4) > 5);
}

static void tensors_that_could_not_be_added_are_not_there(void **state)
{
    (void)state;
    static float numbers[OBJECTS * OBJECTS];
    const float *tensors[] = {numbers, numbers, numbers};
    nlm_world *small = make_world(3, 2);
    int number = 0;
    for (nlm_status status = NLM_NO_MEMORY; status; number++) {
        nlm_batch *batch = make_batch();
        assert_int_equal(nlm_batch_add_world(batch, small, NULL), NLM_OK);
        fail_allocation(number);
        status = nlm_batch_add_tensors(batch, OBJECTS, tensors, NULL);
        fail_allocation(-1);
        assert_true(status == NLM_OK || status == NLM_NO_MEMORY);
        assert_int_equal(nlm_batch_worlds(batch), status ? 1 : 2);
        assert_int_equal(batch->targets, 2);
        if (status)
            assert_int_equal(nlm_batch_add_tensors(batch, OBJECTS, tensors, NULL), NLM_OK);
        check_world(batch, 0, 3, 2);
        nlm_batch_free(batch);
    }
    nlm_world_free(small);
    assert_true(number > 5);
}

static void labels_that_could_not_be_added_are_not_there(void **state)
{
    (void)state;
    static float numbers[OBJECTS * OBJECTS];
    static signed char labels[OBJECTS * OBJECTS] = {[1] = NLM_TRUE};
    const float *tensors[] = {numbers, numbers, numbers};
    nlm_batch *batch = make_batch();
    assert_int_equal(nlm_batch_add_tensors(batch, OBJECTS, tensors, NULL), NLM_OK);
    fail_allocation(0);
    assert_int_equal(nlm_batch_add_labels(batch, 0, 1, labels, NULL), NLM_NO_MEMORY);
    fail_allocation(-1);
    assert_int_equal(batch->targets, 0);
    assert_int_equal(nlm_batch_add_labels(batch, 0, 2, labels, NULL), NLM_OK); /* of another arity */
    assert_int_equal(batch->targets, 1);
    assert_int_equal(batch->target_arity[0], 2);
    nlm_batch_free(batch);
}

/* A batch used again for what it has held. */
static void a_loop_stops_allocating(void **state)
{
    (void)state;
    nlm_batch *batch = make_batch();
    nlm_world *worlds[] = {make_world(5, 1), make_world(OBJECTS, 2), make_world(2, 3)};
    for (int round = 0; round < 4; round++) {
        fail_allocation(-1);
        nlm_batch_clear(batch);
        for (int w = 0; w < 3; w++)
            assert_int_equal(nlm_batch_add_world(batch, worlds[w], NULL), NLM_OK);
        assert_true(round == 0 ? allocations > 0 : allocations == 0);
    }
    for (int w = 0; w < 3; w++)
        nlm_world_free(worlds[w]);
    nlm_batch_free(batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_batch_may_not_be_had),
        cmocka_unit_test(a_world_that_could_not_be_added_is_not_there),
        cmocka_unit_test(tensors_that_could_not_be_added_are_not_there),
        cmocka_unit_test(labels_that_could_not_be_added_are_not_there),
        cmocka_unit_test(a_loop_stops_allocating),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
