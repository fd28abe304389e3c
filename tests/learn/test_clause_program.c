/* Programs for labels of which some are wrong. */
#include "learn/noisy_facts.h"

#include "base/random.h"

/* The program's clauses; to be freed. */
static char *clauses_of_program(const nlm_program *program)
{
    char *text;
    CHECK(nlm_program_text(program, NLM_CLAUSES, &text, &check_error));
    return text;
}

static void wrong_labels_are_contradicted(void **state)
{
    (void)state;
    static const int flipped[] = {7, 22};
    nlm_problem *problem = noisy_problem(40, flipped, 2);
    clause_program found = noisy_find(problem, 1);
    assert_non_null(found.program);
    char *text = clauses_of_program(found.program);
    assert_string_equal(text, "bonus(X) :- manager(X, Y), it(Y).\n");
    assert_int_equal(found.literals, 3);
    assert_int_equal(found.errors, 2);
    assert_true(clause_program_is_supported(&found));
    assert_int_equal(found.validated.positives + found.validated.negatives, 40);
    assert_true(found.validated.wrong_positives + found.validated.wrong_negatives >= 2);
    free(text);
    nlm_program_free(found.program);
    nlm_problem_free(problem);
}

static void right_labels_have_no_errors(void **state)
{
    (void)state;
    nlm_problem *problem = noisy_problem(40, NULL, 0);
    clause_program found = noisy_find(problem, 1);
    assert_int_equal(found.literals, 3);
    assert_int_equal(found.errors, 0);
    nlm_program_free(found.program);
    nlm_problem_free(problem);
}

/* The same whatever the number of threads. */
static void threads_change_nothing(void **state)
{
    (void)state;
    static const int flipped[] = {1, 5, 9, 13, 30, 38};
    nlm_problem *problem = noisy_problem(60, flipped, 6);
    clause_program one = noisy_find(problem, 1), four = noisy_find(problem, 4);
    char *text = clauses_of_program(one.program), *other = clauses_of_program(four.program);
    assert_string_equal(text, other);
    assert_int_equal(one.errors, four.errors);
    assert_memory_equal(&one.validated, &four.validated, sizeof one.validated);
    free(text);
    free(other);
    nlm_program_free(one.program);
    nlm_program_free(four.program);
    nlm_problem_free(problem);
}

/* Labels by lot have no rule, whatever clauses fit them. */
static void chance_is_not_supported(void **state)
{
    (void)state;
    random_stream random;
    random_start(&random, 5, 0);
    int flipped[60], count = 0;
    for (int i = 0; i < 60; i++)
        if (random_below(&random, 2))
            flipped[count++] = i;
    nlm_problem *problem = noisy_problem(60, flipped, count);
    clause_program found = noisy_find(problem, 1);
    assert_false(clause_program_is_supported(&found));
    nlm_program_free(found.program);
    nlm_problem_free(problem);
}

/* Tuples that nothing tells apart get the label that most of them have. */
static void the_majority_of_equal_tuples_decides(void **state)
{
    (void)state;
    char facts[2000] = "", examples[2000] = "";
    for (int i = 0; i < 30; i++) {
        const bool good = (i < 15) != (i == 3 || i == 20);
        sprintf(facts + strlen(facts), "%s(o%d). ", i < 15 ? "red" : "blue", i);
        sprintf(examples + strlen(examples), "%s(good(o%d)). ", good ? "pos" : "neg", i);
    }
    nlm_problem *problem = noisy_read(facts, examples);
    clause_program found = noisy_find(problem, 1);
    char *clauses = clauses_of_program(found.program);
    assert_string_equal(clauses, "good(X) :- red(X).\n");
    assert_int_equal(found.errors, 2);
    free(clauses);
    nlm_program_free(found.program);
    nlm_problem_free(problem);
}

/* A switch turns a lamp, another exchanges two: four clauses, each of a few labels, that a search by all
 * labels at once does not find. */
static nlm_problem *lamps(int flipped)
{
    static char facts[1 << 15], examples[1 << 15];
    char *fact = facts, *example = examples;
    for (int w = 0; w < 48; w++) {
        const bool p = w % 2, q = w / 2 % 2;
        const int button = w / 4 % 3;
        const bool next_p = button == 0 ? !p : button == 1 ? q : p;
        const bool next_q = button == 1 ? p : q;
        fact += sprintf(
            fact, "holder(w%d, p%d). holder(w%d, q%d). left(p%d). right(q%d). does(w%d, b%d). %s(b%d).\n", w,
            w, w, w, w, w, w, w,
            button == 0   ? "turn"
            : button == 1 ? "swap"
                          : "wait",
            w);
        fact += sprintf(fact, "%s(p%d). %s(q%d).\n", p ? "on" : "off", w, q ? "on" : "off", w);
        example += sprintf(example, "%s(next(w%d, p%d)). ", next_p != (w == flipped) ? "pos" : "neg", w, w);
        example += sprintf(example, "%s(next(w%d, q%d)).\n", next_q ? "pos" : "neg", w, w);
    }
    return noisy_read(facts, examples);
}

static void clauses_without_errors_are_found(void **state)
{
    (void)state;
    nlm_problem *problem = lamps(-1);
    clause_program found = exact_find(problem, true, 1), four = exact_find(problem, true, 4);
    assert_non_null(found.program);
    assert_int_equal(found.errors, 0);
    assert_true(found.literals <= 26);
    assert_int_equal(found.validated.positives + found.validated.negatives, 96);
    assert_int_equal(found.validated.wrong_positives + found.validated.wrong_negatives, 0);
    char *text = clauses_of_program(found.program), *other = clauses_of_program(four.program);
    assert_string_equal(text, other);
    free(text);
    free(other);
    nlm_program_free(found.program);
    nlm_program_free(four.program);
    nlm_problem_free(problem);
}

/* A label that nothing tells from others of the other kind. */
static void without_errors_there_may_be_none(void **state)
{
    (void)state;
    static const int flipped[] = {7};
    nlm_problem *problem = noisy_problem(40, flipped, 1);
    clause_program found = exact_find(problem, true, 1);
    if (found.program) { /* learned by heart: then what it did not see is wrong */
        assert_int_equal(found.errors, 0);
        assert_true(found.literals > 3);
    } else {
        assert_true(*found.reason);
    }
    nlm_program_free(found.program);
    nlm_problem_free(problem);
}

/* literals + errors decide, then cross-validation, then errors. */
static void the_measure_is_literals_and_errors(void **state)
{
    (void)state;
    fitted_clauses fitted[FIT_PRICES] = {{.literals = 9, .errors = 0},
                                         {.literals = 5, .errors = 3},
                                         {.literals = 4, .errors = 4},
                                         {.literals = 1, .errors = 20}};
    fitted[1].validated.wrong_positives = 5;
    fitted[2].validated.wrong_negatives = 5;
    assert_int_equal(fit_choose(fitted), 1);
    fitted[2].validated.wrong_negatives = 4;
    assert_int_equal(fit_choose(fitted), 2);
    fitted[0].literals = 8;
    fitted[2].validated.wrong_negatives = 0;
    assert_int_equal(fit_choose(fitted), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_labels_are_contradicted),
        cmocka_unit_test(right_labels_have_no_errors),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(chance_is_not_supported),
        cmocka_unit_test(the_majority_of_equal_tuples_decides),
        cmocka_unit_test(clauses_without_errors_are_found),
        cmocka_unit_test(without_errors_there_may_be_none),
        cmocka_unit_test(the_measure_is_literals_and_errors),
    };
    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
