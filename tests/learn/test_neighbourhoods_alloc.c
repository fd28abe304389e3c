/* Memory of neighbourhoods, and of a program asked tuple by tuple: every allocation in turn fails, and that
 * is said and nothing lost. */
#include "test.h"

#include <string.h>
#include "failing_malloc.h"
#include "learn/neighbourhoods.h"
#include "logic/tuple_truth.h"

enum { OBJECTS = 40 };

static nlm_world *make_world(void)
{
    nlm_world *world;
    CHECK(nlm_world_new(&world, &check_error));
    CHECK(nlm_world_add_objects(world, "o", OBJECTS, &check_error));
    CHECK(nlm_world_add_predicate(world, "next", 2, NULL, &check_error));
    CHECK(nlm_world_add_attribute(world, "size", 1, NULL, &check_error));
    CHECK(nlm_world_add_target(world, "two", 2, NLM_FALSE, NULL, &check_error));
    for (int o = 0; o + 2 < OBJECTS; o++) {
        CHECK(nlm_world_add_fact(world, 0, (const int[]){o, o + 1}, 1, &check_error));
        CHECK(nlm_world_add_number(world, 0, &o, o, &check_error));
        CHECK(nlm_world_add_label(world, 0, (const int[]){o, o + 2}, NLM_TRUE, &check_error));
    }
    return world;
}

/* Numbers of the drawn objects are those of the large world. */
static nlm_status make_and_draw(const nlm_world *world, nlm_error *error)
{
    const struct neighbourhood_settings settings = {.most = 10, .radius = 1, .held_out = 0.2};
    struct neighbourhoods *near;
    nlm_world *drawn = NULL;
    int number = 0;
    nlm_status status = neighbourhoods_new(world, &settings, &near, error);
    if (status)
        return status;
    status = nlm_world_new(&drawn, error);
    if (!status)
        status = neighbourhoods_name(near, 0, (const int[]){3, 5}, &number, error);
    if (!status)
        status = neighbourhoods_draw(near, SIDE_NAMED, number, drawn, error);
    if (!status) {
        const int *tuples;
        const double *numbers;
        const size_t count = nlm_world_numbers(drawn, 0, &tuples, &numbers);
        assert_true(count > 4);
        for (size_t i = 0; i < count; i++)
            assert_int_equal((int)numbers[i],
                             nlm_world_find_object(world, nlm_world_object_name(drawn, tuples[i])));
    }
    nlm_world_free(drawn);
    neighbourhoods_free(near);
    return status;
}

static void each_failing_allocation_is_reported(void **state)
{
    (void)state;
    nlm_world *world = make_world();
    nlm_error error;
    int number = 0;
    for (;; number++) {
        fail_allocation(number);
        const nlm_status status = make_and_draw(world, &error);
        const bool failed = allocation_failed();
        fail_allocation(-1);
        if (!failed)
            break;
        assert_int_equal(status, NLM_NO_MEMORY);
        assert_int_equal(error.status, NLM_NO_MEMORY);
    }
    assert_true(number > 30);
    nlm_world_free(world);
}

static nlm_status make_and_ask(const nlm_program *program, const nlm_world *world, bool *holds,
                               nlm_error *error)
{
    tuple_truth *asked;
    nlm_status status = tuple_truth_new(program, world, &asked, error);
    if (status)
        return status;
    status = tuple_truth_ask(asked, program_at(program, program->predicate_count - 1)->body,
                             (const int[]){3, 5}, holds, error);
    tuple_truth_free(asked);
    return status;
}

/* What is only kept to be quick may fail without a word. */
static void a_program_is_asked_without_memory(void **state)
{
    (void)state;
    static const char rules[] = "two(X, Y) :- next(X, Z), next(Z, Y).";
    nlm_world *world = make_world();
    nlm_program *program;
    nlm_program_reading reading = {0};
    nlm_error error;
    bool holds = false;
    int reported = 0;
    CHECK(nlm_program_parse(rules, strlen(rules), "rules", &reading, &program, &check_error));
    for (int number = 0;; number++) {
        fail_allocation(number);
        const nlm_status status = make_and_ask(program, world, &holds, &error);
        const bool failed = allocation_failed();
        fail_allocation(-1);
        assert_true(status == NLM_OK ? holds : status == NLM_NO_MEMORY && failed);
        reported += status == NLM_NO_MEMORY;
        if (!failed)
            break;
    }
    assert_true(reported > 4);
    nlm_program_free(program);
    nlm_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_failing_allocation_is_reported),
        cmocka_unit_test(a_program_is_asked_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
