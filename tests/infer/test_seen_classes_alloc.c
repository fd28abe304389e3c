/* Classes that examples had: what is counted, kept as text and read again, what an inference says by them,
 * and that nothing is lost without memory. */
#include "test.h"
#include "failing_malloc.h"
#include "infer/seen_classes.h"
#include "nlm/nlm.h"

enum { OBJECTS = 10, WORLDS = 12 };

static nlm_machine *machine;
static nlm_world *worlds[WORLDS];

/* A machine for grandparent that has learned nothing, so that many answers are wrong. */
static int start(void **context)
{
    (void)context;
    const nlm_task *task = nlm_task_find("grandparent");
    const nlm_spec spec = {.depth = 3, .breadth = 3, .inputs = {[2] = 4}, .width = 8, .outputs = 1 << 2};
    const nlm_head_spec head = {.name = "head", .arity = 2, .outputs = 1};
    CHECK(nlm_machine_new(&spec, &head, 1, &machine, &check_error));
    nlm_machine_initialise(machine, 5);
    for (int w = 0; w < WORLDS; w++) {
        CHECK(nlm_world_new(&worlds[w], &check_error));
        CHECK(nlm_task_generate(task, NLM_WORLDS_PAPER, 9, (uint64_t)w, OBJECTS, worlds[w], &check_error));
    }
    return 0;
}

static int end(void **context)
{
    (void)context;
    nlm_machine_free(machine);
    for (int w = 0; w < WORLDS; w++)
        nlm_world_free(worlds[w]);
    return 0;
}

static nlm_status run_on(nlm_evaluator *evaluator, int world, nlm_error *error)
{
    nlm_evaluator_clear(evaluator);
    nlm_status status = nlm_evaluator_add(evaluator, worlds[world], error);
    return status ? status : nlm_evaluator_run(evaluator, false, error);
}

/* The first `count` worlds, as text. */
static nlm_status counted(int count, char **text, nlm_error *error)
{
    nlm_evaluator *evaluator = NULL;
    seen_classes *seen = NULL;
    *text = NULL;
    nlm_status status = nlm_evaluator_new(machine, NULL, &evaluator, error);
    if (!status)
        status = seen_classes_new(machine, &seen, error);
    for (int w = 0; w < count && !status; w++) {
        status = run_on(evaluator, w, error);
        if (!status)
            status = seen_classes_count(seen, evaluator, worlds[w], error);
    }
    if (!status)
        status = seen_classes_text(seen, text, error);
    seen_classes_free(seen);
    nlm_evaluator_free(evaluator);
    return status;
}

/* Tuples of a world whose class was seen; those among them that are answered otherwise than labelled. */
static void ask(const char *text, int world, int *have, int *wrong)
{
    nlm_evaluator *evaluator;
    seen_classes *seen;
    float logits[OBJECTS * OBJECTS];
    signed char labels[OBJECTS * OBJECTS];
    *have = *wrong = 0;
    CHECK(nlm_evaluator_new(machine, NULL, &evaluator, &check_error));
    CHECK(seen_classes_parse(text, "m", machine, &seen, &check_error));
    CHECK(run_on(evaluator, world, &check_error));
    CHECK(seen_classes_ask(seen, evaluator, 100, &check_error));
    assert_false(seen_classes_is_known(seen));
    CHECK(seen_classes_ask(seen, evaluator, 1e9, &check_error));
    assert_true(seen_classes_is_known(seen));
    CHECK(nlm_pass_logits(nlm_evaluator_pass(evaluator), 0, 0, logits, &check_error));
    nlm_world_all_labels(worlds[world], 0, labels);
    for (size_t t = 0; t < OBJECTS * OBJECTS; t++) {
        int tuple[2];
        if (!nlm_tuple_at(OBJECTS, 2, t, tuple) || !seen_classes_have(seen, 0, t))
            continue;
        ++*have;
        *wrong += (logits[t] > 0) != (labels[t] == NLM_TRUE);
    }
    seen_classes_free(seen);
    nlm_evaluator_free(evaluator);
}

