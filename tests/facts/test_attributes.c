/* Facts that end in numbers: which do, what is refused, and that they are written and read again. */
#include "facts/files.h"

#include "facts/signature.h"

/* All numbers of a world as one text. */
static void expect_numbers(const nlm_problem *problem, const char *expected)
{
    const nlm_signature *signature = nlm_problem_signature(problem);
    const nlm_world *world = nlm_problem_world(problem, 0);
    char text[2048] = "", name[64];
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_int_equal(nlm_world_attributes(world), nlm_signature_attributes(signature));
    for (int a = 0; a < nlm_world_attributes(world); a++) {
        const nlm_attribute *attribute = nlm_signature_attribute(signature, a);
        const int *tuples;
        const double *numbers;
        size_t count = nlm_world_numbers(world, a, &tuples, &numbers), arity = (size_t)attribute->objects;
        nlm_attribute_text(attribute, name, sizeof name);
        assert_string_equal(nlm_world_attribute_name(world, a), name);
        fprintf(out, "%s%s:", a ? "; " : "", name);
        for (size_t i = 0; i < count; i++) {
            fputc(' ', out);
            for (size_t k = 0; k < arity; k++)
                fprintf(out, "%s ", nlm_signature_atom(signature, world, tuples[i * arity + k]));
            fprintf(out, "%g", numbers[i]);
        }
    }
    fclose(out);
    assert_string_equal(text, expected);
}

static void expect(const char *facts, const nlm_reading *reading, const char *world, const char *numbers)
{
    files_write("a.pl", facts);
    nlm_problem *problem = files_expect("a.pl", reading, world);
    expect_numbers(problem, numbers);
    nlm_problem_free(problem);
}

#define NOTE(list)                                                                                           \
    "numbers, not names of objects, end the facts of " list                                                  \
    "; a type of another name than real makes them names"

static void a_decimal_point_makes_a_number(void **state)
{
    (void)state;
    expect("size(a, 3.76). size(b, 4). p(c).", NULL, "a b c; p/1: p(c)", "size(A,V): a 3.76 b 4");
    expect("at(a, 1, 2.5). at(b, 3, -4e1).", NULL, "a b", "at(A,V,_): a 1 b 3; at(A,_,V): a 2.5 b -40");
    expect("far(a, b, 0.5). far(b, a, 0.25). far(a, a, 0.0).", NULL, "a b", "far(A,B,V): a b 0.5 b a 0.25");
    expect("warm(21.5). p(a).", NULL, "a; p/1: p(a)", "warm(V): 21.5");
    expect("size(a, 1.5). size(a, 1.50).", NULL, "a", "size(A,V): a 1.5");
    nlm_problem *problem = files_read("a.pl", NULL);
    files_notes(problem, NOTE("size/2"), NULL);
    nlm_problem_free(problem);
}

static void integers_are_numbers_or_names(void **state)
{
    (void)state;
    static const char ages[] =
        "age(a,31). age(b,32). age(c,33). age(d,34). age(e,35). age(f,36). age(g,37). ";
    char text[256];
    snprintf(text, sizeof text, "%sage(h,38).", ages);
    expect(text, NULL, "a b c d e f g h", "age(A,V): a 31 b 32 c 33 d 34 e 35 f 36 g 37 h 38");
    static const char *const names[] = {"age(h,37).",            /* seven kinds */
                                        "age(h,38). p(38).",     /* a name elsewhere */
                                        "age(h,38). age(h,39).", /* two of one object */
                                        "age(h,38). age(i,j)."};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(text, sizeof text, "%s%s", ages, names[i]);
        files_write("a.pl", text);
        nlm_problem *problem = files_read("a.pl", NULL);
        assert_int_equal(nlm_signature_attributes(nlm_problem_signature(problem)), 0);
        assert_int_equal(nlm_problem_notes(problem), 0);
        nlm_problem_free(problem);
    }
    expect("edge(1,2). edge(2,3). edge(3,4). edge(4,5). edge(5,6). edge(6,7). edge(7,8). edge(8,9).", NULL,
           "1 2 3 4 5 6 7 8 9; edge/2: edge(1, 2) edge(2, 3) edge(3, 4) edge(4, 5) edge(5, 6) edge(6, 7) "
           "edge(7, 8) edge(8, 9)",
           "");
}

static void declarations_decide(void **state)
{
    (void)state;
    static const char *const age[] = {"age"};
    expect("age(a,3). age(b,4).", &(nlm_reading){.numbers = age, .number_count = 1}, "a b",
           "age(A,V): a 3 b 4");
    files_write("f/bk.pl", "age(a,3). born(b,1.5). q(a).");
    files_write("f/bias.pl", "head_pred(q,1). body_pred(age,2). body_pred(born,2).\n"
                             "type(age,(person,real)). type(born,(person,year)). type(q,(person,)).");
    nlm_problem *problem = files_read("f", NULL);
    files_world(problem, 0,
                "person:a person:b year:1.5; born/2: born(b, 1.5); type(person)/1: type(person)(a) "
                "type(person)(b); type(year)/1: type(year)(1.5); q/1 ? q(a)+ q(b)-");
    expect_numbers(problem, "age(A,V): a 3");
    assert_string_equal(nlm_signature_attribute(nlm_problem_signature(problem), 0)->type[0], "person");
    nlm_problem_free(problem);
}

