/* Runs that cannot begin: which of them there can never be, and which only failed today. */
#include <unistd.h>
#include "test.h"
#include "run.h"

static nlm_status outcome;

static nlm_status begin(const subject *of, const nlm_options *options, learner *made, nlm_error *error)
{
    (void)of, (void)options, (void)made;
    *error = (nlm_error){.status = outcome, .message = "no"};
    return outcome;
}

static void only_what_can_never_be_is_refused(void **state)
{
    (void)state;
    static const learner_kind kind = {.round = "epoch", .begin = begin};
    static const nlm_status failures[] = {NLM_BAD_ARGUMENT, NLM_NO_MEMORY, NLM_IO_ERROR};
    const run job = {.subject = {.kind = &kind}, .model = "never.nlm"};
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        report result;
        nlm_error error;
        outcome = failures[i];
        assert_int_equal(run_train(&job, &result, &error), outcome);
        assert_int_equal(result.refused, outcome == NLM_BAD_ARGUMENT);
        assert_int_not_equal(access("never.nlm.checkpoint", F_OK), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_what_can_never_be_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
