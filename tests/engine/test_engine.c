/* Joins in SQLite against tuple_truth and tables of truth: random programs in random worlds, each tuple, in
 * the order of the objects; what is refused; databases in files, whole or not there. */
#include "test.h"
#include <sys/stat.h>
#include <unistd.h>
#include "engine/engine.h"
#include "engine/joins.h"
#include "random_program.h"

enum { PROGRAMS = 400, MOST_VALUES = 9 * 9 * 9 };

/* Whether a program is joined; one whose rules multiply too much is not. */
static bool open_engine(const nlm_program *program, const nlm_world *world, join_engine **made)
{
    nlm_error error;
    const nlm_status status = engine_new(program, world, made, &error);
    if (status)
        assert_non_null(strstr(error.message, "joins or"));
    return status == NLM_OK;
}

/* The answers about a target, 1 or 0 by number; they come in ascending order, each once. */
static void values_by_joins(join_engine *of, int target, int arity, int objects, signed char *values)
{
    int tuple[FORMULA_MOST_ARITY];
    bool found = true;
    long before = -1;
    memset(values, 0, nlm_tuple_count(objects, arity));
    CHECK(engine_begin(of, target, &check_error));
    for (;;) {
        CHECK(engine_next(of, tuple, &found, &check_error));
        if (!found)
            return;
        const size_t number = nlm_tuple_number(objects, arity, tuple);
        assert_true((long)number > before);
        before = (long)number;
        values[number] = 1;
    }
}

static void joins_agree_with_formulas(void **context)
{
    (void)context;
    static signed char expected[MOST_VALUES], joined[MOST_VALUES];
    int agreed = 0, trues = 0, refused = 0;
    for (int p = 0; p < PROGRAMS; p++) {
        random_choices from = {.state = 77 + (uint32_t)p, .variables = 2 + p % 3, .depth = 2 + p % 2};
        nlm_program *program = p % 4 ? random_program(&from) : random_program_of_facts(&from);
        assert_non_null(program);
        const int objects = 1 + random_below(&from, 6);
        nlm_world *world = random_world(&from, program, objects, 10 + random_below(&from, 60));
        join_engine *of;
        if (open_engine(program, world, &of)) {
            CHECK(engine_load(of, p % 5 ? NULL : "/tmp/nlm-test-engine.sqlite", NULL, &check_error));
            for (int t = 0; t < program->target_count; t++) {
                const int arity = program_at(program, program->target[t])->arity;
                CHECK(nlm_program_evaluate(program, world, t, expected, &check_error));
                values_by_joins(of, t, arity, objects, joined);
                assert_memory_equal(expected, joined, nlm_tuple_count(objects, arity));
                for (size_t i = 0; i < nlm_tuple_count(objects, arity); i++)
                    trues += joined[i];
                agreed++;
            }
            engine_free(of);
        } else {
            refused++;
        }
        nlm_world_free(world);
        nlm_program_free(program);
    }
    assert_true(agreed > PROGRAMS && trues > 1000 && refused < PROGRAMS / 10);
}

/* ---- a chain of objects ---- */

static const char chain_rules[] = "two(X, Y) :- next(X, Z), next(Z, Y).\n";

static nlm_program *parse(const char *rules)
{
    nlm_program *program;
    CHECK(nlm_program_parse(rules, strlen(rules), "rules", NULL, &program, &check_error));
    return program;
}

static nlm_world *new_chain(int objects)
{
    nlm_world *world;
    int next;
    CHECK(nlm_world_new(&world, &check_error));
    CHECK(nlm_world_add_objects(world, "o", objects, &check_error));
    CHECK(nlm_world_add_predicate(world, "next", 2, &next, &check_error));
    for (int x = 0; x + 1 < objects; x++)
        CHECK(nlm_world_add_fact(world, next, (const int[]){x, x + 1}, 1, &check_error));
    return world;
}

