/* Worlds: names and numbers, facts and labels as they were given, what is refused and in which words, and
 * using a world again.  (Running out of memory is in tests/task/test_task_alloc.c.) */
#include <limits.h>
#include <math.h>
#include <time.h>
#include "test.h"

#include "nlm/world.h"
#include "world/world.h"

static nlm_world *new_world(void)
{
    nlm_world *world;
    assert_int_equal(nlm_world_new(&world, NULL), NLM_OK);
    return world;
}

/* homer, marge, bart; father/2, rainy/0, sits_between/3; target happy/1. */
enum { HOMER, MARGE, BART };
enum { FATHER, RAINY, SITS_BETWEEN };
enum { HAPPY };

static nlm_world *new_small_world(void)
{
    nlm_world *world = new_world();
    static const char *const names[] = {"homer", "marge", "bart"};
    for (int x = 0; x < 3; x++) {
        int object = -1;
        assert_int_equal(nlm_world_add_object(world, names[x], &object, NULL), NLM_OK);
        assert_int_equal(object, x);
    }
    int number = -1;
    assert_int_equal(nlm_world_add_predicate(world, "father", 2, &number, NULL), NLM_OK);
    assert_int_equal(number, FATHER);
    assert_int_equal(nlm_world_add_predicate(world, "rainy", 0, &number, NULL), NLM_OK);
    assert_int_equal(number, RAINY);
    assert_int_equal(nlm_world_add_predicate(world, "sits_between", 3, &number, NULL), NLM_OK);
    assert_int_equal(number, SITS_BETWEEN);
    assert_int_equal(nlm_world_add_target(world, "happy", 1, NLM_UNLABELLED, &number, NULL), NLM_OK);
    assert_int_equal(number, HAPPY);
    return world;
}

static void assert_refused(nlm_status status, const nlm_error *error, const char *message)
{
    assert_int_equal(status, NLM_BAD_ARGUMENT);
    assert_int_equal(error->status, NLM_BAD_ARGUMENT);
    assert_string_equal(error->message, message);
}

/* ---- names ---- */

static void names_and_numbers_agree(void **state)
{
    (void)state;
    nlm_world *world = new_small_world();
    assert_int_equal(nlm_world_objects(world), 3);
    assert_int_equal(nlm_world_predicates(world), 3);
    assert_int_equal(nlm_world_targets(world), 1);
    assert_string_equal(nlm_world_object_name(world, MARGE), "marge");
    assert_string_equal(nlm_world_predicate_name(world, SITS_BETWEEN), "sits_between");
    assert_string_equal(nlm_world_target_name(world, HAPPY), "happy");
    assert_int_equal(nlm_world_predicate_arity(world, SITS_BETWEEN), 3);
    assert_int_equal(nlm_world_target_arity(world, HAPPY), 1);
    assert_int_equal(nlm_world_find_object(world, "bart"), BART);
    assert_int_equal(nlm_world_find_predicate(world, "rainy", 0), RAINY);
    assert_int_equal(nlm_world_find_target(world, "happy", 1), HAPPY);
    nlm_world_free(world);
}

static void what_is_not_there_is_not_found(void **state)
{
    (void)state;
    nlm_world *world = new_small_world();
    assert_int_equal(nlm_world_find_object(world, "lisa"), -1);
    assert_int_equal(nlm_world_find_object(world, NULL), -1);
    assert_int_equal(nlm_world_find_object(world, ""), -1);
    assert_int_equal(nlm_world_find_predicate(world, "father", 1), -1);
    assert_int_equal(nlm_world_find_predicate(world, "happy", 1), -1);
    assert_int_equal(nlm_world_find_target(world, "father", 2), -1);
    static const int numbers[] = {-1, 3, INT_MAX, INT_MIN};
    for (int i = 0; i < 4; i++) {
        assert_null(nlm_world_object_name(world, numbers[i]));
        assert_null(nlm_world_predicate_name(world, numbers[i]));
        assert_null(nlm_world_target_name(world, numbers[i]));
        assert_int_equal(nlm_world_predicate_arity(world, numbers[i]), -1);
        assert_int_equal(nlm_world_target_arity(world, numbers[i]), -1);
        const int *tuples = numbers;
        const float *values = (const float *)&world;
        assert_int_equal(nlm_world_facts(world, numbers[i], &tuples, &values), 0);
        assert_true(tuples == NULL && values == NULL);
        assert_int_equal(nlm_world_labels(world, numbers[i], NULL, NULL, NULL), 0);
    }
    nlm_world_free(world);
    nlm_world_free(NULL);
    nlm_world_clear(NULL);
}

