/* Whichever allocation fails while rules are read, printed, evaluated or compiled, that is reported, and
 * nothing is leaked or half done. */
#include "test.h"
#include "failing_malloc.h"

#include "nlm/nlm.h"

static const char rules[] =
    "uncle(X, Y) :- parent(X, Z), brother(Z, Y), \\+ (likes(X, W), \\+ likes(W, _)), X \\= Y.\n"
    "brother(X, Y) :- parent(X, Z), (son(Z, Y) ; 'a b'(Z, Y), likes(Y, Y)), X \\= Y.\n"
    "heavy(X) :- parent(X, Y), size(Y, V), V >= 3.76, \\+ (size(X, W), W + V < 9). \n"
    "parent(X, Y) :- father(X, Y). parent(X, Y) :- mother(X, Y). parent(X, X) :- alone(X).\n";

static nlm_status read_rules(nlm_program **program, nlm_error *error)
{
    return nlm_program_parse(rules, sizeof rules - 1, "f", NULL, program, error);
}

static void test_reading(void **state)
{
    (void)state;
    nlm_program *program;
    nlm_error error;
    nlm_status status = NLM_NO_MEMORY;
    for (int i = 0; status != NLM_OK; i++) {
        allocations = 0;
        failing = i;
        status = read_rules(&program, &error);
        failing = -1;
        /* a store of formulas that is full says nothing of the reason */
        assert_true(status == NLM_OK || status == NLM_NO_MEMORY || status == NLM_BAD_FILE);
        if (status)
            assert_null(program);
        assert_true(i < 10000);
    }
    nlm_program_free(program);
}

static void test_printing(void **state)
{
    (void)state;
    static char text[1 << 16];
    nlm_program *program;
    nlm_error error;
    CHECK(read_rules(&program, &check_error));
    for (int language = NLM_PROLOG; language <= NLM_JSON; language++) {
        nlm_status status = NLM_NO_MEMORY;
        for (int i = 0; status != NLM_OK; i++) {
            FILE *stream = fmemopen(text, sizeof text, "w");
            assert_non_null(stream);
            allocations = 0;
            failing = i;
            status = nlm_program_print(stream, program, (nlm_language)language, &error);
            failing = -1;
            fclose(stream);
            assert_true(status == NLM_OK || (status == NLM_NO_MEMORY && error.status == status));
            assert_true(i < 10000);
        }
    }
    nlm_program_free(program);
}

static void test_evaluating(void **state)
{
    (void)state;
    enum { OBJECTS = 3 };
    signed char values[OBJECTS * OBJECTS];
    nlm_program *program;
    nlm_world *world;
    nlm_error error;
    nlm_status status = NLM_NO_MEMORY;
    CHECK(read_rules(&program, &check_error));
    CHECK(nlm_world_new(&world, &check_error));
    CHECK(nlm_world_add_objects(world, "o", OBJECTS, &check_error));
    for (int i = 0; status != NLM_OK; i++) {
        allocations = 0;
        failing = i;
        status = nlm_program_evaluate(program, world, 0, values, &error);
        failing = -1;
        assert_true(status == NLM_OK || status == NLM_NO_MEMORY);
        assert_true(i < 10000);
    }
    nlm_world_free(world);
    nlm_program_free(program);
}

static void test_compiling(void **state)
{
    (void)state;
    nlm_program *program;
    nlm_machine *machine;
    nlm_signature *signature = NULL;
    nlm_error error;
    nlm_status status = NLM_NO_MEMORY;
    CHECK(read_rules(&program, &check_error));
    for (int i = 0; status != NLM_OK; i++) {
        allocations = 0;
        failing = i;
        status = nlm_program_compile(program, 0, &machine, &error);
        if (status == NLM_OK)
            status = nlm_program_signature(program, &signature, &error);
        failing = -1;
        assert_true(status == NLM_OK || (status == NLM_NO_MEMORY && error.status == status));
        if (status != NLM_OK) {
            nlm_machine_free(machine);
            assert_null(signature);
        }
        assert_true(i < 10000);
    }
    nlm_machine_free(machine);
    nlm_signature_free(signature);
    nlm_program_free(program);
}