static void count_calls(void *context, const char *what, double fraction, size_t rows)
{
    (void)rows;
    assert_true(*what && fraction >= 0 && fraction <= 1);
    ++*(int *)context;
}

/* More slices than one, and facts that were added again or taken back. */
static void large_worlds_are_sliced(void **context)
{
    (void)context;
    enum { OBJECTS = 50000 };
    nlm_program *program = parse(chain_rules);
    nlm_world *world = new_chain(OBJECTS);
    CHECK(nlm_world_add_fact(world, 0, (const int[]){7, 8}, 0, &check_error));
    CHECK(nlm_world_add_fact(world, 0, (const int[]){9, 10}, 1, &check_error));
    join_engine *of;
    int calls = 0, tuple[2];
    bool found = true;
    const engine_listener listener = {count_calls, &calls};
    assert_true(open_engine(program, world, &of));
    const char *worst;
    assert_true(engine_rows(of, &worst) > OBJECTS && engine_rows(of, &worst) < 4.0 * OBJECTS);
    assert_string_equal(worst, "two(X, Y) :- next(X, Z), next(Z, Y).");
    CHECK(engine_load(of, NULL, &listener, &check_error));
    CHECK(engine_begin(of, 0, &check_error));
    for (int x = 0; x + 2 < OBJECTS; x++) {
        if (x == 6 || x == 7)
            continue;
        CHECK(engine_next(of, tuple, &found, &check_error));
        assert_true(found);
        assert_int_equal(tuple[0], x);
        assert_int_equal(tuple[1], x + 2);
    }
    CHECK(engine_next(of, tuple, &found, &check_error));
    assert_false(found);
    assert_true(calls > 2);
    engine_free(of);
    nlm_world_free(world);
    nlm_program_free(program);
}

/* Variables that no fact binds take all objects: the estimate says so, and names the clause. */
static void cross_products_are_seen(void **context)
{
    (void)context;
    nlm_program *program =
        parse("near(X, Y) :- next(X, Y).\nfar(X, Y) :- next(X, Z), next(W, Y), \\+ next(X, Y).\n"
              "apart(X, Y) :- \\+ next(X, Y), \\+ near(Y, X).\ndiff(X) :- far(X, Y), apart(X, Y).\n");
    nlm_world *world = new_chain(20000);
    join_engine *of;
    const char *worst;
    assert_true(open_engine(program, world, &of));
    assert_true(engine_rows(of, &worst) > 1e8);
    assert_non_null(strstr(worst, "diff(X) :- "));
    engine_free(of);
    nlm_world_free(world);
    nlm_program_free(program);
}

static void files_hold_the_facts(void **context)
{
    (void)context;
    char folder[] = "/tmp/nlm-engine-XXXXXX", path[64], missing[64];
    struct stat about;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/facts.sqlite", folder);
    snprintf(missing, sizeof missing, "%s/none/facts.sqlite", folder);
    nlm_program *program = parse(chain_rules);
    nlm_world *world = new_chain(30);
    join_engine *of;
    signed char values[900];
    for (int twice = 0; twice < 2; twice++) { /* an earlier file is replaced */
        assert_true(open_engine(program, world, &of));
        CHECK(engine_load(of, path, NULL, &check_error));
        values_by_joins(of, 0, 2, 30, values);
        assert_int_equal(values[2], 1);
        engine_free(of);
        assert_int_equal(stat(path, &about), 0);
        assert_true(about.st_size > 0);
    }
    assert_true(open_engine(program, world, &of));
    assert_int_equal(engine_load(of, missing, NULL, NULL), NLM_IO_ERROR);
    engine_free(of);
    unlink(path);
    assert_int_equal(rmdir(folder), 0); /* nothing else was left there */
    nlm_world_free(world);
    nlm_program_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_agree_with_formulas), cmocka_unit_test(large_worlds_are_sliced),
        cmocka_unit_test(cross_products_are_seen), cmocka_unit_test(files_hold_the_facts)};
    if (!nlm_engine_is_built(NLM_ENGINE_SQLITE))
        return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
