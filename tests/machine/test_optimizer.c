/* Optimisers: steps against the formulas written out in double, and settings that are refused. */
#include <math.h>
#include "test.h"

#include "machine/machine.h"
#include "machine/optimizer.h"

enum { MOST = 4000, STEPS = 12 };

static nlm_machine *make(void)
{
    static const nlm_spec spec = {.depth = 3, .breadth = 3, .inputs = {0, 1, 4}, .width = 7, .outputs = 6};
    const nlm_head_spec head = {"head", 2, 3, false};
    nlm_machine *machine;
    assert_int_equal(nlm_machine_new(&spec, &head, 1, &machine, NULL), NLM_OK);
    nlm_machine_initialise(machine, 3);
    assert_true(nlm_machine_parameters(machine) < MOST);
    return machine;
}

/* Gradients from huge to tiny, of both signs, a fifth of them 0, different at every step. */
static float gradient_at(size_t i, int step)
{
    if ((i + (size_t)step) % 5 == 0)
        return 0.0f;
    double size = pow(10.0, (double)((i * 7 + (size_t)step * 3) % 9) - 6.0);
    return (float)(size * sin((double)i * 1.3 + (double)step));
}

static void set_gradients(nlm_machine *machine, int step)
{
    size_t i = 0;
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        for (size_t k = 0; k < tensor.count; k++)
            tensor.gradients[k] = gradient_at(i++, step);
    }
    assert_int_equal(i, nlm_machine_parameters(machine));
}

static void copy_values(nlm_machine *machine, double *values)
{
    size_t i = 0;
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        for (size_t k = 0; k < tensor.count; k++)
            values[i++] = (double)tensor.values[k];
    }
}

static void assert_values(nlm_machine *machine, const double *expected, double tolerance, int step)
{
    static double values[MOST];
    copy_values(machine, values);
    for (size_t i = 0; i < nlm_machine_parameters(machine); i++)
        if (!(fabs(values[i] - expected[i]) <= tolerance))
            fail_msg("step %d, parameter %zu: %.9g instead of %.9g", step, i, values[i], expected[i]);
}

static void assert_gradients_kept(nlm_machine *machine, int step)
{
    for (size_t i = 0; i < nlm_machine_parameters(machine); i++)
        assert_true(machine->gradients[i] == gradient_at(i, step));
}

/* Adam, as its paper writes it. */
static void adam_step(double *values, double *mean, double *square, size_t count, nlm_adam s, int step)
{
    for (size_t i = 0; i < count; i++) {
        double gradient = (double)gradient_at(i, step);
        mean[i] = s.beta1 * mean[i] + (1.0 - s.beta1) * gradient;
        square[i] = s.beta2 * square[i] + (1.0 - s.beta2) * gradient * gradient;
        double corrected_mean = mean[i] / (1.0 - pow(s.beta1, step));
        double corrected_square = square[i] / (1.0 - pow(s.beta2, step));
        values[i] -= s.rate * corrected_mean / (sqrt(corrected_square) + s.epsilon);
    }
}

static void adam_follows_its_formula(void **state)
{
    (void)state;
    static const nlm_adam settings[] = {
        {0.005, 0.9, 0.999, 1e-8}, {0.1, 0.5, 0.9, 1e-4}, {0.01, 0.0, 0.0, 1e-8}, {0.02, 0.0, 0.99, 1.0}};
    for (size_t s = 0; s < COUNT(settings); s++) {
        static double values[MOST], mean[MOST], square[MOST];
        memset(mean, 0, sizeof mean);
        memset(square, 0, sizeof square);
        nlm_machine *machine = make();
        nlm_optimizer *optimizer;
        copy_values(machine, values);
        assert_int_equal(nlm_adam_new(machine, settings[s], &optimizer, NULL), NLM_OK);
        for (int step = 1; step <= STEPS; step++) {
            set_gradients(machine, step);
            nlm_optimizer_step(optimizer);
            adam_step(values, mean, square, nlm_machine_parameters(machine), settings[s], step);
            assert_values(machine, values, 2e-6 * step * (1.0 + settings[s].rate * 100.0), step);
            assert_gradients_kept(machine, step);
        }
        nlm_optimizer_free(optimizer);
        nlm_machine_free(machine);
    }
}

