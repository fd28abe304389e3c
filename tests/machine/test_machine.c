/* Machines: which specs describe one, its tensors against numbers worked out by hand, initial values that
 * depend on the seed and on nothing else, gradients. */
#include <limits.h>
#include <math.h>
#include "test.h"

#include "machine/machine.h"

static const nlm_spec family = {
    .depth = 4, .breadth = 3, .inputs = {0, 0, 4}, .width = 8, .outputs = 1u << 2};

static nlm_machine *make(const nlm_spec *spec, const nlm_head_spec *heads, int count)
{
    nlm_machine *machine;
    nlm_error error;
    if (nlm_machine_new(spec, heads, count, &machine, &error))
        fail_msg("%s", error.message);
    return machine;
}

static void assert_refused(const nlm_spec *spec, const nlm_head_spec *heads, int count, const char *cause)
{
    nlm_machine *machine = (nlm_machine *)&count;
    nlm_error error = {0};
    nlm_status status = nlm_machine_new(spec, heads, count, &machine, &error);
    if (status != NLM_BAD_ARGUMENT || !strstr(error.message, cause))
        fail_msg("status %d, \"%s\" does not say \"%s\"", status, error.message, cause);
    assert_int_equal(error.status, status);
    assert_null(machine);
    assert_null(strchr(error.message, '\n'));
    assert_int_equal(nlm_machine_new(spec, heads, count, &machine, NULL), NLM_BAD_ARGUMENT);
}

/* ---- specs ---- */

#define SPEC(...)                                                                                            \
    {                                                                                                        \
        .depth = 4, .breadth = 3, .inputs = {0, 0, 4}, .width = 8, .outputs = 4, __VA_ARGS__                 \
    }

static void bad_specs_are_refused(void **state)
{
    (void)state;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
    static const struct {
        nlm_spec spec;
        const char *cause;
    } bad[] = {
        {SPEC(.depth = 0), "depth 0 is not in 1..64"},
        {SPEC(.depth = -1), "depth -1"},
        {SPEC(.depth = NLM_MAX_DEPTH + 1), "depth 65"},
        {SPEC(.depth = INT_MAX), "depth 2147483647"},
        {SPEC(.breadth = 0), "breadth 0 is not in 1..5"},
        {SPEC(.breadth = -3), "breadth -3"},
        {SPEC(.breadth = NLM_MAX_BREADTH + 1), "breadth 6"},
        {SPEC(.breadth = 1), "input predicates of arity 2 need breadth 2, not 1"},
        {SPEC(.inputs = {0}), "no input predicates"},
        {SPEC(.inputs = {0, 0, -4}), "-4 input predicates of arity 2 are not in 0..4096"},
        {SPEC(.inputs = {0, 0, NLM_MAX_WIDTH + 1}), "4097 input predicates of arity 2"},
        {SPEC(.inputs = {INT_MAX, INT_MAX, 2}), "2147483647 input predicates of arity 0"},
        {SPEC(.width = 0), "width 0 is not in 1..4096"},
        {SPEC(.width = -8), "width -8"},
        {SPEC(.width = NLM_MAX_WIDTH + 1), "width 4097"},
        {SPEC(.own_widths = true, .widths = {{1, 1, 1, 1}, {1, 1, 1, -1}}), "width -1 of layer 2, arity 3"},
        {SPEC(.own_widths = true, .widths = {{1, 5000}}), "width 5000 of layer 1, arity 1"},
        {SPEC(.own_widths = true), "the output of arity 2 has no predicates"},
        {SPEC(.hidden_layers = -1), "-1 hidden layers are not in 0..4"},
        {SPEC(.hidden_layers = NLM_MAX_HIDDEN + 1), "5 hidden layers"},
        {SPEC(.hidden_layers = 2, .hidden = {8, 0}), "hidden layer size 0 is not in 1..4096"},
        {SPEC(.hidden_layers = 1, .hidden = {5000}), "hidden layer size 5000"},
        {SPEC(.outputs = 0), "no output arity is wanted"},
        {SPEC(.outputs = 1u << 4), "an output arity is above breadth 3"},
        {SPEC(.outputs = 1u << 31 | 4), "an output arity is above breadth 3"},
        {SPEC(.depth = 1, .outputs = 1), "the output of arity 0 has no predicates"},
    };
#pragma GCC diagnostic pop
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_refused(&bad[i].spec, NULL, 0, bad[i].cause);
}

