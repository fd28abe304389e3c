/* Comparisons that are chosen from labelled facts: where the thresholds are, what they hold for, that a model
 * keeps them to the last bit and reads other facts by them, and that hidden labels do not count. */
#include "facts/files.h"

#include <math.h>
#include "facts/comparison.h"
#include "facts/problem.h"
#include "facts/signature.h"
#include "facts/threshold_search.h"
#include "facts/thresholds.h"

/* The comparisons among the inputs, each followed by the objects it holds for in the first world. */
static void describe(const nlm_problem *problem, char *text, size_t size)
{
    const nlm_signature *signature = nlm_problem_signature(problem);
    const nlm_world *world = nlm_problem_world(problem, 0);
    FILE *out = fmemopen(text, size, "w");
    for (int i = 0; i < nlm_signature_inputs(signature); i++) {
        const nlm_predicate *input = nlm_signature_input(signature, i);
        if (input->comparison.terms == 0)
            continue;
        const int *tuples;
        const size_t count = nlm_world_facts(world, i, &tuples, NULL);
        fprintf(out, "%s:", input->name);
        assert_string_equal(nlm_world_predicate_name(world, i), input->name);
        for (size_t f = 0; f < count * (size_t)input->objects; f++)
            fprintf(out, " %s", nlm_signature_atom(signature, world, tuples[f]));
        fputs("; ", out);
    }
    fputc(0, out);
    fclose(out);
}

static void expect(const nlm_problem *problem, const char *expected)
{
    char text[4096] = "";
    describe(problem, text, sizeof text);
    assert_string_equal(text, expected);
}

static nlm_problem *read_folder(const char *facts, const char *examples)
{
    files_write("w/bk.pl", facts);
    files_write("w/exs.pl", examples);
    return files_read("w", NULL);
}

static const char sizes[] =
    "size(a, 1.0). size(b, 2.5). size(c, 3.0). size(d, 4.5). size(e, 6.0). size(f, 7.25). "
    "p(g). p(a). p(d).";

static void a_threshold_is_between_the_nearest_values(void **state)
{
    (void)state;
    nlm_problem *problem =
        read_folder(sizes, "neg(t(a)). neg(t(b)). neg(t(c)). pos(t(d)). pos(t(e)). pos(t(f)).");
    expect(problem, "size(A,V), V >= 4: d e f; ");
    nlm_problem_free(problem);
    problem = read_folder(sizes, "pos(t(a)). pos(t(b)). neg(t(c)). neg(t(d)). neg(t(e)). neg(t(f)).");
    expect(problem, "size(A,V), V < 2.8: a b; ");
    nlm_problem_free(problem);
    problem = read_folder(
        "age(a, 1). age(b, 2). age(c, 3). age(d, 4). age(e, 5). age(f, 6). age(g, 7). age(h, 8).",
        "neg(t(a)). neg(t(b)). pos(t(c)). pos(t(d)). pos(t(e)). neg(t(f)). neg(t(g)). neg(t(h)).");
    expect(problem, "age(A,V), V >= 3: c d e f g h; age(A,V), V < 6: a b c d e; ");
    nlm_problem_free(problem);
}

/* What has no number is in neither part. */
static void the_unknown_is_neither(void **state)
{
    (void)state;
    nlm_problem *problem = read_folder("size(a, 1.5). size(b, 2.5). size(c, 3.5). size(d, 4.5). q(e). q(f).",
                                       "neg(t(a)). pos(t(b)). pos(t(c)). neg(t(d)). neg(t(e)). neg(t(f)).");
    expect(problem, "size(A,V), V >= 2: b c d; size(A,V), V < 4: a b c; ");
    nlm_problem_free(problem);
}

