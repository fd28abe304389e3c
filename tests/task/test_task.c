/* The registry: which tasks there are, that worlds depend on seed and index alone, labelling a world with
 * other predicates around, and what is refused. */
#include <limits.h>

#include "worlds.h"
#include "nlm/machine.h"

/* The paper's tasks, with its sizes.  Those of differentiable ILP, which follow, are test_ilp.c's. */
static const struct {
    const char *name, *target;
    int arity, unary, binary, train, test;
    int shown; /* so many of the unary ones are for a machine to find in what objects show */
} KNOWN[] = {
    {"has-father", "has_father", 1, 0, 4, 20, 100, 0},
    {"has-sister", "has_sister", 1, 0, 4, 20, 100, 0},
    {"grandparent", "grandparent", 2, 0, 4, 20, 100, 0},
    {"uncle", "uncle", 2, 0, 4, 20, 100, 0},
    {"mg-uncle", "mg_uncle", 2, 0, 4, 20, 100, 0},
    {"adjacent-to-red", "adjacent_to_red", 1, 4, 1, 10, 50, 0},
    {"4-connectivity", "connectivity4", 2, 0, 1, 10, 50, 0},
    {"6-connectivity", "connectivity6", 2, 0, 1, 10, 50, 0},
    {"1-outdegree", "outdegree1", 1, 0, 1, 10, 50, 0},
    {"2-outdegree", "outdegree2", 1, 0, 1, 10, 50, 0},
    {"adjacent-to-zero", "adjacent_to_zero", 1, 10, 1, 10, 50, 10},
};
enum { KNOWN_COUNT = sizeof KNOWN / sizeof *KNOWN };

static void the_tasks_of_the_paper_are_there(void **state)
{
    (void)state;
    assert_true(nlm_tasks() >= KNOWN_COUNT);
    for (int k = 0; k < KNOWN_COUNT; k++) {
        const nlm_task *task = nlm_task_at(k);
        assert_string_equal(task->name, KNOWN[k].name);
        assert_string_equal(task->target, KNOWN[k].target);
        assert_int_equal(task->arity, KNOWN[k].arity);
        assert_true(strlen(task->description) > 0);
        for (int arity = 0; arity <= NLM_MAX_BREADTH; arity++)
            assert_int_equal(task->inputs[arity], arity == 1   ? KNOWN[k].unary
                                                  : arity == 2 ? KNOWN[k].binary
                                                               : 0);
        assert_int_equal(task->train_objects, KNOWN[k].train);
        assert_int_equal(task->test_objects, KNOWN[k].test);
        int numbers = 0, predicates = 0;
        assert_true((task->sense != NULL) == (KNOWN[k].shown > 0));
        assert_true(!task->sense || nlm_sense_find(task->sense, &numbers, &predicates));
        assert_int_equal(predicates, KNOWN[k].shown);
        assert_int_equal(numbers, task->sense ? NLM_IMAGE_PIXELS : 0);
        assert_null(task->gallery);
        assert_null(task->origin);
        assert_true(task->solved == 0);
        assert_ptr_equal(nlm_task_find(KNOWN[k].name), task);
    }
    assert_null(nlm_task_at(-1));
    assert_null(nlm_task_at(nlm_tasks()));
    assert_null(nlm_task_find("aunt"));
    assert_null(nlm_task_find(NULL));
}

static void worlds_have_the_predicates_that_the_task_names(void **state)
{
    (void)state;
    static const char *const family[] = {"father", "mother", "son", "daughter"};
    static const char *const graph[] = {"has_edge", "red", "green", "blue", "yellow"};
    nlm_world *world = new_world();
    for (int k = 0; k < KNOWN_COUNT; k++) {
        generate(KNOWN[k].name, 1, 0, KNOWN[k].train, world);
        assert_int_equal(nlm_world_objects(world), KNOWN[k].train);
        assert_int_equal(nlm_world_predicates(world), KNOWN[k].unary + KNOWN[k].binary - KNOWN[k].shown);
        for (int p = 0; p < nlm_world_predicates(world); p++) {
            assert_string_equal(nlm_world_predicate_name(world, p), k < 5 ? family[p] : graph[p]);
            assert_int_equal(nlm_world_predicate_arity(world, p), k < 5 || p == 0 ? 2 : 1);
        }
        assert_int_equal(nlm_world_targets(world), 1);
        assert_string_equal(nlm_world_target_name(world, 0), KNOWN[k].target);
        assert_string_equal(nlm_world_object_name(world, 7), k < 5 ? "person7" : "node7");
    }
    nlm_world_free(world);
}

