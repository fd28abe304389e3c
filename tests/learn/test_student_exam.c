/* Exams: what they ask and of whom, which pools they leave behind, and what follows: the next lesson, more
 * episodes, new weights, or the end. */
#include "learn/courses.h"

/* ---- what is asked ---- */

/* Of episodes just played. */
static bool counts_as_solved(const nlm_student *s, int slot)
{
    const nlm_position *start = s->episode[slot].start, *end = s->episode[slot].position;
    return nlm_position_solved(end) &&
           !(s->settings.optimal_exams && nlm_position_moves(end) > nlm_position_optimum(start));
}

/* All parts of an exam but those that try failures again: what its result must be. */
typedef struct tally {
    int asked, solved, moves;
    int objects[16]; /* how often */
    bool ended;
} tally;

static tally take_exam(nlm_student *s, bool greedy)
{
    tally all = {0};
    const int most = s->state.candidate ? s->settings.final_exam : s->settings.exam;
    const uint64_t first = s->state.next_instance;
    while (!all.ended && all.asked < most) {
        all.ended = step(s);
        const int left = most - all.asked, count = left < STUDENT_WAVE ? left : STUDENT_WAVE;
        for (int e = 0; e < count; e++) {
            const bool solved = counts_as_solved(s, e);
            assert_int_equal(s->episode[e].greedy, greedy);
            assert_int_equal(s->wave[e].number, first + (uint64_t)(all.asked + e));
            assert_int_equal(s->wave[e].objects, nlm_position_objects(s->episode[e].start));
            all.objects[s->wave[e].objects]++;
            all.solved += solved;
            all.moves += solved ? episode_moves(&s->episode[e]) : 0;
        }
        all.asked += count;
        if (!all.ended)
            assert_int_equal(nlm_student_asked(s), all.asked);
        const int full = s->settings.pool;
        const bool lost = s->state.candidate && s->settings.keep_failures && all.solved < all.asked;
        if (s->exam.solved_pool.count == full && (s->exam.failed_pool.count == full || lost))
            break;
    }
    return all;
}

static void assert_result(nlm_student *s, const tally *all)
{
    const nlm_exam *exam = all->ended ? nlm_student_exam(s) : run_exam(s);
    assert_int_equal(exam->asked, all->asked);
    assert_int_equal(exam->solved, all->solved);
    assert_near(exam->success, (double)all->solved / all->asked, 1e-12);
    assert_near(exam->moves, all->solved ? (double)all->moves / all->solved : 0, 1e-12);
}

static void learn_until_exam(nlm_student *s)
{
    const int exam = nlm_student_exam(s)->exam;
    while (!s->state.exam_due && s->running.episodes < s->settings.interval)
        assert_false(step(s));
    assert_int_equal(nlm_student_exam(s)->exam, exam);
}

static void exams_ask_as_many_as_they_should(void **state)
{
    (void)state;
    static const int sizes[] = {1, 30, 63, 64, 65, 128, 150};
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (int greedy = 0; greedy < 2; greedy++)
            for (int optimal = 0; optimal < 2; optimal++) {
                nlm_course course = sorting_course();
                course.exam = sizes[i];
                course.pool = 1000;
                course.greedy_exams = greedy;
                course.optimal_exams = optimal;
                nlm_student *s = begin_clueless(&course);
                learn_until_exam(s);
                const tally all = take_exam(s, greedy);
                assert_int_equal(all.asked, sizes[i]);
                assert_result(s, &all);
                nlm_student_free(s);
            }
}

/* Swaps of any two numbers in the wrong order solve all, but not all in the least number of moves. */
static void longer_ways_may_not_count(void **state)
{
    (void)state;
    int solved[2];
    for (int optimal = 0; optimal < 2; optimal++) {
        nlm_course course = sorting_course();
        course.first_lesson = course.last_lesson = 5;
        course.exam = 100;
        course.optimal_exams = optimal;
        course.pool = 1000;
        nlm_student *s = begin_knowing(&course);
        learn_until_exam(s);
        const tally all = take_exam(s, false);
        assert_result(s, &all);
        solved[optimal] = all.solved;
        nlm_student_free(s);
    }
    assert_int_equal(solved[0], 100);
    assert_true(solved[1] > 20 && solved[1] < 95);
}