static void sums_and_differences(void **state)
{
    (void)state;
    nlm_problem *problem = read_folder(
        "x(a, 1.5). y(a, 5.5). x(b, 5.5). y(b, 1.5). x(c, 9.5). y(c, 9.0). x(d, 2.5). y(d, 4.5). x(e, 4.5). "
        "y(e, 2.5). x(f, 1.5). y(f, 1.25). x(g, 7.5). y(g, 0.5). x(h, 0.5). y(h, 7.5). x(i, 7.5). y(i, 8.5). "
        "x(j, 9.5). y(j, 9.75).",
        "neg(t(a)). pos(t(b)). pos(t(c)). neg(t(d)). pos(t(e)). pos(t(f)). pos(t(g)). neg(t(h)). neg(t(i)). "
        "neg(t(j)).");
    expect(problem, "x(A,V), y(A,W), V >= W: b c e f g; ");
    nlm_problem_free(problem);
    char facts[2000] = "", examples[2000] = "";
    static const double size[] = {3, 1.5, 4, 1, 5, 9, 2, 6};
    for (int i = 0; i < 8; i++)
        sprintf(facts + strlen(facts), "size(o%d, %.1f). ", i, size[i]);
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 8; k++)
            if (i != k)
                sprintf(examples + strlen(examples), "%s(t(o%d, o%d)). ", size[i] < size[k] ? "pos" : "neg",
                        i, k);
    problem = read_folder(facts, examples);
    char text[4096];
    describe(problem, text, sizeof text);
    assert_memory_equal(text, "size(A,V), size(B,W), V < W: ", 29);
    nlm_problem_free(problem);
}

/* A condition of the object, and an object within reach. */
static void what_else_is_true_of_the_object(void **state)
{
    (void)state;
    char facts[8000] = "", examples[2000] = "";
    for (int w = 0; w < 20; w++) {
        const bool good = w % 2;
        sprintf(facts + strlen(facts),
                "has(w%d, p%d). has(w%d, q%d). red(p%d). blue(q%d). size(p%d, %d.5). size(q%d, %d.5). ", w, w,
                w, w, w, w, w, good ? 6 + w % 3 : w % 5, w, w * 7 % 11);
        sprintf(examples + strlen(examples), "%s(good(w%d)). ", good ? "pos" : "neg", w);
    }
    nlm_problem *problem = read_folder(facts, examples);
    assert_int_equal(nlm_problem_worlds(problem), 20);
    char text[4096];
    describe(problem, text, sizeof text);
    assert_memory_equal(text, "size(A,V), V >= 5.5: ", 20); /* between 4.5 and 6.5 */
    nlm_problem_free(problem);
}

/* A model's signature has the thresholds, and other facts are read by them. */
static void a_model_keeps_its_thresholds(void **state)
{
    (void)state;
    nlm_problem *problem =
        read_folder("size(a, 0.1). size(b, 0.30000000000000004). size(c, 0.3). size(d, 0.2). size(e, 0.4).",
                    "neg(t(a)). pos(t(b)). neg(t(c)). neg(t(d)). pos(t(e)).");
    expect(problem, "size(A,V), V >= 0.30000000000000004: b e; ");
    const char *text;
    CHECK(nlm_signature_text(nlm_problem_signature(problem), &text, &check_error));
    nlm_signature *signature;
    CHECK(signature_parse(text, "m", &signature, &check_error));
    files_write("new.pl", "size(x, 0.3). size(y, 0.30000000000000004). size(z, 7). p(w). weight(x, 3.5).");
    nlm_problem *other = files_read("new.pl", &(nlm_reading){.signature = signature});
    expect(other, "size(A,V), V >= 0.30000000000000004: y z; ");
    nlm_problem_free(other);
    files_write("bad.pl", "size(x, 0.3).\nsize(y, tall).");
    files_refused(
        "bad.pl", &(nlm_reading){.signature = signature}, NLM_BAD_FILE,
        "bad.pl:2: size(y, tall): tall is no number, while other facts of size have one there: leave the "
        "fact out if the number is not known");
    nlm_signature_free(signature);
    nlm_problem_free(problem);
}

