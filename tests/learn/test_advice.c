/* Advice: the course of a loss and what is said about it. */
#include <math.h>
#include "test.h"
#include "learn/run.h"

static void add_loss(struct loss_curve *to, double loss)
{
    loss_curve_add(to, &(const nlm_epoch){.loss = loss, .restarts = to->restarts});
}

static struct loss_curve add_all(const double *losses, int count)
{
    struct loss_curve made = {0};
    for (int i = 0; i < count; i++)
        add_loss(&made, losses[i]);
    return made;
}

/* From one loss to another in equal ratios. */
static void add_course(struct loss_curve *to, double from, double last, int epochs)
{
    for (int i = 1; i <= epochs; i++)
        add_loss(to, from * pow(last / from, (double)i / epochs));
}

static void few_epochs_tell_nothing(void **state)
{
    (void)state;
    struct loss_curve made = {0};
    assert_int_equal(loss_shape_of(&made), LOSS_SHORT);
    for (int i = 1; i < LOSS_CURVE_RECENT; i++) {
        add_loss(&made, 1.0 / i);
        assert_int_equal(loss_shape_of(&made), LOSS_SHORT);
    }
    add_loss(&made, 0.1);
    assert_int_equal(loss_shape_of(&made), LOSS_FALLING);
}

static void a_loss_that_never_came_down_is_flat(void **state)
{
    (void)state;
    struct loss_curve made = {0};
    for (int i = 0; i < 50; i++) {
        add_loss(&made, i % 2 ? 0.69 : 0.70);
        if (i >= LOSS_CURVE_RECENT)
            assert_int_equal(loss_shape_of(&made), LOSS_FLAT);
    }
    const double rising[] = {0.6, 0.6, 0.6, 0.6, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3};
    made = add_all(rising, sizeof rising / sizeof *rising);
    assert_int_equal(loss_shape_of(&made), LOSS_FLAT);
}

static void a_loss_that_comes_down_is_falling(void **state)
{
    (void)state;
    for (int epochs = LOSS_CURVE_RECENT; epochs < 60; epochs++) {
        struct loss_curve made = {0};
        add_course(&made, 0.7, 0.7 * pow(0.9, epochs), epochs);
        assert_int_equal(loss_shape_of(&made), LOSS_FALLING);
    }
    struct loss_curve late = {0}; /* after a long time on one level */
    add_course(&late, 0.7, 0.7, 40);
    add_course(&late, 0.7, 0.1, 8);
    assert_int_equal(loss_shape_of(&late), LOSS_FALLING);
}

static void a_loss_that_stays_below_its_beginning_is_stuck(void **state)
{
    (void)state;
    struct loss_curve made = {0};
    add_course(&made, 0.7, 0.01, 20);
    for (int i = 0; i < 40; i++) {
        add_loss(&made, i % 2 ? 0.0101 : 0.0099);
        if (i >= LOSS_CURVE_RECENT)
            assert_int_equal(loss_shape_of(&made), LOSS_STUCK);
    }
    struct loss_curve zero = {0};
    add_course(&zero, 1, 1, 1);
    for (int i = 0; i < 2 * LOSS_CURVE_RECENT; i++)
        add_loss(&zero, 0);
    assert_int_equal(loss_shape_of(&zero), LOSS_STUCK);
}

static void a_loss_that_was_much_lower_has_jumped(void **state)
{
    (void)state;
    struct loss_curve made = {0};
    add_course(&made, 0.7, 1e-4, 20);
    add_loss(&made, 0.5);
    assert_int_equal(loss_shape_of(&made), LOSS_JUMPED);
    add_course(&made, 0.5, 0.6, 30); /* however long ago */
    assert_int_equal(loss_shape_of(&made), LOSS_JUMPED);
    add_course(&made, 0.6, 1e-4, 20); /* and back */
    assert_int_equal(loss_shape_of(&made), LOSS_FALLING);
}

static void new_weights_begin_a_new_curve(void **state)
{
    (void)state;
    struct loss_curve made = {0};
    add_course(&made, 0.7, 1e-4, 20);
    loss_curve_add(&made, &(const nlm_epoch){.loss = 1e-4, .restarts = 1});
    assert_int_equal(loss_shape_of(&made), LOSS_SHORT);
    add_course(&made, 0.7, 0.1, 20);
    assert_int_equal(loss_shape_of(&made), LOSS_FALLING);
}

static void each_shape_has_a_text_of_its_own(void **state)
{
    (void)state;
    for (int a = LOSS_SHORT; a <= LOSS_STUCK; a++) {
        const char *text = loss_shape_text((enum loss_shape)a);
        assert_true(strlen(text) > 10 && strlen(text) < 60);
        assert_null(strchr(text, '\n'));
        for (int b = LOSS_SHORT; b < a; b++)
            assert_string_not_equal(text, loss_shape_text((enum loss_shape)b));
    }
    assert_string_equal(loss_shape_text(LOSS_FALLING), "is still falling");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_epochs_tell_nothing),
        cmocka_unit_test(a_loss_that_never_came_down_is_flat),
        cmocka_unit_test(a_loss_that_comes_down_is_falling),
        cmocka_unit_test(a_loss_that_stays_below_its_beginning_is_stuck),
        cmocka_unit_test(a_loss_that_was_much_lower_has_jumped),
        cmocka_unit_test(new_weights_begin_a_new_curve),
        cmocka_unit_test(each_shape_has_a_text_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
