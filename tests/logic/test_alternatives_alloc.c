/* Alternatives as text: read again they are the same, in words they can be said, broken ones are refused with
 * one line, and no failing allocation is forgotten. */
#include "test.h"
#include "failing_malloc.h"
#include "logic/alternatives.h"
#include "nlm/task.h"

static const char good[] =
    "{\"worlds\": 12, \"alternatives\": ["
    "{\"target\": 0, \"rules\": \"has_father(X) :- father(X, Y), mother(X, _), p(Y).\\np(X) :- son(X, _).\"},"
    "{\"target\": 0, \"rules\": \"has_father(X) :- mother(X, _).\","
    " \"case\": \"case(X, Y) :- father(X, Y), \\\\+ mother(X, _).\"}]}";

static nlm_signature *signature;

static int start(void **context)
{
    (void)context;
    CHECK(nlm_signature_of_task(nlm_task_find("has-father"), &signature, &check_error));
    return 0;
}

static int end(void **context)
{
    (void)context;
    nlm_signature_free(signature);
    return 0;
}

static void read_and_written(void **context)
{
    (void)context;
    nlm_alternatives *one, *again;
    char *text, *same;
    CHECK(alternatives_parse(good, "m", signature, &one, &check_error));
    assert_int_equal(nlm_alternatives_count(one), 2);
    assert_int_equal(nlm_alternatives_worlds(one), 12);
    const nlm_alternative *first = nlm_alternatives_at(one, 0), *second = nlm_alternatives_at(one, 1);
    assert_int_equal(first->size.literals, 2); /* the shorter one */
    assert_string_equal(first->words, "father(X, Y) without mother(X, Z)");
    assert_non_null(first->differ);
    assert_string_equal(second->words, "");
    assert_null(second->differ);
    assert_null(nlm_alternatives_at(one, 2));
    CHECK(alternatives_text(one, &text, &check_error));
    CHECK(alternatives_parse(text, "m", signature, &again, &check_error));
    CHECK(alternatives_text(again, &same, &check_error));
    assert_string_equal(text, same);
    nlm_program *joined;
    CHECK(alternatives_joined(one, first->rules, &joined, &check_error));
    assert_int_equal(joined->predicate_count, joined->input_count + 2);
    for (int i = joined->input_count; i < joined->predicate_count; i++)
        for (int d = joined->input_count; d < joined->predicate_count; d++)
            assert_false(formula_has(&joined->store, program_at(joined, i)->body, d));
    nlm_program_free(joined);
    free(text);
    free(same);
    nlm_alternatives_free(again);
    nlm_alternatives_free(one);
    CHECK(alternatives_text(NULL, &text, &check_error));
    assert_null(text);
}

static void broken(void **context)
{
    (void)context;
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "{}",
        "{\"worlds\": -1, \"alternatives\": []}",
        "{\"worlds\": 1, \"alternatives\": {}}",
        "{\"worlds\": 1, \"alternatives\": [1]}",
        "{\"worlds\": 1, \"alternatives\": [{\"target\": 1, \"rules\": \"has_father(X) :- son(X, _).\"}]}",
        "{\"worlds\": 1, \"alternatives\": [{\"target\": 0}]}",
        "{\"worlds\": 1, \"alternatives\": [{\"target\": 0, \"rules\": \"has_father(X) :- \"}]}",
        "{\"worlds\": 1, \"alternatives\": [{\"target\": 0, \"rules\": \"has_father(X, Y) :- son(X, Y).\"}]}",
        "{\"worlds\": 1, \"alternatives\": [{\"target\": 0, \"rules\": \"p(X) :- son(X, _). q(X) :- son(X, "
        "_).\"}]}",
        "{\"worlds\": 1, \"alternatives\": [{\"target\": 0, \"rules\": \"p(X) :- unheard(X, _).\"}]}",
        "{\"worlds\": 1, \"alternatives\": [{\"target\": 0, \"rules\": \"p(X) :- son(X, _).\", \"case\": "
        "3}]}"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        nlm_alternatives *made;
        nlm_error error;
        assert_int_equal(alternatives_parse(texts[i], "m", signature, &made, &error), NLM_BAD_FILE);
        assert_null(made);
        assert_int_equal(strncmp(error.message, "m: metadata 'alternatives': ", 28), 0);
        assert_null(strchr(error.message, '\n'));
    }
}

/* A file may not ask for more machines than a search makes. */
static void too_many(void **context)
{
    (void)context;
    static const char one[] = "{\"target\": 0, \"rules\": \"has_father(X) :- mother(X, _).\"}";
    char *text = malloc(64 + 33 * sizeof one);
    nlm_alternatives *made;
    nlm_error error;
    for (int count = NLM_MAX_ALTERNATIVES; count <= NLM_MAX_ALTERNATIVES + 1; count++) {
        strcpy(text, "{\"worlds\": 1, \"alternatives\": [");
        for (int i = 0; i < count; i++)
            strcat(strcat(text, i ? "," : ""), one);
        strcat(text, "]}");
        const nlm_status status = alternatives_parse(text, "m", signature, &made, &error);
        assert_int_equal(status, count > NLM_MAX_ALTERNATIVES ? NLM_BAD_FILE : NLM_OK);
        nlm_alternatives_free(made);
    }
    free(text);
}

static void memory_fails(void **context)
{
    (void)context;
    nlm_status status = NLM_NO_MEMORY;
    fail_jansson_too();
    for (int i = 0; status != NLM_OK; i++) {
        nlm_alternatives *made = NULL;
        char *text = NULL;
        nlm_error error;
        fail_allocation(i);
        status = alternatives_parse(good, "m", signature, &made, &error);
        if (!status)
            status = alternatives_text(made, &text, &error);
        failing = -1;
        /* a store of formulas or a parser of JSON that is full says nothing of the reason */
        assert_true(status == NLM_OK || status == NLM_NO_MEMORY || status == NLM_BAD_FILE);
        assert_true((status == NLM_OK) == (text != NULL));
        free(text);
        nlm_alternatives_free(made);
        assert_true(i < 100000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(read_and_written), cmocka_unit_test(broken),
                                       cmocka_unit_test(too_many), cmocka_unit_test(memory_fails)};
    return cmocka_run_group_tests(tests, start, end);
}
