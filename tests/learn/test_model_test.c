/* Tests of machines: against answers counted one by one, and what they say about all other worlds. */
#include "learn/runs.h"

/* Worlds of tests begin with this number, of trainings with 0. */
#define FIRST_TEST_WORLD (UINT64_C(1) << 40)

/* ---- machines to test ---- */

/* A machine that has learned a little: neither all right nor all wrong. */
static nlm_machine *taught_machine(const char *task, int objects)
{
    nlm_settings training = small_run(task, NLM_PROTOCOL_PAPER, objects);
    training.batches = 30;
    nlm_run *trainer = begin_run(&training, 1);
    run_epoch(trainer);
    nlm_machine *machine = make_beginner(&training, 0), *taught = nlm_run_machine(trainer);
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor to = nlm_machine_tensor(machine, t), from = nlm_machine_tensor(taught, t);
        memcpy(to.values, from.values, to.count * sizeof(float));
    }
    nlm_run_free(trainer);
    return machine;
}

static nlm_test *begin_test(nlm_machine *machine, const char *task, int objects, uint64_t seed, int threads)
{
    nlm_test *tester;
    nlm_options options = {.threads = threads};
    CHECK(nlm_test_of_task(machine, nlm_task_find(task), NLM_WORLDS_PAPER, objects, seed, &options, &tester,
                           &check_error));
    return tester;
}

static nlm_score test_machine(nlm_machine *machine, const char *task, int objects, int worlds)
{
    nlm_test *tester = begin_test(machine, task, objects, 1, 1);
    CHECK(nlm_test_run(tester, worlds, NULL, NULL, &check_error));
    nlm_score result = nlm_test_score(tester);
    nlm_test_free(tester);
    return result;
}

/* ---- against answers counted one by one ---- */

/* Worlds first, first + 1, ... of a seed, each in a batch of its own. */
static answers count_all(nlm_machine *machine, const nlm_task *task, int objects, uint64_t seed,
                         uint64_t first, int worlds)
{
    answers sum = {0};
    nlm_world *world;
    nlm_batch *batch;
    nlm_structure *structure;
    nlm_pass *pass;
    const nlm_options options = {.lifting = NLM_IDENTITY};
    const nlm_spec *spec = nlm_machine_spec(machine);
    CHECK(nlm_world_new(&world, &check_error));
    CHECK(nlm_batch_new(spec->inputs, spec->breadth, &batch, &check_error));
    CHECK(nlm_structure_new(&structure, &check_error));
    CHECK(nlm_pass_new(machine, &pass, &check_error));
    for (int w = 0; w < worlds; w++) {
        CHECK(nlm_task_generate(task, NLM_WORLDS_PAPER, seed, first + (uint64_t)w, objects, world,
                                &check_error));
        nlm_batch_clear(batch);
        CHECK(nlm_batch_add_world(batch, world, &check_error));
        CHECK(nlm_structure_build(structure, machine, batch, &options, &check_error));
        CHECK(nlm_pass_forward(pass, structure, false, &check_error));
        count_answers(pass, 0, world, task->arity, &sum);
    }
    nlm_pass_free(pass);
    nlm_structure_free(structure);
    nlm_batch_free(batch);
    nlm_world_free(world);
    return sum;
}

static bool same_counts(const nlm_score *result, const answers *counted)
{
    return result->asked == counted->worlds && result->failed == counted->worlds_with_errors &&
           result->tuples == counted->tuples && result->wrong == counted->wrong &&
           result->positives == counted->positives && result->wrong_positives == counted->wrong_positives;
}

static void assert_result(const nlm_score *result, const answers *counted, int objects)
{
    assert_int_equal(result->objects, objects);
    assert_int_equal(result->asked, counted->worlds);
    assert_int_equal(result->failed, counted->worlds_with_errors);
    assert_int_equal(result->first_failure, counted->failure - 1);
    assert_int_equal(result->tuples, counted->tuples);
    assert_int_equal(result->wrong, counted->wrong);
    assert_int_equal(result->positives, counted->positives);
    assert_int_equal(result->wrong_positives, counted->wrong_positives);
    assert_near(result->right, share_right(counted->tuples, counted->wrong), 1e-15);
    assert_near(result->balanced, balanced_share(counted), 1e-15);
    assert_true(result->seconds > 0);
}

