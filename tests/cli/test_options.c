/* Options of a subcommand: every kind of value, ranges, and every way to be wrong. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include "options.h"

static bool quick;
static int count;
static double seconds;
static const char *name;

/* Parse a command line of up to 7 words after the command, which takes one operand or two. */
static options_result parse(const char *const *words, int *first)
{
    const option_row rows[] = {
        {"quick", NULL, "do less", OPTION_FLAG, &quick, 0, 0},
        {"count", "N", "how many", OPTION_INT, &count, 1, 1000},
        {"seconds", "S", "how long", OPTION_REAL, &seconds, 0.5, 10},
        {"name", "NAME", "what to call it", OPTION_TEXT, &name, 0, 0},
    };
    const command_usage usage = {"test", "FILE [FILE]", "Tests.", rows, 4, 1, 2};
    static char command[] = "test";
    char *arguments[9] = {command};
    int argc = 1;
    for (; words[argc - 1] != NULL; argc++)
        arguments[argc] = (char *)(uintptr_t)words[argc - 1];
    quick = false;
    count = 7;
    seconds = 1;
    name = "none";
    return options_parse(&usage, argc, arguments, first);
}

#define PARSE(...) parse((const char *const[]){__VA_ARGS__, NULL}, &first)

static void defaults_stay(void **state)
{
    (void)state;
    int first;
    assert_int_equal(PARSE("file"), OPTIONS_RUN);
    assert_int_equal(first, 1);
    assert_false(quick);
    assert_int_equal(count, 7);
    assert_true(seconds == 1);
    assert_string_equal(name, "none");
}

static void values_are_set(void **state)
{
    (void)state;
    int first;
    assert_int_equal(PARSE("--quick", "--count", "12", "--seconds=2.5", "--name", "a b", "file"),
                     OPTIONS_RUN);
    assert_int_equal(first, 7);
    assert_true(quick);
    assert_int_equal(count, 12);
    assert_true(seconds == 2.5);
    assert_string_equal(name, "a b");
}

static void options_may_follow_operands(void **state)
{
    (void)state;
    int first;
    assert_int_equal(PARSE("file", "--count", "1000"), OPTIONS_RUN);
    assert_int_equal(first, 3);
    assert_int_equal(count, 1000);
}

static void double_dash_ends_options(void **state)
{
    (void)state;
    int first;
    assert_int_equal(PARSE("--", "--count", "5"), OPTIONS_RUN);
    assert_int_equal(first, 2);
    assert_int_equal(count, 7);
}

static void bad_numbers_are_refused(void **state)
{
    (void)state;
    int first;
    assert_int_equal(PARSE("--count", "12x", "file"), OPTIONS_WRONG);
    assert_int_equal(PARSE("--count", "", "file"), OPTIONS_WRONG);
    assert_int_equal(PARSE("--count", "1.5", "file"), OPTIONS_WRONG);
    assert_int_equal(PARSE("--count", "0", "file"), OPTIONS_WRONG);
    assert_int_equal(PARSE("--count", "1001", "file"), OPTIONS_WRONG);
    assert_int_equal(PARSE("--count", "1e300", "file"), OPTIONS_WRONG);
    assert_int_equal(PARSE("--seconds", "nan", "file"), OPTIONS_WRONG);
    assert_int_equal(PARSE("--seconds", "0.4", "file"), OPTIONS_WRONG);
    assert_int_equal(count, 7);
    assert_true(seconds == 1);
}

static void bad_lines_are_refused(void **state)
{
    (void)state;
    int first;
    assert_int_equal(PARSE("--colour", "file"), OPTIONS_WRONG);
    assert_int_equal(PARSE("-x", "file"), OPTIONS_WRONG);
    assert_int_equal(PARSE("--quick=yes", "file"), OPTIONS_WRONG);
    assert_int_equal(PARSE("file", "--count"), OPTIONS_WRONG);
    assert_int_equal(PARSE("--quick"), OPTIONS_WRONG);
    assert_int_equal(PARSE("one", "two", "three"), OPTIONS_WRONG);
}

static void help_is_printed(void **state)
{
    (void)state;
    int first;
    assert_int_equal(PARSE("--help"), OPTIONS_HELP);
    assert_int_equal(PARSE("--quick", "-h"), OPTIONS_HELP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_stay),
        cmocka_unit_test(values_are_set),
        cmocka_unit_test(options_may_follow_operands),
        cmocka_unit_test(double_dash_ends_options),
        cmocka_unit_test(bad_numbers_are_refused),
        cmocka_unit_test(bad_lines_are_refused),
        cmocka_unit_test(help_is_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
