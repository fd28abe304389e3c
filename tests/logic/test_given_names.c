/* Programs in words that people give: what is replaced by which name, and that programs still say the same.
 */
#include "programs_agree.h"

static random_choices choices = {.state = 5, .variables = 3, .depth = 3};

static nlm_program *parsed(const char *text, bool definitions)
{
    nlm_program *program;
    const nlm_program_reading reading = {.definitions = definitions};
    CHECK(nlm_program_parse(text, strlen(text), "f", &reading, &program, &check_error));
    return program;
}

static void check_named(const char *rules, const char *given, int names_used, const char *expected)
{
    nlm_program *program = parsed(rules, false), *names = parsed(given, true), *made;
    char *text;
    int used;
    CHECK(nlm_program_with_names(program, names, &used, &made, &check_error));
    CHECK(nlm_program_text(made, NLM_CLAUSES, &text, &check_error));
    assert_string_equal(text, expected);
    assert_int_equal(used, names_used);
    assert_true(programs_agree(&choices, program, made, 20));
    free(text);
    nlm_program_free(made);
    nlm_program_free(names);
    nlm_program_free(program);
}

static const char rules[] = "t(X, Y) :- p1(X, Z), p1(Z, Y), \\+ (p1(X, W), tall(W)).\n"
                            "p1(X, Y) :- father(X, Y) ; mother(X, Y).\n";

static void test_what_is_named(void **state)
{
    (void)state;
    check_named(rules, "dad_or_mum(A, B) :- mother(A, B).\ndad_or_mum(A, B) :- father(A, B).\n", 1,
                "t(X, Y) :- dad_or_mum(X, Z), dad_or_mum(Z, Y), \\+ has_tall_dad_or_mum(X).\n"
                "dad_or_mum(X, Y) :- father(X, Y).\ndad_or_mum(X, Y) :- mother(X, Y).\n"
                "has_tall_dad_or_mum(X) :- dad_or_mum(X, Y), tall(Y).\n");
    /* The other way round, and a part that is no definition of its own. */
    check_named(rules,
                "kid(A, B) :- mother(B, A) ; father(B, A).\n"
                "has_tall_one(A) :- kid(B, A), tall(B).\n",
                2,
                "t(X, Y) :- kid(Z, X), kid(Y, Z), \\+ has_tall_one(X).\n"
                "kid(X, Y) :- mother(Y, X).\nkid(X, Y) :- father(Y, X).\n"
                "has_tall_one(X) :- kid(Y, X), tall(Y).\n");
    /* One order of arguments fits better than another. */
    check_named("t(X) :- q(X, Y), p1(X, Y). p1(X, Y) :- a(X, Y) ; b(X, Y).",
                "r(X, Y) :- a(Y, X) ; b(Y, X). s(X, Y) :- a(X, Y) ; b(X, Y).", 1,
                "t(X) :- q(X, Y), s(X, Y).\ns(X, Y) :- a(X, Y).\ns(X, Y) :- b(X, Y).\n");
}

static void test_what_is_not(void **state)
{
    (void)state;
    static const char same[] = "t(X, Y) :- p1(X, Z), p1(Z, Y), \\+ has_tall_p1(X).\n"
                               "p1(X, Y) :- father(X, Y).\np1(X, Y) :- mother(X, Y).\n"
                               "has_tall_p1(X) :- p1(X, Y), tall(Y).\n";
    check_named(rules, "dad(A, B) :- father(A, B).", 0, same);              /* a literal is not renamed */
    check_named(rules, "u(A, B) :- uncle(A, C), father(C, B).", 0, same);   /* not the program's inputs */
    check_named(rules, "t(A, B) :- mother(A, B) ; father(A, B).", 0, same); /* the target's own name */
    check_named(rules, "none(A, B) :- father(A, B), fail.", 0, same);
    check_named(rules, "loose(A, B, _) :- mother(A, B) ; father(A, B).", 0, same);
    /* A target stays what it is called. */
    check_named("t(X) :- a(X) ; b(X).", "a_or_b(X) :- a(X) ; b(X).", 0, "t(X) :- a(X).\nt(X) :- b(X).\n");
}

static void test_random(void **state)
{
    (void)state;
    int used;
    for (int run = 0; run < 200; run++) {
        nlm_program *program = random_program_of_facts(&choices);
        nlm_program *names = random_program_of_facts(&choices), *made;
        /* names of the one are definitions of the other, too */
        if (run % 2) {
            nlm_program_free(names);
            CHECK(program_copy(program, &names, &check_error));
            for (int i = names->input_count; i < names->predicate_count; i++)
                program_at(names, i)->name[0] = 'n';
        }
        CHECK(nlm_program_with_names(program, names, &used, &made, &check_error));
        assert_true(programs_agree(&choices, program, made, 10));
        nlm_program_free(made);
        nlm_program_free(names);
        nlm_program_free(program);
    }
}

static void test_refused(void **state)
{
    (void)state;
    char text[300 * 32], *at = text;
    nlm_program *program = parsed(rules, false), *made;
    nlm_error error;
    int used;
    for (int i = 0; i < 201; i++)
        at += sprintf(at, "n%d(X) :- a(X), b%d(X).\n", i, i);
    nlm_program *names = parsed(text, true);
    assert_int_equal(nlm_program_with_names(program, names, &used, &made, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "at most 200 names can be given");
    assert_null(made);
    nlm_program_free(names);
    nlm_program_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_named),
        cmocka_unit_test(test_what_is_not),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
