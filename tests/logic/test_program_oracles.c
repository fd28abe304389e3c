/* Random programs printed as Prolog, clingo and SQL, run by SWI-Prolog, clingo and SQLite on random worlds:
 * they conclude what nlm_program_evaluate does, tuple by tuple.  Programs that are not installed are skipped.
 */
#include <sys/wait.h>
#include <unistd.h>
#include "programs_agree.h"

enum { OBJECTS = 4, TUPLES = OBJECTS * OBJECTS * OBJECTS, RUNS = 20, PATH = 64 };

static char folder[] = "/tmp/oraclesXXXXXX";

typedef struct question {
    nlm_program *program;
    nlm_world *world;
    signed char expected[RANDOM_TARGETS][TUPLES];
} question;

static void path_of(const char *name, char path[PATH])
{
    snprintf(path, PATH, "%s/%s", folder, name);
}

static FILE *start_file(const char *name)
{
    char path[PATH];
    path_of(name, path);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    return stream;
}

static bool is_installed(const char *command)
{
    char text[80];
    snprintf(text, sizeof text, "command -v %s >/dev/null 2>&1", command);
    return system(text) == 0;
}

/* node/1 holds for all objects. */
static question ask(uint32_t seed)
{
    random_choices from = {.state = seed, .variables = 3, .depth = 3};
    question q = {.program = random_program_of_facts(&from)};
    assert_non_null(q.program);
    q.world = random_world(&from, q.program, OBJECTS, 100 / (2 + random_below(&from, 2)));
    for (int i = 0; i < OBJECTS; i++)
        CHECK(nlm_world_add_fact(q.world, 1, &i, 1, &check_error));
    for (int t = 0; t < RANDOM_TARGETS; t++)
        program_values(q.program, q.world, t, q.expected[t]);
    return q;
}

static void free_question(question *q)
{
    nlm_program_free(q->program);
    nlm_world_free(q->world);
}

/* Calls for each fact, with its arguments as files write them. */
static void write_facts(const question *q, FILE *stream,
                        void (*write)(FILE *, const program_predicate *, const int *))
{
    for (int i = 0; i < q->program->input_count; i++) {
        const program_predicate *of = program_at(q->program, i);
        const int *tuples;
        const size_t count = nlm_world_facts(q->world, i, &tuples, NULL);
        for (size_t f = 0; f < count; f++) {
            int written[FORMULA_MOST_ARITY];
            for (int k = 0; k < of->written; k++)
                written[k] = tuples[f * (size_t)of->arity + (size_t)of->place[k]];
            write(stream, of, written);
        }
    }
}

static void write_arguments(FILE *stream, int count, const int *objects, const char *quote)
{
    for (int k = 0; k < count; k++)
        fprintf(stream, "%s%so%d%s", k ? ", " : "(", quote, objects[k], quote);
    fputs(count ? ")" : "", stream);
}

static void write_prolog_fact(FILE *stream, const program_predicate *of, const int *objects)
{
    fprintf(stream, strchr(of->name, ' ') ? "'%s'" : "%s", of->name);
    write_arguments(stream, of->written, objects, "");
    fputs(".\n", stream);
}

static void write_asp_fact(FILE *stream, const program_predicate *of, const int *objects)
{
    fputs(strchr(of->name, ' ') ? "line_of" : of->name, stream);
    write_arguments(stream, of->written, objects, "");
    fputs(".\n", stream);
}

static void write_sql_fact(FILE *stream, const program_predicate *of, const int *objects)
{
    fprintf(stream, "INSERT INTO \"%s\" VALUES ", of->name);
    write_arguments(stream, of->written, objects, "'");
    fputs(of->written ? ";\n" : "(1);\n", stream);
}

