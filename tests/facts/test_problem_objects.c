/* Problems: objects, predicates and types that follow from facts. */
#include "facts/files.h"

/* ---- objects ---- */

static void objects_can_be_declared(void **state)
{
    (void)state;
    files_write("a.pl", "object(z). p(a). object(a). object(b, person). object(a, b).");
    nlm_problem *problem = files_expect("a.pl", NULL, "z a b; p/1: p(a)");
    files_notes(problem, "the types that object/2 declares are ignored: no predicate has types", NULL);
    nlm_problem_free(problem);
    files_write("f/bk.pl", "object(z). p(a). object(b, a).");
    files_write("f/bias.pl", "body_pred(object,1). body_pred(p,1).");
    nlm_problem_free(files_expect("f", NULL, "z a b; object/1: object(z); p/1: p(a)"));
    static const char *const object[] = {"object/1"};
    nlm_problem_free(files_expect("a.pl", &(nlm_reading){.targets = object, .target_count = 1},
                                  "z a b; p/1: p(a); object/1 - object(z)+ object(a)+"));
}

static void the_same_fact_counts_once(void **state)
{
    (void)state;
    files_write("a.pl", "p(a,b). p('a',b). p(a,b). p(1,2). p('1','2').");
    nlm_problem_free(files_expect("a.pl", NULL, "a b 1 2; p/2: p(a, b) p(1, 2)"));
}

static void repeats_have_predicates_of_their_own(void **state)
{
    (void)state;
    files_write("a.pl", "likes(a,b). likes(a,a). t(a,b,a,c). t(a,a,a,a). t(b,b,c,c). u(d,d).");
    nlm_problem *problem = files_expect(
        "a.pl", NULL,
        "a b c d; likes/2: likes(a, b); likes(A,A)/1: likes(a, a); t/4:; t(A,A,A,A)/1: t(a, a, a, a); "
        "t(A,A,B,B)/2: t(b, b, c, c); t(A,B,A,C)/3: t(a, b, a, c); u/2:; u(A,A)/1: u(d, d)");
    const nlm_signature *signature = nlm_problem_signature(problem);
    const nlm_predicate *pattern = nlm_signature_input(signature, 5);
    assert_string_equal(pattern->name, "t");
    assert_int_equal(pattern->arity, 4);
    assert_int_equal(pattern->objects, 3);
    static const int place[] = {0, 1, 0, 2};
    assert_memory_equal(pattern->place, place, sizeof place);
    assert_null(nlm_signature_input(signature, 8));
    nlm_problem_free(problem);
    static const char *const likes[] = {"likes"};
    nlm_problem_free(files_expect("a.pl", &(nlm_reading){.targets = likes, .target_count = 1},
                                  "a b c d; t/4:; t(A,A,A,A)/1: t(a, a, a, a); t(A,A,B,B)/2: t(b, b, c, c); "
                                  "t(A,B,A,C)/3: t(a, b, a, c); u/2:; u(A,A)/1: u(d, d); likes/2 - likes(a, "
                                  "b)+; likes(A,A)/1 - likes(a, a)+"));
}

static void too_many_predicates_are_refused(void **state)
{
    (void)state;
    char text[256] = "p(a). ";
    for (int i = 0; i < 9; i++)
        snprintf(text + strlen(text), 32, "q%d(a). ", i);
    files_write("a.pl", text);
    static const char *const targets[] = {"q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8"};
    files_refused(
        "a.pl", &(nlm_reading){.targets = targets, .target_count = 9}, NLM_BAD_FILE,
        "a.pl: 9 predicates to be concluded, those that repeat an object counted apart: at most 8 are "
        "supported");
    nlm_problem_free(files_read("a.pl", &(nlm_reading){.targets = targets, .target_count = 8}));
    FILE *file = fopen("wide.pl", "w");
    for (int i = 0; i <= NLM_MAX_WIDTH; i++)
        fprintf(file, "p%d(a). r%d(a,b).\n", i, i % 7);
    fclose(file);
    files_refused("wide.pl", NULL, NLM_BAD_FILE,
                  "wide.pl: 4097 predicates about 1 object each: at most 4096 are supported");
}

/* ---- types ---- */

static const char typed_bias[] = "head_pred(lives,2). type(lives,(person,city)).\n"
                                 "body_pred(knows,2). type(knows,(person,person)).\n"
                                 "body_pred(big,1). type(big,(city,)).\n";