static void results_are_those_counted_one_by_one(void **state)
{
    (void)state;
    static const struct {
        const char *task;
        int objects;
    } cases[] = {{"1-outdegree", 6}, {"grandparent", 8}, {"adjacent-to-red", 6}, {"4-connectivity", 6}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const nlm_task *task = nlm_task_find(cases[i].task);
        nlm_machine *machine = taught_machine(cases[i].task, cases[i].objects);
        for (int objects = cases[i].objects; objects < 20; objects += 9) {
            enum { WORLDS = 60 };
            const answers counted = count_all(machine, task, objects, 1, FIRST_TEST_WORLD, WORLDS);
            const nlm_score result = test_machine(machine, cases[i].task, objects, WORLDS);
            assert_result(&result, &counted, objects);
            assert_true(counted.wrong > 0 && counted.wrong < counted.tuples);
            assert_true(counted.positives > 0 && counted.positives < counted.tuples);
        }
        nlm_machine_free(machine);
    }
}

static void right_and_wrong_rules_are_told_apart(void **state)
{
    (void)state;
    const nlm_settings training = has_father_run();
    nlm_machine *machine = make_beginner(&training, 1);
    write_has_father(machine, true);
    nlm_score result = test_machine(machine, "has-father", 30, 50);
    assert_int_equal(result.wrong, 0);
    assert_int_equal(result.failed, 0);
    assert_int_equal(result.first_failure, -1);
    assert_true(result.right == 1.0 && result.balanced == 1.0);
    assert_int_equal(result.tuples, 30 * 50);
    write_has_father(machine, false);
    result = test_machine(machine, "has-father", 30, 50);
    assert_int_equal(result.wrong, result.positives);
    assert_int_equal(result.wrong_positives, result.positives);
    assert_int_equal(result.failed, 50);
    assert_int_equal(result.first_failure, 0);
    assert_true(result.balanced == 0.5);
    /* One person alone has no father: there are no true tuples, and all is right. */
    result = test_machine(machine, "has-father", 1, 5);
    assert_int_equal(result.positives, 0);
    assert_true(result.right == 1.0 && result.balanced == 1.0);
    nlm_machine_free(machine);
}

/* Without any pair of objects there is nothing to be wrong about. */
static void worlds_without_tuples_have_no_errors(void **state)
{
    (void)state;
    nlm_machine *machine = taught_machine("grandparent", 8);
    nlm_score result = test_machine(machine, "grandparent", 1, 5);
    assert_int_equal(result.asked, 5);
    assert_int_equal(result.tuples, 0);
    assert_int_equal(result.failed, 0);
    assert_true(result.right == 1.0 && result.balanced == 1.0);
    result = test_machine(machine, "grandparent", 8, 0);
    assert_int_equal(result.asked, 0);
    assert_true(result.right == 1.0 && result.balanced == 1.0);
    nlm_machine_free(machine);
}

/* ---- threads, slices, seeds ---- */

static void threads_and_slices_do_not_matter(void **state)
{
    (void)state;
    static const int slices[][5] = {{90}, {1, 89}, {30, 30, 30}, {2, 3, 0, 7, 78}, {89, 1}};
    nlm_machine *machine = taught_machine("1-outdegree", 6);
    const answers counted = count_all(machine, nlm_task_find("1-outdegree"), 9, 7, FIRST_TEST_WORLD, 90);
    for (int threads = 0; threads <= 3; threads++)
        for (size_t i = 0; i < COUNT(slices); i++) {
            nlm_test *tester = begin_test(machine, "1-outdegree", 9, 7, threads);
            for (size_t s = 0; s < COUNT(slices[i]); s++)
                CHECK(nlm_test_run(tester, slices[i][s], NULL, NULL, &check_error));
            const nlm_score result = nlm_test_score(tester);
            assert_result(&result, &counted, 9);
            nlm_test_free(tester);
        }
    nlm_machine_free(machine);
}

