/* Comparisons of numbers in rules: what they mean in a world, how they are printed in each language and read
 * again, and what is refused. */
#include "test.h"
#include <math.h>
#include "facts/comparison.h"
#include "logic/program.h"
#include "world/world.h"

static nlm_status parse(const char *text, const nlm_signature *signature, nlm_program **program,
                        nlm_error *error)
{
    *error = (nlm_error){0};
    return nlm_program_parse(text, strlen(text), "f", &(nlm_program_reading){.signature = signature}, program,
                             error);
}

/* a, b, c and d with sizes 1, 2, 2 and none; weights 4, 3, none, 1; near: each to the next. */
static nlm_world *make_world(const nlm_signature *signature)
{
    nlm_world *world;
    static const double size[] = {1, 2, 2}, weight[] = {4, 3, NAN, 1};
    CHECK(nlm_world_new(&world, &check_error));
    CHECK(nlm_world_add_objects(world, "", 4, &check_error));
    CHECK(signature_start_world(signature, 0, world, &check_error));
    for (int a = 0; a < nlm_signature_attributes(signature); a++) {
        const nlm_attribute *attribute = nlm_signature_attribute(signature, a);
        const bool heavy = !strcmp(attribute->name, "weight");
        for (int o = 0; o < 4; o++)
            if (heavy ? o != 2 : o < 3)
                CHECK(nlm_world_add_number(world, a, &o, heavy ? weight[o] : size[o], &check_error));
    }
    for (int i = 0; i < nlm_signature_inputs(signature); i++) {
        const nlm_predicate *input = nlm_signature_input(signature, i);
        if (input->comparison.terms > 0)
            CHECK(comparison_add_facts(signature, i, world, &check_error));
        for (int o = 0; o < 3 && !strcmp(input->name, "near"); o++)
            CHECK(nlm_world_add_fact(world, i, (int[]){o, o + 1}, 1, &check_error));
    }
    return world;
}

/* "0 2" for the objects, or "01 12" for the pairs, that the only target holds for. */
static void expect_truth(const char *rules, const char *expected)
{
    nlm_program *program;
    nlm_signature *signature;
    nlm_error error;
    if (parse(rules, NULL, &program, &error))
        fail_msg("%s: %s", rules, error.message);
    CHECK(nlm_program_signature(program, &signature, &check_error));
    nlm_world *world = make_world(signature);
    signed char truth[16];
    char text[64] = "";
    const int arity = program_at(program, program->target[0])->arity;
    CHECK(nlm_program_evaluate(program, world, 0, truth, &check_error));
    for (size_t i = 0; i < nlm_tuple_count(4, arity); i++) {
        int tuple[NLM_MAX_BREADTH];
        if (!nlm_tuple_at(4, arity, i, tuple) || !truth[i])
            continue;
        strcat(text, *text ? " " : "");
        for (int k = 0; k < arity; k++)
            sprintf(text + strlen(text), "%d", tuple[k]);
    }
    if (strcmp(text, expected) != 0)
        fail_msg("%s holds for '%s', not '%s'", rules, text, expected);
    nlm_world_free(world);
    nlm_signature_free(signature);
    nlm_program_free(program);
}

