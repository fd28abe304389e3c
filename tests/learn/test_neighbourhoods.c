/* Neighbourhoods of one large world: their facts, objects and labels, and runs that learn from them. */
#include <math.h>
#include <string.h>
#include "learn/neighbourhoods.h"
#include "learn/runs.h"
#include "learn/world_source.h"

enum { PEOPLE = 300, MOST = 20, RADIUS = 1 };

static nlm_problem *make_family(const char *task)
{
    nlm_problem *problem;
    CHECK(
        nlm_problem_generate(nlm_task_find(task), NLM_WORLDS_RICH, 5, 0, PEOPLE, 1, &problem, &check_error));
    return problem;
}

static struct neighbourhoods *make_near(const nlm_problem *problem, struct neighbourhood_settings settings)
{
    struct neighbourhoods *near;
    CHECK(neighbourhoods_new(nlm_problem_world(problem, 0), &settings, &near, &check_error));
    return near;
}

static const struct neighbourhood_settings usual = {.most = MOST, .radius = RADIUS, .held_out = 0.2};

static bool has_fact(const nlm_world *world, int predicate, const int *tuple)
{
    const int *tuples, arity = nlm_world_predicate_arity(world, predicate);
    const size_t count = nlm_world_facts(world, predicate, &tuples, NULL);
    for (size_t f = 0; f < count; f++)
        if (!memcmp(tuples + f * (size_t)arity, tuple, (size_t)arity * sizeof *tuple))
            return true;
    return false;
}

/* What an object of the drawn world is in the large one. */
static int named(const nlm_world *whole, const nlm_world *drawn, int object)
{
    return nlm_world_find_object(whole, nlm_world_object_name(drawn, object));
}

static nlm_label label_in(const nlm_world *world, int a, int b)
{
    const int *tuples;
    const signed char *labels;
    nlm_label by_default;
    const size_t count = nlm_world_labels(world, 0, &tuples, &labels, &by_default);
    for (size_t i = count; i-- > 0;)
        if (tuples[2 * i] == a && tuples[2 * i + 1] == b)
            return (nlm_label)labels[i];
    return by_default;
}

static void a_neighbourhood_has_all_facts_about_its_objects(void **state)
{
    (void)state;
    nlm_problem *problem = make_family("grandparent");
    const nlm_world *whole = nlm_problem_world(problem, 0);
    struct neighbourhoods *near = make_near(problem, usual);
    nlm_world *drawn;
    size_t facts = 0;
    CHECK(nlm_world_new(&drawn, &check_error));
    for (int n = 0; n < 50; n++) {
        CHECK(neighbourhoods_draw(near, SIDE_LEARNED, n, drawn, &check_error));
        const int objects = nlm_world_objects(drawn);
        assert_true(objects <= MOST);
        for (int p = 0; p < nlm_world_predicates(whole); p++)
            for (int a = 0; a < objects; a++)
                for (int b = 0; b < objects; b++) {
                    const int there[] = {named(whole, drawn, a), named(whole, drawn, b)};
                    assert_int_equal(has_fact(drawn, p, (const int[]){a, b}), has_fact(whole, p, there));
                    facts += has_fact(drawn, p, (const int[]){a, b});
                }
    }
    assert_true(facts > 50);
    nlm_world_free(drawn);
    neighbourhoods_free(near);
    nlm_problem_free(problem);
}

/* All objects next to `object` are in the drawn world. */
static void check_ball(const nlm_world *whole, const nlm_world *drawn, int object)
{
    for (int p = 0; p < nlm_world_predicates(whole); p++) {
        const int *tuples;
        const size_t count = nlm_world_facts(whole, p, &tuples, NULL);
        for (size_t f = 0; f < count; f++)
            if (tuples[2 * f] == object || tuples[2 * f + 1] == object)
                assert_true(nlm_world_find_object(drawn, nlm_world_object_name(whole, tuples[2 * f])) >= 0 &&
                            nlm_world_find_object(drawn, nlm_world_object_name(whole, tuples[2 * f + 1])) >=
                                0);
    }
}

