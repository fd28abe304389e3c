/* Options of a subcommand: every kind of value, ranges, and every way to be wrong. */
#include "test.h"
#include "options.h"

static bool quick;
static int count;
static double seconds;
static const char *name;
static uint64_t seed;
static bool seed_given;
static option_list sizes;
static int colour;

/* Parse a command line of up to 7 words after the command, which takes one operand or two. */
static options_result parse(const char *const *words, int *first)
{
    static const char *const colours[] = {"red", "green", NULL};
    const option_row rows[] = {
        {"quick", NULL, "do less", OPTION_FLAG, &quick, .letter = 'q'},
        {"count", "N", "how many", OPTION_INT, &count, .least = 1, .most = 1000, .letter = 'c'},
        {"seconds", "S", "how long", OPTION_REAL, &seconds, .least = 0.5, .most = 10},
        {"name", "NAME", "what to call it", OPTION_TEXT, .value = &name},
        {"seed", "N", "where chance begins", OPTION_U64, .value = &seed, .given = &seed_given},
        {"sizes", "LIST", "how large", OPTION_LIST, &sizes, .least = 1, .most = 100},
        {"colour", NULL, "how it looks", OPTION_WORD, &colour, .words = colours},
    };
    const command_usage usage = {"test", "FILE [FILE]", "Tests.", rows, 7, 1, 2};
    static char command[] = "test";
    char *arguments[9] = {command};
    int argc = 1;
    for (; words[argc - 1] != NULL; argc++)
        arguments[argc] = (char *)(uintptr_t)words[argc - 1];
    quick = false;
    count = 7;
    seconds = 1;
    name = "none";
    seed = 3;
    seed_given = false;
    sizes = (option_list){1, {5}};
    colour = -1;
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
    assert_int_equal(seed, 3);
    assert_false(seed_given);
    assert_int_equal(sizes.count, 1);
    assert_int_equal(colour, -1);
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

static void letters_are_short_names(void **state)
{
    (void)state;
    int first;
    assert_int_equal(PARSE("-q", "-c", "12", "file"), OPTIONS_RUN);
    assert_int_equal(first, 4);
    assert_true(quick);
    assert_int_equal(count, 12);
    assert_int_equal(PARSE("-qc13", "file"), OPTIONS_RUN);
    assert_true(quick);
    assert_int_equal(count, 13);
    assert_int_equal(PARSE("file", "-c"), OPTIONS_WRONG);
    assert_int_equal(PARSE("-c", "0", "file"), OPTIONS_WRONG);
}

static void names_may_be_cut_short(void **state)
{
    (void)state;
    int first;
    assert_int_equal(PARSE("--cou", "12", "--se=7", "file"), OPTIONS_WRONG); /* --seconds, --seed */
    assert_int_equal(PARSE("--cou", "12", "--seed=7", "file"), OPTIONS_RUN);
    assert_int_equal(count, 12);
    assert_int_equal(seed, 7);
}

static void seeds_have_64_bits(void **state)
{
    (void)state;
    int first;
    assert_int_equal(PARSE("--seed", "18446744073709551615", "file"), OPTIONS_RUN);
    assert_true(seed == UINT64_MAX);
    assert_true(seed_given);
    assert_int_equal(PARSE("--seed", "0", "file"), OPTIONS_RUN);
    assert_true(seed == 0);
    static const char *const wrong[] = {"18446744073709551616", "-1", "+1", " 1", "", "1x", "0x1", "1e3"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(PARSE("--seed", wrong[i], "file"), OPTIONS_WRONG);
        assert_true(seed == 3);
        assert_false(seed_given);
    }
}

static void lists_have_commas(void **state)
{
    (void)state;
    int first;
    assert_int_equal(PARSE("--sizes", "7", "file"), OPTIONS_RUN);
    assert_int_equal(sizes.count, 1);
    assert_int_equal(sizes.values[0], 7);
    assert_int_equal(PARSE("--sizes=1,2,3,4,5,6,7,100", "file"), OPTIONS_RUN);
    assert_int_equal(sizes.count, 8);
    assert_int_equal(sizes.values[0], 1);
    assert_int_equal(sizes.values[7], 100);
    static const char *const wrong[] = {"",    ",",   "1,",    ",1",    "1,,2",  "x",
                                        "1,x", "1 2", "1,2.5", "1,101", "0,100", "1,2,3,4,5,6,7,8,9"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(PARSE("--sizes", wrong[i], "file"), OPTIONS_WRONG);
        assert_int_equal(sizes.count, 1);
        assert_int_equal(sizes.values[0], 5);
    }
}

static void words_are_of_a_list(void **state)
{
    (void)state;
    int first;
    assert_int_equal(PARSE("--colour", "red", "file"), OPTIONS_RUN);
    assert_int_equal(colour, 0);
    assert_int_equal(PARSE("--colour=green", "file"), OPTIONS_RUN);
    assert_int_equal(colour, 1);
    assert_int_equal(PARSE("--colour", "gre", "file"), OPTIONS_WRONG);
    assert_int_equal(PARSE("--colour", "", "file"), OPTIONS_WRONG);
    assert_int_equal(colour, -1);
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
    assert_int_equal(PARSE("--shape", "file"), OPTIONS_WRONG);
    assert_int_equal(PARSE("-x", "file"), OPTIONS_WRONG);
    assert_int_equal(PARSE("--quick=yes", "file"), OPTIONS_WRONG);
    assert_int_equal(PARSE("--help=yes", "file"), OPTIONS_WRONG);
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
        cmocka_unit_test(letters_are_short_names),
        cmocka_unit_test(names_may_be_cut_short),
        cmocka_unit_test(seeds_have_64_bits),
        cmocka_unit_test(lists_have_commas),
        cmocka_unit_test(words_are_of_a_list),
        cmocka_unit_test(options_may_follow_operands),
        cmocka_unit_test(double_dash_ends_options),
        cmocka_unit_test(bad_numbers_are_refused),
        cmocka_unit_test(bad_lines_are_refused),
        cmocka_unit_test(help_is_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