static void what_comparisons_mean(void **state)
{
    (void)state;
    expect_truth("p(X) :- size(X, V), V >= 2.", "1 2");
    expect_truth("p(X) :- size(X, V), V < 2.", "0");
    expect_truth("p(X) :- size(X, V), V > 1, 2 >= V.", "1 2");
    expect_truth("p(X) :- size(X, V), V =< 1.5.", "0");
    expect_truth("p(X) :- size(X, V), V =:= 2.", "1 2");
    expect_truth("p(X) :- size(X, V), V =\\= 2.", "0");
    /* what is not known is neither */
    expect_truth("p(X) :- object(X), \\+ (size(X, V), V >= 2).", "0 3");
    expect_truth("p(X) :- size(X, V), \\+ V >= 2.", "0");
    expect_truth("p(X) :- weight(X, _), \\+ size(X, _). q :- size(X, V), V > 0, weight(X, W), W > 0.", "3");
    /* sums and differences of one object */
    expect_truth("p(X) :- size(X, V), weight(X, W), V + W >= 5.", "0 1");
    expect_truth("p(X) :- size(X, V), weight(X, W), W - V > 1.", "0");
    expect_truth("p(X) :- size(X, V), weight(X, W), W > V + 1.", "0");
    expect_truth("p(X) :- size(X, V), weight(X, W), 1 < W - V.", "0");
    expect_truth("p(X) :- size(X, V), weight(X, W), 0 - V - W >= -5.", "0 1");
    /* of two */
    expect_truth("p(X, Y) :- size(X, V), size(Y, W), V < W.", "01 02");
    expect_truth("p(X, Y) :- size(X, V), size(Y, W), V >= W.", "10 12 20 21");
    expect_truth("p(X, Y) :- size(X, V), size(Y, W), W - V >= 1.", "01 02");
    expect_truth("p(X, Y) :- size(X, V), size(Y, W), W + V >= 4.", "12 21");
    expect_truth("p(X, Y) :- near(X, Y), size(X, V), weight(Y, W), V < W.", "01");
    /* two variables may be one object */
    expect_truth("p(X) :- size(X, V), size(Y, W), V >= W.", "0 1 2");
    expect_truth("p(X) :- size(X, V), size(Y, W), V >= W, X \\= Y.", "1 2");
    expect_truth("p(X) :- size(X, V), size(Y, W), V + W >= 4, near(X, _).", "1 2");
    expect_truth("p(X) :- size(X, V), size(Y, W), V + W >= 4, Y \\= X.", "1 2");
    expect_truth("p(X) :- size(X, V), weight(Y, W), W - V =< -1.", "1 2");
    expect_truth("p(X) :- forall(near(X, Y), (size(Y, V), V >= 2)).", "0 1 3");
    expect_truth("p(X) :- near(X, Y), (size(Y, V), (V > 1, V < 3) ; weight(X, W), W < 2).", "0 1");
}

#define BOUNDS "t(X) :- near(X, Y), size(Y, V), V >= 3.76, V < 5, \\+ (size(X, W), W > 10).\n"

/* What is printed says the same when it is read, to the last bit. */
static void texts_are_read_again(void **state)
{
    (void)state;
    static const char *const rules[] = {
        BOUNDS,
        "t(X, Y) :- size(X, V), size(Y, W), V - W >= 0.30000000000000004.\n",
        "t(X) :- near(X, Y), size(X, V), size(Y, W), V >= W, X \\= Y.\n",
        "t(X) :- 'at point'(X, V, _), 'at point'(X, _, W), V + W < -1.5e-7.\n",
        "t(X) :- near(X, _), \\+ (size(X, V), V >= 0.1).\n",
        "t(X) :- near(X, Y), \\+ ('it''s,\\\\x'(Y, V), V < 7).\n",
        "t(X) :- near(X, Y), \\+ size(Y, _).\n",
        "t :- warm(V), V >= 21.5.\n",
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        nlm_program *program, *again;
        nlm_error error;
        char *text, *second;
        if (parse(rules[i], NULL, &program, &error))
            fail_msg("%s: %s", rules[i], error.message);
        CHECK(nlm_program_text(program, NLM_CLAUSES, &text, &check_error));
        if (parse(text, NULL, &again, &error))
            fail_msg("%s: %s", text, error.message);
        assert_int_equal(program->input_count, again->input_count);
        for (int p = 0; p < program->input_count; p++) {
            const int same = program_find(again, program_at(program, p)->name, program_at(program, p)->arity);
            assert_true(same >= 0);
            assert_memory_equal(&program_at(again, same)->comparison.number,
                                &program_at(program, p)->comparison.number, sizeof(double));
        }
        CHECK(nlm_program_text(again, NLM_CLAUSES, &second, &check_error));
        assert_string_equal(text, second);
        free(text);
        free(second);
        nlm_program_free(program);
        nlm_program_free(again);
    }
}

