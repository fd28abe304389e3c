/* Rules read from texts: what they mean, how definitions, inputs and targets are found, and what is refused.
 */
#include "test.h"
#include "facts/signature.h"
#include "programs_agree.h"

static random_choices choices = {.state = 1};

static nlm_status parse(const char *text, const nlm_program_reading *reading, nlm_program **program,
                        nlm_error *error)
{
    *error = (nlm_error){0};
    return nlm_program_parse(text, strlen(text), "f", reading, program, error);
}

static nlm_program *parsed(const char *text)
{
    nlm_program *program;
    CHECK(parse(text, NULL, &program, &check_error));
    return program;
}

/* Each pair says the same. */
static void test_equal(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"p(X) :- q(X, Y).", "p(X) :- q(X, _)."},
        {"p(X) :- q(X, Y), r(Y).", "% comment\n:- dynamic q/2.\np(A) :- q(A, B), r(B). /* c */"},
        {"p(X) :- q(X, Y), r(Y). p(X) :- q(Y, X).", "p(X) :- q(X, Y), r(Y) ; q(Z, X)."},
        {"p(X) :- h(X), r(X). h(X) :- q(X, _).", "p(X) :- q(X, _), r(X)."},
        {"p(X) :- (q(X, Y) ; q(Y, X)), r(Y).", "p(X) :- q(X, Y), r(Y). p(X) :- q(Y, X), r(Y)."},
        {"p(X) :- q(X, Y), \\+ r(Y).", "p(X) :- q(X, Y), not_r(Y). not_r(Y) :- object(Y), \\+ r(Y)."},
        {"p(X) :- \\+ q(X, _).", "p(X) :- \\+ h(X). h(X) :- q(X, Y)."},
        {"p(X) :- \\+ (q(X, Y), \\+ r(Y)).", "p(X) :- forall(q(X, Y), r(Y))."},
        {"p(X) :- forall(q(X, Y), q(Y, Z)).", "p(X) :- \\+ h(X). h(X) :- q(X, Y), \\+ q(Y, _)."},
        {"p(X) :- forall((q(X, Y), r(Y)), (q(Y, Z) ; r(X))).",
         "p(X) :- r(X), true. p(X) :- \\+ (q(X, Y), r(Y), \\+ q(Y, _))."},
        {"p(X, Y) :- q(X, Z), q(Z, Y), X \\= Z.", "p(X, Y) :- q(X, Z), q(Z, Y), Z \\== X."},
        {"p(X, Y) :- q(X, Z), q(Z, Y), X \\= Z.", "p(X, Y) :- dif(X, Z), q(X, Z), q(Z, Y)."},
        {"p(X) :- q(X, Y), Y = Z, r(Z).", "p(X) :- q(X, Y), r(Y)."},
        {"p(X) :- q(X, Y), r(Z), Z == Y.", "p(X) :- q(X, Y), r(Y)."},
        {"p(X) :- h(X, X). h(X, Y) :- q(X, Z), q(Y, Z).", "p(X) :- q(X, _)."},
        {"p(X) :- q(X, Y), h(X, Y). h(X, X). h(X, Y) :- r(X), object(Y).", "p(X) :- r(X), q(X, _)."},
        {"p(X, Y) :- q(X, Z), h(Z, Y, Z). h(A, B, A) :- q(A, B).", "p(X, Y) :- q(X, Z), q(Z, Y)."},
        {"p(X) :- object(X), \\+ r(X), q(_, _).", "p(X) :- q(_, _), \\+ r(X)."},
        {"object(X) :- q(X, _). object(X) :- q(_, X). p(X) :- object(X), \\+ q(X, _).",
         "p(X) :- \\+ q(X, _)."},
        {"p(X, _) :- r(X), q(_, _).", "p(X, Y) :- q(_, _), r(X), object(Y)."},
        {"p(X) :- \\+ \\+ q(X, _).", "p(X) :- q(X, Y)."},
        {"p(X) :- \\+ q(Z, X), \\+ q(X, Z).", "p(X) :- \\+ q(_, X), \\+ q(X, _)."},
        {"p(X) :- q(X, Y), fail. p(X) :- r(X).", "p(X) :- r(X), \\+ (false, q(X, _))."},
        {"p(X) :- q(X, Y), \\+ X = Y.", "p(X) :- q(X, Y)."},
        {"p :- q(X, Y), r(Y).", "p :- q(_, Y), r(Y)."},
        {"p(X) :- 'a b'(X).", "'p'(X) :- 'a b'(X)."},
    };
    for (size_t i = 0; i < COUNT(pairs); i++) {
        nlm_program *one = parsed(pairs[i][0]), *other = parsed(pairs[i][1]);
        if (!programs_agree(&choices, one, other, 60))
            fail_msg("%s and %s differ", pairs[i][0], pairs[i][1]);
        nlm_program_free(one);
        nlm_program_free(other);
    }
}

