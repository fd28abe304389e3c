/* Constants: names of predicates with constants, and facts that are divided by them. */
#include "facts/files.h"
#include "syntax/constant.h"

static void names_are_put_together_and_taken_apart(void **state)
{
    (void)state;
    static const char *const constants[] = {"it", "A",       "r & d", "it's",  "",
                                            "3",  "x\\y\nz", "B",     "größe", "\x01"};
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        for (size_t j = 0; j < sizeof constants / sizeof *constants; j++) {
            const prolog_name value[] = {{NULL, 0},
                                         {constants[i], strlen(constants[i])},
                                         {NULL, 0},
                                         {constants[j], strlen(constants[j])}};
            char text[200], plain[100];
            constant_parts parts;
            const size_t length = constant_name((prolog_name){"Has it", 6}, value, 4, text, sizeof text);
            assert_int_equal(length, strlen(text));
            const bool good = *constants[i] && *constants[j];
            assert_int_equal(constant_parts_read(text, &parts), good);
            if (!good)
                continue;
            assert_int_equal(parts.arity, 4);
            assert_int_equal(parts.objects, 2);
            assert_int_equal(parts.object[0], 0);
            assert_int_equal(parts.object[2], 1);
            constant_plain(parts.name, plain, sizeof plain);
            assert_string_equal(plain, "Has it");
            constant_plain(parts.text[1], plain, sizeof plain);
            assert_string_equal(plain, constants[i]);
            constant_plain(parts.text[3], plain, sizeof plain);
            assert_string_equal(plain, constants[j]);
        }
    static const char *const bad[] = {"p",        "p(",        "p(A)",         "p(it",     "p(it)x",
                                      "p(B,it)",  "p(A,It)",   "p(A,i t)",     "(A,it)",   "p(A,it,)",
                                      "p(A,,it)", "p(A,'it')", "p(a,b,c,d,e)", "p(A,A,it)"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        constant_parts parts;
        if (constant_parts_read(bad[i], &parts))
            fail_msg("%s", bad[i]);
    }
}

/* Inputs and targets, each followed by its facts or true labels. */
static const char *content(const nlm_problem *problem)
{
    static char text[2048];
    const nlm_signature *signature = nlm_problem_signature(problem);
    const nlm_world *world = nlm_problem_world(problem, 0);
    FILE *out = fmemopen(text, sizeof text, "w");
    for (int i = 0; i < nlm_signature_inputs(signature); i++) {
        const nlm_predicate *input = nlm_signature_input(signature, i);
        char name[100];
        const int *tuples;
        const size_t count = nlm_world_facts(world, i, &tuples, NULL);
        nlm_predicate_text(input, name, sizeof name);
        fprintf(out, "%s:", name);
        for (size_t k = 0; k < count; k++) {
            nlm_fact_text(signature, input, world, tuples + k * (size_t)input->objects, name, sizeof name);
            fprintf(out, " %s", name);
        }
        fprintf(out, "\n");
    }
    fclose(out);
    return text;
}

static void facts_are_divided(void **state)
{
    (void)state;
    files_write("a.pl", "works(ann, lead, nlm). works(bob, 'Test er', nlm). likes(lead, ann). good(ann).\n"
                        "works(ann, lead, ann).");
    static const char *const role[] = {"works:2"}, *const last[] = {"works/3"}, *const good[] = {"good"};
    static const char *const far[] = {"good:3"}, *const none[] = {"role"};
    nlm_reading reading = {.targets = good, .target_count = 1, .constants = role, .constant_count = 1};
    nlm_problem *problem = files_read("a.pl", &reading);
    assert_string_equal(content(problem), "likes/2: likes(lead, ann)\n"
                                          "works(A,lead,B): works(ann, lead, nlm)\n"
                                          "works(A,lead,A): works(ann, lead, ann)\n"
                                          "works(A,'Test er',B): works(bob, 'Test er', nlm)\n");
    files_notes(
        problem,
        "a.pl: lead is a constant of works and an object of likes: they are two things; if they should "
        "be one, leave works out of the constants, else give one another name",
        NULL);

    /* written and read again, and by a model */
    nlm_error error;
    assert_int_equal(nlm_problem_write(problem, "out", NLM_FORM_FOLDER, false, &error), NLM_OK);
    assert_non_null(strstr(files_text("out/bias.pl"), "constants(works,3,2).\n"));
    nlm_problem *again = files_read("out", NULL);
    assert_string_equal(content(again), content(problem));
    nlm_problem_free(again);
    files_write("b.pl", "works(zoe, lead, nlm). works(zoe, boss, nlm). good(zoe).");
    again = files_read("b.pl", &(nlm_reading){.signature = nlm_problem_signature(problem)});
    assert_string_equal(content(again), "likes/2:\nworks(A,lead,B): works(zoe, lead, nlm)\nworks(A,lead,A):\n"
                                        "works(A,'Test er',B):\n");
    nlm_problem_free(again);
    nlm_problem_free(problem);

    reading.constants = last;
    problem = files_read("a.pl", &reading);
    assert_non_null(
        strstr(content(problem), "works(A,B,nlm): works(ann, lead, nlm) works(bob, 'Test er', nlm)\n"));
    nlm_problem_free(problem);
    reading.constants = far;
    files_refused("a.pl", &reading, NLM_BAD_ARGUMENT, "--constants good:3: good has no argument 3");
    reading.constants = none;
    files_refused("a.pl", &reading, NLM_BAD_ARGUMENT,
                  "a.pl has no predicate role; it has works/3, likes/2, good/1");
}

static void types_are_constants(void **state)
{
    (void)state;
    files_write("w/bias.pl", "head_pred(f,1). body_pred(colour,2). body_pred(on,2). type(f,(block,)).\n"
                             "type(colour,(block,shade)). type(on,(block,block)).");
    files_write("w/bk.pl", "colour(a, red). colour(b, blue). on(a, b).");
    files_write("w/exs.pl", "pos(f(a)). neg(f(b)).");
    static const char *const shade[] = {"shade"};
    nlm_problem *problem = files_read("w", &(nlm_reading){.constants = shade, .constant_count = 1});
    assert_string_equal(content(problem), "colour(A,red): colour(a, red)\ncolour(A,blue): colour(b, blue)\n"
                                          "on/2: on(a, b)\n");
    nlm_problem_free(problem);
    files_write("w/bias.pl", "head_pred(f,1). body_pred(colour,2). body_pred(on,2). type(f,(block,)).\n"
                             "type(colour,(block,constant)). type(on,(block,block)).");
    problem = files_read("w", NULL);
    assert_int_equal(nlm_signature_inputs(nlm_problem_signature(problem)), 3);
    nlm_problem_free(problem);
}

static void too_many_are_refused(void **state)
{
    (void)state;
    FILE *file = fopen("many.pl", "w");
    for (int i = 0; i < 300; i++)
        fprintf(file, "p(a%d, c%d). q(a%d).\n", i, i, i % 2);
    fclose(file);
    static const char *const p[] = {"p"}, *const q[] = {"q"};
    files_refused("many.pl",
                  &(nlm_reading){.targets = q, .target_count = 1, .constants = p, .constant_count = 1},
                  NLM_BAD_FILE,
                  "many.pl: p has 300 different constants, each a predicate of its own: at most 256 are "
                  "supported; leave "
                  "it out of --constants, and they are objects");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_put_together_and_taken_apart),
        files_test(facts_are_divided),
        files_test(types_are_constants),
        files_test(too_many_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
