/* Memory of PDDL: every allocation in turn fails, the call says so and leaves nothing behind, and can be
 * tried again. */
#include "failing_malloc.h"
#include "problems.h"

/* The whole of it: read, position, plan, text, check.  The status of the first call that fails. */
static nlm_status do_all(const char *problem, const char *domain, nlm_error *error)
{
    nlm_pddl *pddl;
    nlm_position *position = NULL;
    nlm_pddl_plan *plan = NULL;
    const char *text;
    int move[2];
    nlm_status status = read_pddl(problem, domain, &pddl, error);
    if (!status)
        status = nlm_position_new(nlm_pddl_game(), &position, error);
    if (!status)
        status = nlm_pddl_position(pddl, position, error);
    if (!status)
        status = nlm_pddl_plan_new(pddl, &plan, error);
    while (!status && next_move(position, move)) {
        status = nlm_pddl_plan_move(plan, position, move, error);
        if (!status)
            status = nlm_position_move(position, move, NULL, error);
    }
    if (!status)
        status = nlm_pddl_plan_text(plan, &text, error);
    if (!status)
        status = validate(pddl, text, NULL, error);
    nlm_pddl_plan_free(plan);
    nlm_position_free(position);
    nlm_pddl_free(pddl);
    return status;
}

static void each_failing_allocation_is_reported(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {FOUR, NULL},
        {"(define (problem p) (:domain puton) (:objects a b c)\n"
         "(:init (on a table) (on b a) (clear b) (clear table) (on c Table) (clear c))\n"
         "(:goal (and (on a b) (on b c))))",
         PUTON_DOMAIN},
    };
    for (size_t c = 0; c < COUNT(cases); c++) {
        nlm_status status = NLM_NO_MEMORY;
        int number = 0;
        for (; status; number++) {
            nlm_error error = {NLM_OK, ""};
            fail_allocation(number);
            status = do_all(cases[c][0], cases[c][1], &error);
            const bool failed = allocation_failed();
            fail_allocation(-1);
            if (status != (failed ? NLM_NO_MEMORY : NLM_OK))
                fail_msg("allocation %d: status %d, %s", number, status, error.message);
            assert_int_equal(error.status, status);
            assert_true(!status || (error.message[0] && !strchr(error.message, '\n')));
        }
        assert_true(number > 30);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_failing_allocation_is_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