/* The definition of an uncle against a plain loop, so that equal pairs are not equally wrong. */
static void test_truth(void **state)
{
    (void)state;
    enum { N = 5 };
    nlm_program *program = parsed("uncle(X, Y) :- p(X, Z), b(Z, Y), \\+ p(X, Y), forall(b(Y, W), p(W, X)).");
    assert_int_equal(program->input_count, 2);
    for (int run = 0; run < 50; run++) {
        nlm_world *world = random_world(&choices, program, N, 50);
        signed char values[N * N];
        bool p[N][N] = {0}, b[N][N] = {0};
        for (int i = 0; i < 2; i++) {
            const int *tuples;
            const size_t count = nlm_world_facts(world, i, &tuples, NULL);
            for (size_t f = 0; f < count; f++)
                (i ? b : p)[tuples[2 * f]][tuples[2 * f + 1]] = true;
        }
        program_values(program, world, 0, values);
        for (int x = 0; x < N; x++)
            for (int y = 0; y < N; y++) {
                bool some = false, all = true;
                for (int z = 0; z < N; z++) {
                    some |= p[x][z] && b[z][y];
                    all &= !b[y][z] || p[z][x];
                }
                assert_int_equal(values[x * N + y], x != y && some && !p[x][y] && all);
            }
        nlm_world_free(world);
    }
    nlm_program_free(program);
}

/* An input that is also used with a repeated variable is two inputs; other atoms mean both. */
static void test_repeated(void **state)
{
    (void)state;
    nlm_program *program = parsed("p(X) :- likes(X, X). p(X) :- likes(X, Y), r(Y).");
    assert_int_equal(program->input_count, 3);
    const program_predicate *second = program_at(program, 1);
    assert_int_equal(second->arity + second->written, 2);
    char *name = program_world_name(program_at(program, 0));
    assert_string_equal(name, "likes(A,A)");
    memory_free(name);
    nlm_program *same = parsed("p(X) :- likes(X, X). p(X) :- likes(X, Y), X \\= Y, r(Y).");
    assert_true(programs_agree(&choices, program, same, 50)); /* likes(X, X), r(X) adds nothing here */
    nlm_program_free(same);
    same = parsed("p(X) :- likes(X, X), true. p(X) :- likes(Y, X), r(Y).");
    assert_false(programs_agree(&choices, program, same, 50));
    nlm_program_free(program);
    nlm_program_free(same);
    program = parsed("p(X) :- likes(X, Y), r(Y). q(X) :- likes(X, X).");
    same = parsed("p(X) :- likes(X, X), r(X). p(X) :- likes(X, Y), X \\= Y, r(Y). q(X) :- likes(X, X).");
    assert_int_equal(program->target_count, 2);
    assert_true(programs_agree(&choices, program, same, 50));
    nlm_program_free(program);
    nlm_program_free(same);
}