/* 64 layers, 5! orders, groups of up to 64 * 4096 predicates: the count of parameters has to stop somewhere.
 */
static void a_machine_beyond_any_memory_is_refused(void **state)
{
    (void)state;
    static const nlm_spec huge = {.depth = NLM_MAX_DEPTH,
                                  .breadth = NLM_MAX_BREADTH,
                                  .inputs = {4096, 4096, 4096, 4096, 4096, 4096},
                                  .width = NLM_MAX_WIDTH,
                                  .hidden_layers = 1,
                                  .hidden = {NLM_MAX_WIDTH},
                                  .residual = true,
                                  .outputs = 63};
    nlm_machine *machine;
    nlm_error error;
    assert_int_equal(nlm_machine_new(&huge, NULL, 0, &machine, &error), NLM_NO_MEMORY);
    assert_null(machine);
    assert_int_equal(error.status, NLM_NO_MEMORY);
}

static void bad_heads_are_refused(void **state)
{
    (void)state;
    static char long_name[400];
    memset(long_name, 'x', sizeof long_name - 1);
    const struct {
        nlm_head_spec head;
        const char *cause;
    } bad[] = {
        {{"head", 1, 1, false}, "head 'head' reads outputs of arity 1, which are not wanted"},
        {{"head", -1, 1, false}, "reads outputs of arity -1"},
        {{"head", 4, 1, false}, "reads outputs of arity 4"},
        {{"head", INT_MAX, 1, false}, "reads outputs of arity 2147483647"},
        {{"head", 2, 0, false}, "head 'head': 0 outputs are not in 1..4096"},
        {{"head", 2, -1, false}, "-1 outputs"},
        {{"head", 2, NLM_MAX_WIDTH + 1, false}, "4097 outputs"},
        {{NULL, 2, 1, false}, "head 0 has no usable name"},
        {{"", 2, 1, false}, "head 0 has no usable name"},
        {{"layer.0.arity.2.mlp.0", 2, 1, false}, "head 0 has no usable name"},
        {{long_name, 2, 1, false}, "head 0 has no usable name"},
    };
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_refused(&family, &bad[i].head, 1, bad[i].cause);
    static const nlm_head_spec twice[] = {{"a", 2, 1, false}, {"b", 2, 1, false}, {"a", 2, 2, false}};
    assert_refused(&family, twice, 3, "two heads are called 'a'");
    assert_refused(&family, NULL, -1, "-1 heads are not in 0..8");
    assert_refused(&family, NULL, NLM_MAX_HEADS + 1, "9 heads are not in 0..8");
    assert_refused(&family, NULL, 1, "1 heads are not given");
}

static void the_spec_and_the_heads_are_copied(void **state)
{
    (void)state;
    nlm_spec spec = family;
    char name[] = "uncle";
    nlm_head_spec heads[] = {{name, 2, 3, false}, {"aunt", 2, 1, false}};
    nlm_machine *machine = make(&spec, heads, 2);
    memset(&spec, 0, sizeof spec);
    memset(name, 0, sizeof name);
    memset(heads, 0, sizeof heads);
    assert_int_equal(nlm_machine_spec(machine)->depth, 4);
    assert_int_equal(nlm_machine_heads(machine), 2);
    assert_string_equal(nlm_machine_head(machine, 0)->name, "uncle");
    assert_int_equal(nlm_machine_head(machine, 0)->outputs, 3);
    assert_string_equal(nlm_machine_head(machine, 1)->name, "aunt");
    assert_null(nlm_machine_head(machine, 2));
    assert_null(nlm_machine_head(machine, -1));
    nlm_machine_free(machine);
    nlm_machine_free(NULL);
}

/* ---- tensors ---- */

