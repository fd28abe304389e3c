/* Why: random programs in random worlds, where what holds is what evaluation says; trees of a known program.
 */
#include "test.h"
#include "nlm/why.h"
#include "random_program.h"

enum { MOST_TUPLES = 4 * 4 * 4 };

static void random_programs(void **context)
{
    (void)context;
    FILE *nowhere = fopen("/dev/null", "w");
    assert_non_null(nowhere);
    for (uint32_t seed = 1; seed <= 300; seed++) {
        random_choices from = {
            .state = seed * 7919, .variables = 2 + (int)seed % 3, .depth = (int)(seed % 6)};
        nlm_program *program = random_program(&from);
        nlm_signature *signature;
        nlm_why *why;
        signed char truth[MOST_TUPLES];
        assert_non_null(program);
        const int objects = 1 + (int)seed % 4;
        nlm_world *world = random_world(&from, program, objects, 40);
        CHECK(nlm_program_signature(program, &signature, &check_error));
        CHECK(nlm_why_new(program, signature, world, &why, &check_error));
        for (int t = 0; t < program->target_count; t++) {
            const int arity = program_at(program, program->target[t])->arity;
            int tuple[NLM_MAX_BREADTH];
            CHECK(nlm_program_evaluate(program, world, t, truth, &check_error));
            for (size_t n = 0; n < nlm_tuple_count(objects, arity); n++)
                if (nlm_tuple_at(objects, arity, n, tuple)) {
                    bool holds;
                    CHECK(nlm_why_write(why, t, tuple, seed % 2, nowhere, &holds, &check_error));
                    assert_int_equal(holds, truth[n]);
                }
        }
        nlm_why_free(why);
        nlm_signature_free(signature);
        nlm_world_free(world);
        nlm_program_free(program);
    }
    fclose(nowhere);
}

typedef struct known {
    nlm_program *program;
    nlm_signature *signature;
    nlm_world *world;
    nlm_why *why;
} known;

static int make_known(void **context)
{
    static known of;
    static const char rules[] = "parent(X, Y) :- father(X, Y).\n"
                                "parent(X, Y) :- mother(X, Y).\n"
                                "uncle(X, Y) :- parent(Z, Y), brother(X, Z), \\+ shy(X).\n"
                                "uncle(X, Y) :- godfather(X, Y), \\+ father(X, Y).\n";
    static const char *const objects[] = {"abe", "homer", "herb", "bart"};
    CHECK(nlm_program_parse(rules, sizeof rules - 1, "rules", NULL, &of.program, &check_error));
    CHECK(nlm_program_signature(of.program, &of.signature, &check_error));
    CHECK(nlm_world_new(&of.world, &check_error));
    for (size_t i = 0; i < COUNT(objects); i++)
        CHECK(nlm_world_add_object(of.world, objects[i], NULL, &check_error));
    for (int i = 0; i < of.program->input_count; i++)
        CHECK(nlm_world_add_predicate(of.world, program_at(of.program, i)->name,
                                      program_at(of.program, i)->arity, NULL, &check_error));
    CHECK(nlm_world_add_fact(of.world, nlm_world_find_predicate(of.world, "father", 2), (const int[]){1, 3},
                             1, &check_error));
    CHECK(nlm_world_add_fact(of.world, nlm_world_find_predicate(of.world, "brother", 2), (const int[]){2, 1},
                             1, &check_error));
    CHECK(nlm_world_add_fact(of.world, nlm_world_find_predicate(of.world, "shy", 1), (const int[]){0}, 1,
                             &check_error));
    CHECK(nlm_why_new(of.program, of.signature, of.world, &of.why, &check_error));
    *context = &of;
    return 0;
}

static int free_known(void **context)
{
    known *of = *context;
    nlm_why_free(of->why);
    nlm_world_free(of->world);
    nlm_signature_free(of->signature);
    nlm_program_free(of->program);
    return 0;
}

static void check_text(known *of, const char *atom, bool json, const char *expected)
{
    char *text;
    size_t size;
    int target, tuple[NLM_MAX_BREADTH];
    CHECK(nlm_why_atom(of->why, atom, &target, tuple, &check_error));
    FILE *stream = open_memstream(&text, &size);
    CHECK(nlm_why_write(of->why, target, tuple, json, stream, NULL, &check_error));
    fclose(stream);
    assert_string_equal(text, expected);
    free(text);
}

static void trees(void **context)
{
    check_text(*context, "uncle(herb, bart)", false,
               "uncle(herb, bart)\n"
               "    brother(herb, homer)  (fact)\n"
               "    parent(homer, bart)\n"
               "        father(homer, bart)  (fact)\n"
               "    not shy(herb)\n");
    check_text(*context, "uncle(abe, bart)", false,
               "uncle(abe, bart)  fails\n"
               "    nearest clause: 1 of 2 literals fails\n"
               "        godfather(abe, bart)  fails: no such fact\n"
               "        not father(abe, bart)\n"
               "    another clause: 2 of 3 literals fail\n"
               "        brother(abe, homer)  fails: no such fact\n"
               "        parent(homer, bart)\n"
               "            father(homer, bart)  (fact)\n"
               "        not shy(abe)  fails: it is a fact\n");
    check_text(*context, "uncle(herb, bart).", true,
               "{\"literal\": \"uncle(herb, bart)\", \"holds\": true, \"because\": ["
               "{\"literal\": \"brother(herb, homer)\", \"holds\": true, \"because\": []}, "
               "{\"literal\": \"parent(homer, bart)\", \"holds\": true, \"because\": ["
               "{\"literal\": \"father(homer, bart)\", \"holds\": true, \"because\": []}]}, "
               "{\"literal\": \"not shy(herb)\", \"holds\": true, \"because\": []}]}\n");
}

static void refused(void **context)
{
    const known *of = *context;
    nlm_error error;
    int target, tuple[NLM_MAX_BREADTH];
    assert_int_equal(nlm_why_atom(of->why, "uncle(ned, bart)", &target, tuple, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "the facts have no object 'ned'");
    assert_int_equal(nlm_why_atom(of->why, "aunt(abe, bart)", &target, tuple, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_why_atom(of->why, "uncle(abe", &target, tuple, &error), NLM_BAD_FILE);
    assert_int_equal(nlm_why_atom(of->why, "", &target, tuple, &error), NLM_BAD_FILE);
    assert_int_equal(nlm_why_write(of->why, 3, (const int[]){0, 1}, false, stdout, NULL, &error),
                     NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_why_write(of->why, 0, (const int[]){0, 9}, false, stdout, NULL, &error),
                     NLM_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs),
        cmocka_unit_test_setup_teardown(trees, make_known, free_known),
        cmocka_unit_test_setup_teardown(refused, make_known, free_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