static void what_was_answered_right_is_covered(void **context)
{
    (void)context;
    char *few, *all;
    int before = 0, after = 0;
    CHECK(counted(2, &few, &check_error));
    CHECK(counted(WORLDS - 1, &all, &check_error));
    for (int w = 0; w < WORLDS; w++) {
        int have, wrong;
        ask(few, w, &have, &wrong);
        before += have;
        assert_true(w >= 2 || wrong == 0); /* classes with a wrong answer are not kept */
        ask(all, w, &have, &wrong);
        after += have;
        assert_true(w == WORLDS - 1 || wrong == 0);
    }
    assert_true(before > 0 && after > before && after < WORLDS * OBJECTS * (OBJECTS - 1));
    free(few);
    free(all);
}

static nlm_status note(void *context, const nlm_conclusion *conclusion, nlm_error *error)
{
    int *counts = context;
    (void)error;
    counts[conclusion->coverage]++;
    assert_int_equal(conclusion->alternative, -1);
    assert_string_equal(conclusion->no_example_had, "");
    return NLM_OK;
}

static void inferences_say_so(void **context)
{
    (void)context;
    char *text;
    nlm_machine *model;
    nlm_inference *inference;
    int have, wrong, counts[3] = {0};
    nlm_coverage_count count = {0};
    CHECK(counted(2, &text, &check_error));
    const char *metadata[] = {"task", "grandparent", CLASSES_KEY, text};
    CHECK(nlm_machine_save(machine, "classes.nlm", metadata, 2, &check_error));
    CHECK(nlm_machine_load("classes.nlm", &model, &check_error));
    remove("classes.nlm");
    const nlm_inference_options options = {.coverage = true};
    CHECK(nlm_inference_new(model, "classes.nlm", &options, &inference, &check_error));
    assert_int_equal(nlm_inference_coverage(inference), NLM_COVERAGE_CLASSES);
    CHECK(nlm_inference_ask(inference, worlds[3], "", "family", &check_error));
    CHECK(nlm_inference_conclude(inference, -1, note, counts, &check_error));
    ask(text, 3, &have, &wrong);
    assert_int_equal(counts[NLM_COVERED], have);
    assert_int_equal(counts[NLM_BEYOND], OBJECTS * (OBJECTS - 1) - have);
    CHECK(nlm_inference_count_coverage(inference, &count, NULL, &check_error));
    assert_true(count.known);
    assert_int_equal(count.beyond + count.not_beyond, counts[NLM_BEYOND]);
    nlm_inference_free(inference);
    nlm_machine_free(model);
    free(text);
}

static void texts_are_read_again(void **context)
{
    (void)context;
    static const char *const bad[] = {"",
                                      "{}",
                                      "{\"worlds\": 1}",
                                      "{\"worlds\": -1, \"classes\": [\"\"]}",
                                      "{\"worlds\": 1, \"classes\": []}",
                                      "{\"worlds\": 1, \"classes\": [\"\", \"\"]}",
                                      "{\"worlds\": 1, \"classes\": [7]}",
                                      "{\"worlds\": 1, \"classes\": [\"0123\"]}",
                                      "{\"worlds\": 1, \"classes\": [\"0123456789abcdeF\"]}",
                                      "{\"worlds\": 1, \"classes\": [\"00000000000000020000000000000001\"]}",
                                      "{\"worlds\": 1, \"classes\": [\"00000000000000020000000000000002\"]}"};
    char *text, *again;
    seen_classes *seen;
    nlm_error error;
    CHECK(counted(3, &text, &check_error));
    CHECK(seen_classes_parse(text, "m", machine, &seen, &check_error));
    CHECK(seen_classes_text(seen, &again, &check_error));
    assert_string_equal(again, text);
    seen_classes_free(seen);
    free(again);
    free(text);
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_int_equal(seen_classes_parse(bad[i], "m", machine, &seen, &error), NLM_BAD_FILE);
        assert_null(seen);
        assert_memory_equal(error.message, "m: metadata 'classes_seen'", 26);
    }
}

static void without_memory(void **context)
{
    (void)context;
    char *text, *whole;
    nlm_error error;
    nlm_status status = NLM_NO_MEMORY;
    fail_jansson_too();
    CHECK(counted(2, &whole, &check_error));
    for (int n = 0; status; n++) {
        fail_allocation(n);
        status = counted(2, &text, &error);
        failing = -1;
        assert_true(!status || status == NLM_NO_MEMORY);
        assert_true(n < 100000);
    }
    assert_string_equal(text, whole);
    free(text);
    free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_answered_right_is_covered), cmocka_unit_test(inferences_say_so),
        cmocka_unit_test(texts_are_read_again), cmocka_unit_test(without_memory)};
    return cmocka_run_group_tests(tests, start, end);
}
