/* Exams: what they ask and of whom, and what follows: the next lesson, more episodes, new weights, or the
 * end. */
#include "learn/exams.h"

/* ---- what is asked ---- */

static void exams_ask_as_many_as_they_should(void **state)
{
    (void)state;
    static const int sizes[] = {1, 30, 63, 64, 65, 128, 150};
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (int greedy = 0; greedy < 2; greedy++)
            for (int optimal = 0; optimal < 2; optimal++) {
                nlm_settings course = sorting_course();
                course.exam = sizes[i];
                course.pool = 1000;
                course.greedy_exams = greedy;
                course.optimal_exams = optimal;
                nlm_run *s = begin_clueless(&course);
                learn_until_exam(s);
                const tally all = take_exam(s, greedy);
                assert_int_equal(all.asked, sizes[i]);
                assert_result(s, &all);
                nlm_run_free(s);
            }
}

/* Swaps of any two numbers in the wrong order solve all, but not all in the least number of moves. */
static void longer_ways_may_not_count(void **state)
{
    (void)state;
    int solved[2];
    for (int optimal = 0; optimal < 2; optimal++) {
        nlm_settings course = sorting_course();
        course.first_lesson = course.last_lesson = 5;
        course.exam = 100;
        course.optimal_exams = optimal;
        course.pool = 1000;
        nlm_run *s = begin_knowing(&course);
        learn_until_exam(s);
        const tally all = take_exam(s, false);
        assert_result(s, &all);
        solved[optimal] = all.solved;
        nlm_run_free(s);
    }
    assert_int_equal(solved[0], 100);
    assert_true(solved[1] > 20 && solved[1] < 95);
}

/* Each of the three most recent lessons as often as the others. */
static void exams_are_about_the_three_most_recent_lessons(void **state)
{
    (void)state;
    nlm_settings course = sorting_course();
    course.first_lesson = 3;
    course.last_lesson = 8;
    course.exam = 300;
    course.slack = 1; /* pass all but the last */
    nlm_run *s = begin_knowing(&course);
    for (int lesson = 3; lesson <= 8; lesson++) {
        const int least = lesson - 2 < 3 ? 3 : lesson - 2;
        assert_int_equal(lesson_of(s), lesson);
        learn_until_exam(s);
        const tally all = take_exam(s, false);
        assert_result(s, &all);
        for (int objects = 0; objects < (int)COUNT(all.objects); objects++)
            assert_true(objects < least || objects > lesson ? all.objects[objects] == 0
                                                            : all.objects[objects] > 0);
        if (lesson > least)
            assert_uniform("lessons", all.objects + least, lesson - least + 1);
        assert_int_equal(exam_of(s)->lesson, lesson);
    }
    nlm_run_free(s);
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
    nlm_settings course = small_course(BLOCKS);
    course.first_lesson = course.last_lesson = 6;
    course.deepest = OF;
    course.exam = EXAM_WAVE;
    nlm_run *s = begin_course(&course, 1);
    nlm_position *position = new_position("blocks");
    learn_until_exam(s);
    uint64_t number = rewards_of(s)->state.next_instance;
    random_stream random = rewards_round(rewards_of(s)); /* that of the exam */
    rewards_of(s)->state.next_round--;
    step(s);
    int deep = 0;
    for (int e = 0; e < EXAM_WAVE; e++) {
        uint64_t tallest = number;
        int most = 0;
        for (uint64_t n = number; n < number + OF; n++) {
            draw(position, course.seed, n, 6, false);
            tallest = height_of(position) > most ? n : tallest;
            most = height_of(position) > most ? height_of(position) : most;
        }
        (void)random_below(&random, 1); /* the lesson: there is only one */
        const bool chosen = random_below(&random, 2) == 0;
        assert_true(rewards_of(s)->wave[e].number == (chosen ? tallest : number));
        number += chosen ? OF : 1;
        deep += chosen;
    }
    assert_int_equal(number, rewards_of(s)->state.next_instance);
    assert_in_range(deep, EXAM_WAVE / 4, EXAM_WAVE * 3 / 4);
    nlm_position_free(position);
    nlm_run_free(s);
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
                nlm_settings course = sorting_course();
                course.slack = slacks[i];
                nlm_run *s = knows ? begin_knowing(&course) : begin_clueless(&course);
                rewards_of(s)->state.lesson = lesson;
                const nlm_exam *exam = run_exam(s);
                assert_near(exam->threshold, 1 - slacks[i] * (5 - lesson), 1e-12);
                assert_int_equal(exam->passed, exam->success >= exam->threshold);
                *(exam->passed ? &passed : &failed) += 1;
                nlm_run_free(s);
            }
    assert_true(passed > 10 && failed > 10);
}