static void a_world_depends_on_seed_and_index_alone(void **state)
{
    (void)state;
    nlm_world *world = new_world();
    for (int k = 0; k < KNOWN_COUNT; k++) {
        enum { WORLDS = 20 };
        uint64_t first[WORLDS];
        for (uint64_t index = 0; index < WORLDS; index++) {
            generate(KNOWN[k].name, 42, index, 50, world);
            first[index] = fingerprint(world);
            for (uint64_t earlier = 0; earlier < index; earlier++)
                assert_true(first[earlier] != first[index]);
        }
        nlm_world *fresh = new_world();
        for (uint64_t index = WORLDS; index-- > 0;) {
            generate(KNOWN[k].name, 42, index, 50, fresh);
            assert_true(fingerprint(fresh) == first[index]);
            generate(KNOWN[k].name, 43, index, 50, fresh);
            assert_true(fingerprint(fresh) != first[index]);
        }
        nlm_world_free(fresh);
    }
    nlm_world_free(world);
}

/* Seeds in papers and bug reports must go on meaning the same worlds: these never change. */
static void worlds_stay_what_they_were(void **state)
{
    (void)state;
    static const uint64_t known[KNOWN_COUNT] = {
        0xea10131244a203ba, 0x6b0d0d5749b07fe2, 0x7887294712ed4430, 0x70c05b4f00e3344e,
        0xdb2a321b062319f9, 0x3c347d7970c00fc4, 0x4bfbfd2b98f51aa7, 0xad1a9eb65b2d0497,
        0xff08030749030af3, 0x35857cd70a8d2b61, 0xbe3e8009065e2a61,
    };
    nlm_world *world = new_world();
    for (int k = 0; k < KNOWN_COUNT; k++) {
        generate(KNOWN[k].name, 1, 2, KNOWN[k].train, world);
        if (fingerprint(world) != known[k])
            fail_msg("%s: world 2 of seed 1 is now 0x%016llxu", KNOWN[k].name,
                     (unsigned long long)fingerprint(world));
    }
    nlm_world_free(world);
}

/* Copy the objects and facts, the predicates in reverse and after one that the task does not know. */
static void copy_reversed(const nlm_world *from, nlm_world *to)
{
    nlm_world_clear(to);
    assert_int_equal(nlm_world_add_predicate(to, "likes", 2, NULL, NULL), NLM_OK);
    for (int x = 0; x < nlm_world_objects(from); x++)
        assert_int_equal(nlm_world_add_object(to, nlm_world_object_name(from, x), NULL, NULL), NLM_OK);
    for (int p = nlm_world_predicates(from); p-- > 0;) {
        int copy, arity = nlm_world_predicate_arity(from, p);
        assert_int_equal(nlm_world_add_predicate(to, nlm_world_predicate_name(from, p), arity, &copy, NULL),
                         NLM_OK);
        const int *tuples;
        size_t count = nlm_world_facts(from, p, &tuples, NULL);
        for (size_t i = count; i-- > 0;)
            assert_int_equal(nlm_world_add_fact(to, copy, tuples + i * (size_t)arity, 1, NULL), NLM_OK);
    }
}

static void labelling_a_copy_gives_the_same_labels(void **state)
{
    (void)state;
    static table labels, copied;
    nlm_world *world = new_world(), *copy = new_world();
    for (int k = 0; k < KNOWN_COUNT && !KNOWN[k].shown; k++) {
        generate(KNOWN[k].name, 8, 3, KNOWN[k].test, world);
        copy_reversed(world, copy);
        assert_int_equal(nlm_world_add_target(copy, "other", 3, NLM_UNLABELLED, NULL, NULL), NLM_OK);
        assert_int_equal(nlm_task_label(task_called(KNOWN[k].name), copy, NULL), NLM_OK);
        assert_int_equal(nlm_world_targets(copy), 2);
        read_labels(world, KNOWN[k].name, &labels);
        read_labels(copy, KNOWN[k].name, &copied);
        assert_memory_equal(&labels, &copied, sizeof labels);
    }
    nlm_world_free(world);
    nlm_world_free(copy);
}

