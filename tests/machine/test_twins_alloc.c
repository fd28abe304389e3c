/* Memory of twin heads: a step whose sizes have been seen allocates nothing; and whichever allocation fails,
 * the call says so and succeeds when it is tried again, with the same result. */
#include "failing_malloc.h"
#include "twins.h"

static fixture f;

enum { MOST_PARAMETERS = 2000 };

/* What a step computes. */
typedef struct outcome {
    nlm_policy_result policy;
    float logits[MOST_OBJECTS * MOST_OBJECTS * MOST_OUTPUTS], probabilities[MOST_OBJECTS * MOST_OBJECTS];
    float gradients[MOST_PARAMETERS];
} outcome;

/* Forward, policy and backward, and what can be asked in between; begun again after a failure. */
static nlm_status step(outcome *to, nlm_error *error)
{
    nlm_status status = nlm_pass_forward(f.pass, f.structure, true, error);
    if (!status)
        status = nlm_pass_policy(f.pass, MOVE, actions, advantages, 0.2, &to->policy, error);
    if (!status)
        status = nlm_pass_logits(f.pass, 2, VALID, to->logits, error);
    if (!status)
        status = nlm_pass_add_logit_gradient(f.pass, 2, VALID, to->logits, error);
    if (!status)
        status = nlm_pass_probabilities(f.pass, 2, MOVE, to->probabilities, error);
    if (!status)
        status = nlm_pass_backward(f.pass, error);
    return status;
}

static void keep_gradients(outcome *to)
{
    assert_true(nlm_machine_parameters(f.machine) <= MOST_PARAMETERS);
    memcpy(to->gradients, nlm_machine_tensor(f.machine, 0).gradients,
           nlm_machine_parameters(f.machine) * sizeof(float));
}

static void a_step_whose_sizes_were_seen_allocates_nothing(void **state)
{
    (void)state;
    static outcome first, second;
    for (size_t m = 0; m < COUNT(machines); m++)
        for (int threads = 1; threads <= 2; threads++) {
            start(&f, &machines[m].spec, (nlm_options){.threads = threads}, true);
            CHECK(step(&first, &check_error));
            fail_allocation(-1);
            CHECK(step(&second, &check_error));
            assert_int_equal(allocations, 0);
            finish(&f);
        }
}

/* A policy may need more room than any other call has left: it fails before it adds a gradient. */
static void each_failing_allocation_is_survived(void **state)
{
    (void)state;
    static outcome expected, tried;
    for (size_t m = 0; m < COUNT(machines); m++) {
        int number = 0;
        start(&f, &machines[m].spec, (nlm_options){0}, true);
        CHECK(step(&expected, &check_error));
        keep_gradients(&expected);
        finish(&f);
        for (nlm_status status = NLM_NO_MEMORY; status; number++) {
            nlm_error error;
            start(&f, &machines[m].spec, (nlm_options){0}, true);
            fail_allocation(number);
            status = step(&tried, &error);
            assert_int_equal(status != NLM_OK, allocation_failed());
            fail_allocation(-1);
            if (status) {
                assert_int_equal(status, NLM_NO_MEMORY);
                assert_true(nlm_machine_gradient_norm(f.machine) == 0.0);
                CHECK(step(&tried, &check_error));
            }
            keep_gradients(&tried);
            assert_memory_equal(&tried, &expected, sizeof tried);
            finish(&f);
        }
        assert_true(number > 10);
    }
}

/* The passes of a machine with twin heads are made whole or not at all. */
static void machines_and_passes_survive_failing_allocations(void **state)
{
    (void)state;
    nlm_machine *machine = NULL;
    nlm_pass *pass = NULL;
    nlm_error error;
    nlm_status status = NLM_NO_MEMORY;
    for (int number = 0; status; number++) {
        fail_allocation(number);
        status = nlm_machine_new(&machines[0].spec, heads, HEADS, &machine, &error);
        assert_true(status == NLM_OK || (status == NLM_NO_MEMORY && !machine));
    }
    status = NLM_NO_MEMORY;
    for (int number = 0; status; number++) {
        fail_allocation(number);
        status = nlm_pass_new(machine, &pass, &error);
        assert_true(status == NLM_OK || (status == NLM_NO_MEMORY && !pass));
    }
    fail_allocation(-1);
    nlm_pass_free(pass);
    nlm_machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_whose_sizes_were_seen_allocates_nothing),
        cmocka_unit_test(each_failing_allocation_is_survived),
        cmocka_unit_test(machines_and_passes_survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
