/* Covered or not: what an inference says of each tuple is what all alternatives, evaluated one by one, say;
 * questions come in their order; without memory, or without alternatives, it is not known. */
#include "test.h"
#include "failing_malloc.h"
#include "infer/coverage.h"
#include "infer/model_program.h"
#include "logic/alternatives.h"
#include "logic/seen_rows.h"
#include "nlm/nlm.h"
#include "random_program.h"

enum { OBJECTS = 7, TUPLES = OBJECTS * OBJECTS, WORLDS = 8, ALTERNATIVES = 11 };

static random_choices choices = {.state = 1, .variables = 3, .depth = 3};

static const char rules[] = "grandparent(X, Y) :- father(X, Z), father(Z, Y).";
static const char *const others[ALTERNATIVES] = {
    "grandparent(X, Y) :- mother(X, Z), father(Z, Y).",
    "grandparent(X, Y) :- father(X, Z), father(Z, Y), mother(X, _).",
    "grandparent(X, Y) :- father(X, Z), mother(Z, Y).",
    "grandparent(X, Y) :- son(Z, X), father(Z, Y).",
    "grandparent(X, Y) :- father(X, Z), p(Z, Y). p(X, Y) :- father(X, Y). p(X, Y) :- mother(X, Y).",
    "grandparent(X, Y) :- father(X, Z), father(Z, Y), \\\\+ father(X, Y).",
    "grandparent(X, Y) :- father(X, Z), father(Z, Y), \\\\+ mother(X, Y).",
    "grandparent(X, Y) :- father(X, Z), father(Z, Y), \\\\+ son(X, Y).",
    "grandparent(X, Y) :- father(X, Z), father(Z, Y), daughter(_, _).",
    "grandparent(X, Y) :- father(X, Z), father(Z, Y), son(_, _).",
    "grandparent(X, Y) :- father(X, Z), father(Z, Y). grandparent(X, Y) :- son(X, Y), daughter(X, Y)."};

static nlm_signature *signature;
static nlm_program *program;
static nlm_machine *model, *broken, *plain;

/* The compiled rules, with that text under a key. */
static nlm_machine *make_model_with(const char *key, const char *text)
{
    const char *metadata[] = {"task", "grandparent", RULES_KEY, rules, key, text};
    nlm_machine *machine;
    CHECK(nlm_program_compile(program, 0, &machine, &check_error));
    CHECK(nlm_machine_save(machine, "coverage.nlm", metadata, text ? 3 : 2, &check_error));
    nlm_machine_free(machine);
    CHECK(nlm_machine_load("coverage.nlm", &machine, &check_error));
    remove("coverage.nlm");
    return machine;
}

static nlm_machine *make_model(const char *text)
{
    return make_model_with(ALTERNATIVES_KEY, text);
}

static int start(void **context)
{
    static char text[1 << 14] = "{\"worlds\": 9, \"alternatives\": [";
    (void)context;
    CHECK(nlm_signature_of_task(nlm_task_find("grandparent"), &signature, &check_error));
    const nlm_program_reading reading = {.signature = signature};
    CHECK(nlm_program_parse(rules, sizeof rules - 1, "rules", &reading, &program, &check_error));
    for (int i = 0; i < ALTERNATIVES; i++) {
        strcat(strcat(strcat(text, i ? ", " : ""), "{\"target\": 0, \"rules\": \""), others[i]);
        strcat(text, "\"}");
    }
    strcat(text, "]}");
    model = make_model(text);
    broken = make_model("{\"worlds\": 9}");
    plain = make_model(NULL);
    return 0;
}

static int end(void **context)
{
    (void)context;
    nlm_machine_free(model);
    nlm_machine_free(broken);
    nlm_machine_free(plain);
    nlm_program_free(program);
    nlm_signature_free(signature);
    return 0;
}

/* ---- the definition ---- */

typedef struct answers {
    signed char own[TUPLES];
    uint32_t differ[TUPLES]; /* bit i: alternative i */
    nlm_world *world;
    size_t heard;
    int last_score;
} answers;

