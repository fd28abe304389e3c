/* Pools: what exams leave to learn from, what is solved and what is not. */
#include "learn/exams.h"

static bool pool_has(const struct pool *pool, struct instance instance)
{
    const struct instance *items = pool->items.data;
    for (int i = 0; i < pool->count; i++)
        if (items[i].number == instance.number && items[i].objects == instance.objects)
            return true;
    return false;
}

static struct pool copy_pool(const struct pool *pool)
{
    struct pool copy = {.count = 0};
    for (int i = 0; i < pool->count; i++)
        CHECK(pool_add(&copy, ((struct instance *)pool->items.data)[i], &check_error));
    return copy;
}

static void assert_no_instance_twice(const struct pool *pool)
{
    const struct instance *items = pool->items.data;
    for (int i = 0; i < pool->count; i++)
        for (int j = 0; j < i; j++)
            assert_true(items[i].number != items[j].number);
}

/* Numbers 0 and 1 swapped, all others in their place: what a clueless greedy student solves. */
static bool is_easy(const nlm_run *s, struct instance instance)
{
    nlm_position *position = new_position("sort");
    draw(position, s->settings.seed, instance.number, instance.objects, false);
    bool easy = true;
    for (int slot = 0; slot < instance.objects; slot++)
        easy = easy && nlm_sort_value(position, slot) == (slot < 2 ? 1 - slot : slot);
    nlm_position_free(position);
    return easy;
}

static nlm_settings greedy_course(int pool)
{
    nlm_settings course = sorting_course();
    course.greedy_exams = 1;
    course.first_lesson = course.last_lesson = 4; /* one in 23 is easy */
    course.exam = 200;
    course.pool = pool;
    course.episodes = 10000;
    return course;
}

static void pools_hold_what_was_solved_and_what_was_not(void **state)
{
    (void)state;
    for (int size = 1; size <= 1000; size *= 10) {
        const nlm_settings course = greedy_course(size);
        nlm_run *s = begin_clueless(&course);
        const nlm_exam *exam = run_exam(s);
        const int failed = exam->asked - exam->solved;
        assert_int_equal(rewards_of(s)->solved.count, exam->solved < size ? exam->solved : size);
        assert_int_equal(rewards_of(s)->failed.count, failed < size ? failed : size);
        assert_no_instance_twice(&rewards_of(s)->solved);
        assert_no_instance_twice(&rewards_of(s)->failed);
        for (int i = 0; i < rewards_of(s)->solved.count; i++)
            assert_true(is_easy(s, ((struct instance *)rewards_of(s)->solved.items.data)[i]));
        for (int i = 0; i < rewards_of(s)->failed.count; i++)
            assert_false(is_easy(s, ((struct instance *)rewards_of(s)->failed.items.data)[i]));
        nlm_run_free(s);
    }
}

/* An array of four numbers as one number. */
static int array_key(const nlm_position *position)
{
    int key = 0;
    for (int slot = 0; slot < nlm_position_objects(position); slot++)
        key = 4 * key + nlm_sort_value(position, slot);
    return key;
}

/* Whether it solves an array who makes, when it comes to one for the n-th time, the n-th of all moves. */
static bool is_solved_by_trying(const nlm_run *s, struct instance instance)
{
    int visits[256] = {0};
    const int others = instance.objects - 1;
    nlm_position *position = new_position("sort");
    draw(position, s->settings.seed, instance.number, instance.objects, false);
    while (!nlm_position_over(position)) {
        const int visit = visits[array_key(position)]++ % (instance.objects * others);
        const int first = visit / others, rest = visit % others;
        const int numbers[NLM_MAX_MOVE] = {first, rest + (rest >= first)};
        CHECK(nlm_position_move(position, numbers, NULL, &check_error));
    }
    const bool solved = nlm_position_solved(position);
    nlm_position_free(position);
    return solved;
}

/* To the clueless all moves are equal, so in the final exam they make one after the other. */
static void the_final_exam_repeats_no_move_in_a_position(void **state)
{
    (void)state;
    nlm_settings course = greedy_course(1000);
    course.final_exam = 200;
    nlm_run *s = begin_clueless(&course);
    rewards_of(s)->state.candidate = true;
    const nlm_exam *exam = run_exam(s);
    int easy = 0;
    for (int i = 0; i < rewards_of(s)->solved.count; i++) {
        const struct instance item = ((struct instance *)rewards_of(s)->solved.items.data)[i];
        assert_true(is_solved_by_trying(s, item));
        easy += is_easy(s, item);
    }
    for (int i = 0; i < rewards_of(s)->failed.count; i++)
        assert_false(is_solved_by_trying(s, ((struct instance *)rewards_of(s)->failed.items.data)[i]));
    assert_int_equal(rewards_of(s)->solved.count, exam->solved);
    assert_true(easy < exam->solved);
    nlm_run_free(s);
}

