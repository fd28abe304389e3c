/* Printed programs: their text in each language, and what is read from printed Prolog says the same. */
#include "test.h"
#include "programs_agree.h"

static char *printed(const nlm_program *program, nlm_language language)
{
    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    CHECK(nlm_program_print(stream, program, language, &check_error));
    fclose(stream);
    return text;
}

static nlm_program *parsed(const char *text, const nlm_program_reading *reading)
{
    nlm_program *program;
    CHECK(nlm_program_parse(text, strlen(text), "f", reading, &program, &check_error));
    return program;
}

/* The targets are read again by name; those that never hold have no clause. */
static void test_round_trip(void **state)
{
    (void)state;
    random_choices from = {.state = 1, .variables = 3, .depth = 3};
    for (int run = 0; run < 300; run++) {
        nlm_program *program = random_program_of_facts(&from);
        const char *names[RANDOM_TARGETS];
        int count = 0;
        for (int t = 0; t < RANDOM_TARGETS; t++) {
            const program_predicate *of = program_at(program, program->target[t]);
            if (of->body == FORMULA_FALSE)
                continue;
            program->target[count] = program->target[t];
            names[count++] = of->name;
        }
        program->target_count = count;
        char *text = count ? printed(program, NLM_PROLOG) : NULL;
        if (text) {
            nlm_program *same = parsed(text, &(nlm_program_reading){.targets = names, .target_count = count});
            if (!programs_agree(&from, program, same, 10))
                fail_msg("run %d: what was read differs from\n%s", run, text);
            nlm_program_free(same);
        }
        free(text);
        nlm_program_free(program);
    }
}

/* Every language prints every program, and fails whole where memory or stream do. */
static void test_all_languages(void **state)
{
    (void)state;
    random_choices from = {.state = 7, .variables = 3, .depth = 3};
    for (int run = 0; run < 30; run++) {
        nlm_program *program = random_program_of_facts(&from);
        for (int language = NLM_PROLOG; language <= NLM_JSON; language++) {
            char *text = printed(program, (nlm_language)language);
            assert_true(strlen(text) > 10);
            assert_null(strstr(text, "(null)"));
            free(text);
        }
        nlm_program_free(program);
    }
    nlm_program *program = random_program_of_facts(&from);
    nlm_error error;
    assert_int_equal(nlm_program_print(stdout, program, (nlm_language)7, &error), NLM_BAD_ARGUMENT);
    FILE *full = fopen("/dev/full", "w");
    if (full) {
        assert_int_equal(nlm_program_print(full, program, NLM_PROLOG, &error), NLM_IO_ERROR);
        fclose(full);
    }
    nlm_program_free(program);
}

static void check_text(const char *rules, nlm_language language, const char *expected)
{
    nlm_program *program = parsed(rules, NULL);
    char *text = printed(program, language);
    assert_string_equal(text, expected);
    free(text);
    nlm_program_free(program);
}

static const char uncle[] = "uncle(X, Y) :- father(X, Z), brother(Z, Y), \\+ likes(Y, _).\n"
                            "uncle(X, Y) :- mother(X, Z), brother(Z, Y), \\+ likes(Y, _).\n"
                            "brother(A, B) :- A \\= B, father(A, F), (son(F, B) ; daughter(F, B)).\n";

static void test_texts(void **state)
{
    (void)state;
    check_text(uncle, NLM_PROLOG,
               ":- dynamic father/2, likes/2, mother/2, son/2, daughter/2.\n"
               "uncle(X, Y) :- father(X, Z), brother(Z, Y), \\+ likes(Y, _).\n"
               "uncle(X, Y) :- mother(X, Z), brother(Z, Y), \\+ likes(Y, _).\n"
               "brother(X, Y) :- father(X, Z), child(Z, Y), X \\= Y.\n"
               "child(X, Y) :- son(X, Y).\n"
               "child(X, Y) :- daughter(X, Y).\n");
    check_text(uncle, NLM_ASP,
               "#defined father/2.\n#defined likes/2.\n#defined mother/2.\n#defined son/2.\n"
               "#defined daughter/2.\n#show.\n#show uncle(A, B) : uncle(A, B), A != B.\n"
               "uncle(X, Y) :- father(X, Z), brother(Z, Y), not likes(Y, _).\n"
               "uncle(X, Y) :- mother(X, Z), brother(Z, Y), not likes(Y, _).\n"
               "brother(X, Y) :- father(X, Z), child(Z, Y), X != Y.\n"
               "child(X, Y) :- son(X, Y).\n"
               "child(X, Y) :- daughter(X, Y).\n");
    check_text("p(X) :- \\+ 'Q r'(X, _).", NLM_DATALOG,
               "// Q r/2 is written q_r\n"
               ".decl q_r(a: symbol, b: symbol)\n.input q_r\n.decl object(a: symbol)\n"
               ".decl p(a: symbol)\n.output p\n"
               "object(X) :- q_r(X, _).\nobject(X) :- q_r(_, X).\n"
               "p(X) :- object(X), !q_r(X, _).\n");
    check_text(
        "p(X, Y) :- h(X, Z), h(Z, Y), \\+ r(X, Y). h(X, Y) :- q(Y, X).", NLM_SQL,
        "-- reads \"r\"(a, b), \"q\"(a, b): a row for each fact; an empty table where there are none\n"
        "-- runs as it is in SQLite, PostgreSQL and DuckDB; PostgreSQL and DuckDB want columns of one type\n"
        "-- p\nWITH\n  \"h\"(a, b) AS (\n    SELECT t1.b AS a, t1.a AS b FROM \"q\" AS t1)\n"
        "SELECT DISTINCT t1.a AS a, t2.b AS b FROM \"h\" AS t1, \"h\" AS t2 WHERE t2.a = t1.b AND "
        "NOT EXISTS (SELECT 1 FROM \"r\" AS n WHERE n.a = t1.a AND n.b = t2.b) AND t1.a <> t2.b;\n");
    check_text(uncle, NLM_ENGLISH,
               "uncle(X, Y) holds if there is Z with father(X, Z), brother(Z, Y) and there is no W with "
               "likes(Y, W).\n"
               "uncle(X, Y) also holds if there is Z with mother(X, Z), brother(Z, Y) and there is no W with "
               "likes(Y, W).\n"
               "brother(X, Y) holds if there is Z with father(X, Z), child(Z, Y) and X is different from Y.\n"
               "child(X, Y) holds if son(X, Y).\n"
               "child(X, Y) also holds if daughter(X, Y).\n");
    check_text("p(X) :- q(X, Y), \\+ r(Y).", NLM_JSON,
               "{\"clauses\": 1, \"literals\": 3, \"inequalities\": 0,\n"
               "  \"inputs\": [{\"name\": \"r\", \"arity\": 1}, {\"name\": \"q\", \"arity\": 2}],\n"
               "  \"definitions\": [\n"
               "    {\"name\": \"p\", \"target\": true, \"arguments\": [\"X\"], \"clauses\": [\n"
               "      [{\"predicate\": \"q\", \"negated\": false, \"arguments\": [\"X\", \"Y\"]}, "
               "{\"predicate\": \"r\", \"negated\": true, \"arguments\": [\"Y\"]}]]}]}\n");
}

