/* Rules about predicates that repeat an object, for a model that reads and concludes likes/2 and likes(A,A):
 * what is printed is read as what it was, and the compiled machine computes it. */
#include "facts/signature.h"
#include "nlm/prove.h"
#include "programs_agree.h"

static nlm_signature *signature;

static int set_up(void **state)
{
    (void)state;
    static const nlm_predicate inputs[] = {{.name = "likes", .arity = 2, .objects = 2, .place = {0, 1}},
                                           {.name = "likes", .arity = 2, .objects = 1, .place = {0, 0}},
                                           {.name = "tall", .arity = 1, .objects = 1}};
    static const nlm_predicate targets[] = {{.name = "envies", .arity = 2, .objects = 2, .place = {0, 1}},
                                            {.name = "envies", .arity = 2, .objects = 1, .place = {0, 0}}};
    CHECK(signature_new(&signature, &check_error));
    for (int i = 0; i < 3; i++)
        CHECK(signature_add(signature, SIGNATURE_INPUTS, &inputs[i], &check_error));
    for (int t = 0; t < 2; t++)
        CHECK(signature_add(signature, SIGNATURE_TARGETS, &targets[t], &check_error));
    CHECK(signature_finish(signature, &check_error));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    nlm_signature_free(signature);
    return 0;
}

static nlm_program *parsed(const char *text)
{
    nlm_program *program;
    const nlm_program_reading reading = {.signature = signature, .false_targets = true};
    CHECK(nlm_program_parse(text, strlen(text), "f", &reading, &program, &check_error));
    return program;
}

static void check_prints(const char *rules, nlm_language language, const char *expected)
{
    nlm_program *program = parsed(rules);
    char *text, *again;
    CHECK(nlm_program_text(program, language, &text, &check_error));
    assert_string_equal(text, expected);
    if (language == NLM_PROLOG) {
        nlm_program *read = parsed(text);
        assert_int_equal(read->target_count, 2);
        CHECK(nlm_program_text(read, language, &again, &check_error));
        assert_string_equal(again, text);
        free(again);
        nlm_program_free(read);
    }
    free(text);
    nlm_program_free(program);
}

#define ALIASES "likes_ab(A, B) :- likes(A, B), A \\= B.\nlikes_aa(A) :- likes(A, A).\n"

static void test_printed_programs_are_read_again(void **state)
{
    (void)state;
    check_prints("envies(X, Y) :- tall(Y), likes(X, Y). envies(X, X) :- likes(X, X).", NLM_PROLOG,
                 ":- dynamic likes/2, tall/1.\n"
                 ":- discontiguous envies/2.\n" ALIASES "envies(X, Y) :- likes_ab(X, Y), tall(Y), X \\= Y.\n"
                 "envies(X, X) :- likes_aa(X).\n");
    /* One of the two is never true, in whichever way the clauses say so. */
    check_prints("envies(X, X) :- likes(X, X), tall(X).", NLM_PROLOG,
                 ":- dynamic likes/2, tall/1.\nlikes_aa(A) :- likes(A, A).\n"
                 "envies(X, X) :- likes_aa(X), tall(X).\n");
    check_prints("envies(X, Y) :- tall(X), tall(Y), X \\= Y.", NLM_PROLOG,
                 ":- dynamic tall/1.\nenvies(X, Y) :- tall(X), tall(Y), X \\= Y.\n");
    check_prints(":- dynamic envies/2.", NLM_PROLOG, ":- dynamic envies/2.\n");
}

static void test_other_languages(void **state)
{
    (void)state;
    static const char rules[] = "envies(X, Y) :- likes(Y, X). envies(X, X) :- fail.";
    check_prints(rules, NLM_CLAUSES,
                 ALIASES "envies(X, Y) :- likes_ab(Y, X), X \\= Y.\nenvies(X, X) :- likes_aa(X).\n");
    check_prints(rules, NLM_ENGLISH,
                 "envies(X, Y) holds if likes_ab(Y, X).\nenvies(X, X) holds if likes_aa(X).\n");
    check_prints("envies(X, X) :- tall(X).", NLM_ENGLISH, "envies(X, X) holds if tall(X).\n");
    check_prints("envies(X, X) :- tall(X).", NLM_DATALOG,
                 ".decl tall(a: symbol)\n.input tall\n.decl envies(a: symbol, b: symbol)\n.output envies\n"
                 "envies(X, X) :- tall(X).\n");
}

/* A definition that says more than the name of an input stays one. */
static void test_other_definitions_are_kept(void **state)
{
    (void)state;
    check_prints("envies(X, Y) :- any(X, Y). any(X, Y) :- likes(X, Y).", NLM_CLAUSES,
                 ALIASES "envies(X, Y) :- any(X, Y), X \\= Y.\nany(X, Y) :- likes_ab(X, Y).\n"
                         "any(X, Y) :- likes_aa(X), X = Y.\nenvies(X, X) :- any(X, X).\n");
}

static void test_machines_are_proved(void **state)
{
    (void)state;
    static const char *const rules[] = {
        "envies(X, Y) :- likes(Y, X), \\+ likes(X, Y).", "envies(X, X) :- tall(X).",
        "envies(X, Y) :- likes(X, Z), likes(Z, Y).", "envies(X, Y) :- tall(Y), X \\= Y."};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        nlm_program *program = parsed(rules[i]), *another = parsed(rules[(i + 1) % 4]);
        nlm_machine *machine;
        nlm_proof *proof;
        CHECK(nlm_program_compile(program, 3, &machine, &check_error));
        CHECK(nlm_prove(machine, signature, program, &proof, &check_error));
        assert_int_equal(proof->verdict, NLM_PROVED);
        nlm_proof_free(proof);
        CHECK(nlm_prove(machine, signature, another, &proof, &check_error));
        assert_int_equal(proof->verdict, NLM_REFUTED);
        nlm_proof_free(proof);
        nlm_machine_free(machine);
        nlm_program_free(another);
        nlm_program_free(program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_printed_programs_are_read_again),
        cmocka_unit_test(test_other_languages),
        cmocka_unit_test(test_other_definitions_are_kept),
        cmocka_unit_test(test_machines_are_proved),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