static nlm_alternatives *list;

static void evaluate(nlm_world *world, answers *made)
{
    signed char other[TUPLES];
    *made = (answers){.world = world, .last_score = ALTERNATIVES};
    CHECK(nlm_program_evaluate(program, world, 0, made->own, &check_error));
    for (int i = 0; i < ALTERNATIVES; i++) {
        CHECK(nlm_program_evaluate(nlm_alternatives_at(list, i)->rules, world, 0, other, &check_error));
        for (int t = 0; t < TUPLES; t++)
            made->differ[t] |= (uint32_t)(other[t] != made->own[t]) << i;
    }
}

static nlm_status hear(void *context, const nlm_conclusion *conclusion, nlm_error *error)
{
    answers *expected = context;
    const int t = conclusion->tuple[0] * OBJECTS + conclusion->tuple[1];
    (void)error;
    assert_int_equal(conclusion->probability > 0.5, expected->own[t]);
    assert_int_equal(conclusion->coverage, expected->differ[t] ? NLM_BEYOND : NLM_COVERED);
    assert_int_equal(conclusion->alternative, expected->differ[t] ? __builtin_ctz(expected->differ[t]) : -1);
    expected->heard++;
    return NLM_OK;
}

static nlm_status hear_question(void *context, const nlm_question *question, nlm_error *error)
{
    answers *expected = context;
    const int t = question->tuple[0] * OBJECTS + question->tuple[1];
    const int against = __builtin_popcount(expected->differ[t]), with = 1 + ALTERNATIVES - against;
    const int score = against < with ? against : with;
    (void)error;
    assert_true(against > 0 && score <= expected->last_score);
    assert_int_equal(question->others, against);
    assert_int_equal(question->alternatives, ALTERNATIVES);
    assert_int_equal(question->concluded, expected->own[t]);
    assert_ptr_not_equal(question->other, NULL);
    for (int earlier = 0; earlier < t; earlier++)
        assert_true(expected->differ[earlier] != expected->differ[t]);
    expected->last_score = score;
    expected->heard++;
    return NLM_OK;
}

/* ---- tests ---- */

static nlm_inference *begin(nlm_machine *machine, double memory, bool covered)
{
    nlm_inference *inference;
    const nlm_inference_options options = {.memory = memory, .coverage = covered};
    CHECK(nlm_inference_new(machine, "m.nlm", &options, &inference, &check_error));
    return inference;
}

static void as_defined(void **context)
{
    (void)context;
    nlm_inference *inference = begin(model, 0, true);
    list = (nlm_alternatives *)nlm_inference_alternatives(inference);
    assert_int_equal(nlm_alternatives_count(list), ALTERNATIVES);
    size_t beyond_all = 0;
    for (int w = 0; w < WORLDS; w++) {
        answers expected;
        nlm_coverage_count count = {0};
        size_t first[ALTERNATIVES] = {0}, firsts = 0, sets = 0, concluded = 0, beyond = 0, open = 0;
        evaluate(random_world(&choices, program, OBJECTS, 100 / (2 + w % 4)), &expected);
        CHECK(nlm_inference_ask(inference, expected.world, "", "w", &check_error));
        CHECK(nlm_inference_conclude(inference, -1, hear, &expected, &check_error));
        assert_int_equal(expected.heard, OBJECTS * (OBJECTS - 1));
        CHECK(nlm_inference_count_coverage(inference, &count, first, &check_error));
        for (int t = 0; t < TUPLES; t++) {
            bool is_new = expected.differ[t] != 0;
            concluded += expected.own[t] == 1;
            beyond += expected.own[t] && expected.differ[t];
            open += !expected.own[t] && expected.differ[t];
            for (int earlier = 0; earlier < t; earlier++)
                is_new &= expected.differ[earlier] != expected.differ[t];
            sets += is_new;
        }
        for (int i = 0; i < ALTERNATIVES; i++)
            firsts += first[i];
        assert_true(count.known && count.concluded == concluded && count.beyond == beyond);
        assert_int_equal(count.concluded + count.not_concluded, OBJECTS * (OBJECTS - 1));
        assert_int_equal(count.not_beyond, open);
        assert_int_equal(firsts, beyond + open);
        expected.heard = 0;
        CHECK(nlm_inference_questions(inference, 1000, hear_question, &expected, &check_error));
        assert_int_equal(expected.heard, sets);
        expected.heard = 0;
        expected.last_score = ALTERNATIVES;
        CHECK(nlm_inference_questions(inference, 2, hear_question, &expected, &check_error));
        assert_int_equal(expected.heard, sets < 2 ? sets : 2);
        beyond_all += beyond;
        nlm_world_free(expected.world);
    }
    assert_true(beyond_all > 10);
    nlm_inference_free(inference);
}