/* Names of helpers: by shape, never one that is taken. */
static void test_names(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"t(X) :- q(X, Y), (father(X, Y) ; mother(X, Y)).", "parent(X, Y) :- father"},
        {"t(X) :- q(X, Y), (father(Y, X) ; mother(Y, X)).", "parent(X, Y) :- "},
        {"t(X) :- q(X, Y), parent(Y), (father(X, Y) ; mother(X, Y)).", "parent(X, Y) :- father"},
        {"t(X) :- parent(X, Y), (father(X, Y) ; mother(X, Y)).", "p1(X, Y) :- father"},
        {"t(X) :- q(X, Y), (edge(X, Y) ; edge(Y, X)).", "symmetric_edge(X, Y) :- edge"},
        {"t(X) :- q(X, Y), (father(X, _) ; mother(X, _)).", "has_parent(X) :- father(X, _)"},
        {"t(X) :- q(X, Y), (red(X) ; blue(X)).", "red_or_blue(X) :- "},
        {"t(X) :- q(X, Y), (red(X) ; \\+ blue(X), q(Y, X)).", "p1(X, Y) :- "},
        {"p1(X) :- q(X, Y), (red(X) ; \\+ blue(X), q(Y, X)).", "p1(X, Y) :- "},
        {"p1(X, Y) :- q(X, Y), (red(X) ; \\+ blue(X), q(Y, X)).", "p2(X, Y) :- "},
        {"t(X) :- q(X, Y), (nephew(X, Y) ; niece(X, Y)).", "nephew_or_niece(X, Y) :- "},
        {"t(X) :- q(X, Y), (red(X) ; blue(X) ; green(X)).", "red_or_blue_or_green(X) :- "},
        {"t(X, Y) :- q(X, Y), \\+ (parent(X, Z), parent(Z, Y)).",
         "grandparent(X, Y) :- parent(X, Z), parent(Z, Y)"},
        {"grandparent(X, Y) :- q(X, Y), \\+ (parent(X, Z), parent(Z, Y)).",
         "p1(X, Y) :- parent(X, Z), parent(Z, Y)"},
        {"t(X, Y) :- q(X, Y), \\+ (child(X, Z), child(Z, Y)).",
         "grandchild(X, Y) :- child(X, Z), child(Z, Y)"},
        {"t(X, Y) :- q(X, Y), \\+ (father(X, Z), mother(Z, Y)).", "father_then_mother(X, Y) :- "},
        {"t(X, Y) :- q(X, Y), \\+ (father(X, Z), mother(Y, Z)).", "father_then_inverse_of_mother(X, Y) :- "},
        {"t(X, Y) :- q(X, Y), \\+ (father(X, Z), father(Y, Z)).", "shares_father(X, Y) :- "},
        {"t(X, Y) :- q(X, Y), \\+ (son(Z, X), son(Z, Y)).", "shares_inverse_of_son(X, Y) :- "},
        {"t(X) :- q(X, _), \\+ (father(X, Z), tall(Z)).", "has_tall_father(X) :- father(X, Y), tall(Y)."},
        {"t(X) :- q(X, _), \\+ (father(X, Z), son(Z, _)).", "has_father_that_has_son(X) :- "},
        {"t(A, B, C, D, E) :- q(A, B), q(B, C), q(C, D), q(D, E), q(E, F), q(F, G), q(G, H), q(H, I).",
         "t(X, Y, Z, W, V) :- q(X, Y), q(Y, Z), q(Z, W), q(W, V), q(V, U), q(U, X1), q(X1, Y1), q(Y1, _)."},
        {"'T t'(X) :- 'Q'(X, _).", "'T t'(X) :- 'Q'(X, _)."},
        {"length(X) :- table(X).", ":- redefine_system_predicate(length(_)).\n:- dynamic (table)/1.\n"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        nlm_program *program = parsed(cases[i][0], NULL);
        char *text = printed(program, NLM_PROLOG);
        if (!strstr(text, cases[i][1]))
            fail_msg("'%s' is not in\n%s", cases[i][1], text);
        free(text);
        nlm_program_free(program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_all_languages),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
