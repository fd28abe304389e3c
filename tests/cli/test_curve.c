/* The course of a loss: what is said about it. */
#include <math.h>
#include "test.h"
#include "curve.h"

static curve add_all(const double *losses, int count)
{
    curve made = {0};
    for (int i = 0; i < count; i++)
        curve_add(&made, losses[i]);
    return made;
}

/* From one loss to another in equal ratios. */
static void add_course(curve *to, double from, double last, int epochs)
{
    for (int i = 1; i <= epochs; i++)
        curve_add(to, from * pow(last / from, (double)i / epochs));
}

static void few_epochs_tell_nothing(void **state)
{
    (void)state;
    curve made = {0};
    assert_int_equal(curve_shape_of(&made), CURVE_SHORT);
    for (int i = 1; i < CURVE_RECENT; i++) {
        curve_add(&made, 1.0 / i);
        assert_int_equal(curve_shape_of(&made), CURVE_SHORT);
    }
    curve_add(&made, 0.1);
    assert_int_equal(curve_shape_of(&made), CURVE_FALLING);
}

static void a_loss_that_never_came_down_is_flat(void **state)
{
    (void)state;
    curve made = {0};
    for (int i = 0; i < 50; i++) {
        curve_add(&made, i % 2 ? 0.69 : 0.70);
        if (i >= CURVE_RECENT)
            assert_int_equal(curve_shape_of(&made), CURVE_FLAT);
    }
    const double rising[] = {0.6, 0.6, 0.6, 0.6, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3};
    made = add_all(rising, sizeof rising / sizeof *rising);
    assert_int_equal(curve_shape_of(&made), CURVE_FLAT);
}

static void a_loss_that_comes_down_is_falling(void **state)
{
    (void)state;
    for (int epochs = CURVE_RECENT; epochs < 60; epochs++) {
        curve made = {0};
        add_course(&made, 0.7, 0.7 * pow(0.9, epochs), epochs);
        assert_int_equal(curve_shape_of(&made), CURVE_FALLING);
    }
    curve late = {0}; /* after a long time on one level */
    add_course(&late, 0.7, 0.7, 40);
    add_course(&late, 0.7, 0.1, 8);
    assert_int_equal(curve_shape_of(&late), CURVE_FALLING);
}

static void a_loss_that_stays_below_its_beginning_is_stuck(void **state)
{
    (void)state;
    curve made = {0};
    add_course(&made, 0.7, 0.01, 20);
    for (int i = 0; i < 40; i++) {
        curve_add(&made, i % 2 ? 0.0101 : 0.0099);
        if (i >= CURVE_RECENT)
            assert_int_equal(curve_shape_of(&made), CURVE_STUCK);
    }
    curve zero = {0};
    add_course(&zero, 1, 1, 1);
    for (int i = 0; i < 2 * CURVE_RECENT; i++)
        curve_add(&zero, 0);
    assert_int_equal(curve_shape_of(&zero), CURVE_STUCK);
}

static void a_loss_that_was_much_lower_has_jumped(void **state)
{
    (void)state;
    curve made = {0};
    add_course(&made, 0.7, 1e-4, 20);
    curve_add(&made, 0.5);
    assert_int_equal(curve_shape_of(&made), CURVE_JUMPED);
    add_course(&made, 0.5, 0.6, 30); /* however long ago */
    assert_int_equal(curve_shape_of(&made), CURVE_JUMPED);
    add_course(&made, 0.6, 1e-4, 20); /* and back */
    assert_int_equal(curve_shape_of(&made), CURVE_FALLING);
}

static void each_shape_has_a_text_of_its_own(void **state)
{
    (void)state;
    for (int a = CURVE_SHORT; a <= CURVE_STUCK; a++) {
        const char *text = curve_shape_text((curve_shape)a);
        assert_true(strlen(text) > 10 && strlen(text) < 60);
        assert_null(strchr(text, '\n'));
        for (int b = CURVE_SHORT; b < a; b++)
            assert_string_not_equal(text, curve_shape_text((curve_shape)b));
    }
    assert_string_equal(curve_shape_text(CURVE_FALLING), "is still falling");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_epochs_tell_nothing),
        cmocka_unit_test(a_loss_that_never_came_down_is_flat),
        cmocka_unit_test(a_loss_that_comes_down_is_falling),
        cmocka_unit_test(a_loss_that_stays_below_its_beginning_is_stuck),
        cmocka_unit_test(a_loss_that_was_much_lower_has_jumped),
        cmocka_unit_test(each_shape_has_a_text_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
