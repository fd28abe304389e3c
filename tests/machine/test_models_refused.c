/* Machines of other models that cannot be, and passes that they do not make: each is refused in one line. */
#include "machine/others.h"

static void assert_refused(const nlm_spec *spec, const nlm_head_spec *heads, int count, const char *cause)
{
    nlm_machine *machine = (nlm_machine *)&cause;
    nlm_error error;
    const nlm_status status = nlm_machine_new(spec, heads, count, &machine, &error);
    if (status != NLM_BAD_ARGUMENT)
        fail_msg("status %d instead of a refusal: %s", status, cause);
    assert_null(machine);
    assert_int_equal(error.status, NLM_BAD_ARGUMENT);
    if (!strstr(error.message, cause))
        fail_msg("\"%s\" does not say \"%s\"", error.message, cause);
    assert_int_equal(nlm_machine_new(spec, heads, count, &machine, NULL), NLM_BAD_ARGUMENT);
}

/* Settings with one of them changed. */
#define WITH(of, ...) (spec = others[of].spec, __VA_ARGS__, &spec)

static void models_that_cannot_be_are_refused(void **state)
{
    (void)state;
    nlm_spec spec;
    const nlm_head_spec *heads = others[MEMNN].heads, *head = others[DILP].heads;
    assert_refused(WITH(MEMNN, spec.model = "memm"), heads, 2, "there is no model 'memm'");
    assert_refused(WITH(MEMNN, spec.model = ""), heads, 2, "there is no model ''");
    assert_refused(WITH(MEMNN, spec.model = "nlm"), heads, 2, "there is no model 'nlm'");
    assert_refused(WITH(MEMNN, spec.inputs[1] = 12, spec.sense = "lenet"), heads, 2,
                   "the model 'memnn' has no senses");
    assert_refused(WITH(DILP, spec.inputs[1] = 12, spec.sense = "lenet"), head, 1,
                   "the model 'dilp' has no senses");
    assert_refused(WITH(MEMNN, spec.inputs[0] = 1), heads, 2,
                   "no place for predicates without arguments, and there is 1");
    assert_refused(WITH(MEMNN, spec.breadth = 3, spec.inputs[3] = 1), heads, 2, "arity 1 and 2, not 3");
    assert_refused(WITH(MEMNN, spec.width = 0), heads, 2, "width 0 is not in 1..4096");
    assert_refused(WITH(MEMNN, spec.depth = 0), heads, 2, "depth 0 is not in 1..64");
    assert_refused(WITH(MEMNN, spec.own_widths = true), heads, 2, "one width, not one per unit");
    assert_refused(WITH(DILP, spec.program = NULL), head, 1,
                   "differentiable ILP needs a program with a target");
    assert_refused(WITH(DILP, spec.inputs[1] = 2), head, 1,
                   "the program is given 1 predicates of arity 1, but there are 2 inputs of it");
    assert_refused(WITH(DILP, spec.breadth = 3, spec.inputs[3] = 1), head, 1, "but there are 1 inputs of it");
}

static void programs_are_for_differentiable_ilp(void **state)
{
    (void)state;
    nlm_spec spec;
    assert_refused(WITH(MEMNN, spec.program = &program), others[MEMNN].heads, 2, "a program");
    assert_refused(WITH(DILP, spec.model = NULL), others[DILP].heads, 1, "a program");
}

/* Programs of nothing, before anything is copied. */
static void programs_without_names_or_counts_are_refused(void **state)
{
    (void)state;
    const nlm_given unnamed[] = {{NULL, 0, false}, {"red", 1, false}, {"edge", 2, false}};
    const nlm_definition nameless = {.arity = 2, .templates = 1};
    const nlm_program_template bad[] = {
        {-1, 2, given, defined, false},  {4, -1, given, defined, false}, {4, 0, given, NULL, false},
        {1, 1, NULL, defined, false},    {0, 1, NULL, NULL, false},      {3, 2, unnamed, defined, false},
        {4, 1, given, &nameless, false},
    };
    nlm_spec spec;
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_refused(WITH(DILP, spec.program = &bad[i]), others[DILP].heads, 1,
                       i < 5 ? "differentiable ILP needs a program with a target" : "has no name");
}

