/* Status names, and error messages: one line, never longer than its room, and optional. */
#include "test.h"

#include "base/error.h"

static void every_status_has_its_own_name(void **state)
{
    (void)state;
    for (int i = NLM_OK; i <= NLM_NO_MEMORY; i++) {
        const char *name = nlm_status_name((nlm_status)i);
        assert_non_null(name);
        assert_string_not_equal(name, "");
        assert_string_not_equal(name, "unknown status");
        for (int k = NLM_OK; k < i; k++)
            assert_string_not_equal(name, nlm_status_name((nlm_status)k));
    }
    assert_string_equal(nlm_status_name((nlm_status)99), "unknown status");
}

static void the_message_is_formatted(void **state)
{
    (void)state;
    nlm_error error;
    assert_int_equal(error_set(&error, NLM_BAD_SHAPE, "%s: %d columns", "a.pl", 3), NLM_BAD_SHAPE);
    assert_int_equal(error.status, NLM_BAD_SHAPE);
    assert_string_equal(error.message, "a.pl: 3 columns");
}

static void a_long_message_is_cut(void **state)
{
    (void)state;
    char text[2 * NLM_ERROR_SIZE];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    nlm_error error;
    assert_int_equal(error_set(&error, NLM_BAD_FILE, "%s", text), NLM_BAD_FILE);
    assert_int_equal(strlen(error.message), NLM_ERROR_SIZE - 1);
    assert_memory_equal(error.message, text, NLM_ERROR_SIZE - 1);
}

static void the_error_may_be_null(void **state)
{
    (void)state;
    assert_int_equal(error_set(NULL, NLM_IO_ERROR, "%d", 1), NLM_IO_ERROR);
    assert_int_equal(error_no_memory(NULL), NLM_NO_MEMORY);
}

static void no_memory_says_so(void **state)
{
    (void)state;
    nlm_error error;
    assert_int_equal(error_no_memory(&error), NLM_NO_MEMORY);
    assert_int_equal(error.status, NLM_NO_MEMORY);
    assert_string_equal(error.message, "out of memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_its_own_name),
        cmocka_unit_test(the_message_is_formatted),
        cmocka_unit_test(a_long_message_is_cut),
        cmocka_unit_test(the_error_may_be_null),
        cmocka_unit_test(no_memory_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
