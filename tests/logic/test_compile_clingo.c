/* Random programs compiled, run as machines and, printed for clingo, run by clingo on the same worlds: every
 * tuple is the same.  Skipped where clingo is not installed.  An argument is the number of programs: make
 * test-long takes 1,000. */
#include <unistd.h>
#include "test.h"
#include "nlm/evaluator.h"
#include "random_program.h"

enum { MOST_OBJECTS = 5, TUPLES = MOST_OBJECTS * MOST_OBJECTS * MOST_OBJECTS, TARGETS = 2 };

static int runs = 40;
static char path[] = "/tmp/clingoXXXXXX";

static void write_question(const nlm_program *program, const nlm_world *world)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    CHECK(nlm_program_print(stream, program, NLM_ASP, &check_error));
    for (int o = 0; o < nlm_world_objects(world); o++)
        fprintf(stream, "object(o%d).\n", o);
    for (int i = 0; i < program->input_count; i++) {
        const int arity = program_at(program, i)->arity, *tuples;
        const size_t count = nlm_world_facts(world, i, &tuples, NULL);
        for (size_t f = 0; f < count; f++) {
            fputs(program_at(program, i)->name, stream);
            for (int k = 0; k < arity; k++)
                fprintf(stream, "%so%d", k ? ", " : "(", tuples[f * (size_t)arity + (size_t)k]);
            fputs(arity ? ").\n" : ".\n", stream);
        }
    }
    assert_int_equal(fclose(stream), 0);
}

/* The target whose name and arguments are the word d2(o0,o1), and the number of its tuple; false if it is
 * no such word. */
static bool read_word(const nlm_program *program, int objects, const char *word, int *target, size_t *number)
{
    for (*target = 0; *target < program->target_count; ++*target) {
        const program_predicate *of = program_at(program, program->target[*target]);
        const size_t length = strlen(of->name);
        const char *at = word + length;
        int tuple[FORMULA_MOST_ARITY], used;
        if (strncmp(word, of->name, length) || (*at && *at != '('))
            continue;
        for (int k = 0; k < of->arity; k++, at += used)
            if (sscanf(at, k ? ",o%d%n" : "(o%d%n", &tuple[k], &used) != 1)
                return false;
        *number = nlm_tuple_number(objects, of->arity, tuple);
        return true;
    }
    return false;
}

static void ask_clingo(const nlm_program *program, int objects, bool seen[TARGETS][TUPLES])
{
    char command[80], word[256];
    int target;
    size_t number;
    bool answered = false;
    snprintf(command, sizeof command, "clingo -V1 --warn none %s 2>&1", path);
    FILE *stream = popen(command, "r");
    assert_non_null(stream);
    while (fscanf(stream, "%255s", word) == 1) {
        answered |= !strcmp(word, "SATISFIABLE");
        if (read_word(program, objects, word, &target, &number))
            seen[target][number] = true;
    }
    pclose(stream);
    assert_true(answered);
}

static void compare(nlm_machine *machine, const nlm_program *program, const nlm_world *world, uint32_t seed)
{
    bool seen[TARGETS][TUPLES] = {0};
    float logits[TUPLES];
    int tuple[FORMULA_MOST_ARITY];
    const int objects = nlm_world_objects(world);
    nlm_evaluator *evaluator;
    write_question(program, world);
    ask_clingo(program, objects, seen);
    CHECK(nlm_evaluator_new(machine, NULL, &evaluator, &check_error));
    CHECK(nlm_evaluator_add(evaluator, world, &check_error));
    CHECK(nlm_evaluator_run(evaluator, false, &check_error));
    for (int t = 0; t < program->target_count; t++) {
        const int arity = program_at(program, program->target[t])->arity;
        CHECK(nlm_pass_logits(nlm_evaluator_pass(evaluator), 0, t, logits, &check_error));
        for (size_t n = 0; n < nlm_tuple_count(objects, arity); n++)
            if (nlm_tuple_at(objects, arity, n, tuple) && (logits[n] > 0) != seen[t][n])
                fail_msg("seed %u: target %d, tuple %zu of %d objects: %d by clingo", (unsigned)seed, t, n,
                         objects, seen[t][n]);
    }
    nlm_evaluator_free(evaluator);
}

static void machines_and_clingo(void **context)
{
    (void)context;
    if (system("command -v clingo >/dev/null 2>&1") != 0)
        skip();
    int compared = 0;
    for (uint32_t seed = 1; compared < runs; seed++) {
        random_choices from = {.state = seed * 104729, .variables = 3, .depth = 3 + (int)seed % 4};
        nlm_program *program = random_program(&from);
        assert_non_null(program);
        const int objects = 1 + random_below(&from, MOST_OBJECTS);
        /* constants would say little */
        if (program->input_count > 0 && program_at(program, program->target[0])->body > FORMULA_TRUE) {
            nlm_machine *machine;
            nlm_world *world = random_world(&from, program, objects, 20 + random_below(&from, 60));
            assert_non_null(world);
            CHECK(nlm_program_compile(program, 3, &machine, &check_error));
            compare(machine, program, world, seed);
            nlm_machine_free(machine);
            nlm_world_free(world);
            compared++;
        }
        nlm_program_free(program);
    }
    print_message("%d programs compared\n", compared);
}

static int make_file(void **context)
{
    (void)context;
    const int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **context)
{
    (void)context;
    return remove(path);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(machines_and_clingo)};
    if (argc > 1)
        runs = atoi(argv[1]);
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
