/* Denormal numbers count as 0 while they are off, and only then. */
#include <float.h>
#include "test.h"

#include "base/denormals.h"

#if defined __SSE__ || defined __aarch64__
enum { CAN_BE_OFF = 1 };
#else
enum { CAN_BE_OFF = 0 };
#endif

/* As the processor does it: the compiler must not know the numbers. */
static float half_of(float x)
{
    volatile float half = 0.5f, product = half * x;
    return product;
}

static float twice(float x)
{
    volatile float two = 2.0f, product = two * x;
    return product;
}

static void results_and_operands_are_zero(void **state)
{
    (void)state;
    const float denormal = half_of(FLT_MIN);
    assert_true(denormal > 0.0f && twice(denormal) == FLT_MIN);
    const uint64_t before = denormals_off();
    const float result = half_of(FLT_MIN), operand = twice(denormal), usual = half_of(2.0f * FLT_MIN);
    denormals_restore(before);
    assert_true(CAN_BE_OFF ? result == 0.0f && operand == 0.0f : result > 0.0f);
    assert_true(usual == FLT_MIN);
    assert_true(half_of(FLT_MIN) == denormal);
}

static void being_off_can_be_nested(void **state)
{
    (void)state;
    const uint64_t outer = denormals_off(), inner = denormals_off();
    denormals_restore(inner);
    const float still = half_of(FLT_MIN);
    denormals_restore(outer);
    assert_true(CAN_BE_OFF ? still == 0.0f : still > 0.0f);
    assert_true(half_of(FLT_MIN) > 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_and_operands_are_zero),
        cmocka_unit_test(being_off_can_be_nested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
