/* Clauses of a template: how many, which, and as Prolog. */
#include "test.h"

#include "baseline/dilp_clause.h"

#define GIVEN(name, arity)                                                                                   \
    {                                                                                                        \
        name, arity, false, 0, 0, -1                                                                         \
    }
#define DEFINED(name, arity)                                                                                 \
    {                                                                                                        \
        name, arity, true, 0, -1, -1                                                                         \
    }

static struct dilp_predicate p_and_q[] = {GIVEN("p", 2), DEFINED("q", 2)};
static struct dilp_predicate numbers[] = {GIVEN("zero", 1), GIVEN("succ", 2), DEFINED("t", 1),
                                          DEFINED("done", 0)};

static struct dilp_clauses make(const struct dilp_predicate *predicates, int count, int head, int existential,
                                nlm_body body)
{
    struct dilp_clauses clauses;
    nlm_error error;
    assert_int_equal(
        dilp_clauses_make(&clauses, predicates, count, head, (nlm_template){existential, body}, &error),
        NLM_OK);
    return clauses;
}

static size_t count_of(const struct dilp_predicate *predicates, int count, int head, int existential,
                       nlm_body body)
{
    struct dilp_clauses clauses = make(predicates, count, head, existential, body);
    size_t found = clauses.count;
    dilp_clauses_free(&clauses);
    return found;
}

/* How many of the clauses read like this. */
static int times(const struct dilp_clauses *clauses, const struct dilp_predicate *predicates,
                 const char *wanted)
{
    char text[100];
    int found = 0;
    for (size_t i = 0; i < clauses->count; i++) {
        assert_true(dilp_clause_text(&clauses->items[i], predicates, text, sizeof text) < sizeof text);
        found += strcmp(text, wanted) == 0;
    }
    return found;
}

static void the_paper_s_counts(void **state)
{
    (void)state;
    assert_int_equal(count_of(p_and_q, 2, 1, 0, NLM_BODY_GIVEN), 8);
    assert_int_equal(count_of(p_and_q, 2, 1, 1, NLM_BODY_DEFINED), 58);
}

/* By hand: t(X) over zero/1 and succ/2 has the atoms zero(X) and succ(X,X), hence 3 bodies; with a second
 * variable zero 2, succ 4 atoms, 21 bodies, of which 3 are about Y alone. */
static void counts_with_several_arities(void **state)
{
    (void)state;
    assert_int_equal(count_of(numbers, 4, 2, 0, NLM_BODY_GIVEN), 3);
    assert_int_equal(count_of(numbers, 4, 2, 1, NLM_BODY_GIVEN), 18);
    /* done, with X: zero(X), succ(X,X); without variables no atom is left but the head itself. */
    assert_int_equal(count_of(numbers, 4, 3, 1, NLM_BODY_GIVEN), 3);
    assert_int_equal(count_of(numbers, 4, 3, 0, NLM_BODY_DEFINED), 0);
    /* done, which must use t: t(X) with each of zero(X), succ(X,X), t(X). */
    assert_int_equal(count_of(numbers, 4, 3, 1, NLM_BODY_DEFINED), 3);
}

static void each_clause_is_there_once(void **state)
{
    (void)state;
    struct dilp_clauses clauses = make(p_and_q, 2, 1, 0, NLM_BODY_GIVEN);
    assert_int_equal(times(&clauses, p_and_q, "q(X,Y) :- p(X,Y)."), 1);
    assert_int_equal(times(&clauses, p_and_q, "q(X,Y) :- p(Y,X)."), 1);
    assert_int_equal(times(&clauses, p_and_q, "q(X,Y) :- p(X,X), p(Y,Y)."), 1);
    assert_int_equal(times(&clauses, p_and_q, "q(X,Y) :- p(Y,Y), p(X,X)."), 0);
    assert_int_equal(times(&clauses, p_and_q, "q(X,Y) :- p(X,X)."), 0);
    dilp_clauses_free(&clauses);
    clauses = make(p_and_q, 2, 1, 1, NLM_BODY_DEFINED);
    assert_int_equal(times(&clauses, p_and_q, "q(X,Y) :- p(X,Z), q(Z,Y)."), 1);
    assert_int_equal(times(&clauses, p_and_q, "q(X,Y) :- p(X,Y), q(X,Y)."), 0);
    assert_int_equal(times(&clauses, p_and_q, "q(X,Y) :- p(X,Z), p(Z,Y)."), 0);
    dilp_clauses_free(&clauses);
}

