/* Batches for machines with a sense: percepts stand beside the inputs, world after world; unary facts come
 * after what the sense will make; worlds that do not fit are refused and leave no trace. */
#include "test.h"

#include "world/batch.h"

enum { NUMBERS = 7, PERCEIVED = 3, FACTS = 2 };
static const int inputs[] = {1, PERCEIVED + FACTS, 1};

static nlm_batch *new_batch(void)
{
    nlm_batch *batch;
    assert_int_equal(nlm_batch_new(inputs, 2, &batch, NULL), NLM_OK);
    batch_expect_percepts(batch, NUMBERS, PERCEIVED);
    return batch;
}

static const float *percept_of(int value, int numbers)
{
    static float made[NUMBERS + 1];
    for (int n = 0; n < numbers; n++)
        made[n] = (float)(value * NUMBERS + n);
    return made;
}

/* rainy/0, q/1, near/2, r/1; object x of the world shows first + x; q(0) is 2, r(1) is 3. */
static nlm_world *new_world(int objects, int first, int numbers)
{
    nlm_world *world;
    static const char *const names[] = {"rainy", "q", "near", "r"};
    static const int arities[] = {0, 1, 2, 1};
    assert_int_equal(nlm_world_new(&world, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_objects(world, "o", objects, NULL), NLM_OK);
    for (int p = 0; p < 4; p++)
        assert_int_equal(nlm_world_add_predicate(world, names[p], arities[p], NULL, NULL), NLM_OK);
    const int zero = 0, one = 1;
    assert_int_equal(nlm_world_add_fact(world, 1, &zero, 2, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_fact(world, 3, &one, 3, NULL), NLM_OK);
    for (int x = 0; x < objects; x++)
        assert_int_equal(nlm_world_set_percept(world, x, percept_of(first + x, numbers), numbers, NULL),
                         NLM_OK);
    return world;
}

static void assert_world(const nlm_batch *batch, int number, int objects, int first)
{
    assert_int_equal(nlm_batch_objects(batch, number), objects);
    const size_t before = tuples_offset(&batch->tuples, number, 1);
    const float *percepts = (const float *)batch->percepts.data + before * NUMBERS;
    const float *values = (const float *)batch->values[1].data + before * (size_t)inputs[1];
    for (int x = 0; x < objects; x++) {
        const float row[] = {0, 0, 0, x == 0 ? 2 : 0, x == 1 ? 3 : 0};
        assert_memory_equal(percepts + x * NUMBERS, percept_of(first + x, NUMBERS), NUMBERS * sizeof(float));
        assert_memory_equal(values + x * inputs[1], row, sizeof row);
    }
}

static void assert_refused(nlm_batch *batch, const nlm_world *world, const char *message)
{
    nlm_error error;
    const int worlds = nlm_batch_worlds(batch);
    assert_int_equal(nlm_batch_add_world(batch, world, &error), NLM_BAD_SHAPE);
    assert_string_equal(error.message, message);
    assert_int_equal(nlm_batch_worlds(batch), worlds);
}

static void percepts_and_unary_facts_stand_side_by_side(void **state)
{
    (void)state;
    nlm_batch *batch = new_batch();
    nlm_world *worlds[] = {new_world(4, 0, NUMBERS), new_world(2, 50, NUMBERS), new_world(9, 100, NUMBERS)};
    for (int round = 0; round < 3; round++) {
        nlm_batch_clear(batch);
        for (int w = 0; w < 3; w++)
            assert_int_equal(nlm_batch_add_world(batch, worlds[(w + round) % 3], NULL), NLM_OK);
        static const int objects[] = {4, 2, 9}, first[] = {0, 50, 100};
        for (int w = 0; w < 3; w++)
            assert_world(batch, w, objects[(w + round) % 3], first[(w + round) % 3]);
    }
    for (int w = 0; w < 3; w++)
        nlm_world_free(worlds[w]);
    nlm_batch_free(batch);
}

/* The worlds before and after one that is refused are as if it had never come. */
static void worlds_without_all_percepts_are_refused(void **state)
{
    (void)state;
    nlm_batch *batch = new_batch();
    nlm_world *before = new_world(3, 10, NUMBERS), *blind = new_world(2, 20, NUMBERS),
              *after = new_world(5, 30, NUMBERS);
    assert_int_equal(nlm_world_add_object(blind, "mole", NULL, NULL), NLM_OK);
    assert_int_equal(nlm_batch_add_world(batch, before, NULL), NLM_OK);
    assert_refused(batch, blind, "object 'mole' has no percept, and the machine reads it");
    assert_world(batch, 0, 3, 10);
    assert_int_equal(nlm_batch_add_world(batch, after, NULL), NLM_OK);
    assert_world(batch, 0, 3, 10);
    assert_world(batch, 1, 5, 30);
    nlm_world_free(before);
    nlm_world_free(blind);
    nlm_world_free(after);
    nlm_batch_free(batch);
}

static void percepts_of_another_size_are_refused(void **state)
{
    (void)state;
    nlm_batch *batch = new_batch();
    nlm_world *less = new_world(3, 0, NUMBERS - 1), *more = new_world(3, 0, NUMBERS + 1);
    assert_refused(batch, less, "percepts have 6 numbers, the machine reads 7");
    assert_refused(batch, more, "percepts have 8 numbers, the machine reads 7");
    nlm_world_free(less);
    nlm_world_free(more);
    nlm_batch_free(batch);
}

/* The predicates that a world must have are those that the sense does not make. */
static void unary_predicates_are_counted_without_those_of_the_sense(void **state)
{
    (void)state;
    nlm_batch *batch = new_batch();
    nlm_world *world = new_world(3, 0, NUMBERS);
    assert_int_equal(nlm_world_add_predicate(world, "s", 1, NULL, NULL), NLM_OK);
    assert_refused(batch, world, "the world has 3 predicates of arity 1, the machine reads 2");
    nlm_world_clear(world);
    assert_int_equal(nlm_world_add_objects(world, "o", 2, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_predicate(world, "rainy", 0, NULL, NULL), NLM_OK);
    assert_refused(batch, world, "the world has 0 predicates of arity 1, the machine reads 2");
    nlm_world_free(world);
    nlm_batch_free(batch);
}

static void a_world_given_as_numbers_is_refused(void **state)
{
    (void)state;
    static const float numbers[2 * 2 * (PERCEIVED + FACTS)] = {0};
    const float *const tensors[] = {numbers, numbers, numbers};
    nlm_batch *batch = new_batch();
    nlm_error error;
    assert_int_equal(nlm_batch_add_tensors(batch, 2, tensors, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "a world given as numbers has no percepts");
    assert_int_equal(nlm_batch_worlds(batch), 0);
    nlm_batch_free(batch);
}

/* What objects show does not matter to a machine without a sense. */
static void percepts_are_ignored_where_none_are_expected(void **state)
{
    (void)state;
    static const int plain[] = {1, FACTS, 1};
    nlm_batch *batch;
    nlm_world *world = new_world(3, 0, NUMBERS);
    assert_int_equal(nlm_batch_new(plain, 2, &batch, NULL), NLM_OK);
    assert_int_equal(nlm_batch_add_world(batch, world, NULL), NLM_OK);
    assert_int_equal(batch->perceived, 0);
    assert_true(((const float *)batch->values[1].data)[0] == 2);
    nlm_world_free(world);
    nlm_batch_free(batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percepts_and_unary_facts_stand_side_by_side),
        cmocka_unit_test(worlds_without_all_percepts_are_refused),
        cmocka_unit_test(percepts_of_another_size_are_refused),
        cmocka_unit_test(unary_predicates_are_counted_without_those_of_the_sense),
        cmocka_unit_test(a_world_given_as_numbers_is_refused),
        cmocka_unit_test(percepts_are_ignored_where_none_are_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
