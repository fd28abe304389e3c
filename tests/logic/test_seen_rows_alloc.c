/* Rows of a program's units: counted as a plain count does; the two programs that a target lies between agree
 * with it on all that was counted, enclose it elsewhere, and say where unseen rows matter; as text they come
 * back, broken texts are refused with one line, and no failing allocation is forgotten. */
#include "test.h"
#include "failing_malloc.h"
#include "logic/seen_rows.h"
#include "nlm/task.h"
#include "random_program.h"

enum { OBJECTS = 4, PROGRAMS = 150, SOME_WORLDS = 3 };

static nlm_program *parse(const char *text)
{
    nlm_program *program;
    CHECK(nlm_program_parse(text, strlen(text), "rules", NULL, &program, &check_error));
    return program;
}

static void add_fact(nlm_world *world, const char *name, int arity, int a, int b)
{
    int predicate = nlm_world_find_predicate(world, name, arity);
    if (predicate < 0)
        CHECK(nlm_world_add_predicate(world, name, arity, &predicate, &check_error));
    CHECK(nlm_world_add_fact(world, predicate, (const int[]){a, b}, 1, &check_error));
}

static nlm_world *empty_world(int objects)
{
    nlm_world *world;
    CHECK(nlm_world_new(&world, &check_error));
    for (int i = 0; i < objects; i++) {
        char name[8];
        int number;
        snprintf(name, sizeof name, "o%d", i);
        CHECK(nlm_world_add_object(world, name, &number, &check_error));
    }
    return world;
}

static void count_world(rows *of, const nlm_world *world)
{
    truth *group;
    CHECK(truth_new(rows_program(of), 1 << 20, &group, &check_error));
    CHECK(truth_add_world(group, world, &check_error));
    CHECK(rows_count(of, group, &check_error));
    truth_free(group);
    rows_add_worlds(of, 1);
}

/* Of a target's tuples: its own value, bit 0, and those of the two around it, bits 1 and 2. */
static void values_of(rows *of, int target, const nlm_world *world, int *values)
{
    nlm_program *program = rows_program(of);
    const int arity = program_at(program, program->target[target])->arity;
    const size_t tuples = nlm_tuple_count(nlm_world_objects(world), arity);
    signed char some[OBJECTS * OBJECTS * OBJECTS];
    formula f[3] = {rows_own(of, target)};
    truth *group;
    CHECK(rows_bounds(of, target, &f[1], &f[2], &check_error));
    CHECK(truth_new(program, 1 << 20, &group, &check_error));
    CHECK(truth_add_world(group, world, &check_error));
    memset(values, 0, tuples * sizeof *values);
    for (int i = 0; i < 3; i++) {
        CHECK(truth_values(group, f[i], arity, 0, some, &check_error));
        for (size_t t = 0; t < tuples; t++)
            values[t] |= (some[t] == 1) << i;
    }
    truth_free(group);
}

/* p(X) :- a(X), \+ b(X): one unit of two inputs, four rows. */
static void one_unit(void **context)
{
    (void)context;
    nlm_program *program = parse("p(X) :- a(X), \\+ b(X).");
    rows *of;
    CHECK(rows_new(program, &of, &check_error));
    assert_int_equal(rows_units(of), 1);
    nlm_world *seen = empty_world(3), *asked = empty_world(3);
    add_fact(seen, "a", 1, 0, 0); /* the rows: a alone, b alone, neither */
    add_fact(seen, "b", 1, 1, 0);
    add_fact(asked, "a", 1, 0, 0);
    add_fact(asked, "a", 1, 1, 0);
    add_fact(asked, "b", 1, 1, 0);
    count_world(of, seen);
    char *text;
    CHECK(rows_text(of, &text, &check_error));
    assert_non_null(strstr(text, "\"worlds\":1"));
    assert_true(strstr(text, "[0,1,1,1,2,1]") != NULL); /* row 3 has not been seen */
    free(text);
    int values[3];
    values_of(of, 0, asked, values);
    assert_int_equal(values[0], 7); /* a alone: true, also in both others */
    assert_int_equal(values[1], 4); /* a and b: false, but open */
    assert_int_equal(values[2], 0);
    formula cases[ROWS_MOST_CASES];
    int count;
    CHECK(rows_cases(of, 0, cases, &count, &check_error));
    assert_int_equal(count, 1); /* exists X: a(X) and b(X) */
    const formula_node *node = formula_at(&rows_program(of)->store, cases[0]);
    assert_int_equal(node->kind, FORMULA_EXISTS);
    assert_int_equal(formula_at(&rows_program(of)->store, node->part)->count, 2);
    count_world(of, asked);
    rows_free(of);
    nlm_world_free(seen);
    nlm_world_free(asked);
    nlm_program_free(program);
}