static void names_that_are_missing_or_repeated_are_refused(void **state)
{
    (void)state;
    nlm_world *world = new_small_world();
    nlm_error e;
    assert_refused(nlm_world_add_object(world, NULL, NULL, &e), &e, "object without a name (NULL)");
    assert_refused(nlm_world_add_object(world, "", NULL, &e), &e, "object with an empty name");
    assert_refused(nlm_world_add_object(world, "homer", NULL, &e), &e, "object 'homer' is added twice");
    assert_refused(nlm_world_add_predicate(world, NULL, 1, NULL, &e), &e, "predicate without a name (NULL)");
    assert_refused(nlm_world_add_predicate(world, "", 1, NULL, &e), &e, "predicate with an empty name");
    assert_refused(nlm_world_add_predicate(world, "father", 2, NULL, &e), &e,
                   "predicate father/2 is added twice");
    assert_refused(nlm_world_add_target(world, NULL, 1, NLM_FALSE, NULL, &e), &e,
                   "target without a name (NULL)");
    assert_refused(nlm_world_add_target(world, "happy", 1, NLM_FALSE, NULL, &e), &e,
                   "target happy/1 is added twice");
    assert_refused(nlm_world_add_object(NULL, "lisa", NULL, &e), &e, "no world for a new object (NULL)");
    assert_int_equal(nlm_world_add_object(world, "homer", NULL, NULL), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_world_new(NULL, &e), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_world_objects(world), 3);
    assert_int_equal(nlm_world_predicates(world), 3);
    assert_int_equal(nlm_world_targets(world), 1);
    nlm_world_free(world);
}

static void arities_and_defaults_are_checked(void **state)
{
    (void)state;
    nlm_world *world = new_small_world();
    nlm_error e;
    assert_refused(nlm_world_add_predicate(world, "wide", 6, NULL, &e), &e,
                   "predicate wide/6: the arity must be 0 to 5");
    assert_refused(nlm_world_add_predicate(world, "odd", -1, NULL, &e), &e,
                   "predicate odd/-1: the arity must be 0 to 5");
    assert_refused(nlm_world_add_target(world, "wide", 6, NLM_TRUE, NULL, &e), &e,
                   "target wide/6: the arity must be 0 to 5");
    assert_refused(nlm_world_add_target(world, "sad", 1, (nlm_label)2, NULL, &e), &e,
                   "target sad/1: 2 is no label");
    /* A name with another arity is another predicate, a target may be called as a predicate is. */
    int number;
    assert_int_equal(nlm_world_add_predicate(world, "father", NLM_MAX_BREADTH, &number, NULL), NLM_OK);
    assert_int_equal(nlm_world_find_predicate(world, "father", 2), FATHER);
    assert_int_equal(nlm_world_find_predicate(world, "father", NLM_MAX_BREADTH), number);
    assert_int_equal(nlm_world_add_target(world, "father", 2, NLM_TRUE, &number, NULL), NLM_OK);
    assert_int_equal(nlm_world_find_target(world, "father", 2), number);
    nlm_world_free(world);
}

/* A name read from the world may be given back to it, and stays where it is while others come. */
static void names_are_copied_and_stay(void **state)
{
    (void)state;
    nlm_world *world = new_world();
    char name[] = "original";
    assert_int_equal(nlm_world_add_object(world, name, NULL, NULL), NLM_OK);
    memset(name, 'x', sizeof name - 1);
    const char *kept = nlm_world_object_name(world, 0);
    assert_string_equal(kept, "original");
    char longest[20000];
    for (int i = 0; i < 5; i++) {
        memset(longest, 'a' + i, sizeof longest);
        longest[sizeof longest - 1] = 0;
        assert_int_equal(nlm_world_add_object(world, longest, NULL, NULL), NLM_OK);
        assert_int_equal(nlm_world_add_objects(world, i % 2 ? "b" : kept, i < 2 ? 2000 : 0, NULL), NLM_OK);
        assert_int_equal(nlm_world_add_predicate(world, kept, i, NULL, NULL), NLM_OK);
        assert_string_equal(nlm_world_object_name(world, nlm_world_find_object(world, longest)), longest);
    }
    assert_ptr_equal(nlm_world_object_name(world, 0), kept);
    assert_string_equal(kept, "original");
    assert_string_equal(nlm_world_predicate_name(world, 4), "original");
    nlm_error error;
    assert_int_equal(nlm_world_add_object(world, longest, NULL, &error), NLM_BAD_ARGUMENT);
    assert_true(strlen(error.message) < NLM_ERROR_SIZE);
    nlm_world_free(world);
}

