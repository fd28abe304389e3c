/* Memory of machines with a sense: whichever allocation fails, the call says so; what failed half way is not
 * taken for whole; and everything can be tried again.
 *
 * (That a step whose sizes were seen allocates nothing is in test_engine_alloc.c.) */
#include "failing_malloc.h"
#include "machine/senses.h"

/* What a story has so far; it is told again from where it broke off. */
typedef struct story {
    nlm_world *worlds[SEEN_WORLDS];
    seer made;
    int grounded;
    bool built, judging; /* the loss is being computed */
} story;

static nlm_status prepare(story *s, nlm_error *error)
{
    nlm_status status = NLM_OK;
    if (!s->made.machine) {
        status = nlm_machine_new(&seeing_specs[0], &seeing_head, 1, &s->made.machine, error);
        if (!status)
            nlm_machine_initialise(s->made.machine, 5);
    }
    if (!status && !s->made.batch)
        status = nlm_batch_for(s->made.machine, &s->made.batch, error);
    for (; !status && s->grounded < SEEN_WORLDS; s->grounded += !status)
        status = nlm_batch_add_world(s->made.batch, s->worlds[s->grounded], error);
    if (!status && !s->made.structure)
        status = nlm_structure_new(&s->made.structure, error);
    if (!status && !s->built) {
        const nlm_options options = {.threads = 2};
        status = nlm_structure_build(s->made.structure, s->made.machine, s->made.batch, &options, error);
        s->built = !status;
    }
    if (!status && !s->made.pass)
        status = nlm_pass_new(s->made.machine, &s->made.pass, error);
    return status;
}

/* Gradients of the loss of the labels. */
static nlm_status step(story *s, nlm_bce_result *result, nlm_error *error)
{
    nlm_status status = prepare(s, error);
    if (!status)
        status = nlm_pass_forward(s->made.pass, s->made.structure, true, error);
    s->judging = !status;
    if (!status)
        status = nlm_pass_bce(s->made.pass, 0, 0, 0, 1.0, result, error);
    if (status)
        return status;
    s->judging = false;
    return nlm_pass_backward(s->made.pass, error);
}

static void begin(story *s)
{
    memset(s, 0, sizeof *s);
    for (int w = 0; w < SEEN_WORLDS; w++)
        s->worlds[w] = seen_world(&seeing_specs[0], w, NULL);
}

static void end(story *s)
{
    free_seer(&s->made);
    for (int w = 0; w < SEEN_WORLDS; w++)
        nlm_world_free(s->worlds[w]);
}

/* Nothing of a step that failed is in the gradients, and its results are not to be had. */
static void check_unfinished(story *s)
{
    float logits[SEEN_MOST];
    if (s->made.machine)
        assert_true(nlm_machine_gradient_norm(s->made.machine) == 0);
    if (s->made.pass && !s->judging)
        assert_int_equal(nlm_pass_logits(s->made.pass, 0, 0, logits, NULL), NLM_BAD_ARGUMENT);
}

static void assert_same_gradients(nlm_machine *a, nlm_machine *b)
{
    for (int t = 0; t < nlm_machine_tensors(a); t++) {
        nlm_tensor left = nlm_machine_tensor(a, t), right = nlm_machine_tensor(b, t);
        assert_memory_equal(left.gradients, right.gradients, left.count * sizeof(float));
    }
}

static void each_failing_allocation_is_survived(void **state)
{
    (void)state;
    static story expected, tried;
    nlm_bce_result wanted, found;
    begin(&expected);
    CHECK(step(&expected, &wanted, &check_error));
    assert_true(nlm_machine_gradient_norm(expected.made.machine) > 0);
    int number = 0;
    for (bool failed = true; failed; number++) {
        nlm_error error = {NLM_OK, ""};
        begin(&tried);
        fail_allocation(number);
        nlm_status status = step(&tried, &found, &error);
        failed = allocation_failed();
        fail_allocation(-1);
        assert_int_equal(status, failed ? NLM_NO_MEMORY : NLM_OK);
        if (failed) {
            assert_int_equal(error.status, NLM_NO_MEMORY);
            assert_non_null(strstr(error.message, "memory"));
            check_unfinished(&tried);
            CHECK(step(&tried, &found, &check_error));
        }
        assert_memory_equal(&found, &wanted, sizeof found);
        assert_same_gradients(tried.made.machine, expected.made.machine);
        end(&tried);
    }
    end(&expected);
    assert_true(number > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