/* Runs the command in the folder; its words t2(o0,o1) must be what is expected, no more and no less. */
static void compare(question *q, uint32_t seed, const char *command)
{
    char line[256], word[256];
    bool seen[RANDOM_TARGETS][TUPLES] = {0};
    snprintf(line, sizeof line, "cd %s && %s", folder, command);
    FILE *stream = popen(line, "r");
    assert_non_null(stream);
    while (fscanf(stream, "%255s", word) == 1) {
        int tuple[4] = {0}, target, length = 0;
        if (sscanf(word, "t%d%n", &target, &length) != 1 || target < 0 || target >= RANDOM_TARGETS)
            continue;
        for (int k = 0; k < target; k++) {
            int used = 0;
            assert_int_equal(sscanf(word + length, k ? ",o%d%n" : "(o%d%n", &tuple[k], &used), 1);
            length += used;
        }
        seen[target][nlm_tuple_number(OBJECTS, target, tuple)] = true;
    }
    pclose(stream);
    for (int t = 0; t < RANDOM_TARGETS; t++)
        for (size_t i = 0; i < nlm_tuple_count(OBJECTS, t); i++)
            if (seen[t][i] != (q->expected[t][i] == 1))
                fail_msg("seed %u, tuple %zu of t%d: %d by '%s'", seed, i, t, seen[t][i], command);
}

static void test_prolog(void **state)
{
    (void)state;
    if (!is_installed("swipl"))
        skip();
    FILE *stream = start_file("ask.pl");
    fputs("ask :- t0, writeq(t0), nl, fail.\n"
          "ask :- node(A), once(t1(A)), writeq(t1(A)), nl, fail.\n"
          "ask :- node(A), node(B), A \\== B, once(t2(A,B)), writeq(t2(A,B)), nl, fail.\n"
          "ask :- node(A), node(B), node(C), A \\== B, A \\== C, B \\== C, once(t3(A,B,C)),\n"
          "    writeq(t3(A,B,C)), nl, fail.\n"
          "ask.\n",
          stream);
    fclose(stream);
    for (uint32_t seed = 1; seed <= RUNS; seed++) {
        question q = ask(seed);
        stream = start_file("rules.pl");
        CHECK(nlm_program_print(stream, q.program, NLM_PROLOG, &check_error));
        fclose(stream);
        stream = start_file("facts.pl");
        fputs(":- discontiguous likes/2.\n", stream); /* likes(A,A) and the rest */
        write_facts(&q, stream, write_prolog_fact);
        fclose(stream);
        /* a warning ends the run, and everything is then missing */
        compare(&q, seed,
                "swipl -q --on-error=halt --on-warning=halt -g ask -t halt rules.pl facts.pl ask.pl");
        free_question(&q);
    }
}

static void test_clingo(void **state)
{
    (void)state;
    if (!is_installed("clingo"))
        skip();
    for (uint32_t seed = 1; seed <= RUNS; seed++) {
        question q = ask(seed);
        FILE *stream = start_file("rules.lp");
        CHECK(nlm_program_print(stream, q.program, NLM_ASP, &check_error));
        write_facts(&q, stream, write_asp_fact);
        fclose(stream);
        compare(&q, seed, "clingo -V0 rules.lp 2>&1");
        free_question(&q);
    }
}

static void test_sqlite(void **state)
{
    (void)state;
    if (!is_installed("sqlite3"))
        skip();
    for (uint32_t seed = 1; seed <= RUNS; seed++) {
        question q = ask(seed);
        FILE *stream = start_file("query.sql");
        fputs("CREATE TABLE rain(a); CREATE TABLE node(a); CREATE TABLE red(a); CREATE TABLE edge(a, b);\n"
              "CREATE TABLE likes(a, b); CREATE TABLE \"Line of\"(a, b, c);\n",
              stream);
        write_facts(&q, stream, write_sql_fact);
        int target[RANDOM_TARGETS];
        memcpy(target, q.program->target, sizeof target);
        q.program->target_count = 1;
        for (int t = 0; t < RANDOM_TARGETS; t++) { /* rows o0,o1 become t2(o0,o1 */
            q.program->target[0] = target[t];
            fprintf(stream, ".once '|sed \"s/^/t%d(/\"'\n", t);
            CHECK(nlm_program_print(stream, q.program, NLM_SQL, &check_error));
        }
        q.program->target_count = RANDOM_TARGETS;
        fclose(stream);
        compare(&q, seed, "sqlite3 -separator , <query.sql");
        free_question(&q);
    }
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[PATH];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prolog),
        cmocka_unit_test(test_clingo),
        cmocka_unit_test(test_sqlite),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