/* ---- rows ---- */

static nlm_status hear_rows(void *context, const nlm_conclusion *conclusion, nlm_error *error)
{
    const signed char *open = context;
    const int t = conclusion->tuple[0] * OBJECTS + conclusion->tuple[1];
    (void)error;
    assert_int_equal(conclusion->coverage, open[t] ? NLM_BEYOND : NLM_COVERED);
    assert_int_equal(conclusion->alternative, -1);
    assert_true(open[t] || *conclusion->no_example_had == '\0');
    return NLM_OK;
}

/* Where the two programs around the rules differ, with rows of one world in which nobody has a father and a
 * grandfather. */
static void by_rows(void **context)
{
    (void)context;
    nlm_world *world = random_world(&choices, program, OBJECTS, 0);
    signed char least[TUPLES], most[TUPLES];
    formula bound[2];
    size_t beyond = 0, expected = 0;
    rows *of;
    truth *group;
    char *text;
    CHECK(rows_new(program, &of, &check_error));
    CHECK(truth_new(rows_program(of), 1 << 20, &group, &check_error));
    CHECK(nlm_world_add_fact(world, nlm_world_find_predicate(world, "father", 2), (const int[]){0, 1}, 1,
                             &check_error));
    CHECK(truth_add_world(group, world, &check_error));
    CHECK(rows_count(of, group, &check_error));
    truth_free(group);
    nlm_world_free(world);
    CHECK(rows_text(of, &text, &check_error));
    nlm_machine *machine = make_model_with(ROWS_KEY, text);
    nlm_inference *inference = begin(machine, 0, true);
    assert_int_equal(nlm_inference_coverage(inference), NLM_COVERAGE_RULES);
    CHECK(rows_bounds(of, 0, &bound[0], &bound[1], &check_error));
    for (int w = 0; w < WORLDS; w++) {
        nlm_coverage_count count = {0};
        world = random_world(&choices, program, OBJECTS, 10);
        CHECK(truth_new(rows_program(of), 1 << 20, &group, &check_error));
        CHECK(truth_add_world(group, world, &check_error));
        CHECK(truth_values(group, bound[0], 2, 0, least, &check_error));
        CHECK(truth_values(group, bound[1], 2, 0, most, &check_error));
        for (int t = 0; t < TUPLES; t++)
            expected += (least[t] ^= most[t]) != 0;
        CHECK(nlm_inference_ask(inference, world, "", "w", &check_error));
        CHECK(nlm_inference_conclude(inference, -1, hear_rows, least, &check_error));
        CHECK(nlm_inference_count_coverage(inference, &count, NULL, &check_error));
        beyond += count.beyond + count.not_beyond;
        assert_int_equal(nlm_inference_never_seen(inference, 0, 0) != NULL,
                         count.beyond + count.not_beyond > 0);
        truth_free(group);
        nlm_world_free(world);
    }
    assert_true(expected > 10);
    assert_int_equal(beyond, expected);
    rows_free(of);
    free(text);
    nlm_inference_free(inference);
    nlm_machine_free(machine);
    nlm_machine *wrong = make_model_with(ROWS_KEY, "{}");
    nlm_error error;
    assert_int_equal(
        nlm_inference_new(wrong, "m.nlm", &(nlm_inference_options){.coverage = true}, &inference, &error),
        NLM_BAD_FILE);
    nlm_machine_free(wrong);
}