/* Targets and the order of inputs. */
static void test_targets(void **state)
{
    (void)state;
    static const char text[] = "b(X) :- c(X). a(X) :- q(X, Y), c(Y). c(X) :- r(X), n. d(X, Y) :- q(Y, X).";
    nlm_program *program = parsed(text);
    assert_int_equal(program->target_count, 3);
    assert_string_equal(program_at(program, program->target[0])->name, "b");
    assert_string_equal(program_at(program, program->target[1])->name, "a");
    assert_string_equal(program_at(program, 0)->name, "n");
    assert_string_equal(program_at(program, 1)->name, "r");
    assert_string_equal(program_at(program, 2)->name, "q");
    nlm_program_free(program);
    const char *const named[] = {"c/1"};
    nlm_error error;
    assert_int_equal(
        parse(text, &(nlm_program_reading){.targets = named, .target_count = 1}, &program, &error), NLM_OK);
    assert_int_equal(program->target_count, 1);
    assert_int_equal(program->input_count, 2); /* what only others use is left out */
    assert_int_equal(program->predicate_count, 3);
    nlm_program_free(program);
    const char *const bad[] = {"e", "q", "c/2"};
    for (int i = 0; i < 3; i++)
        assert_int_equal(
            parse(text, &(nlm_program_reading){.targets = bad + i, .target_count = 1}, &program, &error),
            NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "f has no clause for the target c/2");
    const char *const both[] = {"c"};
    assert_int_equal(parse("c(X) :- r(X). c :- n.",
                           &(nlm_program_reading){.targets = both, .target_count = 1}, &program, &error),
                     NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "c can be c/0 or c/1 in f: say which");
}