/* An exam in which so many were solved, of which nothing is left to ask. */
static bool passes(double slack, int lesson, int asked, int solved)
{
    nlm_settings course = sorting_course();
    course.first_lesson = 2;
    course.last_lesson = 12;
    course.exam = asked;
    course.slack = slack;
    nlm_run *s = begin_knowing(&course);
    rewards_of(s)->state.lesson = lesson;
    rewards_of(s)->exam.going = true;
    rewards_of(s)->exam.asked = asked;
    rewards_of(s)->exam.solved = solved;
    assert_true(step(s));
    const bool passed = exam_of(s)->passed;
    nlm_run_free(s);
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
        nlm_settings course = sorting_course();
        course.lr = 0.5;
        course.interval = course.batch; /* a single update */
        course.greedy_exams = greedy;
        nlm_run *s = begin_knowing(&course);
        assert_false(step(s));
        write_sorter(nlm_run_machine(s));
        for (int n = 0; n < 4; n++) {
            const bool final = n == 3;
            assert_int_equal(candidate_of(s), final);
            assert_near(rewards_of(s)->state.rate, 0.5 * pow(0.9, n), 1e-12);
            assert_near(s->optimizer->settings.rate, rewards_of(s)->state.rate, 0);
            assert_near(rewards_of(s)->state.entropy, course.entropy * pow(0.8, n), 1e-12);
            const tally all = take_exam(s, greedy || final);
            assert_result(s, &all);
            const nlm_exam *exam = exam_of(s);
            assert_int_equal(exam->exam, n + 1);
            assert_int_equal(exam->lesson, n < 2 ? 3 + n : 5);
            assert_int_equal(exam->candidate, final);
            assert_int_equal(exam->asked, final ? course.final_exam : course.exam);
            assert_true(exam->passed && exam->success == 1);
            assert_int_equal(exam->episodes, 1);
            assert_true((exam->loss != 0) == (n == 0)); /* there were no updates since the last */
            assert_int_equal(nlm_run_stage(s), final ? NLM_GRADUATED : NLM_LEARNING);
        }
        nlm_run_free(s);
    }
}

/* Who fails an exam goes on learning at the same lesson, and meets the same exam after the interval. */
static void who_fails_stays_where_he_is(void **state)
{
    (void)state;
    nlm_settings course = sorting_course();
    course.episodes = 200;
    nlm_run *s = begin_knowing(&course);
    assert_true(run_exam(s)->passed);
    assert_int_equal(lesson_of(s), 4);
    forget_all(nlm_run_machine(s));
    for (int n = 0; n < 3; n++) {
        const double rate = rewards_of(s)->state.rate, entropy = rewards_of(s)->state.entropy;
        const nlm_exam *exam = run_exam(s);
        assert_false(exam->passed);
        assert_int_equal(exam->lesson, 4);
        assert_int_equal(exam->episodes, course.interval * (n + 1));
        assert_int_equal(lesson_of(s), 4);
        assert_true(rewards_of(s)->state.rate == rate && rewards_of(s)->state.entropy == entropy);
    }
    write_sorter(nlm_run_machine(s));
    assert_true(run_exam(s)->passed);
    assert_int_equal(exam_of(s)->episodes, course.interval * 4);
    run_course(s);
    assert_int_equal(nlm_run_stage(s), NLM_GRADUATED);
    assert_int_equal(exam_of(s)->episodes, course.interval * 4);
    nlm_run_free(s);
}