static void adam_follows_a_changed_rate(void **state)
{
    (void)state;
    static double values[MOST], mean[MOST], square[MOST];
    nlm_adam settings = {0.005, 0.9, 0.999, 1e-8};
    nlm_machine *machine = make();
    nlm_optimizer *optimizer;
    copy_values(machine, values);
    assert_int_equal(nlm_adam_new(machine, settings, &optimizer, NULL), NLM_OK);
    for (int step = 1; step <= STEPS; step++) {
        settings.rate = step % 3 == 0 ? 0.0 : 0.02 / step;
        nlm_optimizer_set_rate(optimizer, settings.rate);
        set_gradients(machine, step);
        nlm_optimizer_step(optimizer);
        adam_step(values, mean, square, nlm_machine_parameters(machine), settings, step);
        assert_values(machine, values, 1e-5, step);
    }
    nlm_optimizer_free(optimizer);
    nlm_machine_free(machine);
}

/* However large the gradients, the first step of Adam changes every parameter by the rate. */
static void the_first_step_of_adam_is_the_rate(void **state)
{
    (void)state;
    static double values[MOST];
    nlm_machine *machine = make();
    nlm_optimizer *optimizer;
    copy_values(machine, values);
    assert_int_equal(nlm_adam_new(machine, (nlm_adam){0.01, 0.9, 0.999, 1e-8}, &optimizer, NULL), NLM_OK);
    for (size_t i = 0; i < nlm_machine_parameters(machine); i++) {
        machine->gradients[i] = i % 2 ? 250.0f : -0.25f;
        values[i] -= i % 2 ? 0.01 : -0.01;
    }
    nlm_optimizer_step(optimizer);
    assert_values(machine, values, 1e-7, 1);
    nlm_optimizer_free(optimizer);
    nlm_machine_free(machine);
}

static void gradient_descent_follows_its_formula(void **state)
{
    (void)state;
    static double values[MOST];
    nlm_machine *machine = make();
    nlm_optimizer *optimizer;
    copy_values(machine, values);
    assert_int_equal(nlm_sgd_new(machine, 0.1, &optimizer, NULL), NLM_OK);
    for (int step = 1; step <= STEPS; step++) {
        double rate = step <= STEPS / 2 ? 0.1 : 0.003;
        if (step == STEPS / 2 + 1)
            nlm_optimizer_set_rate(optimizer, rate);
        set_gradients(machine, step);
        nlm_optimizer_step(optimizer);
        for (size_t i = 0; i < nlm_machine_parameters(machine); i++)
            values[i] -= rate * (double)gradient_at(i, step);
        assert_values(machine, values, 1e-5, step); /* gradients reach 100, so values reach 10 or so */
        assert_gradients_kept(machine, step);
    }
    nlm_optimizer_free(optimizer);
    nlm_machine_free(machine);
}

/* RMSProp without momentum; epsilon stands under the root. */
static void rmsprop_step(double *values, double *square, size_t count, nlm_rmsprop s, int step)
{
    for (size_t i = 0; i < count; i++) {
        const double gradient = (double)gradient_at(i, step);
        square[i] = s.decay * square[i] + (1.0 - s.decay) * gradient * gradient;
        values[i] -= s.rate * gradient / sqrt(square[i] + s.epsilon);
    }
}