static void heads_that_a_model_does_not_have_are_refused(void **state)
{
    (void)state;
    static const nlm_head_spec bad[][2] = {
        {{"head", 0, 1, false}}, {{"head", 3, 1, false}},  {{"head", -1, 1, false}},
        {{"head", 2, 0, false}}, {{"head", 1, 1, true}},   {{"a", 1, 1, false}, {"a", 2, 1, false}},
        {{"", 1, 1, false}},     {{"head", 99, 1, false}},
    };
    static const char *const causes[] = {
        "head 'head' answers about 0 objects, which is not wanted",
        "head 'head' answers about 3 objects, which is not wanted",
        "head 'head' answers about -1 objects, which is not wanted",
        "head 'head': 0 outputs are not in 1..4096",
        "head 'head' is a twin head: its arity is 2, not 1",
        "two heads are called 'a'",
        "head 0 has no usable name",
        "head 'head' answers about 99 objects, which is not wanted",
    };
    nlm_spec spec;
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_refused(&others[MEMNN].spec, bad[i], i == 5 ? 2 : 1, causes[i]);
    assert_refused(WITH(MEMNN, spec.outputs = 2), others[MEMNN].heads, 2,
                   "head 'pair' answers about 2 objects, which is not wanted");
    assert_refused(WITH(TWINS, spec.outputs = 4), others[TWINS].heads, 1,
                   "head 'move' answers about 2 objects, which is not wanted");
    assert_refused(WITH(MEMNN, spec.outputs = 7), bad[0], 1, "targets of arity 1 and 2, not 0");
    assert_refused(&others[MEMNN].spec, NULL, 1, "1 heads are not given (NULL)");
    assert_refused(&others[MEMNN].spec, others[MEMNN].heads, 9, "9 heads are not in 0..8");
    assert_refused(&others[DILP].spec, others[DILP].heads, 0, "one head, with one output");
    assert_refused(&others[DILP].spec, others[MEMNN].heads, 1, "one head, with one output");
    assert_refused(WITH(DILP, spec.outputs = 6), &others[MEMNN].heads[1], 1,
                   "the program defines joined/2, but the head has arity 1");
    assert_refused(WITH(DILP, spec.outputs = 6), others[TWINS].heads, 1, "one head, with one output");
}

/* Two tensors of one name could be saved, and never be loaded. */
static void heads_with_the_name_of_a_tensor_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"memnn.query", "memnn.key.0", "layer.0", "sense.x"};
    for (size_t i = 0; i < COUNT(names); i++) {
        const nlm_head_spec head = {names[i], 1, 1, false};
        assert_refused(&others[MEMNN].spec, &head, 1, "head 0 has no usable name");
    }
}

/* ---- passes ---- */

static fixture f;

static void inputs_have_no_gradients(void **state)
{
    (void)state;
    float numbers_of_it[MOST_NUMBERS];
    for (int m = 0; m < OTHERS; m++) {
        nlm_error error;
        char wanted[80];
        start(&f, &others[m], 0, 1, (nlm_options){.input_gradients = true});
        assert_int_equal(nlm_pass_forward(f.pass, f.structure, true, &error), NLM_BAD_ARGUMENT);
        snprintf(wanted, sizeof wanted, "the model '%s' has no gradients of its inputs",
                 others[m].spec.model);
        assert_string_equal(error.message, wanted);
        assert_int_equal(nlm_pass_logits(f.pass, 0, 0, numbers_of_it, NULL), NLM_BAD_ARGUMENT);
        f.options.input_gradients = false;
        build(&f);
        forward(&f, true);
        finish(&f);
    }
}

/* Nor has it groups of outputs. */
static void there_are_no_outputs_but_logits(void **state)
{
    (void)state;
    float output[MOST_NUMBERS] = {0};
    for (int m = 0; m < OTHERS; m++) {
        start(&f, &others[m], 0, 1, (nlm_options){0});
        forward(&f, true);
        for (int r = 0; r <= MOST_ARITY; r++) {
            assert_int_equal(nlm_machine_output_width(f.machine, r), 0);
            assert_int_equal(nlm_pass_output(f.pass, 0, r, output, NULL), NLM_BAD_ARGUMENT);
            assert_int_equal(nlm_pass_add_output_gradient(f.pass, 0, r, output, NULL), NLM_BAD_ARGUMENT);
            for (int i = 0; i <= others[m].spec.depth; i++)
                assert_false(nlm_machine_unit_live(f.machine, i, r));
        }
        finish(&f);
    }
}