typedef struct looks {
    int count, stop_at, asked;
} looks;

static bool look(void *context, const nlm_score *so_far)
{
    looks *seen = context;
    assert_true(so_far->asked > seen->asked);
    seen->asked = so_far->asked;
    return ++seen->count != seen->stop_at;
}

/* Someone who watches sees it grow to the same score, and can end it. */
static void a_watched_test_has_the_same_score(void **state)
{
    (void)state;
    nlm_machine *machine = taught_machine("1-outdegree", 6);
    const answers counted = count_all(machine, nlm_task_find("1-outdegree"), 9, 7, FIRST_TEST_WORLD, 90);
    for (int threads = 1; threads <= 2; threads++) {
        nlm_test *test = begin_test(machine, "1-outdegree", 9, 7, threads);
        looks seen = {.stop_at = 1};
        CHECK(nlm_test_run(test, 90, look, &seen, &check_error));
        assert_int_equal(seen.count, 1);
        assert_int_equal(nlm_test_score(test).asked, threads);
        seen.stop_at = 0;
        CHECK(nlm_test_run(test, 90 - threads, look, &seen, &check_error));
        assert_true(seen.count > 1);
        const nlm_score score = nlm_test_score(test);
        assert_result(&score, &counted, 9);
        nlm_test_free(test);
    }
    nlm_machine_free(machine);
}

/* Where errors are rare, the first is none of the first world's; more threads find the same. */
static void the_first_failure_is_the_first_for_any_threads(void **state)
{
    (void)state;
    enum { WORLDS = 200 };
    nlm_machine *machine = taught_machine("1-outdegree", 6);
    const nlm_task *task = nlm_task_find("1-outdegree");
    int late = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        const answers counted = count_all(machine, task, 2, seed, FIRST_TEST_WORLD, WORLDS);
        late += counted.failure > 1;
        for (int threads = 1; threads <= 4; threads++) {
            nlm_test *tester = begin_test(machine, "1-outdegree", 2, seed, threads);
            CHECK(nlm_test_run(tester, 7, NULL, NULL, &check_error));
            CHECK(nlm_test_run(tester, WORLDS - 7, NULL, NULL, &check_error));
            assert_int_equal(nlm_test_score(tester).first_failure, counted.failure - 1);
            nlm_test_free(tester);
        }
    }
    assert_true(late > 0);
    nlm_machine_free(machine);
}

static void another_seed_has_other_worlds(void **state)
{
    (void)state;
    nlm_machine *machine = taught_machine("1-outdegree", 6);
    nlm_test *one = begin_test(machine, "1-outdegree", 9, 1, 1),
             *other = begin_test(machine, "1-outdegree", 9, UINT64_MAX, 1);
    CHECK(nlm_test_run(one, 100, NULL, NULL, &check_error));
    CHECK(nlm_test_run(other, 100, NULL, NULL, &check_error));
    assert_true(nlm_test_score(one).positives != nlm_test_score(other).positives);
    const answers counted =
        count_all(machine, nlm_task_find("1-outdegree"), 9, UINT64_MAX, FIRST_TEST_WORLD, 100);
    const nlm_score result = nlm_test_score(other);
    assert_result(&result, &counted, 9);
    nlm_test_free(one);
    nlm_test_free(other);
    nlm_test_free(NULL);
    nlm_machine_free(machine);
}

/* The worlds that a training of the same seed and size begins with give other counts. */
static void test_worlds_are_not_training_worlds(void **state)
{
    (void)state;
    enum { WORLDS = 40, SHIFTS = 50 };
    nlm_machine *machine = taught_machine("1-outdegree", 10);
    const nlm_score result = test_machine(machine, "1-outdegree", 10, WORLDS);
    for (uint64_t first = 0; first < SHIFTS; first++) {
        const answers counted = count_all(machine, nlm_task_find("1-outdegree"), 10, 1, first, WORLDS);
        assert_false(same_counts(&result, &counted));
    }
    nlm_machine_free(machine);
}