static void a_hundred_thousand_objects_are_added_in_no_time(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    nlm_world *world = new_world();
    clock_t start = clock();
    assert_int_equal(nlm_world_add_objects(world, "thing", COUNT, NULL), NLM_OK);
    for (int x = 0; x < COUNT; x++) {
        char name[32];
        snprintf(name, sizeof name, "thing%d", x);
        assert_int_equal(nlm_world_find_object(world, name), x);
        assert_string_equal(nlm_world_object_name(world, x), name);
    }
    /* 0.05 s; comparing with all earlier names would take a minute. */
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 5);
    assert_int_equal(nlm_world_find_object(world, "thing100000"), -1);
    nlm_world_free(world);
}

static void numbered_objects_come_all_or_none(void **state)
{
    (void)state;
    nlm_world *world = new_world();
    nlm_error e;
    assert_int_equal(nlm_world_add_object(world, "x70", NULL, NULL), NLM_OK);
    assert_refused(nlm_world_add_objects(world, "x", 100, &e), &e, "object 'x70' is added twice");
    assert_int_equal(nlm_world_objects(world), 1);
    for (int x = 0; x < 100; x++) {
        char name[32];
        snprintf(name, sizeof name, "x%d", x);
        assert_int_equal(nlm_world_find_object(world, name), x == 70 ? 0 : -1);
    }
    assert_int_equal(nlm_world_add_objects(world, "x", 70, NULL), NLM_OK);
    assert_string_equal(nlm_world_object_name(world, 70), "x69");
    assert_refused(nlm_world_add_objects(world, "y", -1, &e), &e, "cannot add -1 objects");
    assert_int_equal(nlm_world_add_objects(world, NULL, 1, &e), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_world_add_objects(NULL, "y", 1, &e), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_world_add_objects(world, "y", 0, NULL), NLM_OK);
    assert_int_equal(nlm_world_objects(world), 71);
    nlm_world_free(world);
}

/* ---- facts and labels ---- */