typedef struct expected {
    const char *name;
    int rows, columns;
} expected;

static void assert_tensors(nlm_machine *machine, const expected *tensors, int count)
{
    assert_int_equal(nlm_machine_tensors(machine), 2 * count);
    size_t parameters = 0;
    for (int t = 0; t < 2 * count; t++) {
        const expected *wanted = &tensors[t / 2];
        bool weight = t % 2 == 0;
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        char name[64];
        snprintf(name, sizeof name, "%s.%s", wanted->name, weight ? "weight" : "bias");
        assert_string_equal(tensor.name, name);
        assert_int_equal(tensor.dimensions, weight ? 2 : 1);
        assert_int_equal(tensor.shape[0], wanted->rows);
        if (weight)
            assert_int_equal(tensor.shape[1], wanted->columns);
        assert_int_equal(tensor.count, wanted->rows * (weight ? wanted->columns : 1));
        assert_ptr_equal(tensor.values, machine->values + parameters);
        assert_ptr_equal(tensor.gradients, machine->gradients + parameters);
        parameters += tensor.count;
    }
    assert_int_equal(nlm_machine_parameters(machine), parameters);
    nlm_tensor none = nlm_machine_tensor(machine, 2 * count);
    assert_null(none.name);
    assert_null(nlm_machine_tensor(machine, -1).values);
}

/* Backwards from (4, 2): layer 3 is read at arities 1, 2, 3, layer 2 at all, layer 1 at all, where arity 0
 * has nothing to read from inputs of arity 2. */
static void the_tensors_of_the_family_machine(void **state)
{
    (void)state;
    static const expected tensors[] = {
        {"layer.0.arity.1.mlp.0", 8, 2 * 4},            /* reduce 4 */
        {"layer.0.arity.2.mlp.0", 8, 2 * 4},            /* own 4, 2 orders */
        {"layer.0.arity.3.mlp.0", 8, 6 * 4},            /* expand 4, 6 orders */
        {"layer.1.arity.0.mlp.0", 8, 2 * 8},            /* there is nothing of arity 0 yet */
        {"layer.1.arity.1.mlp.0", 8, 8 + 2 * 8},        /* own, reduce */
        {"layer.1.arity.2.mlp.0", 8, 2 * (8 + 8 + 16)}, /* expand, own, reduce */
        {"layer.1.arity.3.mlp.0", 8, 6 * (8 + 8)},      /* expand, own */
        {"layer.2.arity.1.mlp.0", 8, 8 + 8 + 16},
        {"layer.2.arity.2.mlp.0", 8, 2 * (8 + 8 + 16)},
        {"layer.2.arity.3.mlp.0", 8, 6 * (8 + 8)},
        {"layer.3.arity.2.mlp.0", 8, 2 * (8 + 8 + 16)},
        {"head", 3, 8},
    };
    static const bool live[4][4] = {{0, 1, 1, 1}, {1, 1, 1, 1}, {0, 1, 1, 1}, {0, 0, 1, 0}};
    const nlm_head_spec head = {"head", 2, 3, false};
    nlm_machine *machine = make(&family, &head, 1);
    assert_tensors(machine, tensors, COUNT(tensors));
    for (int i = 1; i <= 4; i++)
        for (int r = 0; r <= 3; r++)
            assert_int_equal(nlm_machine_unit_live(machine, i, r), live[i - 1][r]);
    static const int outside[][2] = {{0, 2}, {5, 2}, {4, -1}, {4, 4}, {-1, 0}, {INT_MAX, 0}, {1, INT_MAX}};
    for (size_t i = 0; i < COUNT(outside); i++)
        assert_false(nlm_machine_unit_live(machine, outside[i][0], outside[i][1]));
    static const int widths[] = {0, 0, 8, 0};
    for (int r = 0; r <= 3; r++)
        assert_int_equal(nlm_machine_output_width(machine, r), widths[r]);
    assert_int_equal(nlm_machine_output_width(machine, -1), 0);
    assert_int_equal(nlm_machine_output_width(machine, 99), 0);
    nlm_machine_free(machine);
}