/* An exam ends when both are full, but not before, and not within a part. */
static void full_pools_end_an_exam(void **state)
{
    (void)state;
    for (int size = 1; size <= 10; size += 3) {
        nlm_settings course = greedy_course(size);
        course.exam = 640;
        nlm_run *s = begin_clueless(&course);
        learn_until_exam(s);
        const tally all = take_exam(s, true);
        assert_true(all.asked < course.exam && all.asked % EXAM_WAVE == 0);
        assert_true(all.solved >= size && all.asked - all.solved >= size);
        assert_result(s, &all);
        assert_int_equal(rewards_of(s)->solved.count, size);
        assert_int_equal(rewards_of(s)->failed.count, size);
        nlm_run_free(s);
    }
}

/* What failed is tried again, so many as a pool holds; a clueless greedy student fails it again. */
static void failures_that_fail_again_are_kept(void **state)
{
    (void)state;
    enum { POOL = 5 };
    const nlm_settings course = greedy_course(POOL);
    nlm_run *s = begin_clueless(&course);
    run_exam(s);
    for (int n = 0; n < 5; n++) {
        struct pool before = copy_pool(&rewards_of(s)->failed);
        const uint64_t fresh = rewards_of(s)->state.next_instance;
        int again = 0;
        run_exam(s);
        assert_int_equal(rewards_of(s)->failed.count, 2 * POOL);
        assert_no_instance_twice(&rewards_of(s)->failed);
        for (int i = 0; i < rewards_of(s)->failed.count; i++) {
            const struct instance item = ((struct instance *)rewards_of(s)->failed.items.data)[i];
            assert_true((item.number < fresh) == pool_has(&before, item));
            again += item.number < fresh;
        }
        assert_int_equal(again, POOL);
        buffer_free(&before.items);
    }
    nlm_run_free(s);
}

static void failures_that_are_solved_now_are_dropped(void **state)
{
    (void)state;
    nlm_settings course = sorting_course();
    nlm_run *s = begin_clueless(&course);
    run_exam(s);
    assert_true(rewards_of(s)->failed.count > 0);
    write_sorter(nlm_run_machine(s));
    learn_until_exam(s);
    const uint64_t drawn = rewards_of(s)->state.next_instance;
    const nlm_exam *exam = run_exam(s);
    assert_int_equal(rewards_of(s)->failed.count, 0);
    assert_int_equal(rewards_of(s)->state.next_instance - drawn,
                     exam->asked);               /* trying again draws nothing */
    assert_int_equal(exam->solved, exam->asked); /* and does not count */
    nlm_run_free(s);
}

/* ... unless they are to be kept, while there is room for them. */
static void failures_may_be_kept_in_any_case(void **state)
{
    (void)state;
    nlm_settings course = sorting_course();
    course.keep_failures = 1;
    course.pool = 6;
    nlm_run *s = begin_clueless(&course);
    run_exam(s);
    assert_int_equal(rewards_of(s)->failed.count, 6);
    struct pool before = copy_pool(&rewards_of(s)->failed);
    write_sorter(nlm_run_machine(s));
    run_exam(s);
    assert_int_equal(rewards_of(s)->failed.count, 6);
    for (int i = 0; i < 6; i++)
        assert_true(pool_has(&before, ((struct instance *)rewards_of(s)->failed.items.data)[i]));
    forget_all(nlm_run_machine(s));
    run_exam(s);
    assert_int_equal(rewards_of(s)->failed.count, 6);
    for (int i = 0; i < 6; i++) /* six new ones took their places */
        assert_false(pool_has(&before, ((struct instance *)rewards_of(s)->failed.items.data)[i]));
    buffer_free(&before.items);
    nlm_run_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pools_hold_what_was_solved_and_what_was_not),
        cmocka_unit_test(the_final_exam_repeats_no_move_in_a_position),
        cmocka_unit_test(full_pools_end_an_exam),
        cmocka_unit_test(failures_that_fail_again_are_kept),
        cmocka_unit_test(failures_that_are_solved_now_are_dropped),
        cmocka_unit_test(failures_may_be_kept_in_any_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
