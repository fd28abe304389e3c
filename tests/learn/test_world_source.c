/* Sources: which worlds and labels of a problem are learned from, and which are held out. */
#include "learn/runs.h"
#include "learn/world_source.h"
#include "nlm/facts.h"

static nlm_problem *make_problem(const char *task, int objects, int worlds)
{
    nlm_problem *problem;
    CHECK(nlm_problem_generate(nlm_task_find(task), NLM_WORLDS_PAPER, 7, 0, objects, worlds, &problem,
                               &check_error));
    return problem;
}

static nlm_settings settings_for(const nlm_problem *problem, double held_out)
{
    nlm_settings made;
    CHECK(nlm_settings_of_problem(problem, NULL, NLM_PROTOCOL_BEST, &made, &check_error));
    made.held_out = held_out;
    return made;
}

static struct world_source make_source(const nlm_problem *problem, double held_out)
{
    struct world_source made;
    const nlm_settings settings = settings_for(problem, held_out);
    CHECK(world_source_init(&made, &settings, &check_error));
    return made;
}

static const nlm_world *world_at(struct world_source *source, uint64_t seed, uint64_t number)
{
    const nlm_world *world;
    CHECK(world_source_world(source, seed, number, 0, NULL, &world, &check_error));
    return world;
}

/* Which world of the problem it is. */
static int place_of(const nlm_problem *problem, const nlm_world *world)
{
    for (int w = 0; w < nlm_problem_worlds(problem); w++)
        if (nlm_problem_world(problem, w) == world)
            return w;
    fail_msg("a world that the problem does not have");
    return -1;
}

/* ---- several worlds ---- */

static void each_world_is_learned_from_or_held_out(void **state)
{
    (void)state;
    enum { WORLDS = 30 };
    nlm_problem *problem = make_problem("has-father", 5, WORLDS);
    struct world_source source = make_source(problem, 0.1);
    int seen[WORLDS] = {0};
    assert_int_equal(source.held_out, 3);
    assert_int_equal(source.learned, 27);
    for (int w = 0; w < source.learned; w++)
        seen[place_of(problem, world_at(&source, 1, (uint64_t)w))]++;
    for (int w = 0; w < source.held_out; w++)
        seen[place_of(problem, world_at(&source, 1, WORLD_SOURCE_HELD_OUT + (uint64_t)w))]++;
    for (int w = 0; w < WORLDS; w++)
        assert_int_equal(seen[w], 1);
    world_source_release(&source);
    nlm_problem_free(problem);
}

static void every_pass_has_all_worlds_in_its_own_order(void **state)
{
    (void)state;
    enum { WORLDS = 20, LEARNED = 18 };
    nlm_problem *problem = make_problem("has-father", 4, WORLDS);
    struct world_source source = make_source(problem, 0.1);
    int moved = 0;
    for (uint64_t pass = 0; pass < 3; pass++) {
        bool seen[WORLDS] = {false};
        for (uint64_t w = 0; w < LEARNED; w++) {
            const nlm_world *world = world_at(&source, 5, pass * LEARNED + w);
            const int place = place_of(problem, world);
            assert_false(seen[place]);
            seen[place] = true;
            moved += world != world_at(&source, 5, w);
        }
    }
    assert_true(moved > LEARNED);
    world_source_release(&source);
    nlm_problem_free(problem);
}

static void what_is_held_out_does_not_depend_on_the_seed_but_the_order_does(void **state)
{
    (void)state;
    nlm_problem *problem = make_problem("has-father", 4, 20);
    struct world_source source = make_source(problem, 0.2);
    int different = 0;
    for (uint64_t w = 0; w < 16; w++)
        different += world_at(&source, 1, w) != world_at(&source, 2, w);
    assert_true(different > 4);
    for (uint64_t w = 0; w < 4; w++)
        assert_ptr_equal(world_at(&source, 1, WORLD_SOURCE_HELD_OUT + w),
                         world_at(&source, 2, WORLD_SOURCE_HELD_OUT + w));
    world_source_release(&source);
    nlm_problem_free(problem);
}