static void test_signature(void **state)
{
    (void)state;
    nlm_signature *signature;
    CHECK(signature_new(&signature, &check_error));
    const nlm_predicate input[] = {{.name = "object", .arity = 1, .objects = 1, .place = {0}},
                                   {.name = "likes", .arity = 2, .objects = 1, .place = {0, 0}},
                                   {.name = "person", .arity = 1, .objects = 1, .is_type = true},
                                   {.name = "father", .arity = 2, .objects = 2, .place = {0, 1}},
                                   {.name = "likes", .arity = 2, .objects = 2, .place = {0, 1}}};
    for (size_t i = 0; i < COUNT(input); i++)
        CHECK(signature_add(signature, SIGNATURE_INPUTS, &input[i], &check_error));
    const nlm_predicate target = {.name = "uncle", .arity = 2, .objects = 2, .place = {0, 1}};
    CHECK(signature_add(signature, SIGNATURE_TARGETS, &target, &check_error));
    CHECK(signature_finish(signature, &check_error));
    const nlm_program_reading reading = {.signature = signature};
    nlm_program *program;
    nlm_error error;
    CHECK(parse("other :- father(X, _), object(X). uncle(X, Y) :- likes(X, Y), person(X).", &reading,
                &program, &check_error));
    assert_int_equal(program->input_count, 5);
    assert_int_equal(program->target_count, 1);
    assert_string_equal(program_at(program, program->target[0])->name, "uncle");
    nlm_program_free(program);
    static const char *const bad[][2] = {
        {"u(X) :- fahter(X, _).",
         "f:1: fahter/2 is neither a predicate of the facts nor defined by a clause; "
         "is it father?"},
        {"u(X) :-\n father(X).", "f:2: father/1: the facts have father with 2 arguments"},
        {"father(X, Y) :- likes(X, Y).",
         "f:1: father/2 is a predicate of the facts, and no clause can define "
         "it: give the head another name"},
        {"object(X) :- father(X, _). u(X) :- object(X).", "f:1: object/1 is a predicate of the facts, and no "
                                                          "clause can define it: give the head another name"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_int_equal(parse(bad[i][0], &reading, &program, &error), NLM_BAD_FILE);
        assert_string_equal(error.message, bad[i][1]);
    }
    nlm_signature_free(signature);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "f: there are no rules"},
        {"% nothing\n:- dynamic p/1.", "f: there are no rules"},
        {"p(X) :- q([X]).", "f:1: lists, terms in braces and | are not supported"},
        {"p(X) :- q(X)\n| r(X).", "f:2: lists, terms in braces and | are not supported"},
        {"p(X) :- q(f(X)).", "f:1: f(...) as an argument: functions are not supported"},
        {"p(X) :- q(X, Y), Y is X.", "f:1: is: of arithmetic and order, rules have comparisons of numbers"},
        {"p(X) :- q(X, Y), X = Y + X.", "f:1: +: of arithmetic and order"},
        {"p(X) :- q(X, Y), X != Y.", "f:1: the cut ! is not supported in rules"},
        {"p(X) :- q(X),\n r(bart).", "f:2: bart names an object"},
        {"p(X) :- q(X), X = bart.", "f:1: bart names an object"},
        {"p(bart).", "f:1: bart names an object"},
        {"p(X) :- q(X, 1).", "f:1: 1 names an object"},
        {"p(X) :- q(X, \"a\").", "f:1: strings are not supported in rules"},
        {"p(X) :- q(X), !.", "f:1: the cut ! is not supported in rules"},
        {"p(X) :- (q(X) -> r(X) ; s(X)).", "f:1: -> is not supported in rules: write two clauses"},
        {"p(X) :- not q(X).", "f:1: not: negation is written \\+"},
        {"p(X) :- not(q(X)).", "f:1: not: negation is written \\+"},
        {"p(X) :- \\+(q(X), r(X)).", "f:1: \\+( with a comma is no negation to Prolog"},
        {"p(X) --> q(X).", "f:1: grammar rules (-->) are not supported"},
        {"p(X) :- q(X)", "f:1: ',', ';' or the '.' that ends the clause is expected, but the file ends here"},
        {"p(X) :- q(X)\nr(X) :- s(X).", "f:2: ',', ';' or the '.' that ends the clause is expected, not r"},
        {"p(X) :- q(X), .", "f:1: a literal is expected, not ."},
        {"p(X) :- (q(X), r(X).", "f:1: ',', ';' or ')' is expected, not ."},
        {"p(X) :- X.", "f:1: =, ==, \\=, \\==, >=, >, <, =<, =:= or =\\= after a variable is"},
        {"X :- p(X).", "f:1: a head is expected, not X"},
        {"p(X) :- q (X).", "f:1: there is a space between q and its '('"},
        {"p(X) :- q().", "f:1: a variable is expected, not )"},
        {"p(A,B,C,D,E,F) :- q(A).", "f:1: p with more than 5 arguments: at most 5"},
        {"p(X) :- q(X,X,X,X,X,X).", "f:1: q with more than 5 arguments: at most 5"},
        {"true :- q.", "f:1: true/0 has a meaning of its own"},
        {"dif(X, Y) :- q(X, Y).", "f:1: dif/2 has a meaning of its own"},
        {"object(X) :- q(X), r(X).", "f:1: object/1 holds for every object"},
        {"p(X) :- q(X).\np(X) :- r(X), p(X).", "f:2: a cycle: p/1 uses p/1; a machine of fixed depth"},
        {"even(X) :- zero(X).\neven(X) :- succ(Y, X), odd(Y).\nodd(X) :- succ(Y, X),\n even(Y).",
         "f:4: a cycle: even/1 uses odd/1 uses even/1; a machine"},
        {"p(X) :- \\+ q(X, Z), r(Z).", "f:1: Z is not bound before this negation"},
        {"p(X).\nr(X, Y) :-\n q(X).", "f:3: Y is in the head alone: write object(Y) in the body, or _"},
        {"p(X) :- X \\= Z, r(Z).", "f:1: Z is not bound before this comparison"},
        {"p(X) :- q(X),\n X \\== Z.", "f:2: Z is not bound before this comparison"},
        {"p(X) :- q(X), dif(X, Z).", "f:1: Z is not bound before this comparison"},
        {"p(X) :- (q(X, Z) ; r(X)), \\+ s(Z).", "f:1: Z is not bound before this negation"},
        {"p(X) :- \\+ (q(X), dif(X, Z)).", "f:1: Z is not bound before this comparison"},
        {"p(X) :- '(' (X).", "f:1: '(' cannot be the name of a predicate here"},
        {"p(X) :- 'a/b'(X).", "f:1: 'a/b' cannot be the name of a predicate here"},
        {"p(X) :- forall(q(X), r(X), s(X)).", "f:1: forall(condition, goal): ')'"},
        {"p(X) :- /* q(X).", "f:1: the comment that begins here does not end"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        nlm_program *program;
        nlm_error error;
        if (parse(cases[i][0], NULL, &program, &error) != NLM_BAD_FILE ||
            strncmp(error.message, cases[i][1], strlen(cases[i][1])) != 0)
            fail_msg("%s: '%s', not '%s'", cases[i][0], error.message, cases[i][1]);
        assert_null(program);
    }
}