/* A candidate stays one; the final exam is asked again after the interval. */
static void candidates_may_fail_too(void **state)
{
    (void)state;
    nlm_settings course = sorting_course();
    course.final_decay = 0.5;
    course.lr = 1e-9;
    nlm_run *s = begin_knowing(&course);
    for (int n = 0; n < 3; n++)
        run_exam(s);
    assert_true(candidate_of(s));
    forget_all(nlm_run_machine(s));
    for (int n = 0; n < 2; n++) {
        const double rate = rewards_of(s)->state.rate;
        const nlm_exam *exam = run_exam(s);
        assert_true(exam->candidate && !exam->passed && exam->threshold == 1);
        assert_int_equal(exam->episodes, course.interval * (n + 1));
        assert_true(candidate_of(s));
        assert_near(rewards_of(s)->state.rate, 0.5 * rate, 1e-24);
        assert_true(s->optimizer->settings.rate == rewards_of(s)->state.rate);
    }
    write_sorter(nlm_run_machine(s));
    assert_true(run_exam(s)->candidate);
    assert_int_equal(nlm_run_stage(s), NLM_GRADUATED);
    nlm_run_free(s);
}

/* Every eighth instance of a part, and of the final exam only. */
static void final_exams_may_have_larger_instances(void **state)
{
    (void)state;
    nlm_settings course = sorting_course();
    course.final_objects = 9;
    course.exam = course.final_exam = 150;
    course.pool = 1000;
    nlm_run *s = begin_knowing(&course);
    learn_until_exam(s);
    for (int n = 0; n < 4; n++) {
        const bool final = n == 3;
        const tally all = take_exam(s, final);
        assert_int_equal(all.objects[9], final ? 8 + 8 + 22 / 8 : 0);
        assert_result(s, &all);
        const struct pool *pools[] = {&rewards_of(s)->solved, &rewards_of(s)->failed};
        int kept = 0;
        for (size_t k = 0; k < COUNT(pools); k++)
            for (int i = 0; i < pools[k]->count; i++, kept++) /* not to be learned from */
                assert_in_range(((struct instance *)pools[k]->items.data)[i].objects, 3, 5);
        assert_int_equal(kept, all.asked - all.objects[9]);
    }
    nlm_run_free(s);
}

/* When its failures are kept anyway, and there is enough of what was solved to learn from. */
static void a_final_exam_that_is_lost_may_end(void **state)
{
    (void)state;
    for (int keep = 0; keep < 2; keep++) {
        nlm_settings course = sorting_course();
        course.first_lesson = course.last_lesson = 4;
        course.final_exam = 640;
        course.pool = 3;
        course.keep_failures = keep;
        nlm_run *s = begin_knowing(&course);
        assert_true(run_exam(s)->passed);
        rewards_of(s)->exam.going = true; /* three were solved, and one was not */
        rewards_of(s)->exam.asked = 4;
        rewards_of(s)->exam.solved = 3;
        rewards_of(s)->exam.again = rewards_of(s)->exam.failed_pool.count =
            rewards_of(s)->exam.solved_pool.count = 0;
        for (uint64_t n = 0; n < 3; n++)
            CHECK(pool_add(&rewards_of(s)->exam.solved_pool, (struct instance){n, 4}, &check_error));
        CHECK(pool_add(&rewards_of(s)->exam.failed_pool, (struct instance){3, 4}, &check_error));
        const nlm_exam *exam = run_exam(s);
        assert_false(exam->passed);
        assert_int_equal(exam->asked, keep ? 4 : 640);
        nlm_run_free(s);
    }
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