static void rmsprop_follows_its_formula(void **state)
{
    (void)state;
    static const nlm_rmsprop settings[] = {
        {0.5, 0.9, 1e-10, 0}, {0.5, 0.9, 1e-10, 1}, {0.01, 0.5, 1e-6, 1}, {0.1, 0.99, 1, 0.25}};
    for (size_t s = 0; s < COUNT(settings); s++) {
        static double values[MOST], square[MOST];
        nlm_rmsprop now = settings[s];
        nlm_machine *machine = make();
        nlm_optimizer *optimizer;
        copy_values(machine, values);
        for (size_t i = 0; i < MOST; i++)
            square[i] = now.first;
        assert_int_equal(nlm_rmsprop_new(machine, now, &optimizer, NULL), NLM_OK);
        for (int step = 1; step <= STEPS; step++) {
            if (step == STEPS / 2) {
                now.rate /= 10;
                nlm_optimizer_set_rate(optimizer, now.rate);
            }
            set_gradients(machine, step);
            nlm_optimizer_step(optimizer);
            rmsprop_step(values, square, nlm_machine_parameters(machine), now, step);
            assert_values(machine, values, 2e-6 * step * (1.0 + settings[s].rate * 10.0), step);
            assert_gradients_kept(machine, step);
        }
        nlm_optimizer_free(optimizer);
        nlm_machine_free(machine);
    }
}

/* Whatever was learned, an optimiser that begins again does as a new one. */
static void a_reset_forgets_all_steps(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        nlm_machine *used = make(), *fresh = make();
        nlm_optimizer *old, *young;
        for (int again = 0; again < 2; again++) {
            nlm_machine *machine = again ? fresh : used;
            nlm_optimizer **optimizer = again ? &young : &old;
            if (kind < 2)
                assert_int_equal(
                    nlm_rmsprop_new(machine, (nlm_rmsprop){0.1, 0.9, 1e-10, kind}, optimizer, NULL), NLM_OK);
            else if (kind == 2)
                assert_int_equal(nlm_adam_new(machine, (nlm_adam){0.1, 0.9, 0.99, 1e-8}, optimizer, NULL),
                                 NLM_OK);
            else
                assert_int_equal(nlm_sgd_new(machine, 0.1, optimizer, NULL), NLM_OK);
        }
        for (int step = 1; step <= 3; step++) {
            set_gradients(used, step);
            nlm_optimizer_step(old);
        }
        nlm_machine_initialise(used, 3);
        optimizer_reset(old);
        for (int step = 4; step <= 6; step++) {
            set_gradients(used, step);
            set_gradients(fresh, step);
            nlm_optimizer_step(old);
            nlm_optimizer_step(young);
        }
        assert_memory_equal(used->values, fresh->values, nlm_machine_parameters(used) * sizeof(float));
        nlm_optimizer_free(old);
        nlm_optimizer_free(young);
        nlm_machine_free(used);
        nlm_machine_free(fresh);
    }
}

static void without_gradients_nothing_moves(void **state)
{
    (void)state;
    static double values[MOST];
    nlm_machine *machine = make();
    nlm_optimizer *adam, *sgd;
    copy_values(machine, values);
    assert_int_equal(nlm_adam_new(machine, (nlm_adam){0.01, 0.9, 0.999, 1e-8}, &adam, NULL), NLM_OK);
    assert_int_equal(nlm_sgd_new(machine, 0.01, &sgd, NULL), NLM_OK);
    for (int step = 0; step < 3; step++) {
        nlm_optimizer_step(adam);
        nlm_optimizer_step(sgd);
    }
    assert_values(machine, values, 0.0, 3);
    nlm_optimizer_free(adam);
    nlm_optimizer_free(sgd);
    nlm_machine_free(machine);
}