/* What bounds the work: refused, or read, but never endless. */
static void test_bounds(void **state)
{
    (void)state;
    enum { SIZE = 1 << 21, MANY = 20001 };
    char *text = malloc(SIZE);
    nlm_program *program;
    nlm_error error;
    size_t used = (size_t)snprintf(text, SIZE, "p(X) :- q(X, V0)");
    for (int i = 1; i < 32; i++)
        used += (size_t)snprintf(text + used, SIZE - used, ", q(X, V%d)", i);
    snprintf(text + used, SIZE - used, ".");
    assert_int_equal(parse(text, NULL, &program, &error), NLM_BAD_FILE);
    assert_non_null(strstr(error.message, "more than 32 variables in a clause"));
    for (int depth = 60; depth <= 1000000; depth += 999940) {
        memcpy(text, "p(X) :- ", 8);
        memset(text + 8, '(', (size_t)depth);
        memcpy(text + 8 + depth, "q(X)", 4);
        memset(text + 12 + depth, ')', (size_t)depth);
        text[12 + depth * 2 < SIZE ? 12 + depth * 2 : SIZE - 2] = '.';
        text[13 + depth * 2 < SIZE ? 13 + depth * 2 : SIZE - 1] = '\0';
        assert_int_equal(parse(text, NULL, &program, &error), depth == 60 ? NLM_OK : NLM_BAD_FILE);
        if (depth == 60)
            nlm_program_free(program);
        else
            assert_non_null(strstr(error.message, "nested more than 64 deep"));
    }
    used = (size_t)snprintf(text, SIZE, "p(X) :- q(X)");
    for (int i = 0; i < 1000; i++)
        used += (size_t)snprintf(text + used, SIZE - used, ", r%d(X)", i);
    snprintf(text + used, SIZE - used, ".");
    assert_int_equal(parse(text, NULL, &program, &error), NLM_BAD_FILE);
    assert_non_null(strstr(error.message, "more than 1000 literals in a clause"));
    used = (size_t)snprintf(text, SIZE, "p0(X) :- q(X, _).\n"); /* a long chain, the last first */
    for (int i = 1; i < 5000; i++)
        used += (size_t)snprintf(text + used, SIZE - used, "p%d(X) :- q(X, Y), p%d(Y).\n", i, i - 1);
    CHECK(parse(text, NULL, &program, &check_error));
    assert_int_equal(program->predicate_count, 5001);
    nlm_program_free(program);
    used = (size_t)snprintf(text, SIZE, "p(X) :- q(X).\n"); /* all absorbed by the first */
    for (int i = 1; i < MANY; i++)
        used += (size_t)snprintf(text + used, SIZE - used, "p(X) :- q(X), r%d(X).\n", i);
    assert_int_equal(parse(text, NULL, &program, &error), NLM_BAD_FILE);
    assert_string_equal(error.message,
                        "f:20001: more than 20000 clauses: divide the rules into several files");
    *strstr(text, "p(X) :- q(X), r5000(X)") = '\0';
    CHECK(parse(text, NULL, &program, &check_error));
    assert_int_equal(program->predicate_count, 5001);
    nlm_program_free(program);
    free(text);
}

static void test_file(void **state)
{
    (void)state;
    nlm_program *program;
    nlm_error error;
    assert_int_equal(nlm_program_read("no/such/file", NULL, &program, &error), NLM_IO_ERROR);
    assert_null(program);
    char path[] = "/tmp/rulesXXXXXX";
    const int file = mkstemp(path);
    FILE *stream = fdopen(file, "w");
    fputs("p(X) :- q(X), r(a).\n", stream);
    fclose(stream);
    assert_int_equal(nlm_program_read(path, NULL, &program, &error), NLM_BAD_FILE);
    assert_int_equal(strncmp(error.message, path, strlen(path)), 0);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal),   cmocka_unit_test(test_truth),     cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_targets), cmocka_unit_test(test_signature), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_bounds),  cmocka_unit_test(test_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