/* ---- what is refused ---- */

static void assert_test_refused(nlm_machine *machine, const nlm_task *task, int objects, nlm_status status,
                                const char *part)
{
    nlm_test *tester = (nlm_test *)&status;
    nlm_error error = {0};
    assert_int_equal(nlm_test_of_task(machine, task, NLM_WORLDS_PAPER, objects, 1, NULL, &tester, &error),
                     status);
    assert_said(&error, status, part);
    assert_null(tester);
    assert_int_equal(nlm_test_of_task(machine, task, NLM_WORLDS_PAPER, objects, 1, NULL, &tester, NULL),
                     status);
}

static void machines_that_do_not_fit_the_task_are_refused(void **state)
{
    (void)state;
    static const nlm_spec spec = {.depth = 1, .breadth = 2, .inputs = {0, 0, 4}, .width = 2, .outputs = 6};
    static const nlm_head_spec heads[] = {{.name = "head", .arity = 1, .outputs = 1},
                                          {.name = "more", .arity = 1, .outputs = 1},
                                          {.name = "many", .arity = 1, .outputs = 2}};
    const nlm_task *has_father = nlm_task_find("has-father"), *uncle = nlm_task_find("uncle");
    nlm_machine *none, *one, *two, *many;
    CHECK(nlm_machine_new(&spec, NULL, 0, &none, &check_error));
    CHECK(nlm_machine_new(&spec, heads, 1, &one, &check_error));
    CHECK(nlm_machine_new(&spec, heads, 2, &two, &check_error));
    CHECK(nlm_machine_new(&spec, heads + 2, 1, &many, &check_error));
    assert_test_refused(one, nlm_task_find("1-outdegree"), 5, NLM_BAD_SHAPE, "4 predicates of arity 2");
    assert_test_refused(one, nlm_task_find("adjacent-to-red"), 5, NLM_BAD_SHAPE, "arity 1");
    assert_test_refused(one, uncle, 5, NLM_BAD_SHAPE, "arity 2");
    assert_test_refused(none, has_father, 5, NLM_BAD_SHAPE, "0 heads");
    assert_test_refused(two, has_father, 5, NLM_BAD_SHAPE, "2 heads");
    assert_test_refused(many, has_father, 5, NLM_BAD_SHAPE, "has-father");
    assert_test_refused(one, has_father, 0, NLM_BAD_ARGUMENT, "0 objects");
    assert_test_refused(one, has_father, -1, NLM_BAD_ARGUMENT, "-1 objects");
    assert_test_refused(one, NULL, 5, NLM_BAD_ARGUMENT, "a required argument is NULL");
    assert_test_refused(NULL, has_father, 5, NLM_BAD_ARGUMENT, "a required argument is NULL");
    nlm_task unknown = *has_father;
    unknown.name = "walk";
    assert_test_refused(one, &unknown, 5, NLM_BAD_ARGUMENT, "task");
    nlm_machine_free(none);
    nlm_machine_free(one);
    nlm_machine_free(two);
    nlm_machine_free(many);
}