static void two_worlds_are_one_to_learn_from_and_one_held_out(void **state)
{
    (void)state;
    nlm_problem *problem = make_problem("has-father", 4, 2);
    struct world_source source = make_source(problem, 0.1);
    assert_int_equal(source.learned, 1);
    assert_int_equal(source.held_out, 1);
    assert_true(world_source_is_fixed(&source, 1));
    assert_false(world_source_is_fixed(&source, 2));
    world_source_release(&source);
    source = make_source(problem, 0);
    assert_int_equal(source.learned, 2);
    assert_int_equal(source.held_out, 0);
    assert_true(world_source_is_fixed(&source, 2));
    world_source_release(&source);
    nlm_problem_free(problem);
}

static void beyond_what_is_held_out_there_is_nothing(void **state)
{
    (void)state;
    nlm_problem *problem = make_problem("has-father", 4, 10);
    struct world_source source = make_source(problem, 0.1);
    const nlm_world *world;
    nlm_error error;
    assert_int_equal(world_source_world(&source, 1, WORLD_SOURCE_HELD_OUT + 1, 0, NULL, &world, &error),
                     NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "only 1 worlds are held out");
    world_source_release(&source);
    nlm_problem_free(problem);
}

/* ---- one world ---- */

static void count_labels(const nlm_world *world, int arity, size_t count[2])
{
    enum { MOST_PLACES = 1 << 12 };
    signed char labels[MOST_PLACES];
    int tuple[NLM_MAX_BREADTH];
    const int objects = nlm_world_objects(world);
    assert_true(places(arity, objects) <= MOST_PLACES);
    write_labels(world, arity, labels);
    count[0] = count[1] = 0;
    for (int place = 0; place < places(arity, objects); place++)
        if (tuple_at(place, arity, objects, tuple) && labels[place] != NLM_UNLABELLED)
            count[labels[place]]++;
}

static void the_labels_of_one_world_are_shared_out(void **state)
{
    (void)state;
    enum { OBJECTS = 20, MOST_PLACES = OBJECTS * OBJECTS };
    nlm_problem *problem = make_problem("grandparent", OBJECTS, 1);
    const nlm_world *whole = nlm_problem_world(problem, 0);
    struct world_source source = make_source(problem, 0.25);
    const nlm_world *learned = world_at(&source, 1, 0),
                    *held_out = world_at(&source, 1, WORLD_SOURCE_HELD_OUT);
    size_t all[2], out[2];
    signed char labels[3][MOST_PLACES];
    count_labels(whole, 2, all);
    count_labels(held_out, 2, out);
    assert_true(all[1] >= 5 && all[0] + all[1] == OBJECTS * (OBJECTS - 1));
    for (int label = 0; label < 2; label++)
        assert_int_equal(out[label], (size_t)(0.25 * (double)all[label] + 0.5));
    write_labels(whole, 2, labels[0]);
    write_labels(learned, 2, labels[1]);
    write_labels(held_out, 2, labels[2]);
    for (int place = 0; place < MOST_PLACES; place++) {
        if (place % (OBJECTS + 1) == 0)
            continue; /* repeats an object */
        assert_true((labels[1][place] == NLM_UNLABELLED) != (labels[2][place] == NLM_UNLABELLED));
        assert_int_equal(labels[1][place] + labels[2][place] + 1, labels[0][place]);
    }
    for (int p = 0; p < nlm_world_predicates(whole); p++)
        assert_int_equal(nlm_world_facts(learned, p, NULL, NULL), nlm_world_facts(whole, p, NULL, NULL));
    assert_true(world_source_is_fixed(&source, 1));
    world_source_release(&source);
    nlm_problem_free(problem);
}