static void what_is_no_number_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *facts, *message;
    } cases[] = {
        {"size(a,1.5).\nsize(b,nan).",
         "a.pl:2: size(b, nan): nan is no number, while other facts of size have one "
         "there: leave the fact out if the number is not known"},
        {"size(b,inf).\nsize(a,1.5).",
         "a.pl:1: size(b, inf): inf is no number, while other facts of size have one "
         "there: leave the fact out if the number is not known"},
        {"size(a,1.5).\nsize(b,1,5).",
         "a.pl:2: size(b, 1, 5): 3 arguments, where other facts of size end in a "
         "number and have 2: a decimal point is written 1.5"},
        {"size(a,1.5).\np(a).\nsize(a,2).",
         "a.pl:3: size(a, 2): another fact says 1.5: an attribute has one number for "
         "an object; facts of several need an object each"},
        {"size(a,1.5).\nsize(b,-1e309).",
         "a.pl:2: size(b, -1e309): -1e309 is beyond the numbers that can be read, at "
         "most 1.79e308: use another unit"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        files_write("a.pl", cases[i].facts);
        files_refused("a.pl", NULL, NLM_BAD_FILE, cases[i].message);
    }
    static const char *const none[] = {"raining"};
    files_write("a.pl", "raining. size(a,1.5).");
    files_refused("a.pl", &(nlm_reading){.numbers = none, .number_count = 1}, NLM_BAD_ARGUMENT,
                  "raining has no argument that could be a number");
}

static void written_numbers_are_read_again(void **state)
{
    (void)state;
    files_write("a.pl", "at(a,1,0.1). at(b,2,-3e30). far(a,b,2). far(b,a,0.5). q(b). object(z).");
    static const char *const q[] = {"q"};
    nlm_problem *problem = files_read("a.pl", &(nlm_reading){.targets = q, .target_count = 1});
    nlm_error error;
    for (nlm_form form = NLM_FORM_FOLDER; form <= NLM_FORM_TSV; form++) {
        static const char *const folders[] = {"folder", "csv", "tsv"};
        assert_int_equal(nlm_problem_write(problem, folders[form], form, false, &error), NLM_OK);
        nlm_problem *again = files_read(folders[form], NULL);
        expect_numbers(again, "at(A,V,_): a 1 b 2; at(A,_,V): a 0.1 b -3e+30; far(A,B,V): a b 2 b a 0.5");
        assert_int_equal(nlm_problem_digest(again), nlm_problem_digest(problem));
        nlm_problem_free(again);
    }
    nlm_problem_free(problem);
}

/* Attributes go with their objects where one file holds many worlds. */
static void many_worlds_have_their_numbers(void **state)
{
    (void)state;
    char facts[4096] = "", examples[1024] = "";
    for (int t = 0; t < 9; t++) {
        sprintf(facts + strlen(facts), "long(c%d, %d.5).\nhas_car(t%d,c%d).\nweight(t%d, 3.5).\n", t, t, t, t,
                t);
        sprintf(examples + strlen(examples), "%s(east(t%d)).\n", t % 2 ? "pos" : "neg", t);
    }
    files_write("f/bk.pl", facts);
    files_write("f/exs.pl", examples);
    nlm_problem *problem = files_read("f", NULL);
    assert_int_equal(nlm_problem_worlds(problem), 9);
    expect_numbers(problem, "long(A,V): c0 0.5; weight(A,V): t0 3.5");
    nlm_problem *again = files_read("f", &(nlm_reading){.signature = nlm_problem_signature(problem)});
    assert_int_equal(nlm_problem_worlds(again), 9);
    expect_numbers(again, "long(A,V): c0 0.5; weight(A,V): t0 3.5");
    nlm_problem_free(again);
    nlm_problem_free(problem);
    files_write("f/bk.pl", strcat(facts, "long(c3, 8.5).\n"));
    files_refused(
        "f", NULL, NLM_BAD_FILE,
        "f/bk.pl:28: long(c3, 8.5): another fact says 3.5: an attribute has one number for an object; facts "
        "of several need an object each");
}

static void a_signature_keeps_attributes(void **state)
{
    (void)state;
    files_write("a.pl", "size(a,1.5). at(a,1,2.5). p(a).");
    nlm_problem *problem = files_read("a.pl", NULL);
    const char *text;
    nlm_error error;
    assert_int_equal(nlm_signature_text(nlm_problem_signature(problem), &text, &error), NLM_OK);
    assert_string_equal(
        text, "{\"inputs\": [{\"name\": \"p\", \"arity\": 1}], \"targets\": [], \"attributes\": "
              "[{\"name\": \"size\", \"arity\": 2, \"objects\": 1}, {\"name\": \"at\", \"arity\": 3, "
              "\"objects\": 1}]}");
    nlm_signature *again;
    assert_int_equal(signature_parse(text, "m", &again, &error), NLM_OK);
    assert_int_equal(nlm_signature_attributes(again), 3);
    files_write("b.pl", "size(b,7). at(c,1,2). other(c,1.5).");
    nlm_problem *asked = files_read("b.pl", &(nlm_reading){.signature = again});
    expect_numbers(asked, "size(A,V): b 7; at(A,V,_): c 1; at(A,_,V): c 2");
    nlm_problem_free(asked);
    files_write("b.pl", "p(b).\nsize(b,big).");
    files_refused(
        "b.pl", &(nlm_reading){.signature = again}, NLM_BAD_FILE,
        "b.pl:2: size(b, big): big is no number, while other facts of size have one there: leave the fact "
        "out if the number is not known");
    nlm_signature_free(again);
    nlm_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        files_test(a_decimal_point_makes_a_number),
        files_test(integers_are_numbers_or_names),
        files_test(declarations_decide),
        files_test(what_is_no_number_is_refused),
        files_test(written_numbers_are_read_again),
        files_test(a_signature_keeps_attributes),
        files_test(many_worlds_have_their_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