static void types_tell_objects_apart(void **state)
{
    (void)state;
    files_write("f/bias.pl", typed_bias);
    files_write("f/bk.pl", "knows(paris,rio). big(paris). knows(rio,rio). object(oslo,city).");
    files_write("f/exs.pl", "pos(lives(rio,rio)). pos(lives(paris,paris)).");
    nlm_problem *problem = files_expect(
        "f", NULL,
        "person:paris person:rio city:paris city:oslo city:rio; knows/2: knows(paris, rio); knows(A,A)/1: "
        "knows(rio, rio); big/1: big(paris); type(person)/1: type(person)(paris) type(person)(rio); "
        "type(city)/1: type(city)(paris) type(city)(oslo) type(city)(rio); lives/2 ? lives(rio, rio)+ "
        "lives(paris, paris)+ lives(paris, oslo)- lives(paris, rio)- lives(rio, paris)- lives(rio, oslo)-");
    files_notes(problem, NULL);
    const nlm_signature *signature = nlm_problem_signature(problem);
    const nlm_world *world = nlm_problem_world(problem, 0);
    assert_true(nlm_signature_typed(signature) && nlm_problem_closed(problem));
    char type[8];
    nlm_signature_type(signature, world, 2, type, sizeof type);
    assert_string_equal(type, "city");
    nlm_signature_type(signature, world, 0, type, 4);
    assert_string_equal(type, "per");
    assert_string_equal(nlm_signature_atom(signature, world, 3), "oslo");
    assert_null(nlm_signature_atom(signature, world, 5));
    const nlm_predicate *lives = nlm_signature_target(signature, 0);
    static const int fitting[] = {1, 4}, reversed[] = {4, 1}, outside[] = {1, 5};
    assert_true(nlm_signature_fits(signature, lives, world, fitting));
    assert_false(nlm_signature_fits(signature, lives, world, reversed));
    assert_false(nlm_signature_fits(signature, lives, world, outside));
    nlm_problem_free(problem);
}

static void one_type_needs_no_predicate(void **state)
{
    (void)state;
    files_write("f/bias.pl", "head_pred(q,2). body_pred(p,1). type(p,person). type(q,(person,person)).");
    files_write("f/bk.pl", "p(a). p(b).");
    files_write("f/exs.pl", "pos(q(a,b)).");
    nlm_problem_free(files_expect("f", NULL, "person:a person:b; p/1: p(a) p(b); q/2 - q(a, b)+"));
}

static void predicates_without_types_have_objects_of_their_own(void **state)
{
    (void)state;
    files_write("f/bias.pl",
                "head_pred(q,1). body_pred(p,1). body_pred(r,1). body_pred(s,0). type(p,person).");
    files_write("f/bk.pl", "p(a). r(a). r(b). object(c). object(d, person). object(e, dog). object(f, cat).");
    files_write("f/exs.pl", "pos(q(a)).");
    nlm_problem *problem = files_expect("f", NULL,
                                        "person:a :a :b :c person:d; p/1: p(a); r/1: r(a) r(b); s/0:; q/1 ? "
                                        "q(a)+ q(b)- q(c)-");
    files_notes(
        problem, "q/1 has no types: its objects are not those of the same name that have a type",
        "r/1 has no types: its objects are not those of the same name that have a type",
        "object/1 declares objects without a type, while predicates have types: write object(name, type)",
        "object(e, dog) is ignored, and others of this kind: no predicate has the type", NULL);
    nlm_problem_free(problem);
}

static void a_typed_world_that_is_not_closed_lists_its_labels(void **state)
{
    (void)state;
    files_write("f/bias.pl", typed_bias);
    files_write("f/bk.pl", "knows(a,b). big(c).");
    files_write("f/exs.pl", "pos(lives(a,c)). neg(lives(b,c)).");
    nlm_problem_free(
        files_expect("f", NULL,
                     "person:a person:b city:c; knows/2: knows(a, b); big/1: big(c); "
                     "type(person)/1: type(person)(a) type(person)(b); type(city)/1: type(city)(c); "
                     "lives/2 ? lives(a, c)+ lives(b, c)-"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        files_test(objects_can_be_declared),
        files_test(the_same_fact_counts_once),
        files_test(repeats_have_predicates_of_their_own),
        files_test(too_many_predicates_are_refused),
        files_test(types_tell_objects_apart),
        files_test(one_type_needs_no_predicate),
        files_test(predicates_without_types_have_objects_of_their_own),
        files_test(a_typed_world_that_is_not_closed_lists_its_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
