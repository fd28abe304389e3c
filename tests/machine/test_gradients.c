/* Gradients of whole machines against central differences of the loss, for all parameters' tensors and for
 * the inputs; and how gradients add up.
 *
 * The machine computes in float, so a loss, summed in double over some hundred outputs, is known to about
 * 2e-6 and its slope over a step of 1/64 to about 1e-4.  A step may cross a kink, that is a tie of a
 * reduction or the bend of a ReLU: then smaller steps are tried.  Where a kink is nearer than the smallest
 * step, the slopes to the left and to the right differ, and the gradient must be one of the two.  No gradient
 * may be wrong, and such kinks must be rare. */
#include <math.h>
#include "test.h"

#include "base/random.h"
#include "nlm/nlm.h"

enum {
    WORLDS = 2,
    MOST_OBJECTS = 4,
    MOST_CELLS = 4 * 4 * 4 * 4,
    MOST_WIDTH = 40,
    MOST_ARITY = 4,
    PER_TENSOR = 6
};

static const int objects[WORLDS] = {4, 3};

/* ---- a machine, its worlds, and a loss ---- */

enum loss { RAW, BCE, POLICY, LOSSES };
static const char *const loss_names[] = {"raw gradients", "bce", "policy"};

struct fixture {
    nlm_machine *machine;
    nlm_batch *batch;
    nlm_structure *structure;
    nlm_pass *pass;
    nlm_options options;
    int head_arity;
    float inputs[WORLDS][MOST_ARITY + 1][MOST_CELLS * 3];
    signed char labels[WORLDS][MOST_CELLS];
    float coefficients[MOST_CELLS * MOST_WIDTH];
};

static int below(random_stream *random, int n)
{
    return (int)random_below(random, (uint32_t)n);
}

static size_t cells(int world, int arity)
{
    size_t count = 1;
    for (int k = 0; k < arity; k++)
        count *= (size_t)objects[world];
    return count;
}

static void assert_fine(nlm_status status, const nlm_error *error)
{
    if (status)
        fail_msg("%s", error->message);
}

/* The batch as the inputs are now, and its structure. */
static void load(struct fixture *f)
{
    nlm_error error;
    const int *inputs = nlm_machine_spec(f->machine)->inputs;
    nlm_batch_clear(f->batch);
    for (int w = 0; w < WORLDS; w++) {
        const float *tensors[NLM_MAX_BREADTH + 1] = {NULL};
        for (int r = 0; r <= MOST_ARITY; r++)
            tensors[r] = inputs[r] ? f->inputs[w][r] : NULL;
        assert_fine(nlm_batch_add_tensors(f->batch, objects[w], tensors, &error), &error);
        assert_fine(nlm_batch_add_labels(f->batch, 0, f->head_arity, f->labels[w], &error), &error);
    }
    assert_fine(nlm_structure_build(f->structure, f->machine, f->batch, &f->options, &error), &error);
}

/* Worlds of arbitrary numbers, or of truth values that lifting finds alike. */
static void draw_worlds(struct fixture *f, random_stream *random, bool truth)
{
    for (int w = 0; w < WORLDS; w++) {
        for (int r = 0; r <= MOST_ARITY; r++)
            for (size_t i = 0; i < COUNT(f->inputs[w][r]); i++)
                f->inputs[w][r][i] =
                    truth ? (float)(below(random, 4) == 0) : random_uniform(random, 0.0f, 1.0f);
        for (size_t i = 0; i < COUNT(f->labels[w]); i++)
            f->labels[w][i] = (signed char)(below(random, 3) - 1);
        f->labels[w][1] = NLM_TRUE; /* that of a tuple without repetition, so that there is one */
    }
    for (size_t i = 0; i < COUNT(f->coefficients); i++)
        f->coefficients[i] = random_uniform(random, -1.0f, 1.0f);
}