static void a_world_without_objects_has_no_labels(void **state)
{
    (void)state;
    nlm_world *world = new_world();
    static const char *const family[] = {"father", "mother", "son", "daughter"};
    for (int p = 0; p < 4; p++)
        assert_int_equal(nlm_world_add_predicate(world, family[p], 2, NULL, NULL), NLM_OK);
    assert_int_equal(nlm_task_label(task_called("uncle"), world, NULL), NLM_OK);
    assert_int_equal(nlm_world_labels(world, 0, NULL, NULL, NULL), 0);
    nlm_world_free(world);
}

static void absurd_sizes_are_refused_and_the_world_stays(void **state)
{
    (void)state;
    static const int absurd[] = {0, -1, INT_MIN, INT_MAX, 100000000};
    nlm_world *world = new_world();
    for (int k = 0; k < KNOWN_COUNT; k++) {
        generate(KNOWN[k].name, 1, 1, 5, world);
        uint64_t before = fingerprint(world);
        for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++) {
            nlm_error error = {NLM_OK, ""};
            assert_int_equal(nlm_task_generate(task_called(KNOWN[k].name), NLM_WORLDS_PAPER, 1, 1, absurd[i],
                                               world, &error),
                             NLM_BAD_ARGUMENT);
            assert_int_equal(error.status, NLM_BAD_ARGUMENT);
            assert_non_null(strstr(error.message, KNOWN[k].name));
            assert_int_equal(nlm_world_objects(world), 5);
            assert_true(fingerprint(world) == before);
        }
    }
    nlm_world_free(world);
}

static void what_is_missing_is_named(void **state)
{
    (void)state;
    nlm_world *world = new_world();
    const nlm_task *task = task_called("uncle");
    nlm_error error;
    assert_int_equal(nlm_task_label(task, world, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "uncle: the world has no predicate father/2");
    assert_int_equal(nlm_world_targets(world), 0);

    generate("uncle", 1, 1, 20, world);
    assert_int_equal(nlm_task_label(task, world, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "target uncle/2 is added twice");
    assert_int_equal(nlm_world_targets(world), 1);

    assert_int_equal(nlm_task_label(task, NULL, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_task_label(NULL, world, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_task_generate(task, NLM_WORLDS_PAPER, 1, 1, 5, NULL, &error), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_task_generate(NULL, NLM_WORLDS_PAPER, 1, 1, 5, world, &error), NLM_BAD_ARGUMENT);
    nlm_task unknown = {.name = "aunt"};
    assert_int_equal(nlm_task_generate(&unknown, NLM_WORLDS_PAPER, 1, 1, 5, world, &error), NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "there is no task 'aunt'");
    nlm_task nameless = {0};
    assert_int_equal(nlm_task_label(&nameless, world, NULL), NLM_BAD_ARGUMENT);
    nlm_world_free(world);
}

static void a_copy_of_a_task_serves(void **state)
{
    (void)state;
    nlm_task copy = *task_called("2-outdegree");
    nlm_world *world = new_world();
    assert_int_equal(nlm_task_generate(&copy, NLM_WORLDS_PAPER, 1, 1, 5, world, NULL), NLM_OK);
    assert_int_equal(nlm_world_objects(world), 5);
    nlm_world_free(world);
}

/* What grows with the square of the people would take minutes here. */
static void large_families_grow_in_linear_time(void **state)
{
    (void)state;
    nlm_world *world = new_world();
    generate("has-father", 1, 0, 200000, world);
    assert_true(nlm_world_labels(world, 0, NULL, NULL, NULL) > 190000);
    nlm_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tasks_of_the_paper_are_there),
        cmocka_unit_test(worlds_have_the_predicates_that_the_task_names),
        cmocka_unit_test(a_world_depends_on_seed_and_index_alone),
        cmocka_unit_test(worlds_stay_what_they_were),
        cmocka_unit_test(labelling_a_copy_gives_the_same_labels),
        cmocka_unit_test(a_world_without_objects_has_no_labels),
        cmocka_unit_test(absurd_sizes_are_refused_and_the_world_stays),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(a_copy_of_a_task_serves),
        cmocka_unit_test(large_families_grow_in_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