static void nothing_is_held_out_of_one_world_if_not_asked_for(void **state)
{
    (void)state;
    nlm_problem *problem = make_problem("grandparent", 8, 1);
    struct world_source source = make_source(problem, 0);
    assert_int_equal(source.held_out, 0);
    assert_ptr_equal(world_at(&source, 1, 3), nlm_problem_world(problem, 0));
    world_source_release(&source);
    nlm_problem_free(problem);
}

/* ---- worlds of one file ---- */

/* A label each; every fifth is true. */
static nlm_problem *read_boxes(int count)
{
    char path[] = "/tmp/nlm-source-XXXXXX";
    const int number = mkstemp(path);
    FILE *file = number < 0 ? NULL : fdopen(number, "w");
    assert_non_null(file);
    for (int w = 0; w < count; w++)
        fprintf(file, "has(w%d,a%d). has(w%d,b%d). %s(b%d). %s(w%d).\n", w, w, w, w, w % 5 ? "big" : "small",
                w, w % 5 ? "other" : "t", w);
    fclose(file);
    nlm_problem *problem;
    static const char *const target[] = {"t"};
    const nlm_reading reading = {
        .targets = target, .target_count = 1, .closed_world = true, .worlds_by = "has"};
    CHECK(nlm_problem_read(path, &reading, &problem, &check_error));
    remove(path);
    assert_int_equal(nlm_problem_worlds(problem), count);
    return problem;
}

static bool is_true(const nlm_world *world)
{
    const signed char *labels;
    return nlm_world_labels(world, 0, NULL, &labels, NULL) > 0 && labels[0] == NLM_TRUE;
}

static int count_true(struct world_source *source, uint64_t first, int count)
{
    int sum = 0;
    for (int w = 0; w < count; w++)
        sum += is_true(world_at(source, 1, first + (uint64_t)w));
    return sum;
}

static void true_and_false_worlds_of_one_file_are_shared_out_apart(void **state)
{
    (void)state;
    nlm_problem *problem = read_boxes(100);
    nlm_settings settings = settings_for(problem, 0.1);
    struct world_source source;
    settings.parts = 4;
    for (settings.hidden_part = 1; settings.hidden_part <= 4; settings.hidden_part++) {
        CHECK(world_source_init(&source, &settings, &check_error));
        assert_int_equal(source.hidden, 25);
        assert_int_equal(count_true(&source, WORLD_SOURCE_HIDDEN, 25), 5);
        assert_int_equal(source.held_out, 8);
        assert_int_equal(count_true(&source, WORLD_SOURCE_HELD_OUT, 8), 2);
        assert_int_equal(count_true(&source, 0, source.learned), 13);
        world_source_release(&source);
    }
    nlm_problem_free(problem);
}

static void batches_of_one_files_worlds_are_half_true(void **state)
{
    (void)state;
    nlm_problem *problem = read_boxes(100);
    const nlm_settings settings = settings_for(problem, 0.1);
    struct world_source source = make_source(problem, 0.1);
    assert_int_equal(settings.batch, 16);
    assert_int_equal(settings.positives, 8);
    uint64_t next = 0, number;
    for (int draw = 0; draw < 50; draw++) {
        const nlm_world *world;
        CHECK(world_source_draw(&source, 1, &next, 0, draw % 2, false, NULL, &number, &world, &check_error));
        assert_int_equal(is_true(world), draw % 2);
    }
    world_source_release(&source);
    nlm_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_world_is_learned_from_or_held_out),
        cmocka_unit_test(every_pass_has_all_worlds_in_its_own_order),
        cmocka_unit_test(what_is_held_out_does_not_depend_on_the_seed_but_the_order_does),
        cmocka_unit_test(two_worlds_are_one_to_learn_from_and_one_held_out),
        cmocka_unit_test(beyond_what_is_held_out_there_is_nothing),
        cmocka_unit_test(the_labels_of_one_world_are_shared_out),
        cmocka_unit_test(nothing_is_held_out_of_one_world_if_not_asked_for),
        cmocka_unit_test(true_and_false_worlds_of_one_file_are_shared_out_apart),
        cmocka_unit_test(batches_of_one_files_worlds_are_half_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
