/* Truth tuple by tuple against tables of truth, and what formulas depend on: random programs in random
 * worlds. */
#include <string.h>
#include "logic/guarded.h"
#include "logic/truth.h"
#include "logic/tuple_truth.h"
#include "random_program.h"
#include "test.h"

enum { PROGRAMS = 400, MOST_VALUES = 7 * 7 * 7 * 7 * 7 };

/* Values of a definition in a world, 1 or 0, 0 for tuples that repeat an object. */
static void values_by_table(const nlm_program *program, formula f, int arity, const nlm_world *world,
                            signed char *values)
{
    truth *group;
    int tuple[NLM_MAX_BREADTH];
    CHECK(truth_new(program, 1 << 20, &group, &check_error));
    CHECK(truth_add_world(group, world, &check_error));
    CHECK(truth_values(group, f, arity, 0, values, &check_error));
    truth_free(group);
    for (size_t t = 0; t < nlm_tuple_count(nlm_world_objects(world), arity); t++)
        values[t] = values[t] == 1 && nlm_tuple_at(nlm_world_objects(world), arity, t, tuple);
}

static void tuples_have_the_truth_of_tables(void **state)
{
    (void)state;
    static signed char table[MOST_VALUES], single[MOST_VALUES];
    random_choices from = {.state = 7, .variables = 4, .depth = 3};
    int trues = 0;
    for (int p = 0; p < PROGRAMS; p++) {
        nlm_program *program = random_program(&from);
        assert_non_null(program);
        nlm_world *world = random_world(&from, program, 1 + random_below(&from, 6), 30);
        tuple_truth *asked;
        CHECK(tuple_truth_new(program, world, &asked, &check_error));
        for (int t = 0; t < program->target_count; t++) {
            const program_predicate *target = program_at(program, program->target[t]);
            const size_t tuples = nlm_tuple_count(nlm_world_objects(world), target->arity);
            values_by_table(program, target->body, target->arity, world, table);
            CHECK(tuple_truth_values(asked, target->body, target->arity, single, &check_error));
            assert_memory_equal(table, single, tuples);
            for (size_t i = 0; i < tuples; i++)
                trues += single[i];
        }
        tuple_truth_free(asked);
        nlm_world_free(world);
        nlm_program_free(program);
    }
    assert_true(trues > 1000);
}

/* ---- reach ---- */

/* Objects within `reach` steps of the tuple, as a set. */
static uint32_t ball(const nlm_world *world, const int *tuple, int arity, int reach)
{
    uint32_t in = 0;
    for (int k = 0; k < arity; k++)
        in |= 1u << tuple[k];
    for (int step = 0; step < reach; step++) {
        uint32_t more = in;
        for (int p = 0; p < nlm_world_predicates(world); p++) {
            const int *facts, places = nlm_world_predicate_arity(world, p);
            const size_t count = nlm_world_facts(world, p, &facts, NULL);
            for (size_t f = 0; f < count; f++) {
                uint32_t own = 0;
                for (int k = 0; k < places; k++)
                    own |= 1u << facts[f * (size_t)places + (size_t)k];
                more |= own & in ? own : 0;
            }
        }
        in = more;
    }
    return in;
}

/* The world of those objects alone; place[o] becomes what o is there. */
static nlm_world *part_of(const nlm_world *world, uint32_t objects, int *place)
{
    nlm_world *part;
    CHECK(nlm_world_new(&part, &check_error));
    for (int o = 0; o < nlm_world_objects(world); o++)
        if (objects >> o & 1)
            CHECK(nlm_world_add_object(part, nlm_world_object_name(world, o), &place[o], &check_error));
    for (int p = 0; p < nlm_world_predicates(world); p++) {
        const int *facts, arity = nlm_world_predicate_arity(world, p);
        const float *values;
        const size_t count = nlm_world_facts(world, p, &facts, &values);
        CHECK(nlm_world_add_predicate(part, nlm_world_predicate_name(world, p), arity, NULL, &check_error));
        for (size_t f = 0; f < count; f++) {
            int own[NLM_MAX_BREADTH];
            bool inside = true;
            for (int k = 0; k < arity && inside; k++) {
                const int object = facts[f * (size_t)arity + (size_t)k];
                inside = objects >> object & 1;
                own[k] = inside ? place[object] : 0;
            }
            if (inside)
                CHECK(nlm_world_add_fact(part, p, own, values[f], &check_error));
        }
    }
    return part;
}