/* Each of the three most recent lessons as often as the others. */
static void exams_are_about_the_three_most_recent_lessons(void **state)
{
    (void)state;
    nlm_course course = sorting_course();
    course.first_lesson = 3;
    course.last_lesson = 8;
    course.exam = 300;
    course.slack = 1; /* pass all but the last */
    nlm_student *s = begin_knowing(&course);
    for (int lesson = 3; lesson <= 8; lesson++) {
        const int least = lesson - 2 < 3 ? 3 : lesson - 2;
        assert_int_equal(nlm_student_lesson(s), lesson);
        learn_until_exam(s);
        const tally all = take_exam(s, false);
        assert_result(s, &all);
        for (int objects = 0; objects < (int)COUNT(all.objects); objects++)
            assert_true(objects < least || objects > lesson ? all.objects[objects] == 0
                                                            : all.objects[objects] > 0);
        if (lesson > least)
            assert_uniform("lessons", all.objects + least, lesson - least + 1);
        assert_int_equal(nlm_student_exam(s)->lesson, lesson);
    }
    nlm_student_free(s);
}

static int height_of(const nlm_position *position)
{
    int most = 0;
    for (int target = 0; target < 2; target++)
        for (int block = 1; block <= nlm_position_objects(position); block++) {
            int height = 0;
            for (int at = block; at > 0; at = nlm_blocks_below(position, target, at))
                height++;
            most = height > most ? height : most;
        }
    return most;
}

/* Half of the instances have the tallest towers of eight; the others are as they come. */
static void deep_instances_may_be_chosen(void **state)
{
    (void)state;
    enum { OF = 8 };
    nlm_course course = small_course(BLOCKS);
    course.first_lesson = course.last_lesson = 6;
    course.deepest = OF;
    course.exam = STUDENT_WAVE;
    nlm_student *s = begin_course(&course, 1);
    nlm_position *position = new_position("blocks");
    learn_until_exam(s);
    uint64_t number = s->state.next_instance;
    random_stream random = student_round(s); /* that of the exam */
    s->state.next_round--;
    step(s);
    int deep = 0;
    for (int e = 0; e < STUDENT_WAVE; e++) {
        uint64_t tallest = number;
        int most = 0;
        for (uint64_t n = number; n < number + OF; n++) {
            draw(position, course.seed, n, 6, false);
            tallest = height_of(position) > most ? n : tallest;
            most = height_of(position) > most ? height_of(position) : most;
        }
        (void)random_below(&random, 1); /* the lesson: there is only one */
        const bool chosen = random_below(&random, 2) == 0;
        assert_true(s->wave[e].number == (chosen ? tallest : number));
        number += chosen ? OF : 1;
        deep += chosen;
    }
    assert_int_equal(number, s->state.next_instance);
    assert_in_range(deep, STUDENT_WAVE / 4, STUDENT_WAVE * 3 / 4);
    nlm_position_free(position);
    nlm_student_free(s);
}

/* ---- what is enough ---- */

static void thresholds_rise_to_one(void **state)
{
    (void)state;
    static const double slacks[] = {0, 0.005, 0.1, 0.3, 0.5, 1};
    int passed = 0, failed = 0;
    for (size_t i = 0; i < COUNT(slacks); i++)
        for (int lesson = 3; lesson <= 5; lesson++)
            for (int knows = 0; knows < 2; knows++) {
                nlm_course course = sorting_course();
                course.slack = slacks[i];
                nlm_student *s = knows ? begin_knowing(&course) : begin_clueless(&course);
                s->state.lesson = lesson;
                const nlm_exam *exam = run_exam(s);
                assert_near(exam->threshold, 1 - slacks[i] * (5 - lesson), 1e-12);
                assert_int_equal(exam->passed, exam->success >= exam->threshold);
                *(exam->passed ? &passed : &failed) += 1;
                nlm_student_free(s);
            }
    assert_true(passed > 10 && failed > 10);
}

/* An exam in which so many were solved, of which nothing is left to ask. */
static bool passes(double slack, int lesson, int asked, int solved)
{
    nlm_course course = sorting_course();
    course.first_lesson = 2;
    course.last_lesson = 12;
    course.exam = asked;
    course.slack = slack;
    nlm_student *s = begin_knowing(&course);
    s->state.lesson = lesson;
    s->exam.going = true;
    s->exam.asked = asked;
    s->exam.solved = solved;
    assert_true(step(s));
    const bool passed = nlm_student_exam(s)->passed;
    nlm_student_free(s);
    return passed;
}