/* Given predicates are false of (X,X): of the 8 clauses, p(X,X) with each of the others, and p(Y,Y) too. */
static void clauses_that_never_hold_come_last(void **state)
{
    (void)state;
    struct dilp_clauses clauses = make(p_and_q, 2, 1, 0, NLM_BODY_GIVEN);
    char text[100];
    assert_int_equal(clauses.live, 3);
    for (size_t i = 0; i < clauses.count; i++) {
        dilp_clause_text(&clauses.items[i], p_and_q, text, sizeof text);
        assert_true((strstr(text, "p(X,X)") || strstr(text, "p(Y,Y)")) == (i >= clauses.live));
    }
    dilp_clauses_free(&clauses);
}

/* A predicate of a later stage is not in the body of an earlier one. */
static void stages_are_kept(void **state)
{
    (void)state;
    struct dilp_predicate staged[] = {GIVEN("zero", 1), DEFINED("t", 1), DEFINED("p", 1)};
    assert_int_equal(count_of(staged, 3, 2, 0, NLM_BODY_DEFINED), 2);
    staged[1].stage = 1;
    assert_int_equal(count_of(staged, 3, 1, 0, NLM_BODY_DEFINED), 2);
    assert_int_equal(count_of(staged, 3, 2, 0, NLM_BODY_DEFINED), 0);
}

/* Given p/2, defined q/2, r/2 and s/1: which bodies there are for r, after which only s is defined. */
static void helpers_come_after_the_head(void **state)
{
    (void)state;
    static struct dilp_predicate all[] = {GIVEN("p", 2), DEFINED("q", 2), DEFINED("r", 2), DEFINED("s", 1)};
    struct dilp_clauses mixed = make(all, 4, 2, 0, NLM_BODY_MIXED);
    assert_int_equal(times(&mixed, all, "r(X,Y) :- p(X,Y), s(X)."), 1);
    assert_int_equal(times(&mixed, all, "r(X,Y) :- p(Y,X), s(Y)."), 1);
    assert_int_equal(mixed.count, 6); /* p(X,Y), p(Y,X) with each s; p(X,X), s(Y) and p(Y,Y), s(X) */
    struct dilp_clauses helpers = make(all, 4, 2, 0, NLM_BODY_HELPERS);
    assert_int_equal(times(&helpers, all, "r(X,Y) :- s(X), s(Y)."), 1);
    assert_int_equal(helpers.count, 1);
    dilp_clauses_free(&mixed);
    dilp_clauses_free(&helpers);
    assert_int_equal(count_of(all, 4, 3, 1, NLM_BODY_HELPERS), 0); /* nothing comes after s */
    assert_int_equal(count_of(all, 4, 3, 1, NLM_BODY_MIXED), 0);
    assert_int_equal(count_of(all, 4, 1, 0, NLM_BODY_HELPERS), 15); /* of r(..), s(..): 21, 6 lack X or Y */
}

static void other_bodies_are_refused(void **state)
{
    (void)state;
    struct dilp_clauses clauses;
    nlm_error error;
    assert_int_equal(dilp_clauses_make(&clauses, p_and_q, 2, 1, (nlm_template){0, (nlm_body)4}, &error),
                     NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "q/2: a template has no body of kind 4");
    assert_null(nlm_body_name((nlm_body)4));
}

static void text_is_cut_as_by_snprintf(void **state)
{
    (void)state;
    struct dilp_clause clause = {3, 1, {{0, {0, 0}}, {1, {0, 0}}}};
    const char *whole = "done :- zero(X), succ(X,X).";
    char text[100] = "?";
    assert_int_equal(dilp_clause_text(&clause, numbers, text, 0), strlen(whole));
    assert_string_equal(text, "?");
    assert_int_equal(dilp_clause_text(&clause, numbers, text, 5), strlen(whole));
    assert_string_equal(text, "done");
    assert_int_equal(dilp_clause_text(&clause, numbers, text, strlen(whole) + 1), strlen(whole));
    assert_string_equal(text, whole);
}

static void too_many_variables_are_refused(void **state)
{
    (void)state;
    struct dilp_clauses clauses;
    nlm_error error;
    assert_int_equal(dilp_clauses_make(&clauses, p_and_q, 2, 1, (nlm_template){3, NLM_BODY_GIVEN}, &error),
                     NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "q/2: a template has 0 to 2 variables beside the head's, not 3");
    assert_null(clauses.items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_paper_s_counts),
        cmocka_unit_test(counts_with_several_arities),
        cmocka_unit_test(each_clause_is_there_once),
        cmocka_unit_test(clauses_that_never_hold_come_last),
        cmocka_unit_test(stages_are_kept),
        cmocka_unit_test(helpers_come_after_the_head),
        cmocka_unit_test(other_bodies_are_refused),
        cmocka_unit_test(text_is_cut_as_by_snprintf),
        cmocka_unit_test(too_many_variables_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