static void the_tensors_of_a_residual_machine_with_hidden_layers(void **state)
{
    (void)state;
    static const nlm_spec spec = {.depth = 2,
                                  .breadth = 2,
                                  .inputs = {0, 1, 3},
                                  .width = 5,
                                  .hidden_layers = 2,
                                  .hidden = {7, 6},
                                  .residual = true,
                                  .outputs = 1u << 1};
    static const expected tensors[] = {
        {"layer.0.arity.0.mlp.0", 7, 2 * 1},
        {"layer.0.arity.0.mlp.1", 6, 7},
        {"layer.0.arity.0.mlp.2", 5, 6},
        {"layer.0.arity.1.mlp.0", 7, 1 + 2 * 3},
        {"layer.0.arity.1.mlp.1", 6, 7},
        {"layer.0.arity.1.mlp.2", 5, 6},
        {"layer.0.arity.2.mlp.0", 7, 2 * (1 + 3)},
        {"layer.0.arity.2.mlp.1", 6, 7},
        {"layer.0.arity.2.mlp.2", 5, 6},
        /* groups of 5, 1 + 5, 3 + 5 */
        {"layer.1.arity.1.mlp.0", 7, 5 + 6 + 16},
        {"layer.1.arity.1.mlp.1", 6, 7},
        {"layer.1.arity.1.mlp.2", 5, 6},
    };
    nlm_machine *machine = make(&spec, NULL, 0);
    assert_tensors(machine, tensors, COUNT(tensors));
    assert_int_equal(nlm_machine_output_width(machine, 1), 1 + 5 + 5);
    nlm_machine_free(machine);
}

/* Where a unit has no width there is none, and its neighbours read nothing there. */
static void the_tensors_of_a_machine_with_own_widths(void **state)
{
    (void)state;
    static const nlm_spec spec = {.depth = 2,
                                  .breadth = 2,
                                  .inputs = {2, 0, 3},
                                  .own_widths = true,
                                  .widths = {{4, 5, 0}, {0, 6, 7}},
                                  .outputs = 1u << 1 | 1u << 2};
    static const expected tensors[] = {
        {"layer.0.arity.0.mlp.0", 4, 2},
        {"layer.0.arity.1.mlp.0", 5, 2 + 6},
        {"layer.1.arity.1.mlp.0", 6, 4 + 5},
        {"layer.1.arity.2.mlp.0", 7, 2 * 5},
    };
    nlm_machine *machine = make(&spec, NULL, 0);
    assert_tensors(machine, tensors, COUNT(tensors));
    nlm_machine_free(machine);
}

/* ---- initial values ---- */

static void parameters_are_zero_at_first(void **state)
{
    (void)state;
    nlm_machine *machine = make(&family, NULL, 0);
    for (size_t i = 0; i < nlm_machine_parameters(machine); i++)
        assert_true(machine->values[i] == 0.0f && machine->gradients[i] == 0.0f);
    nlm_machine_free(machine);
}

/* Uniform in +-1/sqrt(fan in): inside, near both ends, with the mean and the variance of that. */
static void initial_values_are_uniform_within_their_bounds(void **state)
{
    (void)state;
    nlm_spec spec = family;
    spec.width = 32;
    const nlm_head_spec head = {"head", 2, 16, false};
    nlm_machine *machine = make(&spec, &head, 1);
    nlm_machine_initialise(machine, 5);
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        nlm_tensor weight = nlm_machine_tensor(machine, t - t % 2);
        double bound = 1.0 / sqrt(weight.shape[1]), sum = 0.0, squares = 0.0, largest = 0.0;
        for (size_t i = 0; i < tensor.count; i++) {
            double value = (double)tensor.values[i];
            sum += value;
            squares += value * value;
            largest = fmax(largest, fabs(value));
        }
        assert_true(largest <= bound * (1.0 + 1e-7));
        if (tensor.count < 250)
            continue;
        double n = (double)tensor.count;
        assert_true(largest > 0.97 * bound);
        assert_true(fabs(sum / n) < 5.0 * bound / sqrt(3.0 * n));
        assert_true(fabs(squares / n / (bound * bound / 3.0) - 1.0) < 5.0 * 0.9 / sqrt(n));
    }
    nlm_machine_free(machine);
}