static nlm_status hear_unknown(void *context, const nlm_conclusion *conclusion, nlm_error *error)
{
    (void)error;
    ++*(int *)context;
    assert_int_equal(conclusion->coverage, NLM_COVERAGE_UNKNOWN);
    assert_int_equal(conclusion->alternative, -1);
    return NLM_OK;
}

static nlm_status hear_nothing(void *context, const nlm_question *question, nlm_error *error)
{
    (void)context, (void)question, (void)error;
    fail();
    return NLM_OK;
}

static void not_known(void **context)
{
    (void)context;
    nlm_world *world = random_world(&choices, program, OBJECTS, 50);
    const struct {
        nlm_machine *machine;
        double memory;
        bool coverage;
    } cases[] = {{model, 0, false}, {plain, 0, true}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        nlm_inference *inference = begin(cases[i].machine, cases[i].memory, cases[i].coverage);
        nlm_coverage_count count = {.known = true};
        int heard = 0;
        CHECK(nlm_inference_ask(inference, world, "", "w", &check_error));
        CHECK(nlm_inference_conclude(inference, 0.5, hear_unknown, &heard, &check_error));
        CHECK(nlm_inference_count_coverage(inference, &count, NULL, &check_error));
        CHECK(nlm_inference_questions(inference, 5, hear_nothing, NULL, &check_error));
        assert_true(heard > 0 && !count.known && count.beyond == 0);
        assert_int_equal(count.concluded + count.not_concluded, 0);
        assert_null(nlm_inference_alternatives(inference));
        nlm_inference_free(inference);
    }
    nlm_inference *inference;
    nlm_error error;
    assert_int_equal(
        nlm_inference_new(broken, "m.nlm", &(nlm_inference_options){.coverage = true}, &inference, &error),
        NLM_BAD_FILE);
    assert_null(inference);
    nlm_inference_free(begin(broken, 0, false));
    nlm_world_free(world);
}

static nlm_status hear_any(void *context, const nlm_conclusion *conclusion, nlm_error *error)
{
    (void)context, (void)conclusion, (void)error;
    return NLM_OK;
}

/* Without memory coverage is an error or not known, and never wrong. */
static void memory_fails(void **context)
{
    (void)context;
    nlm_world *world = random_world(&choices, program, OBJECTS, 50);
    nlm_status status = NLM_NO_MEMORY;
    nlm_coverage_count whole = {0}, count = {0};
    fail_jansson_too();
    for (int i = 0; status != NLM_OK || !count.known; i++) {
        nlm_inference *inference = NULL;
        nlm_error error;
        count = (nlm_coverage_count){0};
        fail_allocation(i);
        status =
            nlm_inference_new(model, "m.nlm", &(nlm_inference_options){.coverage = true}, &inference, &error);
        if (!status)
            status = nlm_inference_ask(inference, world, "", "w", &error);
        if (!status)
            status = nlm_inference_conclude(inference, -1, hear_any, NULL, &error);
        if (!status)
            status = nlm_inference_count_coverage(inference, &count, NULL, &error);
        failing = -1;
        assert_true(status == NLM_OK || status == NLM_NO_MEMORY || status == NLM_BAD_FILE);
        nlm_inference_free(inference);
        assert_true(i < 100000);
    }
    nlm_inference *inference = begin(model, 0, true);
    CHECK(nlm_inference_ask(inference, world, "", "w", &check_error));
    CHECK(nlm_inference_count_coverage(inference, &whole, NULL, &check_error));
    assert_memory_equal(&whole, &count, sizeof whole);
    nlm_inference_free(inference);
    nlm_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_defined), cmocka_unit_test(by_rows),
                                       cmocka_unit_test(not_known), cmocka_unit_test(memory_fails)};
    return cmocka_run_group_tests(tests, start, end);
}
