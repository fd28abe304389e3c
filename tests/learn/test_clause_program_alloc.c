/* Memory of the search for programs that contradict labels: every allocation in turn fails, and that is said
 * and nothing lost. */
#include "learn/noisy_facts.h"

#include "failing_malloc.h"

static nlm_status find(const nlm_problem *problem, bool exact, clause_program *found, nlm_error *error)
{
    return exact ? exact_search(problem, true, NULL, found, error)
                 : noisy_search(problem, NULL, found, error);
}

static int refuse_each(const nlm_problem *problem, bool exact)
{
    int refused = 0;
    for (int number = 0;; number++) {
        clause_program found = {0};
        nlm_error error;
        fail_allocation(number);
        const nlm_status status = find(problem, exact, &found, &error);
        const bool failed = allocation_failed();
        fail_allocation(-1);
        /* a formula that cannot be measured is passed over: there is a program all the same */
        if (status == NLM_OK)
            assert_non_null(found.program);
        else
            assert_int_equal(status, NLM_NO_MEMORY);
        assert_true((found.program != NULL) == (status == NLM_OK));
        refused += status != NLM_OK;
        nlm_program_free(found.program);
        if (!failed)
            return refused;
    }
}

static void each_failing_allocation_is_reported(void **state)
{
    (void)state;
    static const int flipped[] = {4};
    nlm_problem *problem = noisy_problem(9, flipped, 1);
    assert_true(refuse_each(problem, false) > 200);
    nlm_problem_free(problem);
}

static void without_errors_too(void **state)
{
    (void)state;
    nlm_problem *problem = noisy_problem(12, NULL, 0);
    assert_true(refuse_each(problem, true) > 100);
    nlm_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_failing_allocation_is_reported),
        cmocka_unit_test(without_errors_too),
    };
    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