/* What is open in a helper does not matter where the other inputs decide. */
static void open_inputs(void **context)
{
    (void)context;
    nlm_program *program = parse("p(X) :- c(X), e(X, Y), q(Y).\nq(Y) :- a(Y), \\+ b(Y).");
    rows *of;
    CHECK(rows_new(program, &of, &check_error));
    nlm_world *seen = empty_world(4), *asked = empty_world(4);
    for (int i = 0; i < 4; i++) { /* every row but a and b together, which is met below */
        add_fact(seen, "e", 2, 3, i == 3 ? 0 : i);
        add_fact(seen, "e", 2, i == 3 ? 0 : i, 3);
    }
    add_fact(seen, "a", 1, 0, 0);
    add_fact(seen, "b", 1, 1, 0);
    add_fact(seen, "c", 1, 3, 0);
    add_fact(seen, "c", 1, 2, 0); /* c without such a Y, and the converse */
    add_fact(seen, "e", 2, 1, 0);
    count_world(of, seen);
    add_fact(asked, "a", 1, 1, 0);
    add_fact(asked, "b", 1, 1, 0);
    add_fact(asked, "a", 1, 2, 0);
    add_fact(asked, "c", 1, 0, 0);
    add_fact(asked, "c", 1, 3, 0);
    add_fact(asked, "e", 2, 0, 1); /* only through what is open */
    add_fact(asked, "e", 2, 2, 1); /* the same, but 2 is no c */
    add_fact(asked, "e", 2, 3, 1); /* also through 2, which is a alone */
    add_fact(asked, "e", 2, 3, 2);
    int values[4];
    values_of(of, 0, asked, values);
    assert_int_equal(values[0], 4);
    assert_int_equal(values[1], 0);
    assert_int_equal(values[2], 0);
    assert_int_equal(values[3], 7);
    rows_free(of);
    nlm_world_free(seen);
    nlm_world_free(asked);
    nlm_program_free(program);
}

static size_t different(int n, int arity, size_t t)
{
    int tuple[NLM_MAX_BREADTH];
    return nlm_tuple_at(n, arity, t, tuple);
}

static void random_programs(void **context)
{
    (void)context;
    random_choices choices = {.state = 7, .variables = 3, .depth = 3};
    int open = 0, units = 0;
    for (int p = 0; p < PROGRAMS; p++) {
        nlm_program *program = random_program(&choices);
        nlm_world *worlds[SOME_WORLDS + 1];
        rows *of, *again;
        char *text, *same;
        CHECK(rows_new(program, &of, &check_error));
        for (int w = 0; w <= SOME_WORLDS; w++)
            worlds[w] = random_world(&choices, program, OBJECTS, 10 + 20 * w);
        for (int w = 0; w < SOME_WORLDS; w++)
            count_world(of, worlds[w]);
        units += rows_units(of);
        assert_int_equal(rows_uncounted(of), 0);
        for (int target = 0; target < program->target_count; target++)
            for (int w = 0; w <= SOME_WORLDS; w++) {
                const int arity = program_at(program, program->target[target])->arity;
                int values[OBJECTS * OBJECTS * OBJECTS];
                signed char own[OBJECTS * OBJECTS * OBJECTS];
                values_of(of, target, worlds[w], values);
                CHECK(nlm_program_evaluate(program, worlds[w], target, own, &check_error));
                for (size_t t = 0; t < nlm_tuple_count(OBJECTS, arity); t++) {
                    if (!different(OBJECTS, arity, t))
                        continue;
                    assert_int_equal(values[t] & 1, own[t]);
                    if (w < SOME_WORLDS) /* examples: nothing is open */
                        assert_true(values[t] == 0 || values[t] == 7);
                    assert_true(values[t] == 0 || values[t] == 7 || values[t] == 4 || values[t] == 5);
                    open += values[t] == 4 || values[t] == 5;
                }
            }
        CHECK(rows_text(of, &text, &check_error));
        CHECK(rows_parse(text, "m", program, &again, &check_error));
        CHECK(rows_text(again, &same, &check_error));
        assert_string_equal(text, same);
        assert_int_equal(rows_worlds(again), SOME_WORLDS);
        free(text);
        free(same);
        rows_free(again);
        rows_free(of);
        for (int w = 0; w <= SOME_WORLDS; w++)
            nlm_world_free(worlds[w]);
        nlm_program_free(program);
    }
    assert_true(units > 40 && open > 20);
}

/* A function of more inputs than a unit has is taken apart. */
static void many_inputs(void **context)
{
    (void)context;
    char text[512] = "p(X) :- ";
    for (int i = 0; i <= ROWS_MOST_INPUTS; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "a%d(X), ", i);
    strcat(text, "q(X). q(X) :- b(X). q(X) :- c(X).");
    nlm_program *program = parse(text);
    rows *of;
    CHECK(rows_new(program, &of, &check_error));
    assert_int_equal(rows_units(of), 1); /* b or c */
    nlm_world *world = empty_world(2);
    add_fact(world, "b", 1, 0, 0);
    for (int i = 0; i <= ROWS_MOST_INPUTS; i++) {
        char name[8];
        snprintf(name, sizeof name, "a%d", i);
        add_fact(world, name, 1, 0, 0);
        if (i > 0)
            add_fact(world, name, 1, 1, 0);
    }
    int values[2];
    values_of(of, 0, world, values);
    assert_int_equal(values[0], 5); /* nothing was counted */
    assert_int_equal(values[1], 0); /* not a0, whatever the unit is */
    rows_free(of);
    nlm_world_free(world);
    nlm_program_free(program);
}

