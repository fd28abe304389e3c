/* Memory of the memory network: a step whose sizes have been seen allocates nothing; and whichever allocation
 * fails, the call says so, and everything can be freed or tried again. */
#include "failing_malloc.h"
#include "memnns.h"

static const nlm_head_spec heads[] = {{.name = "one", .arity = 1, .outputs = 2},
                                      {.name = "two", .arity = 2, .outputs = 1}};

static struct fixture *make_fixture(void)
{
    nlm_spec spec = small_spec(2, 8, 1, 2, 1);
    struct fixture *f = fixture_new(&spec, heads, 2);
    fixture_add(f, 16, 1);
    fixture_add(f, 3, 2);
    return f;
}

static void a_step_whose_sizes_were_seen_allocates_nothing(void **state)
{
    (void)state;
    struct fixture *f = make_fixture();
    struct team *team;
    assert_int_equal(team_new(2, &team), NLM_OK);
    for (int step = 0; step < 3; step++) {
        fail_allocation(-1);
        fixture_step(f, team);
        assert_true(step == 0 ? allocations > 0 : allocations == 0);
        f->count = 1;
    }
    f->count = 2;
    team_free(team);
    fixture_free(f);
}

/* From nothing to a step, with the arrays of a fixture; what was made is freed whatever happens. */
static nlm_status make_and_step(struct fixture *f, nlm_error *error)
{
    nlm_spec spec = small_spec(2, 8, 1, 2, 1);
    void *model = NULL, *work = NULL;
    nlm_status status = memnn_baseline.make(&spec, heads, 2, &model, error);
    if (!status)
        status = memnn_baseline.open(model, &work, error);
    if (!status)
        status = memnn_baseline.forward(work, NULL, f->values, f->world, f->count, true, error);
    if (!status)
        status = memnn_baseline.backward(work, NULL, f->values, f->world, f->count, f->gradients, error);
    memnn_baseline.close(work);
    memnn_baseline.free(model);
    return status;
}

static void failing_steps_say_so(void **state)
{
    (void)state;
    struct fixture *f = make_fixture();
    bool failed = true;
    for (int number = 0; failed; number++) {
        nlm_error error = {0};
        fail_allocation(number);
        nlm_status status = make_and_step(f, &error);
        failed = allocation_failed();
        fail_allocation(-1);
        assert_int_equal(status, failed ? NLM_NO_MEMORY : NLM_OK);
        assert_string_equal(error.message, failed ? "out of memory" : "");
        assert_true(failed || number > 10);
    }
    fixture_free(f);
}

/* After a forward that failed there is nothing to go back through; later steps are as if it never failed. */
static void what_failed_can_be_tried_again(void **state)
{
    (void)state;
    struct fixture *f = make_fixture(), *fresh = make_fixture();
    for (int number = 0; number < 7; number++) {
        fail_allocation(number);
        assert_int_equal(memnn_baseline.forward(f->work, NULL, f->values, f->world, 2, true, NULL),
                         number < 6 ? NLM_NO_MEMORY : NLM_OK);
        fail_allocation(-1);
        assert_int_equal(memnn_baseline.backward(f->work, NULL, f->values, f->world, 2, f->gradients, NULL),
                         number < 6 ? NLM_BAD_ARGUMENT : NLM_OK);
        memnn_baseline.close(f->work);
        assert_int_equal(memnn_baseline.open(f->model, &f->work, NULL), NLM_OK);
    }
    fail_allocation(2);
    assert_int_equal(memnn_baseline.forward(f->work, NULL, f->values, f->world, 2, true, NULL),
                     NLM_NO_MEMORY);
    fail_allocation(-1);
    fixture_step(f, NULL);
    fixture_step(fresh, NULL);
    assert_memory_equal(f->gradients, fresh->gradients, f->model->parameters * sizeof(float));
    fixture_free(f);
    fixture_free(fresh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_whose_sizes_were_seen_allocates_nothing),
        cmocka_unit_test(failing_steps_say_so),
        cmocka_unit_test(what_failed_can_be_tried_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