/* Labels are those of the large world, of tuples whose balls are whole. */
static void labels_are_given_where_the_ball_is_whole(void **state)
{
    (void)state;
    nlm_problem *problem = make_family("grandparent");
    const nlm_world *whole = nlm_problem_world(problem, 0);
    struct neighbourhoods *near = make_near(problem, usual);
    nlm_world *drawn;
    size_t labels[2] = {0};
    CHECK(nlm_world_new(&drawn, &check_error));
    for (int n = 0; n < 100; n++) {
        const int *tuples;
        const signed char *list;
        nlm_label by_default;
        CHECK(neighbourhoods_draw(near, SIDE_LEARNED, n, drawn, &check_error));
        const size_t count = nlm_world_labels(drawn, 0, &tuples, &list, &by_default);
        assert_int_equal(by_default, NLM_UNLABELLED);
        assert_true(count > 0);
        for (size_t i = 0; i < count; i++) {
            const int a = named(whole, drawn, tuples[2 * i]), b = named(whole, drawn, tuples[2 * i + 1]);
            assert_int_equal(list[i], label_in(whole, a, b));
            labels[list[i]]++;
            if (nlm_world_objects(drawn) < MOST || count > 1) { /* it was not sampled */
                check_ball(whole, drawn, a);
                check_ball(whole, drawn, b);
            }
        }
    }
    /* true ones are rare in the world, one of a hundred, but not here */
    assert_true(labels[1] > 100 && 20 * labels[1] > labels[0]);
    nlm_world_free(drawn);
    neighbourhoods_free(near);
    nlm_problem_free(problem);
}

/* Counts of labels by side. */
struct sides {
    size_t count[SIDES][2];
    signed char *side; /* of each tuple */
};

static bool count_side(void *context, int side, const int *tuple, bool is_true)
{
    struct sides *in = context;
    in->count[side][is_true]++;
    in->side[tuple[0] * PEOPLE + tuple[1]] = (signed char)(side + 1);
    return true;
}

static void sides_share_out_all_labels(void **state)
{
    (void)state;
    nlm_problem *problem = make_family("grandparent");
    struct neighbourhood_settings settings = usual;
    struct sides of = {.side = test_calloc(PEOPLE * PEOPLE, 1)};
    settings.parts = 5;
    settings.hidden_part = 2;
    struct neighbourhoods *near = make_near(problem, settings);
    neighbourhoods_labels(near, 0, count_side, &of);
    size_t all = 0;
    for (int side = 0; side < SIDES; side++)
        all += of.count[side][0] + of.count[side][1];
    assert_int_equal(all, PEOPLE * (PEOPLE - 1));
    for (int label = 0; label < 2; label++) {
        const double sum = (double)(of.count[0][label] + of.count[1][label] + of.count[2][label]);
        assert_true(fabs((double)of.count[SIDE_HIDDEN][label] / sum - 0.2) < 0.07);
        assert_true(fabs((double)of.count[SIDE_HELD_OUT][label] / sum - 0.8 * 0.2) < 0.07);
    }
    nlm_world *drawn;
    CHECK(nlm_world_new(&drawn, &check_error));
    for (int side = 0; side < SIDES; side++)
        for (int n = 0; n < neighbourhoods_count(near, side); n++) {
            const int *tuples;
            CHECK(neighbourhoods_draw(near, side, n, drawn, &check_error));
            const size_t count = nlm_world_labels(drawn, 0, &tuples, NULL, NULL);
            assert_true(side == SIDE_LEARNED || count == 1);
            for (size_t i = 0; i < count; i++) {
                const nlm_world *whole = nlm_problem_world(problem, 0);
                const int a = named(whole, drawn, tuples[2 * i]), b = named(whole, drawn, tuples[2 * i + 1]);
                assert_int_equal(of.side[a * PEOPLE + b], side + 1);
            }
        }
    nlm_world_free(drawn);
    neighbourhoods_free(near);
    test_free(of.side);
    nlm_problem_free(problem);
}