static void test_naming(void **state)
{
    (void)state;
    static const char given[] = "child(X, Y) :- son(X, Y) ; 'a b'(X, Y), likes(Y, Y).";
    const nlm_program_reading reading = {.definitions = true};
    nlm_program *program, *names, *made;
    nlm_error error;
    nlm_status status = NLM_NO_MEMORY;
    int used;
    CHECK(read_rules(&program, &check_error));
    CHECK(nlm_program_parse(given, sizeof given - 1, "f", &reading, &names, &check_error));
    for (int i = 0; status != NLM_OK; i++) {
        allocations = 0;
        failing = i;
        status = nlm_program_with_names(program, names, &used, &made, &error);
        failing = -1;
        assert_true(status == NLM_OK || (status == NLM_NO_MEMORY && error.status == status && !made));
        assert_true(i < 10000);
    }
    assert_int_equal(used, 1);
    nlm_program_free(made);
    nlm_program_free(names);
    nlm_program_free(program);
}

static void test_proving(void **state)
{
    (void)state;
    nlm_program *program;
    nlm_machine *machine;
    nlm_signature *signature;
    nlm_proof *proof;
    nlm_error error;
    nlm_status status = NLM_NO_MEMORY;
    CHECK(read_rules(&program, &check_error));
    CHECK(nlm_program_compile(program, 0, &machine, &check_error));
    CHECK(nlm_program_signature(program, &signature, &check_error));
    for (int i = 0; status != NLM_OK; i++) {
        allocations = 0;
        failing = i;
        status = nlm_prove(machine, signature, program, &proof, &error);
        failing = -1;
        assert_true(status == NLM_OK || (status == NLM_NO_MEMORY && error.status == status && !proof));
        assert_true(i < 100000);
    }
    if (proof->verdict != NLM_PROVED)
        fail_msg("%s", proof->reason);
    nlm_proof_free(proof);
    nlm_machine_free(machine);
    nlm_signature_free(signature);
    nlm_program_free(program);
}

static void test_deriving(void **state)
{
    (void)state;
    enum { OBJECTS = 3 };
    static char text[1 << 14];
    nlm_program *program;
    nlm_signature *signature;
    nlm_world *world;
    nlm_error error;
    nlm_status status = NLM_NO_MEMORY;
    CHECK(read_rules(&program, &check_error));
    CHECK(nlm_program_signature(program, &signature, &check_error));
    CHECK(nlm_world_new(&world, &check_error));
    CHECK(nlm_world_add_objects(world, "o", OBJECTS, &check_error));
    for (int i = 0; status != NLM_OK; i++) {
        nlm_why *why = NULL;
        FILE *stream = fmemopen(text, sizeof text, "w");
        assert_non_null(stream);
        allocations = 0;
        failing = i;
        status = nlm_why_new(program, signature, world, &why, &error);
        if (status == NLM_OK)
            status = nlm_why_write(why, 0, (const int[]){0, 1}, true, stream, NULL, &error);
        const bool failed = allocations > i;
        nlm_why_free(why);
        failing = -1;
        fclose(stream);
        assert_true(status == NLM_OK || (status == NLM_NO_MEMORY && error.status == status));
        if (status == NLM_OK && failed)
            status = NLM_NO_MEMORY; /* what is kept for speed may have no room */
        assert_true(i < 10000);
    }
    nlm_world_free(world);
    nlm_signature_free(signature);
    nlm_program_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading),   cmocka_unit_test(test_printing), cmocka_unit_test(test_evaluating),
        cmocka_unit_test(test_compiling), cmocka_unit_test(test_naming),   cmocka_unit_test(test_proving),
        cmocka_unit_test(test_deriving),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
