/* Gradients through machine and sense together: they are those of the machine alone, handed on to a LeNet
 * alone; and they are the slopes of the loss.
 *
 * In floats, with thousands of maxima per image, single parameters have no slope that rounding would not
 * drown.  So tensors are moved as a whole, along their gradient, where the slope is the gradient's length,
 * and in random directions. */
#include "machine/senses.h"

#define STEP 4e-3      /* in units of the tensor's size, or a tenth of it where that is small */
#define TOLERANCE 0.03 /* of the gradient's length */

enum { DIRECTIONS = 3 };

/* ---- against machine and LeNet apart ---- */

static double largest_of(const float *values, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs((double)values[i]));
    return largest;
}

static void assert_close(const char *what, const float *is, const float *ought, size_t count)
{
    const double largest = largest_of(ought, count);
    for (size_t i = 0; i < count; i++)
        if (!(fabs((double)is[i] - (double)ought[i]) <= 2e-5 * fmax(largest, 1e-2)))
            fail_msg("%s, entry %zu: %g, not %g", what, i, (double)is[i], (double)ought[i]);
}

/* Gradients of the first ten unary inputs of all objects, of the last backward. */
static void gather_input_gradients(seer *of, float *gradients)
{
    static float inputs[SEEN_MOST * 13];
    const int width = nlm_machine_spec(of->machine)->inputs[1];
    for (int w = 0; w < SEEN_WORLDS; w++) {
        CHECK(nlm_pass_input_gradient(of->pass, w, 1, inputs, &check_error));
        for (int x = 0; x < seen_objects[w]; x++, gradients += LENET_OUTPUTS)
            memcpy(gradients, inputs + x * width, LENET_OUTPUTS * sizeof *gradients);
    }
}

static void check_apart(const nlm_spec *spec, nlm_options options)
{
    static float outputs[SEEN_OBJECTS * LENET_OUTPUTS], gradients[SEEN_OBJECTS * LENET_OUTPUTS];
    seer made = make_seer(spec, NULL, options);
    struct lenet *lenet = lenet_of(made.machine);
    struct lenet_pass *pass;
    CHECK(lenet_pass_new(&pass, &check_error));
    CHECK(lenet_forward(pass, lenet, NULL, seen_images(), SEEN_OBJECTS, true, &check_error));
    memcpy(outputs, lenet_outputs(pass), sizeof outputs);
    seer twin = make_seer(spec, outputs, (nlm_options){.input_gradients = true, .lifting = NLM_IDENTITY});
    const double loss = see_and_go_back(&made), twins_loss = see_and_go_back(&twin);
    assert_true(fabs(loss - twins_loss) <= 1e-4);
    gather_input_gradients(&twin, gradients);
    assert_true(largest_of(gradients, COUNT(gradients)) > 1e-3);
    CHECK(lenet_backward(pass, gradients, NULL, &check_error));
    for (int t = 0; t < nlm_machine_tensors(twin.machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(twin.machine, t);
        assert_close(tensor.name, tensor_called(made.machine, tensor.name).gradients, tensor.gradients,
                     tensor.count);
    }
    for (int t = 0; t < LENET_LEARNED; t++) {
        nlm_tensor tensor = lenet_tensor_of(made.machine, t);
        assert_close(tensor.name, tensor.gradients, lenet->gradients + lenet->offset[t], tensor.count);
    }
    for (int t = LENET_LEARNED; t < LENET_TENSORS; t++) {
        nlm_tensor tensor = lenet_tensor_of(made.machine, t);
        assert_true(largest_of(tensor.gradients, tensor.count) == 0);
        assert_memory_equal(tensor.values, lenet->values + lenet->offset[t], tensor.count * sizeof(float));
    }
    if (options.input_gradients) {
        gather_input_gradients(&made, outputs);
        assert_close("inputs", outputs, gradients, COUNT(gradients));
    }
    lenet_pass_free(pass);
    lenet_free(lenet);
    free_seer(&made);
    free_seer(&twin);
}

static void gradients_go_on_into_the_sense(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT(seeing_specs); s++) {
        check_apart(&seeing_specs[s], (nlm_options){0});
        check_apart(&seeing_specs[s], (nlm_options){.lifting = NLM_IDENTITY});
        check_apart(&seeing_specs[s], (nlm_options){.input_gradients = true, .threads = 2});
    }
}

/* Gradients of inputs are only there when they were asked for. */
static void input_gradients_are_for_those_who_ask(void **state)
{
    (void)state;
    static float gradients[SEEN_MOST * 13];
    seer made = make_seer(&seeing_specs[0], NULL, (nlm_options){0});
    see_and_go_back(&made);
    assert_int_equal(nlm_pass_input_gradient(made.pass, 0, 1, gradients, NULL), NLM_BAD_ARGUMENT);
    free_seer(&made);
}

/* ---- against differences ---- */

static double loss_at(seer *of, nlm_tensor *tensor, const float *from, const double *direction, double step)
{
    for (size_t i = 0; i < tensor->count; i++)
        tensor->values[i] = (float)((double)from[i] + step * direction[i]);
    see(of, true);
    return seen_loss(of, false);
}

/* The loss along a direction of length 1: its slope, and what the gradient says. */
static bool has_slope(seer *of, nlm_tensor *tensor, const double *direction, double *slope, double wanted,
                      double length)
{
    static float from[20000];
    double size = 0;
    assert_true(tensor->count <= COUNT(from));
    memcpy(from, tensor->values, tensor->count * sizeof *from);
    for (size_t i = 0; i < tensor->count; i++)
        size += (double)from[i] * (double)from[i];
    bool agrees = false;
    for (int k = 0; k < 8 && !agrees; k++) { /* smaller steps get past a maximum that changes sides */
        const double step = ldexp(STEP, -k) * fmax(sqrt(size), 0.1);
        *slope = (loss_at(of, tensor, from, direction, step) - loss_at(of, tensor, from, direction, -step)) /
                 (2 * step);
        agrees = fabs(*slope - wanted) <= TOLERANCE * fmax(length, 0.02);
    }
    memcpy(tensor->values, from, tensor->count * sizeof *from);
    return agrees;
}