static void the_same_number_is_the_same_world(void **state)
{
    (void)state;
    nlm_problem *problem = make_family("uncle");
    struct neighbourhoods *one = make_near(problem, usual), *other = make_near(problem, usual);
    nlm_world *a, *b;
    CHECK(nlm_world_new(&a, &check_error));
    CHECK(nlm_world_new(&b, &check_error));
    assert_int_equal(neighbourhoods_count(one, SIDE_LEARNED), neighbourhoods_count(other, SIDE_LEARNED));
    for (int n = 0; n < 20; n++) {
        CHECK(neighbourhoods_draw(one, SIDE_LEARNED, n, a, &check_error));
        CHECK(neighbourhoods_draw(other, SIDE_LEARNED, 19 - n, b, &check_error)); /* any order */
        CHECK(neighbourhoods_draw(other, SIDE_LEARNED, n, b, &check_error));
        const int *x, *y;
        const signed char *left, *right;
        const size_t count = nlm_world_labels(a, 0, &x, &left, NULL);
        assert_int_equal(nlm_world_labels(b, 0, &y, &right, NULL), count);
        assert_memory_equal(x, y, 2 * count * sizeof *x);
        assert_memory_equal(left, right, count);
        assert_int_equal(nlm_world_objects(a), nlm_world_objects(b));
        for (int o = 0; o < nlm_world_objects(a); o++)
            assert_string_equal(nlm_world_object_name(a, o), nlm_world_object_name(b, o));
    }
    nlm_world_free(a);
    nlm_world_free(b);
    neighbourhoods_free(one);
    neighbourhoods_free(other);
    nlm_problem_free(problem);
}

/* A hub is next to all objects: what connects the two of the centre is in a sample, and only it is labelled.
 */
static void what_connects_the_centre_is_in_a_sample(void **state)
{
    (void)state;
    enum { OBJECTS = 200 };
    nlm_world *world, *drawn;
    CHECK(nlm_world_new(&world, &check_error));
    CHECK(nlm_world_new(&drawn, &check_error));
    CHECK(nlm_world_add_objects(world, "o", OBJECTS, &check_error));
    CHECK(nlm_world_add_predicate(world, "hub", 2, NULL, &check_error));
    CHECK(nlm_world_add_predicate(world, "next", 2, NULL, &check_error));
    CHECK(nlm_world_add_target(world, "two", 2, NLM_UNLABELLED, NULL, &check_error));
    for (int o = 1; o < OBJECTS; o++)
        CHECK(nlm_world_add_fact(world, 0, (const int[]){0, o}, 1, &check_error));
    for (int o = 1; o + 2 < OBJECTS; o += 2) {
        CHECK(nlm_world_add_fact(world, 1, (const int[]){o, o + 1}, 1, &check_error));
        CHECK(nlm_world_add_fact(world, 1, (const int[]){o + 1, o + 2}, 1, &check_error));
        CHECK(nlm_world_add_label(world, 0, (const int[]){o, o + 2}, NLM_TRUE, &check_error));
    }
    struct neighbourhoods *near;
    const struct neighbourhood_settings settings = {.most = 10, .radius = 2};
    CHECK(neighbourhoods_new(world, &settings, &near, &check_error));
    assert_int_equal(neighbourhoods_count(near, SIDE_LEARNED), 99);
    for (int n = 0; n < 99; n++) {
        const int *tuples;
        CHECK(neighbourhoods_draw(near, SIDE_LEARNED, n, drawn, &check_error));
        assert_int_equal(nlm_world_objects(drawn), 10);
        assert_int_equal(nlm_world_labels(drawn, 0, &tuples, NULL, NULL), 1);
        const int between[] = {named(world, drawn, tuples[0]) + 1};
        assert_true(nlm_world_find_object(drawn, nlm_world_object_name(world, between[0])) >= 0);
        assert_true(nlm_world_find_object(drawn, "o0") >= 0);
    }
    neighbourhoods_free(near);
    nlm_world_free(world);
    nlm_world_free(drawn);
}