static void bad_settings_are_refused(void **state)
{
    (void)state;
    const struct {
        nlm_adam settings;
        const char *cause;
    } bad[] = {
        {{-0.01, 0.9, 0.999, 1e-8}, "learning rate -0.01"},
        {{NAN, 0.9, 0.999, 1e-8}, "learning rate"},
        {{INFINITY, 0.9, 0.999, 1e-8}, "learning rate inf"},
        {{0.01, -0.1, 0.999, 1e-8}, "betas -0.1 and 0.999"},
        {{0.01, 1.0, 0.999, 1e-8}, "betas 1 and 0.999"},
        {{0.01, NAN, 0.999, 1e-8}, "betas"},
        {{0.01, 0.9, -1.0, 1e-8}, "betas 0.9 and -1"},
        {{0.01, 0.9, 1.0, 1e-8}, "betas 0.9 and 1"},
        {{0.01, 0.9, NAN, 1e-8}, "betas"},
        {{0.01, 0.9, 0.999, 0.0}, "epsilon 0"},
        {{0.01, 0.9, 0.999, -1e-8}, "epsilon -1e-08"},
        {{0.01, 0.9, 0.999, NAN}, "epsilon"},
        {{0.01, 0.9, 0.999, INFINITY}, "epsilon inf"},
    };
    nlm_machine *machine = make();
    nlm_optimizer *optimizer;
    nlm_error error;
    for (size_t i = 0; i < COUNT(bad); i++) {
        optimizer = (nlm_optimizer *)machine;
        assert_int_equal(nlm_adam_new(machine, bad[i].settings, &optimizer, &error), NLM_BAD_ARGUMENT);
        assert_null(optimizer);
        assert_int_equal(error.status, NLM_BAD_ARGUMENT);
        assert_non_null(strstr(error.message, bad[i].cause));
        assert_int_equal(nlm_adam_new(machine, bad[i].settings, &optimizer, NULL), NLM_BAD_ARGUMENT);
    }
    static const double rates[] = {-1.0, NAN, INFINITY};
    for (size_t i = 0; i < COUNT(rates); i++) {
        optimizer = (nlm_optimizer *)machine;
        assert_int_equal(nlm_sgd_new(machine, rates[i], &optimizer, &error), NLM_BAD_ARGUMENT);
        assert_null(optimizer);
        assert_non_null(strstr(error.message, "learning rate"));
    }
    nlm_optimizer_free(NULL);
    nlm_machine_free(machine);
}

static void bad_settings_of_rmsprop_are_refused(void **state)
{
    (void)state;
    const struct {
        nlm_rmsprop settings;
        const char *cause;
    } bad[] = {
        {{-0.5, 0.9, 1e-10, 0}, "learning rate -0.5"},
        {{NAN, 0.9, 1e-10, 0}, "learning rate"},
        {{INFINITY, 0.9, 1e-10, 0}, "learning rate inf"},
        {{0.5, -0.1, 1e-10, 0}, "decay -0.1 is not in [0, 1)"},
        {{0.5, 1.0, 1e-10, 0}, "decay 1 is not in [0, 1)"},
        {{0.5, NAN, 1e-10, 0}, "decay"},
        {{0.5, 0.9, 0, 0}, "epsilon 0 is not above 0"},
        {{0.5, 0.9, -1e-10, 0}, "epsilon -1e-10"},
        {{0.5, 0.9, NAN, 0}, "epsilon"},
        {{0.5, 0.9, INFINITY, 0}, "epsilon inf"},
        {{0.5, 0.9, 1e-10, -1}, "cannot begin with -1"},
        {{0.5, 0.9, 1e-10, NAN}, "cannot begin with"},
        {{0.5, 0.9, 1e-10, INFINITY}, "cannot begin with inf"},
    };
    nlm_machine *machine = make();
    for (size_t i = 0; i < COUNT(bad); i++) {
        nlm_optimizer *optimizer = (nlm_optimizer *)machine;
        nlm_error error;
        assert_int_equal(nlm_rmsprop_new(machine, bad[i].settings, &optimizer, &error), NLM_BAD_ARGUMENT);
        assert_null(optimizer);
        assert_int_equal(error.status, NLM_BAD_ARGUMENT);
        if (!strstr(error.message, bad[i].cause))
            fail_msg("\"%s\" does not say \"%s\"", error.message, bad[i].cause);
        assert_int_equal(nlm_rmsprop_new(machine, bad[i].settings, &optimizer, NULL), NLM_BAD_ARGUMENT);
    }
    nlm_machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adam_follows_its_formula),
        cmocka_unit_test(adam_follows_a_changed_rate),
        cmocka_unit_test(the_first_step_of_adam_is_the_rate),
        cmocka_unit_test(gradient_descent_follows_its_formula),
        cmocka_unit_test(rmsprop_follows_its_formula),
        cmocka_unit_test(a_reset_forgets_all_steps),
        cmocka_unit_test(without_gradients_nothing_moves),
        cmocka_unit_test(bad_settings_are_refused),
        cmocka_unit_test(bad_settings_of_rmsprop_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
