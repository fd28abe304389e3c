/* Numbers as texts: what is one, and that what is written is read again. */
#include "test.h"

#include <float.h>
#include <math.h>
#include "base/random.h"
#include "syntax/number.h"

static void texts_are_integers_reals_or_none(void **state)
{
    (void)state;
    assert_int_equal(number_of("12"), NUMBER_INTEGER);
    assert_int_equal(number_of("-3"), NUMBER_INTEGER);
    assert_int_equal(number_of("3.76"), NUMBER_REAL);
    assert_int_equal(number_of("1e-7"), NUMBER_REAL);
    static const char *const none[] = {"",   "-",    "nan", "inf",  "1,5", "1.",
                                       ".5", "0x10", "+1",  "1.5x", "1e",  "1 "};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        double value;
        assert_int_equal(number_of(none[i]), NUMBER_NONE);
        assert_false(number_read(none[i], &value));
    }
}

static void values_are_finite(void **state)
{
    (void)state;
    double value;
    assert_true(number_read("-2.5e3", &value) && value == -2500);
    assert_true(number_read("1.7976931348623157e308", &value) && value == DBL_MAX);
    assert_true(number_read("-0.0", &value) && !signbit(value));
    assert_true(number_read("1e-999", &value) && value == 0);
    assert_false(number_read("1e309", &value));
}

static void what_is_written_is_read_again(void **state)
{
    (void)state;
    static const char *const same[] = {"3.76", "-2.0", "0.1", "1.0e300", "1.5e-7", "0.0"};
    char text[NUMBER_SIZE];
    double value;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_true(number_read(same[i], &value));
        number_text(value, text);
        double again;
        assert_true(number_read(text, &again) && again == value);
        assert_int_equal(number_of(text), NUMBER_REAL);
        assert_true(strchr(text, '.') != NULL);
    }
    number_text(3.76, text);
    assert_string_equal(text, "3.76");
    number_text(1e300, text);
    assert_string_equal(text, "1.0e+300");
    uint64_t bits = 1;
    for (int i = 0; i < 20000; i++) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        number_text(value, text);
        double again;
        assert_true(strlen(text) < NUMBER_SIZE && number_read(text, &again));
        assert_true(again == value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_integers_reals_or_none),
        cmocka_unit_test(values_are_finite),
        cmocka_unit_test(what_is_written_is_read_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