static void expect_text(nlm_language language, const char *rules, const char *expected)
{
    nlm_program *program;
    char *text;
    nlm_error error;
    if (parse(rules, NULL, &program, &error))
        fail_msg("%s", error.message);
    CHECK(nlm_program_text(program, language, &text, &check_error));
    if (!strstr(text, expected))
        fail_msg("%s\nis not in\n%s", expected, text);
    free(text);
    nlm_program_free(program);
}

static void each_language_compares(void **state)
{
    (void)state;
    static const char pair[] = "t(X) :- near(X, Y), size(X, V), size(Y, W), V >= W, X \\= Y.";
    expect_text(NLM_PROLOG, BOUNDS,
                "t(X) :- near(X, Y), size(Y, V), V >= 3.76, V < 5, \\+ (size(X, W), W > 10).");
    expect_text(NLM_PROLOG, BOUNDS, ":- dynamic near/2, size/2.");
    expect_text(NLM_PROLOG, pair, "t(X) :- size(X, V), size(Y, W), V >= W, X \\= Y, near(X, Y).");
    expect_text(NLM_ASP, BOUNDS,
                "% clingo's numbers are integers: those of the facts are to be multiplied by 100 and");
    expect_text(NLM_ASP, BOUNDS, "size_at_least_3_76(A) :- size(A, V), V >= 376.");
    expect_text(NLM_ASP, BOUNDS,
                "t(X) :- near(X, Y), size_at_least_3_76(Y), size_below_5(Y), not size_above_10(X).");
    expect_text(NLM_ASP, pair,
                "size_minus_size_at_least_0(A, B) :- size(A, V), size(B, W), V - W >= 0, A != B.");
    expect_text(NLM_DATALOG, BOUNDS, ".decl size(a: symbol, b: float)\n.input size");
    expect_text(NLM_DATALOG, BOUNDS, "size_below_5(A) :- size(A, V), V < 5.0.");
    expect_text(NLM_SQL, BOUNDS, "SELECT t1.a FROM \"size\" AS t1 WHERE t1.b >= 3.76");
    expect_text(
        NLM_SQL, pair,
        "SELECT t1.a, t2.a FROM \"size\" AS t1, \"size\" AS t2 WHERE t1.a <> t2.a AND t1.b - t2.b >= 0");
    expect_text(NLM_ENGLISH, BOUNDS, "size(Y, V), V >= 3.76, V < 5 and not (size(X, W), W > 10)");
    expect_text(NLM_JSON, BOUNDS,
                "{\"predicate\": \"size(A,V), V >= 3.76\", \"negated\": false, \"arguments\": [\"Y\"]}");
    expect_text(NLM_ASP, "t(X) :- size(X, V), V < 0.", "V < 0.");
}