static double length_of(const double *direction, size_t count)
{
    double square = 0;
    for (size_t i = 0; i < count; i++)
        square += direction[i] * direction[i];
    return sqrt(square);
}

static void check_tensor(seer *of, nlm_tensor tensor, random_stream *random)
{
    static double direction[20000], gradient[20000];
    assert_true(tensor.count <= COUNT(direction));
    for (size_t i = 0; i < tensor.count; i++)
        gradient[i] = (double)tensor.gradients[i];
    const double length = length_of(gradient, tensor.count);
    for (int d = 0; d < DIRECTIONS; d++) {
        for (size_t i = 0; i < tensor.count; i++)
            direction[i] = d == 0 && length > 0 ? gradient[i] : (double)random_uniform(random, -1, 1);
        const double unit = length_of(direction, tensor.count);
        double wanted = 0, slope;
        for (size_t i = 0; i < tensor.count; i++) {
            direction[i] /= unit;
            wanted += direction[i] * gradient[i];
        }
        if (!has_slope(of, &tensor, direction, &slope, wanted, length))
            fail_msg("%s, direction %d: slope %g, gradient %g of length %g", tensor.name, d, slope, wanted,
                     length);
    }
}

/* As they are in the beginning, weights leave all outputs nearly alike, and slopes drown in rounding. */
static void enlarge_weights(nlm_machine *machine)
{
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        for (size_t i = 0; i < tensor.count && tensor.dimensions == 2; i++)
            tensor.values[i] *= 4;
    }
}

static void all_parameters_have_the_slopes_of_the_loss(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT(seeing_specs); s++) {
        random_stream random;
        random_start(&random, 4, s);
        seer made = make_seer(&seeing_specs[s], NULL, (nlm_options){0});
        enlarge_weights(made.machine);
        see_and_go_back(&made);
        for (int t = 0; t < nlm_machine_tensors(made.machine); t++)
            check_tensor(&made, nlm_machine_tensor(made.machine, t), &random);
        free_seer(&made);
    }
}

/* ---- adding up ---- */

static void gradients_add_up_until_they_are_zeroed(void **state)
{
    (void)state;
    seer made = make_seer(&seeing_specs[0], NULL, (nlm_options){0});
    see_and_go_back(&made);
    const double once = nlm_machine_gradient_norm(made.machine);
    assert_true(once > 0);
    see(&made, true);
    seen_loss(&made, true);
    CHECK(nlm_pass_backward(made.pass, &check_error));
    assert_true(fabs(nlm_machine_gradient_norm(made.machine) - 2 * once) <= 1e-4 * once);
    nlm_machine_zero_gradients(made.machine);
    assert_true(nlm_machine_gradient_norm(made.machine) == 0);
    assert_int_equal(nlm_pass_backward(made.pass, NULL), NLM_BAD_ARGUMENT);
    free_seer(&made);
}

/* No unit of arity 3 over one layer reads what objects are: the sense is not run. */
static void a_sense_that_nothing_reads_has_no_gradients(void **state)
{
    (void)state;
    static const nlm_spec spec = {
        .depth = 1, .breadth = 3, .inputs = {0, 10, 1}, .width = 3, .outputs = 8, .sense = "lenet"};
    static float gradient[SEEN_MOST * SEEN_MOST * SEEN_MOST * 3];
    nlm_machine *machine;
    nlm_batch *batch;
    nlm_structure *structure;
    nlm_pass *pass;
    nlm_world *world = seen_world(&spec, 1, NULL);
    for (size_t i = 0; i < COUNT(gradient); i++)
        gradient[i] = 1;
    CHECK(nlm_machine_new(&spec, NULL, 0, &machine, &check_error));
    nlm_machine_initialise(machine, 1);
    CHECK(nlm_batch_for(machine, &batch, &check_error));
    CHECK(nlm_batch_add_world(batch, world, &check_error));
    CHECK(nlm_structure_new(&structure, &check_error));
    CHECK(nlm_structure_build(structure, machine, batch, NULL, &check_error));
    CHECK(nlm_pass_new(machine, &pass, &check_error));
    CHECK(nlm_pass_forward(pass, structure, true, &check_error));
    CHECK(nlm_pass_add_output_gradient(pass, 0, 3, gradient, &check_error));
    CHECK(nlm_pass_backward(pass, &check_error));
    assert_true(nlm_machine_gradient_norm(machine) > 0);
    for (int t = 0; t < LENET_TENSORS; t++) {
        nlm_tensor tensor = lenet_tensor_of(machine, t);
        assert_true(largest_of(tensor.gradients, tensor.count) == 0);
        for (size_t i = 0; i < tensor.count && t >= LENET_LEARNED; i++)
            assert_true(tensor.values[i] == lenet_tensors[t].first);
    }
    nlm_pass_free(pass);
    nlm_structure_free(structure);
    nlm_batch_free(batch);
    nlm_machine_free(machine);
    nlm_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_go_on_into_the_sense),
        cmocka_unit_test(input_gradients_are_for_those_who_ask),
        cmocka_unit_test(all_parameters_have_the_slopes_of_the_loss),
        cmocka_unit_test(gradients_add_up_until_they_are_zeroed),
        cmocka_unit_test(a_sense_that_nothing_reads_has_no_gradients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