/* 55 of 100 are 0.55, though 1 - 0.05 * 9 is a little more. */
static void as_many_as_the_threshold_are_enough(void **state)
{
    (void)state;
    static const int sizes[] = {100, 200, 777, 3000};
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (int lesson = 2; lesson <= 12; lesson++) {
            for (int slack = 5; slack <= 50; slack += 45) { /* in a thousand */
                const int enough = (sizes[i] * (1000 - slack * (12 - lesson)) + 999) / 1000;
                assert_true(passes(slack / 1000.0, lesson, sizes[i], enough));
                assert_false(passes(slack / 1000.0, lesson, sizes[i], enough - 1));
            }
        }
}

/* ---- from lesson to lesson ---- */

/* One interval, then exam upon exam: lessons 3, 4, 5 and the final one. */
static void who_knows_all_passes_all_at_once(void **state)
{
    (void)state;
    for (int greedy = 0; greedy < 2; greedy++) {
        nlm_course course = sorting_course();
        course.rate = 0.5;
        course.interval = course.batch; /* a single update */
        course.greedy_exams = greedy;
        nlm_student *s = begin_knowing(&course);
        assert_false(step(s));
        write_sorter(nlm_student_machine(s));
        for (int n = 0; n < 4; n++) {
            const bool final = n == 3;
            assert_int_equal(nlm_student_candidate(s), final);
            assert_near(s->state.rate, 0.5 * pow(0.9, n), 1e-12);
            assert_near(s->optimizer->settings.rate, s->state.rate, 0);
            assert_near(s->state.entropy, course.entropy * pow(0.8, n), 1e-12);
            const tally all = take_exam(s, greedy || final);
            assert_result(s, &all);
            const nlm_exam *exam = nlm_student_exam(s);
            assert_int_equal(exam->exam, n + 1);
            assert_int_equal(exam->lesson, n < 2 ? 3 + n : 5);
            assert_int_equal(exam->candidate, final);
            assert_int_equal(exam->asked, final ? course.final_exam : course.exam);
            assert_true(exam->passed && exam->success == 1);
            assert_int_equal(exam->episodes, 1);
            assert_true((exam->loss != 0) == (n == 0)); /* there were no updates since the last */
            assert_int_equal(nlm_student_stage(s), final ? NLM_GRADUATED : NLM_LEARNING);
        }
        nlm_student_free(s);
    }
}

/* Who fails an exam goes on learning at the same lesson, and meets the same exam after the interval. */
static void who_fails_stays_where_he_is(void **state)
{
    (void)state;
    nlm_course course = sorting_course();
    course.episodes = 200;
    nlm_student *s = begin_knowing(&course);
    assert_true(run_exam(s)->passed);
    assert_int_equal(nlm_student_lesson(s), 4);
    forget_all(nlm_student_machine(s));
    for (int n = 0; n < 3; n++) {
        const double rate = s->state.rate, entropy = s->state.entropy;
        const nlm_exam *exam = run_exam(s);
        assert_false(exam->passed);
        assert_int_equal(exam->lesson, 4);
        assert_int_equal(exam->episodes, course.interval * (n + 1));
        assert_int_equal(nlm_student_lesson(s), 4);
        assert_true(s->state.rate == rate && s->state.entropy == entropy);
    }
    write_sorter(nlm_student_machine(s));
    assert_true(run_exam(s)->passed);
    assert_int_equal(nlm_student_exam(s)->episodes, course.interval * 4);
    run_course(s);
    assert_int_equal(nlm_student_stage(s), NLM_GRADUATED);
    assert_int_equal(nlm_student_exam(s)->episodes, course.interval * 4);
    nlm_student_free(s);
}

/* A candidate stays one; the final exam is asked again after the interval. */
static void candidates_may_fail_too(void **state)
{
    (void)state;
    nlm_course course = sorting_course();
    course.final_decay = 0.5;
    course.rate = 1e-9;
    nlm_student *s = begin_knowing(&course);
    for (int n = 0; n < 3; n++)
        run_exam(s);
    assert_true(nlm_student_candidate(s));
    forget_all(nlm_student_machine(s));
    for (int n = 0; n < 2; n++) {
        const double rate = s->state.rate;
        const nlm_exam *exam = run_exam(s);
        assert_true(exam->candidate && !exam->passed && exam->threshold == 1);
        assert_int_equal(exam->episodes, course.interval * (n + 1));
        assert_true(nlm_student_candidate(s));
        assert_near(s->state.rate, 0.5 * rate, 1e-24);
        assert_true(s->optimizer->settings.rate == s->state.rate);
    }
    write_sorter(nlm_student_machine(s));
    assert_true(run_exam(s)->candidate);
    assert_int_equal(nlm_student_stage(s), NLM_GRADUATED);
    nlm_student_free(s);
}

