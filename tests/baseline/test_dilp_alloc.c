/* Memory of differentiable ILP: a step whose sizes were seen allocates nothing; and whichever allocation
 * fails, the call says so. */
#include "test.h"
#include "failing_malloc.h"

#include "dilp_case.h"

enum { MOST_WEIGHTS = 20000 };

static struct dilp_world worlds[2];
static float weights[MOST_WEIGHTS], gradients[MOST_WEIGHTS];

static int make_worlds(void **state)
{
    (void)state;
    for (int w = 0; w < 2; w++) {
        worlds[w] = dilp_world_new(6 - 2 * w, (int[]){0, 0, 1}, 2);
        worlds[w].inputs[2][1] = 1.0f;
    }
    return 0;
}

static int free_worlds(void **state)
{
    (void)state;
    dilp_world_free(&worlds[0]);
    dilp_world_free(&worlds[1]);
    return 0;
}

static nlm_status make(void **model, void **work, nlm_error *error)
{
    static const nlm_given given[] = {{"edge", 2, false}, {"edge", 2, true}, {"p", 1, true}};
    static const nlm_definition definition[] = {{"t", 2, 2, {{0, NLM_BODY_GIVEN}, {1, NLM_BODY_DEFINED}}},
                                                {"p", 1, 1, {{1, NLM_BODY_GIVEN}}}};
    static const nlm_program_template program = {3, 2, given, definition, false};
    nlm_status status = dilp_model(&program, 3, model, error);
    return status ? status : dilp_baseline.open(*model, work, error);
}

static nlm_status step(void *work, int number, nlm_error *error)
{
    const struct baseline_world both[] = {worlds[number].world, worlds[0].world};
    nlm_status status = dilp_baseline.forward(work, NULL, weights, both, 2, true, error);
    return status ? status : dilp_baseline.backward(work, NULL, weights, both, 2, gradients, error);
}

static void a_step_whose_sizes_were_seen_allocates_nothing(void **state)
{
    (void)state;
    void *model, *work;
    assert_int_equal(make(&model, &work, NULL), NLM_OK);
    assert_true(((struct dilp *)model)->weights <= MOST_WEIGHTS);
    for (int w = 0; w < 4; w++) {
        fail_allocation(-1);
        assert_int_equal(step(work, w % 2, NULL), NLM_OK);
        assert_true(w == 0 ? allocations > 0 : allocations == 0);
    }
    dilp_baseline.close(work);
    dilp_baseline.free(model);
}

static void failing_allocations_are_reported(void **state)
{
    (void)state;
    nlm_error error = {0};
    for (int number = 0;; number++) {
        void *model = NULL, *work = NULL;
        fail_allocation(number);
        nlm_status status = make(&model, &work, &error);
        if (!status)
            status = step(work, 0, &error);
        bool failed = allocation_failed();
        fail_allocation(-1);
        dilp_baseline.close(work);
        dilp_baseline.free(model);
        assert_int_equal(status, failed ? NLM_NO_MEMORY : NLM_OK);
        if (!failed) {
            assert_true(number > 10);
            return;
        }
        assert_string_equal(error.message, "out of memory");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_whose_sizes_were_seen_allocates_nothing),
        cmocka_unit_test(failing_allocations_are_reported),
    };
    return cmocka_run_group_tests(tests, make_worlds, free_worlds);
}