static bool value_of(const nlm_program *program, formula f, const nlm_world *world, const int *tuple)
{
    tuple_truth *asked;
    bool holds;
    CHECK(tuple_truth_new(program, world, &asked, &check_error));
    CHECK(tuple_truth_ask(asked, f, tuple, &holds, &check_error));
    tuple_truth_free(asked);
    return holds;
}

/* The theorem of docs/maths.md, section 17. */
static void what_is_beyond_the_reach_does_not_matter(void **state)
{
    (void)state;
    random_choices from = {.state = 11, .variables = 3, .depth = 4};
    int asked = 0, smaller = 0, with_reach = 0;
    for (int p = 0; p < 10 * PROGRAMS; p++) {
        nlm_program *program = random_program(&from);
        nlm_world *world = random_world(&from, program, 12, 4);
        for (int t = 0; t < program->target_count; t++) {
            const program_predicate *target = program_at(program, program->target[t]);
            const int reach = formula_reach(program, target->body), objects = nlm_world_objects(world);
            int tuple[NLM_MAX_BREADTH] = {0}, own[NLM_MAX_BREADTH], place[32];
            const size_t tuples = nlm_tuple_count(objects, target->arity);
            if (reach < 0 || target->arity == 0)
                continue;
            for (int i = 0; i < 4; i++) {
                if (!nlm_tuple_at(objects, target->arity, (size_t)random_below(&from, (int)tuples), tuple))
                    continue;
                const uint32_t in = ball(world, tuple, target->arity, reach);
                nlm_world *part = part_of(world, in, place);
                for (int k = 0; k < target->arity; k++)
                    own[k] = place[tuple[k]];
                assert_int_equal(value_of(program, target->body, world, tuple),
                                 value_of(program, target->body, part, own));
                smaller += nlm_world_objects(part) < objects;
                with_reach += reach > 0;
                asked++;
                nlm_world_free(part);
            }
        }
        nlm_world_free(world);
        nlm_program_free(program);
    }
    assert_true(asked > 500 && smaller > 300 && with_reach > 50);
}

static int reach_of(const char *rules)
{
    nlm_program *program;
    nlm_program_reading reading = {0};
    CHECK(nlm_program_parse(rules, strlen(rules), "rules", &reading, &program, &check_error));
    const int reach = formula_reach(program, program_at(program, program->predicate_count - 1)->body);
    nlm_program_free(program);
    return reach;
}

static void reach_is_the_distance_by_facts_that_must_hold(void **state)
{
    (void)state;
    assert_int_equal(reach_of("t(X, Y) :- parent(X, Y), \\+ male(X)."), 0);
    assert_int_equal(reach_of("t(X, Y) :- parent(X, Z), parent(Z, Y)."), 1);
    assert_int_equal(reach_of("t(X) :- parent(X, Z), parent(Z, Y)."), 2);
    assert_int_equal(reach_of("t(X, Y) :- parent(X, P), parent(P, G), parent(Y, G), \\+ parent(X, Y)."), 1);
    assert_int_equal(
        reach_of("e(X, Y) :- father(X, Y). e(X, Y) :- mother(X, Y). t(X, Y) :- e(X, Z), e(Z, Y)."), 1);
    assert_int_equal(reach_of("t(X) :- father(X, Z), daughter(Z, Y), Y \\= X."), 2);
    assert_int_equal(reach_of("t(X) :- parent(X, Z), \\+ (parent(Y, Z), Y \\= X)."), 2);
    assert_int_equal(reach_of("t(X) :- object(X), \\+ likes(_, X)."), 1);
    assert_int_equal(reach_of("t(X) :- object(X), \\+ (red(Y), \\+ likes(X, Y))."), -1);
    assert_int_equal(reach_of("t(X) :- male(X), male(Y)."), -1);
    assert_int_equal(reach_of("e(X, Y) :- father(X, Y). e(X, Y) :- male(X), male(Y). t(X) :- e(X, Y)."), -1);
    assert_int_equal(reach_of("t(X) :- male(X), \\+ parent(X, _)."), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tuples_have_the_truth_of_tables),
        cmocka_unit_test(what_is_beyond_the_reach_does_not_matter),
        cmocka_unit_test(reach_is_the_distance_by_facts_that_must_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