static void impossible_numbers_of_worlds_are_refused(void **state)
{
    (void)state;
    nlm_machine *machine = taught_machine("1-outdegree", 6);
    nlm_test *tester = begin_test(machine, "1-outdegree", 6, 1, 1);
    nlm_error error = {0};
    assert_int_equal(nlm_test_run(tester, -1, NULL, NULL, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "-1");
    assert_int_equal(nlm_test_run(tester, INT32_MAX, NULL, NULL, &error), NLM_BAD_ARGUMENT);
    CHECK(nlm_test_run(tester, 3, NULL, NULL, &check_error));
    assert_int_equal(nlm_test_score(tester).asked, 3);
    nlm_test_free(tester);
    tester = begin_test(machine, "1-outdegree", 1000000000, 1, 2);
    assert_int_equal(nlm_test_run(tester, 5, NULL, NULL, &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "1000000000");
    assert_int_equal(nlm_test_run(tester, 5, NULL, NULL, NULL), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_test_score(tester).asked, 0);
    CHECK(nlm_test_run(tester, 0, NULL, NULL, &check_error)); /* an earlier failure is not this one's */
    nlm_test_free(tester);
    nlm_machine_free(machine);
}

/* ---- the bound ---- */

/* Chernoff's: the probability to be as far from the expected number of failures as seen. */
static double chernoff(double expected, double seen)
{
    const double d = (expected - seen) / expected;
    return 2 * exp(-d * d * expected / 3);
}

static void the_papers_bound_is_reproduced(void **state)
{
    (void)state;
    assert_near(nlm_test_bound(100000, 0, 0.997), 0.000195, 1e-5);
    assert_true(1 - nlm_test_bound(100000, 0, 0.997) > 0.9998); /* accuracy, with 99.7 % confidence */
}

static void the_bound_solves_its_equation(void **state)
{
    (void)state;
    static const double confidences[] = {0, 0.5, 0.9, 0.997, 0.999999};
    for (size_t c = 0; c < COUNT(confidences); c++)
        for (int worlds = 1000; worlds <= 1000000; worlds *= 10)
            for (int seen = 0; seen <= 100; seen = 3 * seen + 1) {
                const double bound = nlm_test_bound(worlds, seen, confidences[c]);
                const double share = (double)seen / worlds;
                assert_true(bound > share && bound < 1);
                assert_near(chernoff(bound * worlds, seen) / (1 - confidences[c]), 1, 1e-8);
            }
}

static void the_bound_is_monotone(void **state)
{
    (void)state;
    for (int seen = 0; seen < 50; seen++) {
        const double bound = nlm_test_bound(10000, seen, 0.997);
        assert_true(nlm_test_bound(10000, seen + 1, 0.997) > bound);
        assert_true(nlm_test_bound(20000, seen, 0.997) < bound);
        assert_true(nlm_test_bound(10000, seen, 0.9971) > bound);
        assert_true(nlm_test_bound(10000, seen, 0.9) < bound);
    }
}

static void the_bound_says_nothing_where_nothing_is_known(void **state)
{
    (void)state;
    assert_true(nlm_test_bound(0, 0, 0.997) == 1);
    assert_true(nlm_test_bound(-5, 0, 0.997) == 1);
    assert_true(nlm_test_bound(1, 0, 0.997) == 1);
    assert_true(nlm_test_bound(100, -1, 0.997) == 1);
    assert_true(nlm_test_bound(100, 100, 0.997) == 1);
    assert_true(nlm_test_bound(100, 90, 0.997) == 1);
    assert_true(nlm_test_bound(1000000, 0, 1) == 1);
    assert_true(nlm_test_bound(1000000, 0, 2) == 1);
    assert_true(nlm_test_bound(1000000, 0, NAN) == 1);
    assert_true(nlm_test_bound(1000000, 0, -1) == nlm_test_bound(1000000, 0, 0));
    assert_true(nlm_test_bound(INT32_MAX, INT32_MAX, 0.997) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_those_counted_one_by_one),
        cmocka_unit_test(right_and_wrong_rules_are_told_apart),
        cmocka_unit_test(worlds_without_tuples_have_no_errors),
        cmocka_unit_test(threads_and_slices_do_not_matter),
        cmocka_unit_test(a_watched_test_has_the_same_score),
        cmocka_unit_test(the_first_failure_is_the_first_for_any_threads),
        cmocka_unit_test(another_seed_has_other_worlds),
        cmocka_unit_test(test_worlds_are_not_training_worlds),
        cmocka_unit_test(machines_that_do_not_fit_the_task_are_refused),
        cmocka_unit_test(impossible_numbers_of_worlds_are_refused),
        cmocka_unit_test(the_papers_bound_is_reproduced),
        cmocka_unit_test(the_bound_solves_its_equation),
        cmocka_unit_test(the_bound_is_monotone),
        cmocka_unit_test(the_bound_says_nothing_where_nothing_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
