/* Passes and the structures they stand on: what changes in between is noticed. */
#include "test.h"
#include "nlm/nlm.h"

static void ground(nlm_batch *batch, int objects)
{
    nlm_world *world;
    assert_int_equal(nlm_world_new(&world, NULL), NLM_OK);
    assert_int_equal(
        nlm_task_generate(nlm_task_find("grandparent"), NLM_WORLDS_PAPER, 1, 0, objects, world, NULL),
        NLM_OK);
    nlm_batch_clear(batch);
    assert_int_equal(nlm_batch_add_world(batch, world, NULL), NLM_OK);
    nlm_world_free(world);
}

/* Results of a pass whose structure was built anew for a larger world would be read out of bounds. */
static void a_structure_built_anew_is_noticed(void **state)
{
    (void)state;
    nlm_spec spec = {.depth = 3, .breadth = 3, .inputs = {0, 0, 4}, .width = 4, .outputs = 1u << 2};
    nlm_head_spec head = {"head", 2, 1, false};
    nlm_machine *machine;
    nlm_batch *batch;
    nlm_structure *structure;
    nlm_pass *pass;
    nlm_error error;
    nlm_bce_result result;
    static float logits[30 * 30];
    assert_int_equal(nlm_machine_new(&spec, &head, 1, &machine, NULL), NLM_OK);
    assert_int_equal(nlm_batch_new(spec.inputs, spec.breadth, &batch, NULL), NLM_OK);
    assert_int_equal(nlm_structure_new(&structure, NULL), NLM_OK);
    assert_int_equal(nlm_pass_new(machine, &pass, NULL), NLM_OK);
    ground(batch, 3);
    assert_int_equal(nlm_structure_build(structure, machine, batch, NULL, NULL), NLM_OK);
    assert_int_equal(nlm_pass_forward(pass, structure, true, NULL), NLM_OK);
    assert_int_equal(nlm_pass_logits(pass, 0, 0, logits, NULL), NLM_OK);
    ground(batch, 30);
    assert_int_equal(nlm_structure_build(structure, machine, batch, NULL, NULL), NLM_OK);
    assert_int_equal(nlm_pass_logits(pass, 0, 0, logits, &error), NLM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "built anew"));
    assert_int_equal(nlm_pass_bce(pass, 0, 0, 0, 1.0, &result, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_pass_backward(pass, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_pass_forward(pass, structure, false, NULL), NLM_OK);
    assert_int_equal(nlm_pass_logits(pass, 0, 0, logits, NULL), NLM_OK);
    nlm_pass_free(pass);
    nlm_structure_free(structure);
    nlm_batch_free(batch);
    nlm_machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_structure_built_anew_is_noticed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