/* Every eighth instance of a part, and of the final exam only. */
static void final_exams_may_have_larger_instances(void **state)
{
    (void)state;
    nlm_course course = sorting_course();
    course.final_objects = 9;
    course.exam = course.final_exam = 150;
    course.pool = 1000;
    nlm_student *s = begin_knowing(&course);
    learn_until_exam(s);
    for (int n = 0; n < 4; n++) {
        const bool final = n == 3;
        const tally all = take_exam(s, final);
        assert_int_equal(all.objects[9], final ? 8 + 8 + 22 / 8 : 0);
        assert_result(s, &all);
        const struct pool *pools[] = {&s->solved, &s->failed};
        int kept = 0;
        for (size_t k = 0; k < COUNT(pools); k++)
            for (int i = 0; i < pools[k]->count; i++, kept++) /* not to be learned from */
                assert_in_range(((struct instance *)pools[k]->items.data)[i].objects, 3, 5);
        assert_int_equal(kept, all.asked - all.objects[9]);
    }
    nlm_student_free(s);
}

/* When its failures are kept anyway, and there is enough of what was solved to learn from. */
static void a_final_exam_that_is_lost_may_end(void **state)
{
    (void)state;
    for (int keep = 0; keep < 2; keep++) {
        nlm_course course = sorting_course();
        course.first_lesson = course.last_lesson = 4;
        course.final_exam = 640;
        course.pool = 3;
        course.keep_failures = keep;
        nlm_student *s = begin_knowing(&course);
        assert_true(run_exam(s)->passed);
        s->exam.going = true; /* three were solved, and one was not */
        s->exam.asked = 4;
        s->exam.solved = 3;
        s->exam.again = s->exam.failed_pool.count = s->exam.solved_pool.count = 0;
        for (uint64_t n = 0; n < 3; n++)
            CHECK(pool_add(&s->exam.solved_pool, (struct instance){n, 4}, &check_error));
        CHECK(pool_add(&s->exam.failed_pool, (struct instance){3, 4}, &check_error));
        const nlm_exam *exam = run_exam(s);
        assert_false(exam->passed);
        assert_int_equal(exam->asked, keep ? 4 : 640);
        nlm_student_free(s);
    }
}

/* ---- pools ---- */

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
static bool is_easy(const nlm_student *s, struct instance instance)
{
    nlm_position *position = new_position("sort");
    draw(position, s->settings.seed, instance.number, instance.objects, false);
    bool easy = true;
    for (int slot = 0; slot < instance.objects; slot++)
        easy = easy && nlm_sort_value(position, slot) == (slot < 2 ? 1 - slot : slot);
    nlm_position_free(position);
    return easy;
}

static nlm_course greedy_course(int pool)
{
    nlm_course course = sorting_course();
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
        const nlm_course course = greedy_course(size);
        nlm_student *s = begin_clueless(&course);
        const nlm_exam *exam = run_exam(s);
        const int failed = exam->asked - exam->solved;
        assert_int_equal(s->solved.count, exam->solved < size ? exam->solved : size);
        assert_int_equal(s->failed.count, failed < size ? failed : size);
        assert_no_instance_twice(&s->solved);
        assert_no_instance_twice(&s->failed);
        for (int i = 0; i < s->solved.count; i++)
            assert_true(is_easy(s, ((struct instance *)s->solved.items.data)[i]));
        for (int i = 0; i < s->failed.count; i++)
            assert_false(is_easy(s, ((struct instance *)s->failed.items.data)[i]));
        nlm_student_free(s);
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
static bool is_solved_by_trying(const nlm_student *s, struct instance instance)
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
    nlm_course course = greedy_course(1000);
    course.final_exam = 200;
    nlm_student *s = begin_clueless(&course);
    s->state.candidate = true;
    const nlm_exam *exam = run_exam(s);
    int easy = 0;
    for (int i = 0; i < s->solved.count; i++) {
        const struct instance item = ((struct instance *)s->solved.items.data)[i];
        assert_true(is_solved_by_trying(s, item));
        easy += is_easy(s, item);
    }
    for (int i = 0; i < s->failed.count; i++)
        assert_false(is_solved_by_trying(s, ((struct instance *)s->failed.items.data)[i]));
    assert_int_equal(s->solved.count, exam->solved);
    assert_true(easy < exam->solved);
    nlm_student_free(s);
}