static void a_seed_gives_the_same_bits_again(void **state)
{
    (void)state;
    nlm_machine *a = make(&family, NULL, 0), *b = make(&family, NULL, 0);
    size_t bytes = nlm_machine_parameters(a) * sizeof(float);
    nlm_machine_initialise(a, 7);
    nlm_machine_initialise(b, 8);
    assert_memory_not_equal(a->values, b->values, bytes);
    nlm_machine_initialise(b, 7);
    assert_memory_equal(a->values, b->values, bytes);
    nlm_machine_free(a);
    nlm_machine_free(b);
}

static void tensors_do_not_repeat_each_other(void **state)
{
    (void)state;
    nlm_machine *machine = make(&family, NULL, 0);
    nlm_machine_initialise(machine, 7);
    for (int a = 0; a < nlm_machine_tensors(machine); a++)
        for (int b = 0; b < a; b++)
            assert_memory_not_equal(nlm_machine_tensor(machine, a).values,
                                    nlm_machine_tensor(machine, b).values, 8 * sizeof(float));
    nlm_machine_free(machine);
}

/* A unit starts with the same values whichever other units are live. */
static void initial_values_do_not_depend_on_other_units(void **state)
{
    (void)state;
    nlm_spec all = family;
    all.outputs = 15;
    const nlm_head_spec head = {"head", 2, 3, false};
    nlm_machine *few = make(&family, &head, 1), *many = make(&all, &head, 1);
    nlm_machine_initialise(few, 7);
    nlm_machine_initialise(many, 7);
    assert_true(nlm_machine_tensors(few) < nlm_machine_tensors(many));
    for (int t = 0, same = 0; t < nlm_machine_tensors(few); t++, same++) {
        nlm_tensor left = nlm_machine_tensor(few, t);
        while (strcmp(left.name, nlm_machine_tensor(many, same).name))
            assert_true(++same < nlm_machine_tensors(many));
        assert_memory_equal(left.values, nlm_machine_tensor(many, same).values, left.count * sizeof(float));
    }
    nlm_machine_free(few);
    nlm_machine_free(many);
}

/* ---- gradients ---- */

static void the_gradient_norm_is_euclidean(void **state)
{
    (void)state;
    nlm_machine *machine = make(&family, NULL, 0);
    assert_true(nlm_machine_gradient_norm(machine) == 0.0);
    nlm_machine_tensor(machine, 0).gradients[3] = 3.0f;
    nlm_machine_tensor(machine, nlm_machine_tensors(machine) - 1).gradients[7] = -4.0f;
    assert_true(nlm_machine_gradient_norm(machine) == 5.0);
    nlm_machine_tensor(machine, 1).gradients[0] = 3e30f; /* its square is beyond float */
    assert_true(fabs(nlm_machine_gradient_norm(machine) / (double)3e30f - 1.0) < 1e-12);
    nlm_machine_zero_gradients(machine);
    assert_true(nlm_machine_gradient_norm(machine) == 0.0);
    nlm_machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_specs_are_refused),
        cmocka_unit_test(a_machine_beyond_any_memory_is_refused),
        cmocka_unit_test(bad_heads_are_refused),
        cmocka_unit_test(the_spec_and_the_heads_are_copied),
        cmocka_unit_test(the_tensors_of_the_family_machine),
        cmocka_unit_test(the_tensors_of_a_residual_machine_with_hidden_layers),
        cmocka_unit_test(the_tensors_of_a_machine_with_own_widths),
        cmocka_unit_test(parameters_are_zero_at_first),
        cmocka_unit_test(initial_values_are_uniform_within_their_bounds),
        cmocka_unit_test(a_seed_gives_the_same_bits_again),
        cmocka_unit_test(tensors_do_not_repeat_each_other),
        cmocka_unit_test(initial_values_do_not_depend_on_other_units),
        cmocka_unit_test(the_gradient_norm_is_euclidean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
