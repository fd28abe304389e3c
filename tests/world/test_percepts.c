/* Percepts: what objects show, as it was given; what is refused and in which words; using a world again. */
#include <limits.h>
#include <math.h>
#include "test.h"

#include "nlm/world.h"
#include "world/world.h"

enum { NUMBERS = 5 };

static nlm_world *new_world(int objects)
{
    nlm_world *world;
    assert_int_equal(nlm_world_new(&world, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_objects(world, "o", objects, NULL), NLM_OK);
    return world;
}

/* A percept that can be told from all others. */
static const float *percept_of(int value)
{
    static float numbers[NUMBERS];
    for (int n = 0; n < NUMBERS; n++)
        numbers[n] = (float)(value * NUMBERS + n);
    return numbers;
}

static void show(nlm_world *world, int object, int value)
{
    nlm_error error;
    if (nlm_world_set_percept(world, object, percept_of(value), NUMBERS, &error))
        fail_msg("%s", error.message);
}

static void assert_shows(const nlm_world *world, int object, int value)
{
    int count = -1;
    const float *shown = nlm_world_percept(world, object, &count);
    assert_non_null(shown);
    assert_int_equal(count, NUMBERS);
    assert_memory_equal(shown, percept_of(value), NUMBERS * sizeof(float));
}

static void assert_refused(nlm_status status, const nlm_error *error, const char *message)
{
    assert_int_equal(status, NLM_BAD_ARGUMENT);
    assert_int_equal(error->status, NLM_BAD_ARGUMENT);
    assert_string_equal(error->message, message);
}

/* ---- kept ---- */

static void percepts_are_copied_and_kept(void **state)
{
    (void)state;
    nlm_world *world = new_world(4);
    static const int order[] = {2, 0, 3, 1};
    for (int i = 0; i < 4; i++)
        show(world, order[i], 10 + order[i]); /* percept_of overwrites what it gave before */
    for (int x = 0; x < 4; x++)
        assert_shows(world, x, 10 + x);
    nlm_world_free(world);
}

static void a_percept_given_again_replaces_the_first(void **state)
{
    (void)state;
    nlm_world *world = new_world(3);
    for (int x = 0; x < 3; x++)
        show(world, x, x);
    show(world, 1, 77);
    assert_shows(world, 0, 0);
    assert_shows(world, 1, 77);
    assert_shows(world, 2, 2);
    nlm_world_free(world);
}

static void objects_that_show_nothing_have_no_percept(void **state)
{
    (void)state;
    nlm_world *world = new_world(4);
    int count = -1;
    for (int x = -1; x <= 4; x++)
        assert_null(nlm_world_percept(world, x, NULL));
    show(world, 2, 2);
    static const int without[] = {-1, 0, 1, 3, 4, INT_MAX, INT_MIN};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        assert_null(nlm_world_percept(world, without[i], &count));
    assert_shows(world, 2, 2);
    assert_null(nlm_world_percept(NULL, 0, &count));
    assert_int_equal(count, 0);
    nlm_world_free(world);
}

static void objects_added_later_show_nothing_until_told(void **state)
{
    (void)state;
    nlm_world *world = new_world(1);
    show(world, 0, 0);
    for (int x = 1; x < 300; x++) { /* the percepts move several times */
        char name[] = {'n', (char)('0' + x / 100), (char)('0' + x / 10 % 10), (char)('0' + x % 10), 0};
        assert_int_equal(nlm_world_add_object(world, name, NULL, NULL), NLM_OK);
        assert_null(nlm_world_percept(world, x, NULL));
        if (x % 3 == 0)
            show(world, x, x);
    }
    for (int x = 0; x < 300; x++)
        if (x % 3 == 0)
            assert_shows(world, x, x);
        else
            assert_null(nlm_world_percept(world, x, NULL));
    nlm_world_free(world);
}

/* As facts may be added from the list itself, though it moves. */
static void an_object_may_show_what_another_shows(void **state)
{
    (void)state;
    nlm_world *world = new_world(1);
    show(world, 0, 42);
    for (int x = 1; x < 200; x++) {
        char name[] = {'n', (char)('0' + x / 100), (char)('0' + x / 10 % 10), (char)('0' + x % 10), 0};
        int count;
        assert_int_equal(nlm_world_add_object(world, name, NULL, NULL), NLM_OK);
        const float *shown = nlm_world_percept(world, x - 1, &count);
        assert_int_equal(nlm_world_set_percept(world, x, shown, count, NULL), NLM_OK);
        assert_int_equal(nlm_world_set_percept(world, x, nlm_world_percept(world, x, NULL), count, NULL),
                         NLM_OK);
    }
    for (int x = 0; x < 200; x++)
        assert_shows(world, x, 42);
    nlm_world_free(world);
}

static void facts_and_labels_leave_percepts_alone(void **state)
{
    (void)state;
    nlm_world *world = new_world(3);
    int predicate;
    for (int x = 0; x < 3; x++)
        show(world, x, x);
    assert_int_equal(nlm_world_add_predicate(world, "p", 1, &predicate, NULL), NLM_OK);
    for (int x = 0; x < 3; x++)
        assert_int_equal(nlm_world_add_fact(world, predicate, &x, 1, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_target(world, "t", 1, NLM_TRUE, NULL, NULL), NLM_OK);
    for (int x = 0; x < 3; x++)
        assert_shows(world, x, x);
    nlm_world_free(world);
}

/* ---- refused ---- */

static void percepts_of_nobody_are_refused(void **state)
{
    (void)state;
    nlm_world *world = new_world(3);
    nlm_error e;
    assert_refused(nlm_world_set_percept(world, 3, percept_of(1), NUMBERS, &e), &e,
                   "a percept for object 3 of 3");
    assert_refused(nlm_world_set_percept(world, -1, percept_of(1), NUMBERS, &e), &e,
                   "a percept for object -1 of 3");
    assert_refused(nlm_world_set_percept(NULL, 0, percept_of(1), NUMBERS, &e), &e,
                   "a percept needs a world and numbers (NULL)");
    assert_refused(nlm_world_set_percept(world, 0, NULL, NUMBERS, &e), &e,
                   "a percept needs a world and numbers (NULL)");
    for (int x = 0; x < 3; x++)
        assert_null(nlm_world_percept(world, x, NULL));
    nlm_world_free(world);
}

static void percepts_of_another_size_are_refused(void **state)
{
    (void)state;
    nlm_world *world = new_world(3);
    nlm_error e;
    assert_refused(nlm_world_set_percept(world, 0, percept_of(1), 0, &e), &e, "a percept of 0 numbers");
    assert_refused(nlm_world_set_percept(world, 0, percept_of(1), -5, &e), &e, "a percept of -5 numbers");
    show(world, 0, 1);
    assert_refused(nlm_world_set_percept(world, 1, percept_of(2), NUMBERS - 1, &e), &e,
                   "a percept of 4 numbers, where others have 5");
    assert_refused(nlm_world_set_percept(world, 0, percept_of(2), 1, &e), &e,
                   "a percept of 1 numbers, where others have 5");
    assert_shows(world, 0, 1);
    assert_null(nlm_world_percept(world, 1, NULL));
    nlm_world_free(world);
}

static void numbers_that_are_none_are_refused(void **state)
{
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    nlm_world *world = new_world(2);
    show(world, 1, 3);
    for (int b = 0; b < 3; b++)
        for (int n = 0; n < NUMBERS; n++) {
            nlm_error e;
            float numbers[NUMBERS];
            memcpy(numbers, percept_of(8), sizeof numbers);
            numbers[n] = bad[b];
            assert_refused(nlm_world_set_percept(world, 1, numbers, NUMBERS, &e), &e,
                           "the percept of object 'o1' holds NaN or infinity");
        }
    assert_shows(world, 1, 3);
    nlm_world_free(world);
}

/* ---- again ---- */

static void a_cleared_world_shows_nothing(void **state)
{
    (void)state;
    nlm_world *world = new_world(0);
    for (int round = 0; round < 20; round++) {
        const int objects = 1 + round * 7 % 30, count = 1 + round % NUMBERS;
        nlm_world_clear(world);
        assert_int_equal(nlm_world_add_objects(world, "o", objects, NULL), NLM_OK);
        for (int x = 0; x < objects; x++)
            assert_null(nlm_world_percept(world, x, NULL));
        /* percepts may now be of another size */
        for (int x = 0; x < objects; x += 2)
            assert_int_equal(nlm_world_set_percept(world, x, percept_of(x), count, NULL), NLM_OK);
        for (int x = 0; x < objects; x++) {
            int there;
            const float *shown = nlm_world_percept(world, x, &there);
            assert_int_equal(there, count);
            if (x % 2)
                assert_null(shown);
            else
                assert_memory_equal(shown, percept_of(x), (size_t)count * sizeof(float));
        }
    }
    nlm_world_free(world);
}

static void a_dropped_predicate_can_be_added_again(void **state)
{
    (void)state;
    nlm_world *world = new_world(2);
    int kept, dropped;
    const int object = 1;
    assert_int_equal(nlm_world_add_predicate(world, "kept", 1, &kept, NULL), NLM_OK);
    assert_int_equal(nlm_world_add_fact(world, kept, &object, 1, NULL), NLM_OK);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(nlm_world_add_predicate(world, "secret", 1, &dropped, NULL), NLM_OK);
        assert_int_equal(nlm_world_facts(world, dropped, NULL, NULL), 0);
        assert_int_equal(nlm_world_add_fact(world, dropped, &object, 1, NULL), NLM_OK);
        world_drop_predicate(world);
        assert_int_equal(nlm_world_predicates(world), 1);
        assert_int_equal(nlm_world_find_predicate(world, "secret", 1), -1);
        assert_null(nlm_world_predicate_name(world, dropped));
        assert_int_equal(nlm_world_facts(world, dropped, NULL, NULL), 0);
        assert_int_equal(nlm_world_facts(world, kept, NULL, NULL), 1);
    }
    nlm_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percepts_are_copied_and_kept),
        cmocka_unit_test(a_percept_given_again_replaces_the_first),
        cmocka_unit_test(objects_that_show_nothing_have_no_percept),
        cmocka_unit_test(objects_added_later_show_nothing_until_told),
        cmocka_unit_test(an_object_may_show_what_another_shows),
        cmocka_unit_test(facts_and_labels_leave_percepts_alone),
        cmocka_unit_test(percepts_of_nobody_are_refused),
        cmocka_unit_test(percepts_of_another_size_are_refused),
        cmocka_unit_test(numbers_that_are_none_are_refused),
        cmocka_unit_test(a_cleared_world_shows_nothing),
        cmocka_unit_test(a_dropped_predicate_can_be_added_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