static const char rules[] = "p(X) :- a(X), \\+ b(X).";

static void broken(void **context)
{
    (void)context;
    nlm_program *program = parse(rules);
    rows *of;
    char *text;
    CHECK(rows_new(program, &of, &check_error));
    CHECK(rows_text(of, &text, &check_error));
    char digest[32] = "", with[256];
    assert_int_equal(sscanf(strstr(text, "program"), "program\":\"%16[0-9a-f]", digest), 1);
    free(text);
    rows_free(of);
    static const char *const texts[] = {"",
                                        "{",
                                        "[]",
                                        "{}",
                                        "{\"worlds\": 1, \"program\": \"%s\"}",
                                        "{\"worlds\": -1, \"program\": \"%s\", \"units\": [[]]}",
                                        "{\"worlds\": 1, \"program\": \"0%s\", \"units\": [[]]}",
                                        "{\"worlds\": 1, \"program\": \"%s\", \"units\": []}",
                                        "{\"worlds\": 1, \"program\": \"%s\", \"units\": [[], []]}",
                                        "{\"worlds\": 1, \"program\": \"%s\", \"units\": [7]}",
                                        "{\"worlds\": 1, \"program\": \"%s\", \"units\": [[0]]}",
                                        "{\"worlds\": 1, \"program\": \"%s\", \"units\": [[4, 1]]}",
                                        "{\"worlds\": 1, \"program\": \"%s\", \"units\": [[-1, 1]]}",
                                        "{\"worlds\": 1, \"program\": \"%s\", \"units\": [[0, 0]]}",
                                        "{\"worlds\": 1, \"program\": \"%s\", \"units\": [[0, \"1\"]]}"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        nlm_error error;
        const char *at = strstr(texts[i], "%s");
        const int before = (int)(at ? at - texts[i] : (long)strlen(texts[i]));
        snprintf(with, sizeof with, "%.*s%s%s", before, texts[i], at ? digest : "", at ? at + 2 : "");
        assert_int_equal(rows_parse(with, "m", program, &of, &error), NLM_BAD_FILE);
        assert_null(of);
        assert_int_equal(strncmp(error.message, "m: metadata 'rules_seen'", 24), 0);
        assert_null(strchr(error.message, '\n'));
    }
    snprintf(with, sizeof with, "{\"worlds\": 1, \"program\": \"%s\", \"units\": [null]}", digest);
    CHECK(rows_parse(with, "m", program, &of, &check_error));
    assert_int_equal(rows_uncounted(of), 1);
    rows_free(of);
    nlm_program_free(program);
}

static nlm_status all_of(const nlm_program *program, const nlm_world *world, nlm_error *error)
{
    formula least, most, cases[ROWS_MOST_CASES];
    char *text = NULL;
    rows *of, *again = NULL;
    truth *group = NULL;
    int count;
    nlm_status status = rows_new(program, &of, error);
    if (!status)
        status = truth_new(rows_program(of), 1 << 20, &group, error);
    if (!status)
        status = truth_add_world(group, world, error);
    if (!status)
        status = rows_count(of, group, error);
    if (!status)
        status = rows_bounds(of, 0, &least, &most, error);
    if (!status)
        status = rows_cases(of, 0, cases, &count, error);
    if (!status)
        status = rows_text(of, &text, error);
    if (!status)
        status = rows_parse(text, "m", program, &again, error);
    free(text);
    truth_free(group);
    rows_free(of);
    rows_free(again);
    return status;
}

static void memory_fails(void **context)
{
    (void)context;
    nlm_program *program = parse("p(X) :- c(X), e(X, Y), q(Y).\nq(Y) :- a(Y), \\+ b(Y).");
    nlm_world *world = empty_world(2);
    add_fact(world, "e", 2, 0, 1);
    nlm_status status = NLM_NO_MEMORY;
    fail_jansson_too();
    for (int i = 0; status != NLM_OK; i++) {
        nlm_error error;
        fail_allocation(i);
        status = all_of(program, world, &error);
        failing = -1;
        assert_true(status == NLM_OK || status == NLM_NO_MEMORY || status == NLM_BAD_FILE);
        assert_true(i < 100000);
    }
    nlm_world_free(world);
    nlm_program_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_unit),        cmocka_unit_test(open_inputs),
                                       cmocka_unit_test(random_programs), cmocka_unit_test(many_inputs),
                                       cmocka_unit_test(broken),          cmocka_unit_test(memory_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