/* ---- settings and sources ---- */

static void large_worlds_alone_have_neighbourhoods(void **state)
{
    (void)state;
    nlm_problem *large = make_family("grandparent"), *small;
    nlm_settings settings;
    CHECK(nlm_problem_generate(nlm_task_find("grandparent"), NLM_WORLDS_RICH, 5, 0, 20, 1, &small,
                               &check_error));
    CHECK(nlm_settings_of_problem(small, NULL, NLM_PROTOCOL_BEST, &settings, &check_error));
    assert_int_equal(settings.neighbourhood, 0);
    assert_int_equal(settings.batch, 1);
    CHECK(nlm_settings_of_problem(large, NULL, NLM_PROTOCOL_BEST, &settings, &check_error));
    assert_true(settings.neighbourhood > 0);
    assert_int_equal(settings.batch, 4);
    assert_int_equal(settings.positives, 3);
    CHECK(nlm_settings_set(&settings, "neighbourhood", "0", &check_error));
    assert_int_equal(settings.batch, 1);
    assert_int_equal(settings.positives + settings.replay, 0);
    nlm_problem_free(large);
    nlm_problem_free(small);
}

static void needs_have_the_radius_that_connects_true_labels(void **state)
{
    (void)state;
    const nlm_options options = {.threads = 1};
    nlm_problem *problem = make_family("grandparent");
    nlm_needs needs;
    CHECK(nlm_problem_needs(problem, 3, 0, &options, &needs, &check_error));
    assert_int_equal(needs.radius, 1);
    assert_int_equal(needs.best_breadth, 3);
    assert_int_equal(needs.best_depth, 2);
    assert_int_equal(needs.true_labels + needs.false_labels, PEOPLE * (PEOPLE - 1));
    nlm_problem_free(problem);
    problem = make_family("has-sister"); /* the father's daughters are two steps away */
    CHECK(nlm_problem_needs(problem, 3, 0, &options, &needs, &check_error));
    assert_int_equal(needs.radius, 2);
    nlm_problem_free(problem);
}

static void a_named_label_is_in_its_neighbourhood(void **state)
{
    (void)state;
    nlm_problem *problem = make_family("grandparent");
    nlm_settings settings;
    struct world_source source;
    const nlm_world *world, *whole = nlm_problem_world(problem, 0);
    uint64_t number;
    CHECK(nlm_settings_of_problem(problem, NULL, NLM_PROTOCOL_BEST, &settings, &check_error));
    settings.held_out = 0;
    CHECK(world_source_init(&source, &settings, &check_error));
    CHECK(world_source_name(&source, 0, (const int[]){17, 4}, &number, &check_error));
    CHECK(world_source_world(&source, 1, 0, 0, NULL, &world, &check_error));
    CHECK(world_source_world(&source, 1, number, 0, NULL, &world, &check_error));
    const int a = nlm_world_find_object(world, nlm_world_object_name(whole, 17));
    const int b = nlm_world_find_object(world, nlm_world_object_name(whole, 4));
    assert_int_equal(label_in(world, a, b), label_in(whole, 17, 4));
    world_source_release(&source);
    nlm_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_neighbourhood_has_all_facts_about_its_objects),
        cmocka_unit_test(labels_are_given_where_the_ball_is_whole),
        cmocka_unit_test(sides_share_out_all_labels),
        cmocka_unit_test(the_same_number_is_the_same_world),
        cmocka_unit_test(what_connects_the_centre_is_in_a_sample),
        cmocka_unit_test(large_worlds_alone_have_neighbourhoods),
        cmocka_unit_test(needs_have_the_radius_that_connects_true_labels),
        cmocka_unit_test(a_named_label_is_in_its_neighbourhood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