static void structures_of_other_machines_are_refused(void **state)
{
    (void)state;
    static fixture g;
    nlm_error error;
    start(&f, &others[MEMNN], 0, 1, (nlm_options){0});
    for (int m = TWINS; m < OTHERS; m++) {
        start(&g, &others[m], 0, 1, (nlm_options){0});
        assert_int_equal(nlm_pass_forward(f.pass, g.structure, false, &error), NLM_BAD_SHAPE);
        assert_string_equal(error.message, "the structure was built for a machine of another spec");
        assert_int_equal(nlm_pass_forward(g.pass, f.structure, false, &error), NLM_BAD_SHAPE);
        finish(&g);
    }
    finish(&f);
}

/* A machine without units whose levels are those of a memory network, but lifted. */
static void a_lifted_structure_is_refused(void **state)
{
    (void)state;
    const nlm_spec own = {
        .depth = 1, .breadth = 1, .inputs = {0, 1}, .own_widths = true, .residual = true, .outputs = 2};
    const other model = {"memnn",
                         {.model = "memnn",
                          .depth = 1,
                          .breadth = 1,
                          .inputs = {0, 1},
                          .width = 2,
                          .residual = true,
                          .outputs = 2},
                         1,
                         {{"head", 1, 1, false}},
                         0};
    nlm_machine *machine;
    nlm_structure *structure;
    start(&f, &model, 0, 1, (nlm_options){0});
    CHECK(nlm_machine_new(&own, NULL, 0, &machine, &check_error));
    CHECK(nlm_structure_new(&structure, &check_error));
    CHECK(nlm_structure_build(structure, machine, f.batch, NULL, &check_error));
    assert_int_equal(nlm_pass_forward(f.pass, structure, false, NULL), NLM_BAD_SHAPE);
    nlm_structure_free(structure);
    nlm_machine_free(machine);
    finish(&f);
}

static void worlds_that_a_model_cannot_read_are_refused(void **state)
{
    (void)state;
    nlm_error error;
    start(&f, &others[DILP], 0, 2, (nlm_options){0});
    f.world[1].inputs[2][1] = 1.25f;
    build(&f);
    assert_int_equal(nlm_pass_forward(f.pass, f.structure, false, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message,
                        "edge/2 has the value 1.25; differentiable ILP takes values from 0 to 1");
    finish(&f);
    start(&f, &others[TWINS], 0, 1, (nlm_options){0});
    f.world[0].objects = 5;
    build(&f);
    assert_int_equal(nlm_pass_forward(f.pass, f.structure, false, &error), NLM_BAD_SHAPE);
    finish(&f);
}

/* Names have eight bits. */
static void a_memory_network_names_255_objects(void **state)
{
    (void)state;
    static float inputs[256];
    const float *tensors[NLM_MAX_BREADTH + 1] = {NULL, inputs};
    const other small = {
        "memnn",
        {.model = "memnn", .depth = 1, .breadth = 1, .inputs = {0, 1}, .width = 1, .outputs = 2},
        1,
        {{"head", 1, 1, false}},
        0};
    for (int objects = 255; objects <= 256; objects++) {
        nlm_error error = {0};
        start(&f, &small, 0, 1, (nlm_options){0});
        nlm_batch_clear(f.batch);
        CHECK(nlm_batch_add_tensors(f.batch, objects, tensors, &check_error));
        CHECK(nlm_structure_build(f.structure, f.machine, f.batch, NULL, &check_error));
        const nlm_status status = nlm_pass_forward(f.pass, f.structure, false, &error);
        assert_int_equal(status == NLM_OK, objects == 255);
        if (status) {
            assert_non_null(strstr(error.message, "256"));
            assert_non_null(strstr(error.message, "255"));
        }
        finish(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_that_cannot_be_are_refused),
        cmocka_unit_test(programs_are_for_differentiable_ilp),
        cmocka_unit_test(programs_without_names_or_counts_are_refused),
        cmocka_unit_test(heads_that_a_model_does_not_have_are_refused),
        cmocka_unit_test(heads_with_the_name_of_a_tensor_are_refused),
        cmocka_unit_test(inputs_have_no_gradients),
        cmocka_unit_test(there_are_no_outputs_but_logits),
        cmocka_unit_test(structures_of_other_machines_are_refused),
        cmocka_unit_test(a_lifted_structure_is_refused),
        cmocka_unit_test(worlds_that_a_model_cannot_read_are_refused),
        cmocka_unit_test(a_memory_network_names_255_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