/* An exam ends when both are full, but not before, and not within a part. */
static void full_pools_end_an_exam(void **state)
{
    (void)state;
    for (int size = 1; size <= 10; size += 3) {
        nlm_course course = greedy_course(size);
        course.exam = 640;
        nlm_student *s = begin_clueless(&course);
        learn_until_exam(s);
        const tally all = take_exam(s, true);
        assert_true(all.asked < course.exam && all.asked % STUDENT_WAVE == 0);
        assert_true(all.solved >= size && all.asked - all.solved >= size);
        assert_result(s, &all);
        assert_int_equal(s->solved.count, size);
        assert_int_equal(s->failed.count, size);
        nlm_student_free(s);
    }
}

/* What failed is tried again, so many as a pool holds; a clueless greedy student fails it again. */
static void failures_that_fail_again_are_kept(void **state)
{
    (void)state;
    enum { POOL = 5 };
    const nlm_course course = greedy_course(POOL);
    nlm_student *s = begin_clueless(&course);
    run_exam(s);
    for (int n = 0; n < 5; n++) {
        struct pool before = copy_pool(&s->failed);
        const uint64_t fresh = s->state.next_instance;
        int again = 0;
        run_exam(s);
        assert_int_equal(s->failed.count, 2 * POOL);
        assert_no_instance_twice(&s->failed);
        for (int i = 0; i < s->failed.count; i++) {
            const struct instance item = ((struct instance *)s->failed.items.data)[i];
            assert_true((item.number < fresh) == pool_has(&before, item));
            again += item.number < fresh;
        }
        assert_int_equal(again, POOL);
        buffer_free(&before.items);
    }
    nlm_student_free(s);
}

static void failures_that_are_solved_now_are_dropped(void **state)
{
    (void)state;
    nlm_course course = sorting_course();
    nlm_student *s = begin_clueless(&course);
    run_exam(s);
    assert_true(s->failed.count > 0);
    write_sorter(nlm_student_machine(s));
    learn_until_exam(s);
    const uint64_t drawn = s->state.next_instance;
    const nlm_exam *exam = run_exam(s);
    assert_int_equal(s->failed.count, 0);
    assert_int_equal(s->state.next_instance - drawn, exam->asked); /* trying again draws nothing */
    assert_int_equal(exam->solved, exam->asked);                   /* and does not count */
    nlm_student_free(s);
}

/* ... unless they are to be kept, while there is room for them. */
static void failures_may_be_kept_in_any_case(void **state)
{
    (void)state;
    nlm_course course = sorting_course();
    course.keep_failures = 1;
    course.pool = 6;
    nlm_student *s = begin_clueless(&course);
    run_exam(s);
    assert_int_equal(s->failed.count, 6);
    struct pool before = copy_pool(&s->failed);
    write_sorter(nlm_student_machine(s));
    run_exam(s);
    assert_int_equal(s->failed.count, 6);
    for (int i = 0; i < 6; i++)
        assert_true(pool_has(&before, ((struct instance *)s->failed.items.data)[i]));
    forget_all(nlm_student_machine(s));
    run_exam(s);
    assert_int_equal(s->failed.count, 6);
    for (int i = 0; i < 6; i++) /* six new ones took their places */
        assert_false(pool_has(&before, ((struct instance *)s->failed.items.data)[i]));
    buffer_free(&before.items);
    nlm_student_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exams_ask_as_many_as_they_should),
        cmocka_unit_test(longer_ways_may_not_count),
        cmocka_unit_test(exams_are_about_the_three_most_recent_lessons),
        cmocka_unit_test(deep_instances_may_be_chosen),
        cmocka_unit_test(thresholds_rise_to_one),
        cmocka_unit_test(as_many_as_the_threshold_are_enough),
        cmocka_unit_test(who_knows_all_passes_all_at_once),
        cmocka_unit_test(who_fails_stays_where_he_is),
        cmocka_unit_test(candidates_may_fail_too),
        cmocka_unit_test(final_exams_may_have_larger_instances),
        cmocka_unit_test(a_final_exam_that_is_lost_may_end),
        cmocka_unit_test(pools_hold_what_was_solved_and_what_was_not),
        cmocka_unit_test(the_final_exam_repeats_no_move_in_a_position),
        cmocka_unit_test(full_pools_end_an_exam),
        cmocka_unit_test(failures_that_fail_again_are_kept),
        cmocka_unit_test(failures_that_are_solved_now_are_dropped),
        cmocka_unit_test(failures_may_be_kept_in_any_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
