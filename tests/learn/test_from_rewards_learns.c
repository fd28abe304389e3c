/* Learning from rewards works: students of sorting graduate, and then sort what is five times as large in the
 * least number of moves.  And it is the same learning, whatever the number of threads. */
#include "learn/courses.h"

/* ---- sorting ---- */

static nlm_settings sort_course(uint64_t seed)
{
    nlm_settings course;
    CHECK(nlm_settings_of_game(nlm_game_at(SORT), NLM_PROTOCOL_PAPER, &course, &check_error));
    course.seed = seed;
    course.batch = course.rollouts = course.passes = 4;
    course.greedy_rollouts = course.greedy_exams = course.optimal_exams = 1;
    course.interval = 100;
    course.lr = 0.01;
    course.entropy = 0.005;
    course.beta2 = 0.99;
    return course;
}

static void assert_sorts(nlm_machine *machine, const nlm_options *options, int instances)
{
    nlm_test *trials;
    CHECK(nlm_test_of_game(machine, nlm_game_at(SORT), 50, 1, options, &trials, &check_error));
    CHECK(nlm_test_run(trials, instances, NULL, NULL, &check_error));
    const nlm_score result = nlm_test_score(trials);
    assert_int_equal(result.asked, instances);
    assert_int_equal((result.asked - result.failed), instances);
    assert_true(result.moves == result.optimal_moves && result.moves > 40);
    nlm_test_free(trials);
}

/* The kernels are those of every processor, so that it is the same run everywhere. */
static void students_of_sorting_graduate(void **state)
{
    (void)state;
    const nlm_options options = {.threads = 2, .kernel = NLM_KERNEL_GENERIC};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const nlm_settings course = sort_course(seed);
        nlm_run *s;
        CHECK(nlm_run_new(&course, &options, &s, &check_error));
        run_course(s);
        assert_int_equal(nlm_run_stage(s), NLM_GRADUATED);
        assert_true(exam_of(s)->candidate && exam_of(s)->success == 1);
        assert_sorts(nlm_run_machine(s), &options, seed == 1 ? 200 : 10);
        nlm_run_free(s);
    }
}

/* ---- threads ---- */

/* A run that goes through all that there is: exams of several parts, passes, averages, beginnings. */
static nlm_settings eventful_course(int g)
{
    nlm_settings course = small_course(g);
    course.episodes = 50;
    course.batch = 10;
    course.rollouts = 5;
    course.greedy_rollouts = 1;
    course.passes = 2;
    course.interval = 10;
    course.exam = 100;
    course.restart = 30;
    course.average = 0.9;
    course.slack = 0.5;
    return course;
}

static void assert_same_exam(const nlm_exam *a, const nlm_exam *b)
{
    assert_int_equal(a->exam, b->exam);
    assert_int_equal(a->lesson, b->lesson);
    assert_int_equal(a->episodes, b->episodes);
    assert_int_equal(a->drawn, b->drawn);
    assert_int_equal(a->restarts, b->restarts);
    assert_int_equal(a->solved, b->solved);
    assert_true(a->moves == b->moves && a->loss == b->loss && a->entropy == b->entropy);
    assert_true(a->train_success == b->train_success);
}

static void the_number_of_threads_does_not_matter(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        const nlm_settings course = eventful_course(g);
        nlm_run *one = begin_course(&course, 1);
        run_course(one);
        assert_int_equal(exam_of(one)->restarts, 1);
        assert_true(exam_of(one)->solved > 0);
        for (int threads = 0; threads <= 3; threads++) {
            nlm_run *other = begin_course(&course, threads);
            run_course(other);
            assert_true(same_values(one, other->machine->values));
            assert_same_exam(exam_of(one), exam_of(other));
            nlm_run_free(other);
        }
        nlm_run_free(one);
    }
}

static void another_seed_is_another_run(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_settings course = small_course(g);
        nlm_run *one = begin_course(&course, 1);
        course.seed = 2;
        nlm_run *other = begin_course(&course, 1);
        assert_false(same_values(one, other->machine->values));
        memcpy(other->machine->values, one->machine->values,
               nlm_machine_parameters(one->machine) * sizeof(float));
        step(one);
        step(other);
        assert_false(same_values(one, other->machine->values)); /* other instances, other moves */
        nlm_run_free(one);
        nlm_run_free(other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(students_of_sorting_graduate),
        cmocka_unit_test(the_number_of_threads_does_not_matter),
        cmocka_unit_test(another_seed_is_another_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