static struct fixture *make(const nlm_spec *spec, nlm_options options, bool truth, uint64_t seed)
{
    static struct fixture f;
    random_stream random;
    nlm_error error;
    random_start(&random, seed, 0);
    memset(&f, 0, sizeof f);
    f.options = options;
    while (!(spec->outputs >> f.head_arity & 1) || (f.head_arity == 0 && spec->outputs > 1))
        f.head_arity++;
    const nlm_head_spec heads[] = {{"head", f.head_arity, 2, false}};
    assert_fine(nlm_machine_new(spec, heads, 1, &f.machine, &error), &error);
    nlm_machine_initialise(f.machine, seed);
    for (int t = 0; t < nlm_machine_tensors(f.machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(f.machine, t);
        for (size_t i = 0; i < tensor.count; i++)
            tensor.values[i] *= 2.0f;
    }
    assert_fine(nlm_batch_new(spec->inputs, spec->breadth, &f.batch, &error), &error);
    assert_fine(nlm_structure_new(&f.structure, &error), &error);
    assert_fine(nlm_pass_new(f.machine, &f.pass, &error), &error);
    draw_worlds(&f, &random, truth);
    load(&f);
    return &f;
}

static void free_fixture(struct fixture *f)
{
    nlm_pass_free(f->pass);
    nlm_structure_free(f->structure);
    nlm_batch_free(f->batch);
    nlm_machine_free(f->machine);
}

/* <outputs and logits, coefficients>; adds the coefficients as gradients if the pass is for training. */
static double raw_loss(struct fixture *f, bool training)
{
    static float values[MOST_CELLS * MOST_WIDTH];
    const nlm_spec *spec = nlm_machine_spec(f->machine);
    double sum = 0.0;
    nlm_error error;
    for (int w = 0; w < WORLDS; w++) {
        for (int r = 0; r <= spec->breadth; r++) {
            size_t count = cells(w, r) * (size_t)nlm_machine_output_width(f->machine, r);
            assert_true(count <= COUNT(values));
            if (count == 0)
                continue;
            assert_fine(nlm_pass_output(f->pass, w, r, values, &error), &error);
            if (training)
                assert_fine(nlm_pass_add_output_gradient(f->pass, w, r, f->coefficients, &error), &error);
            for (size_t i = 0; i < count; i++)
                sum += (double)values[i] * (double)f->coefficients[i];
        }
        assert_fine(nlm_pass_logits(f->pass, w, 0, values, &error), &error);
        if (training)
            assert_fine(nlm_pass_add_logit_gradient(f->pass, w, 0, f->coefficients, &error), &error);
        for (size_t i = 0; i < cells(w, f->head_arity) * 2; i++)
            sum += (double)values[i] * (double)f->coefficients[i];
    }
    return sum;
}

static double policy_loss(struct fixture *f)
{
    int actions[WORLDS * MOST_ARITY];
    const double advantages[WORLDS] = {1.5, -0.7};
    nlm_policy_result result;
    nlm_error error;
    for (int w = 0; w < WORLDS; w++)
        for (int k = 0; k < f->head_arity; k++)
            actions[w * f->head_arity + k] = (k + 1 + w) % objects[w];
    assert_fine(nlm_pass_policy(f->pass, 0, actions, advantages, 0.3, &result, &error), &error);
    return result.loss;
}

/* Forward, and the loss; its gradient goes to the pass if `training`. */
static double evaluate(struct fixture *f, enum loss loss, bool training)
{
    nlm_bce_result result;
    nlm_error error;
    assert_fine(nlm_pass_forward(f->pass, f->structure, training, &error), &error);
    if (loss == RAW)
        return raw_loss(f, training);
    if (loss == POLICY)
        return policy_loss(f);
    assert_fine(nlm_pass_bce(f->pass, 0, 1, 0, 2.5, &result, &error), &error);
    return 2.5 * result.loss;
}

/* ---- differences ---- */

struct tally {
    int tried, kinks;
};

/* The loss where *x is moved by `step`. */
static double loss_at(struct fixture *f, enum loss loss, float *x, float step, bool is_input)
{
    const float kept = *x;
    *x = kept + step;
    if (is_input)
        load(f);
    const double value = evaluate(f, loss, false);
    *x = kept;
    return value;
}

static void check_slope(struct fixture *f, enum loss loss, const char *name, float *x, double gradient,
                        bool is_input, struct tally *tally)
{
    static const float steps[] = {1.0f / 64, 1.0f / 256, 1.0f / 1024};
    double below[COUNT(steps)], above[COUNT(steps)], left = 0.0, right = 0.0;
    tally->tried++;
    for (size_t s = 0; s < COUNT(steps); s++) {
        const double step = (double)steps[s], allowed = 2e-3 * fabs(gradient) + 2e-4 / (64 * step);
        below[s] = loss_at(f, loss, x, -steps[s], is_input);
        above[s] = loss_at(f, loss, x, steps[s], is_input);
        if (fabs((above[s] - below[s]) / (2.0 * step) - gradient) <= allowed)
            return;
    }
    const double here = loss_at(f, loss, x, 0.0f, is_input);
    for (size_t s = 0; s < COUNT(steps); s++) {
        const double step = (double)steps[s], allowed = 2e-3 * fabs(gradient) + 4e-4 / (64 * step);
        left = (here - below[s]) / step;
        right = (above[s] - here) / step;
        if (fabs(right - left) > allowed && fmin(fabs(left - gradient), fabs(right - gradient)) <= allowed) {
            tally->kinks++;
            return;
        }
    }
    fail_msg("%s, %s: the gradient is %g, the slopes to the left and right are %g and %g", loss_names[loss],
             name, gradient, left, right);
}

static void assert_few_kinks(struct tally tally)
{
    if (tally.kinks * 500 > tally.tried)
        fail_msg("%d of %d gradients were taken at a kink: choose other numbers", tally.kinks, tally.tried);
}

static void check_parameters(struct fixture *f, enum loss loss, random_stream *random, struct tally *tally)
{
    nlm_error error;
    nlm_machine_zero_gradients(f->machine);
    evaluate(f, loss, true);
    assert_fine(nlm_pass_backward(f->pass, &error), &error);
    for (int t = 0; t < nlm_machine_tensors(f->machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(f->machine, t);
        size_t tries = tensor.count < PER_TENSOR ? tensor.count : PER_TENSOR;
        size_t first = random_below(random, (uint32_t)tensor.count);
        for (size_t n = 0; n < tries; n++) {
            size_t i = (first + n * (tensor.count / tries)) % tensor.count;
            check_slope(f, loss, tensor.name, &tensor.values[i], (double)tensor.gradients[i], false, tally);
        }
    }
}

static const nlm_spec specs[] = {
    {.depth = 2, .breadth = 1, .inputs = {1, 2}, .width = 3, .outputs = 3},
    {.depth = 3, .breadth = 2, .inputs = {0, 1, 2}, .width = 4, .residual = true, .outputs = 6},
    {.depth = 3,
     .breadth = 3,
     .inputs = {0, 1, 0, 1},
     .width = 3,
     .hidden_layers = 1,
     .hidden = {9},
     .outputs = 12},
    {.depth = 2, .breadth = 4, .inputs = {1, 1, 1, 0, 1}, .width = 9, .outputs = 22},
    {.depth = 4,
     .breadth = 3,
     .inputs = {0, 0, 2},
     .width = 3,
     .residual = true,
     .hidden_layers = 2,
     .hidden = {6, 5},
     .outputs = 2},
    {.depth = 4, .breadth = 3, .inputs = {0, 0, 2}, .width = 4, .outputs = 2}, /* streamed where lifted */
    {.depth = 3, .breadth = 2, .inputs = {1, 0, 1}, .width = 5, .outputs = 1},
};

static void parameters_have_the_slopes_of_the_loss(void **state)
{
    (void)state;
    struct tally tally = {0};
    for (size_t s = 0; s < COUNT(specs); s++)
        for (int way = 0; way < 3; way++) {
            random_stream random;
            random_start(&random, 2, s);
            nlm_options options = {.lifting = way == 0 ? NLM_IDENTITY : NLM_LIFT,
                                   .kernel = way == 0 ? NLM_KERNEL_REFERENCE : NLM_KERNEL_BEST};
            struct fixture *f = make(&specs[s], options, way == 2, 10 + s);
            for (enum loss loss = 0; loss < LOSSES; loss++)
                check_parameters(f, loss, &random, &tally);
            free_fixture(f);
        }
    assert_few_kinks(tally);
}

/* The inputs of one arity of one world; the gradient is 0 where the tuple repeats an object. */
static void check_inputs(struct fixture *f, enum loss loss, int world, int arity, random_stream *random,
                         struct tally *tally)
{
    static float gradient[MOST_CELLS * 3];
    nlm_error error;
    size_t width = (size_t)nlm_machine_spec(f->machine)->inputs[arity];
    load(f);
    evaluate(f, loss, true);
    assert_fine(nlm_pass_backward(f->pass, &error), &error);
    assert_fine(nlm_pass_input_gradient(f->pass, world, arity, gradient, &error), &error);
    for (int n = 0; n < 2 * PER_TENSOR; n++) {
        size_t i = random_below(random, (uint32_t)(cells(world, arity) * width));
        check_slope(f, loss, "inputs", &f->inputs[world][arity][i], (double)gradient[i], true, tally);
    }
    if (arity == 2)
        for (size_t i = 0; i < width; i++) /* (0, 0) */
            assert_true(gradient[i] == 0.0f);
}

static void inputs_have_the_slopes_of_the_loss(void **state)
{
    (void)state;
    struct tally tally = {0};
    nlm_options options = {.input_gradients = true};
    for (size_t s = 0; s < COUNT(specs); s++) {
        random_stream random;
        random_start(&random, 3, s);
        struct fixture *f = make(&specs[s], options, false, 20 + s);
        for (enum loss loss = 0; loss < LOSSES; loss++)
            for (int r = 0; r <= specs[s].breadth; r++)
                if (specs[s].inputs[r] > 0)
                    check_inputs(f, loss, (int)s % WORLDS, r, &random, &tally);
        free_fixture(f);
    }
    assert_few_kinks(tally);
}

/* ---- corners of the plan ---- */

static const nlm_spec corners[] = {
    /* unit (1, 1) reads only what is the same for all objects, and only a reduction reads it */
    {.depth = 2, .breadth = 1, .inputs = {1}, .width = 2, .outputs = 1},
    /* no unit (2, 2), but its group, the one of the layer before, is read by a reduction alone */
    {.depth = 3,
     .breadth = 3,
     .inputs = {0, 0, 1},
     .residual = true,
     .own_widths = true,
     .outputs = 2,
     .widths = {{2, 2, 2, 2}, {2, 2, 0, 2}, {2, 2, 2, 2}}},
};

static void check_corner(const nlm_spec *spec)
{
    struct tally tally = {0};
    random_stream random;
    random_start(&random, 4, 0);
    for (int lifting = 0; lifting < 2; lifting++) {
        nlm_options options = {.lifting = lifting ? NLM_LIFT : NLM_IDENTITY};
        struct fixture *f = make(spec, options, false, 30);
        check_parameters(f, RAW, &random, &tally);
        free_fixture(f);
    }
    assert_few_kinks(tally);
}

static void a_unit_that_reads_nullary_predicates_alone_has_gradients(void **state)
{
    (void)state;
    check_corner(&corners[0]);
}

static void a_group_without_a_unit_has_gradients(void **state)
{
    (void)state;
    check_corner(&corners[1]);
}

/* ---- adding up ---- */

static void assert_multiple(nlm_machine *machine, const float *once, float factor)
{
    for (int t = 0, at = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        for (size_t i = 0; i < tensor.count; i++, at++) {
            double want = (double)factor * (double)once[at], size = fabs(want);
            if (!(fabs((double)tensor.gradients[i] - want) <= 1e-5 * size + 1e-6))
                fail_msg("%s: %g instead of %g", tensor.name, (double)tensor.gradients[i], want);
        }
    }
}

static void copy_gradients(nlm_machine *machine, float *copy)
{
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        memcpy(copy, tensor.gradients, tensor.count * sizeof *copy);
        copy += tensor.count;
    }
}

static void gradients_add_up_until_they_are_zeroed(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT(specs); s++) {
        struct fixture *f = make(&specs[s], (nlm_options){0}, true, 40 + s);
        float *once = calloc(nlm_machine_parameters(f->machine), sizeof *once);
        assert_non_null(once);
        nlm_machine_zero_gradients(f->machine);
        evaluate(f, RAW, true);
        assert_int_equal(nlm_pass_backward(f->pass, NULL), NLM_OK);
        copy_gradients(f->machine, once);
        assert_true(nlm_machine_gradient_norm(f->machine) > 0.0);
        evaluate(f, RAW, true); /* a second pass adds to the first */
        assert_int_equal(nlm_pass_backward(f->pass, NULL), NLM_OK);
        assert_multiple(f->machine, once, 2.0f);
        evaluate(f, RAW, true); /* gradients added twice to one pass count twice */
        raw_loss(f, true);
        assert_int_equal(nlm_pass_backward(f->pass, NULL), NLM_OK);
        assert_multiple(f->machine, once, 4.0f);
        assert_int_equal(nlm_pass_forward(f->pass, f->structure, true, NULL), NLM_OK);
        assert_int_equal(nlm_pass_backward(f->pass, NULL), NLM_OK); /* nothing added, nothing changed */
        assert_multiple(f->machine, once, 4.0f);
        nlm_machine_zero_gradients(f->machine);
        assert_multiple(f->machine, once, 0.0f);
        assert_true(nlm_machine_gradient_norm(f->machine) == 0.0);
        free(once);
        free_fixture(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_have_the_slopes_of_the_loss),
        cmocka_unit_test(inputs_have_the_slopes_of_the_loss),
        cmocka_unit_test(a_unit_that_reads_nullary_predicates_alone_has_gradients),
        cmocka_unit_test(a_group_without_a_unit_has_gradients),
        cmocka_unit_test(gradients_add_up_until_they_are_zeroed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