static void what_is_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"p(X) :- q(X, Y), X < Y.", "f:1: X is compared as a number, but the head has it"},
        {"p(X) :- q(X, Y),\n V < Y.", "f:2: V is compared as a number, but no literal gives it: write one"},
        {"p(X) :- q(X, V), V > 1, r(X, V).", "f:1: V is compared as a number, but several literals give it"},
        {"p(X) :- q(X, V), V > 1, V \\= X.",
         "f:1: V is compared as a number, but numbers are no objects: write"},
        {"p(X) :- q(X), V > 1, r(X, V).", "f:1: V is not bound before this comparison"},
        {"p(X) :- \\+ r(X, V), V > 1.", "f:1: V is not bound before this negation"},
        {"p(X) :- q(X), 3 > 2.", "f:1: a comparison without a variable"},
        {"p(X) :- q(X), 3.", "f:1: a number alone is no literal: compare it"},
        {"p(X) :- q(X, V), V * 2 > 3.", "f:1: *: of arithmetic and order, rules have comparisons"},
        {"p(X) :- q(X, V), V <= 3.", "f:1: <=: of arithmetic and order"},
        {"p(X) :- q(X, V), V > 1e999.", "f:1: 1e999 is beyond the numbers that can be read"},
        {"p(X) :- q(X, V), V > nan.",
         "f:1: a number, or a variable that stands for one, is expected, not nan"},
        {"p(X) :- q(X, V), V > 1,5.", "f:1: a number alone is no literal"},
        {"p(X) :- q(X, _), _ > 1.", "f:1: _ in a comparison: give the number a name"},
        {"p(X) :- q(X, V), V > V.", "f:1: V stands twice in a comparison"},
        {"p(X) :- q(X, V), r(X, W), s(X, U), V + W > U.",
         "f:1: more than two numbers of facts in one comparison"},
        {"p :- q(A, B, C, V), q(D, E, F, W), V > W.",
         "f:1: a comparison about 6 objects: at most 4 are supported"},
        {"p :- q(A, B, C, D, V), V > 1.", "f:1: q/5 ends in numbers, but facts have at most 4 arguments"},
        {"p(X) :- h(X, V), V > 1.\nh(X, Y) :- q(X, Y).",
         "f:2: h/2 is given by rules, and its last argument is"},
        {"p(X) :- q(X, V), V > 1.\nr(X, Y) :- q(X, Y).",
         "f:2: q/2 ends in a number, which another place of the"},
        {"p(X) :- q(X, V), V > 1.\nr(X) :- q(X, Y), q(Z, Y), s(Z).",
         "f:2: q/2 ends in a number, which another"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        nlm_program *program;
        nlm_error error;
        if (parse(cases[i][0], NULL, &program, &error) != NLM_BAD_FILE ||
            strncmp(error.message, cases[i][1], strlen(cases[i][1])) != 0)
            fail_msg("%s: '%s', not '%s'", cases[i][0], error.message, cases[i][1]);
        assert_null(program);
    }
}

/* With the facts' signature it is known what ends in numbers. */
static void a_signature_knows(void **state)
{
    (void)state;
    nlm_signature *signature;
    CHECK(signature_new(&signature, &check_error));
    const nlm_predicate near = {.name = "near", .arity = 2, .objects = 2, .place = {0, 1}};
    CHECK(signature_add(signature, SIGNATURE_INPUTS, &near, &check_error));
    const nlm_attribute at = {.name = "at", .arity = 3, .objects = 1, .place = 1};
    CHECK(signature_add_attributes(signature, &at, &check_error));
    CHECK(signature_finish(signature, &check_error));
    nlm_program *program;
    nlm_error error;
    CHECK(parse("p(X) :- at(X, _, V), V > 1.", signature, &program, &check_error));
    assert_string_equal(program_at(program, 1)->name, "at(A,_,V), V > 1");
    nlm_program_free(program);
    static const char *const cases[][2] = {
        {"p(X) :- near(X, V), V > 1.",
         "f:1: V is compared as a number, but no facts of near/2 are known that end in "
         "numbers: 'nlm check' lists what does"},
        {"p(X) :- size(X, V), V > 1.",
         "f:1: V is compared as a number, but no facts of size/2 are known that end "
         "in numbers: 'nlm check' lists what does"},
        {"p(X) :- near(X, Y), at(V, _, _), V > 1.",
         "f:1: V is compared as a number, but it is an object there: "
         "numbers are the last arguments of a fact"},
        {"p(X) :- at(X, V, _), near(X, V).",
         "f:1: at/3 ends in a number, which another place of the clause has "
         "too: give each its own variable, and compare numbers by =:="},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(parse(cases[i][0], signature, &program, &error), NLM_BAD_FILE);
        assert_string_equal(error.message, cases[i][1]);
    }
    nlm_signature_free(signature);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comparisons_mean),  cmocka_unit_test(texts_are_read_again),
        cmocka_unit_test(each_language_compares), cmocka_unit_test(what_is_refused),
        cmocka_unit_test(a_signature_knows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