static void facts_are_kept_in_order(void **state)
{
    (void)state;
    nlm_world *world = new_small_world();
    const int bart_homer[] = {BART, HOMER}, between[] = {MARGE, BART, HOMER};
    assert_int_equal(nlm_world_add_fact(world, FATHER, bart_homer, 1, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_fact(world, SITS_BETWEEN, between, -2.5f, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_fact(world, FATHER, bart_homer, 0, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_fact(world, RAINY, NULL, 0.5f, NULL), NLM_OK);
    const int *tuples;
    const float *values;
    assert_int_equal(nlm_world_facts(world, FATHER, &tuples, &values), 2);
    assert_true(tuples[0] == BART && tuples[1] == HOMER && tuples[2] == BART && tuples[3] == HOMER);
    assert_true(values[0] == 1 && values[1] == 0);
    assert_int_equal(nlm_world_facts(world, SITS_BETWEEN, &tuples, &values), 1);
    assert_memory_equal(tuples, between, sizeof between);
    assert_true(values[0] == -2.5f);
    assert_int_equal(nlm_world_facts(world, RAINY, &tuples, &values), 1);
    assert_true(values[0] == 0.5f);
    assert_int_equal(nlm_world_facts(world, FATHER, NULL, NULL), 2);
    nlm_world_free(world);
}

static void labels_are_kept_in_order(void **state)
{
    (void)state;
    nlm_world *world = new_small_world();
    const int homer = HOMER, bart = BART;
    assert_int_equal(nlm_world_add_label(world, HAPPY, &homer, NLM_TRUE, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_label(world, HAPPY, &bart, NLM_FALSE, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_label(world, HAPPY, &homer, NLM_UNLABELLED, NULL), NLM_OK);
    const int *tuples;
    const signed char *labels;
    nlm_label by_default;
    assert_int_equal(nlm_world_labels(world, HAPPY, &tuples, &labels, &by_default), 3);
    assert_int_equal(by_default, NLM_UNLABELLED);
    assert_true(tuples[0] == HOMER && tuples[1] == BART && tuples[2] == HOMER);
    assert_true(labels[0] == NLM_TRUE && labels[1] == NLM_FALSE && labels[2] == NLM_UNLABELLED);
    nlm_world_free(world);
}

static void bad_facts_are_refused_by_name(void **state)
{
    (void)state;
    nlm_world *world = new_small_world();
    nlm_error e;
    const int good[] = {BART, HOMER}, twice[] = {HOMER, HOMER}, beyond[] = {BART, 3}, below[] = {-1, BART};
    const int ends[] = {MARGE, BART, MARGE};
    assert_refused(nlm_world_add_fact(world, 3, good, 1, &e), &e,
                   "there is no predicate number 3, the world has 3");
    assert_refused(nlm_world_add_fact(world, -1, good, 1, &e), &e,
                   "there is no predicate number -1, the world has 3");
    assert_refused(nlm_world_add_fact(world, FATHER, twice, 1, &e), &e,
                   "father/2: fact repeats object 'homer'");
    assert_refused(nlm_world_add_fact(world, SITS_BETWEEN, ends, 1, &e), &e,
                   "sits_between/3: fact repeats object 'marge'");
    assert_refused(nlm_world_add_fact(world, FATHER, beyond, 1, &e), &e,
                   "father/2: fact with object number 3, the world has 3");
    assert_refused(nlm_world_add_fact(world, FATHER, below, 1, &e), &e,
                   "father/2: fact with object number -1, the world has 3");
    assert_refused(nlm_world_add_fact(world, FATHER, NULL, 1, &e), &e,
                   "father/2: fact without objects (NULL)");
    assert_refused(nlm_world_add_fact(world, FATHER, good, NAN, &e), &e,
                   "father/2: fact with value nan, which is not finite");
    assert_refused(nlm_world_add_fact(world, FATHER, good, -INFINITY, &e), &e,
                   "father/2: fact with value -inf, which is not finite");
    assert_int_equal(nlm_world_add_fact(NULL, FATHER, good, 1, &e), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_world_facts(world, FATHER, NULL, NULL), 0);
    assert_int_equal(nlm_world_facts(world, SITS_BETWEEN, NULL, NULL), 0);
    nlm_world_free(world);
}

static void bad_labels_are_refused_by_name(void **state)
{
    (void)state;
    nlm_world *world = new_small_world();
    nlm_error e;
    const int homer = HOMER, nobody = 7, twice[] = {BART, BART};
    assert_refused(nlm_world_add_label(world, 1, &homer, NLM_TRUE, &e), &e,
                   "there is no target number 1, the world has 1");
    assert_refused(nlm_world_add_label(world, HAPPY, &nobody, NLM_TRUE, &e), &e,
                   "happy/1: label with object number 7, the world has 3");
    assert_refused(nlm_world_add_label(world, HAPPY, &homer, (nlm_label)-2, &e), &e,
                   "happy/1: -2 is no label");
    assert_int_equal(nlm_world_add_target(world, "uncle", 2, NLM_FALSE, NULL, NULL), NLM_OK);
    assert_refused(nlm_world_add_label(world, 1, twice, NLM_TRUE, &e), &e,
                   "uncle/2: label repeats object 'bart'");
    assert_int_equal(nlm_world_add_label(NULL, HAPPY, &homer, NLM_TRUE, &e), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_world_labels(world, HAPPY, NULL, NULL, NULL), 0);
    nlm_world_free(world);
}

/* A tuple may come from the very list that it is added to, and that moves as it grows. */
static void a_fact_may_be_added_from_the_list_itself(void **state)
{
    (void)state;
    nlm_world *world = new_small_world();
    const int bart_homer[] = {BART, HOMER};
    assert_int_equal(nlm_world_add_fact(world, FATHER, bart_homer, 1, NULL), NLM_OK);
    for (int i = 0; i < 1000; i++) {
        const int *tuples;
        size_t count = nlm_world_facts(world, FATHER, &tuples, NULL);
        assert_int_equal(nlm_world_add_fact(world, FATHER, tuples + 2 * (count - 1), 1, NULL), NLM_OK);
    }
    const int *tuples;
    assert_int_equal(nlm_world_facts(world, FATHER, &tuples, NULL), 1001);
    assert_true(tuples[2000] == BART && tuples[2001] == HOMER);
    nlm_world_free(world);
}

/* ---- again ---- */

static void a_cleared_world_is_as_new(void **state)
{
    (void)state;
    nlm_world *world = new_small_world();
    const int bart_homer[] = {BART, HOMER};
    const int homer = HOMER;
    for (int round = 0; round < 50; round++) {
        nlm_world_clear(world);
        assert_int_equal(nlm_world_objects(world) + nlm_world_predicates(world) + nlm_world_targets(world),
                         0);
        assert_int_equal(nlm_world_find_object(world, "homer"), -1);
        assert_int_equal(nlm_world_find_predicate(world, "father", 2), -1);
        assert_null(nlm_world_object_name(world, 0));
        assert_int_equal(nlm_world_add_fact(world, 0, bart_homer, 1, NULL), NLM_BAD_ARGUMENT);
        assert_int_equal(nlm_world_add_objects(world, round % 2 ? "a" : "b", 10 * round + 3, NULL), NLM_OK);
        assert_int_equal(nlm_world_find_object(world, round % 2 ? "a2" : "b2"), 2);
        assert_int_equal(nlm_world_find_object(world, round % 2 ? "b2" : "a2"), -1);
        assert_int_equal(nlm_world_add_predicate(world, "father", 2, NULL, NULL), NLM_OK);
        assert_int_equal(nlm_world_facts(world, 0, NULL, NULL), 0);
        assert_int_equal(nlm_world_add_fact(world, 0, bart_homer, 1, NULL), NLM_OK);
        assert_int_equal(nlm_world_add_target(world, "t", 1, NLM_FALSE, NULL, NULL), NLM_OK);
        nlm_label by_default;
        assert_int_equal(nlm_world_labels(world, 0, NULL, NULL, &by_default), 0);
        assert_int_equal(by_default, NLM_FALSE);
        assert_int_equal(nlm_world_add_label(world, 0, &homer, NLM_TRUE, NULL), NLM_OK);
    }
    nlm_world_free(world);
}

static void a_dropped_target_can_be_added_again(void **state)
{
    (void)state;
    nlm_world *world = new_small_world();
    int target;
    const int homer = HOMER;
    assert_int_equal(nlm_world_add_target(world, "sad", 1, NLM_FALSE, &target, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_label(world, target, &homer, NLM_TRUE, NULL), NLM_OK);
    world_drop_target(world);
    assert_int_equal(nlm_world_targets(world), 1);
    assert_int_equal(nlm_world_find_target(world, "sad", 1), -1);
    assert_int_equal(nlm_world_find_target(world, "happy", 1), HAPPY);
    assert_int_equal(nlm_world_add_target(world, "sad", 1, NLM_TRUE, &target, NULL), NLM_OK);
    assert_int_equal(nlm_world_labels(world, target, NULL, NULL, NULL), 0);
    nlm_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_numbers_agree),
        cmocka_unit_test(what_is_not_there_is_not_found),
        cmocka_unit_test(names_that_are_missing_or_repeated_are_refused),
        cmocka_unit_test(arities_and_defaults_are_checked),
        cmocka_unit_test(names_are_copied_and_stay),
        cmocka_unit_test(a_hundred_thousand_objects_are_added_in_no_time),
        cmocka_unit_test(numbered_objects_come_all_or_none),
        cmocka_unit_test(facts_are_kept_in_order),
        cmocka_unit_test(labels_are_kept_in_order),
        cmocka_unit_test(bad_facts_are_refused_by_name),
        cmocka_unit_test(bad_labels_are_refused_by_name),
        cmocka_unit_test(a_fact_may_be_added_from_the_list_itself),
        cmocka_unit_test(a_cleared_world_is_as_new),
        cmocka_unit_test(a_dropped_target_can_be_added_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
