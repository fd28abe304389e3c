/* Memory of machines of other models: whichever allocation fails, the call says so; what failed half way is
 * not taken for whole; and everything can be tried again. */
#include <unistd.h>
#include "failing_malloc.h"
#include "machine/others.h"

/* What a story has so far; it is told again from where it broke off. */
typedef struct story {
    const other *of;
    nlm_machine *machine, *loaded;
    nlm_batch *batch;
    nlm_structure *structure;
    nlm_pass *pass;
    int grounded;
    bool built, judging; /* the loss is being computed */
    nlm_bce_result result;
} story;

static numbers worlds[WORLDS];

static nlm_status prepare(story *s, nlm_error *error)
{
    nlm_status status = NLM_OK;
    if (!s->machine) {
        status = nlm_machine_new(&s->of->spec, s->of->heads, s->of->head_count, &s->machine, error);
        if (!status)
            nlm_machine_initialise(s->machine, 5);
    }
    if (!status && !s->batch)
        status = nlm_batch_for(s->machine, &s->batch, error);
    for (; !status && s->grounded < WORLDS; s->grounded += !status) {
        if (nlm_batch_worlds(s->batch) > s->grounded) { /* its labels are missing */
            nlm_batch_clear(s->batch);
            s->grounded = 0;
        }
        status = add_numbers(s->batch, s->of, &worlds[s->grounded], error);
    }
    if (!status && !s->structure)
        status = nlm_structure_new(&s->structure, error);
    if (!status && !s->built) {
        const nlm_options options = {.threads = 2};
        status = nlm_structure_build(s->structure, s->machine, s->batch, &options, error);
        s->built = !status;
    }
    if (!status && !s->pass)
        status = nlm_pass_new(s->machine, &s->pass, error);
    return status;
}

/* Gradients of the loss of the labels. */
static nlm_status step(story *s, nlm_error *error)
{
    nlm_status status = prepare(s, error);
    if (!status)
        status = nlm_pass_forward(s->pass, s->structure, true, error);
    s->judging = !status;
    if (!status)
        status = nlm_pass_bce(s->pass, s->of->judged, 0, 0, 1.0, &s->result, error);
    if (status)
        return status;
    s->judging = false;
    return nlm_pass_backward(s->pass, error);
}

static void end(story *s)
{
    nlm_pass_free(s->pass);
    nlm_structure_free(s->structure);
    nlm_batch_free(s->batch);
    nlm_machine_free(s->machine);
    nlm_machine_free(s->loaded);
    *s = (story){.of = s->of};
}

/* Nothing of a step that failed is in the gradients, and its results are not to be had. */
static void check_unfinished(story *s)
{
    float logits[MOST_NUMBERS];
    if (s->machine)
        assert_true(nlm_machine_gradient_norm(s->machine) == 0);
    if (s->pass && !s->judging)
        assert_int_equal(nlm_pass_logits(s->pass, 0, 0, logits, NULL), NLM_BAD_ARGUMENT);
}

static void assert_no_memory(nlm_status status, const nlm_error *error)
{
    assert_int_equal(status, NLM_NO_MEMORY);
    assert_int_equal(error->status, NLM_NO_MEMORY);
    assert_non_null(strstr(error->message, "memory"));
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
    story expected = {.of = *state}, tried = {.of = *state};
    for (int w = 0; w < WORLDS; w++)
        draw_numbers(&worlds[w], world_objects[w], (uint64_t)w);
    CHECK(step(&expected, &check_error));
    assert_true(nlm_machine_gradient_norm(expected.machine) > 0);
    int number = 0;
    for (bool failed = true; failed; number++) {
        nlm_error error = {NLM_OK, ""};
        fail_allocation(number);
        nlm_status status = step(&tried, &error);
        failed = allocation_failed();
        fail_allocation(-1);
        if (failed) {
            assert_no_memory(status, &error);
            check_unfinished(&tried);
            CHECK(step(&tried, &check_error));
        }
        assert_memory_equal(&tried.result, &expected.result, sizeof tried.result);
        assert_same_gradients(tried.machine, expected.machine);
        end(&tried);
    }
    end(&expected);
    assert_true(number > 30);
}

/* A step whose sizes were seen allocates nothing. */
static void the_same_worlds_need_no_more_memory(void **state)
{
    story s = {.of = *state};
    CHECK(step(&s, &check_error));
    CHECK(step(&s, &check_error));
    fail_allocation(0);
    CHECK(nlm_structure_build(s.structure, s.machine, s.batch, &(nlm_options){.threads = 2}, &check_error));
    CHECK(step(&s, &check_error));
    assert_false(allocation_failed());
    fail_allocation(-1);
    end(&s);
}

/* ---- files ---- */

static nlm_status save_it(story *s, const char *path, nlm_error *error)
{
    return nlm_machine_save(s->machine, path, NULL, 0, error);
}

static nlm_status load_it(story *s, const char *path, nlm_error *error)
{
    return nlm_machine_load(path, &s->loaded, error);
}

/* Until it needs fewer allocations than the number of the failing one. */
static int repeat(story *s, nlm_status (*call)(story *, const char *, nlm_error *), const char *path)
{
    int number = 0;
    for (bool failed = true; failed; number++) {
        nlm_error error = {NLM_OK, ""};
        fail_allocation(number);
        nlm_status status = call(s, path, &error);
        failed = allocation_failed();
        fail_allocation(-1);
        assert_int_equal(status != NLM_OK, failed);
        if (failed) { /* Jansson does not always tell what it could not do */
            assert_int_equal(error.status, status);
            assert_true(error.message[0] != 0);
        }
        if (failed && call == load_it)
            assert_null(s->loaded);
        if (failed && call == save_it)
            assert_int_not_equal(access(path, F_OK), 0);
    }
    return number;
}

static void files_survive_each_failing_allocation(void **state)
{
    story s = {.of = *state};
    char folder[] = "/tmp/nlm-test-models-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/model", folder);
    CHECK(prepare(&s, &check_error));
    assert_true(repeat(&s, save_it, path) > 30);
    assert_true(repeat(&s, load_it, path) > 60);
    for (int t = 0; t < nlm_machine_tensors(s.machine); t++) {
        nlm_tensor left = nlm_machine_tensor(s.machine, t), right = nlm_machine_tensor(s.loaded, t);
        assert_memory_equal(left.values, right.values, left.count * sizeof(float));
    }
    end(&s);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0); /* nothing else was left behind */
}

#define OF(test, index)                                                                                      \
    {                                                                                                        \
#test ": " #index, test, NULL, NULL, (void *)&others[index]                                          \
    }

int main(void)
{
    fail_jansson_too();
    const struct CMUnitTest tests[] = {
        OF(each_failing_allocation_is_survived, MEMNN),   OF(each_failing_allocation_is_survived, TWINS),
        OF(each_failing_allocation_is_survived, DILP),    OF(the_same_worlds_need_no_more_memory, MEMNN),
        OF(the_same_worlds_need_no_more_memory, TWINS),   OF(the_same_worlds_need_no_more_memory, DILP),
        OF(files_survive_each_failing_allocation, MEMNN), OF(files_survive_each_failing_allocation, TWINS),
        OF(files_survive_each_failing_allocation, DILP),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