static void broken_comparisons(void **state)
{
    (void)state;
    static const char before[] = "{\"inputs\": [{\"compare\": ",
                      after[] = "}], \"targets\": [], \"attributes\": "
                                "[{\"name\": \"size\", \"arity\": 2, \"objects\": 1}]}";
    static const char term[] = "{\"attribute\": \"size\", \"arity\": 2, \"place\": 1, \"objects\": [0]}";
    static const char *const bad[] = {
        "[], \"order\": \">=\", \"number\": \"1\"",
        "[%s], \"order\": \"=\", \"number\": \"1\"",
        "[%s], \"order\": \">=\"",
        "[%s], \"order\": \">=\", \"number\": \"nan\"",
        "[%s], \"order\": \">=\", \"number\": 1.5",
        "[%s, %s], \"order\": \">=\", \"number\": \"1\"",
        "[%s, %s], \"order\": \"known\", \"minus\": true",
        "[{\"attribute\": \"size\", \"arity\": 2, \"place\": 0, \"objects\": [0]}], \"order\": \">=\", "
        "\"number\": \"1\"",
        "[{\"attribute\": \"size\", \"arity\": 2, \"place\": 1, \"objects\": [1]}], \"order\": \">=\", "
        "\"number\": \"1\"",
        "[{\"attribute\": \"age\", \"arity\": 2, \"place\": 1, \"objects\": [0]}], \"order\": \">=\", "
        "\"number\": \"1\"",
        "[%s], \"order\": \">=\", \"number\": \"1\"}, {\"compare\": [%s], \"order\": \">=\", \"number\": "
        "\"1.0\"",
    };
    char line[1000], text[1200];
    nlm_signature *signature;
    nlm_error error;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        /* flawfinder: every text has at most two places */
        snprintf(line, sizeof line, bad[i], term, term);
        snprintf(text, sizeof text, "%s%s%s", before, line, after);
        assert_int_equal(signature_parse(text, "m", &signature, &error), NLM_BAD_FILE);
        const char *reason =
            i + 1 < sizeof bad / sizeof *bad
                ? "m: metadata 'signature': number 1 of its inputs is no comparison of numbers"
                : "m: metadata 'signature': number 2 of its inputs is there twice";
        assert_string_equal(error.message, reason);
    }
}

/* Labels that are hidden do not move a threshold. */
static void hidden_labels_do_not_count(void **state)
{
    (void)state;
    char facts[4000] = "", examples[2000] = "";
    for (int w = 0; w < 20; w++) {
        sprintf(facts + strlen(facts), "has(w%d, p%d). size(p%d, %d.5). ", w, w, w, w);
        sprintf(examples + strlen(examples), "%s(good(w%d)). ", w >= 10 ? "pos" : "neg", w);
    }
    nlm_problem *problem = read_folder(facts, examples), *again;
    assert_int_equal(nlm_problem_worlds(problem), 20);
    const nlm_world *labels[20];
    for (int w = 0; w < 20; w++)
        labels[w] = w >= 8 && w < 14 ? NULL : nlm_problem_world(problem, w);
    CHECK(thresholds_choose_again(problem, labels, &again, &check_error));
    const nlm_signature *of[] = {nlm_problem_signature(problem), nlm_problem_signature(again)};
    for (int i = 0; i < 2; i++) {
        const nlm_predicate *last = nlm_signature_input(of[i], nlm_signature_inputs(of[i]) - 1);
        assert_string_equal(last->name, "size(A,V), V >= 10");
    }
    for (int w = 0; w < 20; w++)
        labels[w] = w >= 8 && w < 18 ? NULL : nlm_problem_world(problem, w);
    nlm_problem_free(again);
    CHECK(thresholds_choose_again(problem, labels, &again, &check_error));
    const nlm_signature *fewer = nlm_problem_signature(again);
    assert_string_equal(nlm_signature_input(fewer, nlm_signature_inputs(fewer) - 1)->name,
                        "size(A,V), V >= 13");
    nlm_problem_free(again);
    nlm_problem_free(problem);
}

static void numbers_in_a_gap(void **state)
{
    (void)state;
    static const struct {
        double below, from, expected;
        bool whole;
    } cases[] = {{1, 2, 1.5, false},
                 {-1, 1, 0, false},
                 {-3, 0, 0, true},
                 {3, 4, 4, true},
                 {3, 8, 6, true},
                 {5.61, 5.62, 5.615, false},
                 {1e300, 1.5e300, 1.3e300, false},
                 {100, 200, 150, false},
                 {-2, -1, -1, true},
                 {-0.2, -0.1, -0.15, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double number = threshold_between(cases[i].below, cases[i].from, cases[i].whole);
        assert_true(number > cases[i].below && number <= cases[i].from);
        if (number != cases[i].expected)
            fail_msg("between %g and %g: %g, not %g", cases[i].below, cases[i].from, number,
                     cases[i].expected);
    }
    for (double v = 0.1; v < 1e300; v *= 1.7)
        assert_true(threshold_between(v, nextafter(v, INFINITY), false) == nextafter(v, INFINITY));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_threshold_is_between_the_nearest_values),
        cmocka_unit_test(the_unknown_is_neither),
        cmocka_unit_test(sums_and_differences),
        cmocka_unit_test(what_else_is_true_of_the_object),
        cmocka_unit_test(a_model_keeps_its_thresholds),
        cmocka_unit_test(broken_comparisons),
        cmocka_unit_test(hidden_labels_do_not_count),
        cmocka_unit_test(numbers_in_a_gap),
    };
    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
