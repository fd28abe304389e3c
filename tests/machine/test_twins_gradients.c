/* Gradients of twin heads against central differences of the loss, lifted and not: see test_gradients.c. */
#include "twins.h"

#include <math.h>

static fixture f;

static float coefficients[MOST_OBJECTS * MOST_OBJECTS * MOST_OUTPUTS];

static double policy_loss(void)
{
    nlm_policy_result result;
    CHECK(nlm_pass_policy(f.pass, MOVE, actions, advantages, 0.3, &result, &check_error));
    return result.loss;
}

/* <logits, coefficients> of the twin heads. */
static double raw_loss(bool training)
{
    static float logits[MOST_OBJECTS * MOST_OBJECTS * MOST_OUTPUTS];
    double sum = 0.0;
    for (int w = 0; w < WORLDS; w++)
        for (int h = MOVE; h <= VALID; h++) {
            CHECK(nlm_pass_logits(f.pass, w, h, logits, &check_error));
            if (training)
                CHECK(nlm_pass_add_logit_gradient(f.pass, w, h, coefficients, &check_error));
            for (size_t i = 0; i < cells(objects[w] / 2, 2) * (size_t)heads[h].outputs; i++)
                sum += (double)logits[i] * (double)coefficients[i];
        }
    return sum;
}

static double evaluate(bool policy, bool training)
{
    CHECK(nlm_pass_forward(f.pass, f.structure, training, &check_error));
    return policy ? policy_loss() : raw_loss(training);
}

/* A step may cross a tie of a reduction or the bend of a ReLU: then a smaller one is tried. */
static void assert_slope(const char *what, bool policy, float *x, double gradient, bool is_input)
{
    static const float steps[] = {1.0f / 64, 1.0f / 256, 1.0f / 1024};
    const float kept = *x;
    double slope = 0.0;
    for (size_t s = 0; s < COUNT(steps); s++) {
        double side[2];
        for (int k = 0; k < 2; k++) {
            *x = kept + (k ? steps[s] : -steps[s]);
            if (is_input) {
                fill_batch(&f);
                CHECK(nlm_structure_build(f.structure, f.machine, f.batch, &f.options, &check_error));
            }
            side[k] = evaluate(policy, false);
        }
        *x = kept;
        slope = (side[1] - side[0]) / (2.0 * (double)steps[s]);
        if (fabs(slope - gradient) <= 2e-3 * fabs(gradient) + 3e-4 / (double)(64 * steps[s]))
            return;
    }
    fail_msg("%s, %s: the gradient is %g, the slope %g", what, policy ? "policy" : "raw", gradient, slope);
}

static void draw_coefficients(void)
{
    random_stream random;
    random_start(&random, 5, 0);
    for (size_t i = 0; i < COUNT(coefficients); i++)
        coefficients[i] = random_uniform(&random, -1.0f, 1.0f);
}

static void go_back(bool policy)
{
    nlm_machine_zero_gradients(f.machine);
    evaluate(policy, true);
    CHECK(nlm_pass_backward(f.pass, &check_error));
}

static void check_parameters(const char *what, bool policy)
{
    enum { TRIES = 12 };
    for (int t = 0; t < nlm_machine_tensors(f.machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(f.machine, t);
        size_t tries = tensor.count < TRIES ? tensor.count : TRIES;
        char name[128];
        snprintf(name, sizeof name, "%s, %s", what, tensor.name);
        for (size_t n = 0; n < tries; n++) {
            size_t i = (3 + n * (tensor.count / tries)) % tensor.count;
            assert_slope(name, policy, &tensor.values[i], (double)tensor.gradients[i], false);
        }
    }
}

static void parameters_have_the_slopes_of_the_loss(void **state)
{
    (void)state;
    draw_coefficients();
    for (size_t m = 0; m < COUNT(machines); m++)
        for (int way = 0; way < 4; way++) {
            nlm_options options = {.lifting = way % 2 ? NLM_IDENTITY : NLM_LIFT,
                                   .kernel = way % 2 ? NLM_KERNEL_REFERENCE : NLM_KERNEL_BEST};
            start(&f, &machines[m].spec, options, way < 2);
            for (int policy = 0; policy < 2; policy++) {
                go_back(policy);
                check_parameters(machines[m].what, policy);
            }
            finish(&f);
        }
}

static void inputs_have_the_slopes_of_the_loss(void **state)
{
    (void)state;
    static float gradient[MOST_CELLS * MOST_INPUTS];
    draw_coefficients();
    for (size_t m = 0; m < COUNT(machines); m++) {
        start(&f, &machines[m].spec, (nlm_options){.input_gradients = true}, false);
        for (int w = 0; w < WORLDS; w++)
            for (int policy = 0; policy < 2; policy++) {
                int inputs = machines[m].spec.inputs[2], nonzero = 0;
                go_back(policy);
                CHECK(nlm_pass_input_gradient(f.pass, w, 2, gradient, &check_error));
                for (int i = 0; i < objects[w] * objects[w] * inputs; i += 7) {
                    assert_slope(machines[m].what, policy, &f.inputs[w][2][i], (double)gradient[i], true);
                    nonzero += gradient[i] != 0.0f;
                }
                assert_true(nonzero > 0);
            }
        finish(&f);
    }
}

static void lifted_and_identity_have_the_same_gradients(void **state)
{
    (void)state;
    static float kept[20000];
    draw_coefficients();
    for (size_t m = 0; m < COUNT(machines); m++)
        for (int policy = 0; policy < 2; policy++) {
            size_t at = 0;
            for (int way = 0; way < 2; way++) {
                start(&f, &machines[m].spec, (nlm_options){.lifting = way ? NLM_LIFT : NLM_IDENTITY}, true);
                go_back(policy);
                size_t place = 0;
                for (int t = 0; t < nlm_machine_tensors(f.machine); t++) {
                    nlm_tensor tensor = nlm_machine_tensor(f.machine, t);
                    for (size_t i = 0; i < tensor.count; i++, place++) {
                        assert_true(place < COUNT(kept));
                        if (way == 0)
                            kept[place] = tensor.gradients[i];
                        else if (fabsf(kept[place] - tensor.gradients[i]) > 1e-4f)
                            fail_msg("%s, %s: %g, lifted %g", machines[m].what, tensor.name,
                                     (double)kept[place], (double)tensor.gradients[i]);
                    }
                }
                assert_true(way == 0 || place == at);
                at = place;
                finish(&f);
            }
        }
}

static void gradients_on_the_diagonal_are_ignored(void **state)
{
    (void)state;
    float gradient[25], logits[26];
    start(&f, &machines[0].spec, (nlm_options){0}, true);
    CHECK(nlm_pass_forward(f.pass, f.structure, true, &check_error));
    for (int i = 0; i < 25; i++)
        gradient[i] = i % 6 ? 0.0f : 1e6f;
    CHECK(nlm_pass_add_logit_gradient(f.pass, 2, MOVE, gradient, &check_error));
    CHECK(nlm_pass_backward(f.pass, &check_error));
    assert_true(nlm_machine_gradient_norm(f.machine) == 0.0);
    CHECK(nlm_pass_logits(f.pass, 2, MOVE, logits, &check_error));
    for (int i = 0; i < 25; i += 6)
        assert_true(logits[i] == 0.0f);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_have_the_slopes_of_the_loss),
        cmocka_unit_test(inputs_have_the_slopes_of_the_loss),
        cmocka_unit_test(lifted_and_identity_have_the_same_gradients),
        cmocka_unit_test(gradients_on_the_diagonal_are_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
